package rankorder

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/heap"
	"github.com/isoscale/isoscale/sim/observe"
)

// Greedy returns an order in which ranks that send each other much share a node, or else a group, or nil if block order
// is no worse in traffic between nodes and, if that is equal, between groups. Traffic is in bytes, or in messages if
// all are empty.
//
// The slots are filled one after the other. A slot gets the rank with the most traffic with the ranks on its node so
// far; if none has any, with those in its group, and else with all that have a slot. Among equals it is the one whose
// heaviest partner came first, so that a grid is cut into blocks and not into rows. If none has any traffic, it is the
// rank with the heaviest traffic with one other, among equals the one with the least in all, and then the first. This
// is done twice, the second time with traffic of similar size counted as equal, because the few bytes of a reduction
// may hide the grid; the better order counts.
//
// Source: the greedy mapping of [Hoefler2011]. Deviations: nodes are filled completely, as ranks are placed; ties,
// which the source leaves open; the start, which in the source is the rank with most traffic in all; a rank stays on
// the kind of node that it has in block order, because its part of the work, and with it the traffic, follows the speed
// there; and block order is kept where it is no worse.
func Greedy(s Slots, traffic []observe.Traffic) []int32 {
	g := graphOf(len(s.Node), traffic)
	var best []int32
	least := g.between(s, InTurn(make([]int32, len(s.Node)))) // in block order
	for _, size := range []func(float64) float64{exactly, roughly} {
		order := g.grow(s, size)
		if c := g.between(s, order); c.less(least) {
			best, least = order, c
		}
	}
	return best
}

func exactly(weight float64) float64 { return weight }

// roughly maps numbers to steps, four from a number to its double.
func roughly(weight float64) float64 {
	fraction, exponent := math.Frexp(weight)
	return float64(4*exponent) + math.Floor(8*fraction)
}

// grow fills the slots; traffic of equal size counts as equal.
func (g graph) grow(s Slots, size func(float64) float64) []int32 {
	m := &mapping{graph: g, size: size, kind: s.Kind, slot: slices.Repeat([]int32{-1}, len(s.Node))}
	levels := []*frontier{m.frontier(), m.frontier(), m.frontier()} // of the node, of the group, of all
	seeds, next := m.seeds(), map[int32]int{}                       // by kind
	for slot, kind := range s.Kind {
		if slot > 0 && s.Node[slot] != s.Node[slot-1] {
			levels[0] = m.frontier()
		}
		if slot > 0 && s.Group[slot] != s.Group[slot-1] {
			levels[1] = m.frontier()
		}
		rank := int32(-1)
		for _, f := range levels {
			if rank < 0 {
				rank = f.take(kind)
			}
		}
		for ; rank < 0; next[kind]++ {
			if r := seeds[next[kind]]; m.slot[r] < 0 && s.Kind[r] == kind {
				rank = r
			}
		}
		m.slot[rank] = int32(slot)
		for _, f := range levels {
			f.add(rank)
		}
	}
	return m.slot
}

// graph is the traffic between ranks, both directions together.
type graph struct {
	links [][]link // from each rank to others
}

type link struct {
	to     int32
	weight float64
}

func graphOf(ranks int, traffic []observe.Traffic) graph {
	empty := !slices.ContainsFunc(traffic, func(t observe.Traffic) bool { return t.Bytes > 0 })
	links := make([][]link, ranks)
	for _, t := range traffic {
		weight := float64(t.Bytes)
		if empty {
			weight = float64(t.Messages)
		}
		if t.From != t.To && weight > 0 {
			links[t.From] = append(links[t.From], link{t.To, weight})
			links[t.To] = append(links[t.To], link{t.From, weight})
		}
	}
	for r, all := range links {
		slices.SortStableFunc(all, func(a, b link) int { return cmp.Compare(a.to, b.to) })
		merged := all[:0]
		for _, l := range all {
			if n := len(merged); n > 0 && merged[n-1].to == l.to {
				merged[n-1].weight += l.weight
				continue
			}
			merged = append(merged, l)
		}
		links[r] = merged
	}
	return graph{links}
}

// crossing is the traffic between nodes, and between groups.
type crossing struct{ nodes, groups float64 }

func (c crossing) less(d crossing) bool {
	return cmp.Or(cmp.Compare(c.nodes, d.nodes), cmp.Compare(c.groups, d.groups)) < 0
}

// between returns the traffic between nodes and groups if ranks are in these slots.
func (g graph) between(s Slots, slot []int32) crossing {
	var c crossing
	for r, links := range g.links {
		for _, l := range links {
			a, b := slot[r], slot[l.to]
			if s.Node[a] != s.Node[b] {
				c.nodes += l.weight
			}
			if s.Group[a] != s.Group[b] {
				c.groups += l.weight
			}
		}
	}
	return c
}

// mapping is an order under construction.
type mapping struct {
	graph
	size func(weight float64) float64 // compares traffic
	kind []int32                      // of each rank
	slot []int32                      // of each rank; -1: none yet
}

// seeds returns the ranks in the order in which they are placed where traffic does not decide.
func (m *mapping) seeds() []int32 {
	heaviest, sum := make([]float64, len(m.links)), make([]float64, len(m.links))
	ranks := make([]int32, len(m.links))
	for r, links := range m.links {
		ranks[r] = int32(r)
		for _, l := range links {
			heaviest[r] = max(heaviest[r], m.size(l.weight))
			sum[r] += l.weight
		}
	}
	slices.SortFunc(ranks, func(a, b int32) int {
		return cmp.Or(cmp.Compare(heaviest[b], heaviest[a]), cmp.Compare(sum[a], sum[b]), cmp.Compare(a, b))
	})
	return ranks
}

// frontier is the ranks without a slot that have traffic with some ranks that have a slot, the ranks inside.
type frontier struct {
	*mapping
	of       map[int32]candidate             // by rank: its current candidate
	queue    map[int32]*heap.Heap[candidate] // by kind: present and past candidates, the largest first
	meetings int
}

// candidate is a rank with its traffic with the ranks inside.
type candidate struct {
	rank     int32
	weight   float64
	size     float64 // of the weight
	heaviest float64 // of the weights with single ranks inside
	met      int     // when it met that rank, as an increasing number
}

func (m *mapping) frontier() *frontier {
	return &frontier{mapping: m, of: map[int32]candidate{}, queue: map[int32]*heap.Heap[candidate]{}}
}

// add puts a rank inside.
func (f *frontier) add(rank int32) {
	for _, l := range f.links[rank] {
		if f.slot[l.to] >= 0 {
			continue
		}
		f.meetings++
		c := f.of[l.to]
		c.rank = l.to
		c.weight += l.weight
		c.size = f.size(c.weight)
		if w := f.size(l.weight); w > c.heaviest || c.met == 0 {
			c.heaviest, c.met = w, f.meetings
		}
		f.of[l.to] = c
		q := f.queue[f.kind[l.to]]
		if q == nil {
			q = new(heap.By(larger))
			f.queue[f.kind[l.to]] = q
		}
		q.Push(c)
	}
}

// take removes and returns the rank of a kind with most traffic, -1 if none has any.
func (f *frontier) take(kind int32) int32 {
	for q := f.queue[kind]; q != nil && q.Len() > 0; {
		if c := q.Pop(); f.slot[c.rank] < 0 && f.of[c.rank] == c {
			return c.rank
		}
	}
	return -1
}

// larger orders candidates: those with more traffic first, and among equals the one that met its heaviest partner first.
func larger(a, b *candidate) bool {
	return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(a.met, b.met)) < 0
}
