package regression

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Parameter is a fitted number of a model.
type Parameter struct {
	Name  string
	Value float64
	// StandardError follows from the covariance of the fit: exactly for parameters that
	// are sums of coefficients, to first order for others.
	StandardError float64
}

// A Fit is a model with the parameters that describe the samples best. It is immutable.
type Fit struct {
	Model      string // "Amdahl", "Gustafson", "USL" or "normal form"
	Formula    string // with the fitted numbers, y as a function of p
	Parameters []Parameter
	Quality    Quality
	// Sound is false if the law cannot hold as fitted, such as a contention below 0 by more than chance or
	// a time below 0 within the data. The parameters are still those of least squares,
	// but nothing should be concluded or extrapolated from them.
	Sound bool
	// Warnings say why the fit is doubtful, in sentences for a report; if it is not
	// sound, they say why.
	Warnings []string

	law
	coefficients []float64
	d            points
	covariance
}

// A law is a model before it is fitted. All laws are linear: y, or 1/y, is a sum of
// functions of p (with two parameters, of p and q), each times a coefficient. Users see
// not the coefficients but parameters that follow from them.
type law struct {
	name       string
	parameters []ratio
	// basis sets into to the values of the functions, of which there are as many as parameters.
	basis   func(into []float64, p, q float64)
	inverse bool // the sum is 1/y
	// relative: the fit minimizes the squares of the relative errors of the sum,
	// otherwise those of its errors.
	relative bool
	// exact sets coefficients that differ from an exact number by rounding noise to
	// that number.
	exact   func(c []float64, d points)
	formula func(parameters []float64) string
}

// A ratio is a parameter: the coefficients' sum weighted by over, divided by that
// weighted by under. A nil weighting stands for a sum of 1.
type ratio struct {
	name        string
	over, under []float64
}

func (r ratio) of(c []float64) float64 { return weighed(r.over, c) / weighed(r.under, c) }

// gradient returns the derivatives by the coefficients.
func (r ratio) gradient(c []float64) []float64 {
	g := make([]float64, len(c))
	value, under := r.of(c), weighed(r.under, c)
	for i := range g {
		if r.over != nil {
			g[i] += r.over[i] / under
		}
		if r.under != nil {
			g[i] -= value * r.under[i] / under
		}
	}
	return g
}

func weighed(weights, c []float64) float64 {
	if weights == nil {
		return 1
	}
	return floats.Dot(weights, c)
}

// at returns the functions of a law, each without its coefficient.
func (l *law) at(p, q float64) []float64 {
	b := make([]float64, len(l.parameters))
	l.basis(b, p, q)
	return b
}

// value returns y for coefficients.
func (l *law) value(c []float64, p, q float64) float64 { return l.sum(floats.Dot(c, l.at(p, q))) }

// sum converts y into the value of the linear sum, and back.
func (l *law) sum(y float64) float64 {
	if l.inverse {
		return 1 / y
	}
	return y
}

// weight returns the factor of the error of a sum.
func (l *law) weight(sum float64) float64 {
	if l.relative {
		return 1 / sum
	}
	return 1
}

// values returns all functions at all points.
func (l *law) values(d points) *mat.Dense {
	a := mat.NewDense(len(d), len(l.parameters), nil)
	for i, s := range d {
		l.basis(a.RawRowView(i), s.P, s.Q)
	}
	return a
}

// solve returns the coefficients that describe the points best, by QR. REQUIRES: if
// errors are relative, all y are positive.
//
// Source: [Tofallis2008] for relative errors. Deviations: none.
func (l *law) solve(d points) ([]float64, error) {
	if m := len(l.parameters); len(d) < m {
		return nil, fmt.Errorf("regression: %d points do not determine %d coefficients", len(d), m)
	}
	a, b := l.values(d), mat.NewVecDense(len(d), nil)
	unit := 1.0
	if l.relative { // so that no weight overflows
		unit = math.Inf(1)
		for _, s := range d {
			unit = min(unit, l.sum(s.Y))
		}
	}
	for i, s := range d {
		b.SetVec(i, l.sum(s.Y))
		if l.relative {
			floats.Scale(unit/l.sum(s.Y), a.RawRowView(i))
			b.SetVec(i, 1)
		}
	}
	var qr mat.QR
	qr.Factorize(a)
	var c mat.VecDense
	if err := qr.SolveVecTo(&c, false, b); err != nil {
		if _, poor := err.(mat.Condition); !poor || c.Len() == 0 {
			return nil, fmt.Errorf("regression: the points do not determine the coefficients: %w", err)
		}
	}
	found := c.RawVector().Data
	floats.Scale(unit, found)
	return found, nil
}

// noise reports whether a part of the sum, as a function of the basis, is only rounding
// at all points.
func (l *law) noise(c []float64, d points, part func(b []float64) float64) bool {
	most := 0.0
	for _, s := range d {
		most = max(most, math.Abs(floats.Dot(c, l.at(s.P, s.Q))))
	}
	return !slices.ContainsFunc(d, func(s Sample2) bool {
		b := l.at(s.P, s.Q)
		return !(math.Abs(part(b)) <= max(rounding*math.Abs(floats.Dot(c, b)), leastSquaresRounding*most))
	})
}

// term returns the part of the sum with coefficient i.
func term(c []float64, i int) func(b []float64) float64 {
	return func(b []float64) float64 { return c[i] * b[i] }
}

// Quality says how well a model describes the points that it was fitted to, of n
// different p. Residuals below 1e-9 of y are rounding and count as 0.
type Quality struct {
	// Loss is the minimized sum of squares: of the residuals for a normal form, in the
	// squared unit of y; of the relative errors for a law, a pure number.
	Loss float64
	// RMSE is the root of the mean squared residual, in the unit of y.
	RMSE float64
	// CrossSMAPE is the symmetric mean absolute percentage error, 0 to 200, of points
	// predicted from all others: the model, in the same form, is fitted n times, each
	// time without one point. It is NaN if a fit without one of the points fails.
	CrossSMAPE float64
}

// meanSMAPE returns the symmetric mean absolute percentage error,
//
//	100 % (1/n) sum_i 2 |f_i - y_i|/(|f_i| + |y_i|),
//
// from 0 % for a perfect model to 200 %. A pair of zeros counts as no error.
// The slices must have the same length of at least 1.
//
// Source: as in Extra-P. Deviations: none.
func meanSMAPE(predicted, actual []float64) float64 {
	var sum float64
	for i, y := range actual {
		sum += symmetricError(predicted[i], y)
	}
	return 100 * sum / float64(len(actual))
}

func symmetricError(predicted, actual float64) float64 {
	if size := math.Abs(predicted) + math.Abs(actual); size != 0 {
		return 2 * math.Abs(predicted-actual) / size
	}
	return 0
}

// newFit returns the fit of a law with the given coefficients.
func newFit(l law, c []float64, d points) (*Fit, error) {
	for i, v := range c {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &DomainError{l.name, l.parameters[i].name, v, "a finite number; the points do not determine it"}
		}
	}
	l.exact(c, d)
	f := &Fit{Model: l.name, Sound: true, law: l, coefficients: c, d: d}
	f.Quality = l.quality(c, d)
	jacobian := l.values(d)
	for i, s := range d {
		floats.Scale(l.weight(l.sum(s.Y)), jacobian.RawRowView(i))
	}
	var ok bool
	if f.covariance, ok = covarianceOf(jacobian, f.Quality.Loss); !ok {
		return nil, fmt.Errorf("regression: the points do not determine the parameters of %s", l.name)
	}
	var values []float64
	for _, r := range l.parameters {
		values = append(values, r.of(c))
		f.Parameters = append(f.Parameters, Parameter{r.name, r.of(c), math.Sqrt(f.along(r.gradient(c)))})
	}
	f.Formula = l.formula(values)
	return f, nil
}

func (l *law) quality(c []float64, d points) Quality {
	predicted := make([]float64, len(d))
	var q Quality
	for i, s := range d {
		predicted[i] = withoutRounding(l.value(c, s.P, s.Q), s.Y)
		sum := l.sum(s.Y)
		miss := l.weight(sum) * (l.sum(predicted[i]) - sum)
		q.Loss += float64(miss * miss)
	}
	distance := floats.Distance(predicted, d.y(), 2)
	q.RMSE = math.Sqrt(distance * distance / float64(len(d)))
	q.CrossSMAPE = math.NaN()
	for i, s := range d {
		c, err := l.solve(d.without(i))
		if err != nil {
			return q
		}
		predicted[i] = withoutRounding(l.value(c, s.P, s.Q), s.Y)
	}
	q.CrossSMAPE = meanSMAPE(predicted, d.y())
	return q
}

// withoutRounding returns y for a prediction that differs from it by rounding.
func withoutRounding(predicted, y float64) float64 {
	if math.Abs(predicted-y) <= rounding*math.Abs(y) {
		return y
	}
	return predicted
}

// A covariance is the covariance of the coefficients, s^2 (J'J)^-1 = s^2 R^-1 R^-T, with the
// Jacobian J = Q R of the minimized errors. J'J itself would square the condition number.
type covariance struct {
	factor   *mat.TriDense // R of the scaled Jacobian
	scale    []float64     // of the columns of the Jacobian
	variance float64       // s^2 of the minimized errors, Loss/(n - m); NaN for as many points as coefficients
}

// covarianceOf returns the covariance; ok is false if the points do not determine the coefficients. It
// scales the columns of the Jacobian to length 1, in place, because p^3 may stand beside a constant.
func covarianceOf(jacobian *mat.Dense, loss float64) (c covariance, ok bool) {
	n, m := jacobian.Dims()
	column := make([]float64, n)
	for j := range m {
		mat.Col(column, j, jacobian)
		length := floats.Norm(column, 2)
		if !(length > 0) || math.IsInf(length, 0) {
			return c, false
		}
		floats.Scale(1/length, column)
		jacobian.SetCol(j, column)
		c.scale = append(c.scale, length)
	}
	var qr mat.QR
	qr.Factorize(jacobian)
	if qr.Cond() > 1e14 {
		return c, false
	}
	var r mat.Dense
	qr.RTo(&r)
	c.factor = mat.NewTriDense(m, mat.Upper, nil)
	for i := range m {
		for j := i; j < m; j++ {
			c.factor.SetTri(i, j, r.At(i, j))
		}
	}
	c.variance = math.NaN()
	if n > m {
		c.variance = loss / float64(n-m)
	}
	return c, true
}

// along returns g' C g for the covariance C.
func (c covariance) along(g []float64) float64 {
	scaled := mat.NewVecDense(len(g), nil)
	for i := range g {
		scaled.SetVec(i, g[i]/c.scale[i])
	}
	var x mat.VecDense
	// The condition was checked when the factor was made.
	if err := x.SolveVec(c.factor.T(), scaled); err != nil && x.Len() == 0 {
		return math.NaN()
	}
	norm := mat.Norm(&x, 2)
	return c.variance * norm * norm
}

// At returns what the model predicts for y at p, in the unit of y.
func (f *Fit) At(p float64) float64 { return f.value(f.coefficients, p, 0) }

// Holds reports whether the prediction at p may be shown. Within the range of the
// samples it always may; outside, only if the law is sound and does not predict a y of
// 0 or less from samples that are all above 0.
func (f *Fit) Holds(p float64) bool {
	if !f.Extrapolates(p) {
		return true
	}
	y := f.At(p)
	return f.Sound && !math.IsNaN(y) && !math.IsInf(y, 0) && (y > 0 || f.d.least() <= 0)
}

// Range returns the smallest and the largest p of the samples.
func (f *Fit) Range() (low, high float64) { return f.d[0].P, f.d[len(f.d)-1].P }

// Points returns the number of different p among the samples.
func (f *Fit) Points() int { return len(f.d) }

// Extrapolates reports whether p is outside the range of the samples. Predictions there
// rest on the formula alone, and the bands are too narrow, because they assume that the
// formula is true.
func (f *Fit) Extrapolates(p float64) bool {
	low, high := f.Range()
	return !(p >= low && p <= high)
}

// A Band is what a model says at one p, in the unit of y.
type Band struct {
	P            float64
	Value        float64
	Confidence   [2]float64 // lower and upper bound of the mean of y at P
	Prediction   [2]float64 // bounds of one more point at P
	Extrapolates bool       // P (with two parameters, either one) is outside the range of the samples
}

// Band returns the confidence and the prediction band at p,
//
//	y(p) -+ t sqrt(g' C g)            (confidence)
//	y(p) -+ t sqrt(g' C g + s^2 e^2)  (prediction)
//
//	t    quantile (1 + level)/2 of Student's t with n - m degrees of freedom
//	g    derivatives of y(p) by the parameters
//	C    covariance of the parameters, s^2 (J'J)^-1, J being the derivatives of the
//	     errors of all points
//	s^2  Loss/(n - m), the variance of the errors
//	e    what an error is relative to: y(p) for a law, 1 for a normal form
//	level  probability, between 0 and 1, such as 0.95
//
// For normal forms the bands are exact if errors are independent and normal with one
// variance; for laws, whose weights are measured too, this is the delta method, to
// first order. Each band holds at one p, not for all p at once. Bands of a normal form
// ignore that its term was chosen by the same points.
//
// Source: [SeberWild1989]. Deviations: none.
func (f *Fit) Band(p, level float64) (Band, error) {
	low, _ := f.Range()
	if least := min(1, low); !(p >= least) || math.IsInf(p, 0) {
		return Band{}, &DomainError{"Band", "p", p, fmt.Sprintf("a finite number of at least %g", least)}
	}
	value, mean, one, err := f.band(p, 0, level)
	if err != nil {
		return Band{}, err
	}
	return Band{
		P: p, Value: value,
		Confidence:   [2]float64{value - mean, value + mean},
		Prediction:   [2]float64{value - one, value + one},
		Extrapolates: f.Extrapolates(p),
	}, nil
}

// band returns the prediction at a place, and half the widths of both bands there.
func (f *Fit) band(p, q, level float64) (value, mean, one float64, err error) {
	if !(level > 0 && level < 1) {
		return 0, 0, 0, &DomainError{"Band", "level", level, "more than 0 and less than 1"}
	}
	n, m := len(f.d), len(f.coefficients)
	if n <= m {
		return 0, 0, 0, &TooFewPointsError{"a band of " + f.Model, n, m + 1}
	}
	value = f.value(f.coefficients, p, q)
	gradient := f.at(p, q)
	if f.inverse {
		floats.Scale(value*value, gradient)
	}
	error2 := f.variance // of one point
	if f.relative {
		error2 *= value * value
	}
	along := f.along(gradient)
	t := f.quantile(level)
	return value, t * math.Sqrt(along), t * math.Sqrt(along+error2), nil
}

// quantile returns the half width of an interval, in standard errors.
func (f *Fit) quantile(level float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(len(f.d) - len(f.coefficients))}.Quantile((1 + level) / 2)
}

// refute judges a law by a parameter whose value is outside 0 to 1: the law fails if all of the 95 % interval is, which
// has the given meaning; otherwise chance may be the cause.
func (f *Fit) refute(parameter int, what, meaning string) {
	x, reach := f.Parameters[parameter], 0.0
	if len(f.d) > len(f.coefficients) {
		reach = f.quantile(0.95) * x.StandardError
	}
	if x.Value >= -reach && x.Value <= 1+reach {
		f.warn("%s, by less than its 95 %% interval", what)
		return
	}
	f.fail("%s: %s", what, meaning)
}

// warn adds a warning.
func (f *Fit) warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

// fail marks the fit as not sound and says why the law cannot hold.
func (f *Fit) fail(format string, args ...any) {
	f.Sound = false
	f.warn(format, args...)
}

// signed writes a number as a further term of a sum: "+ 0.5" or "- 0.5".
func signed(x float64) string {
	if x < 0 {
		return fmt.Sprintf("- %.6g", -x)
	}
	return fmt.Sprintf("+ %.6g", x)
}
