package system

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/sim"
)

// changed returns the system with a network that is changed.
func (s *System) changed(c cluster.Change) (*System, error) {
	other := *s.made
	other.Network.Network = other.Network.Network.With(c)
	sys, err := newWithin(&other, s.memory)
	if err != nil {
		return nil, err
	}
	sys.Workers = s.Workers
	return sys, nil
}

// Efficiencies simulates the same case on better networks, so many jobs at a time, all at once if jobs is 0. The error
// is [efficiencies.ErrIdle] if no process computes. REQUIRES: x has its ranks.
func (x *Simulation) Efficiencies(ctx context.Context, jobs int) (*efficiencies.Efficiencies, error) {
	e, err := efficiencies.Of(x.Result, x.System.Transport.Kind.SharesLinks, func(changes []cluster.Change) ([]*sim.Result, error) {
		runs := make([]*sim.Result, len(changes))
		return runs, Each(len(changes), jobs, func(i int) error {
			sys, err := x.System.changed(changes[i])
			if err != nil {
				return err
			}
			y, err := sys.Simulate(ctx, x.N)
			if err == nil {
				runs[i] = y.Result
			}
			return err
		}, nil)
	})
	if err == nil && x.Work > 0 {
		e.Computation = float64(x.Work) / (float64(x.Compute) * float64(x.MarkedSpeed))
	}
	return e, err
}
