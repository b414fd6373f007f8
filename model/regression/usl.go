package regression

import (
	"fmt"
	"math"
)

// USL is the Universal Scalability Law fitted to points.
type USL struct {
	*Fit
	Gamma float64 // throughput of one processor, 1/time or that of y; near 1 for speedups
	Alpha float64 // contention: the share that is serialized; the fit is not Sound outside [0, 1]
	Beta  float64 // coherence: the cost of each pair of processors; the fit is not Sound below 0
}

// FitUSL fits the Universal Scalability Law of N. J. Gunther,
//
//	X(p) = gamma p/(1 + alpha (p - 1) + beta p (p - 1))     of throughputs and speedups
//	T(p) = 1/X(p)                                           of times
//
//	p      number of equal processors, >= 1
//	gamma  throughput of one processor, in the unit of y; of times, in 1 over it;
//	       of speedups near 1, see [FitAmdahl]
//	alpha  contention, reported as found
//	beta   coherence, reported as found
//
// by least squares of the relative errors of the times, see [Kind], which is a linear
// problem in 1/gamma, alpha/gamma and beta/gamma. It needs points of 4 different p.
// With beta = 0 it is Amdahl's law with s = alpha.
//
// Source: [Gunther2007] chapter 4. Deviations: the source fits a parabola to
// p/S(p) - 1 with gamma taken from the point at p = 1; here all points count.
func FitUSL(kind Kind, samples []Sample) (*USL, error) {
	if kind < Time || kind > Speedup {
		return nil, &DomainError{"FitUSL", "kind", float64(kind), "Time, Throughput or Speedup"}
	}
	f := uslForm{kind}
	d, err := average("FitUSL", "the Universal Scalability Law", samples, len(f.parameters())+1, laws)
	if err != nil {
		return nil, err
	}
	fit, err := newFit(f, d)
	if err != nil {
		return nil, err
	}
	u := &USL{Fit: fit}
	u.Gamma, u.Alpha, u.Beta = fit.theta[0], fit.theta[1], fit.theta[2]
	if u.Gamma <= 0 {
		fit.fail("the fitted throughput gamma = %.3g of one processor is not positive: the law does not describe these points", u.Gamma)
		return u, nil
	}
	if u.Alpha < 0 || u.Alpha > 1 {
		fit.fail("the contention alpha = %.3g lies outside 0 to 1: it is no share, and the law does not describe these points", u.Alpha)
	}
	if u.Beta < 0 {
		fit.fail("the coherence beta = %.3g is less than 0: the law has no peak and says nothing of larger p", u.Beta)
	}
	if peak, ok := u.Peak(); ok && fit.Extrapolates(peak) {
		fit.warn("the peak at p = %.4g is an extrapolation: the points are from p = %.4g to %.4g", peak, fit.low, fit.hi)
	}
	return u, nil
}

// Peak returns the p of the largest throughput,
//
//	p* = sqrt((1 - alpha)/beta),
//
// not rounded. It exists, and ok is true, if gamma > 0, beta > 0 and alpha < 1. Below
// p* = 1 every further processor loses. Of a fit that is not Sound it means nothing.
//
// Source: [Gunther2007] chapter 4, where p* is rounded down.
func (u *USL) Peak() (p float64, ok bool) {
	if !(u.Gamma > 0 && u.Beta > 0 && u.Alpha < 1) {
		return 0, false
	}
	return math.Sqrt((1 - u.Alpha) / u.Beta), true
}

// uslForm has the parameters gamma, alpha and beta.
type uslForm struct{ kind Kind }

func (f uslForm) name() string { return "USL" }

func (f uslForm) parameters() []string { return []string{"gamma", "alpha", "beta"} }

func (f uslForm) value(theta []float64, p float64) float64 {
	gamma, alpha, beta := theta[0], theta[1], theta[2]
	x := gamma * p / (1 + float64(alpha*(p-1)) + float64(beta*p*(p-1)))
	if f.kind == Time {
		return 1 / x
	}
	return x
}

func (f uslForm) gradient(into, theta []float64, p float64) {
	gamma, alpha, beta := theta[0], theta[1], theta[2]
	loss := 1 + float64(alpha*(p-1)) + float64(beta*p*(p-1))
	if f.kind == Time {
		into[0], into[1], into[2] = -loss/(gamma*gamma*p), (p-1)/(gamma*p), (p-1)/gamma
		return
	}
	x := gamma * p / loss
	into[0], into[1], into[2] = p/loss, -x*(p-1)/loss, -x*p*(p-1)/loss
}

func (f uslForm) miss(value, y float64) (miss, slope float64) { return f.kind.miss(value, y) }

func (f uslForm) solve(d points) ([]float64, error) {
	c, err := leastRelative(f.kind.times(d), 3, func(into []float64, p float64) { into[0], into[1], into[2] = 1/p, (p-1)/p, p-1 })
	if err != nil {
		return nil, err
	}
	return []float64{1 / c[0], c[1] / c[0], c[2] / c[0]}, nil
}

// exact takes for 0 the coherence, the contention or what is not contention if it
// is rounding, and for 1 the speedup of one processor.
func (f uslForm) exact(theta []float64, d points) {
	f.kind.exactSingle(&theta[0])
	alpha, beta := &theta[1], &theta[2]
	loss := func(p float64) float64 { return 1 + float64(*alpha*(p-1)) + float64(*beta*p*(p-1)) }
	if d.noise(loss, func(p float64) float64 { return *beta * p * (p - 1) }) {
		*beta = 0
	}
	switch {
	case d.noise(loss, func(p float64) float64 { return *alpha * (p - 1) }):
		*alpha = 0
	case d.noise(loss, func(float64) float64 { return 1 - *alpha }):
		*alpha = 1
	}
}

func (f uslForm) formula(theta []float64) string {
	gamma, alpha, beta := theta[0], theta[1], theta[2]
	loss := "1"
	if alpha != 0 {
		loss += fmt.Sprintf(" %s (p - 1)", signed(alpha))
	}
	if beta != 0 {
		loss += fmt.Sprintf(" %s p (p - 1)", signed(beta))
	}
	switch {
	case alpha == 1 && beta == 0 && f.kind == Time: // the loss is p
		return fmt.Sprintf("%.6g", 1/gamma)
	case alpha == 1 && beta == 0:
		return fmt.Sprintf("%.6g", gamma)
	case loss == "1" && f.kind == Time:
		return fmt.Sprintf("%.6g/p", 1/gamma)
	case f.kind == Time:
		return fmt.Sprintf("(%s)/(%.6g p)", loss, gamma)
	}
	above := f.kind.factor(gamma) + "p"
	if loss == "1" {
		return above
	}
	return above + "/(" + loss + ")"
}
