package purchase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// Options are the choices of a run that do not change its result.
type Options struct {
	Overrides []input.Override // that the plan was read with, for the provenance
	Jobs      int              // simulations at a time; 0 for one on each core
	Progress  input.Progress   // nil: nobody is told
}

// Solve answers a plan. Where the budget allows no choice at all the error has the
// place of the budget and names the cheapest.
func Solve(ctx context.Context, p *Plan, o Options) (*Result, error) {
	stop := input.Stopwatch("plan", p.Inputs, o.Overrides, p.Seed)
	s := &solver{Plan: p, simulator: &simulator{jobs: o.Jobs, progress: o.Progress, done: map[string]outcome{}}}
	r := &Result{
		Title: p.Title, Currency: p.Budget.Money.Currency, Score: p.scoreResult(),
		Excluded: []Exclusion{}, Upgrades: []Upgrade{}, Edges: []EdgeResult{}, Warnings: []string{}, plan: p,
	}
	s.result = r
	if err := s.rank(ctx); err != nil {
		return nil, err
	}
	s.fronts()
	if err := s.upgrades(ctx); err != nil {
		return nil, err
	}
	if err := s.robust(ctx); err != nil {
		return nil, err
	}
	s.figures()
	s.warn()
	r.NotModelled = p.notModelled()
	r.Provenance.Simulations, r.Provenance.Events = s.simulations, s.events
	stop(&r.Provenance)
	return r, nil
}

// solver is a plan on the way to its answer.
type solver struct {
	*Plan
	*simulator
	result *Result
	best   []Candidate // of each design that has one, the fastest first
}

func (p *Plan) scoreResult() ScoreResult {
	r := ScoreResult{p.ScoreText(), "exp(sum over workloads of share ln(time) / sum of shares)", "s"}
	if p.byRuns {
		r.Formula = "sum over workloads of runs_per_year time"
	}
	return r
}

// rank simulates every choice within the limits.
func (s *solver) rank(ctx context.Context) error {
	var choices []Choice
	for _, d := range s.designs() {
		within, beyond := s.choices(d)
		if beyond > 0 {
			s.exclude(s.designName(d), s.beyond(d, len(within), beyond))
		}
		choices = append(choices, within...)
		if len(choices) > maxChoices {
			return s.fail(fmt.Sprintf("more than %d configurations", maxChoices), "fewer numbers of nodes, or affordable")
		}
	}
	if !slices.ContainsFunc(choices, func(c Choice) bool { return !s.buysNothing(c) }) {
		c, price, limit := s.cheapest()
		if limit != "" {
			return s.fail("no candidate can be connected: "+limit, "fewer nodes, switches with more ports or topology: fat-tree")
		}
		return s.fail("no candidate is within the budget", fmt.Sprintf("more: the cheapest is %s for %s, and it is beyond it: %s", s.Name(c), s.money(price), s.limit(c)))
	}
	today := Choice{}
	list := s.all(choices...)
	if e := s.Existing; e != nil {
		today.Network = e.Network
		list = append(list, s.all(today)...)
	}
	if err := s.need(ctx, list, "ranking"); err != nil {
		return err
	}
	if s.Existing != nil {
		if why := s.unfit(today); why != "" {
			s.result.Warnings = append(s.result.Warnings, "the existing machine cannot run every workload: "+why)
		} else {
			c := s.candidate(today)
			s.result.Today = &c
		}
	}
	if refined := s.refine(choices); len(refined) > 0 {
		if err := s.need(ctx, s.all(refined...), "ranking"); err != nil {
			return err
		}
		choices = append(choices, refined...)
	}
	for _, c := range choices {
		if why := s.unfit(c); why != "" {
			s.exclude(s.Name(c), why)
			continue
		}
		s.result.Ranking = append(s.result.Ranking, s.candidate(c))
	}
	ranking := s.result.Ranking
	if len(ranking) == 0 {
		return fmt.Errorf("no candidate can run every workload: %s: %s", s.Name(choices[0]), s.unfit(choices[0]))
	}
	slices.SortStableFunc(ranking, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(a.Price, b.Price), cmp.Compare(a.Name, b.Name))
	})
	for i := range ranking {
		c := &ranking[i]
		c.Rank, c.Relative = i+1, c.Score/ranking[0].Score
		if !slices.ContainsFunc(s.best, func(b Candidate) bool { return b.choice.design().equal(c.choice.design()) }) {
			s.best = append(s.best, *c)
		}
	}
	s.result.Recommended = ranking[0].Name
	if len(s.best) > 1 {
		lead := s.best[1].Score/s.best[0].Score - 1
		s.result.Lead, s.result.RunnerUp = &lead, s.best[1].Name
	}
	if t := s.result.Today; t != nil {
		t.Relative = t.Score / ranking[0].Score
	}
	return nil
}

// refine returns the numbers of nodes that the ladder leaves out around the best of
// each design that is nearly the fastest. REQUIRES: the choices were simulated.
func (s *solver) refine(choices []Choice) []Choice {
	const nearly = 1.25 // times the best score
	var best []Choice
	score := func(c Choice) float64 { return s.Score(s.measures(s.Plan, c)) }
	fastest := math.Inf(1)
	for _, c := range choices {
		fastest = min(fastest, score(c))
		i := slices.IndexFunc(best, func(b Choice) bool { return b.design().equal(c.design()) })
		switch {
		case i < 0:
			best = append(best, c)
		case score(c) < score(best[i]):
			best[i] = c
		}
	}
	var more []Choice
	for _, c := range best {
		if score(c) <= nearly*fastest {
			more = append(more, s.between(c)...)
		}
	}
	return more
}

// fail returns an error at the budget of the plan.
func (s *solver) fail(msg, want string) error {
	if s.budgetNode == nil {
		return errors.New(msg + "; expected " + want)
	}
	var d yamldoc.Decoder
	d.Fail(s.budgetNode, msg, want)
	return d.Err()
}

func (s *solver) exclude(name, reason string) {
	s.result.Excluded = append(s.result.Excluded, Exclusion{name, reason})
}

// beyond says why choices of a design were left out.
func (s *solver) beyond(d design, within, beyond int) string {
	c := Choice{Types: d.types, Network: d.network}
	for range d.types {
		least := 1
		if !s.Counts.Affordable {
			least = s.Counts.List[len(s.Counts.List)-1]
			if within == 0 {
				least = s.Counts.List[0]
			}
		}
		c.Counts = append(c.Counts, least)
	}
	why := s.limit(c)
	if why == "" {
		why = "the limits of the budget"
	}
	if within == 0 {
		return "nothing within the budget: " + s.Name(c) + " has " + why
	}
	return fmt.Sprintf("%d of %d numbers of nodes beyond the budget: %s has %s", beyond, within+beyond, s.Name(c), why)
}

// unfit says why a choice cannot do the work, or "".
func (s *solver) unfit(c Choice) string {
	for w, x := range s.Workloads {
		o := s.of(simulation{s.Plan, c, w})
		if o.unattainable != "" {
			return x.Name + ": " + o.unattainable
		}
		if len(o.run.Memory) > 0 {
			return x.Name + ": " + o.run.Memory[0]
		}
	}
	return ""
}

// candidate describes a choice. REQUIRES: it has been simulated.
func (s *solver) candidate(c Choice) Candidate {
	p := s.Plan
	bill, _ := p.Price(c)
	power := p.Power(c)
	w, _ := p.Wiring(c)
	x := Candidate{
		Name: p.Name(c), Design: p.designName(c.design()), Nodes: []NodeCount{}, Network: p.Networks[c.Network].Name, Wiring: w.String(),
		Price: bill.Total(), Bill: bill, Power: float64(power), RackUnits: p.RackUnits(c), Fronts: []string{}, choice: c,
	}
	for t, count := range p.parts(c) {
		if count == 0 {
			continue
		}
		n := NodeCount{Type: p.Nodes[t].Name, Count: count}
		if p.Existing != nil && p.Existing.Node == t {
			n.Existing = p.Existing.Count
		}
		x.Nodes = append(x.Nodes, n)
		x.MarkedSpeed += float64(count) * float64(p.Nodes[t].Speed)
		x.Processes += count * p.Nodes[t].Processes
	}
	x.Score = p.Score(s.measures(p, c))
	x.Energy = p.Energy.runEnergy(power, units.Seconds(x.Score))
	x.LifeEnergy = p.Energy.lifeEnergy(power)
	x.LifeCost = x.Price + x.LifeEnergy*p.Energy.Price
	if p.byRuns {
		use := x.Score / 3600 / (p.Energy.lifeHours() / p.Energy.Years)
		x.Use = &use
		if use > 1 {
			x.Warnings = append(x.Warnings, fmt.Sprintf("%s: a year's work takes %.0f %% of the hours that there are in a year at a utilisation of %g", x.Name, 100*use, p.Energy.Utilisation))
		}
	}
	for i, work := range p.Workloads {
		o := s.of(simulation{p, c, i})
		if o.unattainable != "" {
			x.Warnings = append(x.Warnings, work.Name+": "+o.unattainable)
			continue
		}
		t := float64(o.run.Time)
		y := WorkloadResult{
			Name: work.Name, N: o.run.N, Time: t, Work: float64(o.run.Work), Efficiency: o.run.Efficiency,
			Compute: float64(o.run.Compute) / t, MemoryBound: o.run.MemoryBound,
			Energy:  p.Energy.runEnergy(power, o.run.Time),
			Capital: x.Price * t / 3600 / p.Energy.lifeHours(),
		}
		y.EnergyCost = y.Energy * p.Energy.Price
		y.Cost = y.Capital + y.EnergyCost
		x.Workloads = append(x.Workloads, y)
		for _, text := range slices.Concat(o.run.Memory, o.run.Warnings) {
			x.Warnings = append(x.Warnings, work.Name+": "+text)
		}
	}
	return x
}

// paretoObjectives are the quantities of fronts. The names are those of the JSON.
var paretoObjectives = []struct {
	name string
	of   func(*Candidate) float64
}{
	{"time", func(c *Candidate) float64 { return c.Score }},
	{"price", func(c *Candidate) float64 { return c.Price }},
	{"energy", func(c *Candidate) float64 { return c.Energy }},
}

// fronts finds the Pareto fronts of each two quantities and of all three.
func (s *solver) fronts() {
	ranking := s.result.Ranking
	for _, which := range [][]int{{0, 1}, {0, 2}, {1, 2}, {0, 1, 2}} {
		var set ParetoSet
		for _, k := range which {
			set.Of = append(set.Of, paretoObjectives[k].name)
		}
		name := strings.Join(set.Of, "-")
		points := make([][]float64, len(ranking))
		for i := range ranking {
			for _, k := range which {
				points[i] = append(points[i], paretoObjectives[k].of(&ranking[i]))
			}
		}
		for i, on := range Front(points) {
			if on {
				set.Members = append(set.Members, ranking[i].Name)
				ranking[i].Fronts = append(ranking[i].Fronts, name)
			}
		}
		s.result.Fronts = append(s.result.Fronts, set)
	}
}

// onFront reports whether a candidate is on the front of that name.
func (c *Candidate) onFront(name string) bool { return slices.Contains(c.Fronts, name) }

// figures lists the figures of all candidates.
func (s *solver) figures() {
	r := s.result
	r.Figures = []Figure{}
	for _, n := range s.Nodes {
		r.Figures = append(r.Figures, n.Figures...)
	}
	for _, n := range s.Networks {
		r.Figures = append(r.Figures, n.Figures...)
	}
	r.Figures = append(r.Figures,
		Figure{kindOnNode, quantityLatency, s.OnNode.Latency.String(), s.OnNodeFrom, isEstimate(s.OnNodeFrom)},
		Figure{kindOnNode, quantityBandwidth, s.OnNode.Bandwidth.String(), s.OnNodeFrom, isEstimate(s.OnNodeFrom)})
}
