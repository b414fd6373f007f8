package search

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/isoscale/isoscale/internal/expect"
)

// Tolerances allow for the jitter, which changes results by a similar fraction.

// Two results by hand. With c the correlation of the points, a and b those of a third point with them, and h half the
// difference of the results:
//
//	R^-1 = [[1, -c], [-c, 1]]/(1 - c^2),  1' R^-1 1 = 2/(1 + c)
//	mu = (y1 + y2)/2,  sigma^2 = h^2/(1 - c)
//	mean = mu + (a - b) h/(1 - c)
//	StdErr^2 = sigma^2 (1 - (a^2 + b^2 - 2abc)/(1 - c^2) + (1 - (a + b)/(1 + c))^2 (1 + c)/2)
func TestTwoPointsByHand(t *testing.T) {
	for _, tt := range []struct{ x1, x2, y1, y2, l, at float64 }{
		{0, 1, 3, 1, 1, 0.25},
		{0, 1, 3, 1, 0.2, 0.5},
		{-1, 2, 10, 11, 2, 7},
		{0.3, 0.4, -5, 5, 0.5, 0},
	} {
		matern := func(d float64) float64 {
			s := math.Sqrt(5) * math.Abs(d) / tt.l
			return (1 + s + s*s/3) * math.Exp(-s)
		}
		c, a, b := matern(tt.x1-tt.x2), matern(tt.at-tt.x1), matern(tt.at-tt.x2)
		mu, h := (tt.y1+tt.y2)/2, (tt.y1-tt.y2)/2
		variance := h * h / (1 - c)
		p, err := New([][]float64{{tt.x1}, {tt.x2}}, []float64{tt.y1, tt.y2}, Kernel{Lengths: []float64{tt.l}})
		expect.Success(t, err)
		tolerance := 1e-5 * math.Abs(h)
		expect.Near(t, p.Mean, mu, tolerance, "mu")
		expect.Near(t, p.StdDev, math.Sqrt(variance), tolerance, "sigma")
		got := p.Predict([]float64{tt.at})
		expect.Near(t, got.Mean, mu+(a-b)*h/(1-c), tolerance, "mean")
		share := 1 - (a*a+b*b-2*a*b*c)/(1-c*c) + (1-(a+b)/(1+c))*(1-(a+b)/(1+c))*(1+c)/2
		expect.Near(t, got.StdErr, math.Sqrt(variance*share), tolerance, "standard error")
		// Of two points, each is predicted by the other: the mean is the other's result.
		expect.Near(t, p.LeaveOneOut()[0].Mean, tt.y2, tolerance, "left out")
		// -n ln sigma - ln|R|/2
		expect.Near(t, p.LogLikelihood, -math.Log(variance)-math.Log(1-c*c)/2, 1e-5, "likelihood")
	}
}

// draw returns random points in a square and a result for each.
func draw(r *rand.Rand, n int) (x [][]float64, y []float64) {
	for range n {
		a, b := r.Float64(), r.Float64()
		x, y = append(x, []float64{a, b}), append(y, math.Sin(4*a)+b*b)
	}
	return x, y
}

var smooth = Kernel{Lengths: []float64{0.5, 1}}

// Without noise the prediction at a point that has a result is that result, with certainty.
func TestInterpolates(t *testing.T) {
	x, y := draw(rand.New(rand.NewPCG(1, 2)), 20)
	p := expect.Value(New(x, y, smooth))(t)
	for i := range x {
		q := p.Predict(x[i])
		expect.Near(t, q.Mean, y[i], 1e-6, "mean")
		expect.Near(t, q.StdErr, 0, 1e-3*p.StdDev, "standard error")
	}
	far := p.Predict([]float64{1e6, 1e6})
	expect.Near(t, far.Mean, p.Mean, 1e-12, "mean far away")
	expect.That(t, far.StdErr > p.StdDev,
		"the standard error far away is %g; expected more than sigma, %g, because mu is estimated", far.StdErr, p.StdDev)
}

// Leave-one-out in closed form equals leaving out.
func TestLeaveOneOutIsLeavingOut(t *testing.T) {
	x, y := draw(rand.New(rand.NewPCG(3, 4)), 15)
	for _, nugget := range []float64{0, 0.1} {
		k := Kernel{Lengths: smooth.Lengths, Nugget: nugget}
		p := expect.Value(New(x, y, k))(t)
		for i, got := range p.LeaveOneOut() {
			without, err := New(slices.Delete(slices.Clone(x), i, i+1), slices.Delete(slices.Clone(y), i, i+1), k)
			expect.Success(t, err)
			mean, share := without.predict(x[i])
			expect.Near(t, got.Mean, mean, 1e-7, "mean")
			expect.Near(t, got.StdErr, p.StdDev*math.Sqrt(share+nugget+jitter), 1e-7, "standard error")
		}
	}
}

// Other units of the result change only the units, and the order of the points changes nothing.
func TestUnitsAndOrder(t *testing.T) {
	x, y := draw(rand.New(rand.NewPCG(5, 6)), 18)
	scaled := make([]float64, len(y))
	for i := range y {
		scaled[i] = 1000*y[i] - 7
	}
	turned := slices.Clone(x)
	slices.Reverse(turned)
	back := slices.Clone(y)
	slices.Reverse(back)
	p := expect.Value(Fit(x, y, Options{}))(t)
	q := expect.Value(Fit(x, scaled, Options{}))(t)
	r := expect.Value(Fit(turned, back, Options{}))(t)
	expect.That(t, slices.Equal(p.Kernel.Lengths, q.Kernel.Lengths) && slices.Equal(p.Kernel.Lengths, r.Kernel.Lengths),
		"length scales %v, %v, %v; expected the same", p.Kernel.Lengths, q.Kernel.Lengths, r.Kernel.Lengths)
	at := []float64{0.31, 0.77}
	expect.Near(t, (q.Predict(at).Mean+7)/1000, p.Predict(at).Mean, 1e-7, "scaled mean")
	expect.Near(t, q.Predict(at).StdErr/1000, p.Predict(at).StdErr, 1e-7, "scaled standard error")
	expect.Near(t, r.Predict(at).Mean, p.Predict(at).Mean, 1e-7, "mean of the turned")
	candidates, _ := draw(rand.New(rand.NewPCG(7, 8)), 200)
	for _, by := range []Criterion{Improvement, Uncertainty} {
		a, b := p.Next(candidates, make([]bool, 200), 5, by), q.Next(candidates, make([]bool, 200), 5, by)
		expect.That(t, slices.Equal(a, b), "chosen %v, in another unit %v", a, b)
	}
}

// For samples of the process itself the prediction errors are as stated: in standard errors their mean square is
// n/(n-3) for n results and a fitted mean and sigma, here 1.08; the mean of 600 independent squares scatters by
// sqrt(2/600) = 0.06.
func TestStandardErrorsHold(t *testing.T) {
	const n, draws = 40, 600
	r := rand.New(rand.NewPCG(9, 10))
	k := Kernel{Lengths: []float64{0.3, 0.6}}
	sum := 0.0
	for range draws {
		var x [][]float64
		for range n + 1 {
			x = append(x, []float64{r.Float64(), r.Float64()})
		}
		c := mat.NewSymDense(n+1, nil)
		for i := range x {
			for j := range i + 1 {
				c.SetSym(i, j, k.correlation(x[i], x[j]))
			}
			c.SetSym(i, i, 1+1e-10)
		}
		var factor mat.Cholesky
		expect.Need(t, factor.Factorize(c), "the correlations are not positive definite")
		normal := mat.NewVecDense(n+1, nil)
		for i := range n + 1 {
			normal.SetVec(i, r.NormFloat64())
		}
		var l mat.TriDense
		factor.LTo(&l)
		var y mat.VecDense
		y.MulVec(&l, normal)
		p := expect.Value(New(x[:n], y.RawVector().Data[:n], k))(t)
		q := p.Predict(x[n])
		z := (y.AtVec(n) - q.Mean) / q.StdErr
		sum += z * z
	}
	got := sum / draws
	expect.That(t, got >= 0.84 && got <= 1.32, "the mean square of errors is %.3f squared standard errors, want 1.08", got)
}

// A nominal dimension knows equal and different only.
func TestNominal(t *testing.T) {
	k := Kernel{Lengths: []float64{0.5}, Nominal: []bool{true}}
	expect.Near(t, k.correlation([]float64{0}, []float64{2}), k.correlation([]float64{1}, []float64{2}), 0, "correlation")
	one := Kernel{Lengths: k.Lengths}
	expect.Near(t, k.correlation([]float64{0}, []float64{7}), one.correlation([]float64{0}, []float64{1}), 0, "correlation")
}

// The expectation of max(0, N) by integration of its definition.
func TestImprovementIsAnIntegral(t *testing.T) {
	for _, tt := range []struct{ mean, stdErr float64 }{{0, 1}, {1, 1}, {-1, 1}, {-2, 0.5}, {3, 0.1}, {0.2, 4}} {
		sum, step := 0.0, 1e-4
		for z := -10.0; z < 10; z += step {
			value := max(0, tt.mean+tt.stdErr*(z+step/2))
			sum += value * math.Exp(-(z+step/2)*(z+step/2)/2) / math.Sqrt(2*math.Pi) * step
		}
		expect.Near(t, improvement(tt.mean, tt.stdErr), sum, 1e-7, "improvement")
	}
	expect.Near(t, improvement(2, 0), 2, 0, "improvement for sure")
	expect.Near(t, improvement(-2, 0), 0, 0, "no improvement for sure")
}

// Among points at equal distances the middle is the most uncertain; a batch takes the two quarters next, the lower
// number first.
func TestUncertaintyHalves(t *testing.T) {
	p := expect.Value(New([][]float64{{0}, {1}}, []float64{0, 1}, Kernel{Lengths: []float64{1}}))(t)
	var candidates [][]float64
	for i := range 9 {
		candidates = append(candidates, []float64{float64(i) / 8})
	}
	got := p.Next(candidates, make([]bool, 9), 3, Uncertainty)
	expect.That(t, slices.Equal(got, []int{4, 2, 6}), "chosen %v, want 4, 2, 6", got)
	taken := slices.Repeat([]bool{true}, 9)
	expect.List(t, p.Next(candidates, taken, 3, Uncertainty), nil, "chosen of none")
}

// A function with several minima on a grid of 900: from 12 random points and 25 choices one is found from at least nine
// tenths of the starts. As many random points find one from 4 %.
func TestFindsTheMinimum(t *testing.T) {
	// Branin's function, whose minimum is 0.397887 at three points.
	branin := func(a, b float64) float64 {
		x, y := 15*a-5, 15*b
		q := y - 5.1/(4*math.Pi*math.Pi)*x*x + 5/math.Pi*x - 6
		return q*q + 10*(1-1/(8*math.Pi))*math.Cos(x) + 10
	}
	var grid [][]float64
	least := math.Inf(1)
	for i := range 30 {
		for j := range 30 {
			a, b := float64(i)/29, float64(j)/29
			grid = append(grid, []float64{a, b})
			least = min(least, branin(a, b))
		}
	}
	found, starts := 0, expect.Often[uint64](2, 10)
	for seed := range starts {
		r := rand.New(rand.NewPCG(seed, 0))
		taken := make([]bool, len(grid))
		var x [][]float64
		var y []float64
		simulate := func(i int) {
			taken[i] = true
			x, y = append(x, grid[i]), append(y, branin(grid[i][0], grid[i][1]))
		}
		for _, i := range r.Perm(len(grid))[:12] {
			simulate(i)
		}
		for range 25 {
			p := expect.Value(Fit(x, y, Options{}))(t)
			simulate(p.Next(grid, taken, 1, Improvement)[0])
		}
		if slices.Min(y) == least {
			found++
		}
	}
	expect.That(t, 10*found >= 9*int(starts), "the minimum was found from %d of %d starts", found, starts)
}

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
