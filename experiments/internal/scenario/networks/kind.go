package networks

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Kind is a network model of the catalogue: how it is called, what a file may set, and
// what it can do.
type Kind struct {
	Name, Title string
	// SharesLinks: messages share the links of the machine's topology.
	SharesLinks bool
	// SharesMemory: computations share the memory bandwidth of their node exactly,
	// where other models give each process an equal share.
	SharesMemory bool
	// Free: messages take no time and nothing of any resource.
	Free bool
	// OfGOAL: what messages cost is the model that GOAL schedules are made for, LogGOPS.
	OfGOAL bool
	// SendsInTurn: the messages of a process to other nodes leave one after the other, each
	// for its size over the bandwidth of the machine at least.
	SendsInTurn bool

	keys   func(k *schema.Keys, s *setup)
	record *schema.Record[setup]
}

// Kinds are the network models from the simplest to the richest.
var Kinds = declared(
	&idealNetwork,
	&hockneyNetwork,
	&loggopsNetwork,
	&flowNetwork,
)

var idealNetwork = Kind{
	Name: "ideal", Title: "messages cost nothing: the upper bound", Free: true,
	keys: func(_ *schema.Keys, s *setup) { s.network = Network{Base: network.Ideal{}} },
}

// declared gives every model the declaration of its mapping.
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

// Parameters are what a file may set of the model.
func (k *Kind) Parameters() []schema.Field { return k.record.Fields[1:] }

// Names returns the names of all network models.
func Names() []string { return slices.Clip(names) }

var names = func() (names []string) {
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}()

// ownKind is what is known of a library user's model.
var ownKind = Kind{Name: "custom"}

// Of returns the network of a library user.
func Of(own sim.Network) Network { return Network{Model: ownKind.Name, Own: own} }

// KindOf returns the model of a name, nil for none.
func KindOf(name string) *Kind {
	if i := slices.Index(Names(), name); i >= 0 {
		return Kinds[i]
	}
	return nil
}

// setup is a network model that a file sets up on a machine.
type setup struct {
	machine topology.Network
	network Network // the result
	notes   []input.Parameter
}

// Where the machine has the value of a key that a file leaves out, as the declaration of
// the key and the note of its value say it.
const (
	ofMachine   = "the machine's"
	fromMachine = "machine"
)

func (s *setup) note(key, value, source string) {
	s.notes = append(s.notes, input.Parameter{Name: key, Value: value, Note: source})
}

// noted returns what notes the values of keys. Source is where those come from that the
// file does not give.
func (s *setup) noted(prefix, source string) func(key, value string, given bool) {
	return func(key, value string, given bool) {
		from := source
		if given {
			from = "scenario"
		}
		s.note(prefix+key, value, from)
	}
}

// overheads declares what messages cost their processes.
func overheads(k *schema.Keys, send, recv *units.Seconds) {
	k.Optional("send_overhead", schema.Time.To(send).Else(ofMachine), "time of the sending core, for each message")
	k.Optional("recv_overhead", schema.Time.To(recv).Else(ofMachine), "time of the receiving core, for each message")
}

// noLimit is what files call [network.NoLimit].
const noLimit = "none"

var (
	eagerSize = schema.Size.Wanted("the largest size sent without waiting for the receiver, at least 0, such as 64 KiB, or none")
	eagerType = schema.AnyOf{eagerSize, schema.OneOf{noLimit}}
)

// eagerLimit declares the largest size that is sent without waiting for the receiver.
func eagerLimit(k *schema.Keys, s *setup, key string) units.Bytes {
	limit, value, source := network.NoLimit, noLimit, "default: no message waits for its receiver"
	k.Optional(key, schema.Func(eagerType, func(n *yamldoc.Node) {
		source = "scenario"
		if !n.IsScalar() || n.Text() != noLimit {
			limit = eagerSize.Read(k.Decoder, n)
			value = limit.String()
		}
	}).Else(noLimit), "largest message sent without waiting for the receiver (eager); 0 B: all but empty ones wait; none: no message waits")
	s.note(key, value, source)
	return limit
}

// connection is what differs between the connections of a machine in a model that
// prices messages one by one.
type connection[M network.Model] struct {
	form   string // its keys
	keys   func(k *schema.Keys, m *M)
	of     func(base M, c topology.Connection) M
	record *schema.Record[level[M]]
	// behind makes the model between nodes that have uplinks between them from that of
	// nodes at one switch. The uplinks add latency, and a message is not faster than
	// bandwidth.
	behind func(base M, latency units.Seconds, bandwidth units.BytesPerSecond) M
}

// level is the model of a level of a machine.
type level[M network.Model] struct {
	model M
	noted func(key, value string, given bool)
}

func newConnection[M network.Model](what, form string, keys func(*schema.Keys, *M), of func(M, topology.Connection) M, behind func(M, units.Seconds, units.BytesPerSecond) M) *connection[M] {
	return &connection[M]{form: form, keys: keys, of: of, behind: behind, record: schema.Declare(what, func(k *schema.Keys, l *level[M]) {
		k.Noted = l.noted
		keys(k, &l.model)
	})}
}

// levels declares the levels of the hierarchy that have connections of their own, and
// completes the network of a model.
func levels[M network.Model](k *schema.Keys, s *setup, base M, c *connection[M]) {
	n := &s.network
	n.Base = base
	n.connected = func(x topology.Connection) network.Model { return c.of(base, x) }
	treeLevels(k, s, base, c)
	for _, l := range []struct {
		key, meaning string
		machine      *topology.Connection
		model        *network.Model
	}{
		{"on_node", "between processes of one node", s.machine.OnNode, &n.onNode},
		{"between_groups", "between nodes of different groups", s.machine.BetweenGroups, &n.betweenGroups},
	} {
		var given *yamldoc.Node
		k.Optional(l.key, schema.Node(c.record.Object, &given).Else(ofMachine), c.form+" "+l.meaning)
		if given == nil && l.machine == nil {
			continue
		}
		n.onNodeGiven = n.onNodeGiven || given != nil && l.model == &n.onNode
		x := topology.Connection{Latency: s.machine.Latency, Bandwidth: s.machine.Bandwidth}
		if l.machine != nil {
			x = *l.machine
		}
		own := level[M]{c.of(base, x), s.noted(l.key+".", fromMachine)}
		c.record.Read(k.Decoder, given, &own)
		*l.model = own.model
	}
}
