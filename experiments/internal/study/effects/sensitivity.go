package effects

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Sensitivities describe how a response depends on each factor.
type Sensitivities struct {
	Factors []FactorSensitivity // in descending order of Share; of equal ones in that of the table
	Method  Method              // by which the shares were computed
	// Wide is true if all responses are positive and the largest is more than ten
	// times the smallest. Then variance is that of the largest few, and the shares of
	// the logarithm of the response say more about the others.
	Wide bool
	// Confounded is true if factors vary together, so that their shares cannot be
	// separated.
	Confounded bool
	// Warnings are those of the method and of every factor, as sentences for a report.
	Warnings []string
}

// FactorSensitivity describes how a response depends on a factor.
type FactorSensitivity struct {
	Factor int // index in the table; of all factors, those with one level too
	// Lowest and Highest are the smallest and the largest mean response at a level, as
	// in a tornado chart. They are means of the data, over the
	// configurations with the factor at that level, or in that bin.
	Lowest, Highest           float64
	LowestLevel, HighestLevel int // indices among the levels of the factor; in a bin the middle one
	// Binned is true if the factor is sampled, see [Of]: then LowestBin and
	// HighestBin are the ranges over which Lowest and Highest are means.
	Binned                bool
	LowestBin, HighestBin Bin
	// Chance is that of [MainEffect]: whether the bins differ more than at random.
	Chance float64
	Range  float64 // Highest - Lowest, in the unit of the response
	// Elasticity is d ln y/d ln x: by how many percent the response changes with one
	// percent of the factor. It is the slope of least squares over all configurations,
	// with the logarithms of the other positive numeric factors beside it where the
	// table tells them apart. NaN unless the factor is numeric and varies, and it and all
	// responses are positive.
	Elasticity float64
	Share      float64 // of the variance of the response, of the main effect: see [Of]
	// LogShare is the same of the logarithm of the response; NaN unless the response
	// is Wide.
	LogShare float64
	// TotalShare is the share of the variance that disappears when the factor does:
	// main effect and all its interactions. Only of a full factorial, else NaN.
	TotalShare float64
	// Confounded is true if the factor varies together with others, see [MainEffect].
	Confounded bool
	// Varied is false if only one level of the factor occurs: its effect is unknown.
	Varied bool
	// NoEffect is true if the response does not change at all with the factor: no
	// two configurations that agree in all other factors differ by more than a
	// part of 1e-12. If there are no such pairs, the range of the linear model is used,
	// or Range without a model.
	NoEffect bool
	// WithinNoise is true if neither the main effect nor all effects of the factor
	// together stand out, at a level of 5 %, from the variation among repetitions.
	WithinNoise bool
	Warning     string // empty when there is nothing to say
}

// noEffect is how far responses may be apart, relative to their size, and still
// be called equal.
const noEffect = 1e-12

// Sensitivity returns how the response depends on each factor. It warns of factors
// that have no effect and of factors whose effect is within the noise.
//
// Source: shares and total shares as in [Sobol2001], by the exact sums of squares of
// [Of]. Deviations: see there for tables that are not a full factorial. Their
// LogShare may be computed by another method than their Share.
func Sensitivity(t *studytable.Table, response string) (*Sensitivities, error) {
	c, err := t.Gather(response, -1)
	if err != nil {
		return nil, err
	}
	e, err := effectsOf(c, false)
	if err != nil {
		return nil, err
	}
	s := &Sensitivities{Method: e.Method, Confounded: e.Confounded, Warnings: slices.Clone(e.Warnings)}
	logShares, err := logSharesOf(c, response)
	if err != nil {
		return nil, err
	}
	s.Wide = logShares != nil
	elasticities := elasticitiesOf(c)
	for k := range t.Factors {
		f := FactorSensitivity{Factor: k, Elasticity: elasticities[k], TotalShare: math.NaN(), LogShare: math.NaN(), Chance: math.NaN()}
		if s.Wide {
			f.LogShare = logShares[k]
		}
		if i := slices.IndexFunc(e.Main, func(m MainEffect) bool { return m.Factor == k }); i >= 0 {
			sense(c, &f, e, &e.Main[i])
		} else {
			f.LowestLevel = c.List[0].Levels[k]
			f.HighestLevel = f.LowestLevel
			f.Lowest, f.Highest = e.Mean, e.Mean
			f.Warning = fmt.Sprintf("only one level of %s occurs: its effect is unknown", t.Factors[k].Name)
		}
		if f.Warning != "" {
			s.Warnings = append(s.Warnings, f.Warning)
		}
		s.Factors = append(s.Factors, f)
	}
	slices.SortStableFunc(s.Factors, func(a, b FactorSensitivity) int { return cmp.Compare(b.Share, a.Share) })
	return s, nil
}

// sense fills in the fields of a factor that follow from its main effect.
func sense(c *studytable.Cells, f *FactorSensitivity, e *ANOVA, m *MainEffect) {
	name := c.Table.Factors[f.Factor].Name
	f.Varied, f.Range, f.Share = true, m.Range, m.Share
	low := slices.MinFunc(m.Levels, func(a, b LevelEffect) int { return cmp.Compare(a.Effect, b.Effect) })
	high := slices.MaxFunc(m.Levels, func(a, b LevelEffect) int { return cmp.Compare(a.Effect, b.Effect) })
	f.Lowest, f.LowestLevel = e.Mean+low.Effect, low.Level
	f.Highest, f.HighestLevel = e.Mean+high.Effect, high.Level
	f.Chance, f.Confounded = m.Chance, m.Confounded
	if f.Binned = m.Bins != nil; f.Binned {
		by := func(a, b Bin) int { return cmp.Compare(a.Mean, b.Mean) }
		f.LowestBin, f.HighestBin = slices.MinFunc(m.Bins, by), slices.MaxFunc(m.Bins, by)
		f.LowestLevel, f.HighestLevel = m.middle(f.LowestBin), m.middle(f.HighestBin)
	}

	alone := aloneOf(c, f.Factor)
	if alone.compared > 0 {
		f.NoEffect = alone.largest <= noEffect
	} else {
		span := m.Range
		if e.Method != OneAtATime {
			span = m.span
		}
		f.NoEffect = span <= noEffect*math.Abs(e.Mean)
	}
	total := math.NaN()
	if e.Method == FullFactorial && e.Total.SumOfSquares > 0 {
		// Harmonic mean of repetitions, as in Of.
		var inverse float64
		for _, one := range c.List {
			inverse += 1 / float64(one.Rows)
		}
		squares := alone.squares * float64(len(c.List)) / inverse
		f.TotalShare = squares / e.Total.SumOfSquares
		total = e.chance(Source{SumOfSquares: squares, DF: alone.compared})
	}
	const level = 0.05
	f.WithinNoise = !f.NoEffect && m.P > level && !(total <= level)
	switch {
	case f.NoEffect:
		f.Warning = fmt.Sprintf("%s has no effect: the result is the same at all its levels; check that the scenario uses it", name)
	case f.WithinNoise:
		f.Warning = fmt.Sprintf("the effect of %s is within the noise of the repetitions", name)
	}
}

// middle returns the level in the middle of a bin.
func (m *MainEffect) middle(b Bin) int {
	is := func(level int) func(LevelEffect) bool {
		return func(l LevelEffect) bool { return l.Level == level }
	}
	return m.Levels[(slices.IndexFunc(m.Levels, is(b.LowLevel))+slices.IndexFunc(m.Levels, is(b.HighLevel)))/2].Level
}

// logSharesOf returns for each factor the share of the variance of the logarithm of a
// response, or nil if that is not wide.
func logSharesOf(c *studytable.Cells, response string) ([]float64, error) {
	y, err := c.Table.ResponseIndex(response)
	if err != nil {
		return nil, err
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range c.Table.Rows {
		if v := r.Values[y]; studytable.Finite(v) {
			low, high = min(low, v), max(high, v)
		}
	}
	if !(low > 0 && high/10 > low) {
		return nil, nil
	}
	logs := &studytable.Table{Factors: c.Table.Factors, Responses: []studytable.Response{{Name: response}}}
	for _, r := range c.Table.Rows {
		if v := r.Values[y]; studytable.Finite(v) {
			logs.Rows = append(logs.Rows, studytable.Row{Levels: r.Levels, Values: []float64{math.Log(v)}})
		}
	}
	e, err := Of(logs, response, false)
	if err != nil {
		return nil, err
	}
	shares := make([]float64, len(c.Table.Factors))
	for _, m := range e.Main {
		shares[m.Factor] = m.Share
	}
	return shares, nil
}

// differences are those among configurations that agree in all factors but one.
type differences struct {
	compared int     // configurations beyond the first of each group
	largest  float64 // difference, relative to the larger of the two
	squares  float64 // sum of squares around the mean of each group
}

func aloneOf(c *studytable.Cells, factor int) differences {
	sorted := make([]int, len(c.List))
	for i := range sorted {
		sorted[i] = i
	}
	c.Table.SortByLevels(sorted, func(i int) []int { return c.List[i].Levels }, factor)
	agree := func(a, b []int) bool {
		for k := range a {
			if k != factor && a[k] != b[k] {
				return false
			}
		}
		return true
	}
	var d differences
	var group []float64
	for i := 0; i < len(sorted); {
		group = group[:0]
		first := c.List[sorted[i]].Levels
		for ; i < len(sorted) && agree(first, c.List[sorted[i]].Levels); i++ {
			group = append(group, c.List[sorted[i]].Mean)
		}
		if len(group) == 1 {
			continue
		}
		d.compared += len(group) - 1
		low, high := slices.Min(group), slices.Max(group)
		if size := max(math.Abs(low), math.Abs(high)); high > low {
			d.largest = max(d.largest, (high-low)/size)
		}
		mean := stat.Mean(group, nil)
		for _, y := range group {
			d.squares += float64((y - mean) * (y - mean))
		}
	}
	return d
}

// elasticitiesOf returns d ln y/d ln x for each factor, NaN where it is not defined.
func elasticitiesOf(c *studytable.Cells) []float64 {
	result := slices.Repeat([]float64{math.NaN()}, len(c.Table.Factors))
	y := make([]float64, len(c.List))
	for i, one := range c.List {
		if one.Mean <= 0 {
			return result
		}
		y[i] = math.Log(one.Mean)
	}
	var factors []int
	var logs [][]float64
	for k, f := range c.Table.Factors {
		if x := logarithms(c, k); x != nil && f.Numeric() {
			factors, logs = append(factors, k), append(logs, x)
		}
	}
	if len(factors) == 0 {
		return result
	}
	// Normal equations of standardized logarithms: their matrix is that of
	// correlations, and its condition says whether factors vary together.
	n := len(logs)
	correlations, with := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for a := range logs {
		for b := a; b < n; b++ {
			correlations.SetSym(a, b, stat.Correlation(logs[a], logs[b], nil))
		}
		with.SetVec(a, stat.Covariance(logs[a], y, nil)/stat.StdDev(logs[a], nil))
	}
	var cholesky mat.Cholesky
	var slopes mat.VecDense
	if len(c.List) <= n || !cholesky.Factorize(correlations) || cholesky.Cond() > worstCondition || cholesky.SolveVecTo(&slopes, with) != nil {
		slopes.CloneFromVec(with) // each factor alone
	}
	for a, k := range factors {
		result[k] = slopes.AtVec(a) / stat.StdDev(logs[a], nil)
	}
	return result
}

// logarithms returns those of a factor at every configuration, or nil if it is not
// positive everywhere or does not vary.
func logarithms(c *studytable.Cells, factor int) []float64 {
	f := &c.Table.Factors[factor]
	x := make([]float64, len(c.List))
	varies := false
	for i, one := range c.List {
		l := f.Levels[one.Levels[factor]]
		if !l.Numeric || l.Value <= 0 {
			return nil
		}
		x[i] = math.Log(l.Value)
		varies = varies || x[i] != x[0]
	}
	if !varies {
		return nil
	}
	return x
}
