package networks

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Kind is a network model with a name, and what a file may set of it.
type Kind struct {
	*cluster.Kind
	keys   func(k *schema.Keys, s *setup)
	record *schema.Record[setup]
	// connection returns the keys of one connection of a machine; nil if there are none.
	connection func() []schema.Field
}

// Kinds are the network models from the simplest to the richest.
var Kinds = declared(
	&idealNetwork,
	&hockneyNetwork,
	&loggopsNetwork,
	&flowNetwork,
)

var idealNetwork = Kind{Kind: &cluster.Ideal, keys: func(_ *schema.Keys, s *setup) {
	s.network = cluster.Network{Base: network.Ideal{}}
}}

// declared adds the declaration of its mapping to each model.
func declared(kinds ...*Kind) []*Kind {
	for _, kind := range kinds {
		kind.record = schema.Declare("a network", func(k *schema.Keys, s *setup) {
			k.Required("name", schema.Func(schema.OneOf{kind.Name}, func(*yamldoc.Node) {}), kind.Title)
			k.Noted = s.noted("", fromMachine)
			kind.keys(k, s)
		}).Shared("network-" + kind.Name)
	}
	return kinds
}

// Parameters returns what a file may set of the model.
func (k *Kind) Parameters() []schema.Field { return k.record.Fields()[1:] }

// Names returns the names of all network models.
func Names() []string { return slices.Clip(names) }

var names = each.Of(Kinds, func(k *Kind) string { return k.Name })

// KindOf returns the model with a name, nil for none.
func KindOf(name string) *Kind {
	if i := slices.Index(Names(), name); i >= 0 {
		return Kinds[i]
	}
	return nil
}

// setup is a network model as a file sets it up on a machine.
type setup struct {
	machine topology.Network
	network cluster.Network // the result
	// onNodeGiven: the file gives the connection between processes of a node.
	onNodeGiven bool
	notes       []input.Parameter
}

// How declarations of keys, and notes of values, call the machine as the source of values that a file leaves out.
const (
	ofMachine   = "the machine's"
	fromMachine = "machine"
)

func (s *setup) note(key, value, source string) {
	s.notes = append(s.notes, input.Parameter{Name: key, Value: value, Note: source})
}

// noted returns a function that notes the values of keys. source is where values come from that the file does not give.
func (s *setup) noted(prefix, source string) func(key, value string, given bool) {
	return func(key, value string, given bool) {
		from := source
		if given {
			from = "scenario"
		}
		s.note(prefix+key, value, from)
	}
}

// overheads declares what messages cost the processes.
func overheads(k *schema.Keys, send, recv *units.Seconds) {
	k.Optional("send_overhead", schema.Time.To(send).Else(ofMachine), "time of the sending core per message")
	k.Optional("recv_overhead", schema.Time.To(recv).Else(ofMachine), "time of the receiving core per message")
}

// noLimit is the name of [network.NoLimit] in files.
const noLimit = "none"

var (
	eagerSize = schema.Size.Wanted("the largest size sent without waiting for the receiver, at least 0, such as 64 KiB, or none")
	eagerType = schema.AnyOf{eagerSize, schema.OneOf{noLimit}}
)

// eagerLimit declares the largest size that is sent without waiting for the receiver, with its default: no limit, or
// some KiB.
func eagerLimit(k *schema.Keys, s *setup, key string, otherwise units.Bytes) units.Bytes {
	limit, value, source := otherwise, noLimit, "default: no message waits for its receiver"
	if otherwise != network.NoLimit {
		value, source = fmt.Sprintf("%g KiB", float64(otherwise)/1024), "default: larger messages wait for their receivers"
	}
	byDefault := value
	k.Optional(key, schema.Func(eagerType, func(n *yamldoc.Node) {
		limit, value, source = network.NoLimit, noLimit, "scenario"
		if !n.IsScalar() || n.Text() != noLimit {
			limit = eagerSize.Read(k.Decoder, n)
			value = limit.String()
		}
	}).Else(byDefault),
		"largest message sent without waiting for the receiver (eager); 0 B: all but empty ones wait; none: no message waits")
	s.note(key, value, source)
	return limit
}

// connection is what a file may set of a machine's connections in a model that prices messages one by one.
type connection[M network.Model] struct {
	*cluster.Pricing[M]
	form   string // its keys
	keys   func(k *schema.Keys, m *M)
	record *schema.Record[level[M]]
}

// level is the model of one level of a machine.
type level[M network.Model] struct {
	model M
	noted func(key, value string, given bool)
}

func newConnection[M network.Model](p *cluster.Pricing[M], what, form string,
	keys func(*schema.Keys, *M),
) *connection[M] {
	return &connection[M]{p, form, keys, schema.Declare(what, func(k *schema.Keys, l *level[M]) {
		k.Noted = l.noted
		keys(k, &l.model)
	})}
}

// levels declares the levels of the hierarchy that have their own connections, and completes the network of a model.
// Over the uplinks of a machine that is a tree of equal subclusters, a single message takes the same time as on the
// links of that tree.
func levels[M network.Model](k *schema.Keys, s *setup, base M, c *connection[M]) {
	price := func(onNode, betweenGroups *M) cluster.Network {
		return cluster.Price(nil, base, c.Pricing, s.machine.Topology, onNode, betweenGroups, s.onNodeGiven)
	}
	if s.machine.Topology != nil && price(nil, nil).Tree != nil {
		if between := k.Node("between_groups"); between != nil {
			k.Fail(between, "the topology of the machine has levels, whose uplinks say the same", "latency and bandwidth in machine.network.topology.uplinks")
		}
		for l, m := range price(nil, nil).Tree.Below[1:] {
			own := level[M]{m.(M), s.noted(fmt.Sprintf("level_%d.", l+2), input.Plural(l+1, "uplink")+" up and down")}
			c.record.Read(k.Decoder, nil, &own) // notes its parameters
		}
	}
	read := func(key, meaning string, machine *topology.Connection) (model *M, inFile bool) {
		var given *yamldoc.Node
		k.Optional(key, schema.Node(c.record.Object, &given).Else(ofMachine), c.form+" "+meaning)
		if given == nil && machine == nil {
			return nil, false
		}
		if machine == nil {
			machine = &topology.Connection{Latency: s.machine.Latency, Bandwidth: s.machine.Bandwidth}
		}
		own := level[M]{c.Of(base, *machine), s.noted(key+".", fromMachine)}
		c.record.Read(k.Decoder, given, &own)
		return &own.model, given != nil
	}
	var onNode, betweenGroups *M
	onNode, s.onNodeGiven = read("on_node", "between processes of one node", s.machine.OnNode)
	betweenGroups, _ = read("between_groups", "between nodes of different groups", s.machine.BetweenGroups)
	s.network = price(onNode, betweenGroups)
}
