package build

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// The groups of five nodes in entries of 2 and 3.
func TestGroups(t *testing.T) {
	for _, tt := range []struct {
		topology topology.Topology
		want     []int32
	}{
		{nil, []int32{0, 0, 1, 1, 1}},
		{Torus{}, []int32{0, 0, 1, 1, 1}},
		{Levels{Counts: []int{3, 2}, Groups: [][]int{{2, 3}}}, []int32{0, 0, 1, 1, 1}},
		{Tree{Nodes: 1, Subclusters: []Subcluster{{Nodes: 1}, {Subclusters: []Subcluster{{Nodes: 3}}}}}, []int32{0, 1, 2, 2, 2}},
		{LeafSpine{Hosts: 4}, []int32{0, 0, 0, 0, 1}},
		{FatTree{Down: []int{2, 3}}, []int32{0, 0, 1, 1, 2}},
		{Rails{Tree: LeafSpine{Hosts: 3}}, []int32{0, 0, 0, 1, 1}},
		{Dragonfly{Groups: 3, Chassis: 1, Routers: 2, Nodes: 1}, []int32{0, 0, 1, 1, 2}},
		{Dragonfly{Groups: 1, Chassis: MaxNodes, Routers: MaxNodes, Nodes: MaxNodes}, []int32{0, 0, 0, 0, 0}},
	} {
		m := &topology.Machine{Groups: []topology.Group{{Count: 2}, {Count: 3}}}
		m.Network.Topology = tt.topology
		expect.Same(t, Groups(m), tt.want, "groups")
	}
}
