package effects

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/internal/each"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

const (
	// mostDegree, mostTerms and mostWork bound the time of expansions: their degree, terms,
	// and configurations times squared terms; a bootstrap takes a tenth of that.
	mostDegree = 5
	mostTerms  = 300
	mostWork   = 1e8
	// trusted is the fraction of the variance of points left out that an expansion must predict.
	trusted = 0.5
	// worstCondition is the condition number of the columns above which terms count as indistinguishable.
	worstCondition = 1e5
)

// sampled finds the shares of a table that is a sample of independent factors. The
// response is expanded in products of polynomials p_a of each factor, orthonormal over the
// values that the factor has in the table, up to a total degree,
//
//	y = sum c_A prod_i p_(A_i)(x_i)
//
// by least squares. Each term has the variance c_A^2, which its factors explain together, so it is divided equally
// among their shares. Of the degrees 1 to 5 with at most half as many terms as configurations, the one with the
// smallest error of points left out is taken. A factor that is not numeric has one function less than levels, all of
// degree 1. For the intervals the configurations are resampled, and fitted with the same degree.
//
// The error says that there are too few points, or that the expansion predicts less than
// half of the variance.
//
// Source: polynomial chaos expansions as in [Sudret2008]; percentile intervals as in
// [Efron1993] chapter 13. Deviation: the polynomials are orthonormal over the levels in
// the table and not over a distribution.
func (p *population) sampled(e *Effects, intervals bool, seed uint64) error {
	y := each.Of(p.cells.List, func(one analysis.Cell) float64 { return one.Mean })
	var best *expansion
	for degree := 1; degree <= mostDegree; degree++ {
		x := p.expand(degree, min(len(y)/2, mostTerms, int(math.Sqrt(mostWork/float64(len(y))))))
		if x == nil {
			break
		}
		if ok := x.leaveOneOut(y); ok && (best == nil || x.explained > best.explained) {
			best = x
		}
	}
	switch {
	case best == nil:
		return fmt.Errorf("the %d configurations are too few to separate %d factors", len(y), len(p.factors))
	case best.explained < trusted:
		return fmt.Errorf("the best polynomial of the factors predicts %.0f %% of the variance of configurations left out, less than %.0f %%", 100*max(0, best.explained), 100*trusted)
	}
	e.Method = fmt.Sprintf("from a polynomial of degree %d, which predicts %.1f %% of the variance of configurations left out", best.degree, 100*best.explained)
	values, variance := best.divide(best.coefficients)
	unexplained := max(0, best.residual-p.left())
	variance += unexplained + p.noise
	e.Noise, e.Unexplained = p.noise/variance, unexplained/variance
	for a := range p.factors {
		f := e.add(p, a, make([]float64, len(p.levels[a])))
		f.Share = values[a] / variance
		f.NoEffect = math.Sqrt(values[a]) <= 1e-9*math.Abs(p.mean)
	}
	pairs := map[[2]int]float64{}
	for j, of := range best.active {
		c := best.coefficients[j]
		share := float64(c * c / variance)
		switch len(of) {
		case 1:
			f, function := &e.Factors[of[0]], best.values[of[0]][best.terms[j][of[0]]]
			f.Alone += share
			for l := range f.Levels {
				f.Levels[l].Effect += float64(c * function[f.Levels[l].index])
			}
		case 2:
			pairs[[2]int(of)] += share
		}
	}
	for a := range p.factors {
		for b := a + 1; b < len(p.factors); b++ {
			e.pair(p, a, b, pairs[[2]int{a, b}])
		}
	}
	if terms := float64(len(best.terms)); !intervals || float64(float64(len(y))*terms)*terms > mostWork/10 {
		return nil
	}
	return best.bootstrap(e, y, unexplained+p.noise, rand.New(rand.NewPCG(seed, 0x50b01)))
}

// divide returns the Shapley values of the varied factors and their sum, which is the variance of the expansion with
// these coefficients.
func (x *expansion) divide(coefficients []float64) (values []float64, variance float64) {
	values = make([]float64, len(x.terms[0]))
	for j, of := range x.active {
		for _, a := range of {
			part := float64(coefficients[j] * coefficients[j] / float64(len(of)))
			values[a], variance = values[a]+part, variance+part
		}
	}
	return values, variance
}

// bootstrap adds 95 % intervals of the shares, by percentiles, given the variance outside of the expansion.
func (x *expansion) bootstrap(e *Effects, y []float64, outside float64, random *rand.Rand) error {
	samples := make([][]float64, len(x.terms[0]))
	some := make([]int, len(y))
	for tries := 0; len(samples) > 0 && len(samples[0]) < resamples; tries++ {
		if tries == 10*resamples {
			return fmt.Errorf("the %d configurations are too few for intervals of the shares of the factors", len(y))
		}
		for i := range some {
			some[i] = random.IntN(len(y))
		}
		c, _, ok := x.fit(y, some)
		if !ok {
			continue // a resample may be degenerate
		}
		values, variance := x.divide(c)
		for a, v := range values {
			samples[a] = append(samples[a], v/(variance+outside))
		}
	}
	for a, v := range samples {
		low, high := percentiles(v)
		e.Factors[a].Low, e.Factors[a].High = analysis.Number(low), analysis.Number(min(1, high+e.Unexplained))
	}
	return nil
}

// expansion is a basis of products of polynomials.
type expansion struct {
	degree  int
	values  [][][]float64 // of each function of each varied factor, by level
	columns *mat.Dense    // [configuration][term]; the first term is 1
	terms   [][]int       // the function of each varied factor, 0 for 1
	active  [][]int       // of each term, the factors that take part in it
	// coefficients are fitted to all configurations; explained is the fraction of the variance of points left out that
	// they predict, residual the variance of the points about them.
	coefficients        []float64
	explained, residual float64
}

// expand returns the expansion of a degree, or nil if it has more terms than most.
func (p *population) expand(degree, most int) *expansion {
	degrees := make([][]int, len(p.factors))
	x := &expansion{degree: degree, values: make([][][]float64, len(p.factors))}
	for a := range p.factors {
		x.values[a], degrees[a] = p.orthonormal(a, degree)
	}
	term := make([]int, len(p.factors))
	var extend func(a, left int) bool
	extend = func(a, left int) bool {
		if a == len(term) {
			of := slices.DeleteFunc(each.Ascending(a), func(a int) bool { return term[a] == 0 })
			x.terms, x.active = append(x.terms, slices.Clone(term)), append(x.active, of)
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
	x.columns = mat.NewDense(len(p.cells.List), len(x.terms), nil)
	for i, one := range p.cells.List {
		for j, functions := range x.terms {
			product := 1.0
			for a, f := range functions {
				product *= x.values[a][f][one.Levels[p.factors[a]]]
			}
			x.columns.Set(i, j, product)
		}
	}
	return x
}

// orthonormal returns functions of a varied factor, by level, and their degrees: 1,
// and polynomials of the places of the levels of a numeric factor, in units of the
// largest. They are orthonormal over the configurations.
func (p *population) orthonormal(a, degree int) (functions [][]float64, degrees []int) {
	k := p.factors[a]
	f := &p.cells.Table.Factors[k]
	counts := make([]float64, len(f.Levels))
	for _, one := range p.cells.List {
		counts[one.Levels[k]] += 1 / float64(len(p.cells.List))
	}
	// For a factor without order, the functions derive from one indicator per level.
	wanted, raw := len(p.levels[a])-1, func(power, level int) float64 {
		if power == 0 || level == p.levels[a][power] {
			return 1
		}
		return 0
	}
	if f.Numeric {
		positions := f.Positions()
		wanted = min(degree, wanted)
		raw = func(power, level int) float64 { return math.Pow(2*positions[level]-1, float64(power)) }
	}
	for power := range wanted + 1 {
		g := make([]float64, len(f.Levels))
		for _, level := range p.levels[a] {
			g[level] = raw(power, level)
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
		if functions = append(functions, g); !f.Numeric {
			power = min(power, 1)
		}
		degrees = append(degrees, power)
	}
	return functions, degrees
}

// fit returns the least-squares coefficients over some configurations, and the factorization.
func (x *expansion) fit(y []float64, of []int) (coefficients []float64, qr mat.QR, ok bool) {
	_, terms := x.columns.Dims()
	rows := mat.NewDense(len(of), terms, nil)
	right := mat.NewVecDense(len(of), nil)
	for i, r := range of {
		rows.SetRow(i, x.columns.RawRowView(r))
		right.SetVec(i, y[r])
	}
	qr.Factorize(rows)
	var c mat.VecDense
	err := qr.SolveVecTo(&c, false, right)
	return c.RawVector().Data, qr, err == nil && qr.Cond() <= worstCondition
}

// leaveOneOut finds the fraction of the variance that the expansion predicts for points left out, from the residuals
// r_i/(1 - h_i), with h the diagonal of the projection.
func (x *expansion) leaveOneOut(y []float64) bool {
	n, terms := x.columns.Dims()
	_, variance := stat.PopMeanVariance(y, nil)
	if n <= terms || variance == 0 {
		return false
	}
	c, qr, ok := x.fit(y, each.Ascending(n))
	if x.coefficients = c; !ok {
		return false
	}
	// With X = Q R, the needed first columns of Q are those of X R^-1; the whole of Q would have a column for each
	// configuration.
	var r, q mat.Dense
	var inverse mat.TriDense
	qr.RTo(&r)
	if inverse.InverseTri(mat.NewTriDense(terms, mat.Upper, r.RawMatrix().Data[:terms*terms])) != nil {
		return false
	}
	q.Mul(x.columns, &inverse)
	var fitted mat.VecDense
	fitted.MulVec(x.columns, mat.NewVecDense(terms, c))
	left, squares := 0.0, 0.0
	for i := range n {
		h := each.Sum(q.RawRowView(i), func(v float64) float64 { return float64(v * v) })
		residual := y[i] - fitted.AtVec(i)
		missed := residual / max(1-h, 1e-12)
		left, squares = left+float64(missed*missed)/float64(n), squares+float64(residual*residual)
	}
	x.explained, x.residual = 1-left/variance, squares/float64(n-terms)
	return true
}
