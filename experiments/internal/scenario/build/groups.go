package build

import "github.com/isoscale/isoscale/topology"

// Groups returns the group of each node of a machine: the nodes at one switch of a tree, at one leaf of a fat tree (or
// in one group of leaves, where each card has its leaf), or in one group of a dragonfly. On other topologies a group is
// an entry of the machine's nodes.
func Groups(m *topology.Machine) []int32 {
	group := make([]int32, CountNodes(m))
	next, count := 0, int32(0) // nodes and groups so far
	add := func(nodes int) {
		for end := min(next+nodes, len(group)); next < end; next++ {
			group[next] = count
		}
		if nodes > 0 {
			count++
		}
	}
	var each func(s Subcluster)
	each = func(s Subcluster) {
		add(s.Nodes)
		for _, sub := range s.Subclusters {
			each(sub)
		}
	}
	equal := func(nodes int) {
		for next < len(group) {
			add(nodes)
		}
	}
	wired := m.Network.Topology
	if r, ok := wired.(Rails); ok {
		wired = r.Tree
	}
	switch t := wired.(type) {
	case Levels:
		each(Subcluster(t.Tree()))
	case Tree:
		each(Subcluster(t))
	case FatTree:
		equal(t.Down[0])
	case LeafSpine:
		equal(t.Hosts)
	case Dragonfly:
		equal(int(product(t.Chassis, t.Routers, t.Nodes)))
	default:
		for _, g := range m.Groups {
			add(g.Count)
		}
	}
	return group
}
