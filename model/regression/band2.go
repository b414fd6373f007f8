package regression

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

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
	return Band2{Value: value, Prediction: [2]float64{value - half, value + half}, Extrapolates: m.Extrapolates(p, q)}, nil
}
