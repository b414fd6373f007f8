package scenario

import (
	"math"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/yamldoc"
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
	onNode, betweenGroups network.Model // nil where it is base
	Flow                  *FlowNetwork  // nil if messages are priced one by one
}

// SharesCores reports whether processes may share the cores of a node.
func (n Network) SharesCores() bool { return n.Flow != nil }

// On returns the network between the processes of a placement.
func (n Network) On(p *topology.Placement) sim.Network {
	if n.onNode == nil && n.betweenGroups == nil {
		return n.Base
	}
	onNode, between := n.Base, n.Base
	if n.onNode != nil {
		onNode = n.onNode
	}
	if n.betweenGroups != nil {
		between = n.betweenGroups
	}
	node, group := p.Locations()
	return network.NewHierarchy(node, group, onNode, n.Base, between)
}

// NetworkModels lists the network models from the simplest to the richest.
var NetworkModels = []struct {
	Name, Doc  string
	Parameters []ParameterDoc
}{
	{"ideal", "messages cost nothing: the upper bound", nil},
	{"hockney", "latency + size/bandwidth, with send and receive overhead; messages of one rank leave one after the other",
		[]ParameterDoc{
			{"latency", "machine", "time of an empty message"},
			{"bandwidth", "machine", "of one process's messages"},
			{"send_overhead", "machine", "time of the sending core, for each message"},
			{"recv_overhead", "machine", "time of the receiving core, for each message"},
			{"eager_limit", "none", "largest size sent without waiting for the receiver"},
			{"on_node", "machine", "{latency, bandwidth} between processes of one node"},
			{"between_groups", "machine", "{latency, bandwidth} between nodes of different groups"},
		}},
	{"loggops", "LogGP with overhead per byte and synchronous messages: cores and interfaces are busy with every message, at both ends",
		[]ParameterDoc{
			{"L", "machine's latency", "latency"},
			{"o", "machine's send_overhead", "overhead: time of a core, for each message"},
			{"g", "0 s", "gap: time of an interface, for each message"},
			{"G", "1/machine's bandwidth", "gap per byte"},
			{"O", "0 s", "overhead per byte"},
			{"S", "none", "largest size sent without waiting for the receiver"},
			{"on_node", "machine", "{L, G} between processes of one node"},
			{"between_groups", "machine", "{L, G} between nodes of different groups"},
		}},
	{"flow", "messages share the links of the machine's topology, computations the memory of their node: max-min fairness",
		[]ParameterDoc{
			{"model", "plain", "plain (links as they are, equal shares) or a model of SimGrid: CM02, LV08, SMPI"},
			{"eager_limit", "none", "largest size sent without waiting for the receiver"},
			{"send_overhead", "machine", "time of the sending core, for each message"},
			{"recv_overhead", "machine", "time of the receiving core, for each message"},
			{"latency_factor", "model's", "of every message"},
			{"bandwidth_factor", "model's", "of every message"},
			{"weighted", "model's", "true: flows over long routes get less"},
			{"weight_s", "model's", "how much slow links lengthen a route in that sense"},
			{"window", "model's", "TCP window: a flow is not faster than window/(2 latency); 0 B for no limit"},
			{"cross_traffic", "model's", "true: acknowledgements take 5 % on the way back"},
			{"envelope", "model's", "bytes that every message has besides its payload"},
		}},
}

func NetworkNames() []string {
	names := make([]string, len(NetworkModels))
	for i, m := range NetworkModels {
		names[i] = m.Name
	}
	return names
}

// network reads the network of a scenario: the name of a model, or a mapping
// with name and parameters. Parameters that are not given are the machine's.
func (r *Reader) network(n *yamldoc.Node, m *topology.Machine) Network {
	if m == nil {
		m = &topology.Machine{}
	}
	nameNode := n
	doc := r.emptyMapping()
	if n.IsMapping() {
		doc = r.Mapping(n, "a network")
		nameNode = doc.Require("name", "the name of a network model")
	}
	p := &parameterReader{Reader: r, Mapping: doc, other: "machine"}
	var net Network
	switch name := r.OneOf(nameNode, NetworkNames(), "network model"); name {
	case "":
		return Network{}
	case "ideal":
		net.Base = network.Ideal{}
	case "hockney":
		net = p.hockney(m.Network)
	case "loggops":
		net = p.loggops(m.Network)
	case "flow":
		net = p.flow(m.Network)
		r.checkLinks(nameNode, m)
	}
	net.Model, net.Parameters = nameNode.Text(), p.notes
	doc.Done()
	return net
}

// emptyMapping stands for {} where a file gives only the name of a thing.
func (r *Reader) emptyMapping() *yamldoc.Mapping {
	n, err := yamldoc.Parse("empty mapping", []byte("{}"))
	if err != nil {
		panic("experiments: " + err.Error())
	}
	return r.Mapping(n, "")
}

// parameterReader reads parameters that have another source than the file, and
// notes each with its value and where that comes from.
type parameterReader struct {
	*Reader
	*yamldoc.Mapping
	prefix string // of the names in notes
	other  string // where values come from that the file does not give
	notes  []input.Parameter
}

// take returns the node of a key and where its value comes from.
func (p *parameterReader) take(key string) (*yamldoc.Node, string) {
	if n := p.Take(key); n != nil {
		return n, "scenario"
	}
	return nil, p.other
}

func (p *parameterReader) note(key, value, source string) {
	p.notes = append(p.notes, input.Parameter{Name: p.prefix + key, Value: value, Note: source})
}

func (p *parameterReader) time(key string, value units.Seconds) units.Seconds {
	n, source := p.take(key)
	if n != nil {
		value = yamldoc.Quantity(&p.Decoder, n, units.ParseSeconds, yamldoc.NonNegative, wantTime)
	}
	p.note(key, value.String(), source)
	return value
}

func (p *parameterReader) bandwidth(key string, value units.BytesPerSecond) units.BytesPerSecond {
	n, source := p.take(key)
	if n != nil {
		value = yamldoc.Quantity(&p.Decoder, n, units.ParseBytesPerSecond, yamldoc.Positive, wantBandwidth)
	}
	p.note(key, value.String(), source)
	return value
}

// limit reads the largest size that is sent without waiting for the receiver.
func (p *parameterReader) limit(key string) units.Bytes {
	n := p.Take(key)
	if n == nil {
		p.note(key, "none", "default: no message waits for its receiver")
		return units.Bytes(math.Inf(1))
	}
	const want = "the largest size sent without waiting for the receiver, at least 0, such as 64 KiB"
	size := yamldoc.Quantity(&p.Decoder, n, units.ParseBytes, yamldoc.NonNegative, want)
	p.note(key, size.String(), "scenario")
	return size
}

// level returns a reader for a level of the hierarchy, or nil if neither the
// file nor the machine has one.
func (p *parameterReader) level(key string, machine *topology.Connection, keys string) *parameterReader {
	n := p.Take(key)
	if n == nil && machine == nil {
		return nil
	}
	doc := p.emptyMapping()
	if n != nil {
		doc = p.Reader.Mapping(n, "a connection, as in "+keys)
	}
	return &parameterReader{Reader: p.Reader, Mapping: doc, prefix: key + ".", other: p.other}
}

// levels reads both levels of the hierarchy with a function that makes a model
// from what the machine says of a level.
func (p *parameterReader) levels(n *Network, machine topology.Network, keys string, model func(q *parameterReader, c topology.Connection) network.Model) {
	for _, l := range []struct {
		key     string
		machine *topology.Connection
		model   *network.Model
	}{
		{"on_node", machine.OnNode, &n.onNode},
		{"between_groups", machine.BetweenGroups, &n.betweenGroups},
	} {
		q := p.level(l.key, l.machine, keys)
		if q == nil {
			continue
		}
		c := topology.Connection{Latency: machine.Latency, Bandwidth: machine.Bandwidth}
		if l.machine != nil {
			c = *l.machine
		}
		*l.model = model(q, c)
		q.Done()
		p.notes = append(p.notes, q.notes...)
	}
}

func (p *parameterReader) hockney(m topology.Network) Network {
	h := network.Hockney{
		Latency:      p.time("latency", m.Latency),
		Bandwidth:    p.bandwidth("bandwidth", m.Bandwidth),
		SendOverhead: p.time("send_overhead", m.SendOverhead),
		RecvOverhead: p.time("recv_overhead", m.RecvOverhead),
		EagerLimit:   p.limit("eager_limit"),
	}
	n := Network{Base: h}
	p.levels(&n, m, "{latency: 1 us, bandwidth: 10 GB/s}", func(q *parameterReader, c topology.Connection) network.Model {
		level := h
		level.Latency, level.Bandwidth = q.time("latency", c.Latency), q.bandwidth("bandwidth", c.Bandwidth)
		return level
	})
	return n
}

func (p *parameterReader) loggops(m topology.Network) Network {
	perByte := func(b units.BytesPerSecond) units.Seconds {
		if b == 0 { // the machine could not be read
			return 0
		}
		return units.Seconds(1 / float64(b))
	}
	l := network.LogGOPS{
		Latency:         p.time("L", m.Latency),
		Overhead:        p.time("o", m.SendOverhead),
		Gap:             p.time("g", 0),
		GapPerByte:      p.time("G", perByte(m.Bandwidth)),
		OverheadPerByte: p.time("O", 0),
		Synchronous:     p.limit("S"),
	}
	n := Network{Base: l}
	p.levels(&n, m, "{L: 1 us, G: 0.1 ns}", func(q *parameterReader, c topology.Connection) network.Model {
		level := l
		level.Latency, level.GapPerByte = q.time("L", c.Latency), q.time("G", perByte(c.Bandwidth))
		return level
	})
	return n
}
