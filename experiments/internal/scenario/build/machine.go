package build

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// Platform returns a machine down to its links, with all its nodes in the order of the groups.
func Platform(m *topology.Machine) (*topology.Platform, error) {
	c, notes, err := ClusterOf(m)
	if err != nil {
		return nil, err
	}
	return PlatformOf(c, notes)
}

// PlatformOf returns the platform made from c, with these notes before its own.
func PlatformOf(c Cluster, notes []string) (*topology.Platform, error) {
	p, err := c.Platform()
	if err != nil {
		return nil, fault.Errorf("machine %s: %v", c.Name, err)
	}
	p.Notes = append(notes, p.Notes...)
	return p, nil
}

// ClusterOf returns what the platform of a machine is made from, and notes on assumptions.
func ClusterOf(m *topology.Machine) (Cluster, []string, error) {
	n := &m.Network
	c := Cluster{Name: m.Name, Network: Network{Latency: n.Latency, Bandwidth: n.Bandwidth, HalfDuplex: n.HalfDuplex}}
	if n.OnNode != nil {
		c.Network.OnNode = *n.OnNode
	}
	if n := CountNodes(m); n > MaxNodes {
		return c, nil, fault.Errorf("machine %s has %d nodes; expected at most %d where messages share links", m.Name, n, MaxNodes)
	}
	for _, g := range m.Groups {
		t := m.Type(g.Type)
		for i := range g.Count {
			c.Nodes = append(c.Nodes, Node{Name: g.NodeName(i), Cores: t.Cores, Speed: t.MarkedSpeed,
				MemoryBandwidth: t.MemoryBandwidth, NIC: t.NIC, NICs: t.NICs, OnNode: t.OnNode})
		}
	}
	var notes []string
	switch t := m.Network.Topology.(type) {
	case Topology:
		c.Topology = t
	case nil:
		c.Topology, notes = defaultTopology(m)
	default:
		return c, nil, fault.Errorf("machine %s: cannot build the topology %s", m.Name, t.Kind())
	}
	return c, notes, nil
}

// CountNodes returns how many nodes a machine has.
func CountNodes(m *topology.Machine) int {
	return each.Sum(m.Groups, func(g topology.Group) int { return g.Count })
}

// Hosts returns for each rank its node, counted among all nodes of the machine in the order of the groups: its host on
// the platform of the machine.
func Hosts(m *topology.Machine, p *topology.Placement) []int32 {
	var skipped []int32 // by block: earlier nodes that do not take part
	first := 0
	for _, g := range m.Groups {
		if b := len(skipped); b < len(p.Blocks) && p.Blocks[b].Group == g {
			skipped = append(skipped, int32(first-p.Blocks[b].FirstNode))
		}
		first += g.Count
	}
	hosts, block := p.Locations()
	for r, b := range block {
		hosts[r] += skipped[b]
	}
	return hosts
}

// defaultTopology is the topology of a machine that names none: a star or, with a connection between its groups, a tree
// of groups. An uplink has that connection's bandwidth and half of its latency in excess of the network's, so that a
// single message takes the same time as in the network models that price messages one by one.
func defaultTopology(m *topology.Machine) (Topology, []string) {
	between := m.Network.BetweenGroups
	if between == nil || len(m.Groups) == 1 {
		return Star{}, nil
	}
	uplink := topology.Connection{Latency: max(0, (between.Latency-m.Network.Latency)/2), Bandwidth: between.Bandwidth}
	var t Tree
	for _, g := range m.Groups {
		name := "group." + g.Name
		if g.Count > 1 {
			name = fmt.Sprintf("%s-%d..%d", name, g.First, g.First+g.Count-1)
		}
		t.Subclusters = append(t.Subclusters, Subcluster{Name: name, Nodes: g.Count, Uplink: uplink})
	}
	notes := []string{fmt.Sprintf("no topology is given: between_groups becomes one uplink of %v for each group of nodes, which all messages that leave or enter the group share", uplink.Bandwidth)}
	if between.Latency < m.Network.Latency {
		notes = append(notes, fmt.Sprintf("between_groups has less latency than the network, %v; where messages share links they take %v between groups too", between.Latency, m.Network.Latency))
	}
	return t, notes
}
