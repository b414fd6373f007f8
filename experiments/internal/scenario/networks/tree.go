package networks

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/network"
)

// treeNetwork is what a network model that prices messages one by one knows of a
// tree of equal subclusters.
type treeNetwork struct {
	levels build.Levels
	below  []network.Model // between nodes whose lowest common switch is of a level
}

// treeLevels prices messages over the uplinks of a machine that is a tree of equal
// subclusters. On its own, a message takes the same time on the links of that tree.
func treeLevels[M network.Model](k *schema.Keys, s *setup, base M, c *connection[M]) {
	t, ok := s.machine.Topology.(build.Levels)
	if !ok {
		return
	}
	if between := k.Node("between_groups"); between != nil {
		k.Fail(between, "the topology of the machine has levels, whose uplinks say the same", "latency and bandwidth in machine.network.topology.uplinks")
	}
	s.network.tree = newTree(t, base, c)
	for l, m := range s.network.tree.below[1:] {
		own := level[M]{m.(M), s.noted(fmt.Sprintf("level_%d.", l+2), input.Plural(l+1, "uplink")+" up and down")}
		c.record.Read(k.Decoder, nil, &own) // notes its parameters
	}
}

func newTree[M network.Model](t build.Levels, base M, c *connection[M]) *treeNetwork {
	tree := &treeNetwork{levels: t, below: []network.Model{base}}
	for l := 1; l < len(t.Counts); l++ {
		latency, bandwidth := t.Below(l)
		tree.below = append(tree.below, c.behind(base, latency, bandwidth))
	}
	return tree
}

// positions returns where nodes are in a tree of equal subclusters: some nodes of a
// machine, by rank.
func (t *treeNetwork) positions(hosts []int32) []int32 {
	if t.levels.Groups == nil {
		return hosts
	}
	padded := t.levels.Padded()
	all := make([]int32, len(hosts))
	for i, h := range hosts {
		all[i] = padded[h]
	}
	return all
}
