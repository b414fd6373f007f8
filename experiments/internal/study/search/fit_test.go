package search

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// A function of one of two coordinates: the other gets the longest scale, and other
// points are predicted within a per cent of the range.
func TestFindsWhatCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var x [][]float64
	var y []float64
	f := func(a float64) float64 { return math.Sin(5 * a) }
	for range 25 {
		a, b := r.Float64(), r.Float64()
		x, y = append(x, []float64{a, b}), append(y, f(a))
	}
	p := expect.Value(Fit(x, y, Options{}))(t)
	k := p.Kernel.Lengths
	expect.That(t, k[1] == halfPower(longest) && k[0] <= 2, "length scales %v; expected the longest for the second", k)
	for range 100 {
		a := 0.1 + 0.8*r.Float64()
		expect.Near(t, p.Predict([]float64{a, r.Float64()}).Mean, f(a), 0.02, "prediction")
	}
}

// The likelihood found is that of New, and no neighbour on the grid is better.
func TestIsALocalMaximum(t *testing.T) {
	x, y := draw(rand.New(rand.NewPCG(11, 12)), 20)
	p := expect.Value(Fit(x, y, Options{}))(t)
	for k := range p.Kernel.Lengths {
		for l := shortest; l <= longest; l++ {
			other := Kernel{Lengths: append([]float64(nil), p.Kernel.Lengths...)}
			other.Lengths[k] = halfPower(l)
			if q, err := New(x, y, other); err == nil {
				expect.That(t, q.LogLikelihood <= p.LogLikelihood+resolution,
					"length scale %d at %g has likelihood %g; found %g", k, other.Lengths[k], q.LogLikelihood, p.LogLikelihood)
			}
		}
	}
}

// A line with noise of a tenth of its height: the noise is found to within a factor of 2, and the prediction is the
// line, not the results.
func TestFindsNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	var x [][]float64
	var y []float64
	for i := range 60 {
		a := float64(i) / 59
		x, y = append(x, []float64{a}), append(y, a+0.1*r.NormFloat64())
	}
	p := expect.Value(Fit(x, y, Options{Noise: true}))(t)
	noise := p.StdDev * math.Sqrt(p.Kernel.Nugget)
	expect.That(t, noise >= 0.05 && noise <= 0.2, "noise %g, want 0.1", noise)
	for _, a := range []float64{0.1, 0.5, 0.9} {
		expect.Near(t, p.Predict([]float64{a}).Mean, a, 0.08, "prediction")
	}
}

func TestEqualResults(t *testing.T) {
	p := expect.Value(Fit([][]float64{{0}, {1}}, []float64{7, 7}, Options{}))(t)
	q := p.Predict([]float64{0.4})
	expect.Near(t, q.Mean, 7, 1e-12, "mean")
	expect.Near(t, q.StdErr, 0, 0, "standard error")
	// No point promises an improvement, so the farthest is taken.
	expect.List(t, p.Next([][]float64{{0.9}, {0.5}, {0.1}}, make([]bool, 3), 1, Improvement), []int{1}, "chosen")
}
