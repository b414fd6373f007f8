package findings

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// findGrowth follows the best configuration over the sizes, if there are several.
func (r *Result) findGrowth() {
	g, err := analysis.Best(r.Table, r.Response.Name, r.Goal, r.Size.Name)
	if err != nil {
		r.warn("the growth path could not be computed: %v", err)
		return
	}
	if len(g.Optima) < 2 {
		return
	}
	r.Path = g
	r.Growth = r.optima(g.Optima)
	r.findUpTo()
	r.findUpdates()
	table, several, err := r.growing()
	if err != nil {
		r.warn("greedy growth could not be computed: %v", err)
		return
	}
	if !several {
		return // with one way to grow there is nothing to choose
	}
	a, err := analysis.Ascend(table, r.Response.Name, r.Goal, r.Size.Name, g)
	if err != nil {
		r.warn("greedy growth could not be computed: %v", err)
		return
	}
	r.Ascent = &Ascent{Misses: []Miss{}}
	for _, s := range a.Steps {
		raised := ""
		if s.Factor >= 0 {
			raised = r.Table.Factors[s.Factor].Name
		}
		r.Ascent.Steps = append(r.Ascent.Steps, AscentStep{*r.configuration(s.Levels, s.Value), raised, s.Size, s.Gain})
	}
	for _, m := range a.Misses {
		r.Ascent.Misses = append(r.Ascent.Misses, Miss{m.Size, *r.configuration(m.Walk, m.Value), *r.configuration(m.Best, m.BestValue), m.Shortfall, r.shortfall(m.Value, m.BestValue)})
	}
}

func (r *Result) optima(all []analysis.Optimum) []Optimum {
	var list []Optimum
	for _, o := range all {
		list = append(list, Optimum{
			Configuration: *r.configuration(o.Levels, o.Value), StdErr: known(o.StdErr), Size: o.Size, Of: o.Of, Tied: o.Tied, WithinNoise: len(o.Rivals), Move: o.Move.String(),
		})
	}
	return list
}

// growing returns the rows in which the factors that do not change the size, or that
// have no order, are as at the best point, and whether several factors change it: those are ways to
// grow.
func (r *Result) growing() (t *studytable.Table, several bool, err error) {
	changes, err := effects.Changes(r.Table, r.Size.Name)
	if err != nil {
		return nil, false, err
	}
	t = r.Table
	ways := 0
	for k, f := range t.Factors {
		// A factor without order, such as a name, is a choice and no way to grow.
		if changes[k] && r.Study.Design.Factors[k].Numeric {
			ways++
			continue
		}
		if t, err = t.Fix(f.Name, r.Reference.At[k]); err != nil {
			return nil, false, err
		}
	}
	return t, ways > 1, nil
}

// WorthTelling is the shortfall, in per cent, from which on a miss is told: less is
// nothing that a choice should rest on.
const WorthTelling = 1

// shortfall is by how many per cent of the best value another is worse; nil where a
// ratio says nothing. Of the logarithm of an outcome it is that of the outcome.
func (r *Result) shortfall(value, best float64) *float64 {
	_, linear := r.linear()
	value, best = linear(value), linear(best)
	if !(value > 0 && best > 0) {
		return nil
	}
	return known(100 * math.Abs(value-best) / best)
}

// ToldMisses are the misses that are worth telling, the worst first.
func (r *Result) ToldMisses() []Miss {
	told := slices.DeleteFunc(slices.Clone(r.Ascent.Misses), func(m Miss) bool { return m.Percent != nil && *m.Percent < WorthTelling })
	slices.SortStableFunc(told, func(a, b Miss) int {
		if a.Percent != nil && b.Percent != nil {
			return cmp.Compare(*b.Percent, *a.Percent)
		}
		return cmp.Compare(b.Shortfall, a.Shortfall)
	})
	return told
}
