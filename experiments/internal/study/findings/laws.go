package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/model/regression"
)

// kindOfLaw says what laws of scaling apply to an outcome, if any do.
func kindOfLaw(outcome string) (regression.Kind, bool) {
	switch outcome {
	case "time":
		return regression.Time, true
	case "speedup":
		return regression.Speedup, true
	case "achieved_speed":
		return regression.Throughput, true
	}
	return 0, false
}

// lawSizes bounds how many sizes laws are fitted to: each is left out once.
const lawSizes = 100

// workVaries reports whether the best configurations of the sizes do different
// work, where the outcomes say what work is done.
func (r *Result) workVaries() bool {
	work := slices.IndexFunc(r.Table.Responses, func(x studytable.Response) bool { return x.Name == "work" })
	if work < 0 {
		return false
	}
	best := map[string]bool{}
	for _, o := range r.Path.Optima {
		best[fmt.Sprint(o.Levels)] = true
	}
	first := math.NaN()
	for _, row := range r.Table.Rows {
		key := fmt.Sprint(row.Levels)
		if !best[key] {
			continue
		}
		delete(best, key) // one row of each configuration tells
		switch w := row.Values[work]; {
		case math.IsNaN(first):
			first = w
		case math.Abs(w-first) > 1e-9*math.Abs(first):
			return true
		}
	}
	return false
}

// findScaling fits laws to the best values over the sizes. For the logarithm of
// the speedup that is the speedup.
func (r *Result) findScaling() {
	if r.Path == nil {
		return
	}
	if s := r.Objective.Size; s != "processes" && s != "nodes" {
		return // the laws are about processors
	}
	outcome, transform := r.Objective.Response, func(x float64) float64 { return x }
	if outcome == "log2_speedup" {
		outcome, transform = "speedup", math.Exp2
	}
	kind, ok := kindOfLaw(outcome)
	if !ok {
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
	column := r.Study.Column(outcome)
	f, err := laws.Fit(laws.Subject{
		Outcome: column.Name, Unit: column.Unit, Size: r.Size.Name, SizeUnit: r.Size.Unit,
		Points: "best of each size", Kind: kind, Samples: samples,
	})
	if err != nil {
		return // too few sizes; nothing was promised
	}
	if r.Lawless = f.Lawless("the best values"); r.Lawless == "" {
		r.Laws, r.Scaling = f, f.Models()
	}
}
