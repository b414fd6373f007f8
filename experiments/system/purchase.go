package system

import (
	"context"
	"fmt"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/scenario"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// A PurchaseCase is one simulation of a plan: a workload on all nodes of a
// machine.
type PurchaseCase struct {
	Machine   *topology.Machine
	Processes map[string]int // on each node of a type
	Network   *scenario.NetworkModel
	Workload  scenario.Workload
	// Target is the speed-efficiency to hold: the problem size is looked for in
	// Sizes. 0: the problem size is the workload's.
	Target float64
	Sizes  scenario.SizeRange
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
func RunPurchase(ctx context.Context, c PurchaseCase) (PurchaseRun, error) {
	n, err := c.Network.On(c.Machine)
	if err != nil {
		return PurchaseRun{}, err
	}
	sel := topology.Selection{Processes: c.Processes, Oversubscribe: n.SharesCores()}
	place, err := c.Machine.Place(sel)
	if err != nil {
		return PurchaseRun{}, err
	}
	// The engine's share, and 24 bytes for the speed and the program of a rank.
	need := sim.Memory(place.Ranks(), true) + 24*units.Bytes(place.Ranks())
	if err := input.CheckMemory(fmt.Sprintf("a run of %d processes", place.Ranks()), need, "fewer nodes or processes_per_node"); err != nil {
		return PurchaseRun{}, err
	}
	sys, err := New(c.Machine, sel, n, c.Workload, c.Seed)
	if err != nil {
		return PurchaseRun{}, err
	}
	sys.Workers = 1
	p := &purchaseRunner{System: sys}
	x, err := p.At(ctx, c.Workload.N)
	if c.Target > 0 {
		x, err = p.solve(ctx, c.Machine.Name, c.Target, c.Sizes)
	}
	if err != nil {
		return PurchaseRun{}, err
	}
	a := sys.Algorithm(x.N)
	r := PurchaseRun{
		N: x.N, Ranks: len(sys.Speeds), Work: x.Work, Time: x.Result.Makespan,
		MarkedSpeed: sys.Placement.MarkedSpeed(), Efficiency: x.Efficiency, MemoryBound: sys.MemoryBound(),
		Memory: MemoryWarnings(sys.Placement, a), Warnings: x.Result.Warnings,
		Simulations: p.simulations, Events: p.events,
	}
	for _, rank := range x.Result.Ranks {
		r.Compute += rank.Compute / units.Seconds(len(x.Result.Ranks))
	}
	return r, nil
}

// purchaseRunner simulates one system at different problem sizes.
type purchaseRunner struct {
	*System
	simulations int
	events      int64
}

// At simulates problem size n; 0 is none.
func (p *purchaseRunner) At(ctx context.Context, n int) (Point, error) {
	if n == 0 {
		return Point{}, nil
	}
	a := p.Algorithm(n)
	if err := a.Validate(); err != nil {
		return Point{}, err
	}
	c, err := p.config(a)
	if err != nil {
		return Point{}, err
	}
	res, err := sim.Run(ctx, c)
	if err != nil {
		return Point{}, err
	}
	p.simulations++
	p.events += res.Events
	x := Point{N: n, Work: a.Work(), Result: res}
	if x.Work > 0 {
		x.Efficiency, err = scalability.SpeedEfficiency(x.Work, res.Makespan, p.Placement.MarkedSpeed())
	}
	return x, err
}

// solve finds the first problem size whose efficiency is the target: doubling
// finds one that reaches it, halving the nearest. Where the smallest size already
// has more, that is the answer; so it is for a process on its own, whose efficiency
// is the same at every size.
func (p *purchaseRunner) solve(ctx context.Context, name string, target float64, sizes scenario.SizeRange) (Point, error) {
	low, err := p.At(ctx, sizes.From)
	if err != nil || low.Efficiency >= target {
		return low, err
	}
	if len(p.Speeds) == 1 {
		return Point{}, &input.UnattainableError{System: name, Target: target, Best: low.Efficiency, BestN: low.N, From: sizes.From, To: sizes.To, Note: " (a process on its own has the same at every size)"}
	}
	for best, last := low, 0.0; low.N < sizes.To; {
		high, err := p.At(ctx, min(2*low.N, sizes.To))
		if err != nil {
			return Point{}, err
		}
		if high.Efficiency >= target {
			return Narrow(target, low, high, func(n int) (Point, error) { return p.At(ctx, n) })
		}
		if high.Efficiency > best.Efficiency {
			best = high
		}
		gain := high.Efficiency - low.Efficiency
		if p.simulations > 8 && gain < flat && gain <= last && high.Efficiency+10*max(gain, 0) < target {
			return Point{}, &input.UnattainableError{System: name, Target: target, Best: best.Efficiency, BestN: best.N, From: sizes.From, To: high.N, Note: " (it has stopped growing)"}
		}
		low, last = high, gain
	}
	return Point{}, &input.UnattainableError{System: name, Target: target, Best: low.Efficiency, BestN: low.N, From: sizes.From, To: sizes.To}
}
