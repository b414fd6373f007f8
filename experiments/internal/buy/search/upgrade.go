package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
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

// upgrades looks at the next steps from the recommended machine and from the one
// that exists.
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
	steps := slices.Concat(s.nodeSteps(c), s.networkSteps(c), s.hypotheticalSteps(c))
	var list []variant
	for _, x := range steps {
		list = append(list, variant{x.plan, x.choice})
	}
	if err := s.needWays(ctx, list, "upgrades"); err != nil {
		return err
	}
	before, _ := s.scoreOf(s.Plan, c.Choice)
	var known []model.Upgrade
	var slopes []float64
	var prices []units.Money
	var names []string
	for _, x := range steps {
		u := x.Upgrade
		after, l := s.scoreOf(x.plan, x.choice)
		u.From, u.ScoreBefore, u.ScoreAfter = c.Name, before, after
		if math.IsInf(u.ScoreAfter, 1) || math.IsInf(before, 1) {
			continue
		}
		u.Gain = math.Log2(before / u.ScoreAfter)
		e, err := scalability.UpdateEfficiency(u.Gain, units.Money{Amount: u.Cost, Currency: s.result.Currency})
		if err != nil {
			continue // it costs nothing, so it is a choice and not an upgrade
		}
		u.Efficiency = e
		if !u.Hypothetical {
			u.Beyond = s.LimitWith(x.choice, l)
			if u.Gain <= 0 && u.Direction != moreNodes {
				continue // no upgrade
			}
		}
		known = append(known, u)
		if x.change > 0 && x.whole > 0 {
			slopes = append(slopes, u.Gain/x.change)
			prices = append(prices, units.Money{Amount: x.whole, Currency: s.result.Currency})
			names = append(names, u.Direction)
		}
	}
	best := 0.0
	for _, u := range known {
		if !u.Hypothetical {
			best = max(best, u.Efficiency)
		}
	}
	for i := range known {
		if u := &known[i]; u.Hypothetical && best > 0 && u.Gain > 0 {
			even := u.Gain / best
			u.BreakEven = &even
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
	for _, d := range edge.Dimensions {
		x.Directions = append(x.Directions, names[d])
	}
	s.result.Edges = append(s.result.Edges, x)
	return nil
}

// A step is an upgrade that has not been simulated yet.
type step struct {
	model.Upgrade
	plan   *model.Plan // the figures after the upgrade
	choice model.Choice
	// For the edge: the relative growth of the resource, and the price of all of it.
	// 0: not a small update of one resource.
	change, whole float64
}

// nodeSteps are a tenth more nodes of each type of a machine or, where one exists
// and nothing has been bought yet, of each candidate; and as many nodes of other
// types.
func (s *solver) nodeSteps(c model.Candidate) []step {
	var steps []step
	parts := s.Parts(c.Choice)
	fromExisting := s.Existing != nil && len(c.Choice.Types) == 0
	for t := range s.Nodes {
		if !s.Nodes[t].ForSale || parts[t] == 0 && !fromExisting {
			continue
		}
		k := max(1, int(math.Round(model.SmallStep*float64(parts[t]))))
		if parts[t] == 0 {
			k = max(1, int(math.Round(model.SmallStep*float64(model.Total(parts)))))
		}
		more := plus(c.Choice, t, k)
		cost, ok := s.costOfNodes(c.Choice, more, t, k)
		if !ok {
			continue
		}
		x := step{plan: s.Plan, choice: more, Upgrade: model.Upgrade{Direction: moreNodes, Change: fmt.Sprintf("%d more %s", k, s.Nodes[t].Name), Cost: cost}}
		if parts[t] == model.Total(parts) {
			x.change = float64(k) / float64(parts[t])
			x.whole = cost / x.change
		}
		steps = append(steps, x)
	}
	for t := range s.Nodes {
		if !s.Nodes[t].ForSale || len(c.Choice.Types) != 1 || t == c.Choice.Types[0] {
			continue
		}
		swapped := model.Choice{Types: []int{t}, Counts: c.Choice.Counts, Network: c.Choice.Network, Retired: c.Choice.Retired}
		steps = append(steps, s.swap(c.Choice, swapped, otherNodes, s.Nodes[t].Name+" nodes instead")...)
	}
	return steps
}

// plus returns the choice with k more nodes of type t.
func plus(c model.Choice, t, k int) model.Choice {
	d := model.Choice{Types: slices.Clone(c.Types), Counts: slices.Clone(c.Counts), Network: c.Network, Retired: c.Retired}
	i, found := slices.BinarySearch(d.Types, t)
	if !found {
		d.Types, d.Counts = slices.Insert(d.Types, i, t), slices.Insert(d.Counts, i, 0)
	}
	d.Counts[i] += k
	return d
}

// costOfNodes returns what k more nodes of type t cost with the network that they
// take: [Jin] Eq. 10 over nodes, ports, switches and cables.
func (s *solver) costOfNodes(from, to model.Choice, t, k int) (float64, bool) {
	before, ok := s.Wiring(from)
	after, fits := s.Wiring(to)
	if !ok || !fits {
		return 0, false
	}
	n := &s.Networks[to.Network]
	cost, err := scalability.UpdateCost(
		[]units.Money{s.Nodes[t].Price, n.PortPrice, n.Switch.Price, n.CablePrice},
		[]float64{float64(k), float64(after.Ports - before.Ports), float64(after.Switches() - before.Switches()), float64(after.Uplinks - before.Uplinks)})
	return cost.Amount * (1 + s.Costs.VAT), err == nil
}

// swap is the step to another choice at the difference in price, if there is one.
func (s *solver) swap(from, to model.Choice, direction, change string) []step {
	before, ok := s.Price(from)
	after, fits := s.Price(to)
	if !ok || !fits || after.Total() <= before.Total() {
		return nil
	}
	return []step{{plan: s.Plan, choice: to, Upgrade: model.Upgrade{Direction: direction, Change: change, Cost: after.Total() - before.Total()}}}
}

// networkSteps are the other networks for the same nodes.
func (s *solver) networkSteps(c model.Candidate) []step {
	var steps []step
	for n := range s.Networks {
		if n != c.Choice.Network {
			steps = append(steps, s.swap(c.Choice, model.Choice{Types: c.Choice.Types, Counts: c.Choice.Counts, Network: n, Retired: c.Choice.Retired}, betterNetwork, s.Networks[n].Name+" instead")...)
		}
	}
	return steps
}

// hypotheticalSteps make each part of the machine a tenth better, for a tenth of
// its price.
func (s *solver) hypotheticalSteps(c model.Candidate) []step {
	parts := s.Parts(c.Choice)
	nodes, network := 0.0, 0.0
	for t, count := range parts {
		nodes += float64(float64(count) * s.Nodes[t].Price.Amount)
	}
	// The price of the network of all nodes, including those that exist.
	if w, ok := s.Wiring(c.Choice); ok {
		network = s.Networks[c.Choice.Network].Bill(w).Total()
	}
	var steps []step
	add := func(direction, change string, whole, fraction float64, f model.Factors, cores bool) {
		cost, err := scalability.UpdateCost([]units.Money{{Amount: whole, Currency: s.result.Currency}}, []float64{fraction})
		if err != nil || cost.Amount == 0 {
			return
		}
		q := s.With(f)
		if cores {
			q.AddCores(parts)
		}
		steps = append(steps, step{
			plan: q, choice: c.Choice, change: fraction, whole: whole,
			Upgrade: model.Upgrade{Direction: direction, Change: change, Hypothetical: true, Cost: cost.Amount},
		})
	}
	speed, memory := model.Factors{}, model.Factors{}
	cores, more, known := 0.0, 0.0, true
	for t, count := range parts {
		if count == 0 {
			continue
		}
		speed[model.Parameter{Kind: model.KindNode, Index: t, Quantity: model.QuantitySpeed}] = 1 + model.SmallStep
		memory[model.Parameter{Kind: model.KindNode, Index: t, Quantity: model.QuantityMemoryBandwidth}] = 1 + model.SmallStep
		known = known && s.Nodes[t].MemoryBandwidth > 0
		cores += float64(count * s.Nodes[t].Cores)
		more += float64(count * s.Nodes[t].ExtraCores())
	}
	percent := fmt.Sprintf("%g %%", 100*model.SmallStep)
	add(moreCores, fmt.Sprintf("%.3g %% more cores", 100*more/cores), nodes, more/cores, nil, true)
	add(fasterCores, percent+" more marked speed", nodes, model.SmallStep, speed, false)
	if s.UsesMemory() && known {
		add(memoryBandwidth, percent+" more", nodes, model.SmallStep, memory, false)
	}
	add(lowerLatency, percent+" lower", network, model.SmallStep, model.Factors{{Kind: model.KindNetwork, Index: c.Choice.Network, Quantity: model.QuantityLatency}: 1 - model.SmallStep}, false)
	add(moreBandwidth, percent+" more", network, model.SmallStep, model.Factors{{Kind: model.KindNetwork, Index: c.Choice.Network, Quantity: model.QuantityBandwidth}: 1 + model.SmallStep}, false)
	return steps
}
