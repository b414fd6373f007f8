package regression

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

// Exact data of laws that are not sound: the law describes them best, and yet is listed
// after all sound ones.
func TestLawsThatCannotHoldStandLast(t *testing.T) {
	usl := func(alpha, beta float64) func(float64) float64 {
		return func(p float64) float64 { return p / (1 + alpha*(p-1) + beta*p*(p-1)) }
	}
	for _, tt := range []struct {
		name    string
		kind    Kind
		y       func(p float64) float64
		model   string
		warning string
	}{
		// Its denominator is 0 at p = 201 or so.
		{"negative coherence", Throughput, usl(0.2, -0.001), "USL", "coherence beta = -0.001"},
		{"negative coherence of speedups", Speedup, usl(0.2, -0.001), "USL", "coherence"},
		{"negative contention", Throughput, usl(-0.02, 0.01), "USL", "contention alpha = -0.02"},
		{"more than all is contention", Throughput, usl(1.2, 0.01), "USL", "contention alpha = 1.2"},
		{"serial fraction below 0", Time, func(p float64) float64 { return 7 * (1.01/p - 0.01) }, "Amdahl", "less than 0"},
		{"serial fraction above 1", Time, func(p float64) float64 { return 7 * (1.5 - 0.5/p) }, "Amdahl", "more than 1"},
	} {
		c := expect.Value(Compare(tt.kind, sample(doublings, tt.y)))(t)
		seen := false // one that is not sound
		for _, f := range c.Fits {
			expect.That(t, !f.Sound || !seen, "%s: %s is sound and stands behind one that is not", tt.name, f.Formula)
			seen = seen || !f.Sound
			if f.Model != tt.model {
				continue
			}
			expect.That(t, !f.Sound && f.Quality.CrossSMAPE <= 1e-6 && len(f.Warnings) != 0 &&
				strings.Contains(strings.Join(f.Warnings, "\n"), tt.warning),
				"%s: %s sound %v, warnings %q", tt.name, f.Formula, f.Sound, f.Warnings)
			expect.That(t, f.Holds(1) && f.Holds(32) && !f.Holds(33),
				"%s: holds at 1: %v, 32: %v, 33: %v", tt.name, f.Holds(1), f.Holds(32), f.Holds(33))
		}
		expect.That(t, seen, "%s: all laws are sound", tt.name)
		// Through faster than p times, the normal form falls below 0 too.
		expect.That(t, c.Fits[0].Sound || tt.name == "serial fraction below 0",
			"%s: %s is first", tt.name, c.Fits[0].Formula)
	}
}

// 10 - 2 log2(p) is 0 at p = 32: sound, but not to be drawn up to there. By
// hand: 100, 76, 50, 24, 0.1 over log2(p) = 0 to 4 have the mean 50.02 and the slope
// -251.8/10, so the line is at -0.34 at the last.
func TestNormalFormBelowZero(t *testing.T) {
	five := []float64{1, 2, 4, 8, 16}
	fit, err := FitNormalForm(sample(five, func(p float64) float64 { return 10 - 2*math.Log2(p) }))
	expect.That(t, err == nil && fit.Formula == "10 - 2 log2(p)" && fit.Sound && fit.Holds(31) && !fit.Holds(33),
		"%+v %v", fit, err)
	y := map[float64]float64{1: 100, 2: 76, 4: 50, 8: 24, 16: 0.1}
	fit, err = FitNormalForm(sample(five, func(p float64) float64 { return y[p] }))
	expect.That(t, err == nil && near(fit.At(16), -0.34, 1e-9) && !fit.Sound && len(fit.Warnings) == 1 &&
		strings.Contains(fit.Warnings[0], "within the data"),
		"%+v %v", fit, err)
	// Where data are below 0 a fit may be.
	fit, err = FitNormalForm(sample(five, func(p float64) float64 { return 3 - p }))
	expect.That(t, err == nil && fit.Formula == "3 - 1 p" && fit.Sound && fit.Holds(100), "%+v %v", fit, err)
}

// Times of 100/p + p/20 with errors of 3 % obey the Universal Scalability Law with a contention just above 0, where
// chance puts about half of all fits below it. Amdahl's law, which never rises, has half of the time on 128 processes.
func TestChanceRefutesNoLaw(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	below, first := 0, 0
	const samples = 50
	for range samples {
		c := expect.Value(Compare(Time, sample([]float64{1, 2, 4, 8, 16, 32, 64, 128}, func(p float64) float64 {
			return (100/p + p/20) * math.Exp(0.03*rng.NormFloat64())
		})))(t)
		if c.USL.Alpha < 0 {
			below++
		}
		if best := c.Fits[0]; best.Model == "USL" && math.Abs(best.At(128)/7.18125-1) <= 0.15 {
			first++
		}
	}
	expect.That(t, below >= samples/4 && first >= 0.9*samples, "contention below 0 in %d, the true law first in %d of %d", below, first, samples)
}

// A law that holds is sound whatever its parameters.
func TestLawsThatHoldAreSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alpha := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1e-3, 0.9), rapid.Just(1.0)).Draw(t, "alpha")
		beta := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1e-4, 0.1)).Draw(t, "beta")
		for kind, y := range kinds(func(p float64) float64 { return p / (1 + alpha*(p-1) + beta*p*(p-1)) }) {
			u := expect.Value(FitUSL(kind, sample(doublings, y)))(t)
			expect.Need(t, u.Sound && (u.Alpha == 0) == (alpha == 0) && (u.Beta == 0) == (beta == 0) &&
				(u.Alpha == 1) == (alpha == 1),
				"%v: %s %q", kind, u.Formula, u.Warnings)
			_, ok := u.Peak()
			expect.Need(t, !ok || beta != 0, "%v: %s has a peak", kind, u.Formula)
			if beta > 0 {
				continue
			}
			a := expect.Value(FitAmdahl(kind, sample(doublings, y)))(t)
			expect.Need(t, a.Sound && (a.Serial == 0) == (alpha == 0) && (a.Serial == 1) == (alpha == 1),
				"%v: %s %q", kind, a.Formula, a.Warnings)
		}
	})
}

// Rounding is no law: neither a peak nor a term of 1e-17.
func TestRoundingIsNoLaw(t *testing.T) {
	sizes := []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}
	rng := rand.New(rand.NewPCG(11, 12))
	for _, tt := range []struct {
		name string
		kind Kind
		y    func(p float64) float64
		want map[string]string // formulas by model
	}{
		{"constant time", Time, func(float64) float64 { return 83.3 }, map[string]string{"Amdahl": "83.3", "USL": "83.3", "normal form": "83.3"}},
		{"constant throughput", Throughput, func(float64) float64 { return 83.3 }, map[string]string{"Amdahl": "83.3", "USL": "83.3", "normal form": "83.3"}},
		{"constant speedup", Speedup, func(float64) float64 { return 1 }, map[string]string{"Amdahl": "1", "USL": "1", "normal form": "1"}},
		{"perfect time", Time, func(p float64) float64 { return 5 / p }, map[string]string{"Amdahl": "5/p", "USL": "5/p"}},
		{"perfect throughput", Throughput, func(p float64) float64 { return 0.3 * p }, map[string]string{"Amdahl": "0.3 p", "USL": "0.3 p", "normal form": "0.3 p"}},
		{"perfect speedup", Speedup, func(p float64) float64 { return p }, map[string]string{"Amdahl": "p", "USL": "p", "normal form": "1 p"}},
	} {
		for _, noise := range []float64{0, 1e-15, 1e-12} {
			c := expect.Value(Compare(tt.kind, sample(sizes, func(p float64) float64 { return tt.y(p) * (1 + noise*(2*rng.Float64()-1)) })))(t)
			for _, f := range c.Fits {
				want, ok := tt.want[f.Model]
				expect.That(t, !ok || f.Formula == want && f.Sound && len(f.Warnings) == 0,
					"%s, noise %v: %s is %s, want %s; warnings %q", tt.name, noise, f.Model, f.Formula, want, f.Warnings)
			}
			// Of equals the one with the fewest parameters.
			fewest := len(c.Fits[0].Parameters)
			for _, f := range c.Fits[1:] {
				expect.That(t, f.Quality.CrossSMAPE >= 1e-7 || len(f.Parameters) >= fewest,
					"%s, noise %v: %s with %d parameters is first", tt.name, noise, c.Fits[0].Model, fewest)
			}
		}
	}
	// Equal to 1e-10 is equal, to 1e-7 is not.
	for noise, want := range map[float64]bool{1e-10: true, 1e-7: false} {
		i := 0.0
		a, err := FitAmdahl(Time, sample(sizes, func(float64) float64 { i++; return 83.3 * (1 + noise*math.Mod(i, 2)) }))
		expect.That(t, err == nil && (a.Formula == "83.3" && a.Serial == 1 && a.Quality.RMSE < 1e-12) == want,
			"noise %v: %+v %v", noise, a, err)
	}
}

// Small terms that are more than rounding stay: a part of 1e-6 at the last point, a
// constant that is a thousandth of the first.
func TestSmallCoefficientsStay(t *testing.T) {
	u, err := FitUSL(Time, sample(doublings, func(p float64) float64 { return (1 + 1e-9*p*(p-1)) / p }))
	expect.That(t, err == nil && near(u.Beta, 1e-9, 1e-3) && u.Formula == "(1 + 1e-09 p (p - 1))/(1 p)",
		"%+v %v", u, err)
	n, err := FitNormalForm(sample(doublings, func(p float64) float64 { return 1e-3 + p*p*p }))
	expect.That(t, err == nil && near(n.Constant, 1e-3, 1e-6) && n.Formula == "0.001 + 1 p^3", "%+v %v", n, err)
	two, err := FitNormalForm2(grid2(func(p, q float64) float64 { return 2 * p * q }))
	expect.That(t, err == nil && two.Formula == "2 p q" && two.Constant == 0, "%+v %v", two, err)
}

func TestFormulas(t *testing.T) {
	for _, tt := range []struct {
		law        law
		parameters []float64
		want       string
	}{
		{usl(Speedup), []float64{1, 0.03, 0.001}, "p/(1 + 0.03 (p - 1) + 0.001 p (p - 1))"},
		{usl(Speedup), []float64{1, 0.03, 0}, "p/(1 + 0.03 (p - 1))"},
		{usl(Speedup), []float64{1.02, 0.03, 0}, "1.02 p/(1 + 0.03 (p - 1))"},
		{usl(Throughput), []float64{4, -0.03, -0.001}, "4 p/(1 - 0.03 (p - 1) - 0.001 p (p - 1))"},
		{usl(Throughput), []float64{4, 0, 0.001}, "4 p/(1 + 0.001 p (p - 1))"},
		{usl(Time), []float64{4, 0.03, 0.001}, "(1 + 0.03 (p - 1) + 0.001 p (p - 1))/(4 p)"},
		{usl(Time), []float64{4, 1, 0}, "0.25"},
		{usl(Time), []float64{4, 0, 0}, "0.25/p"},
		{amdahl(Time), []float64{100, 0.25}, "100 (0.75/p + 0.25)"},
		{amdahl(Speedup), []float64{1, 0.25}, "1/(0.75/p + 0.25)"},
		{amdahl(Throughput), []float64{3, 0}, "3 p"},
		{normalForm([]Product{{P: Term{1, 2, 1}}}), []float64{5, -3}, "5 - 3 p^(1/2) log2(p)"},
		{normalForm([]Product{{P: Term{1, 1, 0}}}), []float64{0, -3}, "-3 p"},
	} {
		expect.Equal(t, tt.law.formula(tt.parameters), tt.want, "formula")
	}
}

// An error says once what was expected.
func TestErrorsExpectOnce(t *testing.T) {
	good := sample(doublings, func(p float64) float64 { return 5 / p })
	for _, err := range []error{
		second(FitAmdahl(Kind(9), good)), second(FitUSL(Kind(9), good)), second(Compare(Kind(9), good)),
		second(FitAmdahl(Time, []Sample{{0.5, 1}})), second(FitUSL(Time, []Sample{{1, -1}})),
		second(FitNormalForm2([]Sample2{{1, math.NaN(), 1}})), second(Compare(Time, nil)), second(FitUSL(Time, good[:2])),
		second(FitUSL(Time, []Sample{{1, 1}, {2, 5e-324}, {3, 1e308}, {4, 1}})),
	} {
		expect.That(t, err == nil || strings.Count(err.Error(), "expected") <= 1, "%v", err)
	}
}
