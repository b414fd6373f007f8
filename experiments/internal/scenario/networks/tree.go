package networks

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// treeNetwork is what a network model that prices messages one by one knows of a
// tree of equal subclusters.
type treeNetwork struct {
	levels build.Levels
	below  []network.Model // between nodes whose lowest common switch is of a level
}

// behindUplinks makes the model between nodes that have uplinks between them from
// that of nodes at one switch. The uplinks add latency, and a message is not faster
// than bandwidth. It returns the parameters that this changes, as [reader.note]
// takes them.
type behindUplinks func(latency units.Seconds, bandwidth units.BytesPerSecond) (network.Model, []input.Parameter)

// treeLevels prices messages over the uplinks of a machine that is a tree of equal
// subclusters. On its own, a message takes the same time on the links of that tree.
func (p *reader) treeLevels(n *Network, machine topology.Network, behind behindUplinks) {
	t, ok := machine.Topology.(build.Levels)
	if !ok {
		return
	}
	if between := p.Take("between_groups"); between != nil {
		p.Fail(between, "the topology of the machine has levels, whose uplinks say the same", "latency and bandwidth in machine.network.topology.uplinks")
	}
	n.tree = &treeNetwork{levels: t, below: []network.Model{n.Base}}
	for l := 1; l < len(t.Counts); l++ {
		m, notes := behind(t.Below(l))
		n.tree.below = append(n.tree.below, m)
		for _, x := range notes {
			p.note(fmt.Sprintf("level_%d.%s", l+1, x.Name), x.Value, input.Plural(l, "uplink")+" up and down")
		}
	}
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
