package collective_test

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/collective"
)

func TestChainPieces(t *testing.T) {
	for _, tt := range []struct {
		segment, size units.Bytes
		want          int
	}{
		{100, 0, 1}, {100, 1, 1}, {100, 100, 1}, {100, 101, 2}, {100, 1000, 10}, {0.5, 2, 4},
		{1, 1e30, 1 << 30}, // as many as there may be
	} {
		chain := expect.Value(collective.ChainBcast(tt.segment))(t)
		expect.Equal(t, chain.Pieces(collective.Call{Size: 5}, tt.size), tt.want,
			"%v in segments of %v: pieces", tt.size, tt.segment)
	}
}

func TestChainSegment(t *testing.T) {
	for _, segment := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		_, err := collective.ChainBcast(units.Bytes(segment))
		expect.Outcome(t, err, "expected a finite number above 0")
	}
}
