package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/model/regression"
)

// ScalingOptions say what is fitted.
type ScalingOptions struct {
	Factor string          // numeric, all levels at least 1, such as a number of nodes
	Kind   regression.Kind // what the response is
	// Limit is the largest number of combinations of the other factors to fit, in
	// the order of their levels; 0 for 100.
	Limit int
}

// Scaling are models of a response over a factor, for combinations of the others.
type Scaling struct {
	Factor  int // index in the table
	Fits    []ScalingFit
	LeftOut int // combinations beyond the limit
	Count   Count
}

// A ScalingFit is what describes the response at one combination of the other factors.
type ScalingFit struct {
	Levels  []int               // for each factor of the table; -1 for the one that is varied
	Samples []regression.Sample // in ascending order of P; means of repetitions
	// Models are the fits, the best first; each answers for predictions, bands and
	// whether a p is an extrapolation. Nil if Err is not.
	Models *regression.Comparison
	Err    error // why nothing could be fitted here, such as too few points
}

// defaultLimit is the number of combinations that a report can show.
const defaultLimit = 100

// FitScaling fits the models of [regression.Compare] to the response over a
// numeric factor, once for every combination of the others. That some combinations
// cannot be fitted is not an error; that none can is.
func FitScaling(t *Table, response string, options ScalingOptions) (*Scaling, error) {
	k, err := t.FactorIndex(options.Factor)
	if err != nil {
		return nil, err
	}
	f := &t.Factors[k]
	for _, l := range f.Levels {
		if !l.Numeric || !(l.Value >= 1) {
			return nil, fmt.Errorf("analysis: factor %s has the level %s; expected numbers of at least 1 to fit scaling over", f.Name, l.label(f.Unit))
		}
	}
	limit := options.Limit
	if limit == 0 {
		limit = defaultLimit
	}
	if limit < 0 {
		return nil, fmt.Errorf("analysis: a limit of %d combinations; expected 0 or more", limit)
	}
	c, err := t.gather(response, -1)
	if err != nil {
		return nil, err
	}
	sorted := make([]int, len(c.list))
	for i := range sorted {
		sorted[i] = i
	}
	t.sortByLevels(sorted, func(i int) []int { return c.list[i].levels }, k)
	s := &Scaling{Factor: k, Count: c.count}
	fitted := false
	for i := 0; i < len(sorted); {
		one := ScalingFit{Levels: slices.Clone(c.list[sorted[i]].levels)}
		one.Levels[k] = -1
		for ; i < len(sorted); i++ {
			next := c.list[sorted[i]]
			if !slices.Equal(one.Levels[:k], next.levels[:k]) || !slices.Equal(one.Levels[k+1:], next.levels[k+1:]) {
				break
			}
			one.Samples = append(one.Samples, regression.Sample{P: f.Levels[next.levels[k]].Value, Y: next.mean})
		}
		if len(s.Fits) == limit {
			s.LeftOut++
			continue
		}
		slices.SortFunc(one.Samples, func(a, b regression.Sample) int { return cmp.Compare(a.P, b.P) })
		one.Models, one.Err = regression.Compare(options.Kind, one.Samples)
		fitted = fitted || one.Err == nil
		s.Fits = append(s.Fits, one)
	}
	if !fitted {
		return nil, fmt.Errorf("analysis: no combination of the other factors gives a fit over %s; with %s: %w",
			f.Name, t.Describe(s.Fits[0].Levels), s.Fits[0].Err)
	}
	return s, nil
}
