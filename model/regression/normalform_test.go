package regression

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

// The 42 pairs are 19 powers alone, 13 with a logarithm and 10 with its square,
// among them the two logarithms alone; each in lowest terms and once.
func TestTerms(t *testing.T) {
	seen := make(map[Term]bool)
	byLog := make(map[int]int)
	for _, term := range searchSpace {
		expect.That(t, !seen[term], "%v is there twice", term)
		seen[term] = true
		byLog[term.Log]++
		a, b := term.Numerator, term.Denominator
		for b != 0 {
			a, b = b, a%b
		}
		expect.That(t, a == 1, "%v is not in lowest terms", term)
		expect.That(t, term.Exponent() <= 3, "%v exceeds p^3", term)
	}
	expect.That(t, byLog[0] == 19 && byLog[1] == 13 && byLog[2] == 10,
		"terms by exponent of the logarithm: %v, want 19, 13, 10", byLog)
	for term, want := range map[Term][2]any{
		{1, 1, 0}: {"p", 8.0}, {2, 3, 0}: {"p^(2/3)", 4.0}, {0, 1, 2}: {"log2(p)^2", 9.0},
		{3, 1, 1}: {"p^3 log2(p)", 1536.0}, {}: {"1", 1.0},
	} {
		expect.That(t, term.String() == want[0] && near(term.At(8), want[1].(float64), 1e-14),
			"%s at 8 is %v, want %v", term, term.At(8), want)
	}
}

func TestNormalFormFindsEveryTerm(t *testing.T) {
	for _, by := range []selection{leaveOneOut, allPoints} {
		for _, term := range searchSpace {
			fit := expect.Value(fitNormalForm(by, sample([]float64{2, 3, 5, 9, 17, 33}, func(p float64) float64 { return 31 + 0.7*term.At(p) })))(t)
			expect.That(t, fit.Term == term && near(fit.Constant, 31, 1e-8) && near(fit.Coefficient, 0.7, 1e-8) &&
				near(fit.At(100), 31+0.7*term.At(100), 1e-8),
				"%v: found %s", term, fit.Formula)
		}
	}
}

func TestNormalFormConstant(t *testing.T) {
	p := []float64{1, 2, 4, 8, 16}
	for _, y := range [][]float64{{3, 3, 3, 3, 3}, {0, 0, 0, 0, 0}, {3, 3.001, 2.999, 3.0005, 3.0002}} {
		i := -1
		fit := expect.Value(FitNormalForm(sample(p, func(float64) float64 { i++; return y[i] })))(t)
		expect.That(t, fit.Term == (Term{}) && math.Abs(fit.Constant-y[0]) <= 0.01 && fit.Selection.AdjustedR2 == 1,
			"%v: %s", y, fit.Formula)
	}
	// Growth of 0.02 % in all stays below what a term must contribute; 2 % does not.
	for growth, want := range map[float64]bool{0.0002: false, 0.02: true} {
		fit := expect.Value(FitNormalForm(sample(p, func(p float64) float64 { return 1 + growth*p/16 })))(t)
		expect.Equal(t, fit.Term != (Term{}), want, "growth of %v: %s", growth, fit.Formula)
	}
}

// With a p below 1 there are no logarithms to choose: a power comes near enough.
func TestNormalFormBelowOne(t *testing.T) {
	law := func(p float64) float64 { return 5 + math.Log2(p+1) }
	fit, err := FitNormalForm(sample([]float64{0.5, 1, 3, 7, 15}, law))
	expect.That(t, err == nil && fit.Term.Log == 0, "%v %v", fit, err)
	fit, err = FitNormalForm(sample([]float64{0, 0.5, 1, 2, 3}, func(p float64) float64 { return 5 + 2*p*p }))
	expect.That(t, err == nil && fit.Formula == "5 + 2 p^2", "%v %v", fit, err)
	b, err := fit.Band(0, 0.9)
	expect.That(t, err == nil && !(b.Extrapolates), "%+v %v", b, err)
	_, err = FitNormalForm(sample([]float64{-1, 0.5, 1, 2, 3}, law))
	expect.That(t, err != nil, "no error for p = -1")
}

func TestNormalFormNegativeCoefficient(t *testing.T) {
	fit, err := FitNormalForm(sample(doublings, func(p float64) float64 { return 100 - 3*math.Log2(p) }))
	expect.That(t, err == nil && fit.Term == (Term{0, 1, 1}) && near(fit.Coefficient, -3, 1e-9), "%v %v", fit, err)
}

func TestSMAPE(t *testing.T) {
	for _, tt := range []struct {
		predicted, actual []float64
		want              float64
	}{
		{[]float64{4, 4}, []float64{1, 8}, 100 * (6.0/5 + 8.0/12) / 2},
		{[]float64{0, 1}, []float64{0, 1}, 0},
		{[]float64{1}, []float64{-1}, 200},
		{[]float64{0}, []float64{5}, 200},
	} {
		expect.Close(t, meanSMAPE(tt.predicted, tt.actual), tt.want, 1e-15, "SMAPE")
	}
}

// Repetitions of one p are one point: the mean. Order does not matter.
func TestRepetitionsAndOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var single, repeated []Sample
		for i, p := range []float64{1, 2, 4, 8, 16, 32, 64, 128, 256} {
			y := 10 + math.Sqrt(p) + rapid.Float64Range(0, 0.5).Draw(t, "noise")
			d := rapid.Float64Range(0, 1).Draw(t, "spread")
			if i%2 == 0 { // unequal numbers of repetitions
				repeated = append(repeated, Sample{p, y})
			}
			single = append(single, Sample{p, y})
			repeated = append(repeated, Sample{p, y - d}, Sample{p, y + d})
		}
		repeated = rapid.Permutation(repeated).Draw(t, "order")
		a := expect.Value(Compare(Time, single))(t)
		b := expect.Value(Compare(Time, repeated))(t)
		c := expect.Value(Compare(Time, rapid.Permutation(repeated).Draw(t, "another order")))(t)
		expect.Need(t, b.NormalForm.Term == a.NormalForm.Term &&
			near(b.NormalForm.Constant, a.NormalForm.Constant, 1e-9),
			"%s, with repetitions %s", a.NormalForm.Formula, b.NormalForm.Formula)
		for i := range b.Fits {
			expect.Need(t, b.Fits[i].Model == c.Fits[i].Model &&
				slices.Equal(b.Fits[i].coefficients, c.Fits[i].coefficients) && b.Fits[i].Quality == c.Fits[i].Quality,
				"another order gives %v instead of %v", c.Fits[i], b.Fits[i])
		}
	})
}

func grid2(y func(p, q float64) float64) []Sample2 {
	var samples []Sample2
	for _, p := range []float64{2, 4, 8, 16, 32} {
		for _, q := range []float64{1, 2, 3, 4, 5, 6} {
			samples = append(samples, Sample2{p, q, y(p, q)})
		}
	}
	return samples
}

func TestNormalForm2(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		y          func(p, q float64) float64
	}{
		{"product", "10 + 2 p^2 q", func(p, q float64) float64 { return 10 + 2*p*p*q }},
		{"sum", "10 + 2 p^2 + 5 q", func(p, q float64) float64 { return 10 + 2*p*p + 5*q }},
		{"product and first", "10 + 3 p^2 + 0.5 p^2 q", func(p, q float64) float64 { return 10 + 3*p*p + 0.5*p*p*q }},
		{"product and second", "10 + 3 q + 0.5 p^2 q", func(p, q float64) float64 { return 10 + 3*q + 0.5*p*p*q }},
		{"first alone", "10 + 4 p log2(p)", func(p, _ float64) float64 { return 10 + 4*p*math.Log2(p) }},
		{"second alone", "10 + 4 q^3", func(_, q float64) float64 { return 10 + 4*q*q*q }},
		{"neither", "7", func(_, _ float64) float64 { return 7 }},
	} {
		samples := grid2(tt.y)
		fit := expect.Value(FitNormalForm2(samples))(t)
		expect.That(t, fit.Formula == tt.want && near(fit.At(64, 10), tt.y(64, 10), 1e-9) &&
			fit.Selection.SMAPE <= 1e-9,
			"%s: %s, SMAPE %v, want %s", tt.name, fit.Formula, fit.Selection.SMAPE, tt.want)
		expect.That(t, !fit.Extrapolates(2, 6) && fit.Extrapolates(2, 6.5) && fit.Extrapolates(1, 3),
			"%s: wrong range", tt.name)
		rng := rand.New(rand.NewPCG(3, 4))
		rng.Shuffle(len(samples), func(i, j int) { samples[i], samples[j] = samples[j], samples[i] })
		again, err := FitNormalForm2(samples)
		expect.That(t, err == nil && again.Formula == fit.Formula && again.Selection == fit.Selection,
			"%s in another order: %v %v", tt.name, again, err)
	}
}

// Two lines that cross, and other points, which must not be part of the lines.
func TestNormalForm2OfLines(t *testing.T) {
	y := func(p, q float64) float64 { return 5 + 2*p + 3*q*q }
	var samples []Sample2
	for _, v := range []float64{1, 2, 4, 8, 16} {
		samples = append(samples, Sample2{v, 2, y(v, 2)}, Sample2{4, v, y(4, v)})
	}
	samples = append(samples, Sample2{16, 16, y(16, 16)}, Sample2{8, 8, y(8, 8)})
	fit, err := FitNormalForm2(samples)
	expect.That(t, err == nil && fit.Formula == "5 + 2 p + 3 q^2", "%v %v", fit, err)
	_, err = FitNormalForm2(samples[:6])
	expect.Failure(t, err, "at least 5")
	_, err = FitNormalForm2([]Sample2{{1, -1, 3}})
	expect.That(t, err != nil, "no error for q = -1")
}

func TestSegmented(t *testing.T) {
	upTo := func(n int) (p []float64) {
		for i := 1; i <= n; i++ {
			p = append(p, float64(i))
		}
		return p
	}
	// p^3 until 7, then a slow line from there.
	broken := func(p float64) float64 {
		if p <= 7 {
			return p * p * p
		}
		return 343 + 2*(p-7)
	}
	s := expect.Value(fitSegmented(sample(upTo(12), broken)))(t)
	expect.Need(t, s.Detected && len(s.Parts) == 2 && s.Parts[0].Low == 1 && s.Parts[0].High == 7 &&
		s.Parts[1].Low == 7 && s.Parts[1].High == 12,
		"%+v", s)
	expect.That(t, s.Parts[0].Term == (Term{3, 1, 0}) && s.Parts[1].Formula == "329 + 2 p",
		"%s and %s", s.Parts[0].Formula, s.Parts[1].Formula)
	c, err := Compare(Throughput, sample(upTo(12), broken))
	expect.That(t, err == nil && len(c.Warnings) == 1 &&
		strings.Contains(c.Warnings[0], "two models predict these points better than one") &&
		strings.Contains(c.Warnings[0], "329 + 2 p"),
		"warnings %q %v", c.Warnings, err)
	// A jump between two points that belong to either side.
	jump := func(p float64) float64 {
		if p <= 6 {
			return 10
		}
		return 1000
	}
	if s, err = fitSegmented(sample(upTo(12), jump)); err != nil {
		t.Fatal(err)
	}
	expect.That(t, s.Detected && s.Parts[0].High == 6 && s.Parts[1].Low == 7 && s.Parts[0].Formula == "10" &&
		s.Parts[1].Formula == "1000",
		"%+v", s)
	for name, y := range map[string]func(float64) float64{
		"one law":    func(p float64) float64 { return 20 + 3*p*p },
		"constant":   func(float64) float64 { return 5 },
		"soft decay": func(p float64) float64 { return 50 + 100/p },
	} {
		s, err := fitSegmented(sample(upTo(12), y))
		expect.That(t, err == nil && !s.Detected, "%s: %+v %v", name, s, err)
	}
}

// Times that obey Amdahl's law or the Universal Scalability Law do not change their behaviour, though no normal form
// falls as they do. Knees are told where the parts meet, also those of times that fall.
func TestOneLawHasNoSegments(t *testing.T) {
	var p []float64
	for i := range 12 {
		p = append(p, float64(int(1)<<i))
	}
	for name, x := range map[string]struct {
		y    func(p float64) float64
		want string
	}{
		"Amdahl":  {func(p float64) float64 { return 2 + 98/p }, ""},
		"USL":     {func(p float64) float64 { return (1 + 0.1*(p-1) + 0.001*p*(p-1)) / p }, ""},
		"1/p":     {func(p float64) float64 { return 100 / p }, ""},
		"plateau": {func(p float64) float64 { return max(5, 5*p/64) }, "y = 5 for p = 1 to 64, and y = 0.078125 p for p = 64 to 2048"},
		"enough":  {func(p float64) float64 { return 960 / min(p, 32) }, ": p y = 960 for p = 1 to 32, and p y = 30 p for p = 32 to 2048"},
		"slower":  {func(p float64) float64 { return max(1024/p, 16*math.Sqrt(64/p)) }, ": p y = 1024 for p = 1 to 64, and p y = 128 p^(1/2) for p = 64 to 2048"},
	} {
		c := expect.Value(Compare(Time, sample(p, x.y)))(t)
		expect.That(t, (len(c.Warnings) == 0) == (x.want == "") &&
			strings.HasSuffix(strings.Join(c.Warnings, ""), x.want),
			"%s: %q, best %s", name, c.Warnings, c.Fits[0].Formula)
	}
}

// With noise of 3 % a knee is told in at most 5 % of the series of times without one, and in at least half of those with
// one.
func TestKneesAmongNoise(t *testing.T) {
	const series = 300
	told := func(y func(p float64) float64) (n int) {
		rng := rand.New(rand.NewPCG(3, 4))
		for i := range series {
			var p []float64
			for k := range 9 + i%5 {
				p = append(p, float64(int(1)<<k))
			}
			c := expect.Value(Compare(Time, sample(p, func(p float64) float64 { return y(p) * math.Exp(0.03*rng.NormFloat64()) })))(t)
			if strings.Contains(strings.Join(c.Warnings, ""), "models") {
				n++
			}
		}
		return n
	}
	for name, y := range map[string]func(p float64) float64{
		"Amdahl":      func(p float64) float64 { return 2 + 98/p },
		"USL":         func(p float64) float64 { return (1 + 0.01*(p-1) + 1e-5*p*(p-1)) / p },
		"power":       func(p float64) float64 { return 100 / math.Pow(p, 0.8) },
		"logarithmic": func(p float64) float64 { return 100/p + 0.5*math.Log2(p) },
	} {
		n := told(y)
		expect.That(t, n <= series/20, "%s: %d of %d have a knee", name, n, series)
	}
	n := told(func(p float64) float64 { return 960 / min(p, 16) })
	expect.That(t, n >= series/2, "%d of %d knees are told", n, series)
}

// Exact data have residuals of rounding, which must not be taken for a change.
func TestNoSegmentsInOneTerm(t *testing.T) {
	var p []float64
	for i := range 15 {
		p = append(p, float64(i+1))
	}
	for _, term := range searchSpace {
		s, err := fitSegmented(sample(p, func(p float64) float64 { return 20 + 3*term.At(p) }))
		expect.That(t, err == nil && !s.Detected, "%v: %+v %v", term, s, err)
	}
}

func TestCompareFindsTheLaw(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	p := []float64{1, 2, 4, 8, 16, 32, 64}
	for _, noise := range []float64{0, 0.002} {
		for want, y := range map[string]func(float64) float64{
			"Amdahl":      func(p float64) float64 { return 100 * (0.05 + 0.95/p) },
			"USL":         func(p float64) float64 { return (1 + 0.05*(p-1) + 0.005*p*(p-1)) / p },
			"normal form": func(p float64) float64 { return 3 + 0.5*math.Sqrt(p)*math.Log2(p) },
		} {
			c := expect.Value(Compare(Time, sample(p, func(p float64) float64 { return y(p) * (1 + noise*rng.NormFloat64()) })))(t)
			expect.That(t, c.Fits[0].Model == want, "noise %v: %s describes %s best", noise, c.Fits[0].Model, want)
		}
	}
}

// A constant over five points, by hand: the residuals from the mean 3 are -1, 1, 0, -2
// and 2, and its standard error is s/sqrt(n).
func TestConstantByHand(t *testing.T) {
	d := points{{P: 1, Y: 2}, {P: 2, Y: 4}, {P: 3, Y: 3}, {P: 4, Y: 1}, {P: 5, Y: 5}}
	form := normalForm(nil)
	fit := expect.Value(newFit(form, expect.Value(form.solve(d))(t), d))(t)
	expect.Close(t, fit.Quality.Loss, 10, 1e-14, "loss")
	expect.Close(t, fit.Quality.RMSE, math.Sqrt(2), 1e-14, "RMSE")
	expect.Close(t, fit.Parameters[0].StandardError, math.Sqrt(10.0/4/5), 1e-14, "standard error")
}
