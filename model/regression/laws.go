package regression

import (
	"fmt"
	"math"
)

// Kind says what the y of the samples are, and so which form of a law is fitted.
//
// Whatever they are, a law is fitted to times t: those of the samples, or one over
// their throughputs or speedups. The sum of squares that is least is that of the
// relative errors,
//
//	sum over the points of (T(p)/t - 1)^2
//
// because errors of measured times are relative: a run that takes ten times as long
// is disturbed ten times as much. If the relative errors are normal and of one
// variance, this is the maximum likelihood [Tofallis2008]; least squares in y would
// look at little else than the longest times or the largest speedups. Since only
// ratios of times count, the times of some runs, their throughputs and their
// speedups give one and the same law.
type Kind int

const (
	// Time is the time of the same work on p processors, > 0.
	Time Kind = iota
	// Throughput is work per time on p processors, > 0.
	Throughput
	// Speedup is Throughput over that measured on one processor, > 0.
	Speedup
)

// times returns the points as times.
func (k Kind) times(d points) points {
	if k == Time {
		return d
	}
	t := points{d.p, make([]float64, d.len())}
	for i, y := range d.y {
		t.y[i] = 1 / y
	}
	return t
}

// ofTime returns the y of a time.
func (k Kind) ofTime(t float64) float64 {
	if k == Time {
		return t
	}
	return 1 / t
}

// miss returns the relative error of the time where a law has value for y, and its
// derivative by value.
func (k Kind) miss(value, y float64) (miss, slope float64) {
	if k == Time {
		return value/y - 1, 1 / y
	}
	return y/value - 1, -y / (value * value)
}

// exactSingle takes a fitted speedup of one processor for 1 if the rest is rounding.
func (k Kind) exactSingle(single *float64) {
	if k == Speedup && math.Abs(*single-1) <= rounding {
		*single = 1
	}
}

// factor writes the y of one processor before a p; nothing for a speedup of 1.
func (k Kind) factor(single float64) string {
	if k == Speedup && single == 1 {
		return ""
	}
	return fmt.Sprintf("%.6g ", single)
}

// Amdahl is Amdahl's law fitted to points.
type Amdahl struct {
	*Fit
	// Single is the fitted y at p = 1: T1, the time on one processor, X1, its
	// throughput, or S1, its speedup, which is near 1.
	Single float64
	// Serial is s, the fraction of the time on one processor that is not divided
	// among processors. It is reported as found: outside [0, 1] the law does not
	// hold, a warning says so, and the fit is not Sound.
	Serial float64
}

// FitAmdahl fits Amdahl's law,
//
//	T(p) = T1 ((1 - s)/p + s)      of times
//	X(p) = X1/((1 - s)/p + s)      of throughputs
//	S(p) = S1/((1 - s)/p + s)      of speedups
//
//	p   number of equal processors, >= 1
//	T1  time on one processor, in the unit of y
//	X1  throughput of one processor, in the unit of y
//	S1  factor of all speedups; what it differs from 1 is the error of the one
//	    time that all of them are relative to
//	s   serial fraction, reported as found
//
// by least squares of the relative errors of the times, see [Kind]: times, and the
// throughputs and speedups of the same runs, give one s. It needs points of 3
// different p, one more than parameters.
//
// Source: [Amdahl1967]. Deviations: s may come out below 0 (faster than p times)
// or above 1 (slower than on one processor).
func FitAmdahl(kind Kind, samples []Sample) (*Amdahl, error) {
	f, err := newAmdahlForm(kind)
	if err != nil {
		return nil, err
	}
	d, err := average("FitAmdahl", "Amdahl's law", samples, len(f.parameters())+1, laws)
	if err != nil {
		return nil, err
	}
	fit, err := newFit(f, d)
	if err != nil {
		return nil, err
	}
	a := &Amdahl{Fit: fit, Single: fit.theta[0], Serial: fit.theta[1]}
	switch {
	case a.Single <= 0:
		fit.fail("the fitted y = %.3g at p = 1 is not positive: Amdahl's law does not describe these points", a.Single)
	case a.Serial < 0:
		fit.fail("the serial fraction s = %.3g is less than 0: p processors are more than p times as fast, which Amdahl's law excludes", a.Serial)
	case a.Serial > 1:
		fit.fail("the serial fraction s = %.3g is more than 1: more processors are slower, which Amdahl's law excludes", a.Serial)
	}
	return a, nil
}

// Limit returns the largest speedup over one processor, 1/s; ok is false if s is
// not more than 0, when there is no limit.
func (a *Amdahl) Limit() (speedup float64, ok bool) {
	if a.Serial <= 0 {
		return 0, false
	}
	return 1 / a.Serial, true
}

// amdahlForm has the parameters T1, X1 or S1, and s.
type amdahlForm struct{ kind Kind }

func newAmdahlForm(kind Kind) (amdahlForm, error) {
	if kind < Time || kind > Speedup {
		return amdahlForm{}, &DomainError{"FitAmdahl", "kind", float64(kind), "Time, Throughput or Speedup"}
	}
	return amdahlForm{kind}, nil
}

func (f amdahlForm) name() string { return "Amdahl" }

func (f amdahlForm) parameters() []string {
	return map[Kind][]string{Time: {"T1", "s"}, Throughput: {"X1", "s"}, Speedup: {"S1", "s"}}[f.kind]
}

func (f amdahlForm) value(theta []float64, p float64) float64 {
	single, s := theta[0], theta[1]
	share := (1-s)/p + s
	if f.kind == Time {
		return single * share
	}
	return single / share
}

func (f amdahlForm) gradient(into, theta []float64, p float64) {
	single, s := theta[0], theta[1]
	share, slope := (1-s)/p+s, 1-1/p
	if f.kind == Time {
		into[0], into[1] = share, single*slope
	} else {
		into[0], into[1] = 1/share, -single*slope/(share*share)
	}
}

func (f amdahlForm) miss(value, y float64) (miss, slope float64) { return f.kind.miss(value, y) }

func (f amdahlForm) solve(d points) ([]float64, error) {
	c, err := leastRelative(f.kind.times(d), 2, func(into []float64, p float64) { into[0], into[1] = 1/p, 1 })
	if err != nil {
		return nil, err
	}
	t1 := c[0] + c[1]
	return []float64{f.kind.ofTime(t1), c[1] / t1}, nil
}

// exact takes a serial fraction for 0 or 1 if the rest of the law is rounding, and a
// speedup of one processor for 1.
func (f amdahlForm) exact(theta []float64, d points) {
	f.kind.exactSingle(&theta[0])
	exactSerial(&theta[1], d, func(p float64) float64 { return 1 / p })
}

// exactSerial takes a serial fraction s for 0 or 1 if the rest of s + (1 - s) g(p) is
// rounding.
func exactSerial(s *float64, d points, g func(p float64) float64) {
	parallel := func(p float64) float64 { return float64((1 - *s) * g(p)) }
	law := func(p float64) float64 { return *s + parallel(p) }
	switch {
	case d.noise(law, func(float64) float64 { return *s }):
		*s = 0
	case d.noise(law, parallel):
		*s = 1
	}
}

func (f amdahlForm) formula(theta []float64) string {
	single, s := theta[0], theta[1]
	switch {
	case s == 0 && f.kind == Time:
		return fmt.Sprintf("%.6g/p", single)
	case s == 0:
		return f.kind.factor(single) + "p"
	case s == 1:
		return fmt.Sprintf("%.6g", single)
	}
	share := fmt.Sprintf("(%.6g/p %s)", 1-s, signed(s))
	if f.kind == Time {
		return fmt.Sprintf("%.6g %s", single, share)
	}
	return fmt.Sprintf("%.6g/%s", single, share)
}

// Gustafson is Gustafson's law fitted to points.
type Gustafson struct {
	*Fit
	// Single is the fitted throughput of one processor, near 1 for scaled speedups.
	Single float64
	// Serial is f, the fraction of the time of a parallel run that is not divided
	// among processors. It is reported as found: outside [0, 1] the law does not
	// hold, a warning says so, and the fit is not Sound.
	Serial float64
}

// FitGustafson fits Gustafson's law to throughputs, or scaled speedups, of work that
// grows as the number of processors does,
//
//	X(p) = X1 (f + (1 - f) p)
//
//	p   number of equal processors, >= 1
//	X1  throughput of one processor, in the unit of y
//	f   serial fraction of the parallel time, reported as found
//
// by least squares of the relative errors of the throughputs, which is a linear
// problem; to first order they are the relative errors of the times. It needs points
// of 2 different p, through which it passes: then Quality and standard errors say
// nothing.
//
// Source: [Gustafson1988]. Deviations: f may come out below 0 or above 1.
func FitGustafson(samples []Sample) (*Gustafson, error) {
	f := gustafsonForm{}
	d, err := average("FitGustafson", "Gustafson's law", samples, len(f.parameters()), laws)
	if err != nil {
		return nil, err
	}
	fit, err := newFit(f, d)
	if err != nil {
		return nil, err
	}
	g := &Gustafson{Fit: fit, Single: fit.theta[0], Serial: fit.theta[1]}
	switch {
	case g.Single <= 0:
		fit.fail("the fitted y = %.3g at p = 1 is not positive: Gustafson's law does not describe these points", g.Single)
	case g.Serial < 0:
		fit.fail("the serial fraction f = %.3g is less than 0: p processors do more than p times as much, which Gustafson's law excludes", g.Serial)
	case g.Serial > 1:
		fit.fail("the serial fraction f = %.3g is more than 1: more processors do less, which Gustafson's law excludes", g.Serial)
	}
	return g, nil
}

// gustafsonForm has the parameters X1 and f.
type gustafsonForm struct{}

func (gustafsonForm) name() string { return "Gustafson" }

func (gustafsonForm) parameters() []string { return []string{"X1", "f"} }

func (gustafsonForm) value(theta []float64, p float64) float64 {
	return theta[0] * (theta[1] + float64((1-theta[1])*p))
}

func (gustafsonForm) gradient(into, theta []float64, p float64) {
	into[0], into[1] = theta[1]+float64((1-theta[1])*p), theta[0]*(1-p)
}

func (gustafsonForm) miss(value, y float64) (miss, slope float64) { return value/y - 1, 1 / y }

func (gustafsonForm) solve(d points) ([]float64, error) {
	c, err := leastRelative(d, 2, func(into []float64, p float64) { into[0], into[1] = 1, p })
	if err != nil {
		return nil, err
	}
	x1 := c[0] + c[1]
	return []float64{x1, c[0] / x1}, nil
}

// exact takes a serial fraction for 0 or 1 if the rest of the law is rounding.
func (f gustafsonForm) exact(theta []float64, d points) {
	exactSerial(&theta[1], d, func(p float64) float64 { return p })
}

func (gustafsonForm) formula(theta []float64) string {
	single, f := theta[0], theta[1]
	switch f {
	case 0:
		return fmt.Sprintf("%.6g p", single)
	case 1:
		return fmt.Sprintf("%.6g", single)
	}
	return fmt.Sprintf("%.6g (%.6g p %s)", single, 1-f, signed(f))
}

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
		fit.warn("the peak at p = %.4g is an extrapolation: the points are from p = %.4g to %.4g", peak,
			fit.low, fit.hi)
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
	c, err := leastRelative(f.kind.times(d), 3, func(into []float64, p float64) {
		into[0], into[1], into[2] = 1/p, (p-1)/p, p-1
	})
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
