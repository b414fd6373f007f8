package effects

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/internal/each"
	"gonum.org/v1/gonum/stat"
)

// Effects are the shares of a table's factors in the variance of a response. Values that do not exist are null.
type Effects struct {
	Method  string   `json:"method"`  // in words
	Mean    float64  `json:"mean"`    // over the configurations, in the unit of the response
	Factors []Factor `json:"factors"` // with at least two levels that occur, in descending order of Share
	// Pairs are interactions of independent factors; nil if factors depend on each other.
	Pairs []Pair  `json:"interactions,omitempty"`
	Noise float64 `json:"noise_share"` // of the differences among repetitions
	// Unexplained is the share of what a polynomial leaves unexplained. It may belong to any factor, so it is in none of
	// the shares, and below the upper end of each interval.
	Unexplained float64  `json:"unexplained_share,omitzero"`
	Warnings    []string `json:"-"` // sentences for a report
}

// Factor is the effect of one factor.
type Factor struct {
	Factor string  `json:"factor"`
	Share  float64 `json:"share"` // Shapley share of the variance, without the noise of means: it may be just below 0
	// Low and High are the 95 % interval of Share; they do not exist where it is exact.
	Low  analysis.Number `json:"share_low"`
	High analysis.Number `json:"share_high"`
	// Alone is the fraction of the variance that the factor explains if nothing else is known: the first-order Sobol
	// index.
	Alone float64 `json:"alone"`
	// LogShare is Share for the logarithm; it exists only if values are above 0 and span more than a factor of ten.
	LogShare  analysis.Number `json:"log_share"`
	Lowest    float64         `json:"lowest"` // mean at a level
	LowestAt  string          `json:"lowest_at"`
	Highest   float64         `json:"highest"`
	HighestAt string          `json:"highest_at"`
	// LowestHalf and HighestHalf are the Half of these two effects.
	LowestHalf  float64 `json:"-"`
	HighestHalf float64 `json:"-"`
	// Elasticity is d ln y/d ln x: by how many per cent the response changes with one per cent of the factor, the slope
	// of the means of the logarithm at its levels. It exists only if the factor is numeric, both are above 0, and
	// factors are independent.
	Elasticity analysis.Number `json:"elasticity"`
	// NoEffect is true if no two configurations that agree in all other factors differ by more than a relative 1e-12.
	NoEffect bool          `json:"no_effect"`
	Levels   []LevelEffect `json:"levels"` // levels that occur, from the lowest

	Index int `json:"-"` // in the table
	// WithinNoise is true if neither what the factor explains alone nor what is lost without it stands out from the
	// repetitions, by two F tests at a level of 5 %.
	WithinNoise bool `json:"-"`
}

// LevelEffect is the mean response at a level minus the mean of all.
type LevelEffect struct {
	Level  string  `json:"level"`
	Effect float64 `json:"effect"`
	// Half is half of the 95 % interval of Effect over repetitions; 0 where they do not differ.
	Half float64 `json:"half,omitzero"`

	index int // among the levels of the factor
}

// Pair is the interaction of two factors: what they explain together beyond what each explains alone, as a share of the
// variance.
type Pair struct {
	Factors [2]string `json:"factors"` // in the order of the table
	Share   float64   `json:"share"`
}

// Of returns how much the factors of a table matter to a response. sample says that the configurations are a random
// sample of independent factors rather than the whole design; seed determines the intervals. The error says why the
// table does not tell.
func Of(c *analysis.Cells, sample bool, seed uint64) (*Effects, error) {
	p := populationOf(c)
	e, err := p.effects(sample, true, seed)
	if err != nil {
		return nil, err
	}
	if err := p.addLogarithms(e, sample, seed); err != nil {
		return nil, err
	}
	for i := range e.Factors {
		f := &e.Factors[i]
		switch {
		case f.NoEffect:
			if none := c.Table.InfeasibleLevels(f.Factor); len(none) > 0 {
				e.warn("nothing is feasible at %s = %s; among its other levels %[1]s has no effect", f.Factor, strings.Join(none, ", "))
				continue
			}
			e.warn("%s has no effect: the result is the same at all its levels; check that the scenario uses it", f.Factor)
		case f.WithinNoise:
			e.warn("the effect of %s is within the noise of the repetitions", f.Factor)
		}
		by := func(a, b LevelEffect) int { return cmp.Compare(a.Effect, b.Effect) }
		low, high := slices.MinFunc(f.Levels, by), slices.MaxFunc(f.Levels, by)
		f.LowestHalf, f.HighestHalf = low.Half, high.Half
		f.Lowest, f.LowestAt, f.Highest, f.HighestAt = e.Mean+low.Effect, low.Level, e.Mean+high.Effect, high.Level
	}
	slices.SortStableFunc(e.Factors, func(a, b Factor) int { return cmp.Compare(b.Share, a.Share) })
	return e, nil
}

// Changes reports for each factor of a table whether a response changes with it.
func Changes(c *analysis.Cells) []bool {
	changes := make([]bool, len(c.Table.Factors))
	p := populationOf(c)
	for a, k := range p.factors {
		changes[k] = !p.idle(a, p.without(a))
	}
	return changes
}

func (e *Effects) warn(format string, args ...any) {
	e.Warnings = append(e.Warnings, fmt.Sprintf(format, args...))
}

// add appends a factor that has the given means at its levels.
func (e *Effects) add(p *population, a int, levels []float64) *Factor {
	of, none := &p.cells.Table.Factors[p.factors[a]], analysis.Number(math.NaN())
	f := Factor{Factor: of.Name, Index: p.factors[a], Low: none, High: none, LogShare: none, Elasticity: none}
	halves := make([]float64, len(levels))
	if p.repeated != nil {
		halves = p.repeated.halves(p.places[a], len(levels))
	}
	for place, effect := range levels {
		l := p.levels[a][place]
		f.Levels = append(f.Levels, LevelEffect{of.Text(l), effect, halves[place], l})
	}
	e.Factors = append(e.Factors, f)
	return &e.Factors[len(e.Factors)-1]
}

// pair appends the interaction of two factors.
func (e *Effects) pair(p *population, a, b int, share float64) {
	of := p.cells.Table.Factors
	e.Pairs = append(e.Pairs, Pair{[2]string{of[p.factors[a]].Name, of[p.factors[b]].Name}, share})
}

// effects computes the effects on the response itself.
func (p *population) effects(sample, intervals bool, seed uint64) (*Effects, error) {
	e := &Effects{Mean: p.mean, Factors: []Factor{}}
	if sample && !p.complete {
		return e, p.sampled(e, intervals, seed)
	}
	return e, p.exact(e, intervals, seed)
}

// addLogarithms adds what follows from the logarithms if all values are above 0: the elasticities and, where the
// largest value is more than ten times the smallest, so that the largest few make up the variance, the shares. Where
// the logarithm does not tell, they stay NaN.
func (p *population) addLogarithms(e *Effects, sample bool, seed uint64) error {
	logs := &analysis.Table{Factors: p.cells.Table.Factors, Responses: []analysis.Response{{Name: p.cells.Response}}}
	low, high := math.Inf(1), math.Inf(-1)
	for _, one := range p.cells.List {
		for _, r := range one.Rows {
			v := r.Values[p.cells.Column]
			logs.Rows = append(logs.Rows, analysis.Row{Levels: r.Levels, Values: []float64{math.Log(v)}})
			low, high = min(low, v), max(high, v)
		}
	}
	if !(low > 0) {
		return nil
	}
	c, err := logs.Gather(p.cells.Response, p.cells.Goal)
	if err != nil {
		return err
	}
	of, err := populationOf(c).effects(sample, false, seed)
	if err != nil {
		return nil
	}
	for i := range e.Factors {
		f := &e.Factors[i]
		g := &of.Factors[slices.IndexFunc(of.Factors, func(g Factor) bool { return g.Index == f.Index })]
		if high/10 > low {
			f.LogShare = analysis.Number(g.Share)
		}
		if e.Pairs != nil || len(e.Factors) == 1 {
			f.Elasticity = analysis.Number(p.slope(g))
		}
	}
	return nil
}

// slope returns the slope of the effects over the logarithms of the levels, weighted by how often each level occurs;
// NaN if there are no logarithms.
func (p *population) slope(g *Factor) float64 {
	var x, y, weights []float64
	of := &p.cells.Table.Factors[g.Index]
	if !of.Numeric {
		return math.NaN()
	}
	counts := make([]float64, len(of.Levels))
	for _, one := range p.cells.List {
		counts[one.Levels[g.Index]]++
	}
	for _, l := range g.Levels {
		value := of.Levels[l.index].Value
		if value <= 0 {
			return math.NaN()
		}
		x, y, weights = append(x, math.Log(value)), append(y, l.Effect), append(weights, counts[l.index])
	}
	_, slope := stat.LinearRegression(x, y, weights, false)
	return slope
}

// names joins the names of some of the varied factors.
func (p *population) names(of []int) string {
	names := each.Append(nil, of, func(a int) string { return p.cells.Table.Factors[p.factors[a]].Name })
	return strings.Join(names, ", ")
}
