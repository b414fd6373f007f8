package model

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
)

var workloadObject = &schema.Object{What: "a workload of the mix, as in {name: dense, runs_per_year: 2000, run: {name: matmul, n: 8000}}", Fields: []schema.Field{
	{Key: "name", Type: schema.Name, Required: true, Meaning: "name of the workload, of its own"},
	{Key: "runs_per_year", Type: ranged(positiveNumber), Meaning: "runs in a year"},
	{Key: "weight", Type: ranged(positiveNumber), Meaning: "share in the score, in place of runs_per_year"},
	{Key: "nodes", Type: runNodesType, Default: "all", Meaning: "nodes of a run: a number, a list of allowed ones, best, or all for the whole machine"},
	{Key: "partition", Type: schema.Name, Default: "any", Meaning: "the partition of nodes that it runs on, as cpu or gpu"},
	{Key: "deadline", Type: schema.PositiveTime, Default: "none", Meaning: "longest time of a run"},
	{Key: "batch", Type: batchObject, Default: "none", Meaning: "runs that must be done together within a time"},
	{Key: "estimate", Type: queue.EstimateType, Default: "1 to 3", Meaning: "the run time that users give to the queue, relative to the true one: a number, or a range in which it is uniform"},
	{Key: "hold_efficiency", Type: targetEfficiency, Meaning: "speed-efficiency to hold: the problem size at which a machine reaches it is searched for"},
	{Key: "sizes", Type: scenario.SizesType, Meaning: "the problem sizes to search"},
	{Key: "run", Type: schema.Later(workload.Type), Required: true, Meaning: "what is run"},
}}

var targetEfficiency = schema.Number{Max: 1, Above: true, Below: true}

// workloadsType are the workloads, all of them with runs in a year or all with
// weights. One that holds an efficiency has no problem size.
func workloadsType() schema.Type {
	sized := workloadObject.Without("hold_efficiency", "sizes")
	held := workloadObject.Without("runs_per_year", "nodes", "partition", "deadline", "batch", "estimate").Requiring("weight", "hold_efficiency")
	held.Field("run").Type = workload.UnsizedType()
	return schema.AnyOf{
		schema.List{Of: sized.Without("weight").Requiring("runs_per_year"), Min: 1},
		schema.List{Of: schema.AnyOf{sized.Without("runs_per_year", "estimate").Requiring("weight"), held}, Min: 1},
	}
}

func (r *reader) workloads(n *yamldoc.Node) {
	p := r.plan
	items := r.Sequence(n, "a list of workloads")
	if n != nil && n.IsSequence() && len(items) == 0 {
		r.Fail(n, "no workloads", "at least one")
	}
	sum := 0.0
	for i, item := range items {
		d := workloadObject.Open(&r.Decoder, item)
		w := Workload{}
		name := d.Require("name", "a name")
		if w.Name = r.String(name, "a name"); w.Name != "" {
			schema.Name.Check(&r.Decoder, name, w.Name)
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
		case i > 0 && (runs != nil) != p.ByRuns:
			r.Fail(item, "some workloads have runs_per_year and others weight", "the same key in all workloads")
		case runs != nil && target != nil:
			r.Fail(target, "runs_per_year needs a problem size, which hold_efficiency leaves open", "weight instead of runs_per_year, or n in run")
		}
		p.ByRuns = p.ByRuns || i == 0 && runs != nil
		w.Weight = r.positive(runs, "a number of runs above 0") + r.positive(weight, "a weight above 0")
		sum += w.Weight
		const wantTarget = "the speed-efficiency to hold, above 0 and below 1"
		w.Target = r.Float(target, wantTarget, targetEfficiency.In)
		sizes := d.Take("sizes")
		if sizes != nil && target == nil {
			r.Fail(sizes, "sizes are searched only with hold_efficiency", "hold_efficiency, or n in run")
		}
		w.Sizes = scenario.ReadSizes(&r.Decoder, sizes)
		run := d.Require("run", "what is run, as in {name: matmul, n: 8000}")
		w.Run, w.Text = scenario.ReadWorkload(&r.Reader, run, target == nil, r.base), textOf(run)
		r.job(d, &w)
		r.equalWork(run, w.Run, runs != nil)
		d.Done()
		p.Workloads = append(p.Workloads, w)
	}
	if !p.ByRuns && sum > 0 {
		for i := range p.Workloads {
			p.Workloads[i].Weight /= sum
		}
	}
}

// equalWork refuses a workload that is not the same work on every machine where its
// times cannot be compared per unit of work either.
func (r *reader) equalWork(n *yamldoc.Node, w workload.Workload, byRuns bool) {
	if r.Err() != nil || !w.GrowsWithProcesses() {
		return
	}
	switch {
	case !w.PerformsWork():
		r.Fail(n, fmt.Sprintf("workload %s performs no work and sends more messages on more processes: its times on different machines are not of the same work", w.Name),
			"a workload that performs work; isoscale sweep compares times on a given number of processes")
	case byRuns:
		equal := "total_compute in place of compute"
		if w.Application != nil {
			equal = "an application with scaling: strong"
		}
		r.Fail(n, fmt.Sprintf("the work of workload %s grows with the number of processes: a run is not the same work on every machine", w.Name),
			equal+", or weight in place of runs_per_year, which compares the time of a Tflop")
	}
}
