package rankorder

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/topology"
)

// Slots are the places of processes, one per process, as in a placement without an order.
type Slots struct {
	Node  []int32 // of each slot; the slots of a node are contiguous
	Group []int32 // of nodes, for each slot
	Kind  []int32 // of each slot; processes of one kind compute alike
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

// OnPlatform returns the slots of ranks on hosts of a platform, in the order of the ranks. If no levels are known, a
// group consists of the hosts that its first host reaches over the fewest links.
func OnPlatform(p *topology.Platform, place []int32) Slots {
	s := Slots{Node: place}
	group, groups := map[int32]int32{}, int32(0)
	var route []int32
	for _, a := range place {
		if _, known := group[a]; known {
			continue
		}
		links, least := map[int32]int{}, math.MaxInt
		for _, b := range place {
			if _, known := links[b]; known || b == a {
				continue
			}
			links[b] = math.MaxInt
			if way, err := p.Route(route[:0], a, b); err == nil {
				route, links[b] = way, len(way)
				least = min(least, len(way))
			}
		}
		group[a] = groups
		for b, n := range links {
			if _, known := group[b]; !known && n == least && n < math.MaxInt {
				group[b] = groups
			}
		}
		groups++
	}
	for _, h := range place {
		s.Group = append(s.Group, group[h])
		kind := slices.IndexFunc(p.Hosts, func(x topology.Host) bool { return x.Speed == p.Hosts[h].Speed })
		s.Kind = append(s.Kind, int32(kind))
	}
	return s
}

// Names are the names of orders, the default first.
var Names = []string{"block", "cyclic", "by-group", "greedy"}

// Near reports whether an order is that of [Greedy], which needs a run to tell who sends how much to whom.
func Near(name string) bool { return name == Names[len(Names)-1] }

// Dealt returns the slots of an order; nil for block order, and for an order that needs a run.
func Dealt(name string, s Slots) []int32 {
	switch name {
	case "cyclic":
		return InTurn(s.Node)
	case "by-group":
		return InTurn(s.Group)
	}
	return nil
}

// InTurn deals the ranks out to nodes, or groups, in turn; of has that of each slot. Rank after rank gets the first
// free slot of the next one; full ones are skipped.
func InTurn(of []int32) []int32 {
	taken := map[int32]int{}
	var rounds [][]int32 // the first slot of each, the second slot of each, ...
	for slot, x := range of {
		if taken[x] == len(rounds) {
			rounds = append(rounds, nil)
		}
		rounds[taken[x]] = append(rounds[taken[x]], int32(slot))
		taken[x]++
	}
	return slices.Concat(rounds...)
}
