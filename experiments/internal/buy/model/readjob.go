package model

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// allNodes and bestNodes stand for numbers of nodes of a run.
const (
	allNodes  = "all"
	bestNodes = "best"
)

// The estimates of users exceed run times by a factor that is uniform in this range where
// the plan does not say.
const (
	otherEstimateFrom = 1
	otherEstimateTo   = 3
)

const wantRunNodes = "the nodes of a run: a number, a list such as [2, 4, 8], best or all"

var runNodesType = schema.AnyOf{schema.OneOf{allNodes, bestNodes}, countType, schema.List{Of: countType, Min: 1}}

var batchKeys = schema.Declare("runs that must be done together, as in {runs: 500, within: 12 h}", func(k *schema.Keys, w *Workload) {
	k.Required("runs", countType.To(&w.Batch), "number of runs")
	k.Required("within", schema.PositiveTime.To(&w.Within), "time in which a machine that does nothing else has done all of them")
})

// job reads how the runs of a workload share the machine.
func (r *reader) job(w *stated) {
	for _, key := range []string{"nodes", "partition", "deadline", "batch"} {
		if v := w.shared[key]; v != nil && w.Target > 0 {
			r.Fail(v, key+" is not known to a workload that holds an efficiency, which takes the whole machine", "no "+key+" here, or a problem size in place of hold_efficiency")
			return
		}
	}
	nodes, partition, batch := w.shared["nodes"], w.shared["partition"], w.shared["batch"]
	w.On = r.runNodes(nodes)
	if nodes == nil && r.plan.ByRuns {
		r.plan.WholeUnsaid = append(r.plan.WholeUnsaid, w.Name)
	}
	if partition != nil {
		w.Partition = schema.Name.Check(&r.Decoder, partition, r.String(partition, "the name of a partition"))
		if w.On.All {
			r.Fail(partition, "runs on the whole machine choose no partition", "nodes: best, or the nodes of a run")
		}
	}
	w.Deadline = schema.PositiveTime.Read(&r.Decoder, w.shared["deadline"])
	if batch != nil {
		batchKeys.Read(&r.Decoder, batch, &w.Workload)
	}
	w.EstimateFrom, w.EstimateTo = queue.ReadEstimate(&r.Decoder, w.estimate, otherEstimateFrom, otherEstimateTo)
}

func (r *reader) runNodes(n *yamldoc.Node) RunNodes {
	switch {
	case n == nil || n.IsScalar() && n.Text() == allNodes:
		return RunNodes{All: true}
	case n.IsScalar() && n.Text() == bestNodes:
		return RunNodes{Best: true}
	case n.IsSequence():
		var list []int
		for _, v := range r.Sequence(n, wantRunNodes) {
			list = append(list, countType.ReadOr(&r.Decoder, v, "a number of nodes, at least 1", 1))
		}
		if len(list) == 0 {
			r.Fail(n, "no numbers of nodes", wantRunNodes)
		}
		slices.Sort(list)
		return RunNodes{List: slices.Compact(list)}
	}
	return RunNodes{List: []int{countType.ReadOr(&r.Decoder, n, wantRunNodes, 1)}}
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
			r.Fail(n, fmt.Sprintf("workload %s runs on partition %s, of which there are no nodes", w.Name, w.Partition), "one of "+List(known))
		}
	}
}
