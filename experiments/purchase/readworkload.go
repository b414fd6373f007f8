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
				r.Fail(name, fmt.Sprintf("a second workload named %q", w.Name), "a name of its own for each")
			}
		}
		runs, weight := d.Take("runs_per_year"), d.Take("weight")
		target := d.Take("hold_efficiency")
		switch {
		case (runs == nil) == (weight == nil):
			at := weight
			if at == nil {
				at = item
			}
			r.Fail(at, "neither or both of runs_per_year and weight", "one of them")
		case i > 0 && (runs != nil) != p.byRuns:
			r.Fail(item, "runs_per_year and weight in one mix", "the same for all workloads")
		case runs != nil && target != nil:
			r.Fail(target, "runs a year of a problem whose size is not given", "weight, or a problem size")
		}
		p.byRuns = p.byRuns || i == 0 && runs != nil
		w.Weight = r.positive(runs, "a number of runs above 0") + r.positive(weight, "a weight above 0")
		sum += w.Weight
		const wantTarget = "the speed-efficiency to hold, above 0 and below 1"
		w.Target = r.Float(target, wantTarget, func(x float64) bool { return x > 0 && x < 1 })
		sizes := d.Take("sizes")
		if sizes != nil && target == nil {
			r.Fail(sizes, "sizes without an efficiency to hold", "hold_efficiency, or n in run")
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
