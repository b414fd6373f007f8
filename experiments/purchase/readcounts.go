package purchase

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/yamldoc"
)

// counts reads the numbers of nodes to consider.
func (r *reader) counts(n *yamldoc.Node) {
	const want = "numbers of nodes: [4, 8, 16], {from: 4, to: 64}, {powers_of_two: {from: 1, to: 64}} or affordable"
	c := &r.plan.Counts
	switch {
	case n == nil || n.IsScalar() && n.Text() == "affordable":
		c.Affordable = true
		return
	case n.IsSequence():
		for _, v := range r.Sequence(n, want) {
			c.List = append(c.List, r.nodeCount(v))
		}
		slices.Sort(c.List)
		c.List = slices.Compact(c.List)
	case n.IsMapping():
		d := r.Mapping(n, want)
		if v := d.Take("powers_of_two"); v != nil {
			c.List = r.powersOfTwo(v)
		} else {
			c.List = r.countRange(n, d)
		}
		d.Done()
	default:
		r.Fail(n, "not numbers of nodes", want)
	}
	switch k := len(c.List); {
	case r.Err() != nil:
	case k == 0:
		r.Fail(n, "no numbers of nodes", want)
	case k > maxCounts:
		r.Fail(n, fmt.Sprintf("%d numbers of nodes", k), fmt.Sprintf("at most %d", maxCounts))
	}
}

func (r *reader) nodeCount(n *yamldoc.Node) int {
	return r.Int(n, 1, maxNodes, "a number of nodes, at least 1")
}

// bounds reads the keys from and to of the mapping n; ok is false after a problem.
func (r *reader) bounds(n *yamldoc.Node, d *yamldoc.Mapping) (from, to int, ok bool) {
	from = r.nodeCount(d.Require("from", "a number of nodes"))
	to = r.nodeCount(d.Require("to", "a number of nodes"))
	if from > 0 && to > 0 && from > to {
		r.Fail(n, fmt.Sprintf("from %d to %d is empty", from, to), "from not above to")
	}
	return from, to, 0 < from && from <= to
}

func (r *reader) powersOfTwo(n *yamldoc.Node) (list []int) {
	d := r.Mapping(n, "a range, as in {from: 1, to: 64}")
	from, to, ok := r.bounds(n, d)
	d.Done()
	if ok && from&(from-1) != 0 {
		r.Fail(n, fmt.Sprintf("%d is not a power of two", from), "a power of two as from")
	}
	for i := from; ok && i <= to; i *= 2 {
		list = append(list, i)
	}
	return list
}

func (r *reader) countRange(n *yamldoc.Node, d *yamldoc.Mapping) (list []int) {
	from, to, ok := r.bounds(n, d)
	step := 1
	if v := d.Take("step"); v != nil {
		step = r.Int(v, 1, maxNodes, "a step of at least 1")
	}
	for i := from; ok && step > 0 && i <= to; i += step {
		list = append(list, i)
	}
	return list
}
