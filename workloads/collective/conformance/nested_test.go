package conformance

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// nesting has the places of the ranks of a call: their numbers of domains by level, outermost first.
type nesting [][]int32

// equal is a nesting of equal domains in the order of ranks: so many of each level, outermost first, the last of ranks.
func equal(sides ...int) nesting {
	p := product(sides)
	var all nesting
	for l := 1; l < len(sides); l++ {
		size := product(sides[l:])
		level := make([]int32, p)
		for r := range level {
			level[r] = int32(r / size)
		}
		all = append(all, level)
	}
	return all
}

func product(sides []int) int {
	p := 1
	for _, s := range sides {
		p *= s
	}
	return p
}

// random is a nesting of p ranks in two levels, any of which may be trivial.
func random(rng *rand.Rand, p int) nesting {
	all := nesting{make([]int32, p), make([]int32, p)}
	outer, inner := 1+rng.IntN(6), 1+rng.IntN(10)
	for r := range p {
		all[0][r] = int32(rng.IntN(outer))
		all[1][r] = int32(rng.IntN(inner))
	}
	if rng.IntN(2) == 0 { // in a row
		slices.Sort(all[0])
	}
	return all
}

func (n nesting) shuffled(rng *rand.Rand) nesting {
	p := rng.Perm(len(n[0]))
	other := make(nesting, len(n))
	for l := range n {
		for _, r := range p {
			other[l] = append(other[l], n[l][r])
		}
	}
	return other
}

// order is the ranks, those of a domain side by side: domains in the order of their first ranks.
func (n nesting) order() []int {
	p := len(n[0])
	first := func(r, level int) int {
		for s := range p {
			if slices.Equal(n.path(s, level), n.path(r, level)) {
				return s
			}
		}
		return p
	}
	all := make([]int, p)
	for r := range all {
		all[r] = r
	}
	slices.SortStableFunc(all, func(a, b int) int {
		for level := range n {
			if c := cmp.Compare(first(a, level), first(b, level)); c != 0 {
				return c
			}
		}
		return cmp.Compare(a, b)
	})
	return all
}

func (n nesting) path(r, level int) (path []int32) {
	for l := range level + 1 {
		path = append(path, n[l][r])
	}
	return path
}

// renumbered is an algorithm that counts the blocks of ranks in that order.
type renumbered struct {
	collective.Algorithm
	order []int
}

func (a renumbered) number(block int) int {
	p := len(a.order)
	switch a.Operation() {
	case workloads.Allgather:
		return a.order[block]
	case workloads.Alltoall:
		return a.order[block/p]*p + a.order[block%p]
	}
	return block
}

// on is an algorithm on a nesting, and into how many blocks it cuts its data.
func on(t *testing.T, op workloads.Collective, name string, n nesting) (collective.Algorithm, int) {
	t.Helper()
	p := len(n[0])
	choice := collective.Choice{Operation: op, Algorithm: lookup(t, op, name)}
	a := choice.On(&collective.Places{Levels: func() [][]int32 { return n }}).Algorithm
	blocks := collective.BlockCount(op, p)
	if d, ok := a.(collective.Divider); ok {
		blocks = d.Pieces(collective.Call{Size: p}, 1)
	}
	return renumbered{a, n.order()}, blocks
}

// nestedSuites are the algorithms on domains. Traffic is that on equal domains of given sides, nil: not derived.
var nestedSuites = []struct {
	op      workloads.Collective
	name    string
	traffic func(cs Case, sides []int) Traffic
}{
	{workloads.Barrier, "leader", func(cs Case, sides []int) Traffic {
		d := sides[0]
		return Traffic{Messages: 2*(cs.Call.Size-d) + allRounds(d)}
	}},
	{workloads.Bcast, "leader", func(cs Case, _ []int) Traffic { return oneBlockEach(cs) }},
	{workloads.Bcast, "multi-leader", scatteredAndGathered},
	{workloads.Reduce, "leader", func(cs Case, _ []int) Traffic { return oneBlockEach(cs) }},
	{workloads.Reduce, "multi-leader", scatteredAndGathered},
	{workloads.Allreduce, "leader", func(cs Case, sides []int) Traffic {
		among := Case{Call: collective.Call{Size: sides[0]}, Blocks: cs.Blocks}
		x, n := foldedExchanges(among), 2*(cs.Call.Size-sides[0])
		return Traffic{n + x.Messages, units.Bytes(n)*cs.Total() + x.Volume}
	}},
	// As many contributions to a piece as there are ranks become as many as outermost domains, and back.
	{workloads.Allreduce, "multi-leader", func(cs Case, sides []int) Traffic {
		p, d := cs.Call.Size, sides[0]
		x := foldedExchanges(Case{Call: collective.Call{Size: d}, Blocks: cs.Blocks})
		return Traffic{2*p*within(sides) + p/d*x.Messages, units.Bytes(2*(p-d))*cs.Total() + x.Volume}
	}},
	// To become one, the P contributions to a piece are sent P-1 times, and the result as often.
	{workloads.Allreduce, "ring-in-ring", func(cs Case, sides []int) Traffic {
		return Traffic{2 * cs.Call.Size * turns(sides), units.Bytes(2*(cs.Call.Size-1)) * cs.Total()}
	}},
	{workloads.Allgather, "leader", nil},
	// Each rank gets each block of others once.
	{workloads.Allgather, "ring-in-ring", func(cs Case, sides []int) Traffic {
		return Traffic{cs.Call.Size * turns(sides), units.Bytes(cs.Call.Size-1) * cs.Total()}
	}},
	{workloads.Alltoall, "leader", nil},
	// A block is sent once for each level at which its ranks are in different domains.
	{workloads.Alltoall, "multi-leader", func(cs Case, sides []int) Traffic {
		p := cs.Call.Size
		want := Traffic{Messages: p * turns(sides)}
		for s := range p {
			for d := range p {
				a, b := s, d
				for l := len(sides) - 1; l >= 0; l-- {
					if a%sides[l] != b%sides[l] {
						want.Volume += cs.Blocks[s*p+d]
					}
					a, b = a/sides[l], b/sides[l]
				}
			}
		}
		return want
	}},
}

// turns is the number of other domains with which a rank communicates, over all levels.
func turns(sides []int) (n int) {
	for _, s := range sides {
		n += s - 1
	}
	return n
}

// within is how many messages a rank sends in domains below the outermost: by doubling where their number is a power of
// two, else round a ring.
func within(sides []int) (n int) {
	for _, s := range sides[1:] {
		if s&(s-1) == 0 {
			n += bits.Len(uint(s)) - 1
		} else {
			n += s - 1
		}
	}
	return n
}

// scatteredAndGathered: pieces go down trees within the root's domains, or come up; all outermost domains get
// each piece once; in them pieces are sent to become one for each rank, or have become one.
func scatteredAndGathered(cs Case, sides []int) Traffic {
	p, d := cs.Call.Size, sides[0]
	want := Traffic{Messages: p / d * (d - 1), Volume: units.Bytes(d-1) * cs.Total()}
	trees := 1
	for l := len(sides) - 1; l > 0; l-- {
		want.Messages += trees * (sides[l] - 1)
		trees *= sides[l]
	}
	for piece, size := range cs.Blocks {
		width := len(cs.Blocks)
		for l := len(sides) - 1; l > 0; l-- {
			width /= sides[l]
			want.Volume += units.Bytes(bits.OnesCount(uint(piece/width))) * size
			piece %= width
		}
	}
	want.Messages += p * within(sides)
	want.Volume += units.Bytes(p-d) * cs.Total()
	return want
}

// All algorithms on domains carry out their operations among up to 70 ranks on equal domains of every shape, on
// random ones in which ranks of a domain need not stand side by side, and without any; up to 20 in the usual form.
func TestConformanceOnDomains(t *testing.T) {
	most := expect.Often(20, 70)
	for _, s := range nestedSuites {
		t.Run(s.op.String()+"/"+s.name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(27, 13))
			try := func(n nesting, sides []int) {
				p := len(n[0])
				a, blocks := on(t, s.op, s.name, n)
				cs := Case{Call: collective.Call{Size: p}, Blocks: unequal(blocks)}
				if collective.Rooted(s.op) {
					cs.Call.Root = rng.IntN(p)
				}
				var want *Traffic
				if s.traffic != nil && sides != nil {
					want = new(s.traffic(cs, sides))
				}
				_, err := check(a, cs, want)
				expect.Need(t, err == nil, "%v in %v: %v", sides, n, err)
			}
			for p := 1; p <= most; p++ {
				for range 2 {
					try(random(rng, p), nil)
				}
				expect.Success(t, CheckAll(lookup(t, s.op, s.name), min(p, 9), nil))
				for a := 2; a <= p/2; a++ {
					if p%a > 0 {
						continue
					}
					try(equal(a, p/a), []int{a, p / a})
					try(equal(a, p/a).shuffled(rng), nil)
					for b := 2; b <= p/a/2; b++ {
						if p/a%b == 0 {
							try(equal(a, b, p/a/b), []int{a, b, p / a / b})
						}
					}
				}
			}
		})
	}
}
