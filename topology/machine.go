package topology

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Machine is a cluster: groups of equal nodes and the network between them.
type Machine struct {
	Name    string
	Title   string
	Source  string   // where the figures come from
	Notes   []string // what is assumed, and other remarks
	Types   []NodeType
	Groups  []Group
	Network Network
}

// NodeType is one kind of node. A quantity of 0 (and a Price without a
// currency) means that it is not known, but for Cores and MarkedSpeed, which
// must be above 0.
type NodeType struct {
	Name  string
	Title string
	Cores int
	// MarkedSpeed is the sustained speed of one core as benchmarked: C_i of
	// [Chen2008] Definition 1.
	MarkedSpeed     units.FlopsPerSecond
	Memory          units.Bytes          // of the node
	MemoryBandwidth units.BytesPerSecond // of the node
	NIC             units.BytesPerSecond // one network card, each way
	NICs            int                  // network cards of the node; 0 is one
	// OnNode connects the processes of a node, if that differs from the rest of
	// the machine; nil if not.
	OnNode           *Connection
	Kernels          []Kernel    // the efficiencies of a core
	Price            units.Money // of the node
	Power, IdlePower units.Watts // of the node without its devices, under load and without work
	WaitPower        units.Watts // the same while its processes are in messages
	Devices          *Devices    // accelerators; nil if the node has none
}

// Group is a number of nodes of one type.
type Group struct {
	Type  string // a NodeType's name
	Count int    // at least 1
	// Name and First give the nodes their names: Name-First, Name-(First+1),
	// ...; the single node of a group with First 0 is just Name.
	Name  string
	First int
}

// Network is what is known of the network as a whole; how much of it a
// simulation uses depends on the network model.
type Network struct {
	Title        string
	Latency      units.Seconds        // of an empty message from process to process, at least 0
	Bandwidth    units.BytesPerSecond // of one process's messages, above 0
	SendOverhead units.Seconds        // the sending core's part, at least 0
	RecvOverhead units.Seconds        // the receiving core's part, at least 0
	// Between processes of one node, and between nodes of different groups, if
	// that differs; nil if not.
	OnNode, BetweenGroups *Connection
	// Topology is how the nodes are wired; nil if nothing is said about it.
	Topology Topology
	// HalfDuplex: both directions of a cable share its bandwidth.
	HalfDuplex bool
	// Power is drawn at all times for each node: ports, cables, its part of the
	// switches; 0 if it is not known.
	Power units.Watts
}

// Topology is one of the topologies of package build.
type Topology interface {
	// Kind returns what machine files call it: star, fat-tree, ...
	Kind() string
}

// Connection is how well two processes are connected.
type Connection struct {
	Latency   units.Seconds        // at least 0
	Bandwidth units.BytesPerSecond // above 0
}

// Words prints the connection for people.
func (c Connection) Words() string { return c.Latency.String() + ", " + c.Bandwidth.String() }

// Type returns the node type of that name, or nil.
func (m *Machine) Type(name string) *NodeType {
	for i := range m.Types {
		if m.Types[i].Name == name {
			return &m.Types[i]
		}
	}
	return nil
}

// TypeNames returns the names of the node types in the order of the machine.
func (m *Machine) TypeNames() []string {
	names := make([]string, len(m.Types))
	for i, t := range m.Types {
		names[i] = t.Name
	}
	return names
}

// Available returns how many nodes of a type the machine has.
func (m *Machine) Available(typeName string) int {
	n := 0
	for _, g := range m.Groups {
		if g.Type == typeName {
			n += g.Count
		}
	}
	return n
}

// NodeName returns the name of the i-th node of the group, i from 0.
func (g Group) NodeName(i int) string {
	if g.Count == 1 && g.First == 0 {
		return g.Name
	}
	return fmt.Sprintf("%s-%d", g.Name, g.First+i)
}
