package networks

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// Network is a network model with its parameters, and a note on each.
type Network struct {
	cluster.Network
	Parameters []input.Parameter
}

// Type is a network as a file states it.
func Type() schema.Type {
	forms := []schema.Type{schema.OneOf(Names())}
	return schema.AnyOf(each.Append(forms, Kinds, func(k *Kind) schema.Type { return k.record.Object }))
}

// Read reads the network of a scenario: the name of a model, or a mapping
// with name and parameters. Parameters that are not given are the machine's.
func Read(d *yamldoc.Decoder, n *yamldoc.Node, m *topology.Machine) Network {
	name, keys := n, (*yamldoc.Node)(nil)
	if n.IsMapping() {
		name, keys = d.Mapping(n, "a network").Require("name", "the name of a network model"), n
	}
	k := KindOf(d.OneOf(name, Names(), "network model"))
	if k == nil {
		return Network{}
	}
	net := readParameters(d, k, keys, m)
	if k.SharesLinks {
		machines.CheckLinks(d, name, m)
	}
	return net
}

// readParameters reads the parameters of a network model from a mapping, nil for none.
func readParameters(d *yamldoc.Decoder, k *Kind, n *yamldoc.Node, m *topology.Machine) Network {
	if m == nil { // it could not be read
		m = &topology.Machine{}
	}
	s := setup{machine: m.Network, notes: make([]input.Parameter, 0, 8)}
	k.record.Read(d, n, &s)
	if s.network.Kind = k.Kind; !k.Kind.Free {
		s.noteOnNode(m)
	}
	return Network{s.network, s.notes}
}

// noteOnNode notes how node types and devices are connected inside, where that is
// their own and counts.
func (s *setup) noteOnNode(m *topology.Machine) {
	for _, t := range m.Types {
		if t.OnNode != nil && !s.onNodeGiven {
			s.note("on_node of "+t.Name, t.OnNode.Words(), "machine")
		}
		if t.Devices != nil && t.Devices.Link != nil {
			s.note("device link of "+t.Name, t.Devices.Link.Words(), fromMachine)
		}
		if t.Devices != nil && t.Devices.Across() != nil {
			s.note("domain of "+t.Name, fmt.Sprintf("%d nodes, %s", t.Devices.DomainNodes, t.Devices.Across().Words()), fromMachine)
		}
	}
}
