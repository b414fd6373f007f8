package regression

import (
	"fmt"
	"math"
	"slices"
)

// Kind says what the y of the samples are, and so which form of a law is fitted.
//
// Whatever they are, a law is fitted to times t: those of the samples, or one over
// their throughputs or speedups. The fit minimizes the squares of the relative errors,
//
//	sum over the points of (T(p)/t - 1)^2
//
// because errors of measured times are relative: a run that takes ten times as long is
// disturbed ten times as much. If the relative errors are normal and of one variance,
// this is the maximum likelihood [Tofallis2008]; least squares in y would depend on
// little but the longest times or the largest speedups. Since only ratios of times
// count, times, throughputs and speedups of the same runs give the same law.
type Kind int

const (
	// Time is the time of the same work on p processors, > 0.
	Time Kind = iota
	// Throughput is work per time on p processors, > 0.
	Throughput
	// Speedup is the throughput divided by that measured on one processor, > 0.
	Speedup
)

// single reports whether a fitted speedup of one processor is 1 within rounding.
func (k Kind) single(speedup float64) bool { return k == Speedup && math.Abs(speedup-1) <= rounding }

// factor formats the y of one processor as a factor of p; it is empty for a speedup of 1.
func (k Kind) factor(single float64) string {
	if k.single(single) {
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
//	S1  factor of all speedups; its difference from 1 is the error of the one
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
	fit, err := fitLaw("FitAmdahl", "Amdahl's law", kind, samples, amdahl(kind), 3)
	if err != nil {
		return nil, err
	}
	single, serial := fit.serial("p processors are more than p times as fast", "more processors are slower")
	return &Amdahl{Fit: fit, Single: single, Serial: serial}, nil
}

// averageOf checks and averages samples of a kind, which a law or a forecast describes.
func averageOf(function, model string, kind Kind, samples []Sample, need int) (points, error) {
	if kind < Time || kind > Speedup {
		return nil, &DomainError{function, "kind", float64(kind), "Time, Throughput or Speedup"}
	}
	return average(function, model, over(samples), need, laws)
}

// fitLaw fits a law to points of at least need different p.
func fitLaw(function, name string, kind Kind, samples []Sample, l law, need int) (*Fit, error) {
	d, err := averageOf(function, name, kind, samples, need)
	if err != nil {
		return nil, err
	}
	c, err := l.solve(d)
	if err != nil {
		return nil, err
	}
	return newFit(l, c, d)
}

// serial returns the y of one processor and the serial fraction, the parameters of
// Amdahl's and Gustafson's laws. If the fraction is outside 0 to 1, the fit fails with
// the given meaning.
func (f *Fit) serial(below, above string) (single, serial float64) {
	single, serial = f.Parameters[0].Value, f.Parameters[1].Value
	is := fmt.Sprintf("the serial fraction %s = %.3g is", f.Parameters[1].Name, serial)
	switch {
	case single <= 0:
		f.fail("the fitted y = %.3g at p = 1 is not positive: %s's law does not describe these points", single, f.Model)
	case serial < 0:
		f.refute(1, is+" less than 0", fmt.Sprintf("%s, which %s's law excludes", below, f.Model))
	case serial > 1:
		f.refute(1, is+" more than 1", fmt.Sprintf("%s, which %s's law excludes", above, f.Model))
	}
	return single, serial
}

// Limit returns the largest speedup over one processor, 1/s. ok is false if s is 0 or
// less, so that there is no limit, or above 1, so that one processor is fastest.
func (a *Amdahl) Limit() (speedup float64, ok bool) {
	if a.Serial <= 0 || a.Serial > 1 {
		return 0, false
	}
	return 1 / a.Serial, true
}

// amdahl is the law with the parameters T1, X1 or S1, and s. Times are c0/p + c1.
func amdahl(kind Kind) law {
	single := ratio{name: "T1", over: ones(2)}
	if kind != Time {
		single = ratio{name: map[Kind]string{Throughput: "X1", Speedup: "S1"}[kind], under: ones(2)}
	}
	l := law{
		name: "Amdahl", parameters: []ratio{single, {"s", []float64{0, 1}, ones(2)}},
		basis:   func(into []float64, p, _ float64) { into[0], into[1] = 1/p, 1 },
		inverse: kind != Time, relative: true,
	}
	l.exact = func(c []float64, d points) {
		l.exactShare(c, d, 1)
		if kind.single(single.of(c)) {
			c[1] = l.parameters[1].of(c)
			c[0] = 1 - c[1]
		}
	}
	l.formula = func(x []float64) string {
		single, s := x[0], x[1]
		switch {
		case s == 0 && kind == Time:
			return fmt.Sprintf("%.6g/p", single)
		case s == 0:
			return kind.factor(single) + "p"
		case s == 1:
			return fmt.Sprintf("%.6g", single)
		}
		share := fmt.Sprintf("(%.6g/p %s)", 1-s, signed(s))
		if kind == Time {
			return fmt.Sprintf("%.6g %s", single, share)
		}
		return fmt.Sprintf("%.6g/%s", single, share)
	}
	return l
}

// exactShare gives the whole sum of two terms to one of them if the other is rounding. It
// tests the serial term first.
func (l *law) exactShare(c []float64, d points, serial int) {
	for _, i := range []int{serial, 1 - serial} {
		if l.noise(c, d, term(c, i)) {
			c[1-i], c[i] = c[0]+c[1], 0
			return
		}
	}
}

func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }

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
// problem; to first order they are the relative errors of the times. It needs points of
// 2 different p; through just two it passes exactly, and Quality and standard errors
// say nothing.
//
// Source: [Gustafson1988]. Deviations: f may come out below 0 or above 1.
func FitGustafson(samples []Sample) (*Gustafson, error) {
	fit, err := fitLaw("FitGustafson", "Gustafson's law", Throughput, samples, gustafson(), 2)
	if err != nil {
		return nil, err
	}
	single, serial := fit.serial("p processors do more than p times as much", "more processors do less")
	return &Gustafson{Fit: fit, Single: single, Serial: serial}, nil
}

// gustafson is the law with the parameters X1 and f. Throughputs are c0 + c1 p.
func gustafson() law {
	l := law{
		name: "Gustafson", parameters: []ratio{{name: "X1", over: ones(2)}, {"f", []float64{1, 0}, ones(2)}},
		basis:    func(into []float64, p, _ float64) { into[0], into[1] = 1, p },
		relative: true,
	}
	l.exact = func(c []float64, d points) { l.exactShare(c, d, 0) }
	l.formula = func(x []float64) string {
		single, f := x[0], x[1]
		switch f {
		case 0:
			return fmt.Sprintf("%.6g p", single)
		case 1:
			return fmt.Sprintf("%.6g", single)
		}
		return fmt.Sprintf("%.6g (%.6g p %s)", single, 1-f, signed(f))
	}
	return l
}

// USL is the Universal Scalability Law fitted to points.
type USL struct {
	*Fit
	Gamma float64 // throughput of one processor, in 1/time or the unit of y; near 1 for speedups
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
	fit, err := fitLaw("FitUSL", "the Universal Scalability Law", kind, samples, usl(kind), 4)
	if err != nil {
		return nil, err
	}
	u := &USL{fit, fit.Parameters[0].Value, fit.Parameters[1].Value, fit.Parameters[2].Value}
	if u.Gamma <= 0 {
		fit.fail("the fitted throughput gamma = %.3g of one processor is not positive: the law does not describe these points", u.Gamma)
		return u, nil
	}
	if u.Alpha < 0 || u.Alpha > 1 {
		fit.refute(1, fmt.Sprintf("the contention alpha = %.3g lies outside 0 to 1", u.Alpha),
			"it is not a share, and the law does not describe these points")
	}
	if u.Beta < 0 {
		fit.refute(2, fmt.Sprintf("the coherence beta = %.3g is less than 0", u.Beta),
			"the law has no peak and says nothing of larger p")
	}
	if peak, ok := u.Peak(); ok && fit.Extrapolates(peak) {
		low, high := fit.Range()
		fit.warn("the peak at p = %.4g is an extrapolation: the points are from p = %.4g to %.4g", peak, low, high)
	}
	return u, nil
}

// Peak returns the p of the largest throughput,
//
//	p* = sqrt((1 - alpha)/beta),
//
// not rounded. It exists, and ok is true, if gamma > 0, beta > 0 and alpha < 1. If p* is
// below 1, every further processor loses. For a fit that is not Sound it means nothing.
//
// Source: [Gunther2007] chapter 4, where p* is rounded down.
func (u *USL) Peak() (p float64, ok bool) {
	if !(u.Gamma > 0 && u.Beta > 0 && u.Alpha < 1) {
		return 0, false
	}
	return math.Sqrt((1 - u.Alpha) / u.Beta), true
}

// usl is the law with the parameters gamma, alpha and beta. Times are
// (c0 + c1 (p - 1) + c2 p (p - 1))/p.
func usl(kind Kind) law {
	first := []float64{1, 0, 0}
	l := law{
		name: "USL",
		parameters: []ratio{
			{name: "gamma", under: first}, {"alpha", []float64{0, 1, 0}, first}, {"beta", []float64{0, 0, 1}, first}},
		basis:   func(into []float64, p, _ float64) { into[0], into[1], into[2] = 1/p, (p-1)/p, p-1 },
		inverse: kind != Time, relative: true,
	}
	l.exact = func(c []float64, d points) {
		if kind.single(1 / c[0]) {
			c[0], c[1], c[2] = 1, c[1]/c[0], c[2]/c[0]
		}
		if l.noise(c, d, term(c, 2)) { // coherence
			c[2] = 0
		}
		switch {
		case l.noise(c, d, term(c, 1)): // contention
			c[1] = 0
		case l.noise(c, d, func(b []float64) float64 { return (c[0] - c[1]) * b[0] }): // what is not contention
			c[1] = c[0]
		}
	}
	l.formula = func(x []float64) string {
		gamma, alpha, beta := x[0], x[1], x[2]
		loss := "1"
		if alpha != 0 {
			loss += fmt.Sprintf(" %s (p - 1)", signed(alpha))
		}
		if beta != 0 {
			loss += fmt.Sprintf(" %s p (p - 1)", signed(beta))
		}
		switch {
		case alpha == 1 && beta == 0 && kind == Time: // the loss is p
			return fmt.Sprintf("%.6g", 1/gamma)
		case alpha == 1 && beta == 0:
			return fmt.Sprintf("%.6g", gamma)
		case loss == "1" && kind == Time:
			return fmt.Sprintf("%.6g/p", 1/gamma)
		case kind == Time:
			return fmt.Sprintf("(%s)/(%.6g p)", loss, gamma)
		}
		above := kind.factor(gamma) + "p"
		if loss == "1" {
			return above
		}
		return above + "/(" + loss + ")"
	}
	return l
}
