package search

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
)

// designs lists the designs of a plan: each node type and each mix that is for sale with each network, and each bid.
// With an existing machine, each network is also listed without new nodes; with the machine's own network that is the
// choice to buy nothing. Where its nodes may be retired, all designs are listed without them, too. Of designs that
// differ only in the names of their parts the first is listed.
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
				same.Types = each.Append(same.Types, types, func(t int) int { return node[t] })
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
		all = each.Append(all, p.BidChoices(retired), func(c model.Choice) model.Design { return c.Design })
	}
	return all
}

// listedElsewhere reports whether a choice is a single node listed with another network. It needs none, so it is the
// same machine with each.
func listedElsewhere(p *model.Plan, c model.Choice) bool {
	return c.Bid == 0 && each.Total(p.Parts(c)) == 1 && c.Network != p.NetworkOfOne(c.Design)
}

// most returns the largest number of nodes of a design of one type that the limits allow, 0 if there is none.
func most(p *model.Plan, d model.Design) (n int) {
	if axes := axesOf(p, d); axes != nil {
		n = axes[0].most
	}
	for n > 0 && p.Limit(d.Of(n)) != "" { // it costs more than some larger ones
		n--
	}
	return n
}

// cheaper returns the cheapest among a choice and all with more nodes of its types. More nodes cost less only where a
// discount begins.
func cheaper(p *model.Plan, c model.Choice) model.Choice {
	all := []model.Choice{c}
	for i, t := range c.Types {
		for _, x := range p.Nodes[t].Discounts {
			n, k := x.From, 0
			if list := p.Counts.List; !p.Counts.Affordable {
				if k, _ = slices.BinarySearch(list, n); k == len(list) {
					continue
				}
				n = list[k]
			}
			if c.Bid > 0 || n <= c.Counts[i] {
				continue
			}
			for _, y := range all {
				more := y
				more.Counts = slices.Clone(y.Counts)
				more.Counts[i] = n
				all = append(all, more)
			}
		}
	}
	best, least := c, math.Inf(1)
	for _, x := range all {
		if b, ok := p.Price(x); ok && p.Unmet(x, x) == "" && b.Total() < least {
			best, least = x, b.Total()
		}
	}
	return best
}

// cheapest returns the cheapest choice, within the limits or not, or why no network can connect any.
func cheapest(p *model.Plan) (best model.Choice, price float64, why string) {
	least := 1
	if !p.Counts.Affordable {
		least = p.Counts.List[0]
	}
	price = math.Inf(1)
	var all []model.Choice
	for _, d := range designs(p) {
		if c := p.Smallest(d, least); d.Bid > 0 || len(d.Types) < 2 && !p.BuysNothing(c) {
			all = append(all, cheaper(p, c)) // else dearer than its parts, or no purchase
		}
		if c, ok := required(p, d, 0, 1); ok && len(p.Require) > 0 && p.Counts.Affordable {
			all = append(all, c)
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
