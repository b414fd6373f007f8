package search

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/isoscale/isoscale/internal/each"
)

// A Kernel says how strongly the results at two points are correlated.
type Kernel struct {
	Lengths []float64 // length scale of each dimension, above 0
	Nominal []bool    // dimensions whose values are only equal or different; nil for none
	// Nugget is the variance of a result's noise relative to that of the process; 0 for reproducible results.
	Nugget float64
}

// correlation returns the correlation of the process at two points, 1 where they are equal.
func (k *Kernel) correlation(a, b []float64) float64 {
	product, sum := 1.0, 0.0
	for i, l := range k.Lengths {
		d := math.Abs(a[i] - b[i])
		if d != 0 && k.Nominal != nil && k.Nominal[i] {
			d = 1
		}
		d *= math.Sqrt(5) / l
		product *= 1 + d + float64(d*d/3)
		sum += d
	}
	return product * math.Exp(-sum)
}

// jitter is added to the diagonal of a correlation matrix, so that rounding does not
// make it singular where points are close. A prediction at a point that has a result
// therefore differs from it by jitter R^-1 (y - mu): little, but the more the longer
// the length scales are.
const jitter = 1e-8

// A Process is a Gaussian process conditioned on results. It does not change.
type Process struct {
	Kernel Kernel
	Mean   float64 // mu
	StdDev float64 // sigma
	// LogLikelihood of the results, without terms that depend on their number alone;
	// infinite if all results are equal.
	LogLikelihood float64

	x      [][]float64
	y      []float64
	factor *mat.TriDense // L of the correlation matrix R = L L', nugget included
	ones   []float64     // L^-1 1
	rest   []float64     // L^-1 (y - mu)
	weight float64       // 1' R^-1 1
}

// Prediction is a normal distribution.
type Prediction struct{ Mean, StdErr float64 }

// ErrSingular reports points so close, for their length scales, that their results cannot be told apart.
var ErrSingular = errors.New("surrogate: the correlation matrix is singular to working precision")

// New returns the process with the kernel, given the results y at the points x. mu and sigma have the largest
// likelihood:
//
//	mu = (1' R^-1 y)/(1' R^-1 1)    sigma^2 = (y - mu)' R^-1 (y - mu)/n
func New(x [][]float64, y []float64, k Kernel) (*Process, error) {
	n := len(x)
	r := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i {
			r.SetSym(i, j, k.correlation(x[i], x[j]))
		}
		r.SetSym(i, i, 1+k.Nugget+jitter)
	}
	var c mat.Cholesky
	if !c.Factorize(r) {
		return nil, ErrSingular
	}
	p := &Process{Kernel: k, x: x, y: y, factor: mat.NewTriDense(n, mat.Lower, nil)}
	c.LTo(p.factor)
	p.ones = p.solve(slices.Repeat([]float64{1}, n))
	p.weight = dot(p.ones, p.ones)
	p.rest = p.solve(y)
	p.Mean = dot(p.ones, p.rest) / p.weight
	for i := range p.rest {
		p.rest[i] -= float64(p.Mean * p.ones[i])
	}
	p.StdDev = math.Sqrt(dot(p.rest, p.rest) / float64(n))
	if slices.Min(y) == slices.Max(y) {
		p.StdDev = 0 // but for rounding
	}
	p.LogLikelihood = -float64(n)*math.Log(p.StdDev) - float64(c.LogDet()/2)
	return p, nil
}

// solve returns L^-1 b.
func (p *Process) solve(b []float64) []float64 {
	l := p.factor.RawTriangular()
	v := make([]float64, len(b))
	for i := range v {
		row := l.Data[i*l.Stride : i*l.Stride+i+1]
		v[i] = (b[i] - dot(row[:i], v[:i])) / row[i]
	}
	return v
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
}

// Predict returns the result at a point without its noise, and the standard error of
// that prediction:
//
//	mean     = mu + r' R^-1 (y - mu)
//	StdErr^2 = sigma^2 (1 - r' R^-1 r + (1 - 1' R^-1 r)^2/(1' R^-1 1))
//
// where r are the correlations with the points that have a result.
func (p *Process) Predict(x []float64) Prediction {
	mean, share := p.predict(x)
	return Prediction{mean, p.StdDev * math.Sqrt(share)}
}

// predict returns the mean and the variance as a share of sigma^2.
func (p *Process) predict(x []float64) (mean, share float64) {
	r := make([]float64, len(p.x))
	for i := range r {
		r[i] = p.Kernel.correlation(x, p.x[i])
	}
	v := p.solve(r)
	missing := 1 - dot(v, p.ones)
	share = 1 - dot(v, v) + float64(missing*missing/p.weight)
	return p.Mean + dot(v, p.rest), max(0, share)
}

// LeaveOneOut returns for each result what the others predict, noise included, with the
// same length scales and sigma. With Q = R^-1 - R^-1 1 1' R^-1/(1' R^-1 1) the error is
// (Q y)_i/Q_ii and its variance sigma^2/Q_ii ([Dubrule1983]), so nothing is fitted again.
func (p *Process) LeaveOneOut() []Prediction {
	n := len(p.x)
	// The columns of L^-1, so that R^-1 = (L^-1)' L^-1.
	inverse := make([][]float64, n)
	for i := range inverse {
		unit := make([]float64, n)
		unit[i] = 1
		inverse[i] = p.solve(unit)
	}
	all := make([]Prediction, n)
	for i := range all {
		across := dot(inverse[i], p.ones)
		q := dot(inverse[i], inverse[i]) - float64(across*across/p.weight)
		if n == 1 || q <= 0 {
			all[i] = Prediction{math.NaN(), math.NaN()}
			continue
		}
		all[i] = Prediction{p.y[i] - dot(inverse[i], p.rest)/q, p.StdDev / math.Sqrt(q)}
	}
	return all
}

// A Criterion says which result is the most valuable.
type Criterion string

const (
	// Improvement is the expectation of how far a result is below the smallest one:
	//
	//	EI = (best - mean) Phi(u) + StdErr phi(u),  u = (best - mean)/StdErr
	Improvement Criterion = "expected_improvement"
	// Uncertainty is the standard error of the prediction.
	Uncertainty Criterion = "uncertainty"
)

// smallest returns the value over which improvements count: the smallest result or, with noise, the smallest prediction
// at a point that has a result.
func (p *Process) smallest() float64 {
	least := math.Inf(1)
	for i, x := range p.x {
		if y := p.y[i]; p.Kernel.Nugget == 0 {
			least = min(least, y)
		} else {
			least = min(least, p.Predict(x).Mean)
		}
	}
	return least
}

// improvement returns the expectation of max(0, N) for a normal N.
func improvement(mean, stdErr float64) float64 {
	if stdErr <= 0 {
		return max(0, mean)
	}
	u := mean / stdErr
	density := math.Exp(-u*u/2) / math.Sqrt(2*math.Pi)
	return max(0, float64(mean*math.Erfc(-u/math.Sqrt2)/2)+float64(stdErr*density))
}

// Next chooses up to n of the candidates that are not taken, and returns their indices in the order of choice. Criteria
// are compared in millionths of sigma: where they are equal, the larger standard error and then the lower index win.
func (p *Process) Next(candidates [][]float64, taken []bool, n int, by Criterion) []int {
	var chosen []int
	gone := append([]bool(nil), taken...)
	for len(chosen) < n {
		at := p.choose(candidates, gone, by)
		if at < 0 {
			break
		}
		chosen, gone[at] = append(chosen, at), true
		if len(chosen) < n {
			p = p.believe(candidates[at])
		}
	}
	return chosen
}

// choose returns the best candidate that is not taken; -1 if there is none.
func (p *Process) choose(candidates [][]float64, taken []bool, by Criterion) int {
	const digits = 1e6
	least := p.smallest()
	best, first, second := -1, 0.0, 0.0
	for i, x := range candidates {
		if taken[i] {
			continue
		}
		mean, share := p.predict(x)
		wide := math.Round(digits * math.Sqrt(share))
		score := wide
		if by == Improvement {
			score = 0
			if p.StdDev > 0 {
				score = math.Round(digits * improvement((least-mean)/p.StdDev, math.Sqrt(share)))
			}
		}
		if best < 0 || score > first || score == first && wide > second {
			best, first, second = i, score, wide
		}
	}
	return best
}

// believe returns the process with a further result, equal to its prediction. Length scales and sigma stay.
func (p *Process) believe(x []float64) *Process {
	q, err := New(append(p.x[:len(p.x):len(p.x)], x), append(p.y[:len(p.y):len(p.y)], p.Predict(x).Mean), p.Kernel)
	if err != nil {
		return p // to working precision, the point is one that has a result
	}
	q.StdDev = p.StdDev
	return q
}

// The grid of length scales, in half powers of two: from a sixteenth of the width of a
// dimension, at which neighbours of 16 have little in common, to 8 times its width, at
// which the results are almost a parabola along it.
const (
	shortest = -8 // 2^-4
	longest  = 6  // 2^3
)

// The grid of nuggets with noise, in powers of 4: from a thousandth of the standard
// deviation to as much noise as signal.
const (
	leastNoise = -10 // 4^-10
	mostNoise  = 0
)

// resolution is the least difference at which a log-likelihood counts as larger. It is far below the difference that
// distinguishes two models, about 2, and far above rounding.
const resolution = 1e-3

// Options say what is known before there are results.
type Options struct {
	Nominal []bool // dimensions whose values have no order; nil for none
	Noise   bool   // results are not reproducible, so that the nugget is estimated
}

// Fit returns the process whose length scales and nugget, taken from grids, have the largest likelihood. Starting from
// the best equal length scale for all dimensions, it changes one parameter at a time until none improves: a local
// maximum. Differences below a thousandth do not count; then the longer scale stays.
func Fit(x [][]float64, y []float64, o Options) (*Process, error) {
	f := &fitter{x: x, y: y, options: o, lengths: make([]int, len(x[0])), nugget: leastNoise}
	if slices.Min(y) == slices.Max(y) {
		// Nothing distinguishes length scales.
		f.level(-2)
		return f.process()
	}
	most := leastNoise
	if o.Noise {
		most = mostNoise
	}
	nugget := f.nugget
	for f.nugget = leastNoise; f.nugget <= most; f.nugget++ {
		for l := longest; l >= shortest; l-- {
			if f.level(l); f.try() {
				nugget = f.nugget
			}
		}
	}
	if f.best == nil {
		return nil, ErrSingular
	}
	f.lengths, f.nugget = slices.Clone(f.at), nugget
	for changed := true; changed; {
		changed = false
		for k := range f.lengths {
			changed = f.along(&f.lengths[k], shortest, longest) || changed
		}
		if o.Noise {
			changed = f.along(&f.nugget, leastNoise, mostNoise) || changed
		}
	}
	return f.best, nil
}

type fitter struct {
	x       [][]float64
	y       []float64
	options Options
	lengths []int // exponents
	nugget  int   // exponent

	best *Process
	at   []int // lengths of the best
}

func (f *fitter) level(l int) {
	for k := range f.lengths {
		f.lengths[k] = l
	}
}

// along tries all values of a parameter and leaves it at the best one.
func (f *fitter) along(parameter *int, from, to int) bool {
	before, best := f.best, *parameter
	for v := to; v >= from; v-- {
		if *parameter = v; f.try() {
			best = v
		}
	}
	*parameter = best
	return f.best != before
}

// try reports whether the parameters are better than all before.
func (f *fitter) try() bool {
	p, err := f.process()
	if err != nil || f.best != nil && p.LogLikelihood <= f.best.LogLikelihood+resolution {
		return false
	}
	f.best, f.at = p, slices.Clone(f.lengths)
	return true
}

func (f *fitter) process() (*Process, error) {
	k := Kernel{Nominal: f.options.Nominal, Lengths: each.Of(f.lengths, halfPower)}
	if f.options.Noise {
		k.Nugget = math.Ldexp(1, 2*f.nugget)
	}
	return New(f.x, f.y, k)
}

// halfPower is 2^(n/2), the same on all processors.
func halfPower(n int) float64 {
	v := math.Ldexp(1, n>>1)
	if n&1 != 0 {
		v *= math.Sqrt2
	}
	return v
}
