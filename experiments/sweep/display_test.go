package sweep

import (
	"math"
	"testing"
)

func TestDisplay(t *testing.T) {
	for _, tt := range []struct {
		unit   string
		values []float64
		want   scale
	}{
		{"s", []float64{0.002, 0.5}, scale{1 / 1e-3, "ms"}},
		{"s", []float64{7200}, scale{1, "s"}},
		{"s", []float64{-3e-6, math.NaN()}, scale{1 / 1e-6, "us"}},
		{"flop/s", []float64{1e6, 2.5e9}, scale{1 / 1e9, "Gflop/s"}},
		{"flop/s", []float64{0.5}, scale{1, "flop/s"}},
		{"B", []float64{1500}, scale{1 / 1e3, "kB"}},
		{"", []float64{1e6}, scale{1, ""}},
		{"EUR", []float64{1e6}, scale{1, "EUR"}},
		{"s", nil, scale{1, "s"}},
	} {
		if got := display(tt.unit, tt.values...); got != tt.want {
			t.Errorf("display(%q, %v) = %v, want %v", tt.unit, tt.values, got, tt.want)
		}
	}
}
