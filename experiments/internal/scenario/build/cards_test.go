package build_test

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Hosts 0 and 1 have 4 cards, host 2 has one; a card has the 100 B/s of the network, or 30 where it says so. A host's
// cable combines all its cards, and a message passes one card of each kind.
func TestNetworkCards(t *testing.T) {
	several := cluster(3, build.Star{})
	several.Nodes[0].NICs, several.Nodes[1].NICs = 4, 4
	unlike := cluster(3, build.Star{})
	unlike.Nodes[0].NICs, unlike.Nodes[1].NICs, unlike.Nodes[1].NIC = 4, 2, 30
	ports := cluster(4, build.FatTree{Down: []int{2, 2}, Up: []int{2, 1}, Cables: []int{1, 1}})
	ports.Nodes[1].NICs = 4
	wired := cluster(3, build.Graph{Switches: []string{"s"}, Links: []build.Cable{{From: "h0", To: "s"}, {From: "h1", To: "s"}, {From: "h2", To: "s"}}})
	wired.Nodes[0].NICs = 4
	for _, tt := range []struct {
		name     string
		cluster  build.Cluster
		from, to int32
		want     []units.BytesPerSecond // of the links on the route
	}{
		{"one kind of card at both ends", several, 0, 1, []units.BytesPerSecond{400, 400, 100}},
		{"one end", several, 0, 2, []units.BytesPerSecond{400, 100, 100}},
		{"no end", several, 2, 2, []units.BytesPerSecond{10e9}},
		{"two kinds", unlike, 0, 1, []units.BytesPerSecond{400, 60, 100, 30}},
		// Each of its two ports has two of the four cards.
		{"two ports", ports, 1, 0, []units.BytesPerSecond{200, 100, 100}},
		{"graph", wired, 1, 0, []units.BytesPerSecond{100, 400, 100}},
	} {
		p, err := tt.cluster.Platform()
		expect.Need(t, err == nil, "%s: %v", tt.name, err)
		route, err := p.Route(nil, tt.from, tt.to)
		expect.Need(t, err == nil && len(route) == len(tt.want), "%s: route %v, %v; want %d links", tt.name, route, err, len(tt.want))
		for i, l := range route {
			expect.Equal(t, p.Links[l].Bandwidth, tt.want[i], "%s: link %s", tt.name, p.Links[l].Name)
		}
		latency := p.Latency(route)
		expect.That(t, tt.from == tt.to || tt.name == "graph" || latency == 2, "%s: latency %v, want 2 s: cards add none", tt.name, latency)
	}
}

// Host 0 has a connection inside as it says itself, host 1 as the network says: a pipe of 7 B/s after 3 s, and one of 5
// B/s after 1 s.
func TestOnNodeOfANode(t *testing.T) {
	c := cluster(2, build.Star{})
	c.Network.OnNode = topology.Connection{Latency: 1, Bandwidth: 5}
	c.Nodes[0].OnNode = &topology.Connection{Latency: 3, Bandwidth: 7}
	p := expect.Value(c.Platform())(t)
	for host, want := range []topology.Link{
		{Name: "h0.self", Latency: 3, Bandwidth: 7, FatPipe: true},
		{Name: "h1.self", Latency: 1, Bandwidth: 5, FatPipe: true},
	} {
		route, err := p.Route(nil, int32(host), int32(host))
		expect.That(t, err == nil && len(route) == 1 && p.Links[route[0]] == want,
			"host %d: route %v, %v, links %+v; want %+v", host, route, err, p.Links, want)
	}
}
