package sweep

import (
	"math"

	"github.com/isoscale/isoscale/experiments/analysis"
)

// findGrowth follows the best configuration over the sizes, if there are several.
func (r *Result) findGrowth() {
	g, err := analysis.Best(r.table, r.response.Name, r.goal, r.size.Name)
	if err != nil {
		r.warn("no growth path: %v", err)
		return
	}
	if len(g.Optima) < 2 {
		return
	}
	r.growth = g
	for _, o := range g.Optima {
		r.Growth = append(r.Growth, Optimum{*r.configuration(o.Levels, o.Value), o.Size, o.Of, o.Tied, o.Move.Kind.String()})
	}
	table, several, err := r.growing()
	if err != nil {
		r.warn("no steepest ascent: %v", err)
		return
	}
	if !several {
		return // with one way to grow there is nothing to choose
	}
	a, err := analysis.Ascend(table, r.response.Name, r.goal, r.size.Name, analysis.Per{})
	if err != nil {
		r.warn("no steepest ascent: %v", err)
		return
	}
	r.Ascent = &Ascent{Misses: []Miss{}}
	for _, s := range a.Steps {
		raised := ""
		if s.Factor >= 0 {
			raised = r.table.Factors[s.Factor].Name
		}
		r.Ascent.Steps = append(r.Ascent.Steps, AscentStep{*r.configuration(s.Levels, s.Value), raised, s.Size, s.Gain})
	}
	r.findMisses()
}

// findMisses compares the best that the walk has at each size with the best there is.
func (r *Result) findMisses() {
	for _, o := range r.Growth {
		at := -1
		for i, s := range r.Ascent.Steps {
			if math.Abs(s.Size-o.Size) <= 1e-9*math.Abs(o.Size) && (at < 0 || r.better(s.Value, r.Ascent.Steps[at].Value) < 0) {
				at = i
			}
		}
		if at < 0 {
			continue
		}
		walk := r.Ascent.Steps[at].Configuration
		if short := math.Abs(o.Value - walk.Value); r.better(o.Value, walk.Value) < 0 && short > 1e-12*math.Abs(o.Value) {
			r.Ascent.Misses = append(r.Ascent.Misses, Miss{o.Size, walk, o.Configuration, short})
		}
	}
}

// growing returns the rows in which the factors that do not change the size are
// as at the best point, and whether several factors change it: those are ways to
// grow.
func (r *Result) growing() (t *analysis.Table, several bool, err error) {
	s, err := analysis.Sensitivity(r.table, r.size.Name)
	if err != nil {
		return nil, false, err
	}
	t = r.table
	ways := 0
	for _, f := range s.Factors {
		if f.Varied && !f.NoEffect {
			ways++
			continue
		}
		if t, err = t.Fix(t.Factors[f.Factor].Name, r.Best.levels[f.Factor]); err != nil {
			return nil, false, err
		}
	}
	return t, ways > 1, nil
}
