package model

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// allNodes and bestNodes stand for the number of nodes of a run.
const (
	allNodes     = "all"
	bestNodes    = "best"
	wantRunNodes = "the nodes of a run: a number, a list such as [2, 4, 8], best or all"
)

// A stated workload is read into a plan that already has the workloads before it.
type stated struct {
	Workload
	*reader
}

var workloadKeys = schema.Declare("a workload of the mix, as in {name: dense, runs_per_year: 2000, run: {name: matmul, n: 8000}}", func(k *schema.Keys, w *stated) {
	var sizes, either *yamldoc.Node
	k.Required("name", schema.Name.To(&w.Name).Wanted("a name"), "name of the workload, of its own")
	k.Optional("runs_per_year", ranged(runsType.To(&w.Weight)), "runs in a year")
	k.Optional("weight", ranged(positiveNumber.Wanted("a weight above 0").To(&w.Weight)), "share in the score, in place of runs_per_year")
	w.place(k, "all, or best with devices")
	k.Optional("deadline", schema.PositiveTime.To(&w.Deadline).Else("none"), "longest time of a run")
	k.Optional("batch", batchKeys.To(&w.Workload).Else("none"), "runs that must be done together within a time")
	k.Optional("if_impossible", schema.PositiveTime.To(&w.Impossible).Else("the machine is excluded"), "time of the whole machine that a run counts as if the machine cannot run it")
	k.Optional("estimate", schema.To(queue.Estimates, &w.Estimate).Or(queue.Estimate{From: 1, To: 3}).Else("1 to 3"), "the users' estimate of the run time, relative to the true one: a number, or a range in which it is uniform")
	k.Optional("hold_efficiency", targetEfficiency.To(&w.Target), "speed-efficiency to hold: the problem size at which a machine reaches it is searched for")
	k.Optional("sizes", schema.Node(scenario.SizesType, &sizes), "the problem sizes to search")
	k.Optional("either", schema.Node(eitherType, &either).Else("none"), "alternatives in place of run and its nodes: for each node type the first that runs there counts")
	var run *yamldoc.Node
	if k.Declaring() || either == nil {
		k.Required("run", schema.Node(schema.Later(workload.Type), &run).Wanted("what is run, as in {name: matmul, n: 8000}"), "what is run")
	}
	if k.Declaring() {
		return
	}
	w.fits(k)
	w.Sizes = scenario.ReadSizes(k.Decoder, sizes)
	if either != nil {
		w.alternatives(k, either)
	} else {
		w.runs(run, k.Node("hold_efficiency") == nil)
	}
	if w.equalWork(run); w.Err() == nil && w.Impossible > 0 && w.Run.GrowsWithProcesses() {
		w.Fail(k.Node("if_impossible"), "the time of a run counts only where all machines do the same work", "a workload that is one problem, or no if_impossible")
	}
})

// runs reads what is run.
func (w *stated) runs(n *yamldoc.Node, sized bool) {
	w.Run, w.Text = scenario.ReadWorkload(&w.Reader, n, sized, w.base), textOf(n)
	of := []any{textOf(n.Value("application")), w.Run.Name, w.Run.N}
	for _, x := range w.Run.Parameters {
		of = append(of, x.Name, x.Value)
	}
	w.Content = content(of...)
}

// place declares where a run takes place.
func (w *stated) place(k *schema.Keys, otherwise string) {
	k.Optional("nodes", schema.Func(runNodesType, w.runNodes).Else(otherwise), "nodes of a run: a number, a list of allowed ones, best, or all for the whole machine")
	k.Optional("partition", schema.Name.To(&w.Partition).Else("any"), "the partition of nodes that it runs on, as cpu or gpu")
	k.Optional("memory_per_node", schema.PositiveSize.To(&w.Memory).Else("any"), "least memory of each node that it runs on")
	k.Optional("devices", countType.Wanted("a number of devices, at least 1").To(&w.Devices).Else("any"), "least number of devices that it runs on")
	var order *yamldoc.Node
	if scenario.RankOrderKey(k, &order); order == nil {
		return
	}
	w.RankOrder = scenario.ReadRankOrder(&w.Reader, order, w.base)
}

var alternativeKeys = schema.Declare("an alternative, as in {partition: gpu, nodes: 4, run: {name: matmul, n: 8000}}", func(k *schema.Keys, w *stated) {
	w.place(k, bestNodes)
	var run *yamldoc.Node
	k.Required("run", schema.Node(schema.Later(workload.Type), &run).Wanted("what is run, as in {name: matmul, n: 8000}"), "what is run")
	if k.Declaring() {
		return
	}
	if k.Node("nodes") == nil {
		w.On.Best = true
	}
	if w.On.All {
		w.Fail(k.Node("nodes"), "an alternative takes some nodes of one type", "best, or the nodes of a run")
	}
	w.countsRanks(k)
	w.runs(run, true)
	if w.Err() == nil && w.Run.GrowsWithProcesses() {
		w.Fail(run, fmt.Sprintf("the work of workload %s grows with the number of processes: a run is not the same work on every machine", w.Run.Name),
			"total_compute in place of compute, or an application with scaling: strong")
	}
})

var eitherType = schema.Later(func() schema.Type {
	some := alternativeKeys.With(alternativeKeys.What)
	some.Field("nodes").Type = someNodesType
	return schema.List{Of: some, Min: 2}
})

// alternatives reads the alternatives of a run, each beside the workload they belong to.
func (w *stated) alternatives(k *schema.Keys, n *yamldoc.Node) {
	for _, key := range []string{"run", "nodes", "partition", "memory_per_node", "devices", "rank_order", "hold_efficiency"} {
		if v := k.Node(key); v != nil {
			w.Fail(v, key+" beside either", key+" in the alternatives, or no either")
		}
	}
	items := w.Sequence(n, "a list of alternatives, as in [{nodes: 64, run: {...}}, {partition: gpu, nodes: 4, run: {...}}]")
	if n.IsSequence() && len(items) < 2 {
		w.Fail(n, fmt.Sprintf("%d alternatives", len(items)), "two or more")
	}
	w.On.All = false
	for _, item := range items {
		x := stated{reader: w.reader, Workload: Workload{Name: w.Name}}
		alternativeKeys.Read(&w.Decoder, item, &x)
		w.Either = append(w.Either, x.Workload)
		last := &w.Either[len(w.Either)-1]
		left := func(node Node) bool { return w.At(&node) == last }
		if w.Err() == nil && !slices.ContainsFunc(w.plan.Nodes, left) {
			w.Fail(item, "no node type is left for this alternative", "a partition, memory_per_node or devices that tell it from those before")
		}
	}
	if len(w.Either) > 0 {
		w.Run = w.Either[0].Run
	}
}

// runsType keeps times and costs of a run printable, however few or many runs there are.
var runsType = schema.Number{Min: 1e-12, Max: maxQuantity, Want: "a number of runs, 1e-12 to 1e18"}

var targetEfficiency = schema.Number{Max: 1, Above: true, Below: true,
	Want: "the speed-efficiency to hold, above 0 and below 1"}

var (
	runNodesType  = schema.AnyOf{schema.OneOf{allNodes, bestNodes}, countType, schema.List{Of: countType, Min: 1}}
	someNodesType = schema.AnyOf{schema.OneOf{bestNodes}, countType, schema.List{Of: countType, Min: 1}}
)

var batchKeys = schema.Declare("runs that must be done together, as in {runs: 500, within: 12 h}", func(k *schema.Keys, w *Workload) {
	k.Required("runs", countType.To(&w.Batch), "number of runs")
	k.Required("within", schema.PositiveTime.To(&w.Within), "time in which a machine that does nothing else has done all of them")
})

// workloadsType is a list of workloads, either all with runs in a year or all with weights. A workload that holds an
// efficiency has no problem size.
func workloadsType() schema.Type {
	sized := workloadKeys.Without("hold_efficiency", "sizes", "either")
	some := sized.Without()
	some.Field("nodes").Type = someNodesType
	either := workloadKeys.Without("hold_efficiency", "sizes", "run", "nodes", "partition", "memory_per_node", "devices", "rank_order").Requiring("either")
	held := workloadKeys.Without("runs_per_year", "nodes", "partition", "memory_per_node", "devices", "deadline", "batch", "estimate", "either", "if_impossible").
		Requiring("weight", "hold_efficiency")
	held.Field("run").Type = workload.UnsizedType()
	runs, weights := schema.AnyOf{}, schema.AnyOf{held}
	for _, form := range []*schema.Object{
		sized.Without("partition", "memory_per_node", "devices"), some.Requiring("nodes"), some.Requiring("devices"), either,
	} {
		runs = append(runs, form.Without("weight").Requiring("runs_per_year"))
		weights = append(weights, form.Without("runs_per_year", "estimate").Requiring("weight"))
	}
	return schema.AnyOf{schema.List{Of: runs, Min: 1}, schema.List{Of: weights, Min: 1}}
}

func (r *reader) workloads(n *yamldoc.Node) {
	p := &r.plan
	items := r.Sequence(n, "a list of workloads")
	if n != nil && n.IsSequence() && len(items) == 0 {
		r.Fail(n, "no workloads", "at least one")
	}
	sum := 0.0
	for _, item := range items {
		w := stated{reader: r}
		workloadKeys.Read(&r.Decoder, item, &w)
		sum += w.Weight
		p.Workloads = append(p.Workloads, w.Workload)
	}
	for i := range p.Workloads {
		if !p.ByRuns && sum > 0 {
			p.Workloads[i].Weight /= sum
		}
	}
	r.placesKnown(n)
	r.speedsKnown(n)
}

// fits reports keys that exclude each other, and a name that is taken.
func (w *stated) fits(k *schema.Keys) {
	p, at := &w.plan, k.Node
	runs, target := at("runs_per_year"), at("hold_efficiency")
	first := len(p.Workloads) == 0
	switch {
	case w.Name != "" && slices.Contains(names(p.Workloads), w.Name):
		w.Fail(at("name"), fmt.Sprintf("duplicate workload name %q", w.Name), "a different name for each workload")
	case runs == nil && at("weight") == nil:
		w.Fail(k.Self(), "neither runs_per_year nor weight is given", "one of them")
	case runs != nil && at("weight") != nil:
		w.Fail(at("weight"), "both runs_per_year and weight are given", "one of them")
	case !first && (runs != nil) != p.ByRuns:
		w.Fail(k.Self(), "some workloads have runs_per_year and others weight", "the same key in all workloads")
	case runs != nil && target != nil:
		w.Fail(target, "runs_per_year needs a problem size, which hold_efficiency leaves open", "weight instead of runs_per_year, or n in run")
	}
	p.ByRuns = p.ByRuns || first && runs != nil
	if sizes := at("sizes"); sizes != nil && target == nil {
		w.Fail(sizes, "sizes are searched only with hold_efficiency", "hold_efficiency, or n in run")
	}
	for _, key := range []string{"nodes", "partition", "memory_per_node", "devices", "deadline", "batch", "if_impossible"} {
		if at(key) != nil && w.Target > 0 {
			w.Fail(at(key), key+" is not a key of a workload that holds an efficiency, which takes the whole machine", "no "+key+" here, or a problem size in place of hold_efficiency")
			return
		}
	}
	switch {
	case at("either") != nil || at("nodes") != nil:
	case at("devices") != nil:
		w.On.Best = true
	default:
		if w.On.All = true; p.ByRuns {
			p.WholeUnsaid = append(p.WholeUnsaid, w.Name)
		}
	}
	for _, key := range []string{"partition", "memory_per_node", "devices"} {
		if at(key) != nil && w.On.All {
			w.Fail(at(key), "runs on the whole machine choose no "+key, "nodes: best, or the nodes of a run")
		}
	}
	w.countsRanks(k)
}

// countsRanks rejects a file of ranks where the machine decides the number of ranks.
func (w *stated) countsRanks(k *schema.Keys) {
	if n := k.Node("rank_order"); n != nil && n.IsMapping() && len(w.On.List) != 1 {
		w.Fail(n, "a file of ranks, where the machine decides how many there are", "nodes: a number, or one of "+input.Joined(scenario.RankOrders, "and"))
	}
}

// runNodes reads on how many nodes runs take place.
func (w *stated) runNodes(n *yamldoc.Node) {
	switch text := n.Text(); {
	case n.IsScalar() && (text == allNodes || text == bestNodes):
		w.On.All, w.On.Best = text == allNodes, text == bestNodes
	case n.IsSequence():
		if w.On.List = w.numbers(n, wantRunNodes); len(w.On.List) == 0 {
			w.Fail(n, "no numbers of nodes", wantRunNodes)
		}
	default:
		w.On.List = []int{countType.ReadOr(&w.Decoder, n, wantRunNodes, 1)}
	}
}

// numbers reads a list of numbers of nodes and returns them in order, each once.
func (r *reader) numbers(n *yamldoc.Node, want string) (list []int) {
	list = each.Of(r.Sequence(n, want), func(v *yamldoc.Node) int { return countType.ReadOr(&r.Decoder, v, countType.Want, 1) })
	slices.Sort(list)
	return slices.Compact(list)
}

// equalWork rejects a workload that is not the same work on every machine if its times cannot be compared per unit of
// work either.
func (w *stated) equalWork(at *yamldoc.Node) {
	if w.Err() != nil || !w.Run.GrowsWithProcesses() {
		return
	}
	switch {
	case !w.Run.PerformsWork():
		w.Fail(at, fmt.Sprintf("workload %s performs no work and sends more messages on more processes: its times on different machines are not of the same work", w.Run.Name),
			"a workload that performs work; isoscale sweep compares times on a given number of processes")
	case w.plan.ByRuns:
		equal := "total_compute in place of compute"
		if w.Run.Application != nil {
			equal = "an application with scaling: strong"
		}
		w.Fail(at, fmt.Sprintf("the work of workload %s grows with the number of processes: a run is not the same work on every machine", w.Run.Name),
			equal+", or weight in place of runs_per_year, which compares the time of a Tflop")
	}
}

// placesKnown reports at n a workload that no node type can run, or for which that is not known.
func (r *reader) placesKnown(n *yamldoc.Node) {
	if r.Err() != nil {
		return
	}
	var known []string
	for _, x := range r.plan.Nodes {
		if !slices.Contains(known, x.Partition) {
			known = append(known, x.Partition)
		}
	}
	for i := range r.plan.Workloads {
		for _, w := range r.plan.Workloads[i].Runs() {
			if w.Partition != "" && !slices.Contains(known, w.Partition) {
				r.Fail(n, fmt.Sprintf("workload %s runs on partition %s, of which there are no nodes", w.Name, w.Partition),
					"one of "+input.Joined(known, "and"))
				continue
			}
			enough := false // nodes of some type
			for t := range r.plan.Nodes {
				x := &r.plan.Nodes[t]
				if w.Memory > 0 && x.Memory == 0 && (w.Partition == "" || w.Partition == x.Partition) {
					r.Fail(n, fmt.Sprintf("workload %s needs %v of memory on each node, but that of %s is not known", w.Name, w.Memory, x.Name),
						"the memory of the node type")
				}
				enough = enough || w.RunsOn(x) && (w.Devices == 0 || len(w.Numbers(x, MaxNodes)) > 0)
				if w.RankOrder.Ranks != nil && r.plan.Workloads[i].At(x) == w && r.Err() == nil {
					m := topology.Machine{Types: []topology.NodeType{{Name: x.Name, Cores: x.Processes}},
						Groups: []topology.Group{{Type: x.Name, Name: x.Name, Count: w.On.List[0], First: 1}}}
					_ = w.RankOrder.Deal(&r.Decoder, &m, &topology.Selection{Processes: map[string]int{x.Name: x.Processes}})
				}
			}
			if !enough && r.Err() == nil {
				r.Fail(n, fmt.Sprintf("workload %s runs on no node type: it needs nodes %s%s", w.Name, w.Needs(), w.AtLeast()), "less, or another node type")
			}
		}
	}
}
