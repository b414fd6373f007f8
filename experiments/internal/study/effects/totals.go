package effects

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Totals are the total Sobol indices of the factors: the share of the variance that
// each factor takes part in, alone and with all others.
type Totals struct {
	Indices []TotalIndex // of the factors that vary, in the order of the table
	// Degree is that of the expansion, 0 where the sums of squares are exact, and
	// Explained the share of the variance that it predicts of points left out.
	Degree    int
	Explained float64
}

// TotalIndex is the total index of a factor with its 95 % interval by the bootstrap.
type TotalIndex struct {
	Factor    int
	Share     float64
	Low, High float64 // NaN in a full factorial without repetitions, which is known exactly
}

const (
	resamples    = 200
	bootstrapped = 5000 // rows of a full factorial up to which there is a bootstrap
	// mostTerms and mostWork bound the time of expansions: terms, and configurations
	// times squared terms up to which there is a bootstrap.
	mostTerms = 300
	mostWork  = 1e7
	// trusted is the share of the variance that an expansion must predict of points left
	// out.
	trusted = 0.5
)

// ErrDependent says that factors depend on each other: the variance does not
// divide into indices then, and Shapley values take their place.
var ErrDependent = errors.New("the factors depend on each other, so there are no total Sobol indices; the shares are Shapley values")

// TotalIndices returns the total Sobol indices of a response.
//
// In a full factorial they are exact, as in [Sensitivity]; intervals are of the mean
// over repetitions, which are resampled within each configuration. In other tables the
// response is expanded in products of polynomials p_a of each factor, orthonormal over
// the values that the factor has in the table, up to a total degree,
//
//	y = sum c_A prod_i p_(A_i)(x_i),   T_i = sum over A with A_i > 0 of c_A^2/sum of all c_A^2 but the constant
//
// by least squares. Of the degrees 1 to 5 with at most half as many terms as
// configurations, that with the smallest error of points left out is taken. A factor
// that is not numeric has one function less than levels, all of degree 1. For the
// intervals the configurations are resampled, and fitted with the same degree. Seed
// determines the resamples.
//
// There are no intervals where they would take long. The error is [ErrDependent], or says that there are too few points or that the
// expansion predicts less than half of the variance.
//
// Source: [Sobol2001]; polynomial chaos expansions as in [Sudret2008]; percentile
// intervals as in [Efron1993] chapter 13. Deviation: the polynomials are orthonormal over
// the levels in the table and not over a distribution.
func TotalIndices(t *studytable.Table, response string, seed uint64) (*Totals, error) {
	c, err := t.Gather(response, -1)
	if err != nil {
		return nil, err
	}
	v := variedFactors(c)
	random := rand.New(rand.NewPCG(seed, 0x50b01))
	if v.full {
		return exactTotals(c, t, response, random)
	}
	weights := make([]float64, len(v.List))
	for i := range weights {
		weights[i] = 1
	}
	if slices.Max(append(v.inflations(weights), 1)) > dependence {
		return nil, ErrDependent
	}
	return v.expandedTotals(random)
}

// exactTotals are those of a full factorial.
func exactTotals(c *studytable.Cells, t *studytable.Table, response string, random *rand.Rand) (*Totals, error) {
	shares := func(t *studytable.Table) (map[int]float64, error) {
		s, err := Sensitivity(t, response)
		if err != nil {
			return nil, err
		}
		of := map[int]float64{}
		for _, f := range s.Factors {
			if f.Varied && !math.IsNaN(f.TotalShare) {
				of[f.Factor] = f.TotalShare
			}
		}
		return of, nil
	}
	found, err := shares(t)
	if err != nil {
		return nil, err
	}
	totals := &Totals{Explained: 1}
	for k := range t.Factors {
		if share, ok := found[k]; ok {
			totals.Indices = append(totals.Indices, TotalIndex{k, share, math.NaN(), math.NaN()})
		}
	}
	if !slices.ContainsFunc(c.List, func(one studytable.Cell) bool { return one.Rows > 1 }) || len(t.Rows) > bootstrapped {
		return totals, nil
	}
	rows := map[int][]studytable.Row{} // by configuration
	y, err := t.ResponseIndex(response)
	if err != nil {
		return nil, err
	}
	for _, r := range t.Rows {
		if i := c.Find(r.Levels); i >= 0 && studytable.Finite(r.Values[y]) {
			rows[i] = append(rows[i], r)
		}
	}
	return totals.bootstrap(func() ([]float64, error) {
		again := &studytable.Table{Factors: t.Factors, Responses: t.Responses}
		for i := range c.List {
			for range rows[i] {
				again.Rows = append(again.Rows, rows[i][random.IntN(len(rows[i]))])
			}
		}
		of, err := shares(again)
		if err != nil {
			return nil, err
		}
		values := make([]float64, len(totals.Indices))
		for i, x := range totals.Indices {
			values[i] = of[x.Factor]
		}
		return values, nil
	})
}

// bootstrap fills in the intervals from resampled indices.
func (t *Totals) bootstrap(again func() ([]float64, error)) (*Totals, error) {
	samples := make([][]float64, len(t.Indices))
	for range resamples {
		values, err := again()
		if err != nil {
			return nil, err
		}
		for i, v := range values {
			samples[i] = append(samples[i], v)
		}
	}
	for i := range t.Indices {
		slices.Sort(samples[i])
		t.Indices[i].Low = stat.Quantile(0.025, stat.Empirical, samples[i], nil)
		t.Indices[i].High = stat.Quantile(0.975, stat.Empirical, samples[i], nil)
	}
	return t, nil
}

// expandedTotals are those of an expansion.
func (v *variation) expandedTotals(random *rand.Rand) (*Totals, error) {
	y := make([]float64, len(v.List))
	for i, one := range v.List {
		y[i] = one.Mean
	}
	const mostDegree = 5
	var best *expansion
	for degree := 1; degree <= mostDegree; degree++ {
		x := v.expand(degree, min(len(v.List)/2, mostTerms))
		if x == nil {
			break
		}
		if ok := x.leaveOneOut(y); ok && (best == nil || x.explained > best.explained) {
			best = x
		}
	}
	if best == nil {
		return nil, fmt.Errorf("the %d configurations are too few for total Sobol indices", len(v.List))
	}
	if best.explained < trusted {
		return nil, fmt.Errorf("there are no total Sobol indices: the best polynomial predicts %.0f %% of the variance of configurations left out, less than %.0f %%", 100*max(0, best.explained), 100*trusted)
	}
	all := make([]int, len(y))
	for i := range all {
		all[i] = i
	}
	shares, ok := best.shares(y, all)
	if !ok {
		return nil, fmt.Errorf("the %d configurations do not determine total Sobol indices", len(v.List))
	}
	totals := &Totals{Degree: best.degree, Explained: best.explained}
	for a, k := range v.factors {
		totals.Indices = append(totals.Indices, TotalIndex{k, shares[a], math.NaN(), math.NaN()})
	}
	if terms := float64(len(best.terms)); float64(float64(len(y))*terms)*terms > mostWork {
		return totals, nil
	}
	return totals.bootstrap(func() ([]float64, error) {
		for range 10 { // a resample may be degenerate
			some := make([]int, len(y))
			for i := range some {
				some[i] = random.IntN(len(y))
			}
			if shares, ok := best.shares(y, some); ok {
				return shares, nil
			}
		}
		return nil, fmt.Errorf("the %d configurations are too few for intervals of total Sobol indices", len(y))
	})
}

// expansion is a basis of products of polynomials.
type expansion struct {
	degree    int
	columns   *mat.Dense // [configuration][term]; the first term is 1
	terms     [][]int    // the function of each varied factor, 0 for 1
	explained float64    // of the variance of points left out
}

// expand returns the expansion of a degree, or nil if it has more terms than most.
func (v *variation) expand(degree, most int) *expansion {
	values, degrees := make([][][]float64, len(v.factors)), make([][]int, len(v.factors))
	for a := range v.factors {
		values[a], degrees[a] = v.orthonormal(a, degree)
	}
	x := &expansion{degree: degree}
	term := make([]int, len(v.factors))
	var extend func(a, left int) bool
	extend = func(a, left int) bool {
		if a == len(term) {
			x.terms = append(x.terms, slices.Clone(term))
			return len(x.terms) <= most
		}
		for f, d := range degrees[a] {
			if d > left {
				continue
			}
			term[a] = f
			if !extend(a+1, left-d) {
				return false
			}
		}
		term[a] = 0
		return true
	}
	if !extend(0, degree) {
		return nil
	}
	x.columns = mat.NewDense(len(v.List), len(x.terms), nil)
	for i, one := range v.List {
		for j, functions := range x.terms {
			product := 1.0
			for a, f := range functions {
				product *= values[a][f][one.Levels[v.factors[a]]]
			}
			x.columns.Set(i, j, product)
		}
	}
	return x
}

// orthonormal returns functions of a varied factor, by level, and their degrees: 1,
// and polynomials of the places of the levels of a numeric factor, in units of the
// largest. They are orthonormal over the configurations.
func (v *variation) orthonormal(a, degree int) (functions [][]float64, degrees []int) {
	k := v.factors[a]
	f := &v.Table.Factors[k]
	counts := make([]float64, len(f.Levels))
	for _, one := range v.List {
		counts[one.Levels[k]] += 1 / float64(len(v.List))
	}
	numeric := f.Numeric()
	wanted := min(degree, len(v.levels[a])-1)
	if !numeric {
		wanted = len(v.levels[a]) - 1
	}
	var positions []float64
	if numeric {
		positions = f.Positions()
	}
	raw := func(power, level int) float64 {
		if !numeric {
			if level == v.levels[a][power] {
				return 1
			}
			return 0
		}
		return math.Pow(2*positions[level]-1, float64(power))
	}
	for power := range wanted + 1 {
		g := make([]float64, len(f.Levels))
		for _, level := range v.levels[a] {
			if g[level] = raw(power, level); power == 0 {
				g[level] = 1
			}
		}
		for range 2 { // twice is enough for orthogonality
			for _, before := range functions {
				inner := 0.0
				for level, n := range counts {
					inner += float64(n * before[level] * g[level])
				}
				for level := range g {
					g[level] -= float64(inner * before[level])
				}
			}
		}
		norm := 0.0
		for level, n := range counts {
			norm += float64(n * g[level] * g[level])
		}
		if norm < 1e-20 {
			continue
		}
		for level := range g {
			g[level] /= math.Sqrt(norm)
		}
		functions, degrees = append(functions, g), append(degrees, power)
		if !numeric {
			degrees[len(degrees)-1] = min(power, 1)
		}
	}
	return functions, degrees
}

// fit returns the coefficients of least squares over some configurations.
func (x *expansion) fit(y []float64, of []int) (*mat.VecDense, bool) {
	_, terms := x.columns.Dims()
	rows := mat.NewDense(len(of), terms, nil)
	right := mat.NewVecDense(len(of), nil)
	for i, r := range of {
		rows.SetRow(i, x.columns.RawRowView(r))
		right.SetVec(i, y[r])
	}
	var qr mat.QR
	qr.Factorize(rows)
	var c mat.VecDense
	if err := qr.SolveVecTo(&c, false, right); err != nil || qr.Cond() > math.Sqrt(worstCondition) {
		return nil, false
	}
	return &c, true
}

// leaveOneOut finds the share of the variance that the expansion predicts of points
// left out: the residuals r_i/(1 - h_i), with h the diagonal of the projection.
func (x *expansion) leaveOneOut(y []float64) bool {
	n, terms := x.columns.Dims()
	if n <= terms {
		return false
	}
	var qr mat.QR
	qr.Factorize(x.columns)
	var c mat.VecDense
	if err := qr.SolveVecTo(&c, false, mat.NewVecDense(n, slices.Clone(y))); err != nil || qr.Cond() > math.Sqrt(worstCondition) {
		return false
	}
	var q mat.Dense
	qr.QTo(&q)
	var fitted mat.VecDense
	fitted.MulVec(x.columns, &c)
	_, variance := stat.PopMeanVariance(y, nil)
	left := 0.0
	for i := range n {
		h := 0.0
		for j := range terms {
			h += float64(q.At(i, j) * q.At(i, j))
		}
		r := (y[i] - fitted.AtVec(i)) / max(1-h, 1e-12)
		left += float64(r*r) / float64(n)
	}
	if variance == 0 {
		return false
	}
	x.explained = 1 - left/variance
	return true
}

// shares returns the total indices of the varied factors, fitted to some
// configurations.
func (x *expansion) shares(y []float64, of []int) ([]float64, bool) {
	c, ok := x.fit(y, of)
	if !ok {
		return nil, false
	}
	shares := make([]float64, len(x.terms[0]))
	all := 0.0
	for j, functions := range x.terms {
		square := float64(c.AtVec(j) * c.AtVec(j))
		constant := true
		for a, f := range functions {
			if f > 0 {
				shares[a] += square
				constant = false
			}
		}
		if !constant {
			all += square
		}
	}
	for a := range shares {
		shares[a] /= all
	}
	return shares, all > 0
}
