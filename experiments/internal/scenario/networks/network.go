package networks

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
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
	Own         sim.Network // a library user's; then nothing else is set
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

// Kind is a network model of the catalogue: how it is called, what a file
// may set, what it can do, and how it is read.
type Kind struct {
	Name, Title string
	Parameters  []schema.Field
	// SharesLinks: messages share the links of the machine's topology.
	SharesLinks bool
	// SharesMemory: computations share the memory bandwidth of their node exactly,
	// where other models give each process an equal share.
	SharesMemory bool

	read   func(p *reader, m topology.Network) Network
	object *schema.Object
}

// Kinds are the network models from the simplest to the richest.
var Kinds = declared(
	&idealNetwork,
	&hockneyNetwork,
	&loggopsNetwork,
	&flowNetwork,
)

// declared gives every model the declaration of its mapping.
func declared(kinds ...*Kind) []*Kind {
	for _, k := range kinds {
		name := schema.Field{Key: "name", Type: schema.OneOf{k.Name}, Required: true, Meaning: k.Title}
		k.object = &schema.Object{What: "a network", Ref: "network-" + k.Name, Fields: append([]schema.Field{name}, k.Parameters...)}
	}
	return kinds
}

var idealNetwork = Kind{
	Name: "ideal", Title: "messages cost nothing: the upper bound",
	read: func(*reader, topology.Network) Network { return Network{Base: network.Ideal{}} },
}

// Names returns the names of all network models.
func Names() []string {
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = k.Name
	}
	return names
}

// Kind returns the entry of the model in the catalogue.
func (n Network) Kind() *Kind { return kindOf(n.Model) }

// kindOf returns the model of a name, nil for none.
func kindOf(name string) *Kind {
	if i := slices.Index(Names(), name); i >= 0 {
		return Kinds[i]
	}
	return nil
}

// Type is how a file gives a network.
func Type() schema.Type {
	forms := schema.AnyOf{schema.OneOf(Names())}
	for _, k := range Kinds {
		forms = append(forms, k.object)
	}
	return forms
}

// anyNetwork is a network whose model is not known.
var anyNetwork = &schema.Object{What: "a network", Fields: []schema.Field{{Key: "name", Type: schema.Text, Required: true}}}

// Read reads the network of a scenario: the name of a model, or a mapping
// with name and parameters. Parameters that are not given are the machine's.
func Read(d *yamldoc.Decoder, n *yamldoc.Node, m *topology.Machine) Network {
	name, keys := n, (*yamldoc.Node)(nil)
	if n.IsMapping() {
		name, keys = anyNetwork.Open(d, n).Require("name", "the name of a network model"), n
	}
	k := kindOf(d.OneOf(name, Names(), "network model"))
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
	p := &reader{Decoder: d, Mapping: k.object.Open(d, n), other: "machine"}
	p.Take("name")
	net := k.read(p, m.Network)
	net.noteOnNode(p, m)
	net.Model, net.Parameters = k.Name, p.notes
	p.Done()
	return net
}

// noteOnNode notes how node types and devices are connected inside, where that is
// their own and counts.
func (n *Network) noteOnNode(p *reader, m *topology.Machine) {
	if n.connected == nil && n.Flow == nil {
		return
	}
	for _, t := range m.Types {
		if t.OnNode != nil && !n.onNodeGiven {
			p.note("on_node of "+t.Name, t.OnNode.Words(), "machine")
		}
		if t.Devices != nil && t.Devices.Link != nil {
			p.note("device link of "+t.Name, t.Devices.Link.Words(), "machine")
		}
	}
}

// reader reads parameters that the machine knows where the file does not
// give them, and notes each with its value and where that comes from.
type reader struct {
	*yamldoc.Decoder
	*schema.Mapping
	prefix string // of the names in notes
	other  string // where values come from that the file does not give
	notes  []input.Parameter
}

func (p *reader) note(key, value, source string) {
	p.notes = append(p.notes, input.Parameter{Name: p.prefix + key, Value: value, Note: source})
}

func (p *reader) time(key string, value units.Seconds) units.Seconds {
	return noted(p, schema.Time, key, value)
}

// noted reads a quantity that replaces value.
func noted[T interface {
	~float64
	fmt.Stringer
}](p *reader, kind schema.Quantity[T], key string, value T) T {
	n, source := p.Take(key), p.other
	if n != nil {
		value, source = kind.Read(p.Decoder, n), "scenario"
	}
	p.note(key, value.String(), source)
	return value
}

// limit reads the largest size that is sent without waiting for the receiver.
func (p *reader) limit(key string) units.Bytes {
	n := p.Take(key)
	if n == nil {
		p.note(key, "none", "default: no message waits for its receiver")
		return units.Bytes(math.Inf(1))
	}
	size := eagerSize.Read(p.Decoder, n)
	p.note(key, size.String(), "scenario")
	if size == 0 {
		return network.AlwaysRendezvous
	}
	return size
}

var eagerSize = schema.Size.Wanted("the largest size sent without waiting for the receiver, at least 0, such as 64 KiB")

// eagerLimit is the declaration of what limit reads.
func eagerLimit(key string) schema.Field {
	return schema.Field{Key: key, Type: eagerSize, Default: "none: no message waits", Meaning: "largest message sent without waiting for the receiver (eager)"}
}

// levels declares the levels of the hierarchy that have connections of their own.
// Form names their keys.
func levels(form string, connection *schema.Object) []schema.Field {
	return []schema.Field{
		{Key: "on_node", Type: connection, Default: "the machine's", Meaning: form + " between processes of one node"},
		{Key: "between_groups", Type: connection, Default: "the machine's", Meaning: form + " between nodes of different groups"},
	}
}

// level returns a reader for a level of the hierarchy, or nil if neither the
// file nor the machine has one.
func (p *reader) level(key string, machine *topology.Connection) *reader {
	n := p.Take(key)
	if n == nil && machine == nil {
		return nil
	}
	connection := p.Declaration(key).(*schema.Object)
	return &reader{Decoder: p.Decoder, Mapping: connection.Open(p.Decoder, n), prefix: key + ".", other: p.other}
}

// levels reads the levels of the hierarchy. model makes the model of a level from what
// the machine says of it, behind that of nodes with uplinks between them.
func (p *reader) levels(n *Network, machine topology.Network, model func(q *reader, c topology.Connection) network.Model, behind behindUplinks) {
	p.treeLevels(n, machine, behind)
	for _, l := range []struct {
		key     string
		machine *topology.Connection
		model   *network.Model
	}{
		{"on_node", machine.OnNode, &n.onNode},
		{"between_groups", machine.BetweenGroups, &n.betweenGroups},
	} {
		given := p.Take(l.key) != nil
		q := p.level(l.key, l.machine)
		if q == nil {
			continue
		}
		n.onNodeGiven = n.onNodeGiven || given && l.key == "on_node"
		c := topology.Connection{Latency: machine.Latency, Bandwidth: machine.Bandwidth}
		if l.machine != nil {
			c = *l.machine
		}
		*l.model = model(q, c)
		q.Done()
		p.notes = append(p.notes, q.notes...)
	}
}

// New returns a network model on a machine. Settings are parameters as in a
// scenario, such as "latency: 2 us"; what they leave out is the machine's, and 0 if
// m is nil.
func New(model string, settings []string, m *topology.Machine) (Network, error) {
	text := []byte("name: " + model + "\n")
	for _, s := range settings {
		text = append(append(text, s...), '\n')
	}
	root, err := yamldoc.Parse("network "+model, text)
	if err != nil {
		return Network{}, err
	}
	if !root.IsMapping() {
		return Network{}, input.Errorf("network %s: expected settings such as \"latency: 2 us\"", model)
	}
	var d yamldoc.Decoder
	k := kindOf(model)
	n := readParameters(&d, k, root, m)
	if k.SharesLinks && m != nil {
		machines.CheckLinks(&d, root, m)
	}
	return n, d.Err()
}
