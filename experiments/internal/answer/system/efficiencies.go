package system

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// again returns the system of a changed scenario.
func (s *System) again(change func(*scenario.Scenario)) (*System, error) {
	other := *s.made
	change(&other)
	return newWithin(&other, s.memory)
}

// onNetworks returns what simulates the same case on networks that are changed, so many jobs at a time, all at once if
// jobs is 0.
func (x *Simulation) onNetworks(ctx context.Context, jobs int) efficiencies.Again {
	return func(changes []cluster.Change) ([]*sim.Result, error) {
		runs := make([]*sim.Result, len(changes))
		return runs, Each(len(changes), jobs, func(i int) error {
			sys, err := x.System.again(func(s *scenario.Scenario) { s.Network.Network = s.Network.Network.With(changes[i]) })
			if err != nil {
				return err
			}
			sys.Workers = x.System.Workers
			if changes[i] == (cluster.Change{}) {
				sys.Program = func(p workloads.Program) workloads.Program { return costless{p} }
			}
			y, err := sys.Simulate(ctx, x.N)
			if err == nil {
				runs[i] = y.Result
			}
			return err
		}, nil)
	}
}

// costless is a program whose collective operations at a given cost, or by a law, cost nothing, as its messages on a
// network that is free of cost.
type costless struct{ workloads.Program }

// Unwrap returns the program as it is.
func (p costless) Unwrap() workloads.Program { return p.Program }

func (p costless) Next(rank int, op *workloads.Op) bool {
	ok := p.Program.Next(rank, op)
	if ok && op.Kind == workloads.Measured {
		op.Time = 0
	}
	return ok
}

// Efficiencies simulates the same case on better networks, so many jobs at a time, all at once if jobs is 0. The error
// is [efficiencies.ErrIdle] if no process computes. REQUIRES: x has its ranks.
func (x *Simulation) Efficiencies(ctx context.Context, jobs int) (*efficiencies.Efficiencies, error) {
	e, err := efficiencies.Of(x.Result, x.System.Transport.Kind.SharesLinks, x.onNetworks(ctx, jobs))
	if err != nil {
		return nil, err
	}
	if x.Work > 0 {
		e.Computation = float64(x.Work) / (float64(x.Compute) * float64(x.MarkedSpeed))
	}
	e.MemoryBandwidth = float64(x.inCores / x.Compute)
	return e, nil
}

// Shares divides the time of all processes as Efficiencies does, into parts whose sum is 1. REQUIRES: x has its ranks.
func (x *Simulation) Shares(ctx context.Context, jobs int) ([]efficiencies.Share, error) {
	return efficiencies.SharesOf(x.Result, x.System.Transport.Kind.SharesLinks, x.onNetworks(ctx, jobs))
}
