package purchase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// rank simulates every choice within the limits.
func (s *solver) rank(ctx context.Context) error {
	var choices []Choice
	for _, d := range s.designs() {
		within, beyond := s.choices(d)
		if beyond > 0 || len(within) == 0 {
			s.exclude(s.designName(d), d, max(1, beyond), causeBudget, s.beyond(d, len(within), beyond))
		}
		choices = append(choices, within...)
		if len(choices) > maxChoices {
			return s.fail(fmt.Sprintf("more than %d configurations", maxChoices), "fewer numbers of nodes in counts, or counts: affordable")
		}
	}
	if !slices.ContainsFunc(choices, func(c Choice) bool { return !s.buysNothing(c) }) {
		c, price, limit := s.cheapest()
		if limit != "" {
			return s.fail("no network can connect the candidates: "+limit, "fewer nodes, switches with more ports or topology: fat-tree")
		}
		return s.fail("no candidate is within the budget", fmt.Sprintf("a larger one: the cheapest candidate is %s for %s; %s", s.Name(c), s.money(price), s.limit(c)))
	}
	today := Choice{}
	if e := s.Existing; e != nil {
		today.Network = e.Network
		if err := s.needChoices(ctx, s.Plan, []Choice{today}, "existing machine"); err != nil {
			return err
		}
	}
	choices, err := s.simulateChoices(ctx, choices)
	if err != nil {
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
		if err := s.needChoices(ctx, s.Plan, refined, "ranking"); err != nil {
			return err
		}
		choices = append(choices, refined...)
	}
	var unfit []string
	var fit []Choice
	exclude := func(c Choice, cause, why string) {
		unfit = append(unfit, s.Name(c)+": "+why)
		s.exclude(s.Name(c), c.design(), 1, cause, why)
	}
	for _, c := range choices {
		if why := s.outOfQuestion(c); why != "" {
			exclude(c, s.causeOf(c), why)
			continue
		}
		fit = append(fit, c)
	}
	waits, err := s.waits(ctx, fit)
	if err != nil {
		return err
	}
	for i, c := range fit {
		x := s.candidate(c)
		x.Wait = waits[i]
		if why := s.cheapestCarries(x.load, x.Wait); why != "" {
			exclude(c, causeObjective, why)
			continue
		}
		s.result.Ranking = append(s.result.Ranking, x)
	}
	ranking := s.result.Ranking
	if len(ranking) == 0 {
		what := "can run every workload"
		if s.Objective.byPrice() {
			what = "carries the mix"
		}
		return fmt.Errorf("no candidate %s: %s", what, unfit[0])
	}
	slices.SortStableFunc(ranking, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Objective, b.Objective), cmp.Compare(a.Price, b.Price), cmp.Compare(a.Score, b.Score), cmp.Compare(a.Name, b.Name))
	})
	for i := range ranking {
		c := &ranking[i]
		c.Rank, c.Relative = i+1, relative(c.Objective, ranking[0].Objective)
		if !slices.ContainsFunc(s.best, func(b Candidate) bool { return b.choice.design().equal(c.choice.design()) }) {
			s.best = append(s.best, *c)
		}
	}
	s.markRanked()
	s.recommend()
	for i := range ranking {
		c := &ranking[i]
		if c.Name != s.result.Recommended && !slices.ContainsFunc(s.best, func(b Candidate) bool { return b.Name == c.Name }) {
			c.CashFlow = nil
		}
	}
	if t := s.result.Today; t != nil {
		for i := range ranking {
			ranking[i].SSI = s.improvement(ranking[i].choice, t.choice)
		}
		t.Relative = relative(t.Objective, ranking[0].Objective)
	}
	return nil
}

// nearly is by how much a design may be slower than the fastest for its numbers of nodes to
// be refined.
const nearly = 1.25

// refine returns the choices around the best of each design that is nearly the
// fastest, with the numbers of nodes that affordableCounts leaves out. REQUIRES: the choices were simulated.
func (s *solver) refine(choices []Choice) []Choice {
	var best []Choice
	score := func(c Choice) float64 {
		x, _ := s.scoreOf(s.Plan, c)
		return x
	}
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

// beyond says why choices of a design were excluded.
func (s *solver) beyond(d design, within, beyond int) string {
	c := Choice{Types: d.types, Network: d.network, Retired: d.retired}
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
	if within == 0 && s.listedElsewhere(c) && s.limit(c) == "" {
		return s.single(c)
	}
	why := cmp.Or(s.limit(c), "exceeds the budget")
	if within == 0 {
		return "no number of nodes is within the budget: " + s.Name(c) + ": " + why
	}
	return fmt.Sprintf("%d of %d numbers of nodes exceed the budget: %s: %s", beyond, within+beyond, s.Name(c), why)
}

// single says why a design has no choice but a single node, which is listed with another
// network: why there are not more nodes.
func (s *solver) single(c Choice) string {
	text := s.Name(c) + " takes no network and is listed with " + s.Networks[s.networkOfOne()].Name
	if len(c.Types) == 0 {
		return text
	}
	c.Counts = []int{2}
	if list := s.Counts.List; len(list) > 1 {
		c.Counts[0] = list[1]
	}
	return text + "; " + s.Name(c) + ": " + cmp.Or(s.limit(c), "not in counts")
}

// outOfQuestion says why a simulated choice cannot be recommended, or "": it cannot run
// every workload, or the energy of its work is beyond the budget.
func (s *solver) outOfQuestion(c Choice) string {
	if why := s.unfit(c); why != "" {
		return why
	}
	_, l := s.scoreOf(s.Plan, c)
	return s.limitAt(c, l)
}

// unfit says why a choice cannot run every workload, or "".
func (s *solver) unfit(c Choice) string {
	for w, x := range s.usable(s.Plan, c) {
		if x.problem != "" {
			return s.Workloads[w].Name + ": " + x.problem
		}
	}
	return ""
}
