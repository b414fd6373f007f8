package regression

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Sample2 is a point over two parameters. Several samples of one P and Q are
// repetitions.
type Sample2 struct {
	P, Q float64 // >= 0
	Y    float64 // in the unit of the caller
}

// NormalForm2 is the performance model normal form of two parameters, fitted to
// points. It is immutable.
type NormalForm2 struct {
	Formula   string // with the fitted numbers, y as a function of p and q
	Constant  float64
	Products  []Product // none if y was found to depend on neither
	Selection Cost      // of all points; by its SMAPE the form was chosen

	RMSE float64 // of all points, in the unit of y
	// CrossSMAPE is the SMAPE of points left out one by one. The form stays, and its
	// coefficients are those of least squares. NaN if a fit without a point fails.
	CrossSMAPE float64

	lowP, highP, lowQ, highQ float64
	samples                  []Sample2 // averaged
}

// A Product is a coefficient times a term of either parameter, of which one may be
// the zero Term, 1.
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
	return m.lowP, m.highP, m.lowQ, m.highQ
}

// Extrapolates reports whether p or q is outside the range of the samples.
func (m *NormalForm2) Extrapolates(p, q float64) bool {
	return !(p >= m.lowP && p <= m.highP && q >= m.lowQ && q <= m.highQ)
}

// FitNormalForm2 fits the performance model normal form of two parameters. With f
// and g the terms that [FitNormalForm] chooses, by leave-one-out, for y over p and
// over q alone, the candidates are
//
//	c0 + c1 f g,   c0 + c1 f + c2 g,   c0 + c1 f + c2 f g,   c0 + c1 g + c2 f g,
//
// fitted to all points by least squares. The first is the model to beat; one after
// the other takes the lead if its SMAPE of all points is strictly smaller, unless a
// coefficient is 0 or one of its terms stays below 0.0005 |y| at all points. If y
// depends on one parameter alone, it is the model of that, with the coefficients
// from it or from all points, whichever has the smaller SMAPE; if on neither, the mean.
//
// For y over p alone, the points are averaged over q: over those lines of equal q
// that have the most points. It needs a line of at least 5 different p and one of at
// least 5 different q.
//
// Source: rules of Extra-P, after [Calotoiu2016]. Deviations: fewer points are an
// error, where Extra-P warns.
func FitNormalForm2(samples []Sample2) (*NormalForm2, error) {
	const function = "FitNormalForm2"
	d, err := average2(function, samples)
	if err != nil {
		return nil, err
	}
	m := &NormalForm2{lowP: math.Inf(1), highP: math.Inf(-1), lowQ: math.Inf(1), highQ: math.Inf(-1)}
	for _, s := range d {
		m.lowP, m.highP = min(m.lowP, s.P), max(m.highP, s.P)
		m.lowQ, m.highQ = min(m.lowQ, s.Q), max(m.highQ, s.Q)
	}
	var single [2]candidate
	for k := range single {
		line := alongLines(d, k)
		if line.len() < fewestPoints {
			return nil, &TooFewPointsError{"the normal form of two parameters along " + [2]string{"p", "q"}[k],
				line.len(), fewestPoints}
		}
		single[k] = choose(leaveOneOut, line)
	}
	y := make([]float64, len(d))
	for i, s := range d {
		y[i] = s.Y
	}
	mean := stat.Mean(y, nil)
	var tss float64
	for _, v := range y {
		tss += float64((v - mean) * (v - mean))
	}

	f, g := Product{P: single[0].form.Term}, Product{Q: single[1].form.Term}
	none := Term{}
	switch {
	case f.P == none && g.Q == none:
		m.Constant = mean
		m.cost(d, tss)
		m.Selection.AdjustedR2 = 1
	case f.P == none || g.Q == none:
		one, of := f, single[0]
		if f.P == none {
			one, of = g, single[1]
		}
		one.Coefficient = of.coefficient
		m.Constant, m.Products = of.constant, []Product{one}
		m.cost(d, tss)
		again := *m
		if again.fit(d, y, []Product{one}) {
			again.cost(d, tss)
			if again.Selection.SMAPE < m.Selection.SMAPE {
				*m = again
			}
		}
	default:
		fg := Product{P: f.P, Q: g.Q}
		found := false
		for i, products := range [][]Product{{fg}, {f, g}, {f, fg}, {g, fg}} {
			next := *m
			if !next.fit(d, y, products) {
				continue
			}
			next.cost(d, tss)
			if !found && i == 0 || next.contributes(d) && (!found || next.Selection.SMAPE < m.Selection.SMAPE) {
				*m, found = next, true
			}
		}
		if !found {
			return nil, fmt.Errorf("regression: the points do not determine a normal form of two parameters")
		}
	}
	m.exact(d)
	m.Formula = m.formula()
	m.samples = d
	m.RMSE = math.Sqrt(m.Selection.RSS / float64(len(d)))
	m.CrossSMAPE = m.crossSMAPE()
	return m, nil
}

// average2 checks the samples, averages repetitions and sorts by p, then q.
func average2(function string, samples []Sample2) ([]Sample2, error) {
	for i, s := range samples {
		for k, v := range [2]float64{s.P, s.Q} {
			if !(v >= 0) || math.IsInf(v, 0) {
				return nil, &DomainError{function, fmt.Sprintf("%s[%d]", [2]string{"p", "q"}[k], i), v,
					"a finite number of at least 0"}
			}
		}
		if math.IsNaN(s.Y) || math.IsInf(s.Y, 0) {
			return nil, &DomainError{function, fmt.Sprintf("y[%d]", i), s.Y, "a finite number"}
		}
	}
	sorted := slices.SortedFunc(slices.Values(samples), func(a, b Sample2) int {
		return cmp.Or(cmp.Compare(a.P, b.P), cmp.Compare(a.Q, b.Q), cmp.Compare(a.Y, b.Y))
	})
	var d []Sample2
	for i := 0; i < len(sorted); {
		s := sorted[i]
		var repeated []float64
		for ; i < len(sorted) && sorted[i].P == s.P && sorted[i].Q == s.Q; i++ {
			repeated = append(repeated, sorted[i].Y)
		}
		d = append(d, Sample2{s.P, s.Q, stat.Mean(repeated, nil)})
	}
	return d, nil
}

// alongLines returns y over one parameter, 0 for p and 1 for q: of the lines on
// which the other has one value, those with the most points, averaged.
func alongLines(d []Sample2, parameter int) points {
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
			if line.len() == 0 {
				lines = append(lines, s.Q)
			} else if !slices.Contains(lines, s.Q) {
				continue
			}
			y = append(y, s.Y)
		}
		if len(y) > 0 {
			line.p, line.y = append(line.p, p), append(line.y, stat.Mean(y, nil))
		}
	}
	return line
}

// fit sets constant and coefficients of these products.
func (m *NormalForm2) fit(d []Sample2, y []float64, products []Product) bool {
	if len(d) < len(products)+1 {
		return false
	}
	a := mat.NewDense(len(d), len(products)+1, nil)
	for i, s := range d {
		basis2(a.RawRowView(i), products, s.P, s.Q)
	}
	c, err := solve(a, y)
	if err != nil {
		return false
	}
	m.Constant, m.Products = c[0], slices.Clone(products)
	for j := range m.Products {
		m.Products[j].Coefficient = c[j+1]
	}
	return true
}

// basis2 sets into to 1 and the products without their coefficients.
func basis2(into []float64, products []Product, p, q float64) {
	into[0] = 1
	for j, x := range products {
		x.Coefficient = 1
		into[j+1] = x.At(p, q)
	}
}

func (m *NormalForm2) cost(d []Sample2, tss float64) {
	m.Selection = Cost{}
	var smape float64
	for _, s := range d {
		predicted := m.At(s.P, s.Q)
		m.Selection.RSS += float64((predicted - s.Y) * (predicted - s.Y))
		smape += symmetricError(predicted, s.Y)
	}
	n := float64(len(d))
	m.Selection.SMAPE = 100 * smape / n
	// Extra-P counts a product of two terms as two parameters.
	factors := 0.0
	for _, x := range m.Products {
		for _, t := range []Term{x.P, x.Q} {
			if t != (Term{}) {
				factors++
			}
		}
	}
	m.Selection.AdjustedR2 = 1 - m.Selection.RSS/tss*(n-1)/(n-factors-1)
}

func (m *NormalForm2) contributes(d []Sample2) bool {
	for _, x := range m.Products {
		enough := func(s Sample2) bool { return math.Abs(x.At(s.P, s.Q)/s.Y) >= leastContribution }
		if x.Coefficient == 0 || !slices.ContainsFunc(d, enough) {
			return false
		}
	}
	return true
}

// exact takes a constant for 0 that is rounding at all points.
func (m *NormalForm2) exact(d []Sample2) {
	most := 0.0
	for _, s := range d {
		most = max(most, math.Abs(m.At(s.P, s.Q)))
	}
	for _, s := range d {
		if len(m.Products) == 0 || math.Abs(m.Constant) > max(rounding*math.Abs(m.At(s.P, s.Q)),
			leastSquaresRounding*most) {
			return
		}
	}
	m.Constant = 0
}

func (m *NormalForm2) formula() string {
	var s strings.Builder
	if m.Constant != 0 || len(m.Products) == 0 {
		fmt.Fprintf(&s, "%.6g", m.Constant)
	}
	for _, x := range m.Products {
		if s.Len() == 0 {
			fmt.Fprintf(&s, "%.6g", x.Coefficient)
		} else {
			fmt.Fprintf(&s, " %s", signed(x.Coefficient))
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

// crossSMAPE predicts each point from all others.
func (m *NormalForm2) crossSMAPE() float64 {
	predicted, actual := make([]float64, len(m.samples)), make([]float64, len(m.samples))
	for i, s := range m.samples {
		rest := append(append(make([]Sample2, 0, len(m.samples)-1), m.samples[:i]...), m.samples[i+1:]...)
		y := make([]float64, len(rest))
		for k, r := range rest {
			y[k] = r.Y
		}
		without := *m
		if !without.fit(rest, y, m.Products) {
			return math.NaN()
		}
		predicted[i], actual[i] = withoutRounding(without.At(s.P, s.Q), s.Y), s.Y
	}
	return meanSMAPE(predicted, actual)
}

// A Band2 is what a model of two parameters says at one p and q, in the unit of y.
type Band2 struct {
	Value        float64
	Prediction   [2]float64 // of one more point
	Extrapolates bool       // p or q is outside the range of the samples
}

// Band returns the prediction band at p and q,
//
//	y(p, q) -+ t s sqrt(1 + g' (A'A)^-1 g)
//
//	t    quantile (1 + level)/2 of Student's t with n - m degrees of freedom
//	s^2  RSS/(n - m)
//	A    1 and the products without coefficients at all points, g at p and q
//
// for independent normal errors of one variance. It does not know that the form was
// chosen by the same points, and it takes the coefficients for those of least squares
// over all points.
//
// Source: [SeberWild1989]. Deviations: none.
func (m *NormalForm2) Band(p, q, level float64) (Band2, error) {
	const function = "Band"
	if !(level > 0 && level < 1) {
		return Band2{}, &DomainError{function, "level", level, "more than 0 and less than 1"}
	}
	for k, v := range [2]float64{p, q} {
		if !(v >= 0) || math.IsInf(v, 0) {
			return Band2{}, &DomainError{function, [2]string{"p", "q"}[k], v, "a finite number of at least 0"}
		}
	}
	n, columns := len(m.samples), len(m.Products)+1
	if n <= columns {
		return Band2{}, &TooFewPointsError{"a band of the normal form of two parameters", n, columns + 1}
	}
	a := mat.NewDense(n, columns, nil)
	for i, s := range m.samples {
		basis2(a.RawRowView(i), m.Products, s.P, s.Q)
	}
	g := make([]float64, columns)
	basis2(g, m.Products, p, q)
	// Columns of length 1: the coefficients of p^3 and of a constant differ by far.
	column := make([]float64, n)
	for j := range columns {
		mat.Col(column, j, a)
		length := floats.Norm(column, 2)
		floats.Scale(1/length, column)
		a.SetCol(j, column)
		g[j] /= length
	}
	// g' (A'A)^-1 g = |x|^2 with R' x = g, for A = Q R.
	var qr mat.QR
	qr.Factorize(a)
	var r mat.Dense
	qr.RTo(&r)
	var x mat.VecDense
	if err := x.SolveVec(r.Slice(0, columns, 0, columns).T(), mat.NewVecDense(columns, g)); err != nil && x.Len() == 0 {
		return Band2{}, err
	}
	leverage := mat.Norm(&x, 2)
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - columns)}.Quantile((1 + level) / 2)
	value := m.At(p, q)
	half := t * math.Sqrt(m.Selection.RSS/float64(n-columns)*(1+float64(leverage*leverage)))
	return Band2{Value: value, Prediction: [2]float64{value - half, value + half},
		Extrapolates: m.Extrapolates(p, q)}, nil
}
