package collective_test

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Ranks 0, 2 and 1, 3 are on two nodes, with blocks of 1, 100 and 10, 1000 bytes: 2 and 3 report theirs, their leaders 0 and
// 1 exchange 101 and 1010, and pass all 1111 on. So blocks of different sizes stay those of their ranks. In the group
// of the ranks 3, 2, 1, 0 places are those of the ranks.
func TestBlocksOfRanksOnDomains(t *testing.T) {
	places := &collective.Places{Levels: func() [][]int32 { return [][]int32{{0, 1, 0, 1}} }}
	leader := expect.Value(collective.Lookup(workloads.Allgather, "leader"))(t)
	ch := collective.Choice{Operation: workloads.Allgather, Algorithm: leader}.On(places)
	sent := func(c collective.Call, sizes ...units.Bytes) map[int32]units.Bytes {
		all := map[int32]units.Bytes{}
		for rank := range c.Size {
			var op workloads.Op
			me := int32(rank)
			if c.Group != nil {
				me = c.Group.World(rank)
			}
			for k := int32(0); collective.Next(ch, c, collective.Varying(sizes), 0, rank, &k, &op); {
				if op.Kind == workloads.Send || op.Kind == workloads.Sendrecv {
					all[me] += op.Size
				}
			}
		}
		return all
	}
	whole := sent(collective.Call{Size: 4}, 1, 10, 100, 1000)
	expect.Same(t, whole, map[int32]units.Bytes{0: 101 + 1111, 1: 1010 + 1111, 2: 100, 3: 1000}, "bytes sent by rank")
	// The first of the group on each node leads: 3 and 2.
	group := sent(collective.In(collective.List{3, 2, 1, 0}, 1, 0), 1000, 100, 10, 1)
	expect.Same(t, group, map[int32]units.Bytes{3: 1010 + 1111, 2: 101 + 1111, 1: 10, 0: 1}, "bytes sent by rank in a group")
	// In another run the group of that number has other ranks: two on one node, which exchange their blocks.
	other := sent(collective.In(collective.List{1, 3}, 1, 0), 10, 1000)
	expect.Same(t, other, map[int32]units.Bytes{3: 1000, 1: 10}, "bytes sent by rank in another group")
}

// Where every rank has a node of its own, or all are on one, an algorithm that is no candidate has the operations of one
// that is. On two nodes of several ranks all algorithms but laws are candidates.
func TestCandidatesDiffer(t *testing.T) {
	steps := func(a collective.Algorithm, p *collective.Places, n int) (all []workloads.Op) {
		ch, c := collective.Choice{Operation: a.Operation(), Algorithm: a}.On(p), collective.Call{Size: n}
		blocks := collective.Uniform(collective.BlockCount(a.Operation(), n), 840)
		for rank := range n {
			var op workloads.Op
			for k := int32(0); collective.Next(ch, c, blocks, 0, rank, &k, &op); {
				all = append(all, op)
			}
		}
		return all
	}
	for _, n := range []int{2, 5, 8} {
		for name, of := range map[string]func(rank int32) int32{
			"one node": func(int32) int32 { return 7 }, "a node each": func(rank int32) int32 { return rank },
			"two nodes": func(rank int32) int32 { return rank % 2 },
		} {
			nodes := make([]int32, n)
			for rank := range nodes {
				nodes[rank] = of(int32(rank))
			}
			p := &collective.Places{Levels: func() [][]int32 { return [][]int32{nodes} }}
			for _, op := range collective.Operations() {
				candidates := p.Candidates(op, collective.Call{Size: n})
				expect.Equal(t, candidates[0].Name(), collective.Default(op).Algorithm.Name(), "first")
				for _, other := range collective.Names(op) {
					if slices.ContainsFunc(candidates, func(a collective.Algorithm) bool { return a.Name() == other }) {
						continue
					}
					ops := steps(lookup(t, op, other), p, n)
					same := slices.ContainsFunc(candidates, func(a collective.Algorithm) bool { return slices.Equal(steps(a, p, n), ops) })
					expect.That(t, same, "%s, %d ranks: %v %s is none of the candidates", name, n, op, other)
				}
				nested := slices.ContainsFunc(candidates, func(a collective.Algorithm) bool { return a.Name() == "leader" })
				known := slices.Contains(collective.Names(op), "leader")
				expect.Equal(t, nested, known && name == "two nodes" && n > 2, "%s, %d ranks: %v by leaders", name, n, op)
			}
		}
	}
}
