package regression

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// sampled are values at the powers of two up to a p.
func sampled(most float64, y func(p float64) float64) (all []Sample) {
	for p := 1.0; p <= most; p *= 2 {
		all = append(all, Sample{p, y(p)})
	}
	return all
}

// Forms without an error: p T has the terms 1 and p in Amdahl's law, and 1, log2(p) and p
// where a tree of messages is added; T itself has one that is not over p. What follows on
// 128 and 256 processes is by their formulas. A speedup is a time of 1/y. The unit of times
// changes nothing.
func TestForecastOfExactTimes(t *testing.T) {
	for name, of := range map[string]func(p float64) float64{
		"Amdahl":   func(p float64) float64 { return 100 * (0.1 + 0.9/p) },
		"tree":     func(p float64) float64 { return (2+3*math.Log2(p))/p + 1 },
		"constant": func(float64) float64 { return 7 },
		"growing":  func(p float64) float64 { return 5 + 0.25*p },
	} {
		f := expect.Value(FitForecast(Time, sampled(64, of)))(t)
		speed := expect.Value(FitForecast(Speedup, sampled(64, func(p float64) float64 { return 1 / of(p) })))(t)
		small := expect.Value(FitForecast(Time, sampled(64, func(p float64) float64 { return of(p) / 1024 })))(t)
		expect.Equal(t, f.Reach, 256, "%s", name)
		for _, p := range []float64{128, 256} {
			y, in, ok := f.At(p)
			expect.That(t, ok && math.Abs(y/of(p)-1) <= 1e-6 && in[0] <= 0.991*y && in[1] >= 1.009*y, "%s: %v in %v at %g", name, y, in, p)
			inverse, bounds, _ := speed.At(p)
			expect.That(t, math.Abs(inverse*y-1) <= 1e-6 && math.Abs(bounds[0]*in[1]-1) <= 1e-6, "%s: %v in %v at %g", name, inverse, bounds, p)
			scaled, _, _ := small.At(p)
			expect.That(t, math.Abs(scaled*1024/y-1) <= 1e-12, "%s: %v and %v", name, scaled, y)
		}
		for _, p := range []float64{1, 64, 257, math.NaN()} {
			_, _, ok := f.At(p)
			expect.That(t, !ok, "%s: a forecast at %g", name, p)
		}
	}
}

// Times that go up and down, and a fall to nothing that no sum of terms above 0 follows, have
// no forecast; nor has a form that changes at the last point, where a thousandfold message is
// sent. Four points are too few.
func TestForecastRefuses(t *testing.T) {
	zigzag := sampled(64, func(p float64) float64 { return 10 + 8*math.Cos(math.Pi*math.Log2(p)) })
	var falling []Sample
	for p := 1.0; p <= 6; p++ {
		falling = append(falling, Sample{p, 6.5 - p})
	}
	late := sampled(64, func(p float64) float64 { return 1/p + math.Floor(p/64) })
	for i, samples := range [][]Sample{zigzag, falling, late} {
		f := expect.Value(FitForecast(Time, samples))(t)
		_, _, ok := f.At(2 * samples[len(samples)-1].P)
		expect.That(t, !ok && f.Reach < 2*samples[len(samples)-1].P, "case %d reaches %g by %s", i, f.Reach, f.Formula)
	}
	_, err := FitForecast(Time, sampled(8, func(p float64) float64 { return 1 / p }))
	few := expect.Kind[*TooFewPointsError](t, err)
	expect.That(t, few.Have == 4 && few.Need == 5, "%v", few)
}

// Of 100 series with an error of 1.5 %, some have intervals. In 95 % of these, less two standard errors,
// the interval contains a further time; for 50 series, a standard error is sqrt(0.95 0.05/50) = 3 %.
func TestForecastIntervalsHoldNoise(t *testing.T) {
	expect.Long(t, "fits a hundred times")
	held, all := 0, 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		of := func(p float64) float64 { return (1 + 9/p + 0.1*math.Log2(p)) * math.Exp(0.015*r.NormFloat64()) }
		f := expect.Value(FitForecast(Time, sampled(64, of)))(t)
		if _, in, ok := f.At(128); ok {
			all++
			if y := of(128); in[0] <= y && y <= in[1] {
				held++
			}
		}
	}
	expect.That(t, all >= 50 && float64(held) >= 0.89*float64(all), "%d of %d intervals hold", held, all)
}

// p T = 3 q + 2 p q is a form without an error: (48 + 1024)/32 = 33.5 on 32 processes for
// q = 16. Where the largest q takes four times as long, nothing is said beyond it; nor more
// than four times as far.
func TestForecastOfTwoParameters(t *testing.T) {
	grid := func(of func(p, q float64) float64) (all []Sample2) {
		for p := 1.0; p <= 16; p *= 2 {
			for q := 1.0; q <= 16; q *= 2 {
				all = append(all, Sample2{p, q, of(p, q)})
			}
		}
		return all
	}
	exact := func(p, q float64) float64 { return 3*q/p + 2*q }
	f := expect.Value(FitForecast2(grid(exact)))(t)
	in, ok := f.Interval(32, 16)
	expect.That(t, ok && f.Process && math.Abs(f.Time(32, 16)-33.5) <= 1e-6 && in[0] < 33.5 && in[1] > 33.5 && in[1] < 34.5, "%v in %v", f.Time(32, 16), in)
	_, far := f.Interval(128, 16)
	expect.That(t, !far, "a forecast for eight times the processes")
	f = expect.Value(FitForecast2(grid(func(p, q float64) float64 {
		if q == 16 {
			return 4 * exact(p, q)
		}
		return exact(p, q)
	})))(t)
	_, ok = f.Interval(16, 32)
	expect.That(t, !ok, "a forecast by %s, which misses %g", f.Formula, f.Validation)
}
