package collective_test

import (
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
