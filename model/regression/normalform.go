package regression

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat"
)

// NormalForm is the performance model normal form with one term, fitted to points.
type NormalForm struct {
	*Fit
	Constant    float64 // c0, in the unit of y
	Coefficient float64 // c1, in the unit of y over that of the term; 0 if Term is none
	Term        Term    // the zero Term if y was found not to depend on p
	// Selection is the cost by which the term was chosen.
	Selection Cost
}

// Cost is by what a model of the normal form is compared with others. For a model
// with terms of one parameter, residuals are those of points predicted from all the
// others; for the constant, and with two parameters, those of the fit.
type Cost struct {
	RSS        float64 // sum of squared residuals, in the squared unit of y
	SMAPE      float64 // of the residuals, %
	AdjustedR2 float64 // of RSS; 1 for a constant, by convention
}

// selection says on which residuals models are compared.
type selection int

const (
	// leaveOneOut predicts each point from all the others.
	leaveOneOut selection = iota
	// allPoints takes the residuals of the fit. The smallest of them need not
	// belong to the model that predicts best.
	allPoints
)

// What follows are the numbers of Extra-P.
const (
	// fewestPoints is the number of different p without which a normal form is
	// not asked for: [Calotoiu2013] calls it a rule of thumb.
	fewestPoints = 5
	// leastContribution is what a term must reach at some point, relative to y.
	leastContribution = 0.0005
	// A constant is taken for zero when it is less than this part of the least y:
	// under leaveOneOut in the fits that predict a point, under allPoints in the
	// result too.
	zeroConstantLeaveOneOut = 0.0005
	zeroConstantAllPoints   = 0.001
)

// FitNormalForm fits the performance model normal form with one term,
//
//	y(p) = c0   or   y(p) = c0 + c1 p^(i/j) log2(p)^k,
//
// with (i/j, k) out of 42 pairs and c0, c1 by least squares. The term is found as in
// Extra-P: the mean is the model to beat; one term after the other, without those that have
// a logarithm if any p is below 1, is fitted, and takes the lead if its SMAPE is strictly
// smaller, unless c1 is 0 or c1 p^(i/j) log2(p)^k stays below 0.0005 |y| at all points. If all y are
// equal it is the constant at once. A constant below 0.0005 of the least |y| is
// taken for zero while predicting a point that was left out.
//
// It needs points of 5 different p. It describes growth: for y that fall with p,
// such as times of the same work, it can only subtract a growing term from a
// constant, and soon falls below 0; see [FitAmdahl] and [FitUSL].
//
// Source: [Calotoiu2013], rules of Extra-P. Deviations: fewer points are an error,
// where Extra-P warns.
func FitNormalForm(samples []Sample) (*NormalForm, error) { return fitNormalForm(leaveOneOut, samples) }

func fitNormalForm(by selection, samples []Sample) (*NormalForm, error) {
	d, err := average("FitNormalForm", "the performance model normal form", samples, fewestPoints, normalForms)
	if err != nil {
		return nil, err
	}
	return chosenNormalForm(by, d)
}

func chosenNormalForm(by selection, d points) (*NormalForm, error) {
	best := choose(by, d)
	fit, err := newFit(best.form, d)
	if err != nil {
		return nil, err
	}
	// The fit solves once more, and so does not know of a constant taken for zero.
	if best.form.Term != (Term{}) && best.constant == 0 {
		fit.theta[0] = 0
		fit.Parameters[0].Value = 0
		fit.Formula = best.form.formula(fit.theta)
		cross := fit.Quality.CrossSMAPE
		fit.Quality = quality(best.form, fit.theta, d)
		fit.Quality.CrossSMAPE = cross
		fit.variance = fit.Quality.Loss / float64(d.len()-len(fit.theta))
	}
	m := &NormalForm{Fit: fit, Constant: fit.theta[0], Term: best.form.Term, Selection: best.cost}
	if len(fit.theta) == 2 {
		m.Coefficient = fit.theta[1]
	}
	// The form rises or falls all the way: it is least at an end.
	if least := min(fit.At(fit.low), fit.At(fit.hi)); fit.positive && least <= 0 {
		fit.fail("the normal form falls to y = %.3g within the data, all of which are more than 0", least)
	}
	return m, nil
}

// candidate is a normal form with its cost.
type candidate struct {
	form                  normalForm
	constant, coefficient float64
	cost                  Cost
	nrss                  float64 // relative to the mean, for FitSegmented
}

// choose returns the best normal form of the points, of which there must be at
// least one.
func choose(by selection, d points) candidate {
	best := constant(d)
	tss := best.cost.RSS
	if tss == 0 {
		return best
	}
	values := points{make([]float64, d.len()), d.y} // the term at every p, instead of p
	for _, t := range searchSpace {
		if t.Log > 0 && d.p[0] < 1 {
			continue
		}
		for i, p := range d.p {
			values.p[i] = t.At(p)
		}
		next := candidate{form: normalForm{t}}
		if by == leaveOneOut {
			next.leaveOneOut(values)
		} else {
			next.allPoints(values)
		}
		// A cost that is not a number, of points that settle nothing, never leads.
		if next.contributes(values) && next.cost.SMAPE < best.cost.SMAPE && !math.IsInf(next.cost.RSS, 0) {
			n := float64(d.len())
			next.cost.AdjustedR2 = 1 - next.cost.RSS/tss*(n-1)/(n-2)
			best = next
		}
	}
	return best
}

func constant(d points) candidate {
	c := candidate{constant: stat.Mean(d.y, nil)}
	var error2, smape float64
	for _, y := range d.y {
		error2 += float64((c.constant - y) * (c.constant - y))
		smape += symmetricError(c.constant, y)
	}
	c.cost = Cost{RSS: error2, SMAPE: 100 * smape / float64(d.len()), AdjustedR2: 1}
	if error2 > 0 {
		c.nrss = math.Sqrt(error2) / c.constant
	}
	return c
}

// leaveOneOut fits to all points, having found the cost with each left out.
func (c *candidate) leaveOneOut(values points) {
	n := float64(values.len())
	for i, y := range values.y {
		rest := values.without(i)
		c.constant, c.coefficient = stat.LinearRegression(rest.p, rest.y, nil, false)
		c.dropConstant(zeroConstantLeaveOneOut, rest.y)
		predicted := c.constant + float64(c.coefficient*values.p[i])
		c.cost.RSS += float64((predicted - y) * (predicted - y))
		c.cost.SMAPE += 100 * symmetricError(predicted, y) / n
		// A mean of running sums: that is how Extra-P has it, and its thresholds
		// for segments are made for it.
		c.nrss += math.Sqrt(c.cost.RSS) / stat.Mean(rest.y, nil) / n
	}
	c.constant, c.coefficient = stat.LinearRegression(values.p, values.y, nil, false)
}

func (c *candidate) allPoints(values points) {
	c.constant, c.coefficient = stat.LinearRegression(values.p, values.y, nil, false)
	c.dropConstant(zeroConstantAllPoints, values.y)
	var smape float64
	for i, y := range values.y {
		predicted := c.constant + float64(c.coefficient*values.p[i])
		c.cost.RSS += float64((predicted - y) * (predicted - y))
		smape += symmetricError(predicted, y)
	}
	c.cost.SMAPE = 100 * smape / float64(values.len())
}

func (c *candidate) dropConstant(part float64, y []float64) {
	least := y[0]
	for _, v := range y {
		least = min(least, v)
	}
	if least == 0 {
		least = 1
	}
	if math.Abs(c.constant/least) < part {
		c.constant = 0
	}
}

func (c *candidate) contributes(values points) bool {
	if c.coefficient == 0 {
		return false
	}
	for i, y := range values.y {
		if math.Abs(c.coefficient*values.p[i]/y) >= leastContribution {
			return true
		}
	}
	return false
}

// normalForm has the parameters c0 and, if it has a term, c1.
type normalForm struct{ Term Term }

func (f normalForm) name() string { return "normal form" }

func (f normalForm) parameters() []string {
	if f.Term == (Term{}) {
		return []string{"c0"}
	}
	return []string{"c0", "c1"}
}

func (f normalForm) value(theta []float64, p float64) float64 {
	if len(theta) == 1 {
		return theta[0]
	}
	return theta[0] + float64(theta[1]*f.Term.At(p))
}

func (f normalForm) gradient(into, theta []float64, p float64) {
	into[0] = 1
	if len(theta) == 2 {
		into[1] = f.Term.At(p)
	}
}

func (f normalForm) miss(value, y float64) (miss, slope float64) { return value - y, 1 }

func (f normalForm) solve(d points) ([]float64, error) {
	if f.Term == (Term{}) {
		return []float64{stat.Mean(d.y, nil)}, nil
	}
	values := make([]float64, d.len())
	for i, p := range d.p {
		values[i] = f.Term.At(p)
	}
	c0, c1 := stat.LinearRegression(values, d.y, nil, false)
	return []float64{c0, c1}, nil
}

// exact takes a constant for 0 that is rounding.
func (f normalForm) exact(theta []float64, d points) {
	value := func(p float64) float64 { return f.value(theta, p) }
	if len(theta) == 2 && d.noise(value, func(float64) float64 { return theta[0] }) {
		theta[0] = 0
	}
}

func (f normalForm) formula(theta []float64) string {
	switch {
	case len(theta) == 1:
		return fmt.Sprintf("%.6g", theta[0])
	case theta[0] == 0:
		return fmt.Sprintf("%.6g %s", theta[1], f.Term)
	}
	return fmt.Sprintf("%.6g %s %s", theta[0], signed(theta[1]), f.Term)
}

// A Term is a way to grow, p^(Numerator/Denominator) log2(p)^Log. The zero Term
// stands for no growth at all.
type Term struct {
	Numerator, Denominator int // i and j, in lowest terms
	Log                    int // k
}

// searchSpace are the 42 terms that the normal form may have, in the order in which
// they are tried.
//
// Source: the default search space of Extra-P; [Calotoiu2013] has the form, with
// another choice of exponents.
var searchSpace = [42]Term{
	{0, 1, 1}, {0, 1, 2},
	{1, 4, 0}, {1, 3, 0}, {1, 4, 1}, {1, 3, 1}, {1, 4, 2}, {1, 3, 2},
	{1, 2, 0}, {1, 2, 1}, {1, 2, 2},
	{2, 3, 0}, {3, 4, 0}, {2, 3, 1}, {3, 4, 1}, {4, 5, 0}, {2, 3, 2}, {3, 4, 2},
	{1, 1, 0}, {1, 1, 1}, {1, 1, 2},
	{5, 4, 0}, {5, 4, 1}, {4, 3, 0}, {4, 3, 1},
	{3, 2, 0}, {3, 2, 1}, {3, 2, 2},
	{5, 3, 0}, {7, 4, 0},
	{2, 1, 0}, {2, 1, 1}, {2, 1, 2},
	{9, 4, 0}, {7, 3, 0},
	{5, 2, 0}, {5, 2, 1}, {5, 2, 2},
	{8, 3, 0}, {11, 4, 0},
	{3, 1, 0}, {3, 1, 1},
}

// At returns the value of the term at p > 0; the zero Term is 1.
func (t Term) At(p float64) float64 {
	v := 1.0
	if t.Numerator != 0 {
		v = math.Pow(p, t.Exponent())
	}
	for range t.Log {
		v *= math.Log2(p)
	}
	return v
}

// Exponent returns that of p, i/j.
func (t Term) Exponent() float64 {
	if t.Numerator == 0 {
		return 0
	}
	return float64(t.Numerator) / float64(t.Denominator)
}

// String returns the term for p, such as "p^(3/2) log2(p)^2".
func (t Term) String() string { return t.of("p") }

func (t Term) of(name string) string {
	var s string
	switch {
	case t.Numerator == 0:
	case t.Numerator == 1 && t.Denominator == 1:
		s = name
	case t.Denominator == 1:
		s = name + "^" + strconv.Itoa(t.Numerator)
	default:
		s = fmt.Sprintf("%s^(%d/%d)", name, t.Numerator, t.Denominator)
	}
	if t.Log > 0 {
		if s != "" {
			s += " "
		}
		s += "log2(" + name + ")"
		if t.Log > 1 {
			s += "^" + strconv.Itoa(t.Log)
		}
	}
	if s == "" {
		return "1"
	}
	return s
}
