package purchase

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// A design is what machines of different sizes have in common: which node types are
// bought and which network connects them.
type design struct {
	types   []int // increasing; empty: only a network
	network int
	retired bool // the nodes of the existing machine
}

// designs lists the designs of a plan: each node type and each mix that is for sale with
// each network.
// An existing machine also has each network without new nodes; with its own network
// that is the choice to buy nothing.
func (p *Plan) designs() []design {
	var all []design
	kept := p.Existing == nil || p.Existing.Retire != retireRequired
	if kept {
		all = p.designsWith(false)
	}
	if p.Existing != nil && p.Existing.Retire != retireNever {
		all = append(all, p.designsWith(true)...)
	}
	return all
}

// designsWith lists the designs that keep the existing machine, or retire its nodes.
func (p *Plan) designsWith(retired bool) []design {
	var all []design
	for n := range p.Networks {
		if p.Existing != nil && !retired {
			all = append(all, design{nil, n, false})
		}
		for t := range p.Nodes {
			if p.Nodes[t].ForSale {
				all = append(all, design{[]int{t}, n, retired})
			}
		}
		for _, mix := range p.Mixes {
			if p.Nodes[mix[0]].ForSale && p.Nodes[mix[1]].ForSale {
				all = append(all, design{mix[:], n, retired})
			}
		}
	}
	return all
}

// networkOfOne is the network that a single node, which needs none, is listed with.
func (p *Plan) networkOfOne() int {
	if p.Existing != nil {
		return p.Existing.Network
	}
	return 0
}

// listedElsewhere reports whether a choice is a single node listed with another network. It
// takes none, so that it is the same machine with each.
func (p *Plan) listedElsewhere(c Choice) bool {
	return total(p.parts(c)) == 1 && c.Network != p.networkOfOne()
}

// buysNothing reports whether a choice is the existing machine as it is.
func (p *Plan) buysNothing(c Choice) bool {
	return p.Existing != nil && len(c.Types) == 0 && c.Network == p.Existing.Network
}

func (c Choice) design() design { return design{c.Types, c.Network, c.Retired} }

func (d design) equal(e design) bool {
	return d.network == e.network && d.retired == e.retired && slices.Equal(d.types, e.types)
}

func (c Choice) equal(d Choice) bool {
	return c.design().equal(d.design()) && slices.Equal(c.Counts, d.Counts)
}

// designName returns the name of a design: "fat + thin, edr".
func (p *Plan) designName(d design) string {
	parts := make([]string, len(d.types))
	for i, t := range d.types {
		parts[i] = p.Nodes[t].Name
	}
	if len(parts) == 0 {
		parts = []string{"no new nodes"}
	}
	return strings.Join(parts, " + ") + ", " + p.Networks[d.network].Name + p.retiredText(d.retired)
}

// Name returns the name of a choice: "16 fat, edr"; with an existing machine
// "8 old and 4 fat, edr". A single node has no network.
func (p *Plan) Name(c Choice) string {
	var parts []string
	for i, t := range c.Types {
		parts = append(parts, fmt.Sprintf("%d %s", c.Counts[i], p.Nodes[t].Name))
	}
	bought := strings.Join(parts, " + ")
	if e := p.Existing; e != nil && !c.Retired {
		has := fmt.Sprintf("%d %s", e.Count, p.Nodes[e.Node].Name)
		if bought == "" {
			bought = has
		} else {
			bought = has + " and " + bought
		}
	}
	if total(p.parts(c)) == 1 {
		return bought + p.retiredText(c.Retired)
	}
	return bought + ", " + p.Networks[c.Network].Name + p.retiredText(c.Retired)
}

// retiredText is the end of names of machines without the existing nodes.
func (p *Plan) retiredText(retired bool) string {
	if !retired {
		return ""
	}
	return ", " + p.Nodes[p.Existing.Node].Name + " retired"
}

// countGrid returns the numbers of nodes to consider up to a largest one: every number up
// to 15, or up to 100 where runs take only some of the nodes, so that another number of
// nodes needs no simulation; then steps of a tenth. A larger limit takes no number away.
func (p *Plan) countGrid(most int) []int {
	every := 15
	if p.sideBySide() {
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
func (p *Plan) affordableCounts(d design) []int {
	most := p.most(d)
	if most == 0 {
		return nil
	}
	counts := append(p.countGrid(most), most)
	has := total(p.parts(Choice{Network: d.network, Retired: d.retired}))
	add := func(whole int) {
		if n := whole - has; n > 0 && n < most {
			counts = append(counts, n)
		}
	}
	cards := 1 // of a node
	for _, t := range d.types {
		cards = max(cards, p.Nodes[t].Cards)
	}
	add(p.Networks[d.network].Switch.Ports / cards)
	// Doublings of a node and of the nodes of a leaf.
	w, _ := p.Networks[d.network].Wire(p.Networks[d.network].Switch.Ports + 1)
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
func (p *Plan) mixCounts(d design) [][]int {
	alone := p.most(design{d.types[:1], d.network, d.retired})
	var firsts []int
	switch {
	case p.sideBySide():
		firsts = append(p.countGrid(alone), alone)
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
		second := p.most(d, first)
		if second == 0 {
			continue
		}
		all = append(all, []int{first, second})
		if p.sideBySide() && p.Objective.byPrice() {
			for _, n := range p.countGrid(second) {
				all = append(all, []int{first, n})
			}
		}
	}
	return all
}

// most returns the largest number of nodes of the last type that the limits allow
// beside the others, 0 if there is none.
func (p *Plan) most(d design, others ...int) int {
	fits := func(n int) bool {
		return p.limit(Choice{d.types, append(slices.Clone(others), n), d.network, d.retired}) == ""
	}
	high := 1
	for high < maxNodes && fits(high) {
		high *= 2
	}
	// The price grows with the number of nodes, and so do power and space.
	return sort.Search(high, func(n int) bool { return n > 0 && !fits(n) }) - 1
}

// choices returns the choices of a design within the limits, with few nodes first,
// and how many were beyond them.
func (p *Plan) choices(d design) (within []Choice, beyond int) {
	add := func(counts ...int) {
		c := Choice{d.types, counts, d.network, d.retired}
		switch {
		case p.listedElsewhere(c):
		case p.limit(c) != "":
			beyond++
		case !slices.ContainsFunc(within, c.equal):
			within = append(within, c)
		}
	}
	switch {
	case len(d.types) == 0:
		add()
	case len(d.types) == 1 && p.Counts.Affordable:
		counts := p.affordableCounts(d)
		for _, n := range counts {
			add(n)
		}
		if len(counts) == 0 {
			beyond++
		}
	case len(d.types) == 1:
		for _, n := range p.Counts.List {
			add(n)
		}
	case p.Counts.Affordable:
		for _, counts := range p.mixCounts(d) {
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
func (p *Plan) between(c Choice) []Choice {
	if !p.Counts.Affordable || len(c.Types) != 1 {
		return nil
	}
	counts := p.affordableCounts(c.design())
	i := slices.Index(counts, c.Counts[0])
	var all []Choice
	if i < 0 {
		return nil
	}
	for n := counts[max(0, i-1)] + 1; n < counts[min(i+1, len(counts)-1)]; n++ {
		if n != counts[i] {
			all = append(all, Choice{c.Types, []int{n}, c.Network, c.Retired})
		}
	}
	return all
}

// cheapest returns the cheapest choice, whether or not it is within the limits, or
// why no network can connect any.
func (p *Plan) cheapest() (best Choice, price float64, why string) {
	least := 1
	if !p.Counts.Affordable {
		least = p.Counts.List[0]
	}
	price = -1
	for _, d := range p.designs() {
		c := Choice{Types: d.types, Network: d.network, Retired: d.retired}
		if len(d.types) > 1 || p.buysNothing(c) {
			continue // dearer than its parts, or no purchase
		}
		for range d.types {
			c.Counts = append(c.Counts, least)
		}
		b, ok := p.Price(c)
		if !ok && why == "" {
			why = p.Name(c) + ": " + p.limit(c)
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
