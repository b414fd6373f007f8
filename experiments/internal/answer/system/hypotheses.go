package system

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/rankorder"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// A hypothesis is a change of a run that might make it faster.
type hypothesis struct {
	efficiencies.Trial
	change   func(s *scenario.Scenario) // nil: none
	observer sim.Observer               // may be nil
}

// WhatIf simulates a run again with one thing better at a time, jobs at the same time, or one per core if jobs is 0. It
// returns the effects, the largest first. REQUIRES: x has its ranks.
func (x *Simulation) WhatIf(ctx context.Context, jobs int) ([]efficiencies.Effect, error) {
	var effects []efficiencies.Effect
	if kind := x.System.Transport.Kind; !kind.Free {
		var err error
		if effects, err = efficiencies.OnNetworks(ctx, x.Makespan, kind.SharesLinks, x.runs(jobs)); err != nil {
			return nil, err
		}
	}
	var all []hypothesis
	for i, part := range Parts[:computing] {
		name := part.Name
		if i == 0 {
			cores, _ := x.System.Placement.Cores()
			devices, _ := x.System.Placement.Devices()
			name = Computing(cores, devices)
		}
		all = append(all, hypothesis{Trial: efficiencies.Trial{Name: name + " twice as fast", Cause: name, Bound: i == 0},
			change: func(s *scenario.Scenario) { s.Machine = part.better(s.Machine, 2) }})
	}
	all = append(all, x.otherAlgorithms()...)
	all = append(all, x.otherOrders()...)
	trials, err := efficiencies.Trials(x.System.processes(), watch.MostWaits, func(of func(workloads.Program) workloads.Program, o sim.Observer) (*sim.Result, error) {
		return x.System.under(ctx, hypothesis{Trial: efficiencies.Trial{Program: of}, observer: o}, x.N)
	}, x.System.Transport.Network)
	if err != nil {
		return nil, err
	}
	all = each.Append(all, trials, func(t efficiencies.Trial) hypothesis { return hypothesis{Trial: t} })
	x.trials += 1 + len(all)
	trials = each.Of(all, func(h hypothesis) efficiencies.Trial { return h.Trial })
	return efficiencies.Tried(jobs, effects, x.Makespan, trials, func(i int) (*sim.Result, error) {
		return x.System.under(ctx, all[i], x.N)
	})
}

// under simulates the case under a hypothesis.
func (s *System) under(ctx context.Context, h hypothesis, n int) (*sim.Result, error) {
	sys, err := s.again(h.change)
	var y *Simulation
	if err == nil {
		sys.Workers, sys.Program, sys.Observer = 1, h.Program, h.observer
		y, err = sys.Simulate(ctx, n)
	}
	if err != nil {
		return nil, fmt.Errorf("what if %s: %w", h.Name, err)
	}
	return y.Result, nil
}

// otherAlgorithms returns hypotheses about the collective operations of a workload: each operation by each of the other
// algorithms that can carry it out on these processes and differ there.
func (x *Simulation) otherAlgorithms() []hypothesis {
	s := x.System
	used := map[workloads.Collective][]string{}
	look := s.Workload.Choosing(func(c collective.Choice) collective.Choice {
		if c.Algorithm != nil && !slices.Contains(used[c.Operation], c.Algorithm.Name()) {
			used[c.Operation] = append(used[c.Operation], c.Algorithm.Name())
		}
		return c
	})
	look.Program(look.Build(x.N, s.Speeds, s.seed), s.Placement)
	var all []hypothesis
	for _, op := range collective.Operations() {
		if len(used[op]) == 0 {
			continue
		}
		for _, a := range s.places.Candidates(op, collective.Call{Size: len(s.Speeds)}) {
			if len(used[op]) == 1 && used[op][0] == a.Name() {
				continue
			}
			other := s.Workload.Choosing(func(c collective.Choice) collective.Choice {
				if c.Operation == op && c.Algorithm != nil {
					c.Algorithm = a
				}
				return c
			})
			if other.Build(x.N, s.Speeds, s.seed).Validate() != nil {
				continue
			}
			all = append(all, hypothesis{Trial: efficiencies.Trial{Name: fmt.Sprintf("%v by algorithm %s", op, a.Name()), Cause: fmt.Sprintf("the algorithm of %v", op)},
				change: func(s *scenario.Scenario) { s.Workload = other }})
		}
	}
	return all
}

// otherOrders returns hypotheses about which rank runs where, for a machine on which some node or group has several
// ranks. The one that needs a matrix of messages is left out if the matrix may be too large.
func (x *Simulation) otherOrders() []hypothesis {
	s := x.System
	node, group := s.Placement.Locations()
	if n := len(node); n == 1 || int(slices.Max(node)) == n-1 && slices.Max(group) == 0 {
		return nil
	}
	var all []hypothesis
	for _, name := range scenario.RankOrders {
		if name == cmp.Or(s.made.RankOrder.Name, scenario.RankOrders[0]) {
			continue
		}
		order, of := scenario.OrderNamed(name), s.made.Selection
		if order.Greedy && len(node)*len(node) > rankorder.MostPairs || order.Deal(nil, s.made.Machine, &of) != nil {
			continue
		}
		all = append(all, hypothesis{Trial: efficiencies.OfOrder(name),
			change: func(s *scenario.Scenario) { s.RankOrder, s.Selection.Order = order, of.Order }})
	}
	return all
}
