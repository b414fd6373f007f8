package cluster

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Places says where the processes are, for collective operations that follow it: in entries of the machine, groups of nodes
// as at a switch, domains of devices, and nodes. Groups that a domain reaches across do not count. It tries
// calls by simulation.
func (s *System) Places() *collective.Places {
	p := &collective.Places{Levels: func() [][]int32 {
		node, entry := s.Placement.Locations()
		of, group := build.Groups(s.machine), build.Hosts(s.machine, s.Placement)
		for rank, host := range group {
			group[rank] = of[host]
		}
		domain, groupOf := domainsOf(s.Placement), map[int32]int32{}
		for rank, d := range domain {
			if first, met := groupOf[d]; met && first != group[rank] {
				return [][]int32{entry, domain, node}
			}
			groupOf[d] = group[rank]
		}
		return [][]int32{entry, group, domain, node}
	}}
	alone := *s
	alone.Workers = 1
	p.Time = func(ch collective.Choice, c collective.Call, size units.Bytes) (units.Seconds, error) {
		return alone.Time(context.Background(), newCall(ch, c, size, len(s.Speeds)))
	}
	return p
}

// call is a program of one collective call, in which ranks outside do nothing.
type call struct {
	choice collective.Choice
	of     collective.Call
	blocks collective.UniformBlocks
	place  []int32 // in the call by rank, -1 outside
	done   []int32 // steps
}

func newCall(ch collective.Choice, c collective.Call, size units.Bytes, ranks int) *call {
	n := max(1, collective.BlockCount(ch.Operation, c.Size))
	x := &call{choice: ch, of: c, blocks: collective.Uniform(n, size/units.Bytes(n)), place: make([]int32, ranks), done: make([]int32, ranks)}
	for rank := range x.place {
		if x.place[rank] = int32(rank); c.Group != nil {
			x.place[rank] = -1
		}
	}
	if c.Group != nil {
		for i := range c.Size {
			x.place[c.Group.World(i)] = int32(i)
		}
	}
	return x
}

func (x *call) Ranks() int { return len(x.place) }

func (x *call) Next(rank int, op *workloads.Op) bool {
	place := x.place[rank]
	return place >= 0 && x.of.Size > 1 && collective.Next(x.choice, x.of, x.blocks, 0, int(place), &x.done[rank], op)
}
