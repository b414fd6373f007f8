package purchase

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/yamldoc"
)

func (r *reader) counts(n *yamldoc.Node) {
	c := &r.plan.Counts
	const want = "numbers of nodes: [4, 8, 16], {from: 4, to: 64}, {powers_of_two: {from: 1, to: 64}} or affordable"
	add := func(from, to int, next func(int) int) {
		for i := from; i <= to; i = next(i) {
			c.List = append(c.List, i)
		}
	}
	bounds := func(n *yamldoc.Node, d *yamldoc.Mapping) (from, to int) {
		f, t := d.Require("from", "a number of nodes"), d.Require("to", "a number of nodes")
		if f == nil || t == nil {
			return 1, 0
		}
		from = r.Int(f, 1, maxNodes, "a number of nodes, at least 1")
		to = r.Int(t, 1, maxNodes, "a number of nodes, at least 1")
		if from > to && r.Err() == nil {
			r.Fail(n, fmt.Sprintf("from %d to %d is empty", from, to), "from not above to")
		}
		return from, to
	}
	switch {
	case n == nil || n.IsScalar() && n.Text() == "affordable":
		c.Affordable = true
	case n.IsSequence():
		for _, v := range r.Sequence(n, want) {
			c.List = append(c.List, r.Int(v, 1, maxNodes, "a number of nodes, at least 1"))
		}
		slices.Sort(c.List)
		c.List = slices.Compact(c.List)
	case n.IsMapping():
		d := r.Mapping(n, want)
		if v := d.Take("powers_of_two"); v != nil {
			m := r.Mapping(v, "a range, as in {from: 1, to: 64}")
			from, to := bounds(v, m)
			m.Done()
			if from > 0 && from&(from-1) != 0 {
				r.Fail(v, fmt.Sprintf("%d is not a power of two", from), "a power of two to begin with")
			}
			add(from, to, func(i int) int { return 2 * i })
		} else {
			from, to := bounds(n, d)
			step := 1
			if v := d.Take("step"); v != nil {
				step = r.Int(v, 1, maxNodes, "a step of at least 1")
			}
			if step > 0 && from > 0 && (to-from)/step < maxCounts {
				add(from, to, func(i int) int { return i + step })
			} else if step > 0 {
				r.Fail(n, fmt.Sprintf("%d numbers of nodes", (to-from)/step+1), fmt.Sprintf("at most %d", maxCounts))
			}
		}
		d.Done()
	default:
		r.Fail(n, "not numbers of nodes", want)
	}
	if n != nil && !c.Affordable && len(c.List) == 0 && r.Err() == nil {
		r.Fail(n, "no numbers of nodes", want)
	}
	if len(c.List) > maxCounts && r.Err() == nil {
		r.Fail(n, fmt.Sprintf("%d numbers of nodes", len(c.List)), fmt.Sprintf("at most %d", maxCounts))
	}
}
