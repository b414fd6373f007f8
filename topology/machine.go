package topology

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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

// NodeType is one kind of node. A quantity of 0 (and a Price without a currency) is not
// known. Cores and MarkedSpeed must be above 0.
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
	// OnNode connects the processes of a node if the type differs from the rest of the
	// machine; otherwise nil.
	OnNode           *Connection
	Kernels          []Kernel    // the efficiencies of a core
	Price            units.Money // of the node
	Power, IdlePower units.Watts // of the node without its devices, under load and without work
	WaitPower        units.Watts // the same while its processes send or wait for messages
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

// Network describes the network as a whole; the network model decides how much of this
// a simulation uses.
type Network struct {
	Title        string
	Latency      units.Seconds        // of an empty message from process to process, at least 0
	Bandwidth    units.BytesPerSecond // of one process's messages, above 0
	SendOverhead units.Seconds        // the sending core's part, at least 0
	RecvOverhead units.Seconds        // the receiving core's part, at least 0
	// Between processes of one node, and between nodes of different groups, if these
	// differ from the figures above; otherwise nil.
	OnNode, BetweenGroups *Connection
	// Topology is how the nodes are wired; nil if that is not known.
	Topology Topology
	// HalfDuplex: both directions of a cable share its bandwidth.
	HalfDuplex bool
	// SwitchReduction: the switches perform reductions.
	SwitchReduction bool
	// Power is drawn at all times per node: ports, cables, its part of the switches; 0
	// if it is not known.
	Power units.Watts
}

// Topology is one of the topologies of package build.
type Topology interface {
	// Kind returns what machine files call it: star, fat-tree, ...
	Kind() string
}

// Connection is the latency and bandwidth between two processes.
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

// Devices are the accelerators of a node, all alike. A process on a device has it for
// itself. A quantity of 0 is not known.
type Devices struct {
	Count int // at least 1
	// Speeds are the marked speeds of one device by the precision of the numbers
	// that it computes with, in the order of the description; at least one.
	Speeds          []PrecisionSpeed
	Memory          units.Bytes          // of one device
	MemoryBandwidth units.BytesPerSecond // of one device, for its own memory
	// Link connects a device with the others of its node, each way; nil if they are
	// connected like the cores of the node.
	Link             *Connection
	Power, IdlePower units.Watts // of one device under load and without work
	WaitPower        units.Watts // of one device while its process sends or waits for messages
	Kernels          []Kernel    // the efficiencies of a device
	// Cards is the network card of each device, from 0. Nil: if the node has as many
	// cards as devices, each device has its own, otherwise all devices share all cards.
	Cards []int
	// DomainNodes consecutive nodes of a group (0: one) form a domain. DomainLink connects
	// devices across the nodes of a domain; nil: Link does.
	DomainNodes int
	DomainLink  *Connection
	// SwitchReduction is the rate at which a device takes part in reductions by the switches of its links, 0 if these
	// do not reduce; SwitchLatency is the latency each way, 0 for that of the links.
	SwitchReduction units.BytesPerSecond
	SwitchLatency   units.Seconds
	// Relay limits what a device forwards between domains: the latency of a level of trees of such switches, and the
	// bandwidth of rings. Zero: as the network and its link.
	Relay Connection
}

// PrecisionSpeed is the speed at which a device computes with numbers of one
// precision.
type PrecisionSpeed struct {
	Precision string // fp64, bf16, ...
	Speed     units.FlopsPerSecond
}

// Kernel is the efficiency of an inner loop: the fraction of the marked speed
// that it sustains.
type Kernel struct {
	Name     string
	Fraction float64 // above 0
}

// usualPrecision is the precision of marked speeds, and so the default of devices.
const usualPrecision = "fp64"

// Precisions returns the names of the precisions in the order of the description.
func (d *Devices) Precisions() []string {
	names := make([]string, len(d.Speeds))
	for i, s := range d.Speeds {
		names[i] = s.Precision
	}
	return names
}

// Speed returns the marked speed of a device at a precision, 0 if it is not known.
func (d *Devices) Speed(precision string) units.FlopsPerSecond {
	i := slices.IndexFunc(d.Speeds, func(s PrecisionSpeed) bool { return s.Precision == precision })
	if i < 0 {
		return 0
	}
	return d.Speeds[i].Speed
}

// DefaultPrecision returns the precision of devices unless one is given: double
// precision, or the only one that is known. It is "" if that is not clear.
func (d *Devices) DefaultPrecision() string {
	switch {
	case d.Speed(usualPrecision) > 0:
		return usualPrecision
	case len(d.Speeds) == 1:
		return d.Speeds[0].Precision
	}
	return ""
}

// Across returns the connection of a device with those on other nodes of its domain,
// nil if a domain is a single node.
func (d *Devices) Across() *Connection {
	if d.DomainNodes <= 1 {
		return nil
	}
	return cmp.Or(d.DomainLink, d.Link)
}

// Card returns the network card of a device, and how many of the first devices devices
// of the node use it. own is false if devices share all cards.
func (t *NodeType) Card(device, devices int) (card, sharing int, own bool) {
	switch cards := t.Devices.Cards; {
	case cards != nil:
		for _, c := range cards[:devices] {
			if c == cards[device] {
				sharing++
			}
		}
		return cards[device], sharing, true
	case t.Devices.Count == max(1, t.NICs):
		return device, 1, true
	}
	return 0, 0, false
}

// CheckDevices reports why n processes cannot run on the devices of each node of
// that type, one on each.
func (m *Machine) CheckDevices(typeName string, n int) error {
	t := m.Type(typeName)
	switch {
	case t == nil:
		return fmt.Errorf("machine %s has no node type %q", m.Name, typeName)
	case t.Devices == nil:
		return fmt.Errorf("a %s node has no devices", typeName)
	case n < 1 || n > t.Devices.Count:
		return fmt.Errorf("%d processes on each %s node; expected at least 1 and at most %d, one for each device", n, typeName, t.Devices.Count)
	}
	return nil
}

// CheckPrecision reports why the devices of that type cannot compute at a precision.
func (m *Machine) CheckPrecision(typeName, precision string) error {
	t := m.Type(typeName)
	if t == nil || t.Devices == nil {
		return m.CheckDevices(typeName, 1)
	}
	if t.Devices.Speed(precision) == 0 {
		return fmt.Errorf("the speed of the devices of %s at precision %q is not known; expected one of %s", typeName, precision, strings.Join(t.Devices.Precisions(), ", "))
	}
	return nil
}

// Kernel returns the efficiency of a kernel on the cores of a node, or on its
// devices; false if the type does not state it.
func (t *NodeType) Kernel(name string, onDevices bool) (float64, bool) {
	kernels := t.Kernels
	if onDevices && t.Devices != nil {
		kernels = t.Devices.Kernels
	}
	i := slices.IndexFunc(kernels, func(k Kernel) bool { return k.Name == name })
	if i < 0 {
		return 0, false
	}
	return kernels[i].Fraction, true
}

// TotalPower returns the power of a node with its devices under load, 0 if it is
// not known.
func (t *NodeType) TotalPower() units.Watts {
	if t.Power == 0 || t.Devices == nil {
		return t.Power
	}
	return t.Power + units.Watts(units.Watts(t.Devices.Count)*t.Devices.Power)
}

// TotalIdlePower is [NodeType.TotalPower] without work.
func (t *NodeType) TotalIdlePower() units.Watts {
	if t.IdlePower == 0 || t.Devices == nil {
		return t.IdlePower
	}
	return t.IdlePower + units.Watts(units.Watts(t.Devices.Count)*t.Devices.IdlePower)
}
