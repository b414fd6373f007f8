package search

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// A class is what else the time of a run on nodes of a type depends on: the network, its wiring in the whole machine,
// and the vendor of a bid, who may commit to times.
type class struct {
	network, levels, spines int
	bidder                  string
}

func classOf(p *model.Plan, c model.Choice) class {
	w, _ := p.Wiring(c)
	x := class{c.Network, w.Levels(), w.Spines, p.Bidder(c.Design)}
	if !p.Model.SharesMemory || x.levels > 2 { // nor links: a level only adds switches to the path; or see Plan.Machine
		x.spines = 0
	}
	return x
}

// A knownRun is a way to run a workload, or the problem that prevents it.
type knownRun struct {
	model.TimedWay
	problem string
}

// A runsKey is what machines have in common if a workload runs alike on their nodes of a type.
type runsKey struct {
	class
	node, workload int
}

// knownRuns are the runs on up to that many nodes.
type knownRuns struct {
	nodes int
	runs  []knownRun
}

// runsOn returns how a workload runs on a machine's nodes of a type, after simulations of what is not known yet; what
// names them in progress reports. The first error is kept in s.failed.
func (s *solver) runsOn(ctx context.Context, c model.Choice, node, w int, what string) []knownRun {
	key := runsKey{classOf(s.Plan, c), node, w}
	known := knownRuns{nodes: s.Parts(c)[node]}
	if before := s.runs[key]; s.failed == nil && before.nodes >= known.nodes {
		return before.runs
	}
	if s.failed == nil {
		s.failed = s.needWays(ctx, []variant{{s.Plan, c, true}}, what)
	}
	if s.failed != nil {
		return nil
	}
	s.explore(s.Plan, c, w, func(run simulation, o model.Outcome) {
		if run.on.Node == node {
			known.runs = append(known.runs, knownRun{run.timed(o), o.Problem()})
		}
	})
	s.runs[key] = known
	return known.runs
}

// field returns the machines of a design in the unchanged plan. Simulations are carried out when the search asks for
// them.
func (s *solver) field(ctx context.Context, d model.Design) *field {
	f := &field{Plan: s.Plan, design: d, axes: axesOf(s.Plan, d)}
	f.runs = func(like model.Choice, node, w int) []knownRun { return s.runsOn(ctx, like, node, w, s.ranking()) }
	if !s.OnSome() {
		f.whole, f.settle, f.settled = s.whole, s.settles(ctx, f), s.isSimulated
	}
	f.carries = func(c model.Choice, l *model.Load) bool {
		if s.Objective.MeanWait == 0 || s.failed != nil {
			return s.failed == nil
		}
		wait, err := s.Wait(ctx, c, l, s.decides)
		s.failed = err
		return err == nil && s.CheapestCarries(l, wait) == ""
	}
	return f
}
