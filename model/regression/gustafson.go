package regression

import "fmt"

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
