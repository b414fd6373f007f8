package system

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
)

// ForPrograms returns the selected part of a machine made ready for programs
// that say themselves what they compute and how much memory traffic that needs.
func ForPrograms(m *topology.Machine, part topology.Selection, n scenario.Network) (*System, error) {
	return New(&scenario.Scenario{
		Machine: m, Selection: part, Network: n,
		// Any traffic: the shares of memory are made ready.
		Workload: scenario.Workload{Sustained: 1, BytesPerFlop: 1},
	})
}

// Run runs a program with a rank on each process.
func (s *System) Run(ctx context.Context, p workloads.Program) (*sim.Result, error) {
	if err := checkMemory(len(s.Speeds), s.Ranks, s.limit); err != nil {
		return nil, err
	}
	if s.Program != nil {
		p = s.Program(p)
	}
	c, err := s.config(p)
	if err != nil {
		return nil, err
	}
	c.Ranks, c.Workers, c.Observer = s.Ranks, s.Workers, s.Observer
	return sim.Run(ctx, c)
}
