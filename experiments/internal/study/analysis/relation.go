package analysis

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// A Relation is an equation that all configurations of a table fulfil, such as
// r1 + r2 + r3 = 12: the sum of Coefficients times the values of Factors, or times their
// natural logarithms, is Constant.
type Relation struct {
	Factors      []int // of the table, ascending; at least two
	Coefficients []float64
	Constant     float64
	Log          bool
}

// exactly is the relative error up to which an equation holds.
const exactly = 1e-9

// Relation returns the linear equation between the values of numeric factors that
// all rows fulfil, or that between their logarithms; nil if there is none or more than
// one. Its coefficients are the eigenvector of the correlation matrix with the
// eigenvalue 0.
func (t *Table) Relation() *Relation {
	r, several := findRelation(t, false)
	if r == nil && !several {
		r, _ = findRelation(t, true)
	}
	return r
}

// findRelation looks for an equation of values or of logarithms, and says whether
// there are several.
func findRelation(t *Table, log bool) (r *Relation, several bool) {
	var factors []int
	var values [][]float64 // by factor, of the levels, scaled to mean 0 and deviation 1
	var means, scales []float64
	n := float64(len(t.Rows))
	for k := range t.Factors {
		f := &t.Factors[k]
		if !f.Numeric() {
			continue
		}
		v := make([]float64, len(f.Levels))
		for i, l := range f.Levels {
			if v[i] = l.Value; log {
				v[i] = math.Log(l.Value)
			}
		}
		mean, square := 0.0, 0.0
		for _, row := range t.Rows {
			mean += v[row.Levels[k]] / n
		}
		for _, row := range t.Rows {
			d := v[row.Levels[k]] - mean
			square += float64(d*d) / n
		}
		if !Finite(square) || square <= float64(1e-24*mean*mean) {
			continue // not varied, or without a logarithm
		}
		scale := math.Sqrt(square)
		for i := range v {
			v[i] = (v[i] - mean) / scale
		}
		factors, values = append(factors, k), append(values, v)
		means, scales = append(means, mean), append(scales, scale)
	}
	if len(factors) < 2 || len(t.Rows) <= len(factors) {
		return nil, true // so few points fulfil many equations
	}
	correlations := mat.NewSymDense(len(factors), nil)
	for i, a := range factors {
		for j := range i + 1 {
			sum := 0.0
			for _, row := range t.Rows {
				sum += float64(values[i][row.Levels[a]] * values[j][row.Levels[factors[j]]])
			}
			correlations.SetSym(i, j, sum/n)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(correlations, true) {
		return nil, false
	}
	const small = 1e-10
	if found := eigen.Values(nil); found[0] > small || found[1] <= small {
		return nil, found[1] <= small
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	r = &Relation{Log: log}
	for i, k := range factors {
		if c := vectors.At(i, 0); math.Abs(c) > 1e-7 {
			r.Factors = append(r.Factors, k)
			r.Coefficients = append(r.Coefficients, c/scales[i])
			r.Constant += float64(c / scales[i] * means[i])
		}
	}
	if len(r.Factors) < 2 {
		return nil, false
	}
	r.normalize()
	for _, row := range t.Rows {
		if !r.holds(t, row.Levels) {
			return nil, false
		}
	}
	return r, false
}

// normalize makes the smallest coefficient 1, and round numbers round.
func (r *Relation) normalize() {
	smallest := r.Coefficients[0]
	for _, c := range r.Coefficients {
		if math.Abs(c) < math.Abs(smallest)*(1-exactly) {
			smallest = c
		}
	}
	round := func(x float64) float64 {
		if near := math.Round(x*1e6) / 1e6; math.Abs(x-near) <= 1e-7*math.Abs(x) {
			return near
		}
		return x
	}
	for i := range r.Coefficients {
		r.Coefficients[i] = round(r.Coefficients[i] / smallest)
	}
	r.Constant = round(r.Constant / smallest)
}

// holds reports whether a configuration fulfils the equation.
func (r *Relation) holds(t *Table, levels []int) bool {
	sum, size := 0.0, math.Abs(r.Constant)
	for i, k := range r.Factors {
		v := t.Factors[k].Levels[levels[k]].Value
		if r.Log {
			v = math.Log(v)
		}
		term := float64(r.Coefficients[i] * v)
		sum, size = sum+term, max(size, math.Abs(term))
	}
	return math.Abs(sum-r.Constant) <= 1e-6*size
}

// Describe writes the equation with the names of the factors, as in
// r1 + r2 + r3 = 12 or n1 n2^2 = 64.
func (r *Relation) Describe(t *Table) string {
	var b strings.Builder
	for i, k := range r.Factors {
		c, name := r.Coefficients[i], t.Factors[k].Name
		switch {
		case r.Log && i > 0:
			b.WriteString(" * ")
		case r.Log:
		case i > 0 && c < 0:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		case c < 0:
			b.WriteString("-")
		}
		switch {
		case r.Log && c != 1:
			fmt.Fprintf(&b, "%s^%.4g", name, c)
		case !r.Log && math.Abs(c) != 1:
			fmt.Fprintf(&b, "%.4g %s", math.Abs(c), name)
		default:
			b.WriteString(name)
		}
	}
	constant := r.Constant
	if r.Log {
		constant = math.Exp(constant)
	}
	fmt.Fprintf(&b, " = %.6g", constant)
	return b.String()
}
