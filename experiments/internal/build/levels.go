package build

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Levels is a tree in which all subclusters of a level are equal: Counts[0] nodes at
// each switch of the innermost level, Counts[l] switches of level l-1 below each
// switch of level l, and one switch of the last. Its links are those of the [Tree]
// that says the same subcluster by subcluster.
type Levels struct {
	Counts []int // at least one, each at least 1; their product is the number of nodes
	// Uplinks[l] leads from each switch of level l to the one above, so there is one
	// less than there are levels.
	Uplinks []topology.Connection
}

func (Levels) Kind() string { return "tree" }

func (t Levels) check(c *checker, nodes []Node) {
	if len(t.Counts) == 0 || len(t.Counts) > maxTreeDepth {
		c.fail("topology.levels", fmt.Sprintf("%d levels", len(t.Counts)), fmt.Sprintf("1 to %d", maxTreeDepth))
		return
	}
	before := len(c.problems)
	for l, n := range t.Counts {
		c.count(fmt.Sprintf("topology.levels[%d]", l), n, 1, MaxNodes)
	}
	if len(t.Uplinks) != len(t.Counts)-1 {
		c.fail("topology.uplinks", fmt.Sprintf("%d uplinks", len(t.Uplinks)), fmt.Sprintf("%d, one for each level above the innermost", len(t.Counts)-1))
	}
	for l, u := range t.Uplinks {
		c.connection(fmt.Sprintf("topology.uplinks[%d]", l), u)
	}
	if len(c.problems) > before {
		return
	}
	if have := product(t.Counts...); have != int64(len(nodes)) {
		words := fmt.Sprintf("levels of %d nodes in all", have)
		if have == tooMany {
			words = fmt.Sprintf("levels of %d nodes or more in all", have)
		}
		c.fail("topology.levels", words, fmt.Sprintf("as many as the machine has, %d", len(nodes)))
		return
	}
	cables := int64(0)
	for l := range t.Counts {
		cables += product(t.Counts[l:]...)
	}
	c.cables(cables)
}

func (t Levels) wire(w *wires) wiring { return t.Tree().wire(w) }

// Tree returns the same tree, subcluster by subcluster.
func (t Levels) Tree() Tree {
	s := Subcluster{Nodes: t.Counts[0]}
	for l, n := range t.Counts[1:] {
		s.Uplink = t.Uplinks[l]
		above := Subcluster{Subclusters: make([]Subcluster, n)}
		for i := range above.Subclusters {
			above.Subclusters[i] = s // equal ones may share what is below them
		}
		s = above
	}
	return Tree(s)
}

// Below returns what the uplinks add between two nodes whose lowest common switch is
// of a level: their latency, each crossed upwards and downwards, and the smallest of
// their bandwidths, 0 at the innermost level, where there are none.
func (t Levels) Below(level int) (latency units.Seconds, bandwidth units.BytesPerSecond) {
	for l, u := range t.Uplinks[:level] {
		latency += units.Seconds(2 * u.Latency)
		if l == 0 || u.Bandwidth < bandwidth {
			bandwidth = u.Bandwidth
		}
	}
	return latency, bandwidth
}
