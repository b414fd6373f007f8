package scalability_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
)

const notMonotone = "the trend line is not monotone: it falls somewhere in the sampled range"

// chenSamples are the printed pairs (N, E_s) of [Chen2008] Table 3, on two nodes, and
// Table 4, on four. What their trend lines read off is a test of package paper.
var chenSamples = [][]scalability.Sample{
	{{100, 0.041}, {200, 0.181}, {300, 0.313}, {400, 0.432}, {500, 0.505}},
	{{200, 0.066}, {300, 0.142}, {400, 0.267}, {500, 0.338}, {600, 0.399}, {700, 0.490}, {800, 0.541}},
}

// The line must be the one that the normal equations give in exact arithmetic,
// without any scaling of N.
func TestFitAgainstNormalEquations(t *testing.T) {
	compared := 0
	for _, samples := range chenSamples {
		for degree := 1; degree <= 4; degree++ {
			trend := fit(t, degree, samples)
			exact := rationalFit(degree, samples)
			for n := 100.0; n <= 900; n += 50 {
				expect.Near(t, trend.Eval(n), evalRational(exact, n), 1e-12, "%d samples, degree %d: E_s(%g)", len(samples), degree, n)
				compared++
			}
		}
	}
	expect.Equal(t, compared, 2*4*17, "compared values")
}

// rationalFit solves the normal equations of least squares in N itself by Gaussian
// elimination on rational numbers.
func rationalFit(degree int, samples []scalability.Sample) []*big.Rat {
	size := degree + 1
	rows := make([][]*big.Rat, size)
	for i := range rows {
		rows[i] = make([]*big.Rat, size+1)
		for j := range rows[i] {
			rows[i][j] = new(big.Rat)
		}
		for _, s := range samples {
			n, e := new(big.Rat).SetFloat64(s.N), new(big.Rat).SetFloat64(s.Efficiency)
			for j := range size {
				rows[i][j].Add(rows[i][j], power(n, i+j))
			}
			rows[i][size].Add(rows[i][size], e.Mul(e, power(n, i)))
		}
	}
	// The matrix is positive definite: no pivot is zero.
	for i := range rows {
		for k := range rows {
			if k == i {
				continue
			}
			f := new(big.Rat).Quo(rows[k][i], rows[i][i])
			for j := i; j <= size; j++ {
				rows[k][j].Sub(rows[k][j], new(big.Rat).Mul(f, rows[i][j]))
			}
		}
	}
	a := make([]*big.Rat, size)
	for i := range a {
		a[i] = new(big.Rat).Quo(rows[i][size], rows[i][i])
	}
	return a
}

func power(n *big.Rat, k int) *big.Rat {
	v := big.NewRat(1, 1)
	for range k {
		v.Mul(v, n)
	}
	return v
}

func evalRational(a []*big.Rat, at float64) float64 {
	n, sum := new(big.Rat).SetFloat64(at), new(big.Rat)
	for i, c := range a {
		sum.Add(sum, new(big.Rat).Mul(c, power(n, i)))
	}
	v, _ := sum.Float64()
	return v
}

// A polynomial sampled at more sizes than its degree is found again, also when it
// is fitted with a higher degree, and a reading lands on it.
func TestTrendRecoversPolynomial(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		exact, samples := drawPolynomial(t)
		degree := rapid.IntRange(4, 5).Draw(t, "degree of the fit")
		trend := expect.Value(scalability.FitTrend(degree, samples))(t)
		low, high := trend.Range()
		expect.Need(t, low == samples[0].N && high == samples[len(samples)-1].N, "range %g to %g", low, high)
		for i := range 50 {
			n := low + (high-low)*float64(i)/49
			expect.Close(t, trend.Eval(n), exact(n), 1e-11, "E_s")
		}
	})
}

// A reading is compared with a walk along the line in small steps: it exists if
// the walk crosses upward, lies not behind the first crossing found, and on the
// line.
func TestReadOffAgainstWalk(t *testing.T) {
	const steps = 2000
	rapid.Check(t, func(t *rapid.T) {
		exact, samples := drawPolynomial(t)
		trend := expect.Value(scalability.FitTrend(4, samples))(t)
		low, high := trend.Range()
		target := exact(rapid.Float64Range(low, high).Draw(t, "N of the target")) + rapid.SampledFrom([]float64{0, 0.3, -0.3}).Draw(t, "shift")

		const near = 1e-9 // leaves out walks that graze the target
		crossing, fell := math.Inf(1), false
		largest := math.Inf(-1)
		for i := range steps {
			a := low + (high-low)*float64(i)/steps
			b := low + (high-low)*float64(i+1)/steps
			if math.IsInf(crossing, 1) && exact(a) < target-near && exact(b) > target+near {
				crossing = b
			}
			fell = fell || exact(b) < exact(a)-near
			largest = max(largest, exact(a), exact(b))
		}

		got, err := trend.ReadOff(target)
		var not *scalability.NotReachedError
		switch {
		case errors.As(err, &not):
			expect.Need(t, math.IsInf(crossing, 1), "not reached, but the walk crosses at %g", crossing)
			expect.Need(t, not.Highest >= largest-near && not.Target == target && not.From == low && not.To == high,
				"error %+v; the walk came up to %g", *not, largest)
		case err != nil:
			t.Fatal(err)
		default:
			expect.Need(t, got.N >= low && got.N <= high && got.N <= crossing,
				"N = %g, the walk crosses at %g", got.N, crossing)
			expect.Close(t, exact(got.N), target, 1e-9, "E_s at the reading")
			expect.Need(t, !fell || got.Warning == notMonotone, "the line falls, and there is no warning")
		}
	})
}

// drawPolynomial draws a polynomial of degree up to 4 with positive values and
// samples of it at equal steps.
func drawPolynomial(t *rapid.T) (exact func(n float64) float64, samples []scalability.Sample) {
	low := float64(rapid.IntRange(1, 1000).Draw(t, "first N"))
	step := float64(rapid.IntRange(1, 1000).Draw(t, "step"))
	count := rapid.IntRange(6, 12).Draw(t, "samples")
	width := step * float64(count-1)
	a := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 5).Draw(t, "coefficients")
	exact = func(n float64) float64 {
		sum, power := 6.0, 1.0 // above the five coefficients
		for _, c := range a {
			sum += c * power
			power *= (n - low) / width
		}
		return sum
	}
	for i := range count {
		n := low + step*float64(i)
		samples = append(samples, scalability.Sample{N: n, Efficiency: exact(n)})
	}
	return exact, samples
}

// Lines with known answers, each sampled at its own degree plus one sizes, so that
// the fit passes through the samples.
func TestReadOff(t *testing.T) {
	parabola := []scalability.Sample{{1, 0.2}, {3, 0.6}, {5, 0.2}} // 0.6 - 0.1 (N-3)^2
	valley := []scalability.Sample{{1, 0.6}, {3, 0.2}, {5, 0.6}}   // 0.2 + 0.1 (N-3)^2
	falling := []scalability.Sample{{1, 0.5}, {5, 0.1}}
	level := []scalability.Sample{{1, 0.5}, {5, 0.5}}
	for _, test := range []struct {
		name    string
		samples []scalability.Sample
		target  float64
		want    float64 // 0: not reached
		warning string
	}{
		{"rising", line, 0.25, 2.5, ""},
		{"at the first sample", line, 0.1, 1, ""},
		{"at the last sample", line, 0.3, 3, ""},
		{"above all", line, 0.31, 0, ""},
		{"below all", line, 0.09, 0, ""},
		{"first of two crossings", parabola, 0.5, 2, notMonotone},
		{"summit", parabola, 0.6, 3, notMonotone},
		{"above the summit", parabola, 0.61, 0, ""},
		{"second crossing, the first is from above", valley, 0.3, 4, notMonotone},
		{"from above only", falling, 0.3, 0, ""},
		{"falling from the target", falling, 0.5, 1, notMonotone},
		{"level at the target", level, 0.5, 1, ""},
		{"level below the target", level, 0.6, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			degree := len(test.samples) - 1
			got, err := fit(t, degree, test.samples).ReadOff(test.target)
			var not *scalability.NotReachedError
			if test.want == 0 {
				expect.Need(t, errors.As(err, &not), "reading %v, error %v; want a NotReachedError", got, err)
				return
			}
			expect.Success(t, err)
			// At a summit the line is flat: an error of 1e-16 in E_s is 1e-8 in N.
			expect.That(t, math.Abs(got.N-test.want) <= 1e-6 && got.Warning == test.warning,
				"reading %.9g (%q), want %g (%q)", got.N, got.Warning, test.want, test.warning)
		})
	}
}

// Straight lines fitted with a higher degree, so that rounding bends them a little:
// the first and last sampled efficiency must still be found, at the ends of the
// range and not beyond, and nothing must be said to fall.
func TestReadOffForgivesRounding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(0.1, 1000).Draw(t, "first N")
		step := rapid.Float64Range(0.1, 1000).Draw(t, "step")
		rise := rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "rise")
		level := rapid.Float64Range(0.1, 1).Draw(t, "first E_s")
		var samples []scalability.Sample
		for i := range 6 {
			samples = append(samples, scalability.Sample{N: low + step*float64(i), Efficiency: level + rise*float64(i)})
		}
		trend := expect.Value(scalability.FitTrend(4, samples))(t)
		first, last := samples[0], samples[5]
		if rise == 0 {
			last = first // level: reached at once
		}
		for _, s := range []scalability.Sample{first, last} {
			got := expect.Value(trend.ReadOff(s.Efficiency))(t)
			expect.Close(t, got.N, s.N, 1e-9, "N")
			expect.That(t, got.N >= samples[0].N && got.N <= samples[5].N && got.Warning == "",
				"reading %v outside %g to %g or with a warning", got, samples[0].N, samples[5].N)
		}
	})
}

// Repeated sizes count once towards the degree, and the line goes through their
// mean.
func TestFitRepeatedSizes(t *testing.T) {
	samples := []scalability.Sample{{3, 0.5}, {1, 0.1}, {1, 0.3}}
	trend := fit(t, 1, samples)
	expect.Close(t, trend.Eval(1), 0.2, 1e-14, "E_s(1)")
	expect.Close(t, trend.Eval(3), 0.5, 1e-14, "E_s(3)")

	_, err := scalability.FitTrend(2, samples)
	var few *scalability.TooFewSamplesError
	expect.That(t, errors.As(err, &few) && few.Degree == 2 && few.Sizes == 2,
		"degree 2 through two sizes: error %v, want a TooFewSamplesError", err)
	_, err = scalability.FitTrend(1, nil)
	expect.That(t, errors.As(err, &few) && few.Sizes == 0, "no samples: error %v, want a TooFewSamplesError", err)
}

// Sizes that differ in the last bits only do not settle a curve.
func TestFitIllConditioned(t *testing.T) {
	a := 1.0
	b := math.Nextafter(a, 2)
	c := math.Nextafter(b, 2)
	_, err := scalability.FitTrend(3, []scalability.Sample{{a, 0.1}, {b, 0.3}, {c, 0.2}, {1000, 0.5}})
	var condition mat.Condition
	expect.That(t, errors.As(err, &condition), "error %v, want one about the condition", err)
}

// Numbers at the ends of float64 give an error or finite values, not a panic.
func TestFitExtremes(t *testing.T) {
	const smallest, largest = math.SmallestNonzeroFloat64, math.MaxFloat64
	for _, samples := range [][]scalability.Sample{
		{{smallest, 0.1}, {2 * smallest, 0.3}},
		{{smallest, 0.1}, {largest, 0.3}},
		{{1, largest}, {2, smallest}, {3, largest}},
		{{1, smallest}, {2, 2 * smallest}},
	} {
		for degree := 1; degree < len(samples); degree++ {
			trend, err := scalability.FitTrend(degree, samples)
			if err != nil {
				continue
			}
			for _, s := range samples {
				v := trend.Eval(s.N)
				expect.That(t, !math.IsNaN(v) && !math.IsInf(v, 0),
					"%v: E_s(%g) = %g without an error", samples, s.N, v)
			}
		}
	}
}

func fit(t *testing.T, degree int, samples []scalability.Sample) *scalability.Trend {
	t.Helper()
	return expect.Value(scalability.FitTrend(degree, samples))(t)
}
