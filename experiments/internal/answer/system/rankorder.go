package system

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/rankorder"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// NewAt is [New] at the scenario's problem size: see [System.At].
func NewAt(ctx context.Context, s *scenario.Scenario) (*System, error) {
	return newAtWithin(ctx, s, cluster.NoLimit)
}

func newAtWithin(ctx context.Context, s *scenario.Scenario, limit units.Bytes) (*System, error) {
	sys, err := newWithin(s, limit)
	if err != nil {
		return nil, err
	}
	return sys.At(ctx, s.Workload.N)
}

// At returns the system at problem size n. It is s itself, unless ranks are to be ordered greedily by
// who sends how much to whom: that is taken from this size in block order.
func (s *System) At(ctx context.Context, n int) (*System, error) {
	if !s.made.RankOrder.Greedy {
		return s, nil
	}
	traffic, err := s.traffic(ctx, n)
	if err != nil {
		return nil, err
	}
	sys, err := s.again(func(other *scenario.Scenario) {
		other.RankOrder.Greedy = false
		other.Selection.Order = rankorder.Greedy(rankorder.Of(s.made.Machine, s.Placement), traffic)
	})
	if err != nil {
		return nil, err
	}
	sys.Ranks, sys.Workers, sys.Observer, sys.Program, sys.Laws = s.Ranks, s.Workers, s.Observer, s.Program, s.Laws
	sys.Processes, sys.Events, sys.Transport.Record = s.Processes, s.Events, s.Transport.Record
	return sys, nil
}

// traffic returns who sends how much to whom at problem size n in block order, on a network without
// costs. Programs whose messages depend on times may send other messages on another network.
func (s *System) traffic(ctx context.Context, n int) ([]observe.Traffic, error) {
	a := s.Algorithm(n)
	if err := a.Validate(); err != nil {
		return nil, err
	}
	free, err := cluster.New(s.made.Machine, s.made.Selection, cluster.Of(network.Ideal{}), s.memory)
	if err != nil {
		return nil, err
	}
	p := s.Workload.Program(a, s.Placement)
	return rankorder.Traffic(ctx, func(ctx context.Context, o sim.Observer) error {
		free.Ranks, free.Workers, free.Observer = false, 1, o
		_, err := free.Run(ctx, p)
		if failed := applicationError(p); failed != nil {
			return failed
		}
		return err
	})
}
