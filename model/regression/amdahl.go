package regression

import "fmt"

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
