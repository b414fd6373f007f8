package rankorder

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/topology"
)

// Slots are the places of processes, one each, as in a placement without an order.
type Slots struct {
	Node  []int32 // of each slot: the slots of a node are next to each other
	Group []int32 // of each slot, of nodes
	Kind  []int32 // of each slot: processes of one kind compute alike
}

// Of returns the slots of a placement without an order on a machine.
func Of(m *topology.Machine, p *topology.Placement) Slots {
	var s Slots
	var block []int32
	s.Node, block = p.Locations()
	groups := build.Groups(m)
	for slot, host := range build.Hosts(m, p) {
		s.Group = append(s.Group, groups[host])
		kind := p.Blocks[block[slot]].Type
		s.Kind = append(s.Kind, int32(slices.IndexFunc(m.Types, func(t topology.NodeType) bool { return t.Name == kind.Name })))
	}
	return s
}

// InTurn deals the ranks out to nodes, or groups, in turn, of has that of each slot. Rank
// after rank goes to the first free slot of the next one; those that are full are left out.
func InTurn(of []int32) []int32 {
	taken := map[int32]int{}
	var rounds [][]int32 // the slots that are the first of theirs, the second, ...
	for slot, x := range of {
		if taken[x] == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[taken[x]] = append(rounds[taken[x]], int32(slot))
		taken[x]++
	}
	return slices.Concat(rounds...)
}
