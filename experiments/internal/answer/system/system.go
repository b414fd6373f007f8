package system

import (
	"context"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// System is a scenario's machine made ready: the processes, and what each computes
// and communicates with. Its simulations may not overlap.
type System struct {
	Placement *topology.Placement
	Speeds    []units.FlopsPerSecond // marked speed of each process
	Transport *transport
	Workload  workload.Workload
	seed      int64
	rates     []units.FlopsPerSecond // see computing
	memory    []units.BytesPerSecond
	power     units.Watts // of the network for each node
	limit     units.Bytes // of the memory for a simulation

	// How to simulate; none of it changes a result. New sets Ranks.
	Ranks    bool // report every process, without which there are no means over them
	Workers  int  // cores for one simulation, 0 for all
	Observer sim.Observer
	// Program, if it is set, is asked for the program to run in the place of each.
	Program func(workloads.Program) workloads.Program

	// Processes run on the clock of the ranks, which know of Events.
	Processes []sim.Process
	Events    []*sim.Event
}

// New places the processes of a scenario on its machine and connects them. The
// scenario's problem size is not looked at.
func New(s *scenario.Scenario) (*System, error) { return newWithin(s, noLimit) }

// newWithin is New for simulations that may take an amount of memory.
func newWithin(s *scenario.Scenario, limit units.Bytes) (*System, error) {
	p, err := s.Machine.Place(s.Selection)
	if err != nil {
		return nil, err
	}
	if err := checkMemory(p.Ranks(), false, limit); err != nil {
		return nil, err
	}
	if c := p.MarkedSpeed(); math.IsInf(float64(c), 1) {
		return nil, input.Errorf("the sum of the marked speeds of %d processes is beyond all numbers (%.2g flop/s); expected smaller marked speeds", p.Ranks(), math.MaxFloat64)
	}
	c, err := newTransport(s.Network, s.Machine, p)
	if err != nil {
		return nil, err
	}
	sys := &System{Placement: p, Speeds: p.Speeds(), Transport: c, Workload: s.Workload, seed: s.Seed, power: s.Machine.Network.Power, Ranks: true, limit: limit}
	sys.rates, sys.memory = sys.computing()
	return sys, nil
}

// Algorithm returns the workload at problem size n on this system.
func (s *System) Algorithm(n int) algorithm.Algorithm { return s.Workload.Build(n, s.Speeds, s.seed) }

// Simulate runs the workload at problem size n.
func (s *System) Simulate(ctx context.Context, n int) (*Simulation, error) {
	a := s.Algorithm(n)
	if err := a.Validate(); err != nil {
		return nil, err
	}
	p := s.Workload.Program(a, s.Placement)
	r, err := s.Run(ctx, p)
	if failed := applicationError(p); failed != nil {
		return nil, failed // which may be why others wait for ever
	}
	if err != nil {
		return nil, err
	}
	if w := s.workWarning(p, a.Work()); w != "" {
		r.Warnings = append(r.Warnings, w)
	}
	return measure(s, n, a.Work(), r)
}

// Time returns how long a program takes whose ranks are the first processes of the
// system.
func (s *System) Time(ctx context.Context, p workloads.Program) (units.Seconds, error) {
	c, err := s.config(p)
	if err != nil {
		return 0, err
	}
	r, err := sim.Run(ctx, c)
	if err != nil {
		return 0, err
	}
	return r.Makespan, nil
}

// config returns the simulation of a program whose ranks are the first processes.
func (s *System) config(p workloads.Program) (sim.Config, error) {
	n := p.Ranks()
	c := sim.Config{Program: p, Rates: s.rates[:n]}
	if s.memory != nil {
		c.Memory = s.memory[:n]
	}
	return c, s.Transport.configure(&c)
}

// perProcess is what a system takes of memory for a process beside the engine: marked
// speed, speed and share of memory bandwidth with 8 bytes each, and the state of the
// program with about 16.
const perProcess units.Bytes = 3*8 + 16

// noLimit is the limit of memory where only what this computer has counts.
var noLimit = units.Bytes(math.Inf(1))

// checkMemory returns an error if a simulation of so many processes, reported one by one
// or not, takes more memory than the limit, and else if this computer has not got it.
// Asking the operating system takes longer than a simulation of few processes, which
// needs some 30 MB at most.
func checkMemory(processes int, ranks bool, limit units.Bytes) error {
	need := sim.Memory(processes, ranks) + perProcess*units.Bytes(processes)
	if need > limit {
		return fmt.Errorf("a run of %d processes needs about %v of memory, and the limit for a point is %v; expected fewer processes, or a larger limits.memory in the plan", processes, need, limit)
	}
	const few = 1 << 16
	if processes <= few {
		return nil
	}
	return input.CheckMemory(fmt.Sprintf("a run of %d processes", processes), need, "fewer nodes or processes on a node")
}
