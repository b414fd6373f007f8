package network_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
)

// level is a connection of 2 B/s.
func level(latency units.Seconds) network.Model {
	return network.Hockney{Latency: latency, Bandwidth: 2, EagerLimit: 10}
}

// Ranks 0, 1 on node 0 and rank 2 on node 1 of group 0; rank 3 on node 2 of
// group 1. Latencies: 1 on a node of group 0, 4 on one of group 1, 2 in a group, 3 between groups.
func TestHierarchy(t *testing.T) {
	h := network.NewHierarchy(
		[]int32{0, 0, 1, 2}, []int32{0, 0, 0, 1}, []network.Model{level(1), level(4)}, level(2), level(3),
	)
	want := [4][4]units.Seconds{
		{1, 1, 2, 3},
		{1, 1, 2, 3},
		{2, 2, 1, 3},
		{3, 3, 3, 4},
	}
	for from := range int32(4) {
		for to := range int32(4) {
			got := h.Message(from, to, 10)
			expect.That(t, got.Latency == want[from][to] && got.Transmission == 5, "%d to %d: %+v, want latency %v", from, to, got, want[from][to])
		}
	}
	expect.That(t, !h.Rendezvous(10) && h.Rendezvous(11) && h.Handling() == network.ByInterface,
		"rendezvous above 10 B, handled by the interface")
}

// Only levels at which there are two different ranks count.
func TestHierarchyMinLatency(t *testing.T) {
	for _, c := range []struct {
		name        string
		node, group []int32
		want        units.Seconds
	}{
		{"all levels", []int32{0, 0, 1, 2}, []int32{0, 0, 0, 1}, 1},
		{"one process a node", []int32{0, 1, 2}, []int32{0, 0, 1}, 2},
		{"one node a group", []int32{0, 1, 2}, []int32{0, 1, 2}, 3},
		{"one node", []int32{5, 5}, []int32{0, 0}, 1},
		{"one rank", []int32{0}, []int32{0}, 0},
		{"on a node and between groups", []int32{0, 0, 1}, []int32{0, 0, 1}, 1},
		{"on nodes of two kinds", []int32{0, 0, 1, 1}, []int32{0, 0, 1, 1}, 0.5},
	} {
		onNode := []network.Model{level(1), level(0.5), level(1)} // by group
		h := network.NewHierarchy(c.node, c.group, onNode, level(2), level(3))
		expect.Equal(t, h.MinLatency(), c.want, "%s", c.name)
	}
}

// A tree of 2 x 3 x 2 nodes: switches of the innermost level have the nodes 0-1,
// 2-3, 4-5 | 6-7, 8-9, 10-11, and the bar divides the two switches above. Ranks 0
// and 1 are on node 0. The latency of a level is its number from 1 on;
// nodes 6 and 11 are of another group, faster inside.
func TestTree(t *testing.T) {
	tree := network.NewTree([]int32{0, 0, 1, 2, 5, 6, 11}, []int32{0, 0, 0, 0, 0, 1, 1}, []int{2, 3, 2}, []network.Model{level(0.5), level(0.2)}, []network.Model{level(1), level(2), level(3)})
	want := [7][7]units.Seconds{
		{.5, .5, 1, 2, 2, 3, 3},
		{.5, .5, 1, 2, 2, 3, 3},
		{1, 1, .5, 2, 2, 3, 3},
		{2, 2, 2, .5, 2, 3, 3},
		{2, 2, 2, 2, .5, 3, 3},
		{3, 3, 3, 3, 3, .2, 2},
		{3, 3, 3, 3, 3, 2, .2},
	}
	for from := range int32(7) {
		for to := range int32(7) {
			got := tree.Message(from, to, 6)
			expect.That(t, got.Latency == want[from][to] && got.Transmission == 3,
				"%d to %d: %+v, want latency %v and 3 s", from, to, got, want[from][to])
		}
	}
	expect.That(t, !tree.Rendezvous(10) && tree.Rendezvous(11) && tree.Handling() == network.ByInterface,
		"rendezvous above 10 B, handled by the interface")
}

// Only levels at which there are two different ranks count.
func TestTreeMinLatency(t *testing.T) {
	for _, c := range []struct {
		name string
		node []int32
		want units.Seconds
	}{
		{"one rank", []int32{3}, 0},
		{"on a node", []int32{0, 2, 11, 11}, 1},
		{"at one switch", []int32{0, 6, 1}, 2},
		{"between switches", []int32{0, 6, 3, 10}, 3},
		{"between the largest", []int32{7, 0}, 4},
	} {
		tree := network.NewTree(c.node, make([]int32, len(c.node)), []int{2, 3, 2}, []network.Model{level(1)}, []network.Model{level(2), level(3), level(4)})
		expect.Equal(t, tree.MinLatency(), c.want, "%s", c.name)
	}
}
