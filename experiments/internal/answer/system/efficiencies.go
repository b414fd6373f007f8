package system

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

func (s *System) again(change func(*scenario.Scenario)) (*System, error) {
	other := *s.made
	if change != nil {
		change(&other)
	}
	return newWithin(&other, s.memory)
}

// onNetworks returns the runs of problem size n on changed networks, jobs at a time, or one per core if jobs is 0.
func (s *System) onNetworks(n, jobs int) *efficiencies.Runs {
	return efficiencies.NewRuns(jobs, func(ctx context.Context, change cluster.Change) (*sim.Result, error) {
		sys, err := s.again(func(s *scenario.Scenario) {
			s.Network.Network = s.Network.Network.With(change)
			if change == (cluster.Change{}) {
				s.Workload = s.Workload.Choosing(meeting)
			}
		})
		if err != nil {
			return nil, err
		}
		sys.Workers = s.Workers
		if change == (cluster.Change{}) {
			sys.Program = func(p workloads.Program) workloads.Program { return costless{p} }
		}
		x, err := sys.Simulate(ctx, n)
		if err != nil {
			return nil, err
		}
		return x.Result, nil
	})
}

// SimulateOnNetworks is [System.Simulate] with the runs that efficiencies need. REQUIRES: messages share links.
func (s *System) SimulateOnNetworks(ctx context.Context, n int) (x *Simulation, err error) {
	if s, err = s.At(ctx, n); err != nil {
		return nil, err
	}
	runs := s.onNetworks(n, 0)
	err = runs.Beside(ctx, func() error {
		x, err = s.Simulate(ctx, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	x.others = runs
	return x, nil
}

// runs returns the runs on other networks; jobs is how many are made at the same time, if none are there yet.
func (x *Simulation) runs(jobs int) *efficiencies.Runs {
	if x.others == nil {
		x.others = x.System.onNetworks(x.N, jobs)
	}
	return x.others
}

// Others is the number of other simulations that the efficiencies and what-if have taken.
func (x *Simulation) Others() int {
	if x.others == nil {
		return x.trials
	}
	return x.others.Made() + x.trials
}

// meeting replaces a barrier by one operation without cost, whatever its algorithm: all ranks leave when the last has
// entered. On a network without costs its messages would do the same, with several events for each rank.
func meeting(ch collective.Choice) collective.Choice {
	if ch.Operation == workloads.Barrier {
		return collective.Choice{Operation: ch.Operation, Cost: &collective.Cost{}}
	}
	return ch
}

// costless is a program whose collective operations at a given cost, or by a law, cost nothing, like its messages on
// a network that is free of cost.
type costless struct{ workloads.Program }

func (p costless) Unwrap() workloads.Program { return p.Program }

func (p costless) Next(rank int, op *workloads.Op) bool {
	ok := p.Program.Next(rank, op)
	if ok && op.Kind == workloads.Measured {
		op.Time = 0
	}
	return ok
}

// Efficiencies simulates the same case on better networks, jobs at the same time, or one per core if jobs is 0. The
// error is [efficiencies.ErrIdle] if no process computes. REQUIRES: x has its ranks.
func (x *Simulation) Efficiencies(ctx context.Context, jobs int) (*efficiencies.Efficiencies, error) {
	e, err := efficiencies.Of(ctx, x.Result, x.System.Transport.Kind.SharesLinks, x.runs(jobs))
	if err != nil {
		return nil, err
	}
	if x.Work > 0 {
		e.Computation = float64(x.Work) / (float64(x.Useful) * float64(x.MarkedSpeed))
	}
	e.MemoryBandwidth = float64(x.inCores / x.Useful)
	return e, nil
}

// Shares divides the time of all processes as Efficiencies does, into parts whose sum is 1. REQUIRES: x has its ranks.
func (x *Simulation) Shares(ctx context.Context, jobs int) ([]efficiencies.Share, error) {
	return efficiencies.SharesOf(ctx, x.Result, x.System.Transport.Kind.SharesLinks, x.runs(jobs))
}
