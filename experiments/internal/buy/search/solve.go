package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/internal/each"
)

// Options are the choices of a run that do not change its result.
type Options struct {
	Overrides  []input.Override // the overrides of the plan, for the provenance
	Jobs       int              // simulations at a time; 0 for one on each core
	unscreened bool             // search designs that cannot matter, too
	Out        string           // directory in which simulations are kept; "" for none
	Kept       *store.Cache     // in which simulations are kept, in place of a directory
	Crew       Crew             // of which this process is a member; with Out
	Progress   input.Progress   // nil: progress is not reported

	// Quick ends with the ranking: with the simulations, packings and searches that it takes, and rough mean waits.
	Quick bool
	// Rough keeps mean waits as accurate as decisions need, and does not sharpen them for the reader. The machine, its
	// work, energy and costs are the same.
	Rough bool
	// Explained is what to explain about the recommended machine's runs beside their efficiencies.
	Explained system.Explained
	// MostProcesses is how many processes a simulation may have; 0: any number.
	MostProcesses int
}

type solver struct {
	*model.Plan
	*simulator
	result   *model.Result
	best     []model.Candidate // of each design that has one, the fastest first
	short    []model.Candidate // machines that miss the objective's conditions
	machines map[string]*machine
	runs     map[runsKey]knownRuns // where every run takes some nodes of one type
	leader   string                // the best machine so far, "" for none
	leads    find
	failed   error                     // of a simulation that a search asked for
	least    float64                   // lower bound of the quantity that machines are ranked by
	searched int                       // designs for which a machine was found
	safe     float64                   // least score of the machines found that stay within the limits if prices and powers rise
	dearest  *model.Plan               // with all prices and powers at their upper ends
	assessed map[string][]model.Choice // by design: machines whose runs on the whole machine were simulated
	taken    map[int]effort            // by workload: of runs on the whole machine
	needs    map[[3]int]needs          // by workload, node type and network
}

// A machine is a choice with its results and costs in the unchanged plan.
type machine struct {
	model.Choice
	works []model.Work // that meet their deadlines
	score float64      // +Inf where a workload cannot run
	load  *model.Load
	bill  model.Bill
}

// machine assesses a choice, once. REQUIRES: it has been simulated.
func (s *solver) machine(c model.Choice) *machine {
	key := c.Key()
	m := s.machines[key]
	if m == nil {
		m = &machine{Choice: c, works: s.usable(s.Plan, c)}
		m.score, m.load = s.Score(c, m.works)
		m.bill, _ = s.Price(c)
		s.machines[key] = m
	}
	return m
}

func newSolver(p *model.Plan, o Options) *solver {
	o.Rough = o.Rough || o.Quick
	return &solver{
		Plan: p, machines: map[string]*machine{}, least: math.Inf(1), safe: math.Inf(1), dearest: dearest(p),
		assessed: map[string][]model.Choice{}, taken: map[int]effort{}, runs: map[runsKey]knownRuns{}, needs: map[[3]int]needs{},
		simulator: &simulator{Options: o, done: map[string]model.Outcome{}},
		result: &model.Result{
			Title: p.Title, Currency: p.Budget.Money.Currency, Score: p.ScoreResult(), Goal: p.GoalResult(),
			Excluded: []model.Exclusion{}, ExcludedBy: []model.ExcludedDesign{}, Acceptance: []model.AcceptanceResult{}, Causes: []model.CauseResult{},
			Limits:   []model.LimitResult{},
			Upgrades: []model.Upgrade{}, Edges: []model.EdgeResult{}, Figures: p.Figures(), Warnings: []string{}, LeftOut: []string{}, Plan: p,
		},
	}
}

// Solve answers a plan. If the budget allows no choice at all, the error points to the budget and names the cheapest
// choice.
func Solve(ctx context.Context, p *model.Plan, o Options) (*model.Result, error) {
	stop := input.Stopwatch("plan", p.Inputs, o.Overrides, p.Seed)
	s := newSolver(p, o)
	if o.Out != "" {
		var err error
		if s.Kept, err = OpenFolder(o.Out); err != nil {
			return nil, err
		}
	}
	parts := []func(context.Context) error{s.rank, s.showFirst, s.upgrades, s.robust, s.explain, s.binding}
	if o.Quick {
		parts = parts[:1]
		s.result.LeftOut = s.leftOut()
	}
	for _, part := range parts {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	r := s.result
	r.Provenance.Simulations, r.Provenance.Events = s.simulations, s.events
	stop(&r.Provenance)
	if o.Crew.Members > 0 {
		if err := s.Kept.Put(answerKey(p, o.Overrides), nil); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// leftOut names the parts missing from an answer that ends with the ranking.
func (s *solver) leftOut() []string {
	parts := []string{"upgrades", "robustness", "what limits runs and the machine"}
	if s.Ranges != nil {
		parts = append(parts, "ranges")
	}
	if s.ByRuns && s.SideBySide() && s.Objective.MeanWait == 0 {
		parts = append(parts, "sharper mean waits")
	}
	return parts
}

// mostShown is the number of designs shown in a first ranking.
const mostShown = 5

// showFirst shows the ranking as soon as it is complete.
func (s *solver) showFirst(context.Context) error {
	if s.Progress == nil {
		return nil
	}
	lines := []string{"First ranking, the best of each design; how sure it is follows:"}
	for i, c := range s.best[:min(len(s.best), mostShown)] {
		lines = append(lines, fmt.Sprintf("%2d  %s: %s for %s", i+1, c.Name, s.ScoreText(c.Score), s.Money(c.Price)))
	}
	s.Progress(input.Step{Found: lines})
	return nil
}

func (s *solver) acceptance() {
	for w, x := range s.result.Recommendation().Workloads {
		for _, y := range x.Ways {
			if y.Share == 0 {
				continue
			}
			tolerance := model.OtherTolerance
			for _, k := range s.Commitments {
				if k.Workload == w && k.SourceText() == y.Source && k.Nodes == y.Nodes {
					tolerance = k.Tolerance
				}
			}
			s.result.Acceptance = append(s.result.Acceptance, model.AcceptanceResult{
				Workload: x.Name, Node: y.Node, Nodes: y.Nodes, Time: y.Time, Tolerance: tolerance,
				Most: y.Time * (1 + tolerance), Source: cmp.Or(y.Source, "simulated"),
			})
		}
	}
}

// exclude records why some machines of a design are not ranked: one of that name, or that many numbers of nodes.
func (s *solver) exclude(name string, d model.Design, machines int, cause string, why miss) {
	r := s.result
	r.Excluded = append(r.Excluded, model.Exclusion{Name: name, Reason: why.text})
	x := model.ExcludedDesign{Design: s.DesignName(d), Machines: machines, Name: name, Reason: why.text, Cause: cause, Over: why.over}
	i := slices.IndexFunc(r.ExcludedBy, func(y model.ExcludedDesign) bool {
		return y.Design == x.Design && y.Cause == cause
	})
	if i < 0 {
		r.ExcludedBy = append(r.ExcludedBy, x)
		return
	}
	y := &r.ExcludedBy[i]
	y.Machines += machines
	if x.Over < y.Over {
		y.Name, y.Reason, y.Over = x.Name, x.Reason, x.Over
	}
}

// markRanked marks excluded designs of which other machines are ranked, and moves the others to the front.
func (s *solver) markRanked() {
	var none, some []model.ExcludedDesign
	for _, x := range s.result.ExcludedBy {
		if x.Ranked = slices.ContainsFunc(s.best, ofDesign(x.Design)); x.Ranked {
			some = append(some, x)
		} else {
			none = append(none, x)
		}
	}
	copy(s.result.ExcludedBy, append(none, some...))
}

func ofDesign(name string) func(model.Candidate) bool {
	return func(c model.Candidate) bool { return c.Design == name }
}

// nonDominated returns which points are on the Pareto front. A point dominates another if it is at least as small in
// every coordinate and smaller in one. Points are slices of equal length; equal points are on the front together or not
// at all. The time is quadratic in the number of points.
func nonDominated(points [][]float64) []bool {
	dominates := func(q, p []float64) bool {
		smaller := false
		for k := range p {
			if q[k] > p[k] {
				return false
			}
			smaller = smaller || q[k] < p[k]
		}
		return smaller
	}
	return each.Of(points, func(p []float64) bool {
		return !slices.ContainsFunc(points, func(q []float64) bool { return dominates(q, p) })
	})
}

// fronts finds the Pareto fronts of each pair of quantities and of all three.
func (s *solver) fronts() {
	ranking := s.result.Ranking
	time, price, energy := model.ByTime, model.ByPrice, model.ByEnergy
	for _, axes := range [][]model.Axis{{time, price}, {time, energy}, {price, energy}, {time, price, energy}} {
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
