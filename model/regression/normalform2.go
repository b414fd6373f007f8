package regression

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// NormalForm2 is the performance model normal form of two parameters, fitted to
// points. It is immutable.
type NormalForm2 struct {
	Formula   string // with the fitted numbers, y as a function of p and q
	Constant  float64
	Products  []Product // none if y was found to depend on neither
	Selection Cost      // of all points; its SMAPE decided the choice of the form

	RMSE float64 // of all points, in the unit of y
	// CrossSMAPE is the SMAPE of points left out one by one, with least-squares fits of
	// the same form. It is NaN if a fit without a point fails.
	CrossSMAPE float64

	fit *Fit
}

// A Product is a coefficient times a term of each parameter, one of which may be the
// zero Term, 1.
type Product struct {
	Coefficient float64
	P, Q        Term
}

// At returns the value of the product with its coefficient.
func (x Product) At(p, q float64) float64 { return x.Coefficient * x.P.At(p) * x.Q.At(q) }

// At returns what the model predicts for y at p and q.
func (m *NormalForm2) At(p, q float64) float64 {
	y := m.Constant
	for _, x := range m.Products {
		y += x.At(p, q)
	}
	return y
}

// Range returns the smallest and the largest p and q of the samples.
func (m *NormalForm2) Range() (lowP, highP, lowQ, highQ float64) {
	lowP, highP = m.fit.Range()
	lowQ, highQ = math.Inf(1), math.Inf(-1)
	for _, s := range m.fit.d {
		lowQ, highQ = min(lowQ, s.Q), max(highQ, s.Q)
	}
	return lowP, highP, lowQ, highQ
}

// Extrapolates reports whether p or q is outside the range of the samples.
func (m *NormalForm2) Extrapolates(p, q float64) bool {
	_, _, low, high := m.Range()
	return m.fit.Extrapolates(p) || !(q >= low && q <= high)
}

// FitNormalForm2 fits the performance model normal form of two parameters. With f
// and g the terms that [FitNormalForm] chooses, by leave-one-out, for y over p and
// over q alone, the candidates are
//
//	c0 + c1 f g,   c0 + c1 f + c2 g,   c0 + c1 f + c2 f g,   c0 + c1 g + c2 f g,
//
// fitted to all points by least squares. The first is the model to beat; one after the
// other takes the lead if its SMAPE of all points is strictly smaller, unless a coefficient
// is 0 or one of its terms stays below 0.0005 |y| at all points. If y depends on one
// parameter alone, the result is the model of that parameter, with its own coefficients or
// those fitted to all points, whichever has the smaller SMAPE; if on neither, the mean.
//
// For y over p alone, the points are averaged over q, using those lines of equal q that
// have the most points. It needs a line of at least 5 different p and one of at least 5
// different q.
//
// Source: rules of Extra-P, after [Calotoiu2016]. Deviations: fewer points are an
// error, where Extra-P warns.
func FitNormalForm2(samples []Sample2) (*NormalForm2, error) {
	d, err := average("FitNormalForm2", "the normal form of two parameters", samples, 0, normalForms)
	if err != nil {
		return nil, err
	}
	var single [2]candidate
	for k := range single {
		line := alongLines(d, k)
		if len(line) < fewestPoints {
			return nil, &TooFewPointsError{"the normal form of two parameters along " + [2]string{"p", "q"}[k],
				len(line), fewestPoints}
		}
		single[k] = choose(leaveOneOut, line)
	}
	f, g := Product{P: single[0].term}, Product{Q: single[1].term}
	none := Term{}
	var m *NormalForm2
	switch {
	case f.P == none && g.Q == none:
		m = newNormalForm2(d, []float64{stat.Mean(d.y(), nil)}, nil)
		m.Selection.AdjustedR2 = 1
	case f.P == none || g.Q == none:
		one, of := f, single[0]
		if f.P == none {
			one, of = g, single[1]
		}
		m = newNormalForm2(d, []float64{of.constant, of.coefficient}, []Product{one})
		if again := leastNormalForm2(d, []Product{one}); again != nil && again.Selection.SMAPE < m.Selection.SMAPE {
			m = again
		}
	default:
		fg := Product{P: f.P, Q: g.Q}
		for i, products := range [][]Product{{fg}, {f, g}, {f, fg}, {g, fg}} {
			next := leastNormalForm2(d, products)
			if next != nil && (i == 0 || next.contributes(d) && (m == nil || next.Selection.SMAPE < m.Selection.SMAPE)) {
				m = next
			}
		}
		if m == nil {
			return nil, fmt.Errorf("regression: the points do not determine a normal form of two parameters")
		}
	}
	c := []float64{m.Constant}
	for _, x := range m.Products {
		c = append(c, x.Coefficient)
	}
	if m.fit, err = newFit(normalForm(m.Products), c, d); err != nil {
		return nil, err
	}
	m.Constant, m.Formula, m.CrossSMAPE = c[0], m.fit.Formula, m.fit.Quality.CrossSMAPE
	m.RMSE = math.Sqrt(m.Selection.RSS / float64(len(d)))
	return m, nil
}

// alongLines returns y over one parameter (0: p, 1: q), averaged over the lines with
// the most points; on a line the other parameter is constant.
func alongLines(d points, parameter int) points {
	turned := slices.Clone(d)
	if parameter == 1 {
		for i, s := range d {
			turned[i] = Sample2{s.Q, s.P, s.Y}
		}
	}
	slices.SortFunc(turned, func(a, b Sample2) int { return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(a.Q, b.Q)) })
	length := make(map[float64]int)
	longest := 0
	for _, s := range turned {
		length[s.Q]++
		longest = max(longest, length[s.Q])
	}
	var line points
	var lines []float64 // the values of the other parameter at the first point
	for i := 0; i < len(turned); {
		p := turned[i].P
		var y []float64
		for ; i < len(turned) && turned[i].P == p; i++ {
			s := turned[i]
			if length[s.Q] != longest {
				continue
			}
			if len(line) == 0 {
				lines = append(lines, s.Q)
			} else if !slices.Contains(lines, s.Q) {
				continue
			}
			y = append(y, s.Y)
		}
		if len(y) > 0 {
			line = append(line, Sample2{P: p, Y: stat.Mean(y, nil)})
		}
	}
	return line
}

// leastNormalForm2 returns the form with its least-squares coefficients, or nil if the
// points do not determine them.
func leastNormalForm2(d points, products []Product) *NormalForm2 {
	form := normalForm(products)
	c, err := form.solve(d)
	if err != nil {
		return nil
	}
	return newNormalForm2(d, c, products)
}

// newNormalForm2 returns a form with its cost.
func newNormalForm2(d points, c []float64, products []Product) *NormalForm2 {
	m := &NormalForm2{Constant: c[0], Products: slices.Clone(products)}
	factors := 0.0 // Extra-P counts a product of two terms as two parameters
	for j := range m.Products {
		x := &m.Products[j]
		x.Coefficient = c[j+1]
		for _, t := range []Term{x.P, x.Q} {
			if t != (Term{}) {
				factors++
			}
		}
	}
	y := d.y()
	mean := stat.Mean(y, nil)
	m.Selection = costOf(func(i int) float64 { return m.At(d[i].P, d[i].Q) }, y)
	n, tss := float64(len(d)), costOf(func(int) float64 { return mean }, y).RSS
	m.Selection.AdjustedR2 = 1 - m.Selection.RSS/tss*(n-1)/(n-factors-1)
	return m
}

func (m *NormalForm2) contributes(d points) bool {
	for _, x := range m.Products {
		enough := func(s Sample2) bool { return math.Abs(x.At(s.P, s.Q)/s.Y) >= leastContribution }
		if x.Coefficient == 0 || !slices.ContainsFunc(d, enough) {
			return false
		}
	}
	return true
}

// Band returns the prediction band at p and q, as [Fit.Band] does for one parameter. It
// ignores that the form was chosen by the same points, and assumes that the coefficients
// are those of least squares over all points.
func (m *NormalForm2) Band(p, q, level float64) (Band, error) {
	for k, v := range [2]float64{p, q} {
		if !(v >= 0) || math.IsInf(v, 0) {
			return Band{}, &DomainError{"Band", [2]string{"p", "q"}[k], v, "a finite number of at least 0"}
		}
	}
	value, mean, one, err := m.fit.band(p, q, level)
	if err != nil {
		return Band{}, err
	}
	return Band{p, value, [2]float64{value - mean, value + mean}, [2]float64{value - one, value + one}, m.Extrapolates(p, q)}, nil
}
