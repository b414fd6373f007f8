package networks

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Network is a network model with its parameters, ready for use.
type Network struct {
	Model      string // its name in the catalogue
	Parameters []input.Parameter

	Base                  network.Model
	onNode, betweenGroups network.Model // nil where it is Base
	tree                  *treeNetwork  // nil if the machine is no tree of levels
	// connected makes the model of a connection that a node type has; nil if the
	// model has no use for it.
	connected func(c topology.Connection) network.Model
	// onNodeGiven: the file says how processes of a node are connected, whatever
	// the machine says.
	onNodeGiven bool
	Flow        *Flow       // nil if messages are priced one by one
	Own         sim.Network // see [Of]; then nothing else is set
}

// SharesCores reports whether processes may share the cores of a node.
func (n Network) SharesCores() bool { return n.Flow != nil }

// Levels reports whether processes on one node, in different groups, or at different
// switches, have connections of their own.
func (n Network) Levels() bool { return n.onNode != nil || n.betweenGroups != nil || n.tree != nil }

// On returns the network between the processes of a placement on a machine.
func (n Network) On(m *topology.Machine, p *topology.Placement) sim.Network {
	if n.Own != nil {
		return n.Own
	}
	onNode := n.onNodeOf(p)
	if n.tree != nil {
		_, group := p.Locations()
		return network.NewTree(n.tree.positions(machines.Hosts(m, p)), group, n.tree.levels.Counts, onNode, n.tree.below)
	}
	between := n.Base
	if n.betweenGroups != nil {
		between = n.betweenGroups
	}
	if between == n.Base && !slices.ContainsFunc(onNode, func(m network.Model) bool { return m != n.Base }) {
		return n.Base
	}
	node, group := p.Locations()
	return network.NewHierarchy(node, group, onNode, n.Base, between)
}

// onNodeOf returns the network inside the nodes of each run of a placement: the
// links of devices, else what the file says, else what the node type says, else
// what the machine says.
func (n Network) onNodeOf(p *topology.Placement) []network.Model {
	models := make([]network.Model, len(p.Blocks))
	for i, r := range p.Blocks {
		c := r.OnNode()
		switch {
		case n.connected != nil && c != nil && (r.OnDevices() && r.Type.Devices.Link != nil || !n.onNodeGiven):
			models[i] = n.connected(*c)
		case n.onNode != nil:
			models[i] = n.onNode
		default:
			models[i] = n.Base
		}
	}
	return models
}

// Kind returns the entry of the model in the catalogue.
func (n Network) Kind() *Kind {
	if k := KindOf(n.Model); k != nil {
		return k
	}
	return &ownKind
}

// Type is how a file gives a network.
func Type() schema.Type {
	forms := schema.AnyOf{schema.OneOf(Names())}
	for _, k := range Kinds {
		forms = append(forms, k.record.Object)
	}
	return forms
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
	s := setup{machine: m.Network}
	k.record.Read(d, n, &s)
	s.noteOnNode(m)
	s.network.Model, s.network.Parameters = k.Name, s.notes
	return s.network
}

// noteOnNode notes how node types and devices are connected inside, where that is
// their own and counts.
func (s *setup) noteOnNode(m *topology.Machine) {
	n := &s.network
	if n.connected == nil && n.Flow == nil {
		return
	}
	for _, t := range m.Types {
		if t.OnNode != nil && !n.onNodeGiven {
			s.note("on_node of "+t.Name, t.OnNode.Words(), "machine")
		}
		if t.Devices != nil && t.Devices.Link != nil {
			s.note("device link of "+t.Name, t.Devices.Link.Words(), "machine")
		}
	}
}
