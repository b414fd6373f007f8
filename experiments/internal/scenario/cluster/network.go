package cluster

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Kind is the name of a network model and what it can do.
type Kind struct {
	Name, Title string
	// SharesLinks: messages share the links of the machine's topology.
	SharesLinks bool
	// SharesMemory: computations share the memory bandwidth of their node exactly,
	// where other models give each process an equal share.
	SharesMemory bool
	// Free: messages take no time and nothing of any resource.
	Free bool
	// OfGOAL: it is LogGOPS, the model for which GOAL schedules are made.
	OfGOAL bool
	// SendsInTurn: the messages of a process to other nodes leave one after the other, each taking at least its size
	// over the bandwidth of the machine.
	SendsInTurn bool
}

// Network is a network model with its parameters, ready for use.
type Network struct {
	Kind *Kind

	Base                  network.Model
	onNode, betweenGroups network.Model // nil where Base applies
	Tree                  *Tree         // nil if the machine is no tree of levels
	// connected makes the model of a connection that a node type states; nil if the model cannot use it.
	connected func(c topology.Connection) network.Model
	// behind makes the model of one connection behind another; nil as above.
	behind func(m network.Model, by topology.Connection) network.Model
	// changed makes the model of a changed connection; nil if nothing of it can change.
	changed func(m network.Model, c Change) network.Model
	law     *Change // of what laws of accelerators use of the machine; nil: none
	// level says what the costs of a connection consist of; nil if that is not known.
	level func(where string, m network.Model) Level
	// onNodeGiven: the file gives the connection between processes of a node, whatever the machine says.
	onNodeGiven bool
	Flow        *Flow       // nil if messages are priced one by one
	Own         sim.Network // see [Of]; then nothing else is set
}

// Tree is what a network model that prices messages one by one knows about a tree of equal subclusters.
type Tree struct {
	levels build.Levels
	Below  []network.Model // between nodes, by the level of their lowest common switch
}

// A Pricing is what distinguishes the connections of a machine in a model that prices messages one by one.
type Pricing[M network.Model] struct {
	Of func(base M, c topology.Connection) M
	// Behind makes the model of one connection behind another, such as uplinks: it adds latency, and messages are no
	// faster than bandwidth.
	Behind  func(base M, latency units.Seconds, bandwidth units.BytesPerSecond) M
	Changed func(M, Change) M
	// Parameters and Bill say what the costs of a message consist of.
	Parameters func(M) []Parameter
	Bill       func(m M, size units.Bytes) Bill
}

// Price returns a network of a model that prices messages one by one. Base also connects processes of one node, and
// nodes of different groups, unless other connections are given; own says that onNode applies whatever node types
// state.
func Price[M network.Model](kind *Kind, base M, p *Pricing[M], t topology.Topology,
	onNode, betweenGroups *M, own bool,
) Network {
	n := Network{Kind: kind, Base: base, onNodeGiven: own}
	n.connected = func(c topology.Connection) network.Model { return p.Of(base, c) }
	n.behind = func(m network.Model, by topology.Connection) network.Model {
		return p.Behind(m.(M), by.Latency, by.Bandwidth)
	}
	n.changed = func(m network.Model, c Change) network.Model { return p.Changed(m.(M), c) }
	n.level = func(where string, m network.Model) Level { return p.level(where, m.(M)) }
	if onNode != nil {
		n.onNode = *onNode
	}
	if betweenGroups != nil {
		n.betweenGroups = *betweenGroups
	}
	if levels, ok := t.(build.Levels); ok {
		n.Tree = &Tree{levels: levels}
		for l := range levels.Counts {
			below := base
			if l > 0 {
				latency, bandwidth := levels.Below(l)
				below = p.Behind(base, latency, bandwidth)
			}
			n.Tree.Below = append(n.Tree.Below, below)
		}
	}
	return n
}

// SharesCores reports whether processes may share the cores of a node.
func (n Network) SharesCores() bool { return n.Flow != nil }

// on returns the network between the processes of a placement on a machine.
func (n Network) on(m *topology.Machine, p *topology.Placement) sim.Network {
	if n.Own != nil {
		return n.Own
	}
	onNode := n.onNodeOf(p)
	return n.withCopies(n.withDomains(n.behindCards(m, p, onNode), p, onNode), p, onNode)
}

// between returns the network between different processes of a placement; onNode are the connections inside nodes, by
// block.
func (n Network) between(m *topology.Machine, p *topology.Placement, onNode []network.Model) network.Model {
	if n.Tree != nil {
		_, group := p.Locations()
		return network.NewTree(n.Tree.positions(build.Hosts(m, p)), group, n.Tree.levels.Counts, onNode, n.Tree.Below)
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

// withDomains returns a network in which devices of one domain are connected by links.
func (n Network) withDomains(between network.Model, p *topology.Placement, onNode []network.Model) network.Model {
	if n.connected == nil || !slices.ContainsFunc(p.Blocks, acrossNodes) {
		return between
	}
	node, block := p.Locations()
	across := slices.Clone(onNode)
	for i, b := range p.Blocks {
		if acrossNodes(b) {
			across[i] = n.connected(*b.Type.Devices.Across())
		}
	}
	in := network.NewHierarchy(domainsOf(p), block, across, between, between)
	if slices.Equal(across, onNode) {
		return in
	}
	return network.NewHierarchy(node, block, onNode, in, in)
}

func acrossNodes(b topology.Block) bool { return b.OnDevices() && b.Type.Devices.Across() != nil }

// domainsOf returns the domain of each rank, as the number of its first node among those that take part.
func domainsOf(p *topology.Placement) []int32 {
	domain, block := p.Locations()
	for rank, b := range block {
		if b := &p.Blocks[b]; acrossNodes(*b) {
			domain[rank] -= (domain[rank] - int32(b.FirstNode)) % int32(b.Type.Devices.DomainNodes)
		}
	}
	return domain
}

// onNodeOf returns the network inside the nodes of each block of a placement: the links of devices, or else what the
// file gives, what the node type states, or what the machine states.
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

// positions returns where nodes are in a tree of equal subclusters; hosts has the nodes by rank.
func (t *Tree) positions(hosts []int32) []int32 {
	if t.levels.Groups == nil {
		return hosts
	}
	padded := t.levels.Padded()
	return each.Of(hosts, func(h int32) int32 { return padded[h] })
}
