package effects

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Method is how effects were computed.
type Method int

const (
	// FullFactorial takes the exact sums of squares of a table that has every
	// combination of the levels that occur. Shares add up to 1.
	FullFactorial Method = iota
	// LeastSquares fits a linear model of coded factors. A sum of squares is what
	// the model loses without the term. Effects are means of the data. Shares need
	// not add up to 1.
	LeastSquares
	// OneAtATime analyses each factor alone, because the table cannot separate
	// them. Shares of factors that vary together overlap.
	OneAtATime
	// Binned is LeastSquares of a table with sampled factors that the model does not
	// describe: their shares are those of means over ranges of the factor, and only
	// other factors and interactions are left to the model.
	Binned
	// Shapley is LeastSquares of a table whose factors depend on each other, as under
	// a constraint, or whose shares would miss what the model explains. Sums of squares are Shapley values: what factors explain together
	// is divided equally. With the residual, shares add up to 1.
	Shapley
)

func (m Method) String() string {
	return [...]string{
		"exact sums of squares of a full factorial",
		"least squares on coded factors",
		"each factor alone, as the factors vary together",
		"means over ranges of the sampled factors, and least squares",
		"Shapley values of least squares on coded factors, as the factors depend on each other",
	}[m]
}

// MaxInteractionFactors is the largest number of factors with more than one level
// for which interactions are computed.
const MaxInteractionFactors = 12

// ANOVA is a functional analysis of variance of a response.
type ANOVA struct {
	Method       Method
	Mean         float64 // grand mean, in the unit of the response
	Main         []MainEffect
	Interactions []Interaction // of each pair of the factors in Main; nil if not requested or not determined
	// Higher is the rest after main effects and pairs: interactions of three or more
	// factors in a full factorial, the residual of the model under LeastSquares. It
	// includes the pairs if interactions were not requested.
	Higher Source
	// Error is the variation among repetitions; DF is 0 if there are none.
	Error Source
	Total Source
	// Confounded is true if factors vary together, so that their shares cannot be
	// separated: see [MainEffect].
	Confounded bool
	// Warnings are the reasons to doubt the effects.
	Warnings []string
}

// A Source is a part of the variation.
type Source struct {
	SumOfSquares float64 // in the squared unit of the response
	Share        float64 // of the total sum of squares; 0 if nothing varies
	DF           int     // degrees of freedom
}

// MainEffect is the effect of a factor, averaged over the others.
type MainEffect struct {
	Factor int // index in the table; only those with two levels or more that occur
	Levels []LevelEffect
	// Bins are the ranges of a sampled factor, ascending; nil for other factors. All
	// levels of a bin have one effect. If the method is not LeastSquares, the sum of
	// squares is that among finer bins, and DF counts those.
	Bins  []Bin
	Range float64 // largest minus smallest effect, in the unit of the response
	Source
	// P is the probability of an effect as large as this by chance, from the F test
	// against the variation among repetitions; NaN without repetitions. Of a sampled
	// factor it is that of a slope and a curvature.
	P float64
	// Chance is the probability that the bins of a sampled factor differ as much if
	// the factor has no effect, from the F test against the scatter in them. NaN if the
	// factor has no bins.
	Chance float64
	// Confounded is true if the factor varies together with others: more than nine
	// tenths of its variance (of its slope, or of the contrasts of a factor that is not
	// numeric) is that of the others, which is a variance inflation factor of 10.
	Confounded bool

	// model is the part of a linear model, and span the range of the effects in it;
	// of other methods both are 0.
	model Source
	span  float64
}

// LevelEffect is the mean response at a level, or in the bin of the level, minus the
// grand mean: of the data, never of a model. Effects of a factor add up to 0 over its
// levels in a full factorial, over the rows in other tables.
type LevelEffect struct {
	Level  int // index among the levels of the factor
	Effect float64
}

// Interaction is the joint effect of two factors beyond the sum of their main
// effects.
type Interaction struct {
	Factors [2]int // indices in the table, ascending
	// Effects are for each pair of levels in the order of the main effects,
	// [level of the first][level of the second]. They add up to 0 over each. Nil
	// unless the method is FullFactorial.
	Effects [][]float64
	Source
	P float64 // as in MainEffect
}

// Of returns main effects and, if requested, two-factor interactions with
// their shares of the variance.
//
// In a full factorial, with m the mean over all configurations, m_a over those with
// level a of a factor, m_ab over those with levels a and b of two, N configurations
// and K_A levels,
//
//	effect of a         e_a = m_a - m
//	interaction         e_ab = m_ab - m_a - m_b + m
//	sum of squares      SS_A = r N/K_A sum e_a^2,  SS_AB = r N/(K_A K_B) sum e_ab^2
//	error               sum over repetitions of (y - mean of the configuration)^2
//
// where r is the number of repetitions. If that differs, r is its harmonic mean:
// the analysis of unweighted means.
//
// Other tables are analysed by least squares: first with the main effects alone,
// which gives their sums of squares, then with the products of all pairs of slopes
// (and of the coefficients of levels). The sum of squares of a factor is what the model
// loses without it or, if the factors depend on each other, its Shapley value: what the
// model gains by it, as the mean over all orders in which the factors can be added. Pairs
// then divide in the same way what they explain beyond all main effects. A numeric factor is coded by its value or by
// its logarithm, whichever is closer to linear in the positions of its levels. The
// model has this slope and a coefficient for each further level or, if the points do
// not determine these, a curvature. If the points do not determine the interactions,
// these are left out with a warning; if they do not determine the main effects
// either, each factor is analysed alone.
//
// A numeric factor of such a table is sampled if it has more than 5 levels, hardly
// any of which occurs twice (less than 1.5 configurations for each), or more than 20
// and less than 10 configurations for each. Its single levels are single points, so
// effects are means over bins by rank: fifths, or fewer of at least 10 configurations,
// but two at least. Its share is that of its slope and curvature if the residual of
// the model is at most a fifth of the variation among configurations. Otherwise a
// curve may overfit single points, and the share is
//
//	(SS_between - (B - 1) SS_within/(n - B))/SS_total     with B of about sqrt(n/2) bins
//
// which is the variance of the conditional mean over that of the response, the
// first-order index of [Sobol2001] or correlation ratio, less the expectation of
// what the scatter within B bins of n configurations adds.
//
// Interactions of more than [MaxInteractionFactors] factors are an error.
//
// Source: [Montgomery2017] chapters 5 and 10; functional ANOVA as in [Sobol2001].
// The correction is by the expected mean squares of a one-way analysis, chapter 3 of the
// former. Deviations: none for a full factorial.
func Of(t *studytable.Table, response string, interactions bool) (*ANOVA, error) {
	c, err := t.Gather(response, -1)
	if err != nil {
		return nil, err
	}
	return effectsOf(c, interactions)
}

func effectsOf(c *studytable.Cells, interactions bool) (*ANOVA, error) {
	v := variedFactors(c)
	if interactions && len(v.factors) > MaxInteractionFactors {
		return nil, fmt.Errorf("analysis: interactions of %d factors; expected at most %d that vary (fix some of them, or ask for main effects only)", len(v.factors), MaxInteractionFactors)
	}
	e := &ANOVA{}
	for _, one := range c.List {
		e.Error.SumOfSquares += one.Within
		e.Error.DF += one.Rows - 1
	}
	if v.full {
		v.factorial(e, interactions)
	} else {
		v.unbalanced(e, interactions)
	}
	e.finish()
	return e, nil
}

// variation is a table reduced to the levels that occur.
type variation struct {
	*studytable.Cells
	factors []int   // with two levels or more that occur
	levels  [][]int // that occur, for each of factors, from the lowest
	place   [][]int // of a level among them, for each of factors; -1 if it does not occur
	full    bool    // every combination of them occurs
}

func variedFactors(c *studytable.Cells) *variation {
	v := &variation{Cells: c}
	combinations := 1.0
	for k := range c.Table.Factors {
		f := &c.Table.Factors[k]
		occurs := make([]bool, len(f.Levels))
		for _, one := range c.List {
			occurs[one.Levels[k]] = true
		}
		var levels []int
		place := make([]int, len(f.Levels))
		for _, l := range f.Order() {
			place[l] = -1
			if occurs[l] {
				place[l] = len(levels)
				levels = append(levels, l)
			}
		}
		if len(levels) > 1 {
			v.factors, v.levels, v.place = append(v.factors, k), append(v.levels, levels), append(v.place, place)
			combinations *= float64(len(levels))
		}
	}
	v.full = combinations == float64(len(c.List))
	return v
}

// factorial takes exact sums of squares.
func (v *variation) factorial(e *ANOVA, interactions bool) {
	e.Method = FullFactorial
	n := float64(len(v.List))
	means := make([]float64, len(v.List))
	var inverse float64
	for i, one := range v.List {
		means[i] = one.Mean
		inverse += 1 / float64(one.Rows)
	}
	repetitions := n / inverse
	e.Mean = stat.Mean(means, nil)
	// Differences from the mean lose fewer digits than sums.
	var between float64
	for i := range means {
		means[i] -= e.Mean
		between += float64(means[i] * means[i])
	}
	between *= repetitions
	left := between
	df := len(v.List) - 1
	effects := make([][]float64, len(v.factors))
	for a, k := range v.factors {
		effects[a] = make([]float64, len(v.levels[a]))
		for i, one := range v.List {
			effects[a][v.place[a][one.Levels[k]]] += means[i]
		}
		per := n / float64(len(effects[a]))
		m := MainEffect{Factor: k, Chance: math.NaN()}
		for l := range effects[a] {
			effects[a][l] /= per
			m.Levels = append(m.Levels, LevelEffect{v.levels[a][l], effects[a][l]})
			m.SumOfSquares += float64(repetitions * per * effects[a][l] * effects[a][l])
		}
		m.DF = len(effects[a]) - 1
		left -= m.SumOfSquares
		df -= m.DF
		e.Main = append(e.Main, m)
	}
	if interactions {
		for a := range v.factors {
			for b := a + 1; b < len(v.factors); b++ {
				x := v.interaction(a, b, means, effects, repetitions)
				left -= x.SumOfSquares
				df -= x.DF
				e.Interactions = append(e.Interactions, x)
			}
		}
	}
	e.Higher = Source{SumOfSquares: left, DF: df}
	// Without residual degrees of freedom, the difference is a rounding error.
	if df == 0 || left < 1e-12*between {
		e.Higher.SumOfSquares = 0
	}
	e.Total = Source{SumOfSquares: between + e.Error.SumOfSquares, DF: len(v.List) - 1 + e.Error.DF}
}

func (v *variation) interaction(a, b int, deviations []float64, effects [][]float64, repetitions float64) Interaction {
	x := Interaction{Factors: [2]int{v.factors[a], v.factors[b]}}
	rows, columns := len(v.levels[a]), len(v.levels[b])
	flat := make([]float64, rows*columns)
	for l := range rows {
		x.Effects = append(x.Effects, flat[l*columns:(l+1)*columns])
	}
	for i, one := range v.List {
		flat[v.place[a][one.Levels[v.factors[a]]]*columns+v.place[b][one.Levels[v.factors[b]]]] += deviations[i]
	}
	per := float64(len(v.List)) / float64(rows*columns)
	for l := range rows {
		for m := range columns {
			d := x.Effects[l][m]/per - effects[a][l] - effects[b][m]
			x.Effects[l][m] = d
			x.SumOfSquares += float64(repetitions * per * d * d)
		}
	}
	x.DF = (rows - 1) * (columns - 1)
	return x
}

// finish derives shares, ranges and probabilities from sums of squares.
func (e *ANOVA) finish() {
	share := func(s *Source) {
		if e.Total.SumOfSquares > 0 {
			s.Share = s.SumOfSquares / e.Total.SumOfSquares
		}
	}
	for i := range e.Main {
		m := &e.Main[i]
		low, high := math.Inf(1), math.Inf(-1)
		for _, l := range m.Levels {
			low, high = min(low, l.Effect), max(high, l.Effect)
		}
		m.Range = high - low
		share(&m.Source)
		m.P = e.chance(m.Source)
		if m.model.DF > 0 {
			m.P = e.chance(m.model) // what is lost without the factor
		}
	}
	for i := range e.Interactions {
		x := &e.Interactions[i]
		share(&x.Source)
		x.P = e.chance(x.Source)
	}
	share(&e.Higher)
	share(&e.Error)
	share(&e.Total)
}

// chance returns the probability of a sum of squares at least as large if there
// were only the variation among repetitions.
func (e *ANOVA) chance(s Source) float64 {
	switch {
	case e.Error.DF == 0 || s.DF == 0:
		return math.NaN()
	case s.SumOfSquares == 0:
		return 1
	case e.Error.SumOfSquares == 0: // repetitions agree to the last bit
		return 0
	}
	f := s.SumOfSquares / float64(s.DF) / (e.Error.SumOfSquares / float64(e.Error.DF))
	return distuv.F{D1: float64(s.DF), D2: float64(e.Error.DF)}.Survival(f)
}

func (e *ANOVA) warn(format string, args ...any) {
	e.Warnings = append(e.Warnings, fmt.Sprintf(format, args...))
}

func (v *variation) names(factors []int) string {
	var names []string
	for _, k := range factors {
		names = append(names, v.Table.Factors[k].Name)
	}
	return strings.Join(names, ", ")
}
