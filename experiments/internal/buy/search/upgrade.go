package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// The directions of upgrades.
const (
	moreNodes       = "more nodes"
	otherNodes      = "faster nodes"
	betterNetwork   = "better network"
	moreCores       = "more cores per node"
	fasterCores     = "faster cores"
	memoryBandwidth = "more memory bandwidth"
	lowerLatency    = "lower latency"
	moreBandwidth   = "more network bandwidth"
)

// A step is an upgrade that has not been simulated yet.
type step struct {
	model.Upgrade
	variant // the figures and the machine after the upgrade
	// For the edge: the relative growth of the resource, and the price of the whole resource. 0: not a small update of
	// one resource.
	change, whole float64
}

func (s *solver) newStep(p *model.Plan, to model.Choice, direction, change string, cost float64) step {
	return step{variant: variant{p, to, false}, Upgrade: model.Upgrade{Direction: direction, Change: change, Cost: cost}}
}

func (s *solver) upgrades(ctx context.Context) error {
	from := []model.Candidate{*s.result.Recommendation()}
	if t := s.result.Today; t != nil && t.Name != from[0].Name {
		from = append(from, *t)
	}
	for _, c := range from {
		if err := s.upgradesFrom(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func (s *solver) upgradesFrom(ctx context.Context, c model.Candidate) error {
	steps := s.bidSteps(c.Choice)
	if c.Choice.Bid == 0 {
		steps = slices.Concat(s.nodeSteps(c.Choice), s.networkSteps(c.Choice), s.hypotheticalSteps(c.Choice))
	}
	list := each.Append(nil, steps, func(x step) variant { return x.variant })
	if err := s.needWays(ctx, list, "upgrades"); err != nil {
		return err
	}
	before := c.Score
	var known []model.Upgrade
	var slopes []float64
	var prices []units.Money
	var names []string
	best := 0.0 // among those for sale
	for _, x := range steps {
		u := x.Upgrade
		after, l := s.scoreOf(x.plan, x.choice)
		u.From, u.ScoreBefore, u.ScoreAfter = c.Name, before, after
		if math.IsInf(after, 1) {
			continue
		}
		u.Gain = math.Log2(before / after)
		e, err := scalability.UpdateEfficiency(u.Gain, s.money(u.Cost))
		if err != nil {
			continue // it costs nothing, so it is another choice, not an upgrade
		}
		u.Efficiency = e
		if !u.Hypothetical {
			u.Beyond = cmp.Or(s.LimitWith(x.choice, l), s.Unmet(x.choice, x.choice), s.uncounted(x.choice), s.Undone(l))
			if u.Gain <= 0 && !u.Addition {
				continue // no upgrade
			}
			best = max(best, e)
		}
		known = append(known, u)
		if x.change > 0 && x.whole > 0 {
			slopes, prices = append(slopes, u.Gain/x.change), append(prices, s.money(x.whole))
			names = append(names, u.Direction)
		}
	}
	for i := range known {
		if u := &known[i]; u.Hypothetical && best > 0 && u.Gain > 0 {
			u.BreakEven = new(u.Gain / best)
		}
	}
	slices.SortStableFunc(known, func(a, b model.Upgrade) int {
		return cmp.Or(cmp.Compare(b.Efficiency, a.Efficiency), cmp.Compare(a.Change, b.Change))
	})
	s.result.Upgrades = append(s.result.Upgrades, known...)
	if len(slopes) == 0 {
		return nil
	}
	edge, err := scalability.EdgeScalability(slopes, prices)
	if err != nil {
		return err
	}
	x := model.EdgeResult{From: c.Name, Efficiency: edge.Efficiency, Directions: []string{}}
	x.Directions = each.Append(x.Directions, edge.Dimensions, func(d int) string { return names[d] })
	s.result.Edges = append(s.result.Edges, x)
	return nil
}

// uncounted says which number of nodes of a choice is not among those that the plan lists, or "".
func (s *solver) uncounted(c model.Choice) string {
	for _, n := range c.Counts {
		if !s.Counts.Affordable && c.Bid == 0 && !slices.Contains(s.Counts.List, n) {
			return fmt.Sprintf("counts has no %d", n)
		}
	}
	return ""
}

func (s *solver) money(amount float64) units.Money {
	return units.Money{Amount: amount, Currency: s.result.Currency}
}

// bidSteps returns the same bid with dearer options. What the bid's parts cost is not known.
func (s *solver) bidSteps(c model.Choice) (steps []step) {
	own := s.BidOf(c.Design)
	for _, x := range s.BidChoices(c.Retired) {
		if bid := s.BidOf(x.Design); own != nil && bid.Place == own.Place {
			steps = append(steps, s.swap(c, x, "options", bid.Name+" instead")...)
		}
	}
	return steps
}

// nodeSteps returns steps to a tenth more nodes of each type of a machine or, where one exists and nothing has been
// bought yet, of each candidate; and to as many nodes of other types.
func (s *solver) nodeSteps(c model.Choice) []step {
	var steps []step
	parts := s.Parts(c)
	all := each.Total(parts)
	for t, n := range s.Nodes {
		if !n.ForSale || parts[t] == 0 && (s.Existing == nil || len(c.Types) > 0) {
			continue
		}
		k := tenth(parts[t])
		if parts[t] == 0 {
			k = tenth(all)
		}
		for _, x := range s.swap(c, plus(c, t, k), moreNodes, fmt.Sprintf("%d more %s", k, n.Name)) {
			x.Addition = true
			if parts[t] == all {
				x.change = float64(k) / float64(parts[t])
				x.whole = x.Cost / x.change
			}
			steps = append(steps, x)
		}
	}
	for t, n := range s.Nodes {
		if n.ForSale && len(c.Types) == 1 && t != c.Types[0] {
			swapped := model.Design{Types: []int{t}, Network: c.Network, Retired: c.Retired}.Of(c.Counts...)
			steps = append(steps, s.swap(c, swapped, otherNodes, n.Name+" nodes instead")...)
		}
	}
	return steps
}

func plus(c model.Choice, t, k int) model.Choice {
	c.Types, c.Counts = slices.Clone(c.Types), slices.Clone(c.Counts)
	i, found := slices.BinarySearch(c.Types, t)
	if !found {
		c.Types, c.Counts = slices.Insert(c.Types, i, t), slices.Insert(c.Counts, i, 0)
	}
	c.Counts[i] += k
	return c
}

// swap returns the step to another choice at the difference in price, if there is one.
func (s *solver) swap(from, to model.Choice, direction, change string) []step {
	before, ok := s.Price(from)
	after, fits := s.Price(to)
	if !ok || !fits || to.Bid == 0 && !s.Sold(to.Design) || after.Total() <= before.Total() {
		return nil
	}
	return []step{s.newStep(s.Plan, to, direction, change, after.Total()-before.Total())}
}

func (s *solver) networkSteps(c model.Choice) []step {
	var steps []step
	for n := range s.Networks {
		if n != c.Network {
			to := c
			to.Network = n
			steps = append(steps, s.swap(c, to, betterNetwork, s.Networks[n].Name+" instead")...)
		}
	}
	return steps
}

// smallStep is the relative size of a small update.
const smallStep = 0.1

// tenth is a small step of a number, at least one.
func tenth(n int) int { return max(1, int(math.Round(smallStep*float64(n)))) }

// extraCores returns about a tenth of the cores of a node: a tenth of the cores of each process, at least one each.
func extraCores(n *model.Node) int {
	if n.Threads > 1 {
		return n.Processes * tenth(n.Threads)
	}
	return tenth(n.Cores)
}

// addCores gives a node a tenth more cores and speed in proportion. Processes of several threads get more threads;
// where each core had a process, new cores get one, too.
func addCores(n *model.Node) {
	cores := n.Cores + extraCores(n)
	n.Speed *= units.FlopsPerSecond(cores) / units.FlopsPerSecond(n.Cores)
	switch {
	case n.Threads > 1:
		n.Threads += tenth(n.Threads)
	case n.Processes == n.Cores:
		n.Processes = cores
	}
	n.Cores = cores
}

// hypotheticalSteps returns steps that make each part of the machine a tenth better, for a tenth of its price.
func (s *solver) hypotheticalSteps(c model.Choice) []step {
	parts := s.Parts(c)
	nodes, network := 0.0, 0.0
	// The price of the network for all nodes, existing ones included.
	if w, ok := s.Wiring(c); ok {
		network = s.Networks[c.Network].Bill(w).Total()
	}
	speed, memory, wider := model.Factors{}, model.Factors{}, *s.Plan.With(nil)
	cores, more, known, priced := 0.0, 0.0, true, true
	for t, count := range parts {
		if count == 0 {
			continue
		}
		n := &s.Nodes[t]
		nodes += n.Cost(count)
		speed[model.Parameter{Kind: model.KindNode, Index: t, Quantity: model.QuantitySpeed}] = 1 + smallStep
		memory[model.Parameter{Kind: model.KindNode, Index: t, Quantity: model.QuantityMemoryBandwidth}] = 1 + smallStep
		known = known && n.MemoryBandwidth > 0
		priced = priced && n.Price.Amount > 0
		cores += float64(count * n.Cores)
		more += float64(count * extraCores(n))
		addCores(&wider.Nodes[t])
	}
	if !priced { // of an existing machine
		nodes = 0
	}
	var steps []step
	add := func(direction, change string, whole, fraction float64, q *model.Plan) {
		whole *= 1 + s.Costs.VAT // as of what is for sale
		cost, err := scalability.UpdateCost([]units.Money{s.money(whole)}, []float64{fraction})
		if err != nil || cost.Amount == 0 {
			return
		}
		x := s.newStep(q, c, direction, change, cost.Amount)
		x.change, x.whole, x.Hypothetical = fraction, whole, true
		steps = append(steps, x)
	}
	with := func(quantity string, k float64) *model.Plan {
		return s.With(model.Factors{{Kind: model.KindNetwork, Index: c.Network, Quantity: quantity}: k})
	}
	percent := fmt.Sprintf("%g %%", 100*smallStep)
	add(moreCores, fmt.Sprintf("%.3g %% more cores", 100*more/cores), nodes, more/cores, &wider)
	add(fasterCores, percent+" more marked speed", nodes, smallStep, s.With(speed))
	if s.UsesMemory() && known {
		add(memoryBandwidth, percent+" more", nodes, smallStep, s.With(memory))
	}
	add(lowerLatency, percent+" lower", network, smallStep, with(model.QuantityLatency, 1-smallStep))
	add(moreBandwidth, percent+" more", network, smallStep, with(model.QuantityBandwidth, 1+smallStep))
	return steps
}
