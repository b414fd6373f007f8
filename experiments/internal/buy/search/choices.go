package search

import (
	"math"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// designs lists the designs of a plan: each node type and each mix that is for sale with
// each network.
// An existing machine also has each network without new nodes; with its own network
// that is the choice to buy nothing.
func designs(p *model.Plan) []model.Design {
	var all []model.Design
	kept := p.Existing == nil || p.Existing.Retire != model.RetireRequired
	if kept {
		all = designsWith(p, false)
	}
	if p.Existing != nil && p.Existing.Retire != model.RetireNever {
		all = append(all, designsWith(p, true)...)
	}
	return all
}

// designsWith lists the designs that keep the existing machine, or retire its nodes.
func designsWith(p *model.Plan, retired bool) []model.Design {
	var all []model.Design
	for n := range p.Networks {
		if p.Existing != nil && !retired {
			all = append(all, model.Design{Types: nil, Network: n, Retired: false})
		}
		for t := range p.Nodes {
			if p.Nodes[t].ForSale {
				all = append(all, model.Design{Types: []int{t}, Network: n, Retired: retired})
			}
		}
		for _, mix := range p.Mixes {
			if p.Nodes[mix[0]].ForSale && p.Nodes[mix[1]].ForSale {
				all = append(all, model.Design{Types: mix[:], Network: n, Retired: retired})
			}
		}
	}
	return all
}

// listedElsewhere reports whether a choice is a single node listed with another network. It
// takes none, so that it is the same machine with each.
func listedElsewhere(p *model.Plan, c model.Choice) bool {
	return model.Total(p.Parts(c)) == 1 && c.Network != p.NetworkOfOne()
}

// countGrid returns the numbers of nodes to consider up to a largest one: every number up
// to 15, or up to 100 where runs take only some of the nodes, so that another number of
// nodes needs no simulation; then steps of a tenth. A larger limit takes no number away.
func countGrid(p *model.Plan, most int) []int {
	every := 15
	if p.SideBySide() {
		every = 100
	}
	var counts []int
	for n := 1; n < most; {
		counts = append(counts, n)
		if n++; n > every {
			n = max(n, int(math.Round(1.1*float64(n-1))))
		}
	}
	return counts
}

// affordableCounts returns the numbers of nodes to consider of a design of one type
// with counts: affordable: those of the grid, and the largest number within the limits. Smaller machines belong to them because a
// workload may stop scaling and because the Pareto fronts need cheaper machines.
// Powers of two and full switches belong to them because one node more then costs a
// round of a collective operation or a switch.
func affordableCounts(p *model.Plan, d model.Design) []int {
	most := most(p, d)
	if most == 0 {
		return nil
	}
	counts := append(countGrid(p, most), most)
	has := model.Total(p.Parts(model.Choice{Network: d.Network, Retired: d.Retired}))
	add := func(whole int) {
		if n := whole - has; n > 0 && n < most {
			counts = append(counts, n)
		}
	}
	cards := 1 // of a node
	for _, t := range d.Types {
		cards = max(cards, p.Nodes[t].Cards)
	}
	add(p.Networks[d.Network].Switch.Ports / cards)
	// Doublings of a node and of the nodes of a leaf.
	w, _ := p.Networks[d.Network].Wire(p.Networks[d.Network].Switch.Ports + 1)
	for n := 1; n < has+most; n *= 2 {
		add(n)
		add(n * max(1, w.Down/cards))
	}
	slices.Sort(counts)
	return slices.Compact(counts)
}

// shares are how much of the largest affordable number of its first type a mix
// has with counts: affordable.
var shares = []struct{ of, in int }{{1, 4}, {1, 2}, {3, 4}}

// mixCounts returns the numbers of nodes to consider of a design of two types. Where runs
// take only some of the nodes, those of the first type are the grid's, with as many of the
// second as the limits allow: more money then never takes a machine away without a larger
// one in its place. With objective cheapest fewer of the second are considered, too.
func mixCounts(p *model.Plan, d model.Design) [][]int {
	alone := most(p, model.Design{Types: d.Types[:1], Network: d.Network, Retired: d.Retired})
	var firsts []int
	switch {
	case p.SideBySide():
		firsts = append(countGrid(p, alone), alone)
	default:
		for _, s := range shares {
			firsts = append(firsts, alone*s.of/s.in)
		}
	}
	var all [][]int
	for _, first := range firsts {
		if first == 0 {
			continue
		}
		second := most(p, d, first)
		if second == 0 {
			continue
		}
		all = append(all, []int{first, second})
		if p.SideBySide() && p.Objective.ByPrice() {
			for _, n := range countGrid(p, second) {
				all = append(all, []int{first, n})
			}
		}
	}
	return all
}

// most returns the largest number of nodes of the last type that the limits allow
// beside the others, 0 if there is none.
func most(p *model.Plan, d model.Design, others ...int) int {
	fits := func(n int) bool {
		return p.Limit(model.Choice{Types: d.Types, Counts: append(slices.Clone(others), n), Network: d.Network, Retired: d.Retired}) == ""
	}
	high := 1
	for high < model.MaxNodes && fits(high) {
		high *= 2
	}
	// The price grows with the number of nodes, and so do power and space.
	return sort.Search(high, func(n int) bool { return n > 0 && !fits(n) }) - 1
}

// choicesOf returns the choices of a design within the limits, with few nodes first,
// and how many were beyond them.
func choicesOf(p *model.Plan, d model.Design) (within []model.Choice, beyond int) {
	add := func(counts ...int) {
		c := model.Choice{Types: d.Types, Counts: counts, Network: d.Network, Retired: d.Retired}
		switch {
		case listedElsewhere(p, c):
		case p.Limit(c) != "":
			beyond++
		case !slices.ContainsFunc(within, c.Equal):
			within = append(within, c)
		}
	}
	switch {
	case len(d.Types) == 0:
		add()
	case len(d.Types) == 1 && p.Counts.Affordable:
		counts := affordableCounts(p, d)
		for _, n := range counts {
			add(n)
		}
		if len(counts) == 0 {
			beyond++
		}
	case len(d.Types) == 1:
		for _, n := range p.Counts.List {
			add(n)
		}
	case p.Counts.Affordable:
		for _, counts := range mixCounts(p, d) {
			add(counts...)
		}
		if len(within) == 0 {
			beyond++
		}
	default:
		for _, first := range p.Counts.List {
			for _, second := range p.Counts.List {
				add(first, second)
			}
		}
	}
	return within, beyond
}

// between returns the choices whose numbers of nodes lie between that of c and its
// neighbours in affordableCounts.
func between(p *model.Plan, c model.Choice) []model.Choice {
	if !p.Counts.Affordable || len(c.Types) != 1 {
		return nil
	}
	counts := affordableCounts(p, c.Design())
	i := slices.Index(counts, c.Counts[0])
	var all []model.Choice
	if i < 0 {
		return nil
	}
	for n := counts[max(0, i-1)] + 1; n < counts[min(i+1, len(counts)-1)]; n++ {
		if n != counts[i] {
			all = append(all, model.Choice{Types: c.Types, Counts: []int{n}, Network: c.Network, Retired: c.Retired})
		}
	}
	return all
}

// cheapest returns the cheapest choice, whether or not it is within the limits, or
// why no network can connect any.
func cheapest(p *model.Plan) (best model.Choice, price float64, why string) {
	least := 1
	if !p.Counts.Affordable {
		least = p.Counts.List[0]
	}
	price = -1
	for _, d := range designs(p) {
		c := model.Choice{Types: d.Types, Network: d.Network, Retired: d.Retired}
		if len(d.Types) > 1 || p.BuysNothing(c) {
			continue // dearer than its parts, or no purchase
		}
		for range d.Types {
			c.Counts = append(c.Counts, least)
		}
		b, ok := p.Price(c)
		if !ok && why == "" {
			why = p.Name(c) + ": " + p.Limit(c)
		}
		if total := b.Total(); ok && (price < 0 || total < price) {
			best, price = c, total
		}
	}
	if price >= 0 {
		why = ""
	}
	return best, price, why
}
