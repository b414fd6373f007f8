package purchase

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/yamldoc"
)

func (r *reader) workloads(n *yamldoc.Node) {
	p := r.plan
	items := r.Sequence(n, "a list of workloads")
	if n != nil && n.IsSequence() && len(items) == 0 {
		r.Fail(n, "no workloads", "at least one")
	}
	sum := 0.0
	for i, item := range items {
		d := r.Mapping(item, "a workload of the mix, as in {name: dense, runs_per_year: 2000, run: {name: matmul, n: 8000}}")
		w := Workload{}
		name := d.Require("name", "a name")
		if w.Name = r.String(name, "a name"); w.Name != "" {
			r.Name(name, w.Name)
		}
		for _, other := range p.Workloads {
			if other.Name == w.Name && w.Name != "" {
				r.Fail(name, fmt.Sprintf("duplicate workload name %q", w.Name), "a different name for each workload")
			}
		}
		runs, weight := d.Take("runs_per_year"), d.Take("weight")
		target := d.Take("hold_efficiency")
		switch {
		case runs == nil && weight == nil:
			r.Fail(item, "neither runs_per_year nor weight is given", "one of them")
		case runs != nil && weight != nil:
			r.Fail(weight, "both runs_per_year and weight are given", "one of them")
		case i > 0 && (runs != nil) != p.byRuns:
			r.Fail(item, "some workloads have runs_per_year and others weight", "the same key in all workloads")
		case runs != nil && target != nil:
			r.Fail(target, "runs_per_year needs a problem size, which hold_efficiency leaves open", "weight instead of runs_per_year, or n in run")
		}
		p.byRuns = p.byRuns || i == 0 && runs != nil
		w.Weight = r.positive(runs, "a number of runs above 0") + r.positive(weight, "a weight above 0")
		sum += w.Weight
		const wantTarget = "the speed-efficiency to hold, above 0 and below 1"
		w.Target = r.Float(target, wantTarget, func(x float64) bool { return x > 0 && x < 1 })
		sizes := d.Take("sizes")
		if sizes != nil && target == nil {
			r.Fail(sizes, "sizes are searched only with hold_efficiency", "hold_efficiency, or n in run")
		}
		w.Sizes = r.Sizes(sizes)
		run := d.Require("run", "what is run, as in {name: matmul, n: 8000}")
		w.Run = r.Workload(run, target == nil)
		d.Done()
		p.Workloads = append(p.Workloads, w)
	}
	if !p.byRuns && sum > 0 {
		for i := range p.Workloads {
			p.Workloads[i].Weight /= sum
		}
	}
}
