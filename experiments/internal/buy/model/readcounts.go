package model

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// countType is a number of nodes.
var countType = schema.Integer{Min: 1, Max: MaxNodes}

// affordable stands for as many nodes as the limits allow.
const affordable = "affordable"

const wantCounts = "numbers of nodes: [4, 8, 16], {from: 4, to: 64}, {powers_of_two: {from: 1, to: 64}} or affordable"

var rangeObject = &schema.Object{What: "a range, as in {from: 1, to: 64}", Fields: []schema.Field{
	{Key: "from", Type: countType, Required: true, Meaning: "smallest number of nodes"},
	{Key: "to", Type: countType, Required: true, Meaning: "largest number of nodes"},
}}

var countsObject = rangeObject.With(wantCounts,
	schema.Field{Key: "step", Type: countType, Default: "1", Meaning: "distance between the numbers"},
	schema.Field{Key: "powers_of_two", Type: rangeObject, Meaning: "the powers of two in a range"},
)

var countsType = schema.AnyOf{
	schema.OneOf{affordable}, schema.List{Of: countType, Min: 1},
	countsObject.Without("powers_of_two"), countsObject.Only([]string{"powers_of_two"}),
}

// counts reads the numbers of nodes to consider.
func (r *reader) counts(n *yamldoc.Node) {
	c := &r.plan.Counts
	switch {
	case n == nil || n.IsScalar() && n.Text() == affordable:
		c.Affordable = true
		return
	case n.IsSequence():
		for _, v := range r.Sequence(n, wantCounts) {
			c.List = append(c.List, r.nodeCount(v))
		}
		slices.Sort(c.List)
		c.List = slices.Compact(c.List)
	case n.IsMapping():
		d := countsObject.Open(&r.Decoder, n)
		if v := d.Take("powers_of_two"); v != nil {
			c.List = r.powersOfTwo(v)
		} else {
			c.List = r.countRange(n, d)
		}
		d.Done()
	default:
		r.Fail(n, "not numbers of nodes", wantCounts)
	}
	switch k := len(c.List); {
	case r.Err() != nil:
	case k == 0:
		r.Fail(n, "no numbers of nodes", wantCounts)
	case k > maxCounts:
		r.Fail(n, fmt.Sprintf("%d numbers of nodes", k), fmt.Sprintf("at most %d", maxCounts))
	}
}

func (r *reader) nodeCount(n *yamldoc.Node) int {
	return r.Int(n, 1, MaxNodes, "a number of nodes, at least 1")
}

// bounds reads the keys from and to of the mapping n; ok is false after a problem.
func (r *reader) bounds(n *yamldoc.Node, d *schema.Mapping) (from, to int, ok bool) {
	from = r.nodeCount(d.Require("from", "a number of nodes"))
	to = r.nodeCount(d.Require("to", "a number of nodes"))
	if from > 0 && to > 0 && from > to {
		r.Fail(n, fmt.Sprintf("from %d to %d is empty", from, to), "from not above to")
	}
	return from, to, 0 < from && from <= to
}

func (r *reader) powersOfTwo(n *yamldoc.Node) (list []int) {
	d := rangeObject.Open(&r.Decoder, n)
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

func (r *reader) countRange(n *yamldoc.Node, d *schema.Mapping) (list []int) {
	from, to, ok := r.bounds(n, d)
	step := countType.ReadOr(&r.Decoder, d.Take("step"), "a step of at least 1", 1)
	for i := from; ok && step > 0 && i <= to; i += step {
		list = append(list, i)
	}
	return list
}
