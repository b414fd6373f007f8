package findings

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/model/regression"
)

// lawSizes bounds how many sizes laws are fitted to: each is left out once.
const lawSizes = 100

// workVaries reports whether the best configurations of the sizes do different
// work, where the outcomes say what work is done.
func (r *Result) workVaries() bool {
	best := map[string]bool{}
	for _, o := range r.Path.Optima {
		best[fmt.Sprint(o.Levels)] = true
	}
	return r.differsAmong(system.Work, 1e-9, func(row studytable.Row) bool { return best[fmt.Sprint(row.Levels)] })
}

// linear is the outcome that is the objective, and how its values follow from those of
// the objective: of the logarithm of another, that one.
func (r *Result) linear() (system.Outcome, func(float64) float64) {
	o := r.Study.Outcome(r.Response.Name)
	if o.Log2Of != "" {
		return r.Study.Outcome(o.Log2Of), math.Exp2
	}
	return o, func(x float64) float64 { return x }
}

// findScaling fits laws to the best values over the sizes. For the logarithm of
// another outcome that is the other.
func (r *Result) findScaling() {
	if r.Path == nil {
		return
	}
	outcome, transform := r.linear()
	if !r.Study.Outcome(r.Objective.Size).Processors || outcome.Law == nil {
		return
	}
	if r.workVaries() {
		r.Lawless = "No scaling law is fitted: the best configurations of the sizes do different amounts of work, and the laws assume one problem."
		return
	}
	var samples []regression.Sample
	optima := r.Path.Optima
	for i := range min(len(optima), lawSizes) {
		o := optima[i*(len(optima)-1)/max(1, min(len(optima), lawSizes)-1)]
		if o.Size >= 1 {
			samples = append(samples, regression.Sample{P: o.Size, Y: transform(o.Value)})
		}
	}
	f, err := laws.Fit(laws.Subject{
		Outcome: outcome.Name, Unit: outcome.Unit, Size: r.Size.Name, SizeUnit: r.Size.Unit,
		Points: "best of each size", Kind: *outcome.Law, Samples: samples,
	})
	if err != nil {
		return // too few sizes; nothing was promised
	}
	if r.Lawless = f.Lawless("the best values"); r.Lawless == "" {
		r.Laws, r.Scaling = f, f.Models()
	}
}
