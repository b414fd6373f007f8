package system

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// System is a scenario's machine made ready, with the workload.
type System struct {
	cluster.System
	Workload workload.Workload
	seed     int64
	power    units.Watts // of the network for each node
}

// New places the processes of a scenario on its machine and connects them. The
// scenario's problem size is not looked at.
func New(s *scenario.Scenario) (*System, error) { return newWithin(s, cluster.NoLimit) }

// newWithin is New for simulations that may take an amount of memory.
func newWithin(s *scenario.Scenario, limit units.Bytes) (*System, error) {
	c, err := cluster.New(s.Machine, s.Selection, s.Network.Network, limit)
	if err != nil {
		return nil, err
	}
	sys := &System{System: *c, Workload: s.Workload, seed: s.Seed, power: s.Machine.Network.Power}
	sys.sustain()
	if s.Workload.MovesMemory() {
		sys.ShareMemory()
	}
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
