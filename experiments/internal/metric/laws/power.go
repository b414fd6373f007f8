package laws

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/regression"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Power is a fitted power law of p, with a given power of its logarithm. It is immutable.
type Power struct {
	Factor   float64 `json:"factor"`        // K, in the unit of y
	Exponent float64 `json:"exponent"`      // a
	Logs     float64 `json:"log,omitempty"` // b, as given
	// Interval is the 95 % interval of the exponent, if errors of log y are independent and normal.
	Interval [2]float64 `json:"interval"`
	// Steps are the smallest and the largest exponent between neighbouring p: if they are far apart, no single power
	// describes the points.
	Steps [2]float64 `json:"steps"`
	From  float64    `json:"from"` // the least p
	To    float64    `json:"to"`   // the largest p
}

// FitPower fits
//
//	y(p) = K p^a (log2 p)^b
//
//	p  number of equal processors or another size, >= 1, with b above 0 more than 1
//	y  in the unit of the caller, above 0
//	b  given by theory: a and b cannot be told apart over a few doublings of p
//
// by least squares of log y. It needs points at 3 different p: with fewer, a has no useful interval.
//
// Source: isoefficiency functions of [Grama1993]. Deviations: none.
func FitPower(samples []regression.Sample, b float64) (*Power, error) {
	samples = slices.SortedFunc(slices.Values(samples), func(a, b regression.Sample) int {
		return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(a.Y, b.Y))
	})
	n := len(samples)
	x, y := make([]float64, n), make([]float64, n)
	f := &Power{Logs: b, Steps: [2]float64{math.Inf(1), math.Inf(-1)}}
	different := 0
	for i, s := range samples {
		x[i], y[i] = math.Log(s.P), math.Log(s.Y)
		if b != 0 {
			y[i] -= float64(b * math.Log(math.Log2(s.P)))
		}
		if !(s.P >= 1) || math.IsInf(x[i], 0) || math.IsInf(y[i], 0) || math.IsNaN(y[i]) {
			return nil, fmt.Errorf("no power law: y = %g at p = %g; expected y above 0, p of at least 1, and above 1 with a logarithm", s.Y, s.P)
		}
		if i > 0 && x[i] > x[i-1] {
			a := (y[i] - y[i-1]) / (x[i] - x[i-1])
			f.Steps = [2]float64{min(f.Steps[0], a), max(f.Steps[1], a)}
		}
		if i == 0 || x[i] > x[i-1] {
			different++
		}
	}
	if different < 3 {
		return nil, fmt.Errorf("a power law needs points of at least 3 different p, have %d", different)
	}
	f.From, f.To = samples[0].P, samples[n-1].P
	alpha, a := stat.LinearRegression(x, y, nil, false)
	f.Factor, f.Exponent = math.Exp(alpha), a
	var residuals float64
	for i := range x {
		r := y[i] - alpha - float64(a*x[i])
		residuals += float64(r * r)
	}
	_, variance := stat.PopMeanVariance(x, nil)
	deviation := math.Sqrt(residuals / float64(n-2) / (float64(n) * variance))
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 2)}.Quantile(0.975) * deviation
	f.Interval = [2]float64{a - half, a + half}
	return f, nil
}

// At returns y at p.
func (f *Power) At(p float64) float64 {
	y := f.Factor * math.Pow(p, f.Exponent)
	if f.Logs != 0 {
		y *= math.Pow(math.Log2(p), f.Logs)
	}
	return y
}

// Says gives the exponent and its uncertainty.
func (f *Power) Says() string {
	return fmt.Sprintf("%.3g (95 %%: %.3g to %.3g; between neighbours %.3g to %.3g)", f.Exponent, f.Interval[0],
		f.Interval[1], f.Steps[0], f.Steps[1])
}

// Formula writes the law with a name for p, as in 3.2e+06 p^1.5 log2(p)^3.
func (f *Power) Formula(p string) string {
	return fmt.Sprintf("%.3g ", f.Factor) + PowerOf(p, f.Exponent, f.Logs)
}

// PowerOf writes p^a log2(p)^b with a name for p.
func PowerOf(p string, a, b float64) string {
	text := p
	if a != 1 {
		text = fmt.Sprintf("%s^%s", p, trimmed(a))
	}
	switch b {
	case 0:
	case 1:
		text += fmt.Sprintf(" log2(%s)", p)
	default:
		text += fmt.Sprintf(" log2(%s)^%s", p, trimmed(b))
	}
	return text
}

func trimmed(x float64) string {
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", x), "0"), ".")
}
