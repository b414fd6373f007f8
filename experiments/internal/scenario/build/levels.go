package build

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Levels is a tree of levels: Counts[0] nodes at each switch of the innermost level, Counts[l] switches of level l-1
// below each switch of level l, and one switch at the last. Its links are those of the equivalent [Tree], subcluster by
// subcluster.
type Levels struct {
	Counts []int // at least one, each at least 1
	// Groups lists for each level the counts of its switches in order, repeated from the first if there are more
	// switches; then Counts has the largest. A level of nil has equal switches, and so have all if Groups is nil.
	Groups [][]int
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
	if top := len(t.Counts) - 1; len(t.groups(top)) > 1 {
		c.fail(fmt.Sprintf("topology.levels[%d]", top), "a list at the outermost level, which has one switch", "a whole number")
		return
	}
	switches := t.switches()
	if have := switches[0]; have != int64(len(nodes)) {
		words := fmt.Sprintf("levels of %d nodes in all", have)
		if have == tooMany {
			words = fmt.Sprintf("levels of %d nodes or more in all", have)
		}
		c.fail("topology.levels", words, fmt.Sprintf("as many as the machine has, %d", len(nodes)))
		return
	}
	if product(t.Counts...) == tooMany {
		c.fail("topology.levels", "switches that differ so much that a tree of the largest would have 2147483648 nodes or more", "fewer levels, or subclusters")
		return
	}
	c.cables(min(each.Total(switches[:len(t.Counts)]), tooMany))
}

func (t Levels) wire(w *wires) wiring { return t.Tree().wire(w) }

// groups returns the counts of the switches of a level if they differ, else nil.
func (t Levels) groups(level int) []int {
	if level >= len(t.Groups) {
		return nil
	}
	return t.Groups[level]
}

// in returns the number of children of a switch of a level, and the number of its first child among all of the level
// below.
func (t Levels) in(level, number int) (count, first int) {
	groups := t.groups(level)
	if groups == nil {
		return t.Counts[level], number * t.Counts[level]
	}
	first = number/len(groups)*each.Total(groups) + each.Total(groups[:number%len(groups)])
	return groups[number%len(groups)], first
}

// switches returns the number of nodes, then of switches of the innermost level, and so on up to the one switch of the
// last; each at most tooMany.
func (t Levels) switches() []int64 {
	all := make([]int64, len(t.Counts)+1)
	all[len(t.Counts)] = 1
	for l := len(t.Counts) - 1; l >= 0; l-- {
		if all[l] = min(tooMany, all[l+1]*int64(t.Counts[l])); t.groups(l) != nil && all[l+1] < tooMany {
			_, first := t.in(l, int(all[l+1]))
			all[l] = min(tooMany, int64(first))
		}
	}
	return all
}

// Tree returns the same tree, subcluster by subcluster.
func (t Levels) Tree() Tree {
	equal := make([]*Subcluster, len(t.Counts)) // by level; equal subclusters may share what is below them
	var subcluster func(level, number int) Subcluster
	subcluster = func(level, number int) Subcluster {
		if equal[level] != nil {
			return *equal[level]
		}
		var s Subcluster
		count, first := t.in(level, number)
		if level == 0 {
			s.Nodes = count
		} else {
			s.Subclusters = each.Of(each.Ascending(count), func(i int) Subcluster { return subcluster(level-1, first+i) })
		}
		if level < len(t.Uplinks) {
			s.Uplink = t.Uplinks[level]
		}
		differ := func(groups []int) bool { return groups != nil }
		if !slices.ContainsFunc(t.Groups[:min(level+1, len(t.Groups))], differ) {
			equal[level] = &s
		}
		return s
	}
	return Tree(subcluster(len(t.Counts)-1, 0))
}

// Padded returns the position of each node in a tree of equal switches with Counts, in which some places are empty: the
// lowest common switch of two nodes is at the same level there.
func (t Levels) Padded() []int32 {
	all := []int32{0}
	for l := len(t.Counts) - 1; l >= 0; l-- {
		var below []int32
		for number, at := range all {
			count, _ := t.in(l, number)
			for i := range count {
				below = append(below, at*int32(t.Counts[l])+int32(i))
			}
		}
		all = below
	}
	return all
}

// Below returns what the uplinks add between two nodes whose lowest common switch is at a level: their latency, each
// crossed upwards and downwards, and the smallest of their bandwidths; 0 at the innermost level, which has no uplinks.
func (t Levels) Below(level int) (latency units.Seconds, bandwidth units.BytesPerSecond) {
	for l, u := range t.Uplinks[:level] {
		latency += units.Seconds(2 * u.Latency)
		if l == 0 || u.Bandwidth < bandwidth {
			bandwidth = u.Bandwidth
		}
	}
	return latency, bandwidth
}
