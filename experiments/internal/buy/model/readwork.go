package model

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
)

// allNodes and bestNodes stand for numbers of nodes of a run.
const (
	allNodes     = "all"
	bestNodes    = "best"
	wantRunNodes = "the nodes of a run: a number, a list such as [2, 4, 8], best or all"
)

// The estimates of users exceed run times by a factor that is uniform in this range where
// the plan does not say.
const (
	otherEstimateFrom = 1
	otherEstimateTo   = 3
)

// A stated workload is what a plan says of one, with the nodes that messages point to.
type stated struct {
	Workload
	name, runs, weight, target, sizes, run      *yamldoc.Node
	nodes, partition, deadline, batch, estimate *yamldoc.Node // of runs that share the machine
}

var workloadKeys = schema.Declare("a workload of the mix, as in {name: dense, runs_per_year: 2000, run: {name: matmul, n: 8000}}", func(k *schema.Keys, w *stated) {
	k.Required("name", schema.Node(schema.Name, &w.name).Wanted("a name"), "name of the workload, of its own")
	k.Optional("runs_per_year", schema.Node(ranged(positiveNumber), &w.runs), "runs in a year")
	k.Optional("weight", schema.Node(ranged(positiveNumber), &w.weight), "share in the score, in place of runs_per_year")
	k.Optional("nodes", schema.Node(runNodesType, &w.nodes).Else(allNodes), "nodes of a run: a number, a list of allowed ones, best, or all for the whole machine")
	k.Optional("partition", schema.Node(schema.Name, &w.partition).Else("any"), "the partition of nodes that it runs on, as cpu or gpu")
	k.Optional("deadline", schema.Node(schema.PositiveTime, &w.deadline).Else("none"), "longest time of a run")
	k.Optional("batch", schema.Node(batchKeys.Object, &w.batch).Else("none"), "runs that must be done together within a time")
	k.Optional("estimate", schema.Node(queue.EstimateType, &w.estimate).Else("1 to 3"), "the run time that users give to the queue, relative to the true one: a number, or a range in which it is uniform")
	k.Optional("hold_efficiency", schema.Node(targetEfficiency, &w.target), "speed-efficiency to hold: the problem size at which a machine reaches it is searched for")
	k.Optional("sizes", schema.Node(scenario.SizesType, &w.sizes), "the problem sizes to search")
	k.Required("run", schema.Node(schema.Later(workload.Type), &w.run).Wanted("what is run, as in {name: matmul, n: 8000}"), "what is run")
})

var targetEfficiency = schema.Number{Max: 1, Above: true, Below: true}

var runNodesType = schema.AnyOf{schema.OneOf{allNodes, bestNodes}, countType, schema.List{Of: countType, Min: 1}}

var batchKeys = schema.Declare("runs that must be done together, as in {runs: 500, within: 12 h}", func(k *schema.Keys, w *Workload) {
	k.Required("runs", countType.To(&w.Batch), "number of runs")
	k.Required("within", schema.PositiveTime.To(&w.Within), "time in which a machine that does nothing else has done all of them")
})

// workloadsType are the workloads, all of them with runs in a year or all with
// weights. One that holds an efficiency has no problem size.
func workloadsType() schema.Type {
	sized := workloadKeys.Without("hold_efficiency", "sizes")
	held := workloadKeys.Without("runs_per_year", "nodes", "partition", "deadline", "batch", "estimate").
		Requiring("weight", "hold_efficiency")
	held.Field("run").Type = workload.UnsizedType()
	return schema.AnyOf{
		schema.List{Of: sized.Without("weight").Requiring("runs_per_year"), Min: 1},
		schema.List{Of: schema.AnyOf{sized.Without("runs_per_year", "estimate").Requiring("weight"), held}, Min: 1},
	}
}

func (r *reader) workloads(n *yamldoc.Node) {
	p := &r.plan
	items := r.Sequence(n, "a list of workloads")
	if n != nil && n.IsSequence() && len(items) == 0 {
		r.Fail(n, "no workloads", "at least one")
	}
	sum := 0.0
	for i, item := range items {
		w := stated{}
		workloadKeys.Read(&r.Decoder, item, &w)
		if w.Name = r.String(w.name, "a name"); w.Name != "" {
			schema.Name.Check(&r.Decoder, w.name, w.Name)
			if slices.Contains(names(p.Workloads), w.Name) {
				r.Fail(w.name, fmt.Sprintf("duplicate workload name %q", w.Name), "a different name for each workload")
			}
		}
		switch {
		case w.runs == nil && w.weight == nil:
			r.Fail(item, "neither runs_per_year nor weight is given", "one of them")
		case w.runs != nil && w.weight != nil:
			r.Fail(w.weight, "both runs_per_year and weight are given", "one of them")
		case i > 0 && (w.runs != nil) != p.ByRuns:
			r.Fail(item, "some workloads have runs_per_year and others weight", "the same key in all workloads")
		case w.runs != nil && w.target != nil:
			r.Fail(w.target, "runs_per_year needs a problem size, which hold_efficiency leaves open", "weight instead of runs_per_year, or n in run")
		}
		p.ByRuns = p.ByRuns || i == 0 && w.runs != nil
		w.Weight = r.Float(w.runs, "a number of runs above 0", positiveNumber.In) +
			r.Float(w.weight, "a weight above 0", positiveNumber.In)
		sum += w.Weight
		w.Target = r.Float(w.target, "the speed-efficiency to hold, above 0 and below 1", targetEfficiency.In)
		if w.sizes != nil && w.target == nil {
			r.Fail(w.sizes, "sizes are searched only with hold_efficiency", "hold_efficiency, or n in run")
		}
		w.Sizes = scenario.ReadSizes(&r.Decoder, w.sizes)
		w.Run, w.Text = scenario.ReadWorkload(&r.Reader, w.run, w.target == nil, r.base), textOf(w.run)
		r.job(&w)
		r.equalWork(&w)
		p.Workloads = append(p.Workloads, w.Workload)
	}
	for i := range p.Workloads {
		if !p.ByRuns && sum > 0 {
			p.Workloads[i].Weight /= sum
		}
	}
	r.partitionsKnown(n)
	r.speedsKnown(n)
}

// job reads how the runs of a workload share the machine.
func (r *reader) job(w *stated) {
	for i, v := range []*yamldoc.Node{w.nodes, w.partition, w.deadline, w.batch} {
		if v != nil && w.Target > 0 {
			key := []string{"nodes", "partition", "deadline", "batch"}[i]
			r.Fail(v, key+" is not known to a workload that holds an efficiency, which takes the whole machine", "no "+key+" here, or a problem size in place of hold_efficiency")
			return
		}
	}
	switch n := w.nodes; {
	case n == nil || n.IsScalar() && n.Text() == allNodes:
		w.On.All = true
		if n == nil && r.plan.ByRuns {
			r.plan.WholeUnsaid = append(r.plan.WholeUnsaid, w.Name)
		}
	case n.IsScalar() && n.Text() == bestNodes:
		w.On.Best = true
	case n.IsSequence():
		for _, v := range r.Sequence(n, wantRunNodes) {
			w.On.List = append(w.On.List, countType.ReadOr(&r.Decoder, v, "a number of nodes, at least 1", 1))
		}
		if len(w.On.List) == 0 {
			r.Fail(n, "no numbers of nodes", wantRunNodes)
		}
		slices.Sort(w.On.List)
		w.On.List = slices.Compact(w.On.List)
	default:
		w.On.List = []int{countType.ReadOr(&r.Decoder, n, wantRunNodes, 1)}
	}
	if v := w.partition; v != nil {
		w.Partition = schema.Name.Check(&r.Decoder, v, r.String(v, "the name of a partition"))
		if w.On.All {
			r.Fail(v, "runs on the whole machine choose no partition", "nodes: best, or the nodes of a run")
		}
	}
	w.Deadline = schema.PositiveTime.Read(&r.Decoder, w.deadline)
	if w.batch != nil {
		batchKeys.Read(&r.Decoder, w.batch, &w.Workload)
	}
	w.EstimateFrom, w.EstimateTo = queue.ReadEstimate(&r.Decoder, w.estimate, otherEstimateFrom, otherEstimateTo)
}

// equalWork refuses a workload that is not the same work on every machine where its
// times cannot be compared per unit of work either.
func (r *reader) equalWork(w *stated) {
	if r.Err() != nil || !w.Run.GrowsWithProcesses() {
		return
	}
	switch {
	case !w.Run.PerformsWork():
		r.Fail(w.run, fmt.Sprintf("workload %s performs no work and sends more messages on more processes: its times on different machines are not of the same work", w.Run.Name),
			"a workload that performs work; isoscale sweep compares times on a given number of processes")
	case w.runs != nil:
		equal := "total_compute in place of compute"
		if w.Run.Application != nil {
			equal = "an application with scaling: strong"
		}
		r.Fail(w.run, fmt.Sprintf("the work of workload %s grows with the number of processes: a run is not the same work on every machine", w.Run.Name),
			equal+", or weight in place of runs_per_year, which compares the time of a Tflop")
	}
}

// partitionsKnown reports at n a workload for whose partition there are no nodes.
func (r *reader) partitionsKnown(n *yamldoc.Node) {
	if r.Err() != nil {
		return
	}
	var known []string
	for _, x := range r.plan.Nodes {
		if !slices.Contains(known, x.Partition) {
			known = append(known, x.Partition)
		}
	}
	for _, w := range r.plan.Workloads {
		if w.Partition != "" && !slices.Contains(known, w.Partition) {
			r.Fail(n, fmt.Sprintf("workload %s runs on partition %s, of which there are no nodes", w.Name, w.Partition),
				"one of "+List(known))
		}
	}
}
