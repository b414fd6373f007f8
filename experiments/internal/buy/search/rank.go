package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// rank simulates the choices within the limits, orders them, and picks the recommended one.
func (s *solver) rank(ctx context.Context) error {
	choices, err := s.simulated(ctx)
	if err != nil {
		return err
	}
	var fit []*machine
	exclude := func(m *machine, cause, why string, over float64) {
		s.exclude(s.Name(m.Choice), m.Design, 1, cause, miss{why, over})
	}
	for _, c := range choices {
		m := s.machine(c)
		if cause, why := s.outOfQuestion(m); why != "" {
			exclude(m, cause, why, s.exceeds(m, cause))
			continue
		}
		fit = append(fit, m)
	}
	waits, err := s.waits(ctx, fit)
	if err != nil {
		return err
	}
	for i, m := range fit {
		x := s.candidate(m)
		x.Wait = waits[i]
		if why := s.CheapestCarries(x.Load, x.Wait); why != "" {
			exclude(m, model.CauseObjective, why, s.fallsShort(&x))
			s.short = append(s.short, x)
			continue
		}
		s.result.Ranking = append(s.result.Ranking, x)
	}
	if len(s.result.Ranking) == 0 {
		what := "can run every workload"
		if s.Objective.ByPrice() {
			what = "carries the mix"
		}
		return fmt.Errorf("no candidate %s: %s", s.fails(what), s.excludedBy())
	}
	s.order()
	if s.Scoring != nil {
		most, compared, err := s.byPoints(ctx)
		if err != nil {
			return err
		}
		for _, c := range most {
			if !slices.ContainsFunc(s.result.Ranking, func(x model.Candidate) bool { return x.Name == c.Name }) {
				s.result.Ranking = append(s.result.Ranking, c)
			}
		}
		s.order()
		s.award(most, compared)
	} else {
		s.recommend()
	}
	ranking := s.result.Ranking
	if err := s.sharpen(ctx); err != nil {
		return err
	}
	if most := ranking[0].Objective; most > 0 {
		s.result.Gap = max(0, 1-model.Rounded(s.least/most))
	}
	for i := range ranking {
		c := &ranking[i]
		if !slices.ContainsFunc(s.best, func(b model.Candidate) bool { return b.Name == c.Name }) {
			c.CashFlow = nil
		}
	}
	s.result.Unable = s.unable(choices)
	s.fronts()
	s.acceptance()
	return nil
}

// unable says which workload cannot run on the dearest machine of the recommended design that costs more, which
// explains why money is left; "" if all can run.
func (s *solver) unable(choices []model.Choice) (says string) {
	c := s.result.Recommendation()
	price := c.Price
	for _, choice := range choices {
		m := s.machine(choice)
		w := slices.IndexFunc(m.works, model.Work.Fails)
		if total := m.bill.Total(); w >= 0 && total > price && m.Design.Equal(c.Choice.Design) {
			price, says = total, s.Name(m.Choice)+" cannot run "+s.Workloads[w].Name
		}
	}
	return says
}

// order sorts the ranking, and finds the best machine of each design.
func (s *solver) order() {
	ranking, today := s.result.Ranking, s.result.Today
	slices.SortStableFunc(ranking, func(a, b model.Candidate) int {
		return cmp.Or(cmp.Compare(a.Objective, b.Objective), cmp.Compare(a.Cost, b.Cost),
			cmp.Compare(a.Score, b.Score), cmp.Compare(a.Name, b.Name))
	})
	s.best = nil
	for i := range ranking {
		c := &ranking[i]
		c.Rank, c.Relative = i+1, model.Relative(c.Objective, ranking[0].Objective)
		if !slices.ContainsFunc(s.best, ofDesign(c.Design)) {
			s.best = append(s.best, *c)
		}
		if other := s.comparedWith(); other != nil {
			c.SSI = s.improvement(c.Choice, *other)
		}
	}
	if today != nil {
		today.Relative = model.Relative(today.Objective, ranking[0].Objective)
	}
	s.markRanked()
}

// ranking says for progress reports what simulations are for, with the best machine so far.
func (s *solver) ranking() string {
	if s.leader == "" {
		return "ranking"
	}
	return "ranking, the best so far is " + s.leader
}

// simulated simulates the choices to rank, and the existing machine.
func (s *solver) simulated(ctx context.Context) ([]model.Choice, error) {
	if err := s.impossible(); err != nil {
		return nil, err
	}
	var choices []model.Choice
	for _, d := range s.promising() {
		if why := s.UnmetFrom(s.Smallest(d, 1)); why != "" {
			s.exclude(s.wholeName(d), d, 1, model.CauseRequired, unmeasured(why))
			continue
		}
		if why := s.outclassed(s.leastOf(d)); why != "" {
			s.exclude(s.wholeName(d), d, 1, model.CauseScreened, unmeasured(why))
			continue
		}
		within, beyond, screened := s.picks(ctx, d)
		if screened != "" {
			s.exclude(s.wholeName(d), d, 1, model.CauseScreened, unmeasured(screened))
		} else if beyond > 0 || len(within) == 0 {
			s.exclude(s.wholeName(d), d, max(1, beyond), model.CauseBudget, unmeasured(s.beyond(d, len(within), beyond)))
		}
		choices = append(choices, within...)
		if len(choices) > model.MaxChoices {
			return nil, fail(s.BudgetNode, fmt.Sprintf("more than %d configurations", model.MaxChoices),
				"fewer numbers of nodes in counts, or counts: affordable")
		}
	}
	if !slices.ContainsFunc(choices, func(c model.Choice) bool { return !s.BuysNothing(c) }) {
		c, price, limit := cheapest(s.Plan)
		if limit == "" && math.IsInf(price, 1) {
			return nil, fmt.Errorf("no candidate %s: %s", s.fails("is within the limits"), s.excludedBy())
		}
		if limit != "" {
			return nil, fail(s.BudgetNode, "no network can connect the candidates: "+limit,
				"fewer nodes, switches with more ports or topology: fat-tree")
		}
		return nil, s.tooDear(c, price, "; "+s.Limit(c))
	}
	var today model.Choice
	if s.Existing != nil {
		today = s.Before()
		if err := s.needChoices(ctx, s.Plan, []model.Choice{today}, "existing machine"); err != nil {
			return nil, err
		}
	}
	if s.failed != nil {
		return nil, s.failed
	}
	if err := s.needChoices(ctx, s.Plan, choices, s.ranking()); err != nil {
		return nil, err
	}
	if err := s.reference(ctx); err != nil {
		return nil, err
	}
	if s.Existing != nil {
		if m := s.machine(today); math.IsInf(m.score, 1) {
			_, s.result.TodayUnfit = s.outOfQuestion(m)
		} else {
			s.result.Today = new(s.candidate(m))
		}
	}
	return choices, nil
}

// wholeName is the name of a design, or of the machine if the design is a bid.
func (s *solver) wholeName(d model.Design) string {
	if d.Bid > 0 {
		return s.Name(s.Smallest(d, 1))
	}
	return s.DesignName(d)
}

// fail returns an error at a place of the plan.
func fail(at *yamldoc.Node, msg, want string) error {
	if at == nil {
		return errors.New(msg + "; expected " + want)
	}
	var d yamldoc.Decoder
	d.Fail(at, msg, want)
	return d.Err()
}

// tooDear returns the error that even the cheapest machine exceeds the money, or only other limits.
func (s *solver) tooDear(cheapest model.Choice, price float64, why string) error {
	at, want := s.BudgetNode, "wider limits other than the money"
	if bill, _ := s.Price(cheapest); s.Cost(cheapest, bill, nil) > s.Budget.Money.Amount {
		at, want = s.MoneyNode, "a larger one"
	}
	return fail(at, "no candidate is within the budget",
		fmt.Sprintf("%s: the cheapest candidate is %s for %s%s", want, s.Name(cheapest), s.Money(price), why))
}

// beyond says why choices of a design were excluded.
func (s *solver) beyond(d model.Design, within, beyond int) string {
	least := 1
	if !s.Counts.Affordable {
		least = s.Counts.List[len(s.Counts.List)-1]
		if within == 0 {
			least = s.Counts.List[0]
		}
	}
	c := s.Smallest(d, least)
	if within == 0 && listedElsewhere(s.Plan, c) && s.Limit(c) == "" {
		return s.single(c)
	}
	if unmet := s.Unmet(c, c); within == 0 && s.Limit(c) == "" && unmet != "" {
		return "no number of nodes within the budget meets the requirements: " + s.Name(c) + ": " + unmet
	}
	why := cmp.Or(s.Limit(c), "exceeds the budget")
	if d.Bid > 0 {
		return why
	}
	if within == 0 {
		return "no number of nodes is within the budget: " + s.Name(c) + ": " + why
	}
	return fmt.Sprintf("%d of %d numbers of nodes exceed the budget: %s: %s", beyond, within+beyond, s.Name(c), why)
}

// single says why a design's only choice is a single node that is listed with another network: what excludes more
// nodes.
func (s *solver) single(c model.Choice) string {
	text := s.Name(c) + " takes no network and is listed with " + s.Networks[s.NetworkOfOne(c.Design)].Name
	if len(c.Types) == 0 {
		return text
	}
	c.Counts = []int{2}
	if list := s.Counts.List; len(list) > 1 {
		c.Counts[0] = list[1]
	}
	return text + "; " + s.Name(c) + ": " + cmp.Or(s.Limit(c), "not in counts")
}

// outOfQuestion says why a machine cannot be recommended, or "", and the cause: a workload that it cannot run, a
// requirement that it misses, or the budget, which does not cover the energy of its work.
func (s *solver) outOfQuestion(m *machine) (cause, why string) {
	for w, x := range m.works {
		if x.Problem != "" {
			return s.Workloads[w].Name, s.Workloads[w].Name + ": " + x.Problem
		}
	}
	if why := s.Unmet(m.Choice, m.Choice); why != "" {
		return model.CauseRequired, why
	}
	return model.CauseBudget, s.LimitWith(m.Choice, m.load)
}

// exceeds returns the factor by which a machine exceeds the limit of the budget or the deadline that excludes it.
func (s *solver) exceeds(m *machine, cause string) float64 {
	if cause == model.CauseBudget {
		return s.Excesses(m.Choice, m.load)[0].Over
	}
	for w, x := range m.works {
		if x.Over > 0 && s.Workloads[w].Name == cause {
			return x.Over
		}
	}
	return math.Inf(1)
}

// fallsShort says how far a machine misses the objective's conditions: the factor by which its work exceeds the hours
// available, or else a number below 1 that grows with the mean wait.
func (s *solver) fallsShort(x *model.Candidate) float64 {
	if use := s.Use(x.Load.Seconds); use > 1 || x.Wait.Mean == nil {
		return max(1, use)
	}
	return 1 - float64(s.Objective.MeanWait) / *x.Wait.Mean
}

// improvement returns the scalable system improvement of a machine over another: the weighted arithmetic mean over the
// workloads of how much more of each it gets done if it runs nothing else,
//
//	SSI = sum_w g_w (t_w of the other)/t_w / sum_w g_w
//
// with the shares g_w; with runs in a year all workloads count alike. It is nil where it is not known. Source:
// [Crossroads].
func (s *solver) improvement(c, other model.Choice) *float64 {
	sum, weights := 0.0, 0.0
	mine, theirs := s.machine(c).works, s.machine(other).works
	for w, x := range s.Workloads {
		weight := x.Weight
		if s.ByRuns {
			weight = 1
		}
		ratio := s.Alone(other, theirs[w]) / s.Alone(c, mine[w])
		if math.IsInf(ratio, 0) || math.IsNaN(ratio) {
			return nil
		}
		sum += float64(weight * ratio)
		weights += weight
	}
	return new(sum / weights)
}

// decides reports whether a mean wait is known well enough to tell if the machine meets the objective.
func (s *solver) decides(w queue.MeanWait) bool {
	most := s.Objective.MeanWait // 0: any
	return most <= w.Low || most >= w.High || w.Sharp()
}

// waits simulates the queues of some choices. It is nil where no workload has runs in a
// year. REQUIRES: the choices can run every workload.
func (s *solver) waits(ctx context.Context, machines []*machine) ([]*model.WaitResult, error) {
	all := make([]*model.WaitResult, len(machines))
	if !s.ByRuns || !s.SideBySide() && s.Objective.MeanWait == 0 {
		return all, nil
	}
	err := pool.Each(len(machines), s.Jobs, func(i int) (err error) {
		all[i], err = s.Wait(ctx, machines[i].Choice, machines[i].load, s.decides)
		return err
	}, nil)
	return all, err
}

// sharpen simulates the queues of the best machine of each design until their mean waits can be compared. A new mean is
// taken only if the machine still meets the objective.
func (s *solver) sharpen(ctx context.Context) error {
	if s.Rough {
		return nil
	}
	return pool.Each(len(s.best), s.Jobs, func(i int) error {
		c := &s.best[i]
		if c.Wait == nil || c.Wait.Mean == nil {
			return nil
		}
		w, err := s.Wait(ctx, c.Choice, c.Load, queue.MeanWait.Sharp)
		if err == nil && s.CheapestCarries(c.Load, w) == "" {
			*c.Wait = *w
		}
		return err
	}, nil)
}

// recommend picks the recommended machine and puts its design first: among the machines within the tolerance of the
// best, the one that costs the budget least, because smaller differences of simulated times are not worth money.
// REQUIRES: the ranking is sorted.
func (s *solver) recommend() {
	r := s.result
	chosen, most := r.Ranking[0], r.Ranking[0].Objective*(1+s.GoalTolerance())
	for _, c := range r.Ranking {
		if c.Objective <= most && c.Cost < chosen.Cost {
			chosen = c
		}
	}
	r.Recommended = chosen.Name
	i := slices.IndexFunc(s.best, ofDesign(chosen.Design))
	s.best = slices.Insert(slices.Delete(s.best, i, i+1), 0, chosen)
	if len(s.best) > 1 {
		r.RunnerUp = s.best[1].Name
		if chosen.Objective > 0 {
			r.Lead = new(s.best[1].Objective/chosen.Objective - 1)
		}
	}
}

// candidate describes a machine that can run every workload.
func (s *solver) candidate(m *machine) model.Candidate {
	p, c := s.Plan, m.Choice
	power := p.Power(c)
	w, _ := p.Wiring(c)
	x := model.Candidate{
		Name: p.Name(c), Design: p.DesignName(c.Design), Network: p.Networks[c.Network].Name, Wiring: w.String(),
		Price: m.bill.Total(), Bill: m.bill, Score: m.score, Load: m.load, Power: float64(power), RackUnits: p.RackUnits(c), Fronts: []string{}, Choice: c,
	}
	for t, count := range p.Parts(c) {
		if count == 0 {
			continue
		}
		n := model.NodeCount{Type: p.Nodes[t].Name, Count: count}
		if p.Existing != nil && !c.Retired && p.Existing.Node == t {
			n.Existing = p.Existing.Count
		}
		x.Nodes = append(x.Nodes, n)
		x.Processes += count * p.Nodes[t].Processes
	}
	x.MarkedSpeed = p.Speed(c)
	x.Energy = p.Energy.RunEnergy(power, units.Seconds(x.Score))
	if p.ByRuns && x.Load != nil {
		x.Use, x.Throughput = new(p.Use(x.Load.Seconds)), new(1/p.Use(x.Load.Seconds))
		x.Done = &x.Load.Done
		if *x.Use > 1 {
			x.Warnings = append(x.Warnings, x.Name+": "+p.TooMuch(*x.Use))
		}
	}
	for w := range p.Workloads {
		name := p.Workloads[w].Name + ": "
		y, warnings := s.workloadOn(m, w)
		x.Workloads = append(x.Workloads, y)
		for _, text := range warnings {
			if !slices.Contains(x.Warnings, name+text) {
				x.Warnings = append(x.Warnings, name+text)
			}
		}
	}
	x.Account(p)
	return x
}

// workloadOn describes a workload on a choice that can run it, and returns the warnings of its simulations.
func (s *solver) workloadOn(m *machine, w int) (y model.WorkloadResult, warnings []string) {
	p, c := s.Plan, m.Choice
	y.Name, y.PerYear = p.Workloads[w].Name, p.Workloads[w].Weight
	if y.Impossible = m.works[w].Impossible; y.Impossible != "" {
		y.CountsAs, y.Ways = float64(p.Workloads[w].Impossible), []model.WayResult{}
		return y, []string{fmt.Sprintf("it cannot run (%s), and each run counts as %s of the whole machine, as the plan says",
			y.Impossible, queue.Span(p.Workloads[w].Impossible))}
	}
	used := p.UsedWays(w, m.works[w], m.load)
	most := model.MostRuns(used)
	all := 0.0
	for _, r := range used {
		all += r.Runs
	}
	s.explore(p, c, w, func(run simulation, o model.Outcome) {
		if o.Problem() != "" {
			return
		}
		t := float64(o.Run.Time)
		way := model.WayResult{
			Nodes: each.Total(run.parts()), Time: t, Work: float64(o.Run.Work), Efficiency: o.Run.Efficiency,
			Compute: float64(o.Run.Compute) / t, Energy: p.RunEnergy(c, run.parts(), o), Source: o.Source,
		}
		if !run.on.Whole() {
			way.Node = p.Nodes[run.on.Node].Name
		}
		for _, r := range used {
			if r.Way != run.on {
				continue
			}
			way.Share = r.Runs / all
			y.Time += float64(way.Share * t)
			y.NodeTime += float64(way.Share * t * float64(way.Nodes))
			y.Energy += float64(way.Share * way.Energy)
			warnings = append(warnings, o.Run.Warnings...)
			if r.Way == most {
				y.N, y.Work, y.Efficiency, y.Compute, y.MemoryBound = o.Run.N, way.Work, way.Efficiency, way.Compute,
					o.Run.MemoryBound
				y.Nodes = way.Nodes
			}
		}
		y.Ways = append(y.Ways, way)
	})
	return y, warnings
}
