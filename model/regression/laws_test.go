package regression

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/diff/fd"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

var kindNames = [...]string{Time: "time", Throughput: "throughput", Speedup: "speedup"}

func sample(p []float64, y func(p float64) float64) []Sample {
	var samples []Sample
	for _, v := range p {
		samples = append(samples, Sample{v, y(v)})
	}
	return samples
}

var doublings = []float64{1, 2, 4, 8, 16, 32}

// kinds returns y of the kind for a speedup, for a processor of throughput 4.
func kinds(speedup func(p float64) float64) map[Kind]func(p float64) float64 {
	return map[Kind]func(p float64) float64{
		Speedup:    speedup,
		Throughput: func(p float64) float64 { return 4 * speedup(p) },
		Time:       func(p float64) float64 { return 1 / (4 * speedup(p)) },
	}
}

func TestAmdahlRecoversExactData(t *testing.T) {
	for _, s := range []float64{0, 0.05, 1} {
		for kind, y := range kinds(func(p float64) float64 { return 1 / ((1-s)/p + s) }) {
			a, err := FitAmdahl(kind, sample(doublings, y))
			expect.Need(t, err == nil, "%v: %v", kind, err)
			expect.Close(t, a.Single, y(1), 1e-9, "%s", kindNames[kind]+" y(1)")
			expect.Near(t, a.Serial, s, 1e-10, "%v: s", kind)
			limit, ok := a.Limit()
			expect.That(t, s != 0.05 || ok && near(limit, 20, 1e-9), "%v: limit %v %v, want 20", kind, limit, ok)
		}
	}
}

// Twice as fast as p times: s is below 0, and is not silently moved to 0.
func TestAmdahlReportsSerialFractionOutside(t *testing.T) {
	for _, s := range []float64{-0.01, 1.5} {
		a := expect.Value(FitAmdahl(Time, sample([]float64{1, 2, 4, 8}, func(p float64) float64 { return 7 * ((1-s)/p + s) })))(t)
		expect.Close(t, a.Serial, s, 1e-9, "s")
		expect.That(t, len(a.Warnings) == 1 && strings.Contains(a.Warnings[0], "serial fraction"),
			"s = %v: warnings %q", s, a.Warnings)
		_, ok := a.Limit()
		expect.That(t, !ok, "s = %v has a limit", s)
	}
}

// By hand: y = 10, 6, 5 at p = 1, 2, 4. With a = T1 (1 - s)/4, b = T1 s, the relative
// errors are (a X U + b U)/30 - 1 with X = 4/p = 4, 2, 1 and U = 30/y = 3, 5, 6, so the
// normal equations are
//
//	280 a + 122 b = 30 x 28
//	122 a +  70 b = 30 x 14,   determinant 4716 = 36 x 131
//
// a = 210/131, b = 420/131: T1 = 4 a + b = 1260/131 and s = b/T1 = 1/3. The law gives
// 1260, 840, 630 over 131, relative errors -5, 9, -5 over 131, so Loss = 1/131; one
// degree of freedom, t = 12.7062. In y the residuals are 50, -54, 25 over 131.
func TestAmdahlByHand(t *testing.T) {
	a := expect.Value(FitAmdahl(Time, []Sample{{4, 5}, {1, 10}, {2, 6}}))(t)
	const rel = 1e-12
	expect.Close(t, a.Single, 1260.0/131, rel, "T1")
	expect.Close(t, a.Serial, 1.0/3, rel, "s")
	expect.Close(t, a.Quality.Loss, 1.0/131, rel, "loss")
	const rss = (50*50 + 54*54 + 25*25) / (131.0 * 131)
	expect.Close(t, a.Quality.RMSE, math.Sqrt(rss/3), rel, "RMSE")
	// Lines through two of the points predict 8, 20/3 and 4 at the third.
	expect.Close(t, a.Quality.CrossSMAPE, 100.0/3*(2*2/18.0+2*(2.0/3)/(38.0/3)+2*1/9.0), rel, "cross SMAPE")

	// T1 = 4 a + b. The inverse of the normal equations is 900/4716 (70, -122; -122,
	// 280), so its variance is 1/131 x 900/4716 x (16 x 70 - 8 x 122 + 280) =
	// 1/131 x 10600/131.
	const student = 12.706204736432095
	expect.Close(t, a.Parameters[0].StandardError, math.Sqrt(10600)/131, rel, "error of T1")
	b := expect.Value(a.Band(1, 0.95))(t)
	// One more point has the variance T1^2/131 too.
	mean, one := student*math.Sqrt(10600)/131, student*math.Sqrt(10600.0/(131*131)+1260.0*1260/(131*131*131))
	expect.Close(t, b.Confidence[0], 1260.0/131-mean, 1e-9, "confidence")
	expect.Close(t, b.Confidence[1], 1260.0/131+mean, 1e-9, "confidence")
	expect.Close(t, b.Prediction[0], 1260.0/131-one, 1e-9, "prediction")
	expect.Close(t, b.Prediction[1], 1260.0/131+one, 1e-9, "prediction")
	for p, want := range map[float64]bool{1: false, 2.5: false, 4: false, 4.01: true, 8: true} {
		b, err := a.Band(p, 0.5)
		expect.That(t, err == nil && b.Extrapolates == want && a.Extrapolates(p) == want,
			"at p = %v extrapolates %v %v, want %v", p, b.Extrapolates, err, want)
	}
}

// Five times of one program on 1 to 16 processes, in any unit, as throughputs or as
// speedups over the first, have one serial fraction: that of the closed form of
// weighted least squares with the weights 1/t^2, 0.116. Least squares of the times
// themselves would give 0.121, those of T/T_1 = s + (1 - s)/p 0.123.
func TestOneSerialFraction(t *testing.T) {
	times := []Sample{{1, 100}, {2, 58}, {4, 33}, {8, 24}, {16, 17}}
	var ww, wx, wxx, wt, wxt float64 // sums of w, w x, w x^2, w t, w x t over x = 1/p
	for _, s := range times {
		x, w := 1/s.P, 1/(s.Y*s.Y)
		ww, wx, wxx, wt, wxt = ww+w, wx+w*x, wxx+w*x*x, wt+w*s.Y, wxt+w*x*s.Y
	}
	slope := (ww*wxt - wx*wt) / (ww*wxx - wx*wx)
	constant := (wt - slope*wx) / ww
	want := constant / (constant + slope)
	var errors []float64
	for kind, of := range map[Kind]func(t float64) float64{
		Time:       func(t float64) float64 { return t / 60 },
		Throughput: func(t float64) float64 { return 3e9 / t },
		Speedup:    func(t float64) float64 { return 100 / t },
	} {
		var samples []Sample
		for _, s := range times {
			samples = append(samples, Sample{s.P, of(s.Y)})
		}
		a := expect.Value(FitAmdahl(kind, samples))(t)
		expect.Close(t, a.Serial, want, 1e-12, "%s", kindNames[kind]+": s")
		expect.Close(t, a.Single, of(constant+slope), 1e-12, "%s", kindNames[kind]+": y(1)")
		errors = append(errors, a.Parameters[1].StandardError)
		u := expect.Value(FitUSL(kind, samples))(t)
		errors = append(errors, u.Alpha, u.Beta)
	}
	for i := range errors[3:] {
		expect.Close(t, errors[i+3], errors[i%3], 1e-10, "error of s, alpha or beta")
	}
}

// Exactly X1 = 4, f = 0.25, and then by hand: X = 1, 2 at p = 1, 2 and 2 at p = 4. With
// X = c + d p the relative errors are (c + d) - 1, (c + 2 d)/2 - 1, (c + 4 d)/2 - 1:
//
//	(1 + 1/4 + 1/4) c + (1 + 1/2 + 1) d = 1 + 1/2 + 1/2     3 c + 5 d = 4
//	(1 + 1/2 + 1) c + (1 + 1 + 4) d = 1 + 1 + 2             5 c + 12 d = 8
//
// c = 8/11, d = 4/11: X1 = 12/11, f = 2/3; errors 1/11, -3/11, 1/11, and Loss 1/11.
func TestGustafson(t *testing.T) {
	g := expect.Value(FitGustafson(sample(doublings, func(p float64) float64 { return 4 * (0.25 + 0.75*p) })))(t)
	expect.Close(t, g.Single, 4, 1e-12, "X1")
	expect.Close(t, g.Serial, 0.25, 1e-12, "f")
	expect.That(t, g.Formula == "4 (0.75 p + 0.25)" && g.Sound, "%s, sound %v", g.Formula, g.Sound)
	g = expect.Value(FitGustafson([]Sample{{1, 1}, {2, 2}, {4, 2}}))(t)
	expect.Close(t, g.Single, 12.0/11, 1e-12, "X1")
	expect.Close(t, g.Serial, 2.0/3, 1e-12, "f")
	expect.Close(t, g.Quality.Loss, 1.0/11, 1e-12, "loss")

	// Two points: S = f + (1 - f) p is 3 at p = 4 for f = 1/3, and nothing is left to
	// judge it by.
	g = expect.Value(FitGustafson([]Sample{{1, 1}, {4, 3}}))(t)
	expect.Close(t, g.Serial, 1.0/3, 1e-12, "f")
	_, err := g.Band(2, 0.9)
	expect.That(t, err != nil && math.IsNaN(g.Parameters[1].StandardError),
		"a band of two points: %v, %+v", err, g.Parameters)
	for f, y := range map[float64]func(p float64) float64{
		0: func(p float64) float64 { return 3 * p }, 1: func(float64) float64 { return 3 },
		-0.5: func(p float64) float64 { return 1.5*p - 0.5 }, 1.02: func(p float64) float64 { return 5.1 - 0.1*p },
	} {
		g := expect.Value(FitGustafson(sample(doublings, y)))(t)
		sound := f >= 0 && f <= 1
		expect.That(t, g.Sound == sound && (!sound || g.Serial == f) && sound != (len(g.Warnings) > 0),
			"f = %v: %s, sound %v, warnings %q", f, g.Formula, g.Sound, g.Warnings)
	}
}

func TestUSLRecoversExactData(t *testing.T) {
	for _, c := range []struct{ alpha, beta float64 }{{0.05, 0.001}, {0, 0}, {0.3, 0}, {0, 0.02}} {
		for kind, y := range kinds(func(p float64) float64 { return p / (1 + c.alpha*(p-1) + c.beta*p*(p-1)) }) {
			u, err := FitUSL(kind, sample(doublings, y))
			expect.Need(t, err == nil, "%v %v: %v", kind, c, err)
			want := (map[Kind]float64{Speedup: 1, Throughput: 4, Time: 4})[kind]
			expect.That(t, near(u.Gamma, want, 1e-9), "%v %v: gamma %v", kind, c, u.Gamma)
			expect.That(t, math.Abs(u.Alpha-c.alpha) <= 1e-9 && math.Abs(u.Beta-c.beta) <= 1e-10,
				"%v: alpha %v, beta %v, want %v", kind, u.Alpha, u.Beta, c)
			if c.beta > 0 {
				peak, ok := u.Peak()
				expect.That(t, ok && near(peak, math.Sqrt((1-c.alpha)/c.beta), 1e-7),
					"%v %v: peak %v %v", kind, c, peak, ok)
				// No neighbour is better than the peak.
				best := y(peak)
				if kind == Time {
					best = 1 / best
				}
				for _, p := range []float64{peak * 0.99, peak * 1.01} {
					v := p * 4 / (1 + c.alpha*(p-1) + c.beta*p*(p-1))
					expect.That(t, kind != Throughput || v <= best, "%v at %v beats %v at the peak", v, p, best)
				}
			}
		}
	}
}

func TestUSLWarns(t *testing.T) {
	law := func(alpha, beta float64) func(float64) float64 {
		return func(p float64) float64 { return p / (1 + alpha*(p-1) + beta*p*(p-1)) }
	}
	for _, tt := range []struct {
		name        string
		alpha, beta float64
		peak        bool
		warning     string
	}{
		{"superlinear", -0.05, 0.01, true, "contention"},
		{"no peak", 0.2, -0.001, false, "coherence"},
		{"peak beyond the data", 0.1, 1e-5, true, "extrapolation"},
		{"falls from the start", 1.2, 0.1, false, "contention"},
		{"ordinary", 0.1, 0.01, true, ""},
	} {
		u := expect.Value(FitUSL(Throughput, sample(doublings, law(tt.alpha, tt.beta))))(t)
		_, ok := u.Peak()
		expect.That(t, ok == tt.peak, "%s: peak %v", tt.name, ok)
		got := strings.Join(u.Warnings, "\n")
		expect.That(t, strings.Contains(got, tt.warning) && (tt.warning != "" || got == ""),
			"%s: warnings %q", tt.name, got)
	}
}

// A line over 1/p through times that rise with p goes below 0 at p = 1, if there is
// no point to hold it.
func TestSingleNotPositive(t *testing.T) {
	a := expect.Value(FitAmdahl(Time, []Sample{{2, 0.1}, {4, 8}, {8, 12}}))(t)
	expect.That(t, a.Single < 0 && len(a.Warnings) == 1 && strings.Contains(a.Warnings[0], "not positive"),
		"%s %q", a.Formula, a.Warnings)
	u := expect.Value(FitUSL(Time, []Sample{{2, 0.1}, {4, 8}, {8, 12}, {16, 14}}))(t)
	_, ok := u.Peak()
	expect.That(t, !ok && u.Gamma <= 0 && len(u.Warnings) == 1 && strings.Contains(u.Warnings[0], "not positive"),
		"%s %q", u.Formula, u.Warnings)
}

// The gradients of parameters by coefficients against numerical derivatives.
func TestGradients(t *testing.T) {
	checked := 0
	for _, l := range []law{
		amdahl(Time), amdahl(Throughput), amdahl(Speedup), gustafson(), usl(Time), usl(Throughput), usl(Speedup),
		normalForm([]Product{{P: Term{3, 2, 1}}}),
	} {
		c := []float64{2.5, 0.2, 0.03}[3-len(l.parameters):]
		for _, r := range l.parameters {
			want := fd.Gradient(nil, r.of, c, &fd.Settings{Formula: fd.Central})
			for i, got := range r.gradient(c) {
				checked++
				expect.Near(t, got, want[i], 1e-6*(1+math.Abs(want[i])), "%s: derivative %d of %s", l.name, i, r.name)
			}
		}
	}
	expect.That(t, checked >= 40, "only %d derivatives", checked)
}

// On noisy data, no change of a coefficient may reduce the sum of squared relative
// errors of the times.
func TestFitsAreLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alpha := rapid.Float64Range(0, 0.3).Draw(t, "alpha")
		beta := rapid.Float64Range(0, 0.01).Draw(t, "beta")
		noise := rapid.SliceOfN(rapid.Float64Range(-0.1, 0.1), len(doublings), len(doublings)).Draw(t, "noise")
		for kind, y := range kinds(func(p float64) float64 { return p / (1 + alpha*(p-1) + beta*p*(p-1)) }) {
			samples := sample(doublings, y)
			for i := range samples {
				samples[i].Y *= 1 + noise[i]
			}
			var fits []*Fit
			a := expect.Value(FitAmdahl(kind, samples))(t)
			u := expect.Value(FitUSL(kind, samples))(t)
			fits = append(fits, a.Fit, u.Fit)
			for _, f := range fits {
				for i := range f.coefficients {
					for _, factor := range []float64{1 - 1e-4, 1 + 1e-4} {
						other := slices.Clone(f.coefficients)
						other[i] *= factor
						var squares float64
						for _, s := range samples {
							ratio := f.value(other, s.P, 0) / s.Y // of times
							if kind != Time {
								ratio = 1 / ratio
							}
							squares += (ratio - 1) * (ratio - 1)
						}
						// A coefficient that is rounding, or an S1 that is 1 but for it, is made
						// exact: by that a sum changes by rounding at every point, which moves
						// the least sum of squares to second order only.
						exact := float64(len(samples)) * rounding * rounding
						expect.Need(t, squares >= f.Quality.Loss*(1-1e-9)-exact,
							"%s of %v: coefficient %d times %v lessens the sum from %v to %v", f.Model, kind, i, factor, f.Quality.Loss, squares)
					}
				}
			}
		}
	})
}

// In another unit of y, only parameters with that unit change.
func TestUnitOfY(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]float64{1e-9, 1e-3, 60, 1e6}).Draw(t, "unit")
		noise := rapid.SliceOfN(rapid.Float64Range(-0.05, 0.05), len(doublings), len(doublings)).Draw(t, "noise")
		i := -1
		samples := sample(doublings, func(p float64) float64 { i++; return (0.1 + 0.9/p) * (1 + noise[i]) })
		scaled := make([]Sample, len(samples))
		for i, s := range samples {
			scaled[i] = Sample{s.P, s.Y * unit}
		}
		for _, kind := range []Kind{Time, Throughput} {
			if kind == Throughput {
				for i := range samples {
					samples[i].Y = 1 / samples[i].Y
					scaled[i].Y = samples[i].Y * unit
				}
			}
			a := expect.Value(FitAmdahl(kind, samples))(t)
			b := expect.Value(FitAmdahl(kind, scaled))(t)
			expect.Need(t, near(b.Single, a.Single*unit, 1e-7) && math.Abs(a.Serial-b.Serial) <= 1e-7 &&
				math.Abs(b.Quality.CrossSMAPE-a.Quality.CrossSMAPE) <= 1e-5,
				"%v: %v %v, and in units of %v %v %v", kind, a.Single, a.Serial, unit, b.Single, b.Serial)
		}
	})
}

// Of bands at 90 %, nine out of ten hold the true mean, if errors are relative.
func TestBandsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const draws = 1000
	noisy := func(kind Kind, y float64) float64 {
		error := 1 + 0.02*rng.NormFloat64() // of the time
		if kind == Time {
			return y * error
		}
		return y / error
	}
	for kind, y := range kinds(func(p float64) float64 { return 1 / (0.9/p + 0.1) }) {
		in, next := 0, 0
		for range draws {
			samples := sample(doublings, func(p float64) float64 { return noisy(kind, y(p)) })
			a := expect.Value(FitAmdahl(kind, samples))(t)
			b := expect.Value(a.Band(6, 0.9))(t)
			if truth := y(6); b.Confidence[0] <= truth && truth <= b.Confidence[1] {
				in++
			}
			if one := noisy(kind, y(6)); b.Prediction[0] <= one && one <= b.Prediction[1] {
				next++
			}
		}
		// Four standard deviations of a binomial of 1000 draws at 0.9 are 38.
		for name, n := range map[string]int{"confidence": in, "prediction": next} {
			expect.That(t, math.Abs(float64(n)-0.9*draws) <= 38, "%v: %s held %d of %d", kind, name, n, draws)
		}
	}
}

func TestTooFewPoints(t *testing.T) {
	for _, tt := range []struct {
		name string
		need int
		fit  func([]Sample) error
	}{
		{"Amdahl of times", 3, func(s []Sample) error { _, err := FitAmdahl(Time, s); return err }},
		{"Amdahl of throughputs", 3, func(s []Sample) error { _, err := FitAmdahl(Throughput, s); return err }},
		{"Amdahl of speedups", 3, func(s []Sample) error { _, err := FitAmdahl(Speedup, s); return err }},
		{"USL of times", 4, func(s []Sample) error { _, err := FitUSL(Time, s); return err }},
		{"USL of speedups", 4, func(s []Sample) error { _, err := FitUSL(Speedup, s); return err }},
		{"Gustafson", 2, func(s []Sample) error { _, err := FitGustafson(s); return err }},
		{"normal form", 5, func(s []Sample) error { _, err := FitNormalForm(s); return err }},
		{"segments", 9, func(s []Sample) error { _, err := fitSegmented(s); return err }},
		{"comparison of times", 3, func(s []Sample) error { _, err := Compare(Time, s); return err }},
		{"comparison of speedups", 3, func(s []Sample) error { _, err := Compare(Speedup, s); return err }},
	} {
		var samples []Sample
		for n := range tt.need {
			samples = append(samples, Sample{float64(n + 1), 1 + float64(n)/2}, Sample{float64(n + 1), 1 + float64(n)/2})
			err := tt.fit(samples) // every p twice: repetitions do not count
			var few *TooFewPointsError
			switch {
			case n+1 < tt.need && (!errors.As(err, &few) || few.Need != tt.need || few.Have != n+1):
				t.Errorf("%s of %d points: %v", tt.name, n+1, err)
			case n+1 == tt.need && err != nil:
				t.Errorf("%s of %d points: %v", tt.name, n+1, err)
			}
		}
		err := tt.fit(nil)
		expect.That(t, err != nil, "%s of no points: no error", tt.name)
	}
}

func TestBadNumbers(t *testing.T) {
	good := []Sample{{1, 5}, {2, 4}, {3, 3}, {4, 2.5}, {5, 2}}
	for _, bad := range []Sample{
		{0.5, 1}, {math.NaN(), 1}, {math.Inf(1), 1}, {6, math.NaN()}, {6, math.Inf(-1)}, {6, 0}, {6, -1},
	} {
		samples := append([]Sample{bad}, good...)
		for _, err := range []error{
			second(FitAmdahl(Time, samples)), second(FitUSL(Time, samples)), second(Compare(Time, samples)),
		} {
			expect.Kind[*DomainError](t, err)
		}
		_, err := FitNormalForm(samples)
		wrong := math.IsNaN(bad.P) || math.IsInf(bad.P, 0) || math.IsNaN(bad.Y) || math.IsInf(bad.Y, 0)
		expect.Equal(t, err != nil, wrong, "normal form with %v refuses", bad)
	}
	for _, err := range []error{
		second(FitAmdahl(Kind(7), good)), second(Compare(Kind(7), good)), second(FitForecast(Kind(7), good)),
	} {
		expect.Failure(t, err, "kind is 7; expected Time, Throughput or Speedup")
	}
	a := expect.Value(FitAmdahl(Time, good))(t)
	for _, at := range [][2]float64{{0.5, 0.9}, {math.NaN(), 0.9}, {2, 0}, {2, 1}, {2, math.NaN()}} {
		_, err := a.Band(at[0], at[1])
		expect.That(t, err != nil, "no error for a band at %v", at)
	}
}

func second[T any](_ T, err error) error { return err }

// Whatever the numbers, a fit is an error or finite.
func TestExtremeNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.OneOf(rapid.Float64Range(1, 100), rapid.Float64Range(1, 1e300))
		y := rapid.OneOf(rapid.Float64Range(0.1, 10), rapid.Float64Range(5e-324, math.MaxFloat64))
		var samples []Sample
		for range rapid.IntRange(3, 12).Draw(t, "points") {
			samples = append(samples, Sample{p.Draw(t, "p"), y.Draw(t, "y")})
		}
		for _, kind := range []Kind{Time, Throughput, Speedup} {
			c, err := Compare(kind, samples)
			if err != nil {
				continue
			}
			for _, f := range c.Fits {
				for _, parameter := range f.Parameters {
					expect.Need(t, !math.IsNaN(parameter.Value) && !math.IsInf(parameter.Value, 0),
						"%s: %+v", f.Model, parameter)
				}
			}
		}
	})
}
