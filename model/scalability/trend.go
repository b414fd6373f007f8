package scalability

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// A Sample is a measured speed-efficiency.
type Sample struct {
	N          float64 // problem size, e.g. the rank of a matrix, > 0
	Efficiency float64 // E_s, > 0
}

// A Trend is a polynomial trend line E_s(N) through measured samples, with which
// [Sun2005] 4.4.1 and [Chen2008] 4.4.1 find the size for a wanted speed-efficiency. It
// is immutable.
type Trend struct {
	p            polynomial // in x = (N - center)/half, so that samples lie in [-1, 1]
	center, half float64
	low, high    float64 // smallest and largest N sampled
}

// FitTrend returns the least-squares polynomial through the samples,
//
//	E_s(N) = a_0 + a_1 N + ... + a_d N^d,   minimizing sum_k (E_s(N_k) - E_k)^2
//
//	d    degree, >= 1
//	N_k  problem size of sample k, > 0; repetitions and any order are welcome
//	E_k  speed-efficiency of sample k, > 0
//
// There must be samples of more than d different sizes, else the error is a
// [*TooFewSamplesError].
//
// Source: [Sun2005] 4.4.1, [Chen2008] 4.4.1, which give neither degree nor method.
// Deviations: the fit is done in x = (N - center)/half with x in [-1, 1], by QR,
// which is the same polynomial and keeps N^d from ruining the condition.
func FitTrend(degree int, samples []Sample) (*Trend, error) {
	const fn = "FitTrend"
	if err := count(fn, "d", degree, 1); err != nil {
		return nil, err
	}
	t := Trend{low: math.Inf(1), high: math.Inf(-1)}
	sizes := make(map[float64]bool)
	for i, s := range samples {
		if err := cmp.Or(
			positive(fn, fmt.Sprintf("N[%d]", i), s.N),
			positive(fn, fmt.Sprintf("E_s[%d]", i), s.Efficiency),
		); err != nil {
			return nil, err
		}
		sizes[s.N] = true
		t.low = min(t.low, s.N)
		t.high = max(t.high, s.N)
	}
	if len(sizes) <= degree {
		return nil, &TooFewSamplesError{Degree: degree, Sizes: len(sizes)}
	}
	t.center = float64(t.low/2) + float64(t.high/2)
	t.half = float64(t.high/2) - float64(t.low/2)

	powers := mat.NewDense(len(samples), degree+1, nil)
	efficiencies := mat.NewVecDense(len(samples), nil)
	for i, s := range samples {
		x, power := t.scale(s.N), 1.0
		for j := range degree + 1 {
			powers.Set(i, j, power)
			power *= x
		}
		efficiencies.SetVec(i, s.Efficiency)
	}
	var qr mat.QR
	qr.Factorize(powers)
	var a mat.VecDense
	if err := qr.SolveVecTo(&a, false, efficiencies); err != nil {
		return nil, fmt.Errorf("scalability: FitTrend: the samples do not settle a trend line of degree %d: %w", degree, err)
	}
	for j, c := range a.RawVector().Data {
		if err := finite(fn, fmt.Sprintf("a[%d]", j), c); err != nil {
			return nil, err
		}
	}
	t.p = mat.Col(nil, 0, &a)
	return &t, nil
}

func (t *Trend) scale(n float64) float64 { return (n - t.center) / t.half }

// Eval returns the speed-efficiency of the trend line at size n. Outside the
// sampled range a polynomial says little.
func (t *Trend) Eval(n float64) float64 { return t.p.eval(t.scale(n)) }

// Range returns the smallest and the largest size that was sampled.
func (t *Trend) Range() (low, high float64) { return t.low, t.high }

// A Reading is a problem size read off a trend line.
type Reading struct {
	N float64 // not rounded; lies within [Trend.Range]
	// Warning is empty unless the size is doubtful because the line falls somewhere in
	// the sampled range. Efficiency should grow with the size, so the samples are noisy
	// or the degree is too high, and there may be further sizes with the same
	// efficiency.
	Warning string
}

const notMonotone = "the trend line is not monotone: it falls somewhere in the sampled range"

// readingTolerance allows for rounding of an efficiency: a line that comes this close
// to the target at a turning point or at an end of its range has reached it.
const readingTolerance = 1e-12

// ReadOff returns the smallest size within the sampled range at which the trend line
// reaches the target speed-efficiency (> 0) from below. A line that starts at the
// target has reached it there. If the line never reaches it, the error is a
// [*NotReachedError].
//
// Source: [Sun2005] 4.4.1, [Chen2008] 4.4.1, where the line is read by eye.
// Deviations: the crossing is computed, and never outside the samples.
func (t *Trend) ReadOff(target float64) (Reading, error) {
	if err := positive("Trend.ReadOff", "E_s", target); err != nil {
		return Reading{}, err
	}
	above := append(polynomial{t.p[0] - target}, t.p[1:]...)

	// The line is monotone between its turning points.
	left, yLeft := -1.0, above.eval(-1)
	lowest, highest := yLeft, yLeft
	x, found := left, math.Abs(yLeft) <= readingTolerance
	warning := ""
	for _, right := range append(t.p.derivative().crossings(-1, 1), 1) {
		yRight := above.eval(right)
		if yRight < yLeft-readingTolerance {
			warning = notMonotone
		}
		if !found && yLeft < 0 && yRight >= -readingTolerance {
			x, found = right, true
			if yRight > 0 {
				x = above.bisect(left, right)
			}
		}
		lowest, highest = min(lowest, yRight), max(highest, yRight)
		left, yLeft = right, yRight
	}
	if !found {
		return Reading{}, &NotReachedError{
			Target: target, From: t.low, To: t.high,
			Lowest: target + lowest, Highest: target + highest,
		}
	}
	n := t.center + float64(t.half*x)
	return Reading{N: min(max(n, t.low), t.high), Warning: warning}, nil
}

// A TooFewSamplesError reports that the samples do not determine a trend line.
type TooFewSamplesError struct {
	Degree int // of the polynomial asked for
	Sizes  int // how many different sizes were sampled
}

func (e *TooFewSamplesError) Error() string {
	return fmt.Sprintf("scalability: a trend line of degree %d needs samples of at least %d different sizes, have %d",
		e.Degree, e.Degree+1, e.Sizes)
}

// A NotReachedError reports that a trend line does not rise to the target within
// the sampled range: sample larger sizes when Highest is below Target, smaller
// ones when Lowest is above it.
type NotReachedError struct {
	Target          float64 // the speed-efficiency asked for
	From, To        float64 // the sampled range of N
	Lowest, Highest float64 // the speed-efficiencies of the line in that range
}

func (e *NotReachedError) Error() string {
	return fmt.Sprintf("scalability: the trend line does not rise to E_s = %g for N from %g to %g; there E_s is from %.3g to %.3g",
		e.Target, e.From, e.To, e.Lowest, e.Highest)
}

// A polynomial holds the coefficients of x^0, x^1, ...
type polynomial []float64

func (p polynomial) eval(x float64) float64 {
	var v float64
	for i := len(p) - 1; i >= 0; i-- {
		v = float64(v*x) + p[i]
	}
	return v
}

func (p polynomial) derivative() polynomial {
	d := make(polynomial, len(p)-1)
	for i := range d {
		d[i] = float64(i+1) * p[i+1]
	}
	return d
}

// crossings returns, in increasing order, the places in [a, b] where p changes
// between negative and not negative. Between neighbouring crossings of its
// derivative p is monotone, so each such interval holds at most one.
func (p polynomial) crossings(a, b float64) []float64 {
	if len(p) < 2 {
		return nil
	}
	var at []float64
	left := a
	for _, right := range append(p.derivative().crossings(a, b), b) {
		if (p.eval(left) < 0) != (p.eval(right) < 0) {
			at = append(at, p.bisect(left, right))
		}
		left = right
	}
	return at
}

// bisect returns the place in [a, b] where p changes between negative and not
// negative, given that it does so once. The trend line works on [-1, 1]: 64
// halvings leave less than float64 resolves there.
func (p polynomial) bisect(a, b float64) float64 {
	negative := p.eval(a) < 0
	for range 64 {
		mid := a + float64((b-a)/2)
		if (p.eval(mid) < 0) == negative {
			a = mid
		} else {
			b = mid
		}
	}
	return b
}
