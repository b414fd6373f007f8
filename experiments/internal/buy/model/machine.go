package model

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Machine returns some nodes of a choice as a machine, and the processes and threads on
// it. Their network is that of the whole choice. REQUIRES: the network can connect it.
func (p *Plan) Machine(c Choice, parts []int) (*topology.Machine, topology.Selection) {
	w, _ := p.Wiring(c)
	n := &p.Networks[c.Network]
	onNode := p.OnNode
	m := &topology.Machine{
		Name: p.Name(c),
		Network: topology.Network{
			Title: n.Title, Latency: n.latency(w), Bandwidth: n.Bandwidth, OnNode: &onNode, Topology: build.Star{},
		},
	}
	use := topology.Selection{Processes: map[string]int{}, Threads: map[string]int{}, Precision: map[string]string{}}
	cards := 1 // the most of any node
	for t, count := range parts {
		if count == 0 {
			continue
		}
		x := &p.Nodes[t]
		cards = max(cards, x.Cards)
		m.Types = append(m.Types, x.nodeType())
		if x.Devices != nil {
			use.Precision[x.Name] = x.Precision
		}
		m.Groups = append(m.Groups, topology.Group{Type: x.Name, Name: x.Name, Count: count, First: 1})
		use.Processes[x.Name], use.Threads[x.Name] = x.Processes, x.Threads
	}
	if w.Spines > 0 {
		// A leaf has as many nodes as it has ports for their cards, and the uplinks
		// that it has, whatever that is in terms of nodes.
		hosts := max(1, w.Down/cards)
		m.Network.Topology = build.LeafSpine{Hosts: hosts, Spines: w.Spines, Oversubscription: float64(hosts) * float64(w.Leaves) / float64(w.Uplinks)}
	}
	return m, use
}

// nodeType returns the node type as one of a machine.
func (n *Node) nodeType() topology.NodeType {
	t := topology.NodeType{
		Name: n.Name, Title: n.Title, Cores: n.Cores,
		MarkedSpeed: n.Speed / units.FlopsPerSecond(n.Cores),
		Memory:      n.Memory, MemoryBandwidth: n.MemoryBandwidth,
		NICs: n.Cards, OnNode: n.OnNode, Kernels: n.Kernels,
	}
	if n.Devices != nil {
		count := n.Devices.Count // of which n has the sums
		t.Devices = &topology.Devices{
			Count:  n.Cores,
			Speeds: n.speeds(t.MarkedSpeed),
			Memory: n.Memory / units.Bytes(count), MemoryBandwidth: n.MemoryBandwidth / units.BytesPerSecond(count),
			Link: n.OnNode, Kernels: n.Devices.Kernels,
		}
	}
	return t
}

// speeds returns the speeds of a device whose marked speed may be another than that of
// the description, as in the samples of robustness: the others are in proportion to it.
func (n *Node) speeds(marked units.FlopsPerSecond) []topology.PrecisionSpeed {
	all := slices.Clone(n.Devices.Speeds)
	of := n.Devices.Speed(n.Precision)
	for i := range all {
		if all[i].Precision == n.Precision {
			all[i].Speed = marked
		} else {
			all[i].Speed *= marked / of
		}
	}
	return all
}
