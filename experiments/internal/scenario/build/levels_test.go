package build

import (
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// Two halves of one and two switches, with 2, 1 and 3 nodes.
func TestUnequalLevels(t *testing.T) {
	low, high := topology.Connection{Latency: 1, Bandwidth: 10}, topology.Connection{Latency: 2, Bandwidth: 20}
	levels := Levels{Counts: []int{3, 2, 2}, Groups: [][]int{{2, 1, 3}, {1, 2}}, Uplinks: []topology.Connection{low, high}}
	want := Tree{Subclusters: []Subcluster{
		{Uplink: high, Subclusters: []Subcluster{{Nodes: 2, Uplink: low}}},
		{Uplink: high, Subclusters: []Subcluster{{Nodes: 1, Uplink: low}, {Nodes: 3, Uplink: low}}},
	}}
	expect.Same(t, levels.Tree(), want, "what was made")
	// Switches of 3 in halves of 2: the nodes of the second half begin at 6.
	expect.Same(t, levels.Padded(), []int32{0, 1, 6, 9, 10, 11}, "what was made")
}

// In random trees, the lowest common switch of two nodes is at the same level in the tree of subclusters and among the
// padded positions; the number of nodes is also the same.
func TestPaddedPositions(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		levels := Levels{}
		for range 1 + r.IntN(4) {
			groups := make([]int, 1+r.IntN(3))
			most := 0
			for i := range groups {
				groups[i] = 1 + r.IntN(4)
				most = max(most, groups[i])
			}
			levels.Counts, levels.Groups = append(levels.Counts, most), append(levels.Groups, groups)
		}
		top := len(levels.Counts) - 1
		levels.Counts[top], levels.Groups[top] = levels.Groups[top][0], nil
		levels.Uplinks = make([]topology.Connection, top)
		var paths [][]int // of each node, the switches on the way to it, from the top
		var visit func(s Subcluster, path []int)
		visit = func(s Subcluster, path []int) {
			for range s.Nodes {
				paths = append(paths, path)
			}
			for i, below := range s.Subclusters {
				visit(below, append(path[:len(path):len(path)], i))
			}
		}
		visit(Subcluster(levels.Tree()), nil)
		padded := levels.Padded()
		expect.Need(t, len(padded) == len(paths) && levels.switches()[0] == int64(len(paths)),
			"%+v: %d positions, %v switches, %d nodes", levels, len(padded), levels.switches(), len(paths))
		for i := range paths {
			for j := range i {
				want := top
				for l := range paths[i] {
					if paths[i][l] != paths[j][l] {
						break
					}
					want--
				}
				a, b, got := padded[i], padded[j], 0
				expect.Need(t, a != b, "%+v: nodes %d and %d are both at %d", levels, i, j, a)
				for a, b = a/int32(levels.Counts[0]), b/int32(levels.Counts[0]); a != b; got++ {
					a, b = a/int32(levels.Counts[got+1]), b/int32(levels.Counts[got+1])
				}
				expect.Need(t, got == want, "%+v: nodes %d and %d meet at level %d, want %d", levels, j, i, got, want)
			}
		}
	}
}
