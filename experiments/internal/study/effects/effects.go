package effects

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"gonum.org/v1/gonum/stat"
)

// Effects are the shares of the factors of a table in the variance of a response.
type Effects struct {
	Mean     float64  // over the configurations, in the unit of the response
	Factors  []Factor // with two levels or more that occur, in descending order of Share
	Pairs    []Pair   // of factors that do not depend on each other; else nil
	Noise    float64  // share of the differences among repetitions
	Method   string   // in words
	Warnings []string // sentences for a report
}

// Factor is what a factor does.
type Factor struct {
	Factor int     // index in the table
	Share  float64 // Shapley share of the variance. Less the noise of means: it may be just below 0
	// Low and High are the 95 % interval of Share; NaN where it is exact.
	Low, High float64
	// Alone is the part of the variance that the factor explains if nothing else is
	// known: the first-order Sobol index.
	Alone    float64
	LogShare float64       // Share of the logarithm; NaN unless values above 0 span more than a factor of ten
	Levels   []LevelEffect // that occur, from the lowest
	// Elasticity is d ln y/d ln x: by how many per cent the response changes with one
	// per cent of the factor, as the slope of the means of the logarithm at its levels. NaN
	// unless the factor is numeric, both are above 0, and factors do not depend on each other.
	Elasticity float64
	// NoEffect is true if no two configurations that agree in all other factors differ
	// by more than a part of 1e-12.
	NoEffect bool
	// WithinNoise is true if neither what the factor explains alone nor what is lost
	// without it stands out from the repetitions: two F tests at a level of 5 %.
	WithinNoise bool
}

// LevelEffect is the mean response at a level minus the mean of all.
type LevelEffect struct {
	Level  int // index among the levels of the factor
	Effect float64
}

// Pair is the interaction of two factors: what they explain beyond what each does alone,
// as a share of the variance.
type Pair struct {
	Factors [2]int // indices in the table, ascending
	Share   float64
}

// Extremes are the levels with the smallest and the largest mean.
func (f *Factor) Extremes() (lowest, highest LevelEffect) {
	by := func(a, b LevelEffect) int { return cmp.Compare(a.Effect, b.Effect) }
	return slices.MinFunc(f.Levels, by), slices.MaxFunc(f.Levels, by)
}

// Of returns what the factors of a table matter to a response. sample says that the
// configurations are a random sample of independent factors, not all there are; seed
// determines the intervals. The error says why the table does not tell.
func Of(t *studytable.Table, response string, sample bool, seed uint64) (*Effects, error) {
	c, err := t.Gather(response, -1)
	if err != nil {
		return nil, err
	}
	p := populationOf(c)
	e, err := p.effects(sample, true, seed)
	if err != nil {
		return nil, err
	}
	if err := p.addLogarithms(e, sample, seed); err != nil {
		return nil, err
	}
	for _, f := range e.Factors {
		switch name := t.Factors[f.Factor].Name; {
		case f.NoEffect:
			e.warn("%s has no effect: the result is the same at all its levels; check that the scenario uses it", name)
		case f.WithinNoise:
			e.warn("the effect of %s is within the noise of the repetitions", name)
		}
	}
	slices.SortStableFunc(e.Factors, func(a, b Factor) int { return cmp.Compare(b.Share, a.Share) })
	return e, nil
}

// Changes reports for each factor of a table whether a response changes with it.
func Changes(t *studytable.Table, response string) ([]bool, error) {
	c, err := t.Gather(response, -1)
	if err != nil {
		return nil, err
	}
	changes := make([]bool, len(t.Factors))
	p := populationOf(c)
	for a, k := range p.factors {
		changes[k] = !p.idle(a, p.without(a))
	}
	return changes, nil
}

func (e *Effects) warn(format string, args ...any) {
	e.Warnings = append(e.Warnings, fmt.Sprintf(format, args...))
}

// add appends a factor that has the given means at its levels.
func (e *Effects) add(p *population, a int, levels []float64) *Factor {
	f := Factor{Factor: p.factors[a], Low: math.NaN(), High: math.NaN(), LogShare: math.NaN(), Elasticity: math.NaN()}
	for place, effect := range levels {
		f.Levels = append(f.Levels, LevelEffect{p.levels[a][place], effect})
	}
	e.Factors = append(e.Factors, f)
	return &e.Factors[len(e.Factors)-1]
}

// effects finds those of the response itself.
func (p *population) effects(sample, intervals bool, seed uint64) (*Effects, error) {
	e := &Effects{Mean: p.mean}
	if sample && !p.complete {
		return e, p.sampled(e, intervals, seed)
	}
	return e, p.exact(e, intervals, seed)
}

// addLogarithms adds what follows from the logarithms, if all values are above 0: the
// elasticities and, where the largest value is more than ten times the smallest and so
// the largest few make up the variance, the shares. Where the logarithm does not tell, they stay NaN.
func (p *population) addLogarithms(e *Effects, sample bool, seed uint64) error {
	logs := &studytable.Table{Factors: p.cells.Table.Factors, Responses: []studytable.Response{{Name: p.cells.Response}}}
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range p.cells.Table.Rows {
		if v := r.Values[p.column]; studytable.Finite(v) {
			logs.Rows = append(logs.Rows, studytable.Row{Levels: r.Levels, Values: []float64{math.Log(v)}})
			low, high = min(low, v), max(high, v)
		}
	}
	if !(low > 0) {
		return nil
	}
	c, err := logs.Gather(p.cells.Response, -1)
	if err != nil {
		return err
	}
	of, err := populationOf(c).effects(sample, false, seed)
	if err != nil {
		return nil
	}
	for i := range e.Factors {
		f := &e.Factors[i]
		g := &of.Factors[slices.IndexFunc(of.Factors, func(g Factor) bool { return g.Factor == f.Factor })]
		if high/10 > low {
			f.LogShare = g.Share
		}
		if e.Pairs != nil || len(e.Factors) == 1 {
			f.Elasticity = p.slope(g)
		}
	}
	return nil
}

// slope is that of the effects at the levels over the logarithms of the levels, each as
// often as it occurs; NaN if there are none.
func (p *population) slope(g *Factor) float64 {
	var x, y, weights []float64
	of := &p.cells.Table.Factors[g.Factor]
	if !of.Numeric() {
		return math.NaN()
	}
	counts := make([]float64, len(of.Levels))
	for _, one := range p.cells.List {
		counts[one.Levels[g.Factor]]++
	}
	for _, l := range g.Levels {
		value := of.Levels[l.Level].Value
		if value <= 0 {
			return math.NaN()
		}
		x, y, weights = append(x, math.Log(value)), append(y, l.Effect), append(weights, counts[l.Level])
	}
	_, slope := stat.LinearRegression(x, y, weights, false)
	return slope
}

// names are those of some of the varied factors.
func (p *population) names(of []int) string {
	var names []string
	for _, a := range of {
		names = append(names, p.cells.Table.Factors[p.factors[a]].Name)
	}
	return strings.Join(names, ", ")
}
