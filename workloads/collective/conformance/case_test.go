package conformance

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
)

// TestCases counts the cases: 3 sizes, and unequal blocks if there are several,
// and one for each further root.
func TestCases(t *testing.T) {
	for _, tt := range []struct {
		op         workloads.Collective
		p, n, want int
	}{
		{workloads.Barrier, 5, 0, 1},
		{workloads.Bcast, 5, 1, 3 + 4},
		{workloads.Gather, 5, 5, 4 + 4},
		{workloads.Gather, 1, 1, 3},
		{workloads.Allreduce, 5, 5, 4},
	} {
		expect.Equal(t, len(casesOf(tt.op, tt.p, tt.n)), tt.want, "%v, %d ranks, %d blocks: cases", tt.op, tt.p, tt.n)
	}
}
