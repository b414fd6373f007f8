package watch

import (
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/topology"
)

// The places and links of each topology, counted by hand. A cable is two links.
func TestWiring(t *testing.T) {
	for _, c := range []struct {
		name           string
		topology       build.Topology
		nodes          int
		halfDuplex     bool
		places, links  int
		media, toHosts int // places that are links; links that begin at a host
	}{
		{"star: a switch and a cable for each host", build.Star{}, 4, false, 5, 8, 0, 4},
		{"star whose cables carry one direction at a time", build.Star{}, 4, true, 5, 4, 0, 4},
		{"bus: one place, to which all hosts lead", build.Bus{}, 4, false, 5, 4, 1, 4},
		{"backbone: the hosts' cables lead to it", build.Backbone{Latency: 1e-6, Bandwidth: 1e9}, 4, false, 5, 8, 1, 4},
		// 4 leaves of 4 hosts: 16 cables to hosts, each leaf with one to each of 2 spines.
		{"fat tree", build.LeafSpine{Hosts: 4, Spines: 2, Oversubscription: 1}, 16, false, 16 + 4 + 2, 2 * (16 + 8), 0, 16},
		// 3 x 3 going round: each host has 4 neighbours.
		{"torus", build.Torus{Dimensions: []int{3, 3}}, 9, false, 9, 36, 0, 36},
		// 3 x 3 not going round: 2 rows of 3 cables each way.
		{"mesh", build.Torus{Dimensions: []int{3, 3}, Mesh: true}, 9, false, 9, 2 * 12, 0, 24},
		{"two hosts without a switch", build.Graph{Links: []build.Cable{{From: "node-1", To: "node-2"}}}, 2, false, 2, 2, 0, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			cluster := build.Cluster{Name: "c", Network: build.DefaultNetwork(), Topology: c.topology}
			cluster.Network.Latency, cluster.Network.Bandwidth, cluster.Network.HalfDuplex = 1e-6, 1e9, c.halfDuplex
			for i := range c.nodes {
				cluster.Nodes = append(cluster.Nodes, build.Node{Name: fmt.Sprintf("node-%d", i+1), Cores: 1, Speed: 1e9})
			}
			p, err := cluster.Platform()
			if err != nil {
				t.Fatal(err)
			}
			w := WiringOf(c.topology, p)
			media, toHosts := 0, 0
			for i, x := range w.Places {
				if x.Host != (i < c.nodes) {
					t.Errorf("place %d: host is %v", i, x.Host)
				}
				if x.Medium != nil {
					media++
				}
			}
			for _, l := range w.Links {
				if l.From == l.To {
					t.Errorf("link %s leads back to place %d", l.Name, l.From)
				}
				if w.Places[l.From].Host {
					toHosts++
				}
			}
			if len(w.Places) != c.places || len(w.Links) != c.links || media != c.media || toHosts != c.toHosts {
				t.Errorf("%d places, %d links, %d media, %d links from hosts; want %d, %d, %d, %d", len(w.Places), len(w.Links), media, toHosts, c.places, c.links, c.media, c.toHosts)
			}
		})
	}
}

// WiringOf is asked for platforms that are too large to draw, too.
func TestWiringOfMany(t *testing.T) {
	if w := WiringOf(nil, &topology.Platform{Hosts: make([]topology.Host, MostHosts+1)}); w != nil {
		t.Error("a wiring of more hosts than can be drawn")
	}
}
