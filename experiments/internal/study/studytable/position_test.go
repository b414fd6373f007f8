package studytable

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSpacing(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	stratified := func(n int, f func(u float64) float64) (x []float64) {
		for i := range n {
			x = append(x, f((float64(i)+rng.Float64())/float64(n)))
		}
		return x
	}
	for name, tt := range map[string]struct {
		values []float64
		ratio  bool
	}{
		"powers of two":           {[]float64{1, 2, 4, 8}, true},
		"powers of ten":           {[]float64{1e-6, 1e-5, 1e-4}, true},
		"three by ratio":          {[]float64{1, 2, 4}, true},
		"three by distance":       {[]float64{1, 2, 3}, false},
		"one to eight":            {[]float64{1, 2, 3, 4, 5, 6, 7, 8}, false},
		"wide by distance":        {[]float64{1, 100, 199, 298}, false},
		"two":                     {[]float64{1, 1000}, false},
		"with 0":                  {[]float64{0, 1, 2, 4, 8, 16}, false},
		"below 0":                 {[]float64{-4, -2, -1}, false},
		"huge":                    {[]float64{1e307, 1e308, 1.7e308}, false},
		"200 samples by distance": {stratified(200, func(u float64) float64 { return 0.9 * u }), false},
		"one of them near 0":      {append([]float64{1e-12}, stratified(199, func(u float64) float64 { return 0.01 + 0.9*u })...), false},
		"200 samples by ratio":    {stratified(200, func(u float64) float64 { return 1e-6 * math.Pow(1e4, u) }), true},
		"a factor of three":       {stratified(200, func(u float64) float64 { return math.Pow(3, u) }), true},
	} {
		if got := SpacedByRatio(tt.values); got != tt.ratio {
			t.Errorf("%s: %v", name, got)
		}
	}
}
