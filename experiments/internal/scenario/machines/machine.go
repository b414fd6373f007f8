package machines

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Catalogue reads a machine of the catalogue.
func Catalogue(name string) (*topology.Machine, error) {
	data, _ := topology.CatalogueFile(name)
	root, err := yamldoc.Parse("catalogue/"+name+".yaml", data)
	if err != nil {
		return nil, err
	}
	var d yamldoc.Decoder
	m := ReadBody(&d, root, name)
	return m, d.Err()
}

// maxNodes bounds the nodes of one group and the cores of one node: ranks are
// counted in 32 bits.
const maxNodes = 1 << 28

var (
	nodeCount  = schema.Integer{Min: 1, Max: maxNodes} // or a number of cores
	nodeNumber = schema.Integer{Min: 0, Max: math.MaxInt32}
)

// inline is the name of machines that a scenario describes itself.
const inline = "inline"

// After names a machine after a preposition, as in " on sunwulf", and is "" for a
// machine that the scenario describes itself.
func After(preposition string, m *topology.Machine) string {
	if m.Name == inline {
		return ""
	}
	return " " + preposition + " " + m.Name
}

// Read reads a machine: the name of a catalogue entry or of a file, or the
// description itself. base is the folder that relative file names start from.
func Read(r *document.Reader, n *yamldoc.Node, base string) *topology.Machine {
	const want = "the name of a machine in the catalogue, a file name ending in .yaml, or a machine as a mapping"
	switch {
	case n == nil:
		return nil
	case n.IsMapping():
		return ReadBody(&r.Decoder, n, inline)
	case !n.IsScalar() || n.IsNull():
		r.Fail(n, "not a machine", want)
		return nil
	}
	name := n.Text()
	return document.Once(r, name, func() *topology.Machine { return knownMachine(r, n, name, base) })
}

// knownMachine reads a machine of the catalogue or of a file.
func knownMachine(r *document.Reader, n *yamldoc.Node, name, base string) *topology.Machine {
	if data, ok := topology.CatalogueFile(name); ok {
		return machineFile(r, n, "catalogue/"+name+".yaml", data, name)
	}
	if !document.LooksLikeFile(name) {
		r.OneOf(n, topology.CatalogueNames(), "machine in the catalogue (a file name must end in .yaml or contain a /)")
		return nil
	}
	path := input.Resolve(base, name)
	root, err := r.ReadFile(path)
	if err != nil {
		r.Fail(n, "machine file: "+strings.TrimPrefix(err.Error(), path+": "), "") // the error says what was expected
		return nil
	}
	if kind := input.KindOf(root); !input.MayBeMachine(root) {
		r.Fail(n, fmt.Sprintf("%s is a %s", path, kind), "a machine")
		return nil
	}
	return ReadBody(&r.Decoder, root, strings.TrimSuffix(filepath.Base(path), ".yaml"))
}

// machineFile reads the text of a machine file that is not on disk.
func machineFile(r *document.Reader, at *yamldoc.Node, file string, data []byte, name string) *topology.Machine {
	root, err := yamldoc.Parse(file, data)
	if err != nil {
		r.Fail(at, "catalogue entry is broken: "+err.Error(), "")
		return nil
	}
	r.RecordText(file, data)
	return ReadBody(&r.Decoder, root, name)
}

// Type is what a machine file contains.
var Type schema.Type = machineObject

// Reference is how other files give a machine.
var Reference = schema.AnyOf{schema.OneOf(topology.CatalogueNames()), document.FileType, machineObject}

var machineObject = &schema.Object{What: "a machine", Ref: "machine", Fields: []schema.Field{
	{Key: "name", Type: schema.Name, Meaning: "name of the machine; by default that of its file"},
	{Key: "title", Type: schema.Text, Meaning: "the machine in a few words"},
	{Key: "source", Type: schema.Text, Meaning: "where the figures come from"},
	{Key: "notes", Type: schema.List{Of: schema.Text}, Meaning: "remarks"},
	{Key: "node_types", Type: schema.Map{Of: nodeTypeObject, Keys: schema.Name}, Required: true, Meaning: "the kinds of nodes by name"},
	{Key: "nodes", Type: schema.List{Of: groupObject, Min: 1}, Required: true, Meaning: "groups of nodes"},
	{Key: "network", Type: wiringObject, Required: true, Meaning: "the network between the nodes"},
}}

var nodeTypeObject = &schema.Object{What: "a node type, as in {cores: 4, marked_speed: 10 Gflop/s}", Fields: []schema.Field{
	{Key: "title", Type: schema.Text, Meaning: "the node in a few words"},
	{Key: "cores", Type: nodeCount, Default: "1", Meaning: "cores of a node"},
	{Key: "marked_speed", Type: schema.Speed, Required: true, Meaning: "benchmarked speed of one core"},
	{Key: "memory", Type: schema.PositiveSize, Meaning: "memory of the node"},
	{Key: "memory_bandwidth", Type: schema.Bandwidth, Meaning: "memory bandwidth of the node, shared by its processes"},
	{Key: "nic", Type: schema.Bandwidth, Meaning: "bandwidth of a network card, where it is not that of the network"},
	{Key: "nics", Type: CardCount, Default: "1", Meaning: "network cards of the node; under flow, its messages share their common bandwidth, and each uses one card"},
	{Key: "on_node", Type: connectionObject, Default: "that of the network", Meaning: "between processes of one node"},
	{Key: "kernels", Type: KernelsType, Meaning: "fractions of the marked speed that inner loops sustain, by name"},
	{Key: "devices", Type: devicesObject, Meaning: "accelerators of the node"},
	{Key: "power", Type: schema.Power, Meaning: "electrical power of the node under load, without the devices that give their own"},
	{Key: "wait_power", Type: schema.Power, Default: "halfway between the others, an estimate", Meaning: "its electrical power while its processes are in messages"},
	{Key: "idle_power", Type: schema.Power, Default: "half of power, an estimate", Meaning: "its electrical power without work"},
	{Key: "price", Type: schema.Money, Meaning: "price of the node"},
}}

var groupObject = &schema.Object{What: "a group of nodes, as in {type: worker, count: 16}", Fields: []schema.Field{
	{Key: "type", Type: schema.Text, Required: true, Meaning: "the name of a node type"},
	{Key: "count", Type: nodeCount, Default: "1", Meaning: "nodes of the group"},
	{Key: "name", Type: schema.Name, Meaning: "name of the nodes, before their number; by default that of their type"},
	{Key: "first", Type: nodeNumber, Default: "1", Meaning: "number of the first node"},
}}

var wiringObject = &schema.Object{What: "a network", Fields: []schema.Field{
	{Key: "title", Type: schema.Text, Meaning: "the network in a few words"},
	{Key: "latency", Type: schema.Time, Required: true, Meaning: "time of an empty message between two nodes"},
	{Key: "bandwidth", Type: schema.Bandwidth, Required: true, Meaning: "bandwidth between two nodes"},
	{Key: "send_overhead", Type: schema.Time, Default: "0 s", Meaning: "time of the sending core, for each message"},
	{Key: "recv_overhead", Type: schema.Time, Default: "0 s", Meaning: "time of the receiving core, for each message"},
	{Key: "on_node", Type: connectionObject, Meaning: "between processes of one node"},
	{Key: "between_groups", Type: connectionObject, Meaning: "between nodes of different groups"},
	{Key: "power", Type: schema.Power, Meaning: "electrical power for each node at all times: ports, cables, its part of the switches"},
	{Key: "half_duplex", Type: schema.Boolean, Default: "false", Meaning: "true: both directions of a link share its bandwidth"},
	{Key: "topology", Type: schema.Later(topologyType), Meaning: "how the nodes are wired: for network flow, and with the levels of a tree also for hockney and loggops"},
}}

var connectionObject = &schema.Object{What: "a connection, as in {latency: 1 us, bandwidth: 10 GB/s}", Fields: []schema.Field{
	{Key: "latency", Type: schema.Time, Required: true, Meaning: "time of an empty message"},
	{Key: "bandwidth", Type: schema.Bandwidth, Required: true, Meaning: "of one message"},
}}

// reader reads the description of a machine.
type reader struct{ *yamldoc.Decoder }

// ReadBody reads the description of a machine, which has this name if it says none.
func ReadBody(d *yamldoc.Decoder, n *yamldoc.Node, name string) *topology.Machine {
	return reader{d}.machine(n, name)
}

func (r reader) machine(n *yamldoc.Node, name string) *topology.Machine {
	doc := machineObject.Open(r.Decoder, n)
	m := &topology.Machine{Name: name}
	if v := doc.Take("name"); v != nil {
		m.Name = schema.Name.Read(r.Decoder, v)
	}
	m.Title = r.String(doc.Take("title"), "a title")
	m.Source = r.String(doc.Take("source"), "where the figures come from")
	if v := doc.Take("notes"); v != nil {
		for _, note := range r.Sequence(v, "a list of remarks") {
			m.Notes = append(m.Notes, r.String(note, "a remark"))
		}
	}
	types := r.Mapping(doc.Require("node_types", "the kinds of nodes, as in {worker: {cores: 4, marked_speed: 10 Gflop/s}}"), "the kinds of nodes by name")
	for _, key := range types.Keys() {
		m.Types = append(m.Types, r.nodeType(types.Take(key), key))
	}
	groups := doc.Require("nodes", "a list of groups of nodes, as in [{type: worker, count: 16}]")
	for _, g := range r.Sequence(groups, "a list of groups of nodes") {
		m.Groups = append(m.Groups, r.group(g, m))
	}
	if groups != nil && len(m.Groups) == 0 && groups.IsSequence() {
		r.Fail(groups, "no nodes", "at least one group of nodes")
	}
	net := wiringObject.Open(r.Decoder, doc.Require("network", "the network between the nodes, as in {latency: 50 us, bandwidth: 1 Gbit/s}"))
	m.Network = topology.Network{
		Title:        r.String(net.Take("title"), "a title"),
		Latency:      schema.Time.Require(r.Decoder, net, "latency"),
		Bandwidth:    schema.Bandwidth.Require(r.Decoder, net, "bandwidth"),
		SendOverhead: schema.Time.Read(r.Decoder, net.Take("send_overhead")),
		RecvOverhead: schema.Time.Read(r.Decoder, net.Take("recv_overhead")),
	}
	m.Network.OnNode = r.connection(net.Take("on_node"))
	m.Network.BetweenGroups = r.connection(net.Take("between_groups"))
	m.Network.HalfDuplex = r.Bool(net.Take("half_duplex"))
	m.Network.Power = schema.Power.Read(r.Decoder, net.Take("power"))
	r.topology(net.Take("topology"), groups, m)
	net.Done()
	doc.Done()
	return m
}

// connection reads how well processes are connected at a level of the machine.
func (r reader) connection(n *yamldoc.Node) *topology.Connection {
	if n == nil {
		return nil
	}
	d := connectionObject.Open(r.Decoder, n)
	c := &topology.Connection{
		Latency:   schema.Time.Require(r.Decoder, d, "latency"),
		Bandwidth: schema.Bandwidth.Require(r.Decoder, d, "bandwidth"),
	}
	d.Done()
	return c
}

func (r reader) nodeType(n *yamldoc.Node, name string) topology.NodeType {
	if !schema.IsName(name) {
		r.Fail(n, "bad name of a node type", schema.WantName)
	}
	m := nodeTypeObject.Open(r.Decoder, n)
	t := topology.NodeType{
		Name:            name,
		Title:           r.String(m.Take("title"), "a title"),
		Cores:           nodeCount.ReadOr(r.Decoder, m.Take("cores"), "the number of cores of a node, at least 1", 1),
		MarkedSpeed:     schema.Speed.Require(r.Decoder, m, "marked_speed"),
		Memory:          schema.PositiveSize.Read(r.Decoder, m.Take("memory")),
		MemoryBandwidth: schema.Bandwidth.Read(r.Decoder, m.Take("memory_bandwidth")),
		NIC:             schema.Bandwidth.Read(r.Decoder, m.Take("nic")),
		NICs:            CardCount.ReadOr(r.Decoder, m.Take("nics"), "the number of network cards, at least 1", 0),
		OnNode:          r.connection(m.Take("on_node")),
		Kernels:         r.kernels(m.Take("kernels")),
		Devices:         r.devices(m.Take("devices")),
	}
	t.Power, t.WaitPower, t.IdlePower = r.powers(m)
	if v := m.Take("price"); v != nil {
		t.Price = r.money(v)
	}
	m.Done()
	return t
}

func (r reader) money(n *yamldoc.Node) units.Money {
	const want = "a price of at least 0, such as 3200 EUR"
	price, err := units.ParseMoney(r.String(n, want))
	switch {
	case err != nil && n.IsScalar():
		r.Fail(n, err.Error(), want)
	case price.Amount < 0 || math.IsInf(price.Amount, 0):
		r.Fail(n, "negative", want)
	}
	return price
}

func (r reader) group(n *yamldoc.Node, m *topology.Machine) topology.Group {
	d := groupObject.Open(r.Decoder, n)
	g := topology.Group{Count: nodeCount.ReadOr(r.Decoder, d.Take("count"), "a number of nodes, at least 1", 1)}
	g.Type = r.OneOf(d.Require("type", "the name of a node type"), m.TypeNames(), "node type")
	g.Name = g.Type
	if v := d.Take("name"); v != nil {
		g.Name = schema.Name.Read(r.Decoder, v)
	}
	first := 0
	if g.Count > 1 {
		first = 1
	}
	g.First = nodeNumber.ReadOr(r.Decoder, d.Take("first"), "the number of the first node, at least 0", first)
	d.Done()
	return g
}
