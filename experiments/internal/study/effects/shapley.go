package effects

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// shares returns the sums of squares of the terms from one on by a method: what is lost
// without each, or its Shapley value.
func (m *model) shares(by Method, from int) []float64 {
	if by == Shapley {
		return m.shapley(from)
	}
	var lost []float64
	for _, t := range m.terms[from:] {
		lost = append(lost, t.SumOfSquares)
	}
	return lost
}

// shapley divides what the terms of a model explain, from the given one on, among
// them; the terms before are always in the model. Where terms depend on each other,
// what a term adds depends on which are there before it. Its Shapley value is the mean
// of that over all orders of the terms, so that the values add up to what all explain
// together.
//
// Of more than mostSubsets terms it is the mean over a number of random orders and
// their reverses, the same each time.
//
// Source: the decomposition of Lindeman, Merenda and Gold, as in [Groemping2007]; for
// variances [Owen2014].
func (m *model) shapley(from int) []float64 {
	n := len(m.terms) - from
	if n > mostSubsets {
		return m.sampledShapley(from)
	}
	values := make([]float64, n)
	explained := make([]float64, 1<<n)
	for set := range explained {
		explained[set] = m.explained(from, set)
	}
	// The share of the orders in which exactly so many given terms come before one.
	weights := make([]float64, n)
	choose := 1.0 // n - 1 over k
	for k := range n {
		weights[k] = 1 / (float64(n) * choose)
		choose *= float64(n-1-k) / float64(k+1)
	}
	for set := range explained {
		size := 0
		for t := range n {
			size += set >> t & 1
		}
		for t := range n {
			if set>>t&1 == 0 {
				values[t] += float64(weights[size] * (explained[set|1<<t] - explained[set]))
			}
		}
	}
	return values
}

const (
	mostSubsets  = 10
	randomOrders = 100
)

// sampledShapley is shapley by random orders.
func (m *model) sampledShapley(from int) []float64 {
	n := len(m.terms) - from
	values := make([]float64, n)
	random := rand.New(rand.NewPCG(uint64(n), 0))
	for range randomOrders {
		order := random.Perm(n)
		m.addInOrder(values, order, from)
		slices.Reverse(order)
		m.addInOrder(values, order, from)
	}
	floats.Scale(1/(2.0*randomOrders), values)
	return values
}

// columnsOf returns the columns of a term.
func (m *model) columnsOf(term int) []int {
	first := 0
	for _, t := range m.terms[:term] {
		first += t.DF
	}
	columns := make([]int, m.terms[term].DF)
	for i := range columns {
		columns[i] = first + i
	}
	return columns
}

// explained returns the sum of squares that the terms before one and a set of those
// from it on explain.
func (m *model) explained(from, set int) float64 {
	var columns []int
	for t := range m.terms {
		if t < from || set>>(t-from)&1 == 1 {
			columns = append(columns, m.columnsOf(t)...)
		}
	}
	steps := m.steps(columns)
	return floats.Dot(steps, steps)
}

// addInOrder adds to each value what its term explains beyond those before it in an
// order.
func (m *model) addInOrder(values []float64, order []int, from int) {
	var columns []int
	for t := range from {
		columns = append(columns, m.columnsOf(t)...)
	}
	at := len(columns)
	for _, t := range order {
		columns = append(columns, m.columnsOf(from+t)...)
	}
	steps := m.steps(columns)
	for _, t := range order {
		part := steps[at : at+m.terms[from+t].DF]
		values[t] += floats.Dot(part, part)
		at += len(part)
	}
}

// steps returns numbers whose squares are what each of some columns explains beyond
// those before it: with the normal matrix L L' they are L^-1 times the products.
func (m *model) steps(columns []int) []float64 {
	if len(columns) == 0 {
		return nil
	}
	normal := mat.NewSymDense(len(columns), nil)
	steps := mat.NewVecDense(len(columns), nil)
	for i, a := range columns {
		steps.SetVec(i, m.products.AtVec(a))
		for j, b := range columns[:i+1] {
			normal.SetSym(i, j, m.normal.At(a, b))
		}
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(normal) {
		return make([]float64, len(columns)) // cannot be: a part of a matrix that has one
	}
	var lower mat.TriDense
	cholesky.LTo(&lower)
	if err := steps.SolveVec(&lower, steps); err != nil {
		return make([]float64, len(columns))
	}
	return steps.RawVector().Data
}
