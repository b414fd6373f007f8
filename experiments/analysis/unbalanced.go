package analysis

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// worstCondition is that of the normal equations of scaled columns from which on
// terms are taken to be indistinguishable.
const worstCondition = 1e10

// maxCodes bounds the columns of one factor that is not numeric, and maxColumns
// those of the whole model, so that time is bounded.
const (
	maxCodes   = 100
	maxColumns = 200
)

// unbalanced fits a linear model of coded factors.
//
// Weights are the numbers of repetitions, so that sums of squares are those of rows.
func (v *variation) unbalanced(e *EffectTable, interactions bool) {
	e.Method = LeastSquares
	y, weights := make([]float64, len(v.list)), make([]float64, len(v.list))
	for i, one := range v.list {
		y[i], weights[i] = one.mean, float64(one.rows)
	}
	e.Mean = stat.Mean(y, weights)
	var between float64
	for i := range y {
		y[i] -= e.Mean
		between += weights[i] * y[i] * y[i]
	}
	e.Total = Source{SumOfSquares: between + e.Error.SumOfSquares, DF: len(v.list) - 1 + e.Error.DF}

	codes := make([]coding, len(v.factors))
	var terms []int // columns of each term
	columns := 0
	for a := range v.factors {
		codes[a] = v.code(a)
		terms = append(terms, codes[a].width)
		columns += codes[a].width
	}
	main, ok := v.fit(codes, nil, terms, y, weights)
	if !ok {
		v.oneAtATime(e, y, weights)
		return
	}
	residual := main.residual
	df := len(v.list) - 1 - columns
	for a, k := range v.factors {
		m := MainEffect{Factor: k, Source: Source{SumOfSquares: main.loss[a], DF: codes[a].width}}
		effects := make([]float64, len(v.levels[a]))
		for l, level := range v.levels[a] {
			effects[l] = floats.Dot(codes[a].rows[level], main.coefficients[a])
		}
		mean := stat.Mean(effects, nil)
		for l, level := range v.levels[a] {
			m.Levels = append(m.Levels, LevelEffect{level, effects[l] - mean})
		}
		e.Main = append(e.Main, m)
	}
	if interactions && len(v.factors) > 1 {
		var pairs [][2]int
		all := columns
		for a := range v.factors {
			for b := a + 1; b < len(v.factors); b++ {
				pairs = append(pairs, [2]int{a, b})
				terms = append(terms, codes[a].slopes*codes[b].slopes)
				all += codes[a].slopes * codes[b].slopes
			}
		}
		with, ok := v.fit(codes, pairs, terms, y, weights)
		if !ok {
			e.warn("the %d configurations do not settle the interactions of %s (%d numbers): they are left out", len(v.list), v.names(v.factors), all)
		} else {
			residual = with.residual
			df = len(v.list) - 1 - all
			for i, p := range pairs {
				e.Interactions = append(e.Interactions, Interaction{
					Factors: [2]int{v.factors[p[0]], v.factors[p[1]]},
					Source:  Source{SumOfSquares: with.loss[len(v.factors)+i], DF: terms[len(v.factors)+i]},
				})
			}
		}
	}
	e.Higher = Source{SumOfSquares: residual, DF: df}
	if e.Higher.DF > 0 && between > 0 && residual > 0.2*between {
		e.warn("the linear model leaves %.0f %% of the variation among configurations: effects are rough", 100*residual/between)
	}
}

// coding turns the levels of a factor into columns of a linear model. The first
// slopes of them also take part in interactions.
type coding struct {
	width, slopes int
	rows          [][]float64 // for each level of the factor
}

// code codes one of the varied factors: a numeric one by its value from -1 to 1,
// by that of its logarithm if it is positive and spans more than a factor of ten,
// and from three levels on also by the square; another by sum contrasts.
func (v *variation) code(a int) coding {
	f := &v.table.Factors[v.factors[a]]
	c := coding{rows: make([][]float64, len(f.Levels))}
	last := len(v.levels[a]) - 1
	if !f.numeric() {
		if last > maxCodes {
			return coding{width: maxColumns + 1}
		}
		c.width, c.slopes = last, last
		for l, level := range v.levels[a] {
			row := make([]float64, last)
			if l == last {
				floats.AddConst(-1, row)
			} else {
				row[l] = 1
			}
			c.rows[level] = row
		}
		return c
	}
	c.width, c.slopes = min(last, 2), 1
	value := func(level int) float64 { return f.Levels[level].Value }
	low, high := value(v.levels[a][0]), value(v.levels[a][last])
	if low > 0 && high > 10*low {
		value = func(level int) float64 { return math.Log(f.Levels[level].Value) }
		low, high = math.Log(low), math.Log(high)
	}
	for _, level := range v.levels[a] {
		// Halves first: a span may exceed the range of float64.
		x := 0.0
		if half := high/2 - low/2; half > 0 {
			x = (value(level)/2 - low/4 - high/4) / half * 2
		}
		c.rows[level] = []float64{x, x * x}[:c.width]
	}
	return c
}

// model is a fitted linear model.
type model struct {
	coefficients [][]float64 // for each term
	loss         []float64   // of sum of squares without each term
	residual     float64     // sum of squares
}

// fit fits y to a constant and the columns of the terms: first those of factors,
// then the products of pairs. It works on the normal equations of columns that are
// centred and scaled to length 1; those are few, while rows are many. A term with
// coefficients b and their part V of the inverse takes b' V^-1 b of the sum of
// squares with it. ok is false if the terms cannot be told apart.
func (v *variation) fit(codes []coding, pairs [][2]int, terms []int, y, weights []float64) (m model, ok bool) {
	columns := 0
	for _, w := range terms {
		columns += w
	}
	if columns > maxColumns || columns >= len(v.list) {
		return model{}, false
	}
	x := mat.NewDense(len(v.list), columns, nil)
	for i, one := range v.list {
		row := x.RawRowView(i)[:0]
		for a, k := range v.factors {
			row = append(row, codes[a].rows[one.levels[k]]...)
		}
		for _, p := range pairs {
			first, second := codes[p[0]], codes[p[1]]
			for _, s := range first.rows[one.levels[v.factors[p[0]]]][:first.slopes] {
				for _, t := range second.rows[one.levels[v.factors[p[1]]]][:second.slopes] {
					row = append(row, s*t)
				}
			}
		}
	}
	total := floats.Sum(weights)
	means, scales := make([]float64, columns), make([]float64, columns)
	for i, w := range weights {
		floats.AddScaled(means, w/total, x.RawRowView(i))
	}
	for i, w := range weights {
		row := x.RawRowView(i)
		floats.Sub(row, means)
		for j, value := range row {
			scales[j] += w * value * value
		}
	}
	for j := range scales {
		if scales[j] = math.Sqrt(scales[j]); !(scales[j] > 0) {
			return model{}, false
		}
	}
	right := mat.NewVecDense(len(y), nil)
	for i, w := range weights {
		row := x.RawRowView(i)
		floats.Div(row, scales)
		floats.Scale(math.Sqrt(w), row)
		right.SetVec(i, math.Sqrt(w)*y[i])
	}
	var normal mat.SymDense
	normal.SymOuterK(1, x.T())
	var cholesky mat.Cholesky
	if !cholesky.Factorize(&normal) || cholesky.Cond() > worstCondition {
		return model{}, false
	}
	var products, b, fitted mat.VecDense
	products.MulVec(x.T(), right)
	if err := cholesky.SolveVecTo(&b, &products); err != nil {
		return model{}, false
	}
	var inverse mat.SymDense
	if err := cholesky.InverseTo(&inverse); err != nil {
		return model{}, false
	}
	fitted.MulVec(x, &b)
	fitted.SubVec(right, &fitted)
	m.residual = mat.Dot(&fitted, &fitted)
	at := 0
	for _, w := range terms {
		part := b.SliceVec(at, at+w)
		var block mat.Cholesky
		if !block.Factorize(inverse.SliceSym(at, at+w)) {
			return model{}, false
		}
		var solved mat.VecDense
		if err := block.SolveVecTo(&solved, part); err != nil {
			return model{}, false
		}
		m.loss = append(m.loss, mat.Dot(part, &solved))
		coefficients := make([]float64, w)
		for j := range coefficients {
			coefficients[j] = part.AtVec(j) / scales[at+j]
		}
		m.coefficients = append(m.coefficients, coefficients)
		at += w
	}
	return m, true
}

// oneAtATime takes the means at the levels of each factor as they are.
func (v *variation) oneAtATime(e *EffectTable, deviations, weights []float64) {
	e.Method = OneAtATime
	for a, k := range v.factors {
		sums, counts := make([]float64, len(v.levels[a])), make([]float64, len(v.levels[a]))
		for i, one := range v.list {
			l := v.place[a][one.levels[k]]
			sums[l] += weights[i] * deviations[i]
			counts[l] += weights[i]
		}
		m := MainEffect{Factor: k, Source: Source{DF: len(sums) - 1}}
		for l := range sums {
			effect := sums[l] / counts[l]
			m.SumOfSquares += counts[l] * effect * effect
			sums[l] = effect
		}
		mean := stat.Mean(sums, nil)
		for l, level := range v.levels[a] {
			m.Levels = append(m.Levels, LevelEffect{level, sums[l] - mean})
		}
		e.Main = append(e.Main, m)
	}
	e.warn("the %d configurations do not tell the effects of %s apart: each factor is taken alone, and shares overlap", len(v.list), v.names(v.factors))
}
