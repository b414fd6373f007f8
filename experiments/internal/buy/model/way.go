package model

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/chart/quantile"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// A Way is where a run takes place: on some nodes of one type or, as its zero value, on
// all nodes of the machine.
type Way struct {
	Node  int // index into Plan.Nodes
	Nodes int // 0: the whole machine
}

func (w Way) Whole() bool { return w.Nodes == 0 }

// RunNodes are the numbers of nodes that a run may take, all of one type.
type RunNodes struct {
	All  bool  // the whole machine, whatever its node types
	Best bool  // any suitable number of the grid
	List []int // else these, increasing
}

// UpTo returns the numbers of nodes to try on a machine with count nodes of a type.
func (r RunNodes) UpTo(count int) []int {
	if !r.Best {
		i, found := slices.BinarySearch(r.List, count)
		if found {
			i++
		}
		return r.List[:i]
	}
	var grid []int // 1, 2, 3, 4, 6, 8, 12, ...: powers of two and the numbers halfway between
	for n := 1; n <= count; n *= 2 {
		grid = append(grid, n)
		if half := n + n/2; n > 1 && half <= count {
			grid = append(grid, half)
		}
	}
	return grid
}

func (w *Workload) RunsOn(n *Node) bool { return w.At(n) != nil }

// Runs returns the alternatives of a run, or the workload itself if there are none.
func (w *Workload) Runs() []*Workload {
	if len(w.Either) == 0 {
		return []*Workload{w}
	}
	all := make([]*Workload, len(w.Either))
	for i := range all {
		all[i] = &w.Either[i]
	}
	return all
}

// At returns what is run on nodes of a type, nil for nothing.
func (w *Workload) At(n *Node) *Workload {
	for _, x := range w.Runs() {
		if (x.Partition == "" || x.Partition == n.Partition) && n.Memory >= x.Memory && (x.Devices == 0 || n.Devices != nil) {
			return x
		}
	}
	return nil
}

// Numbers returns how many nodes of a type a run may take on a machine with count of them. REQUIRES: it runs there.
func (w *Workload) Numbers(n *Node, count int) []int {
	x := w.At(n)
	list := x.On.UpTo(count)
	if x.Devices == 0 {
		return list
	}
	least := ceilDiv(x.Devices, n.Processes)
	list = slices.DeleteFunc(slices.Clone(list), func(k int) bool { return k < least })
	if x.On.Best && least <= count && (len(list) == 0 || list[0] > least) {
		list = slices.Insert(list, 0, least)
	}
	return list
}

// Needs says which nodes runs take place on: "of partition gpu with 64 GB of memory".
func (w *Workload) Needs() string {
	var all []string
	for _, x := range w.Runs() {
		var needs []string
		if x.Partition != "" {
			needs = append(needs, "of partition "+x.Partition)
		}
		if x.Memory > 0 {
			needs = append(needs, fmt.Sprintf("with %v of memory", x.Memory))
		}
		if x.Devices > 0 {
			needs = append(needs, "with devices")
		}
		all = append(all, strings.Join(needs, " "))
	}
	return strings.Join(all, ", or ")
}

// AtLeast says what a plan demands of a run's nodes beside number and partition: ", 64 GB a node, 16 devices".
func (w *Workload) AtLeast() string {
	text := ""
	if w.Memory > 0 {
		text += fmt.Sprintf(", %v a node", w.Memory)
	}
	if w.Devices > 0 {
		text += fmt.Sprintf(", %d devices", w.Devices)
	}
	return text
}

// InTime reports whether a run of time t meets its deadline.
func (w *Workload) InTime(t units.Seconds) bool { return w.Deadline == 0 || t <= w.Deadline }

type Work struct {
	Ways    []TimedWay // at least one, unless there is a problem
	Problem string     // why it cannot run, "" if it can
	Over    float64    // with a problem: its time over its deadline; 0: the problem is another one
	// Impossible says why it cannot run if the plan says what such a run counts as; its one way, on the whole machine,
	// then has that time.
	Impossible string
}

// Fails reports whether it cannot run.
func (x Work) Fails() bool { return x.Problem != "" }

// A TimedWay is a way with the time of a run and the quantity that the score is made of: that time or, where runs are
// not the same work, the time of a Tflop; s.
type TimedWay struct {
	Way
	Time  float64
	Run   units.Seconds
	Extra float64 // energy of a run above that of idle nodes, J
}

// Slow multiplies the time of a run. Its nodes draw as much power as before.
func (y *TimedWay) Slow(k float64) {
	y.Time *= k
	y.Run *= units.Seconds(k)
	y.Extra *= k
}

// Draw adapts what nodes draw in a run above their idle power to changed powers of node types. The ratio is that under
// load: what they draw in messages changes in proportion.
func (y *TimedWay) Draw(parts []int, was, is []Node) {
	before, after := 0.0, 0.0
	for t, count := range parts {
		before += float64(float64(count) * float64(was[t].Power-was[t].IdlePower))
		after += float64(float64(count) * float64(is[t].Power-is[t].IdlePower))
	}
	if before != after { // without a change of power every bit stays
		y.Extra *= after / before
	}
}

// InTime returns the works with the ways that meet the deadlines, and a problem where none does. Where the plan says
// what an impossible run counts as, a problem becomes such a run.
func (p *Plan) InTime(c Choice, works []Work) []Work {
	all := slices.Clone(works)
	for w := range all {
		x, y := &p.Workloads[w], &all[w]
		if x.Deadline > 0 && y.Problem == "" {
			fastest := slices.MinFunc(y.Ways, func(a, b TimedWay) int { return cmp.Compare(a.Run, b.Run) })
			y.Ways = slices.DeleteFunc(slices.Clone(y.Ways), func(t TimedWay) bool { return !x.InTime(t.Run) })
			if len(y.Ways) == 0 {
				y.Problem = fmt.Sprintf("a run takes %v on %s; its deadline is %v", fastest.Run,
					p.WayName(c, fastest.Way), x.Deadline)
				y.Over = float64(fastest.Run / x.Deadline)
			}
		}
		if x.Batch > 0 && y.Problem == "" {
			if t := units.Seconds(float64(x.Batch) * p.Alone(c, *y)); t > x.Within {
				y.Problem = fmt.Sprintf("a batch of %s takes %v on the whole machine; its deadline is %v",
					input.Plural(x.Batch, "run"), t, x.Within)
				y.Over = float64(t / x.Within)
			}
		}
		if y.Problem != "" && x.Impossible > 0 {
			*y = Work{Impossible: y.Problem, Ways: []TimedWay{{Time: float64(x.Impossible), Run: x.Impossible}}}
		}
	}
	return all
}

// NodesOf returns the node types of a machine.
func (p *Plan) NodesOf(c Choice) []*Node {
	var all []*Node
	for t, count := range p.Parts(c) {
		if count > 0 {
			all = append(all, &p.Nodes[t])
		}
	}
	return all
}

// WayName says where a run takes place: "4 fat", or the name of the machine.
func (p *Plan) WayName(c Choice, w Way) string {
	if w.Whole() {
		return p.Name(c)
	}
	return fmt.Sprintf("%d %s", w.Nodes, p.Nodes[w.Node].Name)
}

// Text returns the numbers as a file writes them: "4", "2, 4 or 8", "best", "all".
func (r RunNodes) Text() string {
	switch {
	case r.All:
		return allNodes
	case r.Best:
		return bestNodes
	}
	return input.Joined(each.Of(r.List, func(n int) string { return fmt.Sprint(n) }), "or")
}

// A Drawn is how long the nodes of a type were in each state during a run, in s, summed over the nodes, each weighted
// by the fraction of its processes in that state. Its fields are stored.
type Drawn struct {
	Compute, Messages units.Seconds
}

// Simulated is what a plan keeps of a simulation.
type Simulated struct {
	N           int
	Work        units.Flops
	Time        units.Seconds
	MarkedSpeed units.FlopsPerSecond
	Efficiency  float64
	Compute     units.Seconds // mean over the processes
	Longest     units.Seconds // of the process that computes longest
	MemoryBound bool          // some process computes at the speed of the memory
	Drawn       []Drawn       // by node type that takes part, in the order of the plan
	Memory      []string      // names of the node types whose memory does not suffice
	Warnings    []string
	Simulations int
	Events      int64
}

// An Outcome is the result of a simulation or a committed time, or the reason why there is none: the efficiency to hold
// was not reached, or the workload cannot be divided among the processes.
type Outcome struct {
	Run          Simulated
	Unattainable string
	Source       string // of a time that a vendor commits to
}

// Problem says why the workload cannot run, "" if it can.
func (o Outcome) Problem() string {
	if o.Unattainable == "" && len(o.Run.Memory) > 0 {
		return o.Run.Memory[0]
	}
	return o.Unattainable
}

// A Queue says how waits are simulated.
type Queue struct {
	Policy      batchqueue.Policy
	Submissions int // jobs, at first
}

const mostTimes, mostSubmissions = 128, 640_000

// Most is how many jobs are simulated at most.
func (q *Queue) Most() int { return max(q.Submissions, min(mostTimes*q.Submissions, mostSubmissions)) }

var queueKeys = schema.Declare("the queue of the machine, as in {policy: easy, submissions: 5000}", func(k *schema.Keys, q *Queue) {
	policy := batchqueue.EASY.String()
	k.Optional("policy", schema.Choice(&policy, "policy", batchqueue.Policies()).Or(policy), "which waiting jobs start")
	q.Policy, _ = batchqueue.ParsePolicy(policy)
	k.Optional("submissions", schema.Integer{Min: 100, Max: 1000000}.To(&q.Submissions).Or(5000),
		fmt.Sprintf("jobs to simulate for each machine; for the recommended one and to keep a mean wait up to %d times "+
			"as many, at most %d, until the mean is known to within a tenth", mostTimes, mostSubmissions))
})

// Wait simulates the queue of a machine with the jobs of a year's work until their mean wait is known well enough. Jobs
// run in the ways in which the machine carries most of the work. Each node type has its own queue.
func (p *Plan) Wait(ctx context.Context, c Choice, l *Load, enough func(queue.MeanWait) bool) (*WaitResult, error) {
	parts := p.Parts(c)
	done := l.Done
	if p.Load == LoadRuns {
		done = 1
	}
	if multiple := SecondsPerYear / l.Seconds; multiple <= done {
		return &WaitResult{Reason: fmt.Sprintf("jobs arrive faster than they are done: the machine carries %.3g "+
			"times the mix if it has no idle hour", multiple)}, nil
	}
	if len(l.runs) == 0 {
		return &WaitResult{Reason: "it can run none of the workloads"}, nil
	}
	mix := queue.Mix{Submissions: p.Queue.Submissions, Seed: p.Seed}
	var pool []int // the node type of each kind
	runs := 0.0    // of a year
	for _, r := range l.runs {
		runs += float64(done * r.Runs)
		w := &p.Workloads[r.workload]
		k := queue.Kind{Name: w.Name, Nodes: r.Nodes, Time: units.Seconds(r.Time), RunsPerYear: done * r.Runs,
			Estimate: w.Estimate}
		at := r.Node
		if r.Whole() {
			if k.Nodes = each.Total(parts); len(p.NodesOf(c)) > 1 {
				return &WaitResult{Reason: "runs of " + w.Name + " take nodes of two types at once"}, nil
			}
			at = slices.Index(parts, k.Nodes)
		}
		mix.Kinds, pool = append(mix.Kinds, k), append(pool, at)
	}
	most := int(min(float64(p.Queue.Most()), runs/SecondsPerYear*float64(batchqueue.MaxTime)/2)) // times are random
	if most < mix.Submissions {
		return &WaitResult{Reason: fmt.Sprintf("jobs arrive so rarely that %d of them take more than %.0f years",
			mix.Submissions, float64(batchqueue.MaxTime)/2/SecondsPerYear)}, nil
	}
	start := func(jobs []batchqueue.Job, kinds []int32) ([]units.Seconds, error) {
		starts := make([]units.Seconds, len(jobs))
		for t, count := range parts {
			var here []batchqueue.Job
			var at []int
			for i, j := range jobs {
				if pool[kinds[i]] == t {
					here, at = append(here, j), append(at, i)
				}
			}
			if len(here) == 0 {
				continue
			}
			begun, err := batchqueue.Run(ctx, count, p.Queue.Policy, here)
			if err != nil {
				return nil, fmt.Errorf("the queue of %s: %w", p.Name(c), err)
			}
			for k, i := range at {
				starts[i] = begun[k]
			}
		}
		return starts, nil
	}
	drawn, starts, w, err := mix.Simulate(most, start, enough)
	if err != nil {
		return nil, err
	}
	if w.Grows {
		return &WaitResult{Reason: fmt.Sprintf("the later jobs are submitted, the longer they wait, and with policy %v the queue may grow "+
			"without end", p.Queue.Policy)}, nil
	}
	var waits []units.Seconds
	for i := queue.WarmUp(len(starts)); i < len(starts); i++ {
		waits = append(waits, starts[i]-drawn.Jobs[i].Submit)
	}
	slices.Sort(waits)
	above, longest := batchqueue.Above(w.Mean, waits)
	return &WaitResult{Mean: new(float64(w.Mean)), Low: new(float64(w.Low)), High: new(float64(w.High)),
		P95: new(float64(quantile.Of(waits, 95))), Above: &above, Most: new(float64(longest)), Jobs: len(starts)}, nil
}
