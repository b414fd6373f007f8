package search

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

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
