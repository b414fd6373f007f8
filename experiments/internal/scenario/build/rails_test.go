package build_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// withCards has nodes with some cards of 100 B/s each.
func withCards(nodes, cards int, top build.Topology) build.Cluster {
	c := cluster(nodes, top)
	for i := range c.Nodes {
		c.Nodes[i].NICs = cards
	}
	return c
}

// By definition, card i of node n is at leaf i of the leaves of its group, n/m, which are adjacent below common
// switches, or at leaf n/m of tree i. Above the leaves, it is as in fat trees.
func TestRailsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cards, planes := rapid.IntRange(1, 3).Draw(t, "cards"), rapid.Bool().Draw(t, "planes")
		var f build.FatTree
		positions := 1
		for l := range rapid.IntRange(2, 3).Draw(t, "levels") {
			down := rapid.IntRange(1, 3).Draw(t, "down")
			positions *= down
			if l == 1 && !planes {
				down *= cards
			}
			f.Down = append(f.Down, down)
			f.Up = append(f.Up, rapid.IntRange(1, 2).Draw(t, "up"))
			f.Cables = append(f.Cables, rapid.IntRange(1, 2).Draw(t, "cables"))
			f.Bandwidths = append(f.Bandwidths, bandwidths().Draw(t, "bandwidth"))
		}
		f.Up[0], f.Cables[0] = 1, 1
		c := some(t, positions, build.Rails{Tree: f, Planes: planes})
		for i := range c.Nodes {
			c.Nodes[i].NICs = cards
		}
		m := f.Down[0]
		holds(t, c, func(p *topology.Platform, up int) (string, string) {
			name := strings.NewReplacer("plane.", "", ".up", "", ".level", "", "level", "0", ".card", "", "h", "", ".", " ").Replace(p.Links[up].Name)
			var a, b, lower, port int
			if strings.Contains(p.Links[up].Name, "card") {
				_, err := fmt.Sscan(name, &a, &b)
				expect.Success(t, err)
				if planes {
					return fmt.Sprint("node ", a), fmt.Sprint(b, 1, a/m, 0)
				}
				return fmt.Sprint("node ", a), fmt.Sprint(0, 1, a/m*cards+b, 0)
			}
			_, err := fmt.Sscan(name, &a, &b, &lower, &port)
			expect.Success(t, err)
			copies := 1
			for _, w := range f.Up[:b] {
				copies *= w
			}
			return fmt.Sprint(a, b, lower/copies, lower%copies),
				fmt.Sprint(a, b+1, lower/copies/f.Down[b], lower%copies+port%f.Up[b]*copies)
		})
	})
}

// Five nodes of two cards of 100 B/s, two at a leaf: 3 groups of 2 leaves, each with a cable of 100 B/s to each of 2
// spines, or in planes of 3 leaves with 2 spines each. Links: 5 x 2 and 6 x 2 cables. The best half is nodes 0 and 1, cut
// off by 2 x 2 cables.
func TestRailsMeasured(t *testing.T) {
	for _, planes := range []bool{false, true} {
		top := build.Rails{Tree: build.LeafSpine{Hosts: 2, Spines: 2, Oversubscription: 1}, Planes: planes}
		m := measure(t, platform(t, withCards(5, 2, top)))
		expect.Equal(t, m, build.Metrics{Hosts: 5, Links: 2 * (10 + 12), Diameter: 4, DiameterExact: true, Bisection: 400, BisectionExact: true}, "planes: %v", planes)
		expect.Equal(t, measure(t, platform(t, withCards(2, 2, top))).Diameter, 2, "diameter of a group")
	}
}

func TestRailsProblems(t *testing.T) {
	tree := func(down ...int) build.FatTree {
		return build.FatTree{Down: down, Up: []int{1, 2}[:len(down)], Cables: []int{1, 1}[:len(down)]}
	}
	ports := tree(4, 4)
	ports.Up = []int{2, 1}
	unlike := withCards(4, 2, build.Rails{Tree: tree(4, 4)})
	unlike.Nodes[3].NICs = 0
	for _, tt := range []struct {
		cluster build.Cluster
		want    string
	}{
		{unlike, "topology.cards: nodes of 2 and of 1 network cards; expected as many in all nodes"},
		{withCards(4, 2, build.Rails{Tree: ports}), "topology.up[0]: 2 cables of a card; expected 1, because cards are apart"},
		{withCards(4, 2, build.Rails{Tree: tree(4)}), "topology.down: [4]; expected a second level of a multiple of 2 leaf switches, one for each card"},
		{withCards(4, 3, build.Rails{Tree: tree(4, 4)}), "topology.down: [4 4]; expected a second level of a multiple of 3 leaf switches, one for each card"},
		{withCards(9, 2, build.Rails{Tree: tree(4, 4)}), "nodes: 9 nodes; expected at most 8, as many as the topology has positions"},
		{withCards(17, 2, build.Rails{Tree: tree(4, 4), Planes: true}), "nodes: 17 nodes; expected at most 16, as many as the topology has positions"},
		{withCards(9, 2, build.Rails{Tree: build.FatTree{Down: []int{9}, Up: []int{1}}, Planes: true}), "topology.cables: 0 levels; expected 1 levels as in topology.down"},
		{withCards(2, 1<<16, build.Rails{Tree: build.LeafSpine{Hosts: 1, Spines: 1 << 10, Oversubscription: 1}}), "topology: 134217728 cables; expected at most 16777216"},
	} {
		expect.Failure(t, tt.cluster.Problems(), tt.want)
	}
	platform(t, withCards(9, 2, build.Rails{Tree: tree(9), Planes: true}))
}
