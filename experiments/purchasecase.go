package experiments

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// PlanReader reads the file of a sweep or purchase plan: a decoder that also reads the
// parts that such a file has in common with scenarios.
type PlanReader struct{ reader }

// Open reads the file and applies the overrides.
func (r *PlanReader) Open(path string, overrides []Override) (*yamldoc.Node, error) {
	return r.open(path, overrides)
}

// Inputs returns the files read so far.
func (r *PlanReader) Inputs() []Input { return r.inputs }

// Workload reads a workload as in a scenario, where sized is true, or as in a
// study, which looks for the problem size itself.
func (r *PlanReader) Workload(n *yamldoc.Node, sized bool) Workload {
	w := r.workload(n, sized)
	if n != nil && r.problems() == 0 && sized {
		if err := w.build(w.N, []units.FlopsPerSecond{1}, 1).Validate(); err != nil {
			r.Fail(n, err.Error(), "")
		}
	}
	return w
}

// Sizes reads the range in which problem sizes are looked for.
func (r *PlanReader) Sizes(n *yamldoc.Node) SizeRange { return r.sizes(n) }

// Seed reads a seed, 1 if there is none.
func (r *PlanReader) Seed(n *yamldoc.Node) int64 { return r.seed(n) }

// Name reads a name that may be used in paths of --set.
func (r *PlanReader) Name(n *yamldoc.Node, key string) string {
	if !isName(key) {
		r.Fail(n, "bad name", namePattern)
	}
	return key
}

// A NetworkModel is a network model without a machine: what a machine does not
// say comes from the file, and the rest from each machine that it is put on.
type NetworkModel struct {
	Name string
	node *yamldoc.Node
}

// candidateParameters are the parameters of network models that each candidate
// of a plan has its own values of.
var candidateParameters = []string{"latency", "bandwidth", "L", "G", "on_node", "between_groups"}

// NetworkModel reads the network model of a plan, hockney if n is nil.
func (r *PlanReader) NetworkModel(n *yamldoc.Node) *NetworkModel {
	if n == nil {
		root, err := yamldoc.Parse("default", []byte("hockney"))
		if err != nil {
			panic("experiments: " + err.Error())
		}
		return &NetworkModel{"hockney", root}
	}
	if n.IsMapping() {
		d := r.Mapping(n, "a network model")
		for _, key := range candidateParameters {
			if v := d.Take(key); v != nil {
				r.Fail(v, key+" belongs to the candidates", "it under networks or on_node of the plan")
			}
		}
	}
	before := r.problems()
	m := r.network(n, sampleMachine())
	if r.problems() > before {
		return nil
	}
	return &NetworkModel{m.Model, n}
}

// sampleMachine stands for the candidates where a network model is checked.
func sampleMachine() *topology.Machine {
	return &topology.Machine{
		Name: "candidate", Types: []topology.NodeType{{Name: "node", Cores: 1, MarkedSpeed: 1e9}},
		Groups:  []topology.Group{{Type: "node", Name: "node", Count: 2, First: 1}},
		Network: topology.Network{Latency: 1e-6, Bandwidth: 1e9},
	}
}

// on returns the model on a machine.
func (m *NetworkModel) on(machine *topology.Machine) (Network, error) {
	r := &reader{}
	n := r.network(m.node, machine)
	return n, r.Err()
}

// SharesMemory reports whether the model itself makes computations wait for the
// memory of their node.
func (m *NetworkModel) SharesMemory() bool { return m.Name == "flow" }

// A PurchaseCase is one simulation of a plan: a workload on all nodes of a
// machine.
type PurchaseCase struct {
	Machine   *topology.Machine
	Processes map[string]int // on each node of a type
	Network   *NetworkModel
	Workload  Workload
	// Target is the speed-efficiency to hold: the problem size is looked for in
	// Sizes. 0: the problem size is the workload's.
	Target float64
	Sizes  SizeRange
	Seed   int64
}

// A PurchaseRun is the outcome of a PurchaseCase.
type PurchaseRun struct {
	N           int
	Ranks       int
	Work        units.Flops
	Time        units.Seconds
	MarkedSpeed units.FlopsPerSecond
	Efficiency  float64
	Compute     units.Seconds // mean over the ranks
	MemoryBound bool          // some process computes at the speed of the memory
	// Memory names each node type whose memory does not suffice.
	Memory      []string
	Warnings    []string
	Simulations int
	Events      int64
}

// RunPurchase carries out one simulation of a plan, on one core, or as many as
// it takes to find the problem size that holds the target.
//
// Where the network model does not make computations wait for memory, a process
// computes at the roofline of its share of the node,
//
//	rate = min(s c, B/(q b))
//
//	s  sustained fraction of the marked speed
//	c  marked speed of a process, flop/s
//	B  memory bandwidth of the node, byte/s; no limit if it is not known
//	q  processes on the node
//	b  memory traffic of the workload, byte/flop; no limit if 0
//
// Source: [Williams2009]. Deviations: all processes of a node are taken to compute
// at the same time, so that each always has B/q.
func RunPurchase(ctx context.Context, c PurchaseCase) (PurchaseRun, error) {
	n, err := c.Network.on(c.Machine)
	if err != nil {
		return PurchaseRun{}, err
	}
	sel := topology.Selection{Processes: c.Processes, Oversubscribe: n.sharesCores()}
	place, err := c.Machine.Place(sel)
	if err != nil {
		return PurchaseRun{}, err
	}
	// The engine's share, and 24 bytes for the speed and the program of a rank.
	need := sim.Memory(place.Ranks(), true) + 24*units.Bytes(place.Ranks())
	if err := checkMemory(fmt.Sprintf("a run of %d processes", place.Ranks()), need, "fewer nodes or processes_per_node"); err != nil {
		return PurchaseRun{}, err
	}
	sys, err := newSystem(c.Machine, sel, n, c.Workload, c.Seed)
	if err != nil {
		return PurchaseRun{}, err
	}
	sys.workers = 1
	p := &purchaseRunner{system: sys, roofline: !c.Network.SharesMemory()}
	x, err := p.at(ctx, c.Workload.N)
	if c.Target > 0 {
		x, err = p.solve(ctx, c.Machine.Name, c.Target, c.Sizes)
	}
	if err != nil {
		return PurchaseRun{}, err
	}
	a := sys.algorithm(x.n)
	r := PurchaseRun{
		N: x.n, Ranks: len(sys.speeds), Work: x.work, Time: x.result.Makespan,
		MarkedSpeed: sys.placement.MarkedSpeed(), Efficiency: x.efficiency, MemoryBound: p.bound,
		Memory: memoryWarnings(sys.placement, a), Warnings: x.result.Warnings,
		Simulations: p.simulations, Events: p.events,
	}
	for _, rank := range x.result.Ranks {
		r.Compute += rank.Compute / units.Seconds(len(x.result.Ranks))
	}
	return r, nil
}

// purchaseRunner simulates one system at different problem sizes.
type purchaseRunner struct {
	*system
	roofline    bool
	bound       bool
	simulations int
	events      int64
}

// at simulates problem size n; 0 is none.
func (p *purchaseRunner) at(ctx context.Context, n int) (point, error) {
	if n == 0 {
		return point{}, nil
	}
	a := p.algorithm(n)
	if err := a.Validate(); err != nil {
		return point{}, err
	}
	c, err := p.config(a)
	if err != nil {
		return point{}, err
	}
	if p.roofline {
		p.limit(&c)
	}
	res, err := sim.Run(ctx, c)
	if err != nil {
		return point{}, err
	}
	p.simulations++
	p.events += res.Events
	x := point{n: n, work: a.Work(), result: res}
	if x.work > 0 {
		x.efficiency, err = scalability.SpeedEfficiency(x.work, res.Makespan, p.placement.MarkedSpeed())
	}
	return x, err
}

// limit lowers the rates to what the memory of the nodes feeds.
func (p *purchaseRunner) limit(c *sim.Config) {
	b := p.workload.BytesPerFlop
	if b == 0 {
		return
	}
	c.Rates = slices.Clone(c.Rates)
	for _, run := range p.placement.Runs {
		if run.Type.MemoryBandwidth == 0 {
			continue
		}
		most := units.FlopsPerSecond(float64(run.Type.MemoryBandwidth) / (float64(run.Processes) * b))
		for i := range run.Nodes * run.Processes {
			if rank := run.FirstRank + i; c.Rates[rank] > most {
				c.Rates[rank], p.bound = most, true
			}
		}
	}
}

// solve finds the first problem size whose efficiency is the target: doubling
// finds one that reaches it, halving the nearest. Where the smallest size already
// has more, that is the answer; so it is for a process on its own, whose efficiency
// is the same at every size.
func (p *purchaseRunner) solve(ctx context.Context, name string, target float64, sizes SizeRange) (point, error) {
	low, err := p.at(ctx, sizes.From)
	if err != nil || low.efficiency >= target {
		return low, err
	}
	if len(p.speeds) == 1 {
		return point{}, &UnattainableError{System: name, Target: target, Best: low.efficiency, BestN: low.n, From: sizes.From, To: sizes.To, Note: " (a process on its own has the same at every size)"}
	}
	for best, last := low, 0.0; low.n < sizes.To; {
		high, err := p.at(ctx, min(2*low.n, sizes.To))
		if err != nil {
			return point{}, err
		}
		if high.efficiency >= target {
			return narrow(target, low, high, func(n int) (point, error) { return p.at(ctx, n) })
		}
		if high.efficiency > best.efficiency {
			best = high
		}
		gain := high.efficiency - low.efficiency
		if p.simulations > 8 && gain < flat && gain <= last && high.efficiency+10*max(gain, 0) < target {
			return point{}, &UnattainableError{System: name, Target: target, Best: best.efficiency, BestN: best.n, From: sizes.From, To: high.n, Note: " (it has stopped growing)"}
		}
		low, last = high, gain
	}
	return point{}, &UnattainableError{System: name, Target: target, Best: low.efficiency, BestN: low.n, From: sizes.From, To: sizes.To}
}

// IsUnattainable returns what an error says of a target that is not reached, or
// "".
func IsUnattainable(err error) string {
	var u *UnattainableError
	if !errors.As(err, &u) {
		return ""
	}
	return fmt.Sprintf("a speed-efficiency of %g is not attainable: the largest found is %.4g at n = %d, searching from %d to %d%s",
		u.Target, u.Best, u.BestN, u.From, u.To, u.Note)
}

// ParameterText lists parameters in one line for a report.
func ParameterText(parameters []Parameter) string {
	var parts []string
	for _, p := range parameters {
		parts = append(parts, p.Name+" "+p.Value)
	}
	return strings.Join(parts, ", ")
}
