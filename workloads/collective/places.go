package collective

import (
	"cmp"
	"slices"
	"sync"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Places says where the ranks of a program are: in nested domains, such as nodes within subclusters.
// Algorithms with leaders depend on it. It must not be copied, nor changed after its first use.
type Places struct {
	// Levels returns the number of the domain of each rank at each level, outermost first. Domains with the same
	// number in different outer domains are different.
	Levels func() [][]int32
	// Time, if set, says how long a call takes that all make at once, alone, with size bytes in equal blocks. The
	// rules "tuned" ask for it.
	Time func(ch Choice, c Call, size units.Bytes) (units.Seconds, error)

	// Links, if set, describes the connections of a rank for the laws of accelerators. place is its node, domain and
	// rail, each by a unique number; messages between rails take links of their domain. out is the cost of the
	// connections out of its device, node and domain, the last two shared with other ranks; of a shared card it has its
	// part. reduced is the cost of a device while switches of its domain reduce: PerByte is 0 if they do not, Base 0 if
	// it is that of links. Aggregates tells whether switches of the network reduce. relay is the cost of forwarding
	// between domains, for a hop of trees of such switches and for data; 0 where that is not limited.
	Links      func(rank int32) (place [3]int32, out [3]Cost, reduced, relay Cost)
	Aggregates bool

	whole struct {
		once sync.Once
		nest *nest
	}
	groups  sync.Map  // *nest by members
	tuned   sync.Map  // *tuning by occasion
	fabrics sync.Map  // *fabric by members
	nodes   sync.Map  // number of nodes by members
	times   *lawTimes // see Record
	rough   rough
}

// nest returns how the ranks of a call are distributed over domains.
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

// Candidates returns the algorithms for an operation that differ on the ranks of a call and on parts of them: the
// default first, then the others by name. Algorithms on domains are flat ones where no domain has several ranks but not
// all, and laws are where there are no links.
func (p *Places) Candidates(op workloads.Collective, c Call) []Algorithm {
	list := []Algorithm{Default(op).Algorithm}
	flat := len(p.nest(c).levels) == 2
	for _, name := range Names(op) {
		a, err := Lookup(op, name)
		if err != nil || name == defaults[op] {
			continue
		}
		switch a.(type) {
		case *law:
			if p.Links == nil {
				continue
			}
		case *nested, *nestedDivider:
			if flat {
				continue
			}
		}
		list = append(list, a)
	}
	return list
}

// members identify the group of a call, also across runs, which may use the same number for other ranks: an application
// may arrange its processes by the problem size.
type members struct {
	number              int32
	size                int
	first, middle, last int32
}

func (c Call) members() members {
	return members{c.Number, c.Size, c.world(0), c.world(c.Size / 2), c.world(c.Size - 1)}
}

// A nest is how the ranks of a call are distributed over domains. It numbers ranks by position, such that those
// of a domain are adjacent.
type nest struct {
	order, position []int32 // rank by position, and position by rank; nil: they are equal
	levels          []domains
	sides           []int // by level: how many domains of the next level each has; nil: not equally many
}

// domains are the domains of a level. The first level has one with all ranks, the last one for each rank, and each
// level divides the previous one.
type domains struct {
	start []int32 // position of the first rank of each domain, and at the end the number of ranks
	of    []int32 // the domain of each position
}

func newNest(levels [][]int32, c Call) *nest {
	size := c.Size
	paths := make([][]int32, len(levels)+1) // by level: the domain of each rank, numbered in the order of first ranks
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

// add adds a level of domains, unless it equals the previous one.
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

// within returns the first of the next level's domains within a domain, and their number.
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

// stride returns how many ranks a domain of the next level has. All of these must be equal.
func (n *nest) stride(level int) int { return int(n.levels[level+1].start[1]) }

// digit returns which domain of the next level a position is in, among those of its domain.
func (n *nest) digit(level, at int) int { return at / n.stride(level) % n.sides[level] }
