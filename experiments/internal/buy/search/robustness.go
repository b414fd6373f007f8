package search

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
)

// trials evaluates designs with changed parameters.
type trials struct {
	*solver
	parameters []model.Parameter
	contenders []contender
}

// robust tests the recommendation: every parameter is lowered and raised by itself,
// then all of them at once by random amounts.
func (s *solver) robust(ctx context.Context) error {
	t := &trials{solver: s}
	t.pickContenders()
	compared := s.bestChoices()
	compared = each.Append(compared, t.contenders, func(c contender) model.Choice { return c.best })
	t.parameters = s.parameters(compared)
	if err := t.simulateResponses(ctx); err != nil {
		return err
	}
	var single, drawn []model.Factors
	for _, x := range t.parameters {
		single = append(single, t.ends(x)...)
	}
	joint := t.jointChanges()
	var normal [][]float64
	var sources []source
	if t.Ranges != nil {
		sources = t.sources()
		normal, drawn = t.draws(sources)
	}
	changes := slices.Concat(single, joint, drawn)
	if err := t.simulateRuns(ctx, changes); err != nil {
		return err
	}
	if !t.OnSome() {
		if err := t.simulateWhole(ctx, changes); err != nil {
			return err
		}
	}
	s.result.Robustness.Change = s.Plan.Robustness.Change
	t.countSingle(single)
	t.countJoint(joint)
	if t.Ranges != nil {
		t.judgeRanges(sources, normal, drawn)
	}
	return s.priceToWin(ctx)
}

func (s *solver) bestChoices() []model.Choice {
	return each.Append(nil, s.best, func(c model.Candidate) model.Choice { return c.Choice })
}

// parameters lists the parameters that the ranking may depend on.
func (s *solver) parameters(choices []model.Choice) []model.Parameter {
	nodes, networks := make([]bool, len(s.Nodes)), make([]bool, len(s.Networks))
	priced, wired, bids := make([]bool, len(s.Nodes)), make([]bool, len(s.Networks)), map[int]bool{} // prices that count
	processes := false
	for _, c := range choices {
		networks[c.Network] = true
		if b := s.BidOf(c.Design); b != nil {
			bids[b.Place] = true
		} else {
			wired[c.Network] = true
		}
		for t, count := range s.Parts(c) {
			nodes[t] = nodes[t] || count > 0
			priced[t] = priced[t] || count > 0 && c.Bid == 0
			processes = processes || count > 0 && s.Nodes[t].Processes > 1 && s.Nodes[t].OnNode == nil
		}
	}
	watts := s.Budget.Power > 0 || s.Budget.Life
	var list []model.Parameter
	add := func(kind string, i int, quantity string, relevant bool) {
		if relevant {
			list = append(list, model.Parameter{Kind: kind, Index: i, Quantity: quantity})
		}
	}
	for t, used := range nodes {
		add(model.KindNode, t, model.QuantityPrice, priced[t])
		add(model.KindNode, t, model.QuantitySpeed, used)
		add(model.KindNode, t, model.QuantityMemoryBandwidth, used && s.UsesMemory() && s.Nodes[t].MemoryBandwidth > 0)
		add(model.KindNode, t, model.QuantityPower, used && watts)
		inside := used && s.Nodes[t].OnNode != nil && s.Nodes[t].Processes > 1
		add(model.KindNode, t, model.QuantityInsideLatency, inside)
		add(model.KindNode, t, model.QuantityInsideBandwidth, inside)
	}
	for n, used := range networks {
		add(model.KindNetwork, n, model.QuantityPrice, wired[n])
		add(model.KindNetwork, n, model.QuantityLatency, used)
		add(model.KindNetwork, n, model.QuantityBandwidth, used)
		add(model.KindNetwork, n, model.QuantityPower, used && watts)
	}
	for _, b := range slices.Sorted(maps.Keys(bids)) {
		add(model.KindBid, b, model.QuantityPrice, true)
	}
	add(model.KindOnNode, 0, model.QuantityLatency, processes)
	add(model.KindOnNode, 0, model.QuantityBandwidth, processes)
	for w := range s.Workloads {
		add(model.KindWorkload, w, model.QuantityWeight, len(s.Workloads) > 1)
	}
	add(model.KindEnergy, 0, model.QuantityPrice, s.Budget.Life && s.Energy.Price > 0)
	return list
}

// ends returns the changes that lower a parameter to its smallest and raise it to its largest value.
func (t *trials) ends(x model.Parameter) []model.Factors {
	d := t.Robustness.Change
	return []model.Factors{{x: 1 - d}, {x: 1 + d}}
}

// random returns the random numbers of a case for a thing. They depend on the seed, the case and the thing's content,
// so that neither names nor the order in the file change what is drawn.
func (t *trials) random(of string, stream uint64) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(of)) // never fails
	return rand.New(rand.NewPCG(uint64(t.Seed)^h.Sum64(), stream))
}

// jointChanges draws each parameter uniformly between its ends.
func (t *trials) jointChanges() []model.Factors {
	changes := make([]model.Factors, t.Robustness.Samples)
	identities := each.Of(t.parameters, t.Identity)
	for i := range changes {
		changes[i] = model.Factors{}
		for k, x := range t.parameters {
			changes[i][x] = 1 + float64(t.Robustness.Change*(float64(2*t.random(identities[k], uint64(i)).Float64())-1))
		}
	}
	return changes
}

func (t *trials) countSingle(changes []model.Factors) {
	r := &t.result.Robustness
	r.Parameters = []model.Sensitivity{}
	base := t.verdict(nil, t.rivals()).lead()
	verdicts := t.verdicts(changes, t.rivals(), "robustness: one figure at a time")
	for i, x := range t.parameters {
		row := t.Sensitivity(x)
		low, high := verdicts[2*i], verdicts[2*i+1]
		row.Low, row.Base, row.High = low.lead(), base, high.lead()
		row.FirstLow, row.FirstHigh = t.name(low.first), t.name(high.first)
		count(&r.OneAtATime, low.first == 0)
		count(&r.OneAtATime, high.first == 0)
		r.Parameters = append(r.Parameters, row)
	}
	slices.SortStableFunc(r.Parameters, func(a, b model.Sensitivity) int { return cmp.Compare(b.Swing(), a.Swing()) })
}

func (t *trials) countJoint(changes []model.Factors) {
	r := &t.result.Robustness
	r.JointFirst = []model.FirstCount{}
	firsts := map[int]int{}
	for _, x := range t.verdicts(changes, t.rivals(), "robustness: all figures at once") {
		firsts[x.first]++
		count(&r.Joint, x.first == 0)
	}
	for d := noContender; d < len(t.contenders); d++ {
		if n := firsts[d]; n > 0 {
			r.JointFirst = append(r.JointFirst, model.FirstCount{Design: t.name(d), Trials: n})
		}
	}
	slices.SortStableFunc(r.JointFirst, func(a, b model.FirstCount) int { return cmp.Compare(b.Trials, a.Trials) })
}

func count(x *model.Share, first bool) {
	x.Trials++
	if first {
		x.First++
	}
}

// rivals groups the contenders for the lead: the recommended one, and all others.
func (t *trials) rivals() [][]int {
	groups := make([][]int, 2)
	for d := range t.contenders {
		groups[min(d, 1)] = append(groups[min(d, 1)], d)
	}
	return groups
}

// A verdict is how contenders compare with changed parameters. With a scoring, machines are ranked by the reciprocals of
// their points.
type verdict struct {
	first int       // contender that would be recommended, or noContender
	goals []float64 // by group, the least value that machines are ranked by; +Inf where all are beyond the limits
	own   float64   // the same for the machine that would be recommended among the first group
}

// lead returns by what fraction the best machine of the second group is slower than the one of the first that would be
// recommended, nil where one of them is beyond the limits.
func (v verdict) lead() *float64 {
	if math.IsInf(v.own, 1) || math.IsInf(v.goals[1], 1) || v.own == 0 {
		return nil
	}
	return new(v.goals[1]/v.own - 1)
}

func (t *trials) verdict(f model.Factors, groups [][]int) verdict {
	q := t.With(f)
	points, tolerance := t.points(q, f), t.GoalTolerance()
	if t.Scoring != nil {
		tolerance = 0
	}
	v := verdict{noContender, make([]float64, len(groups)), math.Inf(1)}
	searches := make([]search, len(t.contenders))
	// best returns the contender with the machine sought, of equal ones the first.
	best := func(group []int, a aim) (which int, found find) {
		which = noContender
		for _, d := range group {
			if searches[d] == nil {
				searches[d] = t.search(q, d, f, points)
			}
			x, _, ok := searches[d](a, mostTriedAgain)
			if ok && (which == noContender || a.prefers(x.worth, found.worth)) {
				which, found = d, x
			}
		}
		return which, found
	}
	least := math.Inf(1)
	for g, group := range groups {
		v.goals[g] = math.Inf(1)
		if d, x := best(group, aim{most: math.Inf(1)}); d != noContender {
			v.goals[g] = x.goal
		}
		least = min(least, v.goals[g])
	}
	asGood := func(goal float64) aim { return aim{cheapest: true, most: goal * (1 + tolerance)} }
	if d, x := best(groups[0], asGood(v.goals[0])); d != noContender {
		v.own = x.goal
	}
	all := slices.Concat(groups...)
	slices.Sort(all)
	v.first, _ = best(all, asGood(least))
	return v
}

// verdicts judges each of the changes; what names them in progress reports.
func (t *trials) verdicts(changes []model.Factors, groups [][]int, what string) []verdict {
	all := make([]verdict, len(changes))
	// No error is possible: no trial returns one.
	_ = pool.Each(len(changes), t.Jobs, func(i int) error {
		all[i] = t.verdict(changes[i], groups)
		return nil
	}, func(done, _ int) {
		if t.Progress != nil {
			t.Progress(input.Step{Done: done, Total: len(changes), What: what})
		}
	})
	return all
}

// priceToWin finds how far the prices of the runner-up's design must fall: until one of its machines that are as good
// as the best costs less than the recommended machine or, if there is no such machine, until the budget buys the
// smallest number of its nodes that is as fast.
func (s *solver) priceToWin(ctx context.Context) error {
	if len(s.best) < 2 || s.Scoring != nil { // with a scoring, the points have break-evens
		return nil
	}
	r := &model.PriceToWin{}
	s.result.Robustness.PriceToWin = r
	runner := s.best[1].Choice
	least, most := 1.0, s.result.Ranking[0].Objective*(1+s.GoalTolerance())
	for _, c := range s.result.Ranking {
		if c.Design == s.best[1].Design && (c.Objective <= most || s.Objective.ByPrice()) {
			if fall := s.fall(c.Choice, c.Load, s.best[0].Cost); fall < least {
				least, *r = fall, model.PriceToWin{Name: c.Name, Price: c.Price, Fall: fall}
			} else if r.Name == "" {
				r.Reason = "its costs other than the price exceed those of the recommended machine"
			}
		}
	}
	if *r != (model.PriceToWin{}) {
		return nil
	}
	if runner.Bid > 0 {
		r.Reason = "its numbers of nodes are those of a bid: a lower price buys no more of them"
		return nil
	}
	if len(runner.Types) != 1 {
		r.Reason = "it is computed only for designs that buy one node type"
		return nil
	}
	free := *s.Plan // without the limit of money
	free.Budget.Money.Amount = 0
	design := runner.Design
	below, counts := s.unaffordable(&free, runner)
	low, high, err := s.smallestAsFast(ctx, design, below, counts)
	if err != nil {
		return err
	}
	if high == 0 {
		r.Reason = s.noneAsFast(&free, design, low)
		return nil
	}
	c := s.machine(design.Of(high))
	fall := s.fall(c.Choice, c.load, s.Budget.Money.Amount)
	if fall >= 1 {
		r.Reason = "the energy of the number of nodes that is as fast costs more than the budget"
		return nil
	}
	r.Name, r.Price, r.Fall = s.Name(c.Choice), c.bill.Total(), fall
	return nil
}

// fall returns the fraction by which the prices of what a machine buys, its nodes and network or its bid, must fall for
// the machine to cost that much; its cost is linear in them. +Inf if it buys nothing.
func (s *solver) fall(c model.Choice, l *model.Load, cost float64) float64 {
	const price = model.QuantityPrice
	half := model.Factors{{Kind: model.KindNetwork, Index: c.Network, Quantity: price}: 0.5}
	for _, t := range c.Types {
		half[model.Parameter{Kind: model.KindNode, Index: t, Quantity: price}] = 0.5
	}
	if b := s.BidOf(c.Design); b != nil {
		half = model.Factors{{Kind: model.KindBid, Index: b.Place, Quantity: price}: 0.5}
	}
	costs := func(p *model.Plan) float64 {
		bill, _ := p.Price(c)
		return p.Cost(c, bill, l)
	}
	now := costs(s.Plan)
	less := now - costs(s.With(half))
	if less <= 0 {
		return math.Inf(1)
	}
	return (now - cost) / 2 / less
}

// unaffordable returns numbers of nodes of a design that exceed what the budget buys, and the runner-up's number, with
// which the design is not as fast as the recommended machine.
func (s *solver) unaffordable(free *model.Plan, runner model.Choice) (below int, counts []int) {
	d := runner.Design
	below = runner.Counts[0]
	if !s.Counts.Affordable {
		for _, n := range s.Counts.List {
			if n > below && free.Limit(d.Of(n)) == "" {
				counts = append(counts, n)
			}
		}
		return below, counts
	}
	most := most(free, d)
	for _, f := range []float64{1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4} {
		if n := min(most, int(math.Ceil(f*float64(below)))); n > below && !slices.Contains(counts, n) {
			counts = append(counts, n)
		}
	}
	return below, counts
}

// smallestAsFast returns high, the smallest number of nodes that is as fast as the recommended machine, or 0, and low,
// the largest number known to be slower, at least below. Numbers between the counts are tried only where any number may
// be bought.
func (s *solver) smallestAsFast(ctx context.Context, d model.Design, below int, counts []int) (_, high int, err error) {
	low := below
	try := func(n int) error {
		if err := s.needChoices(ctx, s.Plan, []model.Choice{d.Of(n)}, "robustness: runner-up"); err != nil {
			return err
		}
		if s.machine(d.Of(n)).score <= s.best[0].Score {
			high = n
		} else {
			low = n
		}
		return nil
	}
	for i := 0; err == nil && high == 0 && i < len(counts); i++ {
		err = try(counts[i])
	}
	for err == nil && s.Counts.Affordable && high-low > 1 {
		err = try(low + (high-low)/2)
	}
	return low, high, err
}

// noneAsFast says up to which number of nodes, low, the search found nothing, and whether a limit ended it.
func (s *solver) noneAsFast(free *model.Plan, d model.Design, low int) string {
	next, further := low+1, true
	if !s.Counts.Affordable {
		i := slices.Index(s.Counts.List, low) + 1
		if further = i < len(s.Counts.List); further {
			next = s.Counts.List[i]
		}
	}
	if limit := free.Limit(d.Of(next)); further && limit != "" {
		return fmt.Sprintf("no number of its nodes up to %d is as fast, and %d are not allowed (%s)", low, next, limit)
	}
	return fmt.Sprintf("no number of its nodes up to %d is as fast, and larger numbers were not tried", low)
}
