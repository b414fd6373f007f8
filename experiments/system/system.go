package system

import (
	"context"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/scenario"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// CheckRunMemory returns an error if this computer has not the memory for a run.
func CheckRunMemory(ranks int, detail bool) error {
	// The engine's share, and 24 bytes for the speed and the program of a rank.
	need := sim.Memory(ranks, detail) + 24*units.Bytes(ranks)
	return input.CheckMemory(fmt.Sprintf("a run of %d processes", ranks), need, "fewer processes")
}

// Simulate runs an algorithm on a system.
func Simulate(ctx context.Context, sys *System, a algorithm.Algorithm) (*sim.Result, error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	c, err := sys.config(a)
	if err != nil {
		return nil, err
	}
	return sim.Run(ctx, c)
}

// MemoryWarnings names the first node of each type whose memory the data of
// its processes do not fit into.
func MemoryWarnings(p *topology.Placement, a algorithm.Algorithm) []string {
	known := func(r topology.Run) bool { return r.Type.Memory > 0 }
	if !slices.ContainsFunc(p.Runs, known) {
		return nil
	}
	var warnings []string
	need := a.Footprints()
	seen := map[string]bool{}
	for _, r := range p.Runs {
		if !known(r) || seen[r.Type.Name] {
			continue
		}
		for i := range r.Nodes {
			var sum units.Bytes
			for _, size := range need[r.FirstRank+i*r.Processes:][:r.Processes] {
				sum += size
			}
			if sum > r.Type.Memory {
				seen[r.Type.Name] = true
				warnings = append(warnings, fmt.Sprintf("the data of node %s (%s) need %v and its memory is %v; a real run would page or fail",
					r.Group.NodeName(i), r.Type.Name, sum, r.Type.Memory))
				break
			}
		}
	}
	return warnings
}

// System is a scenario's machine made ready: the processes, and what each computes
// and communicates with.
type System struct {
	Placement *topology.Placement
	Speeds    []units.FlopsPerSecond // marked speed of each process
	Transport *transport
	Workload  scenario.Workload
	seed      int64
	rates     []units.FlopsPerSecond // see computing
	memory    []units.BytesPerSecond
	Ranks     bool // whether simulations report every rank
	Workers   int  // cores for one simulation, 0 for all
	Observer  sim.Observer
}

func New(m *topology.Machine, sel topology.Selection, n scenario.Network, w scenario.Workload, seed int64) (*System, error) {
	p, err := m.Place(sel)
	if err != nil {
		return nil, err
	}
	c, err := newTransport(n, m, p)
	if err != nil {
		return nil, err
	}
	s := &System{Placement: p, Speeds: p.Speeds(), Transport: c, Workload: w, seed: seed, Ranks: true}
	s.rates, s.memory = s.computing()
	return s, nil
}

// Algorithm returns the workload at problem size n on this system.
func (s *System) Algorithm(n int) algorithm.Algorithm { return s.Workload.Build(n, s.Speeds, s.seed) }

// config returns the simulation of a.
func (s *System) config(a algorithm.Algorithm) (sim.Config, error) {
	c := sim.Config{Program: s.Workload.Program(a), Rates: s.rates, Memory: s.memory, Ranks: s.Ranks, Workers: s.Workers, Observer: s.Observer}
	return c, s.Transport.Configure(&c)
}
