package quantile_test

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/quantile"
	"github.com/isoscale/isoscale/internal/expect"
)

// 95 % of 20 values are 19; of 19 values they are 18.05, so all 19 are needed.
func TestOf(t *testing.T) {
	var to20 []float64
	for i := range 20 {
		to20 = append(to20, float64(i+1))
	}
	for _, tt := range []struct {
		values  []float64
		percent int
		want    float64
	}{
		{to20, 95, 19}, {to20[:19], 95, 19}, {to20[19:], 95, 20}, {nil, 95, 0}, {to20, 100, 20}, {to20, 0, 1},
	} {
		expect.Equal(t, quantile.Of(tt.values, tt.percent), tt.want, "%d %% of %v", tt.percent, tt.values)
	}
}
