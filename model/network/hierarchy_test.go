package network_test

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
)

// Ranks 0, 1 on node 0 and rank 2 on node 1 of group 0; rank 3 on node 2 of
// group 1. Latencies: 1 on a node, 2 in a group, 3 between groups.
func TestHierarchy(t *testing.T) {
	level := func(latency units.Seconds) network.Model {
		return network.Hockney{Latency: latency, Bandwidth: 1, EagerLimit: 10}
	}
	h := network.NewHierarchy(
		[]int32{0, 0, 1, 2}, []int32{0, 0, 0, 1}, slices.Repeat([]network.Model{level(1)}, 2), level(2), level(3),
	)
	want := [4][4]units.Seconds{
		{1, 1, 2, 3},
		{1, 1, 2, 3},
		{2, 2, 1, 3},
		{3, 3, 3, 1},
	}
	for from := range int32(4) {
		for to := range int32(4) {
			got := h.Message(from, to, 5)
			expect.That(t, got.Latency == want[from][to] && got.Transmission == 5, "%d to %d: %+v, want latency %v", from, to, got, want[from][to])
		}
	}
	expect.That(t, !h.Rendezvous(10) && h.Rendezvous(11) && h.Handling() == network.ByInterface,
		"rendezvous above 10 B, handled by the interface")
}

// Only levels at which there are two different ranks count.
func TestHierarchyMinLatency(t *testing.T) {
	level := func(latency units.Seconds) network.Model {
		return network.Hockney{Latency: latency, Bandwidth: 1, EagerLimit: network.NoLimit}
	}
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
	} {
		h := network.NewHierarchy(c.node, c.group, slices.Repeat([]network.Model{level(1)}, 3), level(2), level(3))
		expect.Equal(t, h.MinLatency(), c.want, "%s", c.name)
	}
}

// Groups of nodes that are connected inside each in its own way: ranks 0 and 1 of
// group 0 with latency 5, ranks 2 and 3 of group 1 with latency 4.
func TestHierarchyOfUnlikeNodes(t *testing.T) {
	level := func(latency units.Seconds) network.Model {
		return network.Hockney{Latency: latency, Bandwidth: 1, EagerLimit: network.NoLimit}
	}
	h := network.NewHierarchy(
		[]int32{0, 0, 1, 1}, []int32{0, 0, 1, 1}, []network.Model{level(5), level(4)}, level(7), level(9),
	)
	for _, c := range []struct {
		from, to int32
		want     units.Seconds
	}{{0, 1, 5}, {3, 2, 4}, {1, 2, 9}} {
		expect.Equal(t, h.Message(c.from, c.to, 1).Latency, c.want, "%d to %d: latency", c.from, c.to)
	}
	expect.Equal(t, h.MinLatency(), 4, "smallest latency")
}

// A tree of 2 x 3 x 2 nodes: switches of the innermost level have the nodes 0-1,
// 2-3, 4-5 | 6-7, 8-9, 10-11, and the bar divides the two switches above. Ranks 0
// and 1 are on node 0. The latency of a level is its number from 1 on;
// nodes 6 and 11 are of another group, faster inside.
func TestTree(t *testing.T) {
	level := func(latency units.Seconds) network.Model {
		return network.Hockney{Latency: latency, Bandwidth: 2, EagerLimit: 10}
	}
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
	level := func(latency units.Seconds) network.Model {
		return network.Hockney{Latency: latency, Bandwidth: 1, EagerLimit: network.NoLimit}
	}
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
