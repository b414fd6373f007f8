package page

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestByRatio(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   bool
	}{
		{[]float64{1, 2, 4, 8, 16}, true},
		{[]float64{16, 1, 4, 1, 2, 8}, true}, // in any order, repeated
		{[]float64{10, 31.6, 100, 316, 1000}, true},
		{[]float64{100, 175, 250, 325, 400}, false},
		{[]float64{0.0002, 0.2, 0.4, 0.6, 0.9}, false}, // samples of a linear factor
		{[]float64{0, 10, 100}, false},
		{[]float64{5}, false},
	} {
		expect.Equal(t, ByRatio(tt.values), tt.want, "ByRatio(%v)", tt.values)
	}
}

func TestDisplay(t *testing.T) {
	nano := 1e-9
	for _, tt := range []struct {
		unit   string
		values []float64
		want   Scale
	}{
		{"s", []float64{0.002, 0.5}, Scale{1 / 1e-3, "ms"}},
		{"s", []float64{7200}, Scale{1, "s"}},
		{"s", []float64{5e-9}, Scale{1 / nano, "ns"}},
		{"s", []float64{-3e-6, math.NaN()}, Scale{1 / 1e-6, "us"}},
		{"flop/s", []float64{1e6, 2.5e9}, Scale{1 / 1e9, "Gflop/s"}},
		{"flop/s", []float64{0.5}, Scale{1, "flop/s"}},
		{"flop/s/EUR", []float64{197e3}, Scale{1 / 1e3, "kflop/s/EUR"}},
		{"EUR/s", []float64{197e3}, Scale{1, "EUR/s"}},
		{"B", []float64{1500}, Scale{1 / 1e3, "kB"}},
		{"J", []float64{1500}, Scale{1 / 1e3, "kJ"}},
		{"", []float64{1e6}, Scale{1, ""}},
		{"EUR", []float64{1e6}, Scale{1, "EUR"}},
		{"s", nil, Scale{1, "s"}},
	} {
		expect.Equal(t, Display(tt.unit, tt.values...), tt.want, "Display(%q, %v)", tt.unit, tt.values)
	}
}
