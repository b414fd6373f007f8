package regression

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Parameter is a fitted number of a model.
type Parameter struct {
	Name  string
	Value float64
	// StandardError is that of the value, from the covariance of the fit: exact for
	// models that are linear in their parameters, to first order for others.
	StandardError float64
}

// A Fit is a model with the parameters that describe the samples best. It is
// immutable.
type Fit struct {
	Model      string // "Amdahl", "Gustafson", "USL" or "normal form"
	Formula    string // with the fitted numbers, y as a function of p
	Parameters []Parameter
	Quality    Quality
	// Sound is false if the law cannot hold as fitted, such as a contention below 0
	// or a time below 0 within the data. The parameters still are those of least
	// squares, but nothing should be concluded or extrapolated from them.
	Sound bool
	// Warnings say why the fit is doubtful, in sentences for a report; if it is not
	// sound, they say why.
	Warnings []string

	points   int     // different p
	positive bool    // all y are
	low, hi  float64 // smallest and largest p
	form     form
	theta    []float64
	factor   *mat.TriDense // R of the QR decomposition of the scaled Jacobian
	scale    []float64     // of the columns of the Jacobian
	variance float64       // of what is minimized, Loss/(n - m)
}

// form is a model before its parameters theta are known.
type form interface {
	name() string
	parameters() []string
	// value returns y(p).
	value(theta []float64, p float64) float64
	// gradient sets into to the derivatives of y(p) by the parameters.
	gradient(into, theta []float64, p float64)
	// miss returns by how much a value misses y, in the measure whose squares are
	// least, and the derivative of that by the value.
	miss(value, y float64) (miss, slope float64)
	// exact sets parameters that are rounding noise to the number that they are
	// the noise of.
	exact(theta []float64, d points)
	// solve returns the parameters that fit the points best.
	solve(d points) ([]float64, error)
	formula(theta []float64) string
}

// Quality says how well a model describes the points that it was fitted to, of n
// different p. Residuals below 1e-9 of y are rounding, and count as 0.
type Quality struct {
	// Loss is the sum of squares that is least: that of the residuals for a normal
	// form, in the squared unit of y; that of the relative errors for a law, a pure
	// number.
	Loss float64
	// RMSE is the root of the mean squared residual, in the unit of y.
	RMSE float64
	// CrossSMAPE is the symmetric mean absolute percentage error, 0 to 200, of points
	// predicted from all the others: the model is fitted n times, each time without one
	// point. The form of the model stays. It is NaN if a fit without one of the points
	// fails.
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

// newFit fits a form to the points and computes all that is known of the result.
func newFit(f form, d points) (*Fit, error) {
	theta, err := f.solve(d)
	if err != nil {
		return nil, err
	}
	for i, v := range theta {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &DomainError{f.name(), f.parameters()[i], v, "a finite number; the points do not determine it"}
		}
	}
	f.exact(theta, d)
	fit := &Fit{
		Model: f.name(), Formula: f.formula(theta), Sound: true,
		points: d.len(), positive: floats.Min(d.y) > 0, low: d.p[0], hi: d.p[d.len()-1],
		form: f, theta: theta,
	}
	fit.Quality = quality(f, theta, d)
	if err := fit.setCovariance(d); err != nil {
		return nil, err
	}
	gradient := make([]float64, len(theta))
	for i, name := range f.parameters() {
		clear(gradient)
		gradient[i] = 1
		fit.Parameters = append(fit.Parameters, Parameter{name, theta[i], math.Sqrt(fit.varianceAlong(gradient))})
	}
	return fit, nil
}

func quality(f form, theta []float64, d points) Quality {
	predicted := make([]float64, d.len())
	for i, p := range d.p {
		predicted[i] = withoutRounding(f.value(theta, p), d.y[i])
	}
	var q Quality
	for i, y := range d.y {
		miss, _ := f.miss(predicted[i], y)
		q.Loss += float64(miss * miss)
	}
	distance := floats.Distance(predicted, d.y, 2)
	q.RMSE = math.Sqrt(distance * distance / float64(d.len()))
	q.CrossSMAPE = crossSMAPE(f, d)
	return q
}

func crossSMAPE(f form, d points) float64 {
	predicted := make([]float64, d.len())
	for i := range predicted {
		theta, err := f.solve(d.without(i))
		if err != nil {
			return math.NaN()
		}
		predicted[i] = withoutRounding(f.value(theta, d.p[i]), d.y[i])
	}
	return meanSMAPE(predicted, d.y)
}

// withoutRounding returns y for a prediction that differs from it by rounding.
func withoutRounding(predicted, y float64) float64 {
	if math.Abs(predicted-y) <= rounding*math.Abs(y) {
		return y
	}
	return predicted
}

// setCovariance keeps the covariance of the parameters as s^2 (J'J)^-1 = s^2
// R^-1 R^-T of the Jacobian J = Q R of what is minimized: J'J itself has the square
// of its condition. Columns are scaled to length 1 first, for p^3 beside a constant.
func (f *Fit) setCovariance(d points) error {
	n, m := d.len(), len(f.theta)
	jacobian := mat.NewDense(n, m, nil)
	for i, p := range d.p {
		row := jacobian.RawRowView(i)
		f.form.gradient(row, f.theta, p)
		_, slope := f.form.miss(f.At(p), d.y[i])
		floats.Scale(slope, row)
	}
	f.scale = make([]float64, m)
	column := make([]float64, n)
	for j := range m {
		mat.Col(column, j, jacobian)
		f.scale[j] = floats.Norm(column, 2)
		if !(f.scale[j] > 0) || math.IsInf(f.scale[j], 0) {
			return unsettled(f.form)
		}
		floats.Scale(1/f.scale[j], column)
		jacobian.SetCol(j, column)
	}
	var qr mat.QR
	qr.Factorize(jacobian)
	if qr.Cond() > 1e14 {
		return unsettled(f.form)
	}
	var r mat.Dense
	qr.RTo(&r)
	f.factor = mat.NewTriDense(m, mat.Upper, nil)
	for i := range m {
		for j := i; j < m; j++ {
			f.factor.SetTri(i, j, r.At(i, j))
		}
	}
	f.variance = math.NaN() // of as many points as parameters
	if n > m {
		f.variance = f.Quality.Loss / float64(n-m)
	}
	return nil
}

func unsettled(f form) error {
	return fmt.Errorf("regression: the points do not determine the parameters of %s", f.name())
}

// varianceAlong returns g' C g for the covariance C of the parameters.
func (f *Fit) varianceAlong(g []float64) float64 {
	scaled := mat.NewVecDense(len(g), nil)
	for i := range g {
		scaled.SetVec(i, g[i]/f.scale[i])
	}
	var x mat.VecDense
	// The condition was looked at when the factor was made.
	if err := x.SolveVec(f.factor.T(), scaled); err != nil && x.Len() == 0 {
		return math.NaN()
	}
	norm := mat.Norm(&x, 2)
	return f.variance * norm * norm
}

// At returns what the model predicts for y at p, in the unit of y.
func (f *Fit) At(p float64) float64 { return f.form.value(f.theta, p) }

// Holds reports whether what the model says at p may be shown: within the range
// of the samples always; outside it if the law is sound, and does not predict a y
// of 0 or less from samples all of which are more than 0.
func (f *Fit) Holds(p float64) bool {
	if !f.Extrapolates(p) {
		return true
	}
	y := f.At(p)
	return f.Sound && !math.IsNaN(y) && !math.IsInf(y, 0) && (y > 0 || !f.positive)
}

// Range returns the smallest and the largest p of the samples.
func (f *Fit) Range() (low, high float64) { return f.low, f.hi }

// Points returns the number of different p among the samples.
func (f *Fit) Points() int { return f.points }

// Extrapolates reports whether p is outside the range of the samples. What a
// model says there rests on its formula alone, and its bands are too narrow: they
// take the formula for true.
func (f *Fit) Extrapolates(p float64) bool { return !(p >= f.low && p <= f.hi) }

// A Band is what a model says at one p, in the unit of y.
type Band struct {
	P            float64
	Value        float64
	Confidence   [2]float64 // lower and upper bound of the mean of y at P
	Prediction   [2]float64 // of one more point at P
	Extrapolates bool       // P is outside the range of the samples
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
// For normal forms the bands are exact for independent normal errors of one
// variance; for laws, whose weights are measured too, this is the delta method, to
// first order. Each band holds at one p, not for all p at once. Bands of a normal
// form do not know that its term was chosen by the same points.
//
// Source: [SeberWild1989]. Deviations: none.
func (f *Fit) Band(p, level float64) (Band, error) {
	const function = "Band"
	if !(level > 0 && level < 1) {
		return Band{}, &DomainError{function, "level", level, "more than 0 and less than 1"}
	}
	if f.points == len(f.theta) {
		return Band{}, &TooFewPointsError{"a band of " + f.Model, f.points, f.points + 1}
	}
	if least := min(1, f.low); !(p >= least) || math.IsInf(p, 0) {
		return Band{}, &DomainError{function, "p", p, fmt.Sprintf("a finite number of at least %g", least)}
	}
	gradient := make([]float64, len(f.theta))
	f.form.gradient(gradient, f.theta, p)
	along := f.varianceAlong(gradient)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(f.points - len(f.theta))}.Quantile((1 + level) / 2)
	value := f.At(p)
	_, slope := f.form.miss(value, value)
	mean, one := float64(t*math.Sqrt(along)), float64(t*math.Sqrt(along+f.variance/(slope*slope)))
	return Band{
		P: p, Value: value,
		Confidence:   [2]float64{value - mean, value + mean},
		Prediction:   [2]float64{value - one, value + one},
		Extrapolates: f.Extrapolates(p),
	}, nil
}

// warn adds a warning.
func (f *Fit) warn(format string, args ...any) {
	f.Warnings = append(f.Warnings, fmt.Sprintf(format, args...))
}

// fail says why the law cannot hold.
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

// leastRelative returns the coefficients c that minimize the sum of squares of the
// relative errors c basis(p)/y - 1 over the points, by QR. All y are positive.
//
// Source: [Tofallis2008]. Deviations: none.
func leastRelative(d points, columns int, basis func(into []float64, p float64)) ([]float64, error) {
	if d.len() < columns {
		return nil, fmt.Errorf("regression: %d points do not determine %d coefficients", d.len(), columns)
	}
	a := mat.NewDense(d.len(), columns, nil)
	ones := make([]float64, d.len())
	unit := floats.Min(d.y) // so that no weight overflows
	for i, p := range d.p {
		row := a.RawRowView(i)
		basis(row, p)
		floats.Scale(unit/d.y[i], row)
		ones[i] = 1
	}
	c, err := solve(a, ones)
	if err != nil {
		return nil, err
	}
	floats.Scale(unit, c)
	return c, nil
}

// solve returns the c that minimizes |A c - y|, by QR.
func solve(a *mat.Dense, y []float64) ([]float64, error) {
	var qr mat.QR
	qr.Factorize(a)
	var c mat.VecDense
	if err := qr.SolveVecTo(&c, false, mat.NewVecDense(len(y), y)); err != nil {
		if _, poor := err.(mat.Condition); !poor || c.Len() == 0 {
			return nil, fmt.Errorf("regression: the points do not determine the coefficients: %w", err)
		}
	}
	return c.RawVector().Data, nil
}
