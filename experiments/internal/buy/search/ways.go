package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
)

// A sizeSearch decides when the search for the best number of nodes of a run ends: where a run hardly gets faster, or
// takes twice the node time of a smaller one, larger numbers are not worth simulating. It depends only on the
// simulations, not on the machine, so all machines with the same nodes and network try the same numbers.
type sizeSearch struct {
	node     int  // type
	ended    bool // larger numbers are not tried
	fastest  bool // only the time of a run counts
	usable   bool // some number serves
	shortest float64
	least    float64 // node time
	stalls   int     // numbers in a row that are hardly faster
}

const (
	hardlyFaster = 0.98 // relative to the shortest time so far
	mostStalls   = 2
	mostNodeTime = 2 // of the least node time of a run
)

// tried adds the next number of nodes, with the time of a run that fits into memory and whether the run may be used.
func (s *sizeSearch) tried(nodes int, time float64, usable bool) {
	if s.shortest > 0 && time > hardlyFaster*s.shortest {
		s.stalls++
	} else {
		s.stalls = 0
	}
	if s.shortest == 0 || time < s.shortest {
		s.shortest = time
	}
	cost := float64(nodes) * time
	if s.least == 0 || cost < s.least {
		s.least = cost
	}
	s.usable = s.usable || usable
	s.ended = s.ended || s.stalls >= mostStalls || s.usable && !s.fastest && cost > mostNodeTime*s.least
}

// explore visits the ways to run a workload on a choice as far as they have been simulated, with few nodes first, and
// returns the simulations to do next: none if there are no more ways.
func (s *simulator) explore(p *model.Plan, c model.Choice, w int,
	visit func(simulation, model.Outcome)) (next []simulation) {
	x := &p.Workloads[w]
	var search sizeSearch
	for i, run := range runs(p, c, w) {
		if i == 0 || run.on.Node != search.node {
			fastest := p.Objective.Name == model.ObjectiveTime && p.Objective.Workload == w
			search = sizeSearch{node: run.on.Node, fastest: fastest}
		}
		if search.ended && run.committed() == nil {
			continue
		}
		o, ok := s.lookup(run)
		if !ok {
			next = append(next, run)
			search.ended = run.job().On.Best // the result decides what comes next
			continue
		}
		visit(run, o)
		if run.job().On.Best && o.Problem() == "" {
			search.tried(run.on.Nodes, float64(o.Run.Time), x.InTime(o.Run.Time))
		}
	}
	return next
}

// A variant is a choice under the figures of a plan.
type variant struct {
	plan   *model.Plan
	choice model.Choice
	onSome bool // only the workloads that take some of its nodes matter
}

// needChoices carries out the missing simulations of every workload on some choices.
func (s *simulator) needChoices(ctx context.Context, p *model.Plan, choices []model.Choice, what string) error {
	all := each.Append(nil, choices, func(c model.Choice) variant { return variant{p, c, false} })
	return s.needWays(ctx, all, what)
}

// needWays is needChoices for choices of several plans. Searches for numbers of nodes proceed in rounds, because a
// round depends on the one before.
func (s *simulator) needWays(ctx context.Context, list []variant, what string) error {
	for {
		var next []simulation
		var open []variant
		for _, v := range list {
			before := len(next)
			for w := range v.plan.Workloads {
				if v.onSome && v.plan.Workloads[w].On.All {
					continue
				}
				next = append(next, s.explore(v.plan, v.choice, w, func(simulation, model.Outcome) {})...)
			}
			if len(next) > before {
				open = append(open, v)
			}
		}
		if len(next) == 0 {
			return nil
		}
		if err := s.need(ctx, next, what); err != nil {
			return err
		}
		list = open
	}
}

// scoreOf returns the score and the load of a choice under the figures of a plan. REQUIRES: needWays was called for it.
func (s *simulator) scoreOf(p *model.Plan, c model.Choice) (float64, *model.Load) {
	return p.Score(c, s.usable(p, c))
}

// usable returns how each workload may run on a choice and meet its deadlines.
func (s *simulator) usable(p *model.Plan, c model.Choice) []model.Work {
	return p.InTime(c, s.works(p, c))
}

// works returns how each workload may run on a choice, whatever its deadlines. REQUIRES: needWays was called for it.
func (s *simulator) works(p *model.Plan, c model.Choice) []model.Work {
	all := make([]model.Work, len(p.Workloads))
	for w := range all {
		all[w] = s.work(p, c, w)
	}
	return all
}

func (s *simulator) work(p *model.Plan, c model.Choice, w int) model.Work {
	x := &p.Workloads[w]
	var all model.Work
	problem := ""
	next := s.explore(p, c, w, func(run simulation, o model.Outcome) {
		if why := o.Problem(); why != "" {
			problem = why
			return
		}
		all.Ways = append(all.Ways, run.timed(o))
	})
	switch {
	case len(next) > 0:
		panic("buy: a simulation that nobody asked for: " + next[0].key())
	case len(all.Ways) > 0:
	case problem != "":
		all.Problem = problem
	case !slices.ContainsFunc(p.NodesOf(c), x.RunsOn):
		all.Problem = "no nodes " + x.Needs()
	default:
		var least []string
		for _, n := range p.NodesOf(c) {
			if x.RunsOn(n) {
				if numbers := x.Numbers(n, model.MaxNodes); len(numbers) > 0 {
					least = append(least, fmt.Sprint(numbers[0]))
				}
			}
		}
		all.Problem = "too few nodes: a run takes at least " + strings.Join(slices.Compact(least), " or ")
	}
	return all
}
