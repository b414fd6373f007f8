package purchase

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

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

// smallStep is the relative size of a small update.
const smallStep = 0.1

// A step is an upgrade that has not been simulated yet.
type step struct {
	Upgrade
	plan   *Plan // the figures after the upgrade
	choice Choice
	// For the edge: the relative growth of the resource, and the price of all of it.
	// 0: not a small update of one resource.
	change, whole float64
}

// upgrades looks at the next steps from the recommended machine and from the one
// that exists.
func (s *solver) upgrades(ctx context.Context) error {
	from := []Candidate{s.result.Ranking[0]}
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

func (s *solver) upgradesFrom(ctx context.Context, c Candidate) error {
	steps := slices.Concat(s.nodeSteps(c), s.networkSteps(c), s.hypotheticalSteps(c))
	var list []simulation
	for _, x := range steps {
		list = append(list, x.plan.all(x.choice)...)
	}
	if err := s.need(ctx, list, "upgrades"); err != nil {
		return err
	}
	before := s.Score(s.measures(s.Plan, c.choice))
	var known []Upgrade
	var slopes []float64
	var prices []units.Money
	var names []string
	for _, x := range steps {
		u := x.Upgrade
		u.From, u.ScoreBefore, u.ScoreAfter = c.Name, before, s.Score(s.measures(x.plan, x.choice))
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
			u.Beyond = s.limit(x.choice)
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
	slices.SortStableFunc(known, func(a, b Upgrade) int {
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
	x := EdgeResult{From: c.Name, Efficiency: edge.Efficiency, Directions: []string{}}
	for _, d := range edge.Dimensions {
		x.Directions = append(x.Directions, names[d])
	}
	s.result.Edges = append(s.result.Edges, x)
	return nil
}

// nodeSteps are a tenth more nodes of each type of a machine or, where one exists
// and nothing has been bought yet, of each candidate; and as many nodes of other
// types.
func (s *solver) nodeSteps(c Candidate) []step {
	var steps []step
	parts := s.parts(c.choice)
	fromExisting := s.Existing != nil && len(c.choice.Types) == 0
	for t := range s.Nodes {
		if parts[t] == 0 && !fromExisting {
			continue
		}
		k := max(1, int(math.Round(smallStep*float64(parts[t]))))
		if parts[t] == 0 {
			k = max(1, int(math.Round(smallStep*float64(total(parts)))))
		}
		more := c.choice.plus(t, k)
		cost, ok := s.costOfNodes(c.choice, more, t, k)
		if !ok {
			continue
		}
		x := step{plan: s.Plan, choice: more, Upgrade: Upgrade{Direction: moreNodes, Change: fmt.Sprintf("%d more %s", k, s.Nodes[t].Name), Cost: cost}}
		if parts[t] == total(parts) {
			x.change = float64(k) / float64(parts[t])
			x.whole = cost / x.change
		}
		steps = append(steps, x)
	}
	for t := range s.Nodes {
		if len(c.choice.Types) != 1 || t == c.choice.Types[0] {
			continue
		}
		swapped := Choice{[]int{t}, c.choice.Counts, c.choice.Network}
		steps = append(steps, s.swap(c.choice, swapped, otherNodes, s.Nodes[t].Name+" nodes instead")...)
	}
	return steps
}

// plus returns the choice with k more nodes of type t.
func (c Choice) plus(t, k int) Choice {
	d := Choice{slices.Clone(c.Types), slices.Clone(c.Counts), c.Network}
	i, found := slices.BinarySearch(d.Types, t)
	if !found {
		d.Types, d.Counts = slices.Insert(d.Types, i, t), slices.Insert(d.Counts, i, 0)
	}
	d.Counts[i] += k
	return d
}

// costOfNodes returns what k more nodes of type t cost with the network that they
// take: [Jin] Eq. 10 over nodes, ports, switches and cables.
func (s *solver) costOfNodes(from, to Choice, t, k int) (float64, bool) {
	before, ok := s.Wiring(from)
	after, fits := s.Wiring(to)
	if !ok || !fits {
		return 0, false
	}
	n := &s.Networks[to.Network]
	cost, err := scalability.UpdateCost(
		[]units.Money{s.Nodes[t].Price, n.PortPrice, n.Switch.Price, n.CablePrice},
		[]float64{float64(k), float64(after.Nodes - before.Nodes), float64(after.Switches() - before.Switches()), float64(after.Uplinks - before.Uplinks)})
	return cost.Amount, err == nil
}

// swap is the step to another choice at the difference in price, if there is one.
func (s *solver) swap(from, to Choice, direction, change string) []step {
	before, ok := s.Price(from)
	after, fits := s.Price(to)
	if !ok || !fits || after.Total() <= before.Total() {
		return nil
	}
	return []step{{plan: s.Plan, choice: to, Upgrade: Upgrade{Direction: direction, Change: change, Cost: after.Total() - before.Total()}}}
}

// networkSteps are the other networks for the same nodes.
func (s *solver) networkSteps(c Candidate) []step {
	var steps []step
	for n := range s.Networks {
		if n != c.choice.Network {
			steps = append(steps, s.swap(c.choice, Choice{c.choice.Types, c.choice.Counts, n}, betterNetwork, s.Networks[n].Name+" instead")...)
		}
	}
	return steps
}

// hypotheticalSteps make each part of the machine a tenth better, for a tenth of
// its price.
func (s *solver) hypotheticalSteps(c Candidate) []step {
	parts := s.parts(c.choice)
	nodes, network := 0.0, 0.0
	for t, count := range parts {
		nodes += float64(count) * s.Nodes[t].Price.Amount
	}
	// The price of the network of all nodes, including those that exist.
	if w, ok := s.Wiring(c.choice); ok {
		n := &s.Networks[c.choice.Network]
		network = float64(w.Nodes)*n.PortPrice.Amount + float64(w.Switches())*n.Switch.Price.Amount + float64(w.Uplinks)*n.CablePrice.Amount
	}
	var steps []step
	add := func(direction, change string, whole, fraction float64, f factors, cores bool) {
		cost, err := scalability.UpdateCost([]units.Money{{Amount: whole, Currency: s.result.Currency}}, []float64{fraction})
		if err != nil || cost.Amount == 0 {
			return
		}
		q := s.with(f)
		if cores {
			q.addCores(parts)
		}
		steps = append(steps, step{
			plan: q, choice: c.choice, change: fraction, whole: whole,
			Upgrade: Upgrade{Direction: direction, Change: change, Hypothetical: true, Cost: cost.Amount},
		})
	}
	speed, memory := factors{}, factors{}
	cores, more, known := 0.0, 0.0, true
	for t, count := range parts {
		if count == 0 {
			continue
		}
		speed[parameter{kindNode, t, quantitySpeed}] = 1 + smallStep
		memory[parameter{kindNode, t, quantityMemoryBandwidth}] = 1 + smallStep
		known = known && s.Nodes[t].MemoryBandwidth > 0
		cores += float64(count * s.Nodes[t].Cores)
		more += float64(count * extraCores(s.Nodes[t].Cores))
	}
	percent := fmt.Sprintf("%g %%", 100*smallStep)
	add(moreCores, fmt.Sprintf("%.3g %% more cores", 100*more/cores), nodes, more/cores, nil, true)
	add(fasterCores, percent+" more marked speed", nodes, smallStep, speed, false)
	if s.usesMemory() && known {
		add(memoryBandwidth, percent+" more", nodes, smallStep, memory, false)
	}
	add(lowerLatency, percent+" lower", network, smallStep, factors{{kindNetwork, c.choice.Network, quantityLatency}: 1 - smallStep}, false)
	add(moreBandwidth, percent+" more", network, smallStep, factors{{kindNetwork, c.choice.Network, quantityBandwidth}: 1 + smallStep}, false)
	return steps
}

// extraCores is a tenth of the cores of a node, at least one.
func extraCores(cores int) int { return max(1, int(math.Round(smallStep*float64(cores)))) }

// addCores gives the nodes of a machine a tenth more cores and as much more
// speed. Where each core had a process the new ones get one too.
func (p *Plan) addCores(parts []int) {
	for t := range p.Nodes {
		if parts[t] == 0 {
			continue
		}
		n := &p.Nodes[t]
		cores := n.Cores + extraCores(n.Cores)
		n.Speed *= units.FlopsPerSecond(cores) / units.FlopsPerSecond(n.Cores)
		if n.Processes == n.Cores {
			n.Processes = cores
		}
		n.Cores = cores
	}
}
