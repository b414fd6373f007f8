package regression

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// NormalForm is the performance model normal form with one term, fitted to points.
type NormalForm struct {
	*Fit
	Constant    float64 // c0, in the unit of y
	Coefficient float64 // c1, in the unit of y over that of the term; 0 without a term
	Term        Term    // the zero Term if y was found not to depend on p
	// Selection is the cost by which the term was chosen.
	Selection Cost
}

// Cost is what models of the normal form are compared by. For a model with a term of
// one parameter, residuals are those of points predicted from all others; for the
// constant, and with two parameters, those of the fit.
type Cost struct {
	RSS        float64 // sum of squared residuals, in the squared unit of y
	SMAPE      float64 // of the residuals, %
	AdjustedR2 float64 // of RSS; 1 for a constant, by convention
}

// selection says by which residuals models are compared.
type selection int

const (
	// leaveOneOut predicts each point from all others.
	leaveOneOut selection = iota
	// allPoints takes the residuals of the fit. The smallest of them need not
	// belong to the model that predicts best.
	allPoints
)

// The numbers of Extra-P.
const (
	// fewestPoints is the least number of different p for a normal form; [Calotoiu2013]
	// calls it a rule of thumb.
	fewestPoints = 5
	// leastContribution is the part of y that a term must reach at some point.
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
// with (i/j, k) out of 42 pairs and c0, c1 by least squares. The term is found as in Extra-P: the
// mean is the model to beat. The terms are fitted one after the other, those with a logarithm only
// if no p is below 1. A term takes the lead if its SMAPE is strictly smaller, unless c1 is 0 or c1
// p^(i/j) log2(p)^k stays below 0.0005 |y| at all points. If all y are equal, the model is the
// constant at once. In the prediction of a point that was left out, a constant below 0.0005 of the
// least |y| counts as zero.
//
// It needs points of 5 different p. It describes growth: for y that fall with p,
// such as times of the same work, it can only subtract a growing term from a
// constant, and soon falls below 0; see [FitAmdahl] and [FitUSL].
//
// Source: [Calotoiu2013], rules of Extra-P. Deviations: fewer points are an error,
// where Extra-P warns.
func FitNormalForm(samples []Sample) (*NormalForm, error) { return fitNormalForm(leaveOneOut, samples) }

func fitNormalForm(by selection, samples []Sample) (*NormalForm, error) {
	d, err := average("FitNormalForm", "the performance model normal form", over(samples), fewestPoints, normalForms)
	if err != nil {
		return nil, err
	}
	return chosenNormalForm(by, d)
}

func chosenNormalForm(by selection, d points) (*NormalForm, error) {
	best := choose(by, d)
	form, c := normalForm(nil), []float64{best.constant}
	if best.term != (Term{}) {
		form, c = normalForm([]Product{{P: best.term}}), append(c, best.coefficient)
	}
	fit, err := newFit(form, c, d)
	if err != nil {
		return nil, err
	}
	m := &NormalForm{Fit: fit, Constant: c[0], Term: best.term, Selection: best.cost}
	if len(c) == 2 {
		m.Coefficient = c[1]
	}
	// The form is monotone, so its least value is at an end.
	low, high := fit.Range()
	if least := min(fit.At(low), fit.At(high)); d.least() > 0 && least <= 0 {
		fit.fail("the normal form falls to y = %.3g within the data, all of which are more than 0", least)
	}
	return m, nil
}

// candidate is a normal form with its cost.
type candidate struct {
	term                  Term
	constant, coefficient float64
	cost                  Cost
	nrss                  float64 // relative to the mean, for fitSegmented
}

// choose returns the best normal form of at least one point.
func choose(by selection, d points) candidate {
	y := d.y()
	best := candidate{constant: stat.Mean(y, nil)}
	best.cost = costOf(func(int) float64 { return best.constant }, y)
	best.cost.AdjustedR2 = 1
	tss := best.cost.RSS
	if tss == 0 {
		return best
	}
	best.nrss = math.Sqrt(tss) / best.constant
	x := make([]float64, len(d)) // the term at every p
	for _, t := range searchSpace {
		if t.Log > 0 && d[0].P < 1 {
			continue
		}
		for i, s := range d {
			x[i] = t.At(s.P)
		}
		next := candidate{term: t}
		if by == leaveOneOut {
			next.leaveOneOut(x, y)
		} else {
			next.line(zeroConstantAllPoints, x, y)
			next.cost = costOf(func(i int) float64 { return next.constant + float64(next.coefficient*x[i]) }, y)
		}
		// A cost of NaN, from points that determine nothing, never leads.
		if next.contributes(x, y) && next.cost.SMAPE < best.cost.SMAPE && !math.IsInf(next.cost.RSS, 0) {
			n := float64(len(d))
			next.cost.AdjustedR2 = 1 - next.cost.RSS/tss*(n-1)/(n-2)
			best = next
		}
	}
	return best
}

// costOf returns the cost of predictions, without AdjustedR2.
func costOf(predicted func(i int) float64, y []float64) Cost {
	var c Cost
	for i, v := range y {
		c.RSS += float64((predicted(i) - v) * (predicted(i) - v))
		c.SMAPE += symmetricError(predicted(i), v)
	}
	c.SMAPE *= 100 / float64(len(y))
	return c
}

// leaveOneOut finds the cost with each point left out, then fits to all points.
func (c *candidate) leaveOneOut(x, y []float64) {
	n := float64(len(y))
	for i := range y {
		restX, restY := slices.Concat(x[:i], x[i+1:]), slices.Concat(y[:i], y[i+1:])
		c.line(zeroConstantLeaveOneOut, restX, restY)
		predicted := c.constant + float64(c.coefficient*x[i])
		c.cost.RSS += float64((predicted - y[i]) * (predicted - y[i]))
		c.cost.SMAPE += 100 * symmetricError(predicted, y[i]) / n
		// A mean of running sums, as in Extra-P, whose thresholds for segments are made
		// for it.
		c.nrss += math.Sqrt(c.cost.RSS) / stat.Mean(restY, nil) / n
	}
	c.line(0, x, y)
}

// line fits the form; a constant below this part of the least y is taken for zero.
func (c *candidate) line(part float64, x, y []float64) {
	c.constant, c.coefficient = stat.LinearRegression(x, y, nil, false)
	if math.Abs(c.constant/cmp.Or(slices.Min(y), 1)) < part {
		c.constant = 0
	}
}

func (c *candidate) contributes(x, y []float64) bool {
	for i := range y {
		if c.coefficient != 0 && math.Abs(c.coefficient*x[i]/y[i]) >= leastContribution {
			return true
		}
	}
	return false
}

// normalForm is the sum of c0 and of products with the coefficients c1, c2, ...
func normalForm(products []Product) law {
	l := law{name: "normal form", basis: func(into []float64, p, q float64) {
		into[0] = 1
		for j, x := range products {
			into[j+1] = x.P.At(p) * x.Q.At(q)
		}
	}}
	for i := range len(products) + 1 {
		over := make([]float64, len(products)+1)
		over[i] = 1
		l.parameters = append(l.parameters, ratio{name: "c" + strconv.Itoa(i), over: over})
	}
	l.exact = func(c []float64, d points) { // a constant that is only rounding
		if len(products) > 0 && l.noise(c, d, term(c, 0)) {
			c[0] = 0
		}
	}
	l.formula = func(c []float64) string {
		var s strings.Builder
		if c[0] != 0 || len(products) == 0 {
			fmt.Fprintf(&s, "%.6g", c[0])
		}
		for j, x := range products {
			if s.Len() == 0 {
				fmt.Fprintf(&s, "%.6g", c[j+1])
			} else {
				fmt.Fprintf(&s, " %s", signed(c[j+1]))
			}
			if x.P != (Term{}) {
				s.WriteString(" " + x.P.of("p"))
			}
			if x.Q != (Term{}) {
				s.WriteString(" " + x.Q.of("q"))
			}
		}
		return s.String()
	}
	return l
}

// A Term is a way to grow, p^(Numerator/Denominator) log2(p)^Log. The zero Term
// stands for no growth at all.
type Term struct {
	Numerator, Denominator int // i and j, in lowest terms
	Log                    int // k
}

// searchSpace has the 42 terms that the normal form may have, in the order in which
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

// Exponent returns the exponent of p, i/j.
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
