package effects

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// worstCondition is the condition number of the normal equations of scaled columns
// above which terms count as indistinguishable.
const worstCondition = 1e10

// maxCodes bounds the columns of one factor that is not numeric, and maxColumns
// those of the whole model, so that time is bounded.
const (
	maxCodes   = 100
	maxColumns = 200
)

// roughly is the largest residual, as a share of the variation among configurations,
// with which a model is still accepted.
const roughly = 0.2

// sameMean is the deviation of configurations from their mean, relative to it, up to which
// they are the same: the mean of equal numbers is rounded.
const sameMean = 1e-13

// unbalanced fits a linear model of coded factors.
//
// Weights are the numbers of repetitions, so that sums of squares are those of rows.
func (v *variation) unbalanced(e *ANOVA, interactions bool) {
	y, weights := make([]float64, len(v.List)), make([]float64, len(v.List))
	for i, one := range v.List {
		y[i], weights[i] = one.Mean, float64(one.Rows)
	}
	e.Mean = stat.Mean(y, weights)
	var between float64
	for i := range y {
		y[i] -= e.Mean
		between += float64(weights[i] * y[i] * y[i])
	}
	if math.Sqrt(between/floats.Sum(weights)) <= sameMean*math.Abs(e.Mean) {
		between = 0
		clear(y)
	}
	e.Total = Source{SumOfSquares: between + e.Error.SumOfSquares, DF: len(v.List) - 1 + e.Error.DF}

	e.Method = LeastSquares
	inflations := v.inflations(weights)
	if slices.Max(append(inflations, 1)) > dependence {
		e.Method = Shapley
	}
	var main model
	var codes []coding
	ok := false
	// Every level as it is, then curves.
	for _, fully := range []bool{true, false} {
		codes = v.codes(fully)
		if main, ok = v.fit(codes, nil, y, weights); ok {
			break
		}
	}
	if !ok {
		v.oneAtATime(e, y, weights)
		v.mark(e, inflations)
		return
	}
	left := Source{main.residual, 0, len(v.List) - 1 - main.columns}
	rough := left.DF > 0 && left.SumOfSquares > roughly*between
	modelled, binned := false, false // shares that rest on the model, and on bins
	shares := main.shares(e.Method, 0)
	explained := between - main.residual
	if common := math.Abs(explained - floats.Sum(shares)); e.Method == LeastSquares && !v.anySampled() && common > together*explained {
		e.Method = Shapley
		shares = main.shares(e.Method, 0)
		e.warn("the plan is not balanced: the shares of its factors alone miss what they explain by %.0f %% of the variance; shares are Shapley values, which divide it equally", 100*common/between)
	}
	for a, k := range v.factors {
		m := MainEffect{Factor: k, Source: Source{SumOfSquares: shares[a], DF: main.terms[a].DF}, Chance: math.NaN(), model: main.terms[a]}
		low, high := math.Inf(1), math.Inf(-1)
		for _, level := range v.levels[a] {
			effect := floats.Dot(codes[a].rows[level], main.coefficients[a])
			low, high = min(low, effect), max(high, effect)
		}
		m.span = high - low
		v.observe(&m, a, rough, e.Mean, y, weights)
		if rough && m.Bins != nil {
			binned = true
		} else {
			modelled = true
		}
		e.Main = append(e.Main, m)
	}
	if interactions && len(v.factors) > 1 {
		var pairs [][2]int
		for a := range v.factors {
			for b := a + 1; b < len(v.factors); b++ {
				pairs = append(pairs, [2]int{a, b})
			}
		}
		with, ok := v.fit(codes, pairs, y, weights)
		if !ok {
			codes = v.codes(false)
			with, ok = v.fit(codes, pairs, y, weights)
		}
		if !ok {
			e.warn("the %d configurations are too few for the interactions of %s (%d coefficients), which are omitted", len(v.List), v.names(v.factors), with.columns)
		} else {
			modelled = true
			shares := with.shares(e.Method, len(v.factors))
			if e.Method == Shapley {
				left.SumOfSquares = max(0, left.SumOfSquares-floats.Sum(shares))
			} else {
				left.SumOfSquares = with.residual
			}
			left.DF = len(v.List) - 1 - with.columns
			for i, p := range pairs {
				e.Interactions = append(e.Interactions, Interaction{
					Factors: [2]int{v.factors[p[0]], v.factors[p[1]]},
					Source:  Source{SumOfSquares: shares[i], DF: with.terms[len(v.factors)+i].DF},
				})
			}
		}
	}
	e.Higher = left
	if modelled && left.DF > 0 && between > 0 && left.SumOfSquares > roughly*between {
		e.warn("the linear model does not explain %.0f %% of the variation among configurations: the shares are approximate", 100*left.SumOfSquares/between)
	}
	if binned {
		e.Method = Binned
	}
	v.mark(e, inflations)
}

// mark sets which factors vary together, and warns of them and of those that depend
// on each other, unless each factor is analysed alone, of which there is a warning
// already.
func (v *variation) mark(e *ANOVA, inflations []float64) {
	var confounded, depend []int
	worst := 0.0
	for a := range e.Main {
		e.Main[a].Confounded = inflations[a] > inflation
		if e.Main[a].Confounded {
			confounded = append(confounded, e.Main[a].Factor)
		}
		if inflations[a] > dependence {
			depend = append(depend, e.Main[a].Factor)
			worst = max(worst, 1-1/inflations[a])
		}
	}
	e.Confounded = len(confounded) > 0
	switch {
	case e.Method == OneAtATime:
	case e.Confounded:
		e.warn("%s vary together: the analysis cannot reliably separate their shares", v.names(confounded))
	case len(depend) > 0:
		e.warn("%s depend on each other in this plan: up to %.0f %% of the variance of one follows from the others", v.names(depend), 100*worst)
		if e.Method == Shapley {
			e.Warnings[len(e.Warnings)-1] += "; shares are Shapley values, which divide equally what factors explain together"
		}
	}
}

// coding turns the levels of a factor into columns of a linear model. The first
// slopes of them also take part in interactions.
type coding struct {
	width, slopes int
	rows          [][]float64 // for each level of the factor
}

// codes codes all varied factors.
func (v *variation) codes(fully bool) []coding {
	codes := make([]coding, len(v.factors))
	for a := range codes {
		codes[a] = v.code(a, fully)
	}
	return codes
}

// code codes one of the varied factors: a numeric one by its value from -1 to 1, or
// that of its logarithm, and from three levels on also by the square or, fully, by a
// number for each inner level but the last; another by sum contrasts. A factor that is
// sampled has too many levels for numbers.
func (v *variation) code(a int, fully bool) coding {
	f := &v.Table.Factors[v.factors[a]]
	c := coding{rows: make([][]float64, len(f.Levels))}
	last := len(v.levels[a]) - 1
	if !f.Numeric() {
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
	fully = fully && !v.sampled(a)
	c.width, c.slopes = min(last, 2), 1
	if fully {
		if c.width = last; last > maxCodes {
			return coding{width: maxColumns + 1}
		}
	}
	value := func(level int) float64 { return f.Levels[level].Value }
	values := make([]float64, last+1)
	for l, level := range v.levels[a] {
		values[l] = value(level)
	}
	if studytable.SpacedByRatio(values) {
		value = func(level int) float64 { return math.Log(f.Levels[level].Value) }
	}
	low, high := value(v.levels[a][0]), value(v.levels[a][last])
	for l, level := range v.levels[a] {
		// Halves first: a span may exceed the range of float64.
		x := 0.0
		if half := high/2 - low/2; half > 0 {
			x = (value(level)/2 - low/4 - high/4) / half * 2
		}
		if !fully {
			c.rows[level] = []float64{x, x * x}[:c.width]
			continue
		}
		c.rows[level] = make([]float64, c.width)
		c.rows[level][0] = x
		if l > 0 && l < c.width {
			c.rows[level][l] = 1
		}
	}
	return c
}

// inflation is the variance inflation factor from which on factors are said to vary
// together, a usual rule of thumb.
const inflation = 10

// dependence is that from which on they are said to depend on each other: a fifth of
// the variance of one is that of the others, more than random plans of some ten
// points for each factor have.
const dependence = 1.25

// together is the part of what a model explains by which the shares lost without each
// factor may miss it in a table that is no sample. A corner left out of a grid is enough
// for more, although factors hardly follow from each other then.
const together = 0.05

// inflations returns how far each of the varied factors varies with others: the
// variance inflation factor R_jj^-1 of its slope, R being the matrix of correlations,
// or of w contrasts (det R_jj det R^-1_jj)^(1/w). It is infinite for a factor that is
// not numeric and whose levels are too many to be counted.
func (v *variation) inflations(weights []float64) []float64 {
	result := slices.Repeat([]float64{1}, len(v.factors))
	var slopes []coding
	var of []int // factors of slopes
	columns := 0
	for a := range v.factors {
		c := v.code(a, false)
		if c.width > maxColumns {
			result[a] = math.Inf(1)
			continue
		}
		for level, row := range c.rows {
			if row != nil {
				c.rows[level] = row[:c.slopes]
			}
		}
		c.width = c.slopes
		slopes, of, columns = append(slopes, c), append(of, a), columns+c.width
	}
	if len(of) < 2 {
		return result
	}
	if columns > maxColumns || columns >= len(v.List) {
		for _, a := range of {
			result[a] = math.Inf(1)
		}
		return result
	}
	x := v.design(slopes, of, nil, columns)
	if _, ok := standardize(x, weights); !ok {
		return result
	}
	var correlations mat.SymDense
	correlations.SymOuterK(1, x.T())
	for j := range columns {
		// What varies together exactly leaves a matrix without an inverse.
		correlations.SetSym(j, j, correlations.At(j, j)+1e-8)
	}
	var cholesky mat.Cholesky
	var inverse mat.SymDense
	if !cholesky.Factorize(&correlations) || cholesky.InverseTo(&inverse) != nil {
		return result
	}
	at := 0
	for i, a := range of {
		w := slopes[i].width
		var own, inverted mat.Cholesky
		if own.Factorize(correlations.SliceSym(at, at+w)) && inverted.Factorize(inverse.SliceSym(at, at+w)) {
			result[a] = math.Exp((own.LogDet() + inverted.LogDet()) / float64(w))
		}
		at += w
	}
	return result
}

// model is a fitted linear model.
type model struct {
	columns      int
	coefficients [][]float64 // for each term
	terms        []Source    // what is lost without each term
	residual     float64     // sum of squares

	normal   *mat.SymDense // products of the columns with each other ...
	products *mat.VecDense // ... and with the response
}

// fit fits y to a constant and the columns of the terms: first those of factors,
// then the products of pairs. It works on the normal equations of columns that are
// centred and scaled to length 1; those are few, while rows are many. A term with
// coefficients b and their part V of the inverse takes b' V^-1 b of the sum of
// squares with it. ok is false if the terms cannot be separated.
func (v *variation) fit(codes []coding, pairs [][2]int, y, weights []float64) (m model, ok bool) {
	var terms, all []int // columns of each term, all factors
	for a, c := range codes {
		terms, all = append(terms, c.width), append(all, a)
	}
	for _, p := range pairs {
		terms = append(terms, codes[p[0]].slopes*codes[p[1]].slopes)
	}
	for _, w := range terms {
		m.columns += w
	}
	columns := m.columns
	if columns > maxColumns || columns >= len(v.List) {
		return m, false
	}
	x := v.design(codes, all, pairs, columns)
	scales, ok := standardize(x, weights)
	if !ok {
		return m, false
	}
	right := mat.NewVecDense(len(y), nil)
	for i, w := range weights {
		right.SetVec(i, math.Sqrt(w)*y[i])
	}
	var normal mat.SymDense
	normal.SymOuterK(1, x.T())
	var cholesky mat.Cholesky
	if !cholesky.Factorize(&normal) || cholesky.Cond() > worstCondition {
		return m, false
	}
	var products, b, fitted mat.VecDense
	m.normal, m.products = &normal, &products
	products.MulVec(x.T(), right)
	if err := cholesky.SolveVecTo(&b, &products); err != nil {
		return m, false
	}
	var inverse mat.SymDense
	if err := cholesky.InverseTo(&inverse); err != nil {
		return m, false
	}
	fitted.MulVec(x, &b)
	fitted.SubVec(right, &fitted)
	m.residual = mat.Dot(&fitted, &fitted)
	at := 0
	for _, w := range terms {
		part := b.SliceVec(at, at+w)
		var block mat.Cholesky
		if !block.Factorize(inverse.SliceSym(at, at+w)) {
			return m, false
		}
		var solved mat.VecDense
		if err := block.SolveVecTo(&solved, part); err != nil {
			return m, false
		}
		m.terms = append(m.terms, Source{SumOfSquares: mat.Dot(part, &solved), DF: w})
		coefficients := make([]float64, w)
		for j := range coefficients {
			coefficients[j] = part.AtVec(j) / scales[at+j]
		}
		m.coefficients = append(m.coefficients, coefficients)
		at += w
	}
	return m, true
}

// design returns the columns of the codes of some of the varied factors, then those
// of the products of pairs of codes, at every configuration.
func (v *variation) design(codes []coding, of []int, pairs [][2]int, columns int) *mat.Dense {
	x := mat.NewDense(len(v.List), columns, nil)
	for i, one := range v.List {
		row := x.RawRowView(i)[:0]
		for c, a := range of {
			row = append(row, codes[c].rows[one.Levels[v.factors[a]]]...)
		}
		for _, p := range pairs {
			first, second := codes[p[0]], codes[p[1]]
			for _, s := range first.rows[one.Levels[v.factors[p[0]]]][:first.slopes] {
				for _, t := range second.rows[one.Levels[v.factors[p[1]]]][:second.slopes] {
					row = append(row, s*t)
				}
			}
		}
	}
	return x
}

// standardize centres columns, divides them by their length and multiplies each row
// with the root of its weight. ok is false if a column does not vary.
func standardize(x *mat.Dense, weights []float64) (scales []float64, ok bool) {
	_, columns := x.Dims()
	total := floats.Sum(weights)
	means := make([]float64, columns)
	scales = make([]float64, columns)
	for i, w := range weights {
		floats.AddScaled(means, w/total, x.RawRowView(i))
	}
	for i, w := range weights {
		row := x.RawRowView(i)
		floats.Sub(row, means)
		for j, value := range row {
			scales[j] += float64(w * value * value)
		}
	}
	for j := range scales {
		if scales[j] = math.Sqrt(scales[j]); !(scales[j] > 0) {
			return nil, false
		}
	}
	for i, w := range weights {
		row := x.RawRowView(i)
		floats.Div(row, scales)
		floats.Scale(math.Sqrt(w), row)
	}
	return scales, true
}

// oneAtATime analyses each factor as if it were the only one.
func (v *variation) oneAtATime(e *ANOVA, deviations, weights []float64) {
	e.Method = OneAtATime
	for a, k := range v.factors {
		m := MainEffect{Factor: k, Chance: math.NaN()}
		m.Source = Source{SumOfSquares: v.group(a, v.single(a), deviations, weights).between, DF: len(v.levels[a]) - 1}
		v.observe(&m, a, true, e.Mean, deviations, weights)
		m.model = m.Source
		e.Main = append(e.Main, m)
	}
	e.warn("the %d configurations cannot separate the effects of %s: each factor is analysed alone, and the shares overlap", len(v.List), v.names(v.factors))
}
