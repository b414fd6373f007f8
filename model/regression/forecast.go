package regression

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Forecast predicts y beyond the largest p of the samples, as far as it can. It is
// immutable.
type Forecast struct {
	Model   string // "normal form" of T, or "normal form of p T"
	Formula string // of the time, or of 1/y for the other kinds, as a function of p
	// Validation is the root mean square of the logarithmic errors of the form at points
	// beyond those that it was fitted to.
	Validation float64
	// Reach is the largest p for which At has an answer: at most four times the largest p of
	// the samples, less where the interval would be wider than a factor of 1.6 to either side.
	// If it would exceed the largest p by less than a quarter, it is the largest p itself.
	Reach float64

	kind      Kind
	high      float64
	plausible []fittedForm // the best first
	// Half of the interval of log y is least plus spread for each doubling of p.
	spread, least float64
}

const (
	// reach is how many times the largest p a forecast reaches at most: as far as
	// validation does.
	reach = 4
	// widest is the factor to either side above which an interval says too little.
	widest = 1.6
	// unconvincing is the validation error above which a form says nothing.
	unconvincing = 0.25
	// A form may be the true one as well if its error is at most plausibleTimes that of
	// the best one plus plausibleBeyond.
	plausibleTimes, plausibleBeyond = 3, 0.01
	// unknown is the least half-width of an interval: times without any error do not make a
	// form certain.
	unknown = 0.01
	// A form is fitted to at least two points, a validated forecast to at least three; of
	// the points that are left out in turn, only the last eight count.
	fewestOfForm, fewestOfForecast, mostLeftOut = 2, 3, 8
)

// FitForecast fits forms of the time T and of the process time p T,
//
//	c0 + c1 f(p) + c2 g(p),
//
// with none, one or two terms of the performance model normal form or 1/p, and no
// coefficient below 0, so that no time is. Squares of relative errors are weighted by p,
// because the largest systems say most about larger ones. Throughputs and speedups are 1/T
// up to a factor.
//
// A form is as good as its predictions of larger points: it is fitted to the smallest two,
// three, ... points and compared with those up to four times as far; its error combines the
// errors of these predictions and of the fit to all points. The best form predicts. The
// interval contains the predictions of forms that are almost as good. On both sides it is
// wider by the errors for the larger half of the points when the whole choice is made
// without them: Student's t times the root mean square of log errors for each doubling of p,
// with as many degrees of freedom as choices, and the error of the fit.
//
// It needs points of 5 different p, all of which have p >= 1 and y > 0. If no form
// predicts the largest points from the others, the forecast has no reach.
//
// Source: terms of [Calotoiu2013]; validation by the future of a series as in
// [Tashman2000], errors for each doubling added up instead of errors at each horizon.
func FitForecast(kind Kind, samples []Sample) (*Forecast, error) {
	d, err := averageOf("FitForecast", "a forecast", kind, samples, fewestPoints)
	if err != nil {
		return nil, err
	}
	if kind != Time {
		for i := range d {
			d[i].Y = 1 / d[i].Y
		}
	}
	high := d[len(d)-1].P
	f := &Forecast{kind: kind, high: high, Reach: high, Validation: math.Inf(1)}
	forms := growingForms(d)
	if f.plausible = plausibleForms(forms, d); len(f.plausible) == 0 {
		return f, nil
	}
	best := f.plausible[0]
	f.Model, f.Formula, f.Validation = "normal form", best.formula(), best.error
	if best.process {
		f.Model, f.Formula = "normal form of p T", "("+f.Formula+")/p"
	}
	sum, n := 0.0, 0
	for m := max(fewestOfForecast, (len(d)+1)/2, len(d)-mostLeftOut); m < len(d); m++ {
		before := plausibleForms(forms, d[:m])
		if len(before) == 0 {
			continue
		}
		squares, of := 0.0, 0.0
		for _, s := range d[m:] {
			if s.P <= reach*d[m-1].P {
				e := math.Log(before[0].at(s.P)/s.Y) / math.Log2(s.P/d[m-1].P)
				squares, of = squares+float64(e*e), of+1
			}
		}
		if of > 0 {
			sum, n = sum+squares/of, n+1
		}
	}
	if n == 0 || f.Validation > unconvincing {
		return f, nil
	}
	f.spread = distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n)}.Quantile(0.975) * math.Sqrt(sum/float64(n))
	f.least = unknown + best.within
	const steps = 64
	far := high
	for k := 1; k <= steps; k++ {
		p := high * math.Pow(reach, float64(k)/steps)
		_, interval := f.at(p)
		if !(interval[1] <= widest*widest*interval[0]) {
			break
		}
		far = p
	}
	if far >= 1.25*high {
		f.Reach = far
	}
	return f, nil
}

// At returns the predicted y at p, and the interval that contains one more y with 95 %.
// It is not ok at a p within the samples or beyond the reach.
func (f *Forecast) At(p float64) (value float64, interval [2]float64, ok bool) {
	if !(p > f.high && p <= f.Reach) {
		return math.NaN(), [2]float64{math.NaN(), math.NaN()}, false
	}
	value, interval = f.at(p)
	return value, interval, true
}

func (f *Forecast) at(p float64) (value float64, interval [2]float64) {
	value = f.plausible[0].at(p)
	half := math.Exp(f.least + float64(f.spread*math.Log2(p/f.high)))
	low, high := value/half, value*half
	for i := range f.plausible {
		v := f.plausible[i].at(p)
		low, high = min(low, v), max(high, v)
	}
	if f.kind != Time {
		value, low, high = 1/value, 1/high, 1/low
	}
	return value, [2]float64{low, high}
}

// A growingForm is a sum of terms, the first of which is 1, for T or p T.
type growingForm struct {
	terms   []Term
	process bool
	// fits[n] are the coefficients for the first n points; nil if one would be below 0.
	fits [][]float64
}

// fittedForm is a form with one of its fits.
type fittedForm struct {
	*growingForm
	coefficients  []float64
	error, within float64 // of errorBeyond
}

func (f *growingForm) value(c []float64, p float64) float64 {
	sum := 0.0
	for i, t := range f.terms {
		sum += float64(c[i] * t.At(p))
	}
	if f.process {
		return sum / p
	}
	return sum
}

func (f *fittedForm) at(p float64) float64 { return f.value(f.coefficients, p) }

func (f *fittedForm) formula() string {
	var products []Product
	for _, t := range f.terms[1:] {
		products = append(products, Product{P: t})
	}
	form := normalForm(products)
	return form.formula(f.coefficients)
}

// growingForms are all forms, each fitted to the first points of any number.
func growingForms(d points) []*growingForm {
	terms := append([]Term{{-1, 1, 0}}, searchSpace[:]...)
	values := make([][]float64, len(terms)) // at the points
	for i, t := range terms {
		for _, s := range d {
			values[i] = append(values[i], t.At(s.P))
		}
	}
	one := slices.Repeat([]float64{1}, len(d))
	var all []*growingForm
	for _, process := range []bool{true, false} {
		add := func(columns [][]float64, of ...Term) {
			all = append(all, &growingForm{append([]Term{{}}, of...), process, fitFirst(columns, d, process)})
		}
		add([][]float64{one})
		for i, t := range terms {
			add([][]float64{one, values[i]}, t)
		}
		for i, t := range terms {
			for j, u := range terms[:i] {
				add([][]float64{one, values[j], values[i]}, u, t)
			}
		}
	}
	return all
}

// fitFirst returns, for every n, the coefficients for the first n points; columns has
// the functions' values at the points. It extends the normal equations point by point;
// functions are scaled, as one may be thousands of times another.
func fitFirst(columns [][]float64, d points, process bool) [][]float64 {
	m := len(columns)
	fits := make([][]float64, len(d)+1)
	normal, scaled := mat.NewSymDense(m, nil), mat.NewSymDense(m, nil)
	right, scaledRight := mat.NewVecDense(m, nil), mat.NewVecDense(m, nil)
	row, scale := mat.NewVecDense(m, nil), make([]float64, m)
	var factor mat.Cholesky
	var c mat.VecDense
	for k, s := range d {
		y, weight := s.Y, math.Sqrt(s.P)
		if process {
			y *= s.P
		}
		for i := range m {
			row.SetVec(i, weight*columns[i][k]/y)
		}
		normal.SymRankOne(normal, 1, row)
		right.AddScaledVec(right, weight, row)
		if k+1 < m {
			continue
		}
		for i := range m {
			scale[i] = 1 / math.Sqrt(normal.At(i, i))
			scaledRight.SetVec(i, right.AtVec(i)*scale[i])
			for j := range i + 1 {
				scaled.SetSym(j, i, normal.At(j, i)*scale[i]*scale[j])
			}
		}
		const worst = 1e12
		if !factor.Factorize(scaled) || !(factor.Cond() < worst) || factor.SolveVecTo(&c, scaledRight) != nil {
			continue
		}
		fit, least := make([]float64, m), -rounding*mat.Norm(&c, 2)
		for i := range fit {
			fit[i] = max(c.AtVec(i), 0) * scale[i]
		}
		if mat.Min(&c) >= least {
			fits[k+1] = fit
		}
	}
	return fits
}

// plausibleForms returns the forms that best predict the largest points from the others.
func plausibleForms(forms []*growingForm, d points) []fittedForm {
	var all []fittedForm
	for _, f := range forms {
		if e, within, ok := f.errorBeyond(d); ok {
			all = append(all, fittedForm{f, f.fits[len(d)], e, within})
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b fittedForm) int {
		return cmp.Or(cmp.Compare(a.error, b.error), cmp.Compare(len(a.terms), len(b.terms)))
	})
	most := float64(plausibleTimes*all[0].error) + plausibleBeyond
	return slices.DeleteFunc(all, func(f fittedForm) bool { return f.error > most })
}

// errorBeyond returns the error of a form in predicting the largest points from the smaller ones
// and in describing all, and the second part alone. It is not ok where the form cannot be fitted.
func (f *growingForm) errorBeyond(d points) (err, within float64, ok bool) {
	if f.fits[len(d)] == nil {
		return 0, 0, false
	}
	sum, weights := 0.0, 0.0
	for m := max(fewestOfForm, len(f.terms), len(d)-mostLeftOut); m < len(d); m++ {
		if f.fits[m] == nil {
			return 0, 0, false
		}
		for _, s := range d[m:] {
			if s.P <= reach*d[m-1].P {
				e := f.missed(f.fits[m], s)
				sum, weights = sum+float64(s.P*e*e), weights+s.P
			}
		}
	}
	if weights == 0 {
		return 0, 0, false
	}
	for _, s := range d {
		e := f.missed(f.fits[len(d)], s)
		within += float64(s.P / d[len(d)-1].P * e * e)
	}
	free := max(float64(len(d)-len(f.terms)), 0.5)
	within = math.Sqrt(within / free)
	return math.Sqrt(sum/weights) + within, within, true
}

// missed returns the log error at a point.
func (f *growingForm) missed(c []float64, s Sample2) float64 {
	if e := math.Log(f.value(c, s.P) / s.Y); math.Abs(e) > rounding {
		return e
	}
	return 0
}
