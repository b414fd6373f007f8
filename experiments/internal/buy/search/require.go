package search

import (
	"slices"
	"sort"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
)

// required returns the smallest machine of a design with at least n nodes of one type that meets the requirements;
// false if there is none.
func required(p *model.Plan, d model.Design, of, n int) (model.Choice, bool) {
	c := p.Smallest(d, 1)
	if d.Bid > 0 || len(d.Types) == 0 {
		return c, p.Unmet(c, c) == ""
	}
	c.Counts[of] = n
	for range len(p.Require) + 1 { // raising one type may make another too few
		for _, x := range p.Require {
			i := slices.IndexFunc(d.Types, func(t int) bool { return slices.Contains(x.Types, t) })
			parts := p.Parts(c)
			nodes := each.Sum(x.Types, func(t int) int { return parts[t] })
			if more := x.Needed(each.Total(parts)-nodes) - nodes; i >= 0 && more > 0 {
				c.Counts[i] = min(model.MaxNodes, c.Counts[i]+more)
			}
		}
	}
	return c, p.Unmet(c, c) == ""
}

// meeting returns machines that meet the requirements, as places: for each type with as many nodes as the limits allow
// and quarters of that, beside the fewest others that the requirements need. Without them a climb may find none.
func (f *field) meeting() (all [][]int) {
	if len(f.Require) == 0 || !f.Counts.Affordable {
		return nil
	}
	for of := range f.axes {
		exceeds := func(n int) bool {
			c, ok := required(f.Plan, f.design, of, n)
			return !ok || f.Limit(c) != ""
		}
		most := sort.Search(f.axes[of].most, func(n int) bool { return n > 0 && exceeds(n) }) - 1
		for _, n := range []int{most / 4, most / 2, most * 3 / 4, most} {
			if n > 0 {
				c, _ := required(f.Plan, f.design, of, n)
				places := each.Of(c.Counts, func(count int) int { return count - 1 })
				all = append(all, places)
			}
		}
	}
	return all
}
