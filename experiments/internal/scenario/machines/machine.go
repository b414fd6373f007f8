package machines

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/experiments/internal/simgrid/platformxml"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// maxNodes bounds the nodes of one group and the cores of one node: ranks are
// counted in 32 bits.
const maxNodes = 1 << 28

var (
	nodeCount  = schema.Integer{Min: 1, Max: maxNodes} // or a number of cores
	nodeNumber = schema.Integer{Min: 0, Max: math.MaxInt32}
)

// inline is the name of machines that a scenario describes itself.
const inline = "inline"

// After returns a machine's name after a preposition, as in " on sunwulf"; "" for a machine that the scenario describes
// itself.
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
	path := input.Resolve(base, name)
	root, own, err := r.Machine(name, path)
	switch {
	case err != nil:
		r.Unread(n, path, err)
	case root == nil:
		r.OneOf(n, topology.CatalogueNames(), "machine in the catalogue (a file name must end in .yaml or contain a /)")
	case !input.MayBeMachine(root):
		r.Fail(n, fmt.Sprintf("%s is a %s", path, input.KindOf(root)), "a machine")
	default:
		return ReadBody(&r.Decoder, root, own)
	}
	return nil
}

// Type is what a machine file contains.
var Type schema.Type = machineRecord.Object

// Reference is how other files give a machine.
var Reference = schema.AnyOf{schema.OneOf(topology.CatalogueNames()), document.FileType, machineRecord.Object}

// ReadBody reads the description of a machine; name is used if it states none.
func ReadBody(d *yamldoc.Decoder, n *yamldoc.Node, name string) *topology.Machine {
	m := &topology.Machine{Name: name}
	machineRecord.Read(d, n, m)
	return m
}

var machineRecord = schema.Declare("a machine", func(k *schema.Keys, m *topology.Machine) {
	k.Optional("name", schema.Name.To(&m.Name), "name of the machine; by default that of its file")
	k.Optional("title", schema.Text.To(&m.Title), "the machine in a few words")
	k.Optional("source", schema.Text.To(&m.Source), "where the figures come from")
	k.Optional("notes", schema.ListOf[string]{Of: schema.Text, What: "remarks"}.To(&m.Notes), "remarks")
	k.Required("node_types", schema.Func(nodeTypes, func(n *yamldoc.Node) {
		for key, v := range k.Entries(n, "the kinds of nodes by name") {
			if !schema.IsName(key) {
				k.Fail(v, "bad name of a node type", schema.WantName)
			}
			t := topology.NodeType{Name: key}
			nodeTypeRecord.Read(k.Decoder, v, &t)
			m.Types = append(m.Types, t)
		}
	}).Wanted("the kinds of nodes, as in {worker: {cores: 4, marked_speed: 10 Gflop/s}}"), "the kinds of nodes by name")
	k.Required("nodes", schema.ListOf[topology.Group]{Of: groupRecord, What: "groups of nodes", Min: 1}.To(&m.Groups),
		"groups of nodes")
	for i := range m.Groups {
		k.OneOf(k.Node("nodes").Item(i).Value("type"), m.TypeNames(), "node type")
	}
	number(m.Groups, func(i int) bool { return k.Node("nodes").Item(i).Value("first") != nil })
	k.Required("network", networkRecord.To(&m.Network), "the network between the nodes")
	readTopology(k.Decoder, k.Node("network").Value("topology"), k.Node("nodes"), m)
}).Shared("machine")

var nodeTypes schema.Type = schema.Map{Of: nodeTypeRecord.Object, Keys: schema.Name}

var nodeTypeRecord = schema.Declare("a node type, as in {cores: 4, marked_speed: 10 Gflop/s}", func(k *schema.Keys, t *topology.NodeType) {
	k.Optional("title", schema.Text.To(&t.Title), "the node in a few words")
	k.Optional("cores", nodeCount.To(&t.Cores).Or(1), "cores of a node")
	k.Required("marked_speed", schema.Speed.To(&t.MarkedSpeed), "benchmarked speed of one core")
	k.Optional("memory", schema.PositiveSize.To(&t.Memory), "memory of the node")
	k.Optional("memory_bandwidth", schema.Bandwidth.To(&t.MemoryBandwidth),
		"memory bandwidth of the node, shared by its processes")
	k.Optional("nic", schema.Bandwidth.To(&t.NIC), "bandwidth of a network card, if it is not that of the network")
	k.Optional("nics", CardCount.To(&t.NICs).Else("1"),
		"network cards of the node; under flow, its messages share their common bandwidth, and each uses one card")
	k.Optional("on_node", schema.Pointer(connectionRecord, &t.OnNode).Else("that of the network"),
		"between processes of one node")
	k.Optional("kernels", schema.To(kernels, &t.Kernels),
		"fractions of the marked speed that inner loops sustain, by name")
	k.Optional("devices", schema.Pointer(Devices, &t.Devices), "accelerators of the node")
	var rails [][]int
	k.Optional("rails", cardLists.To(&rails).Else("one card for each device if there are as many, else all share all"),
		"the devices of each network card by number from 0, as in [[0, 1], [2]]")
	if n := k.Node("rails"); n.IsSequence() {
		useRails(k, n, rails, t)
	}
	powers(k, &t.Power, &t.WaitPower, &t.IdlePower, [...]string{
		"electrical power of the node under load, without devices that state their own",
		"its electrical power while its processes communicate", "its electrical power when idle",
	})
	k.Optional("price", schema.Money.To(&t.Price), "price of the node")
})

var groupRecord = schema.Declare("a group of nodes, as in {type: worker, count: 16}", func(k *schema.Keys, g *topology.Group) {
	k.Required("type", schema.Text.To(&g.Type), "the name of a node type")
	k.Optional("count", nodeCount.To(&g.Count).Or(1), "nodes of the group")
	g.Name, g.First = g.Type, min(g.Count-1, 1)
	k.Optional("name", schema.Name.To(&g.Name), "name of the nodes, before their number; by default that of their type")
	k.Optional("first", nodeNumber.To(&g.First).Else("1, or the next of this name"), "number of the first node")
})

// number continues the numbers of nodes from one group to the next of the same name, unless that states its first
// number. So names do not depend on how nodes are divided into groups: two groups of one node each get the same names
// as one group of two.
func number(groups []topology.Group, said func(i int) bool) {
	count, last := map[string]int{}, map[string]int{}
	for _, g := range groups {
		count[g.Name]++
	}
	for i := range groups {
		g := &groups[i]
		if count[g.Name] > 1 && !said(i) {
			g.First = last[g.Name] + 1
		}
		last[g.Name] = g.First + g.Count - 1
	}
}

var networkRecord = schema.Declare("a network", func(k *schema.Keys, n *topology.Network) {
	k.Optional("title", schema.Text.To(&n.Title), "the network in a few words")
	k.Required("latency", schema.Time.To(&n.Latency), "time of an empty message between two nodes")
	k.Required("bandwidth", schema.Bandwidth.To(&n.Bandwidth), "bandwidth between two nodes")
	k.Optional("send_overhead", schema.Time.To(&n.SendOverhead).Or(0), "time of the sending core per message")
	k.Optional("recv_overhead", schema.Time.To(&n.RecvOverhead).Or(0), "time of the receiving core per message")
	k.Optional("on_node", schema.Pointer(connectionRecord, &n.OnNode), "between processes of one node")
	k.Optional("between_groups", schema.Pointer(connectionRecord, &n.BetweenGroups), "between nodes of different groups")
	k.Optional("power", schema.Power.To(&n.Power),
		"electrical power per node at all times: ports, cables, its share of the switches")
	k.Optional("half_duplex", schema.Boolean.To(&n.HalfDuplex).Or(false),
		"true: both directions of a link share its bandwidth")
	k.Optional("switch_reduction", schema.Boolean.To(&n.SwitchReduction).Or(false),
		"true: its switches reduce, in the collective algorithm in-switch")
	k.Optional("topology", schema.Func(schema.Later(topologyType), func(*yamldoc.Node) {}),
		"how the nodes are wired: for network flow, and with the levels of a tree also for hockney and loggops") // read last
})

var connectionRecord = schema.Declare("a connection, as in {latency: 1 us, bandwidth: 10 GB/s}", func(k *schema.Keys, c *topology.Connection) {
	k.Required("latency", schema.Time.To(&c.Latency), "time of an empty message")
	k.Required("bandwidth", schema.Bandwidth.To(&c.Bandwidth), "of one message")
})

// What node types have besides cores: accelerators, network cards, efficiencies.

// CardCount is a number of network cards of a node.
var CardCount = schema.Integer{Min: 1, Max: 1 << 16, Want: "the number of network cards, at least 1"}

var cardLists = schema.ListOf[[]int]{Of: schema.ListOf[int]{Of: schema.Integer{Max: 1<<16 - 1, Want: "the number of a device, from 0"},
	What: "devices of a card", Min: 1}, What: "cards, each with its devices", Min: 1, Max: CardCount.Max}

// useRails gives each device of a node the network card for which it is listed.
func useRails(k *schema.Keys, n *yamldoc.Node, rails [][]int, t *topology.NodeType) {
	if t.Devices == nil {
		k.Fail(n, "cards of devices on a node that has none", "devices beside it")
		return
	}
	if k.Node("nics") != nil && t.NICs != len(rails) {
		k.Fail(n, fmt.Sprintf("devices of %d cards, and nics is %d", len(rails), t.NICs), "a list for each card")
	}
	t.NICs = len(rails)
	t.Devices.Cards = slices.Repeat([]int{-1}, t.Devices.Count)
	for card, devices := range rails {
		for i, device := range devices {
			switch at := n.Item(card).Item(i); {
			case device >= t.Devices.Count:
				k.Fail(at, fmt.Sprintf("device %d, which the node does not have", device),
					fmt.Sprintf("0 to %d: a device uses cards of its own node", t.Devices.Count-1))
			case t.Devices.Cards[device] >= 0:
				k.Fail(at, fmt.Sprintf("device %d a second time", device), "each device once")
			default:
				t.Devices.Cards[device] = card
			}
		}
	}
	if without := slices.Index(t.Devices.Cards, -1); without >= 0 {
		k.Fail(n, fmt.Sprintf("device %d has no card", without), "each device once")
	}
}

var deviceCount = schema.Integer{Min: 1, Max: 1 << 16, Want: "the number of accelerators, at least 1"}

// Devices are the accelerators of a node.
var Devices = schema.Declare("the accelerators of a node, as in {count: 8, speed: {fp64: 34 Tflop/s}, memory: 141 GB, link: {latency: 2 us, bandwidth: 450 GB/s}}", func(k *schema.Keys, d *topology.Devices) {
	k.Optional("count", deviceCount.To(&d.Count).Or(1), "accelerators of a node, all alike")
	const form = "the speeds by precision, as in {fp64: 34 Tflop/s, bf16: 990 Tflop/s}"
	k.Required("speed", schema.Func(schema.Map{Of: schema.Speed, Keys: schema.Name, Min: 1}, func(n *yamldoc.Node) {
		for key, v := range k.Entries(n, form) {
			d.Speeds = append(d.Speeds, topology.PrecisionSpeed{
				Precision: schema.Name.Check(k.Decoder, v, key), Speed: schema.Speed.Read(k.Decoder, v)})
		}
		if n.IsMapping() && len(d.Speeds) == 0 {
			k.Fail(n, "no speeds", "at least one, as in {fp64: 34 Tflop/s}")
		}
	}).Wanted(form), "benchmarked speed of one, by precision, as in {fp64: 34 Tflop/s, bf16: 990 Tflop/s}")
	k.Optional("memory", schema.PositiveSize.To(&d.Memory), "memory of one")
	k.Optional("memory_bandwidth", schema.Bandwidth.To(&d.MemoryBandwidth),
		"bandwidth of its memory, which it shares with no other")
	k.Optional("link", schema.Pointer(connectionRecord, &d.Link).Else("as the processes of the node are connected"),
		"connection of each with the others of its node, each way")
	k.Optional("domain", domainRecord.To(d), "consecutive nodes between whose devices messages take links, not the network")
	k.Optional("switch_reduction", schema.Bandwidth.To(&d.SwitchReduction).Else("the switches do not reduce"),
		"rate of each while the switches of its links reduce, in the collective algorithm in-switch")
	k.Optional("switch_latency", schema.Time.To(&d.SwitchLatency).Else("that of the links"), "latency of each way to these switches in a reduction")
	k.Optional("relay", connectionRecord.To(&d.Relay).Else("that of the network, bandwidth of the link"),
		"what a device passes on between domains: latency of a level of trees of such switches, bandwidth of rings")
	if n := k.Node("domain"); n != nil && d.DomainNodes > 1 && d.Across() == nil {
		k.Fail(n, "devices without a link", "link, next to domain or in it")
	}
	k.Optional("kernels", schema.To(kernels, &d.Kernels),
		"fractions of the marked speed that inner loops sustain on it, by name")
	powers(k, &d.Power, &d.WaitPower, &d.IdlePower, [...]string{
		"electrical power of one under load", "its electrical power while its process communicates", "its electrical power when idle",
	})
})

var domainRecord = schema.Declare("a domain, as in {nodes: 18}", func(k *schema.Keys, d *topology.Devices) {
	k.Required("nodes", nodeCount.To(&d.DomainNodes), "nodes of a domain; each entry of nodes starts a new one")
	k.Optional("link", schema.Pointer(connectionRecord, &d.DomainLink).Else("that of the devices"),
		"connection of each device with those of other nodes of its domain, each way")
})

// efficiency is the fraction of the marked speed that a kernel sustains. Like the sustained fraction of a workload it
// may be above 1, because the marked speed may come from another benchmark.
var efficiency = schema.Number{Max: 100, Above: true, Want: "a fraction of the marked speed, above 0 and at most 100"}

// KernelsType are efficiencies by kernel.
var KernelsType schema.Type = schema.Map{Of: efficiency, Keys: schema.Name}

var kernels = schema.Custom(KernelsType, ReadKernels)

// ReadKernels reads the efficiencies of kernels.
func ReadKernels(d *yamldoc.Decoder, n *yamldoc.Node) []topology.Kernel {
	var kernels []topology.Kernel
	for key, v := range d.Entries(n, "efficiencies by kernel, as in {dgemm: 0.9}") {
		kernels = append(kernels, topology.Kernel{Name: schema.Name.Check(d, v, key), Fraction: efficiency.Read(d, v)})
	}
	return kernels
}

// powers declares the powers under load, in messages and without work, with their meanings.
func powers(k *schema.Keys, load, wait, idle *units.Watts, meaning [3]string) {
	k.Optional("power", schema.Power.To(load), meaning[0])
	k.Optional("wait_power", schema.Power.To(wait).Else("halfway between the others, an estimate"), meaning[1])
	k.Optional("idle_power", schema.Power.To(idle).Else("half of power, an estimate"), meaning[2])
	if n := k.Node("idle_power"); n != nil && *load > 0 && *idle > *load {
		k.Fail(n, "more than the power under load", fmt.Sprintf("at most %v", *load))
	}
	if n := k.Node("wait_power"); n != nil && (*load > 0 && *wait > *load || *wait < *idle) {
		k.Fail(n, "not between the powers when idle and under load", fmt.Sprintf("%v to %v", *idle, *load))
	}
}

// Open reads a machine file, or a machine of the catalogue.
func Open(name string) (*topology.Machine, error) {
	return named(&document.Reader{}, name)
}

// Parse reads the text of a machine file.
func Parse(file string, data []byte) (*topology.Machine, error) {
	return named(document.OfTexts(map[string][]byte{file: data}), file)
}

// named reads a machine file, or a machine of the catalogue.
func named(r *document.Reader, name string) (*topology.Machine, error) {
	root, own, err := r.Machine(name, name)
	switch {
	case err != nil:
		return nil, err
	case root != nil && !input.MayBeMachine(root):
		return nil, input.WrongKind(root, input.KindMachine)
	case root != nil:
		m := ReadBody(&r.Decoder, root, own)
		return m, r.Err()
	}
	if form := input.FormOf(name); form != input.FormUnknown && form != input.FormPlatform {
		return nil, input.PlacedErrorf("%s: %s; expected a machine; %s", name, form.Sentence(), form.CommandHint(name))
	}
	return nil, input.Errorf("%s: no such machine; expected a SimGrid platform (.xml), a machine file (.yaml) or one of the catalogue: %s", name, input.List(topology.CatalogueNames()))
}

// IsPlatformFile distinguishes the file of a SimGrid platform from a machine.
func IsPlatformFile(name string) bool { return strings.HasSuffix(name, ".xml") }

// ReadPlatform reads a platform: a SimGrid file, or a machine file or a name in the
// catalogue.
func ReadPlatform(r *document.Reader, path string) (*topology.Platform, error) {
	if !IsPlatformFile(path) {
		m, err := named(r, path)
		if err != nil {
			return nil, err
		}
		return build.Platform(m)
	}
	data, err := input.ReadFile(path)
	if err != nil {
		return nil, input.Unread(path, err, "a SimGrid platform")
	}
	p, err := ParsePlatform(path, data)
	if err != nil {
		return nil, err
	}
	r.Record(path, data, path)
	return p, nil
}

// ParsePlatform reads the text of a SimGrid platform.
func ParsePlatform(path string, data []byte) (*topology.Platform, error) {
	p, err := platformxml.Read(filepath.ToSlash(path), data)
	if err != nil {
		return nil, input.OrOtherForm(path, &input.Error{Msg: err.Error(), Placed: true}, "a SimGrid platform", input.FormPlatform)
	}
	return p, nil
}
