package collective

import (
	"cmp"
	"slices"
	"sync"

	"github.com/isoscale/isoscale/model/units"
)

// Places says where the ranks of a program are: in domains within domains, as the nodes of
// subclusters. Algorithms with leaders follow it. It must not be copied, nor change once it is used.
type Places struct {
	// Levels returns the number of the domain of each rank at each level, outermost first. Domains of one number in
	// different outer ones are different.
	Levels func() [][]int32
	// Time, if it is set, says how long a call takes when it is made alone, by all at once, with so many bytes in
	// equal blocks: the rules "tuned" ask for it.
	Time func(ch Choice, c Call, size units.Bytes) (units.Seconds, error)

	// Links, if it is set, says of a rank which node and domain are its, by numbers that tell all apart,
	// and which rail, between which messages take links of their domain; what the connections out of its device, out of its node and out of its domain cost, the last two with
	// those of others, where it has its part of a card that others share. reduced is what a device pays while switches of its domain reduce, nothing per byte if they do not and
	// no base if links say it, and Aggregates tells whether those of the network do. relay is what it passes on between domains,
	// nothing where that is not limited: a hop of trees of such switches, and data. Laws of accelerators ask for that.
	Links      func(rank int32) (place [3]int32, out [3]Cost, reduced, relay Cost)
	Aggregates bool

	whole struct {
		once sync.Once
		nest *nest
	}
	groups  sync.Map  // by members: its *nest
	tuned   sync.Map  // occasion: *tuning
	fabrics sync.Map  // by members: its *fabric
	nodes   sync.Map  // by members: how many nodes they are on
	times   *lawTimes // see Record
	rough   rough
}

// nest returns how the ranks of a call lie in domains.
func (p *Places) nest(c Call) *nest {
	if c.Group == nil {
		p.whole.once.Do(func() { p.whole.nest = newNest(p.Levels(), c) })
		return p.whole.nest
	}
	if n, ok := p.groups.Load(c.members()); ok {
		return n.(*nest)
	}
	n, _ := p.groups.LoadOrStore(c.members(), newNest(p.Levels(), c))
	return n.(*nest)
}

// members tell the groups of calls apart, also those of another run, which may give the number of a group to other ranks:
// an application may arrange its processes by the problem size.
type members struct {
	number              int32
	size                int
	first, middle, last int32
}

func (c Call) members() members {
	return members{c.Number, c.Size, c.world(0), c.world(c.Size / 2), c.world(c.Size - 1)}
}

// A nest is how the ranks of a call lie in domains. It counts ranks by position, in which those of a domain stand
// next to each other.
type nest struct {
	order, position []int32 // ranks by position, and back; nil: each is at the position of its number
	levels          []domains
	sides           []int // how many domains of the next level each of a level has; nil: not equally many
}

// domains are those of a level: the first is all ranks, those of the last are one rank each, and each level divides
// the one before.
type domains struct {
	start []int32 // position of the first rank of each, then the number of ranks
	of    []int32 // the domain of each position
}

func newNest(levels [][]int32, c Call) *nest {
	size := c.Size
	paths := make([][]int32, len(levels)+1) // by level: the domain of each rank, in the order of first ranks
	paths[0] = make([]int32, size)
	for l, level := range levels {
		type key struct{ outer, number int32 }
		known := map[key]int32{}
		paths[l+1] = make([]int32, size)
		for rank := range size {
			k := key{paths[l][rank], level[c.world(rank)]}
			d, ok := known[k]
			if !ok {
				d = int32(len(known))
				known[k] = d
			}
			paths[l+1][rank] = d
		}
	}
	order := make([]int32, size)
	for rank := range order {
		order[rank] = int32(rank)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		for _, of := range paths {
			if d := cmp.Compare(of[a], of[b]); d != 0 {
				return d
			}
		}
		return 0
	})
	n := &nest{}
	if !slices.IsSorted(order) {
		n.order, n.position = order, make([]int32, size)
		for at, rank := range order {
			n.position[rank] = int32(at)
		}
	}
	n.add(order, func(at int) int32 { return 0 })
	for _, of := range paths[1:] {
		n.add(order, func(at int) int32 { return of[order[at]] })
	}
	n.add(order, func(at int) int32 { return int32(at) })
	for l := range len(n.levels) - 1 {
		outer := &n.levels[l]
		for d := range len(outer.start) - 1 {
			_, side := n.within(l, int32(d))
			if d == 0 {
				n.sides = append(n.sides, side)
			}
			if side != n.sides[l] {
				n.sides = nil
				return n
			}
		}
	}
	return n
}

// add adds a level of domains, unless it is no other than the one before.
func (n *nest) add(order []int32, of func(at int) int32) {
	l := domains{of: make([]int32, len(order))}
	for at := range order {
		if at == 0 || of(at) != of(at-1) || len(n.levels) > 0 && n.last().of[at] != n.last().of[at-1] {
			l.start = append(l.start, int32(at))
		}
		l.of[at] = int32(len(l.start) - 1)
	}
	l.start = append(l.start, int32(len(order)))
	if len(n.levels) == 0 || len(l.start) > len(n.last().start) {
		n.levels = append(n.levels, l)
	}
}

func (n *nest) last() *domains { return &n.levels[len(n.levels)-1] }

// within returns the first of the domains of the next level that a domain has, and how many.
func (n *nest) within(level int, domain int32) (first int32, count int) {
	start, inner := n.levels[level].start, n.levels[level+1].of
	first = inner[start[domain]]
	return first, int(inner[start[domain+1]-1]-first) + 1
}

// at returns the position of a rank.
func (n *nest) at(rank int) int {
	if n.position == nil {
		return rank
	}
	return int(n.position[rank])
}

// rank returns the rank at a position.
func (n *nest) rank(at int) int {
	if n.order == nil {
		return at
	}
	return int(n.order[at])
}

// stride returns how many ranks a domain of the next level has, all domains of which are equal.
func (n *nest) stride(level int) int { return int(n.levels[level+1].start[1]) }

// digit returns which domain of the next level a position is in, among those of its domain.
func (n *nest) digit(level, at int) int { return at / n.stride(level) % n.sides[level] }
