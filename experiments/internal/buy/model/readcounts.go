package model

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// countType is a number of nodes.
var countType = schema.Integer{Min: 1, Max: MaxNodes, Want: "a number of nodes, at least 1"}

// affordable stands for as many nodes as the limits allow.
const affordable = "affordable"

const wantCounts = "numbers of nodes: [4, 8, 16], {from: 4, to: 64}, {powers_of_two: {from: 1, to: 64}} or affordable"

// A span is a range of numbers of nodes.
type span struct {
	from, to, step int
	powersOfTwo    *yamldoc.Node
}

func (s *span) bounds(k *schema.Keys) {
	k.Required("from", countType.To(&s.from), "smallest number of nodes")
	k.Required("to", countType.To(&s.to), "largest number of nodes")
}

var spanKeys = schema.Declare("a range, as in {from: 1, to: 64}", func(k *schema.Keys, s *span) { s.bounds(k) })

var countsKeys = schema.Declare(wantCounts, func(k *schema.Keys, s *span) {
	if s.powersOfTwo = k.Node("powers_of_two"); s.powersOfTwo == nil {
		s.bounds(k)
		k.Optional("step", countType.To(&s.step).Or(1), "distance between the numbers")
	}
	k.Optional("powers_of_two", schema.Node(spanKeys.Object, &s.powersOfTwo), "the powers of two in a range")
})

var countsType = schema.AnyOf{
	schema.OneOf{affordable}, schema.List{Of: countType, Min: 1},
	countsKeys.Without("powers_of_two"), countsKeys.Only([]string{"powers_of_two"}),
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
			c.List = append(c.List, countType.ReadOr(&r.Decoder, v, "a number of nodes, at least 1", 0))
		}
		slices.Sort(c.List)
		c.List = slices.Compact(c.List)
	case n.IsMapping():
		var s span
		if countsKeys.Read(&r.Decoder, n, &s); s.powersOfTwo != nil {
			spanKeys.Read(&r.Decoder, s.powersOfTwo, &s)
		}
		c.List = r.span(n, s)
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

// span returns the numbers of a range.
func (r *reader) span(n *yamldoc.Node, s span) (list []int) {
	switch {
	case s.from < 1 || s.to < 1:
	case s.from > s.to:
		r.Fail(n, fmt.Sprintf("from %d to %d is empty", s.from, s.to), "from not above to")
	case s.powersOfTwo == nil:
		for i := s.from; s.step > 0 && i <= s.to; i += s.step {
			list = append(list, i)
		}
	case s.from&(s.from-1) != 0:
		r.Fail(s.powersOfTwo, fmt.Sprintf("%d is not a power of two", s.from), "a power of two as from")
	default:
		for i := s.from; i <= s.to; i *= 2 {
			list = append(list, i)
		}
	}
	return list
}
