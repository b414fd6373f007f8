package search

import (
	"math"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// designs lists the designs of a plan: each node type and each mix that is for sale with each network, and each bid. An
// existing machine also has each network without new nodes; with its own network that is the choice to buy
// nothing. Where its nodes may be retired, all designs are listed without them, too. Of designs that are the
// same but for the names of their parts the first is listed.
func designs(p *model.Plan) []model.Design {
	var all, known []model.Design
	node, network := p.Firsts()
	for _, retired := range []bool{false, true} {
		if retired && (p.Existing == nil || p.Existing.Retire == model.RetireNever) ||
			!retired && p.Existing != nil && p.Existing.Retire == model.RetireRequired {
			continue
		}
		for n := range p.Networks {
			add := func(types ...int) {
				d, same := model.Design{Types: types, Network: n, Retired: retired}, model.Design{Network: network[n], Retired: retired}
				if !p.Sold(d) && !p.BuysNothing(d.Of()) {
					return
				}
				for _, t := range types {
					same.Types = append(same.Types, node[t])
				}
				slices.Sort(same.Types)
				if !slices.ContainsFunc(known, same.Equal) {
					known, all = append(known, same), append(all, d)
				}
			}
			if p.Existing != nil && !retired {
				add()
			}
			for t := range p.Nodes {
				add(t)
			}
			for _, mix := range p.Mixes {
				add(mix...)
			}
		}
		for _, c := range p.BidChoices(retired) {
			all = append(all, c.Design)
		}
	}
	return all
}

// listedElsewhere reports whether a choice is a single node listed with another network. It
// takes none, so that it is the same machine with each.
func listedElsewhere(p *model.Plan, c model.Choice) bool {
	return c.Bid == 0 && model.Total(p.Parts(c)) == 1 && c.Network != p.NetworkOfOne(c.Design)
}

// The choices of plans with runs on the whole machine, of which each takes simulations of its own. All others
// are searched, see field.

// countGrid returns the numbers of nodes to consider up to a largest one: every number up to 15, then steps of
// a tenth; and the largest. A larger limit takes no other number away.
func countGrid(most int) []int {
	const every = 15
	var counts []int
	for n := 1; n < most; {
		counts = append(counts, n)
		if n++; n > every {
			n = max(n, int(math.Round(1.1*float64(n-1))))
		}
	}
	return append(counts, most)
}

// affordableCounts returns the numbers of nodes to consider of a design of one type with counts: affordable:
// those of the grid, and the largest number within the limits. Smaller machines belong to them because a
// workload may stop scaling and because the Pareto fronts need cheaper machines. Powers of two and full
// switches belong to them because one node more then costs a round of a collective operation or a switch.
func affordableCounts(p *model.Plan, d model.Design) []int {
	most := most(p, d)
	if most == 0 {
		return nil
	}
	counts := countGrid(most)
	has := model.Total(p.Parts(model.Design{Network: d.Network, Retired: d.Retired}.Of()))
	add := func(whole int) {
		if n := whole - has; n > 0 && n < most {
			counts = append(counts, n)
		}
	}
	cards := 1 // of a node
	for _, t := range d.Types {
		cards = max(cards, p.Nodes[t].Cards)
	}
	ports := p.Networks[d.Network].Switch.Ports
	add(ports / cards)
	for _, t := range d.Types {
		for _, x := range p.Nodes[t].Discounts {
			add(has + x.From)
		}
	}
	// Doublings of a node and of the nodes of a leaf.
	w, _ := p.Networks[d.Network].Wire(ports + 1)
	for n := 1; n < has+most; n *= 2 {
		add(n)
		add(n * max(1, w.Down/cards))
	}
	slices.Sort(counts)
	return slices.Compact(counts)
}

// mixCounts returns the numbers of nodes to consider of a design of several types with runs that take the whole
// machine: of all but the last type quarters of the largest number beside the ones before, with as many of the
// last as the limits allow: more money then never takes a machine away without a larger one in its place.
func mixCounts(p *model.Plan, d model.Design) (all [][]int) {
	begun := [][]int{nil}
	for i := range d.Types[1:] {
		first := model.Design{Types: d.Types[:i+1], Network: d.Network, Retired: d.Retired}
		var longer [][]int
		for _, others := range begun {
			most := most(p, first, others...)
			for _, n := range slices.Compact([]int{most / 4, most / 2, most * 3 / 4}) {
				if n > 0 {
					longer = append(longer, append(slices.Clone(others), n))
				}
			}
		}
		begun = longer
	}
	for _, others := range begun {
		if n := most(p, d, others...); n > 0 {
			all = append(all, append(others, n))
		}
	}
	return append(all, requiredCounts(p, d)...)
}

// most returns the largest number of nodes of the last type that the limits allow
// beside the others, 0 if there is none.
func most(p *model.Plan, d model.Design, others ...int) int {
	of := func(n int) model.Choice { return d.Of(append(slices.Clone(others), n)...) }
	fits := func(n int) bool { return p.LimitBetween(of(n), of(model.MaxNodes)) == "" }
	high := 1
	for high < model.MaxNodes && fits(high) {
		high *= 2
	}
	// What all larger machines cost at least grows with the number of nodes, and so do power and space.
	n := sort.Search(high, func(n int) bool { return n > 0 && !fits(n) }) - 1
	for n > 0 && p.Limit(of(n)) != "" { // it costs more than some larger ones
		n--
	}
	return n
}

// choicesOf returns the choices of a design within the limits, with few nodes first,
// and how many were beyond them.
func choicesOf(p *model.Plan, d model.Design) (within []model.Choice, beyond int) {
	var all [][]int
	switch {
	case len(d.Types) == 0 || d.Bid > 0:
		all = [][]int{p.Smallest(d, 1).Counts}
	case len(d.Types) == 1 && p.Counts.Affordable:
		for _, n := range affordableCounts(p, d) {
			all = append(all, []int{n})
		}
	case p.Counts.Affordable:
		all = mixCounts(p, d)
	default:
		all = [][]int{nil}
		for range d.Types {
			var longer [][]int
			for _, counts := range all {
				for _, next := range p.Counts.List {
					longer = append(longer, append(slices.Clone(counts), next))
				}
			}
			all = longer
		}
	}
	if len(all) == 0 {
		beyond = 1
	}
	for _, counts := range all {
		c := d.Of(counts...)
		switch {
		case listedElsewhere(p, c) || p.Unmet(c, c) != "":
		case p.Limit(c) != "":
			beyond++
		case !slices.ContainsFunc(within, c.Equal):
			within = append(within, c)
		}
	}
	return within, beyond
}

// between returns the choices whose numbers of nodes lie between that of c and its
// neighbours in affordableCounts.
func between(p *model.Plan, c model.Choice) (all []model.Choice) {
	if !p.Counts.Affordable || len(c.Types) != 1 || c.Bid > 0 {
		return nil
	}
	counts := affordableCounts(p, c.Design)
	i := slices.Index(counts, c.Counts[0])
	if i < 0 {
		return nil
	}
	for n := counts[max(0, i-1)] + 1; n < counts[min(i+1, len(counts)-1)]; n++ {
		if n != counts[i] {
			all = append(all, c.Design.Of(n))
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
	price = math.Inf(1)
	var all []model.Choice
	for _, d := range designs(p) {
		if c := p.Smallest(d, least); d.Bid > 0 || len(d.Types) < 2 && !p.BuysNothing(c) {
			all = append(all, c) // else dearer than its parts, or no purchase
		}
		if c, ok := required(p, d, 0, 1); ok && len(p.Require) > 0 && p.Counts.Affordable {
			all = append(all, c)
		}
		for _, t := range d.Types {
			for _, x := range p.Nodes[t].Discounts {
				i, _ := slices.BinarySearch(p.Counts.List, x.From)
				switch n := x.From; {
				case d.Bid > 0 || len(d.Types) > 1:
				case p.Counts.Affordable:
					all = append(all, d.Of(n))
				case i < len(p.Counts.List):
					all = append(all, d.Of(p.Counts.List[i]))
				}
			}
		}
	}
	for _, c := range all {
		if p.Unmet(c, c) != "" {
			continue
		}
		b, ok := p.Price(c)
		if !ok && why == "" {
			why = p.Name(c) + ": " + p.Limit(c)
		}
		if ok && b.Total() < price {
			best, price = c, b.Total()
		}
	}
	if !math.IsInf(price, 1) {
		why = ""
	}
	return best, price, why
}
