package regression

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Forecast2 predicts times over two parameters, p processes and a size q, within and
// beyond the samples. It is immutable.
type Forecast2 struct {
	*NormalForm2      // of the time, or of the process time p T
	Process      bool // the form is that of p T
	// Validation is the root mean square of the logarithmic errors for each doubling of p or
	// q, at points beyond those that the form was fitted to. It is infinite if the form gives
	// a time of 0 or less there, or there are too few points.
	Validation float64

	spread float64 // half the width of the interval of log T, for each doubling
}

// FitForecast2 fits [FitNormalForm2] to the times and to p T, because a normal form has no term
// that falls with p, and takes the form that better predicts larger points: its coefficients are
// fitted again without the points of the largest p, of the largest q, and of both, and compared
// with these points. Of each of the three comparisons the largest error counts.
//
// Source: as [FitForecast]. Deviation: the terms are those of all points.
func FitForecast2(samples []Sample2) (*Forecast2, error) {
	var best *Forecast2
	var first error
	for _, process := range []bool{false, true} {
		of := slices.Clone(samples)
		for i := range of {
			if process {
				of[i].Y *= of[i].P
			}
		}
		form, err := FitNormalForm2(of)
		if err != nil {
			first = err
			continue
		}
		f := &Forecast2{NormalForm2: form, Process: process, Validation: math.Inf(1)}
		f.validate()
		better := best == nil || f.Validation < best.Validation ||
			f.Validation == best.Validation && !(best.CrossSMAPE <= f.CrossSMAPE)
		if better {
			best = f
		}
	}
	if best == nil {
		return nil, first
	}
	return best, nil
}

func (f *Forecast2) validate() {
	_, highP, _, highQ := f.Range()
	sum, parts := 0.0, 0
	for _, left := range []func(s Sample2) bool{
		func(s Sample2) bool { return s.P == highP },
		func(s Sample2) bool { return s.Q == highQ },
		func(s Sample2) bool { return s.P == highP || s.Q == highQ },
	} {
		kept := slices.DeleteFunc(slices.Clone(f.fit.d), left)
		m := leastNormalForm2(kept, f.Products)
		if m == nil {
			return
		}
		keptP, keptQ := 0.0, 0.0
		for _, s := range kept {
			keptP, keptQ = max(keptP, s.P), max(keptQ, s.Q)
		}
		worst := 0.0
		for _, s := range f.fit.d {
			if left(s) {
				predicted := withoutRounding(m.At(s.P, s.Q), s.Y)
				worst = max(worst, math.Abs(math.Log(predicted/s.Y))/doubled(s.P/keptP, s.Q/keptQ))
				if !(predicted > 0 && s.Y > 0) {
					return
				}
			}
		}
		sum, parts = sum+float64(worst*worst), parts+1
	}
	f.Validation = math.Sqrt(sum / float64(parts))
	f.spread = f.Validation * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(parts)}.Quantile(0.975)
}

// doubled returns how many doublings of parameters two factors are.
func doubled(p, q float64) float64 { return math.Log2(max(p, 1)) + math.Log2(max(q, 1)) }

// Time returns the time of the form, which may be 0 or less.
func (f *Forecast2) Time(p, q float64) float64 {
	if f.Process {
		return f.At(p, q) / p
	}
	return f.At(p, q)
}

// Interval returns an interval that contains one more time with 95 %. Within the samples it is that
// of [NormalForm2.Band], cut off at 0; beyond, it follows from the errors of the validation. It is
// not ok where the form gives no time above 0. Beyond the samples it is not ok either if p or q is
// more than four times as large, or if the interval is wider than a factor of 1.6 to either side.
func (f *Forecast2) Interval(p, q float64) (interval [2]float64, ok bool) {
	value := f.Time(p, q)
	if !(value > 0) || math.IsInf(value, 0) {
		return interval, false
	}
	if !f.Extrapolates(p, q) {
		b, err := f.Band(p, q, 0.95)
		if f.Process {
			b.Prediction[0], b.Prediction[1] = b.Prediction[0]/p, b.Prediction[1]/p
		}
		return [2]float64{max(b.Prediction[0], 0), b.Prediction[1]}, err == nil && !math.IsNaN(b.Prediction[1])
	}
	lowP, highP, lowQ, highQ := f.Range()
	half := math.Exp(unknown + float64(f.spread*doubled(p/highP, q/highQ)))
	within := p >= lowP && q >= lowQ && p <= reach*highP && q <= reach*highQ
	return [2]float64{value / half, value * half}, within && !math.IsInf(f.Validation, 0) && half <= widest
}
