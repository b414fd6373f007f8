package search

import (
	"context"

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
