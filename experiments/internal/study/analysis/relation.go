package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/isoscale/isoscale/internal/each"
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

// Relation returns the linear equation between the values of numeric factors, or between their logarithms, that all
// rows fulfil; nil if there is none or more than one. Its coefficients are the eigenvector of the correlation matrix
// with eigenvalue 0.
func (t *Table) Relation() *Relation {
	r, several := t.relation(false)
	if r == nil && !several {
		r, _ = t.relation(true)
	}
	return r
}

// relation looks for an equation of values or of logarithms, and says whether
// there are several.
func (t *Table) relation(log bool) (r *Relation, several bool) {
	r = &Relation{Log: log}
	var columns [][]float64
	var scales []float64
	for k := range t.Factors {
		if !t.Factors[k].Numeric {
			continue
		}
		column := each.Of(t.Rows, func(row Row) float64 { return r.value(t, k, row.Levels) })
		mean, scale := stat.PopMeanStdDev(column, nil)
		if !Finite(scale) || scale <= 1e-12*math.Abs(mean) {
			continue // not varied, or without a logarithm
		}
		r.Factors, columns, scales = append(r.Factors, k), append(columns, column), append(scales, scale)
	}
	if len(columns) < 2 || len(t.Rows) <= len(columns) {
		return nil, true // so few points fulfil many equations
	}
	correlations := mat.NewSymDense(len(columns), nil)
	for i := range columns {
		for j := range i + 1 {
			correlations.SetSym(i, j, stat.Correlation(columns[i], columns[j], nil))
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
	numeric := r.Factors
	r.Factors = nil
	for i, k := range numeric {
		if c := vectors.At(i, 0); math.Abs(c) > 1e-7 {
			r.Factors, r.Coefficients = append(r.Factors, k), append(r.Coefficients, c/scales[i])
			r.Constant += float64(c / scales[i] * stat.Mean(columns[i], nil))
		}
	}
	if len(r.Factors) < 2 {
		return nil, false
	}
	r.normalize()
	if slices.ContainsFunc(t.Rows, func(row Row) bool { return !r.holds(t, row.Levels) }) {
		return nil, false
	}
	return r, false
}

// normalize makes the smallest coefficient 1, and rounds numbers that are almost round.
func (r *Relation) normalize() {
	smallest := r.Coefficients[0]
	for _, c := range r.Coefficients {
		if math.Abs(c) < math.Abs(smallest)*(1-1e-9) {
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

// value is that of a factor, or its logarithm.
func (r *Relation) value(t *Table, factor int, levels []int) float64 {
	v := t.Factors[factor].Levels[levels[factor]].Value
	if r.Log {
		return math.Log(v)
	}
	return v
}

// holds reports whether a configuration fulfils the equation.
func (r *Relation) holds(t *Table, levels []int) bool {
	sum, size := 0.0, math.Abs(r.Constant)
	for i, k := range r.Factors {
		term := float64(r.Coefficients[i] * r.value(t, k, levels))
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
