package build

import (
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// routed returns the platform of some equal nodes.
func routed(t *testing.T, top Topology, nodes int) *topology.Platform {
	t.Helper()
	c := Cluster{Name: "c", Network: Network{Latency: 2, Bandwidth: 10}, Topology: top}
	for i := range nodes {
		c.Nodes = append(c.Nodes, Node{Name: fmt.Sprint("n-", i), Cores: 1, Speed: 1})
	}
	return expect.Value(c.Platform())(t)
}

// TestWaysCarryMessages asks for the ways between all pairs of hosts: each link is there once, including those of the
// minimal route, and the shares add up to as many links and as much latency as that route has, since the ways are
// equally short.
func TestWaysCarryMessages(t *testing.T) {
	for _, tt := range []struct {
		topology Topology
		nodes    int
	}{
		{LeafSpine{Hosts: 3, Spines: 4, Oversubscription: 1}, 9},
		{FatTree{Down: []int{2, 2, 3}, Up: []int{1, 2, 3}, Cables: []int{1, 2, 1}}, 12},
		{FatTree{Down: []int{2, 4}, Up: []int{2, 2}, Cables: []int{1, 1}}, 7},
		{Rails{Tree: LeafSpine{Hosts: 3, Spines: 4, Oversubscription: 1}}, 8},
		{Rails{Tree: FatTree{Down: []int{2, 2, 3}, Up: []int{1, 2, 3}, Cables: []int{1, 2, 1}}, Planes: true}, 12},
		{Dragonfly{Groups: 4, Chassis: 2, Routers: 3, Nodes: 1, GlobalCables: 1, ChassisCables: 1, RouterCables: 1}, 24},
	} {
		p := routed(t, tt.topology, tt.nodes)
		spread := Ways(p, Spread, 1)
		for from := range int32(tt.nodes) {
			for to := range int32(tt.nodes) {
				links, parts := spread(nil, nil, from, to, 0)
				route := expect.Value(p.Route(nil, from, to))(t)
				sum, latency, seen := 0.0, 0.0, map[int32]bool{}
				for i, l := range links {
					sum += parts[i]
					latency += parts[i] * float64(p.Links[l].Latency)
					expect.That(t, !seen[l], "%d to %d: link %s twice", from, to, p.Links[l].Name)
					seen[l] = true
				}
				for _, l := range route {
					expect.That(t, seen[l], "%d to %d: %s of the minimal route is missing", from, to, p.Links[l].Name)
				}
				expect.That(t, math.Abs(sum-float64(len(route))) < 1e-12 && math.Abs(latency-float64(p.Latency(route))) < 1e-12,
					"%d to %d: %v links of latency %v in parts; expected %d of %v", from, to, sum, latency, len(route), p.Latency(route))
			}
		}
	}
}

// TestSpreadOfALeaf has 4 spines: from one leaf to another a message uses 4 cables up and 4 down, a quarter on each,
// and the cables of both hosts in full.
func TestSpreadOfALeaf(t *testing.T) {
	p := routed(t, LeafSpine{Hosts: 2, Spines: 4, Oversubscription: 1}, 4)
	links, parts := Ways(p, Spread, 1)(nil, nil, 0, 3, 0)
	got := map[string]float64{}
	for i, l := range links {
		got[p.Links[l].Name] += parts[i]
	}
	want := map[string]float64{"n-0.0.up": 1, "n-3.0.down": 1}
	for spine := range 4 {
		want[fmt.Sprintf("level.1.0.%d.up", spine)], want[fmt.Sprintf("level.1.1.%d.down", spine)] = 0.25, 0.25
	}
	expect.Same(t, got, want, "parts by link")
}

// TestValiantGoesByOtherGroups: of 5 groups, 300 messages from group 1 to 3 go through each of the other three about
// equally often, 100 times with a standard deviation of 8.2; within a group the route is minimal.
func TestValiantGoesByOtherGroups(t *testing.T) {
	fly := Dragonfly{Groups: 5, Chassis: 1, Routers: 2, Nodes: 1, GlobalCables: 1, ChassisCables: 1, RouterCables: 1}
	p := routed(t, fly, 10)
	valiant := Ways(p, Valiant, 7)
	by := map[string]int{}
	for message := range uint64(300) {
		links, parts := valiant(nil, nil, 2, 7, message)
		globals := ""
		for i, l := range links {
			expect.That(t, parts[i] == 1, "a part of %v", parts[i])
			if name := p.Links[l].Name; name[:6] == "global" {
				globals += name + " "
			}
		}
		by[globals]++
	}
	expect.That(t, len(by) == 3 && by["global.0.1.down global.0.3.up "] > 40 && by["global.1.2.up global.2.3.up "] > 40 &&
		by["global.1.4.up global.3.4.down "] > 40, "ways %v; expected about 100 by each of groups 0, 2 and 4", by)
	links, _ := valiant(nil, nil, 2, 3, 5)
	expect.Same(t, links, expect.Value(p.Route(nil, 2, 3))(t), "links in a group")
	first, _ := valiant(nil, nil, 2, 7, 5)
	again, _ := Ways(p, Valiant, 7)(nil, nil, 2, 7, 5)
	expect.Same(t, again, first, "the same seed and message")
}

func TestRoutingProblems(t *testing.T) {
	for _, tt := range []struct {
		topology topology.Topology
		routing  Routing
		ok       bool
	}{
		{nil, Minimal, true}, {nil, Spread, false}, {Star{}, Valiant, false}, {LeafSpine{}, Spread, true}, {Rails{}, Spread, true}, {Rails{}, Valiant, false},
		{FatTree{}, Valiant, false}, {Dragonfly{}, Spread, true}, {Dragonfly{}, Valiant, true}, {Torus{}, Spread, false},
	} {
		expect.That(t, (RoutingProblem(tt.topology, tt.routing) == "") == tt.ok, "%T, %s: %q", tt.topology, tt.routing, RoutingProblem(tt.topology, tt.routing))
	}
	expect.That(t, Ways(routed(t, Star{}, 2), Minimal, 1) == nil, "minimal routes have ways of their own")
}
