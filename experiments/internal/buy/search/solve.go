package search

import (
	"context"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// Options are the choices of a run that do not change its result.
type Options struct {
	Overrides  []input.Override // that the plan was read with, for the provenance
	Jobs       int              // simulations at a time; 0 for one on each core
	unscreened bool             // simulate machines that cannot matter, too
	Out        string           // directory in which simulations are kept; "" for none
	Crew       Crew             // that this process is a member of; with Out
	Progress   input.Progress   // nil: progress is not reported
}

// Solve answers a plan. Where the budget allows no choice at all the error has the
// place of the budget and names the cheapest.
func Solve(ctx context.Context, p *model.Plan, o Options) (*model.Result, error) {
	stop := input.Stopwatch("plan", p.Inputs, o.Overrides, p.Seed)
	s := &solver{Plan: p, unscreened: o.unscreened, simulator: &simulator{jobs: o.Jobs, crew: o.Crew, progress: o.Progress, done: map[string]model.Outcome{}}}
	if o.Out != "" {
		var err error
		if s.kept, err = OpenFolder(o.Out); err != nil {
			return nil, err
		}
	}
	r := &model.Result{
		Title: p.Title, Currency: p.Budget.Money.Currency, Score: p.ScoreResult(), Goal: p.GoalResult(),
		Excluded: []model.Exclusion{}, ExcludedBy: []model.ExcludedDesign{}, Upgrades: []model.Upgrade{}, Edges: []model.EdgeResult{}, Warnings: []string{}, Plan: p,
	}
	s.result = r
	if err := s.rank(ctx); err != nil {
		return nil, err
	}
	s.fronts()
	s.acceptance()
	if err := s.upgrades(ctx); err != nil {
		return nil, err
	}
	if err := s.robust(ctx); err != nil {
		return nil, err
	}
	s.figures()
	if err := s.explain(ctx); err != nil {
		return nil, err
	}
	r.Provenance.Simulations, r.Provenance.Events = s.simulations, s.events
	stop(&r.Provenance)
	if o.Crew.Members > 0 {
		if err := s.kept.Put(answerKey(p, o.Overrides), nil); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// solver is a plan on the way to its answer.
type solver struct {
	*model.Plan
	*simulator
	result     *model.Result
	unscreened bool
	best       []model.Candidate // of each design that has one, the fastest first
}

// acceptance lists the runs of the recommended machine with the times to accept.
func (s *solver) acceptance() {
	c := s.result.Recommendation()
	s.result.Acceptance = []model.AcceptanceResult{}
	for w, x := range c.Workloads {
		for _, y := range x.Ways {
			if y.Share == 0 {
				continue
			}
			a := model.AcceptanceResult{Workload: x.Name, Node: y.Node, Nodes: y.Nodes, Time: y.Time, Tolerance: model.OtherTolerance, Source: y.Source}
			for _, k := range s.Commitments {
				if k.Workload == w && k.SourceText() == y.Source && k.Nodes == y.Nodes {
					a.Tolerance = k.Tolerance
				}
			}
			if a.Source == "" {
				a.Source = "simulated"
			}
			a.Most = a.Time * (1 + a.Tolerance)
			s.result.Acceptance = append(s.result.Acceptance, a)
		}
	}
}

// explain says where the time goes of workloads that the recommended machine runs at a low
// efficiency.
func (s *solver) explain(ctx context.Context) error {
	c := s.result.Recommendation()
	for w, x := range c.Workloads {
		if x.Work == 0 || x.Efficiency >= model.LowEfficiency {
			continue
		}
		on := model.MostRuns(s.UsedWays(c.Choice, w, s.usable(s.Plan, c.Choice)[w], c.Load))
		scenario, err := (simulation{s.Plan, c.Choice, w, on}).scenario()
		if err != nil {
			return err
		}
		sys, err := system.New(scenario)
		if err != nil {
			return err
		}
		u, run, err := sys.TimeUse(ctx, x.N)
		if err != nil {
			return err
		}
		s.simulations++
		s.events += run.Events
		s.result.Low = append(s.result.Low, model.LowUse{Workload: x.Name, Efficiency: x.Efficiency, Use: u})
	}
	return nil
}

// figures lists the figures of all candidates.
func (s *solver) figures() {
	r := s.result
	r.Figures = []model.Figure{}
	for _, n := range s.Nodes {
		r.Figures = append(r.Figures, n.Figures...)
	}
	for _, n := range s.Networks {
		r.Figures = append(r.Figures, n.Figures...)
	}
	r.Figures = append(r.Figures,
		model.Figure{Of: model.KindOnNode, Quantity: model.QuantityLatency, Value: s.OnNode.Latency.String(), Source: s.OnNodeFrom, Estimate: model.IsEstimate(s.OnNodeFrom)},
		model.Figure{Of: model.KindOnNode, Quantity: model.QuantityBandwidth, Value: s.OnNode.Bandwidth.String(), Source: s.OnNodeFrom, Estimate: model.IsEstimate(s.OnNodeFrom)})
}

// exclude records why some machines of a design are not ranked: one of that name, or so
// many numbers of nodes.
func (s *solver) exclude(name string, d model.Design, machines int, cause, reason string) {
	r := s.result
	r.Excluded = append(r.Excluded, model.Exclusion{Name: name, Reason: reason})
	design := s.DesignName(d)
	for i := range r.ExcludedBy {
		if x := &r.ExcludedBy[i]; x.Design == design && x.Cause == cause {
			x.Machines += machines
			return
		}
	}
	r.ExcludedBy = append(r.ExcludedBy, model.ExcludedDesign{Design: design, Machines: machines, Name: name, Reason: reason, Cause: cause})
}

// causeOf returns which workload does not run on a choice, or that the budget does not
// cover its energy.
func (s *solver) causeOf(c model.Choice) string {
	for w, x := range s.usable(s.Plan, c) {
		if x.Problem != "" {
			return s.Workloads[w].Name
		}
	}
	return model.CauseBudget
}

// markRanked says of which designs other machines are ranked, and puts those first of
// which none is.
func (s *solver) markRanked() {
	all := s.result.ExcludedBy
	for i := range all {
		all[i].Ranked = slices.ContainsFunc(s.best, func(c model.Candidate) bool { return c.Design == all[i].Design })
	}
	slices.SortStableFunc(all, func(a, b model.ExcludedDesign) int {
		switch {
		case a.Ranked == b.Ranked:
			return 0
		case b.Ranked:
			return -1
		}
		return 1
	})
}

// nonDominated returns which points are on the Pareto front: those that no other point
// dominates, by being at least as small in every coordinate and smaller in one.
// Points are slices of equal length; equal points are on the front together or
// not at all. The time is quadratic in their number.
func nonDominated(points [][]float64) []bool {
	front := make([]bool, len(points))
	for i, p := range points {
		front[i] = true
		for _, q := range points {
			if dominates(q, p) {
				front[i] = false
				break
			}
		}
	}
	return front
}

// dominates reports whether q is at least as small as p in every coordinate and
// smaller in one.
func dominates(q, p []float64) bool {
	smaller := false
	for k := range p {
		if q[k] > p[k] {
			return false
		}
		smaller = smaller || q[k] < p[k]
	}
	return smaller
}

// fronts finds the Pareto fronts of each two quantities and of all three.
func (s *solver) fronts() {
	ranking := s.result.Ranking
	for _, axes := range [][]model.Axis{{model.ByTime, model.ByPrice}, {model.ByTime, model.ByEnergy}, {model.ByPrice, model.ByEnergy}, {model.ByTime, model.ByPrice, model.ByEnergy}} {
		var set model.ParetoSet
		points := make([][]float64, len(ranking))
		for _, x := range axes {
			set.Of = append(set.Of, x.Name)
			for i := range ranking {
				points[i] = append(points[i], x.Of(&ranking[i]))
			}
		}
		name := strings.Join(set.Of, "-")
		for i, on := range nonDominated(points) {
			if on {
				set.Members = append(set.Members, ranking[i].Name)
				ranking[i].Fronts = append(ranking[i].Fronts, name)
			}
		}
		s.result.Fronts = append(s.result.Fronts, set)
	}
}
