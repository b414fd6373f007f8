package laws

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/regression"
)

// points are samples of a function.
func points(at []float64, y func(p float64) float64) []regression.Sample {
	var all []regression.Sample
	for _, p := range at {
		all = append(all, regression.Sample{P: p, Y: y(p)})
	}
	return all
}

// Exact powers come back, with a logarithm or without, in any order and unit.
func TestPowersComeBack(t *testing.T) {
	for _, want := range []Power{
		{Factor: 3e6, Exponent: 1.5}, {Factor: 2, Exponent: 1, Logs: 1}, {Factor: 1e-3, Exponent: 3, Logs: 3},
		{Factor: 7, Exponent: 0}, {Factor: 7, Exponent: -0.5, Logs: 1.5},
	} {
		samples := points([]float64{64, 2, 8, 512, 100}, want.At)
		f := expect.Value(FitPower(samples, want.Logs))(t)
		expect.That(t, math.Abs(f.Factor/want.Factor-1) < 1e-9 && math.Abs(f.Exponent-want.Exponent) < 1e-9,
			"%+v, want %+v", f, want)
		expect.That(t, f.From == 2 && f.To == 512, "from %v to %v", f.From, f.To)
		for _, a := range append(f.Interval[:], f.Steps[:]...) {
			expect.That(t, math.Abs(a-want.Exponent) < 1e-9, "exponents %v and %v, want %v", f.Interval, f.Steps, want.Exponent)
		}
	}
}

// Of intervals at 95 %, 95 of 100 hold the exponent: 0.95 +- 4 standard errors of 2000 draws.
func TestIntervalOfExponent(t *testing.T) {
	rng := rand.New(rand.NewPCG(27, 11))
	const draws = 2000
	held := 0
	for range draws {
		f := expect.Value(FitPower(points([]float64{4, 8, 16, 64, 128}, func(p float64) float64 {
			return 5 * math.Pow(p, 1.5) * math.Exp(0.1*rng.NormFloat64())
		}), 0))(t)
		if f.Interval[0] <= 1.5 && 1.5 <= f.Interval[1] {
			held++
		}
	}
	share := float64(held) / draws
	expect.That(t, math.Abs(share-0.95) < 4*math.Sqrt(0.95*0.05/draws), "%v of the intervals hold", share)
}

// Where no single power describes the points, the steps say so: those of p^2 + 1000 go from
// nearly 0 to nearly 2.
func TestStepsOfExponent(t *testing.T) {
	f := expect.Value(FitPower(points([]float64{2, 4, 512, 1024}, func(p float64) float64 { return p*p + 1000 }), 0))(t)
	expect.That(t, math.Abs(f.Steps[0]-math.Log2(1016./1004)) < 1e-12, "least %v", f.Steps[0])
	expect.That(t, math.Abs(f.Steps[1]-math.Log2((1024*1024+1000.)/(512*512+1000))) < 1e-12, "largest %v", f.Steps[1])
}

func TestNoPower(t *testing.T) {
	for name, at := range map[string][]float64{
		"two points": {2, 3, 3}, "less than one": {0.5, 2, 3, 4}, "logarithm of 1": {1, 2, 4}, "nothing": {2, 5, 10},
	} {
		samples := points(at, func(p float64) float64 { return 10 - p })
		_, err := FitPower(samples, 1)
		expect.That(t, err != nil, "%s: no error", name)
	}
}

func TestFormulasOfPowers(t *testing.T) {
	for want, f := range map[string]Power{
		"3.2e+06 p^1.5 log2(p)^3": {Factor: 3.2e6, Exponent: 1.5, Logs: 3},
		"2 p log2(p)":             {Factor: 2, Exponent: 1, Logs: 1},
		"2 p^-0.33":               {Factor: 2, Exponent: -1. / 3},
	} {
		expect.Equal(t, f.Formula("p"), want, "formula")
	}
}
