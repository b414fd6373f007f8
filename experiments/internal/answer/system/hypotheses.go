package system

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/rankorder"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// A hypothesis is a change of a run that might make it faster.
type hypothesis struct {
	name, cause string
	bound       bool // see [efficiencies.Effect]
	change      func(s *scenario.Scenario)
	program     func(workloads.Program) workloads.Program // in its place; nil: as it is
	recording   *waits.Recording                          // of the run, or nil
}

// WhatIf simulates a run again with one thing better at a time, so many jobs at a time, all cores if jobs is 0, and
// returns the effects, the largest first. REQUIRES: x has its ranks.
func (x *Simulation) WhatIf(ctx context.Context, jobs int) ([]efficiencies.Effect, error) {
	var effects []efficiencies.Effect
	if kind := x.System.Transport.Kind; !kind.Free {
		var err error
		if effects, err = efficiencies.OnNetworks(x.Makespan, kind.SharesLinks, x.onNetworks(ctx, jobs)); err != nil {
			return nil, err
		}
	}
	var all []hypothesis
	for i, part := range Parts[:computing] {
		all = append(all, hypothesis{name: part.Name + " twice as fast", cause: part.Name, bound: i == 0,
			change: func(s *scenario.Scenario) { s.Machine = part.better(s.Machine, 2) }})
	}
	all = append(all, x.evenSpeeds()...)
	all = append(all, x.otherAlgorithms()...)
	all = append(all, x.otherOrders()...)
	told, err := x.watched(ctx)
	if err != nil {
		return nil, err
	}
	all = append(append(all, told.balanced()...), told.rearranged()...)

	others := make([]efficiencies.Effect, len(all))
	err = Each(len(all), jobs, func(i int) error {
		y, err := x.System.under(ctx, all[i], x.N)
		if stuck := (*sim.DeadlockError)(nil); errors.As(err, &stuck) && all[i].program != nil {
			return nil // a change that is none
		}
		if err == nil {
			others[i] = efficiencies.Effect{Change: all[i].name, Cause: all[i].cause, Bound: all[i].bound}
			others[i].Of(x.Makespan, y.Makespan)
		}
		return err
	}, nil)
	if err != nil {
		return nil, err
	}
	others = slices.DeleteFunc(others, func(e efficiencies.Effect) bool { return e.Change == "" })
	return efficiencies.Sorted(append(effects, others...)), nil
}

// under simulates the case under a hypothesis.
func (s *System) under(ctx context.Context, h hypothesis, n int) (*Simulation, error) {
	sys, err := s.again(func(other *scenario.Scenario) {
		if h.change != nil {
			h.change(other)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("what if %s: %w", h.name, err)
	}
	if sys, err = sys.At(ctx, n); err != nil {
		return nil, fmt.Errorf("what if %s: %w", h.name, err)
	}
	sys.Workers = 1
	sys.Program = h.program
	if h.recording != nil {
		sys.Observer = h.recording
	}
	y, err := sys.Simulate(ctx, n)
	if err != nil {
		return nil, fmt.Errorf("what if %s: %w", h.name, err)
	}
	return y, nil
}

// otherAlgorithms are hypotheses on the collective operations of a workload: each operation by each other algorithm
// that can carry it out on these processes.
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
		for _, name := range collective.Names(op) {
			if len(used[op]) == 1 && used[op][0] == name {
				continue
			}
			a, err := collective.Lookup(op, name)
			if err != nil {
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
			all = append(all, hypothesis{name: fmt.Sprintf("%v by algorithm %s", op, name), cause: fmt.Sprintf("the algorithm of %v", op),
				change: func(s *scenario.Scenario) { s.Workload = other }})
		}
	}
	return all
}

// otherOrders are hypotheses on which rank runs where, on a machine of which some place has several ranks. One that takes
// a matrix of messages is left out where that may be too large.
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
		other, err := s.made.Reorder(name)
		if err != nil || other.RankOrder.Greedy && len(node)*len(node) > rankorder.MostPairs {
			continue
		}
		all = append(all, hypothesis{name: "rank order " + name, cause: "the order of the ranks",
			change: func(s *scenario.Scenario) { s.RankOrder, s.Selection.Order = other.RankOrder, other.Selection.Order }})
	}
	return all
}

// evenSpeeds is a hypothesis on the speeds: that no process is slower than the median one.
func (x *Simulation) evenSpeeds() []hypothesis {
	rates := x.System.Rates
	median := slices.Sorted(slices.Values(rates))[len(rates)/2]
	if slices.Min(rates) == median {
		return nil
	}
	return []hypothesis{{name: "no process slower than the median one", cause: "slow processes",
		program: loaded(func(rank, _ int) float64 { return min(1, float64(rates[rank]/median)) })}}
}

// mostComputations is how many computations of a run are told apart, about: 8 bytes are kept of each.
const mostComputations = 20_000_000

// watched makes the run again on the same network, and is told of it.
func (x *Simulation) watched(ctx context.Context) (*told, error) {
	t := &told{of: x.System, times: make([][]units.Seconds, len(x.Ranks))}
	recording := waits.NewRecording(len(x.Ranks), watch.MostWaits, func() {})
	y, err := x.System.under(ctx, hypothesis{recording: recording, program: func(p workloads.Program) workloads.Program {
		t.fixed = canRearrange(p)
		return recording.Program(&reloaded{Program: p, watch: t, count: make([]int, p.Ranks())})
	}}, x.N)
	if err == nil && recording.Err() == nil {
		t.states = recording.States(y.Makespan, y.System.Transport.Network, nil)
	}
	return t, err
}

// told is what is known of a run.
type told struct {
	of     *System
	times  [][]units.Seconds // of the computations of each rank, as far as nobody else uses their memory
	states *waits.States     // nil: there are too many
	fixed  bool              // what the program does next does not depend on what happens
}

// rearranged are hypotheses on the order of operations, where processes wait for point-to-point messages.
func (told *told) rearranged() []hypothesis {
	if !told.fixed {
		return nil
	}
	const late = "late senders"
	cause := late
	if s := told.states; s != nil {
		if s.Share(waits.LateSender)+s.Share(waits.LateReceiver)+s.Share(waits.WrongOrder) < efficiencies.Worth {
			return nil
		}
		if s.Chained > chained {
			cause = "a serial chain"
		}
	}
	return []hypothesis{
		{name: "sends before computations that they do not need", cause: late, program: rearrangement(sendFirst)},
		{name: fmt.Sprintf("messages and computations in %d pieces", pieces), cause: cause, program: rearrangement(inPieces)},
	}
}

// chained is which part of the waits for late senders is due to waits of the senders in a serial chain: of the waits
// 1, 2, ... p-1 in a chain of p equal computations, 1 is due to the computation of the sender: (p-2)/p in all, and
// nothing if two alternate.
const chained = 0.25

// balanced are hypotheses on the loads: that all processes compute equally long in all and, where they have equally many
// computations, that each has the mean time of those at its place.
func (told *told) balanced() []hypothesis {
	sum := make([]units.Seconds, len(told.times))
	var all units.Seconds
	steps, alike := 0, true
	for r, times := range told.times {
		for _, t := range times {
			sum[r] += t
		}
		all += sum[r]
		if len(times) == mostComputations/len(sum) {
			return nil // not all were told
		}
		if len(times) > 0 {
			alike = alike && (steps == 0 || steps == len(times))
			steps = len(times)
		}
	}
	if all == 0 {
		return nil
	}
	mean := all / units.Seconds(len(sum))
	ratio := func(mean, t units.Seconds) float64 {
		if t == 0 {
			return 1
		}
		return float64(mean / t)
	}
	list := []hypothesis{{name: "equal loads of processes", cause: "load imbalance", program: loaded(func(rank, _ int) float64 { return ratio(mean, sum[rank]) })}}
	if !alike || steps < 2 {
		return list
	}
	means, whole := make([]units.Seconds, steps), units.Seconds(0)
	for k := range means {
		n := 0
		for _, times := range told.times {
			if len(times) > 0 {
				means[k] += times[k]
				n++
			}
		}
		means[k] /= units.Seconds(n)
		whole += means[k]
	}
	changes := false
	for r, times := range told.times {
		for k, t := range times { // a share of the means, but for rounding
			changes = changes || math.Abs(float64(t*whole-means[k]*sum[r])) > 1e-9*float64(means[k]*sum[r])
		}
	}
	if !changes {
		return list
	}
	return append(list, hypothesis{name: "equal loads of processes at every step", cause: "load imbalance that changes from step to step, such as noise",
		program: loaded(func(rank, k int) float64 { return ratio(means[k], told.times[rank][k]) })})
}

// loaded returns what changes the loads of programs, of the k-th computation of each rank to a multiple of what it is.
func loaded(load func(rank, k int) float64) func(workloads.Program) workloads.Program {
	return func(p workloads.Program) workloads.Program {
		return &reloaded{Program: p, load: load, count: make([]int, p.Ranks())}
	}
}

// reloaded is a program whose computations are multiples of those of another.
type reloaded struct {
	workloads.Program
	load  func(rank, k int) float64 // nil: as they are
	watch *told                     // is told of them; may be nil
	count []int                     // of computations so far, by rank
}

var _ sim.Wrapper = (*reloaded)(nil)

func (p *reloaded) Unwrap() workloads.Program { return p.Program }

func (p *reloaded) Next(rank int, op *workloads.Op) bool {
	more := p.Program.Next(rank, op)
	if !more || op.Kind != workloads.Compute || rank >= len(p.count) { // or of a stream
		return more
	}
	if w := p.watch; w != nil && len(w.times[rank]) < mostComputations/len(w.times) {
		w.times[rank] = append(w.times[rank], w.of.Process(rank).Time(op.Work, op.Size))
	}
	if p.load != nil {
		by := p.load(rank, p.count[rank])
		op.Work *= units.Flops(by)
		op.Size *= units.Bytes(by)
	}
	p.count[rank]++
	return more
}
