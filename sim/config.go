package sim

import (
	"fmt"
	"math"
	"reflect"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Network prices messages between ranks.
type Network = network.Model

// Fabric carries messages and computations that share resources: links, cores, memory.
// It is passive: the engine starts activities, asks when one ends next, and advances
// the fabric to that time. The engine chooses the names.
type Fabric interface {
	// Transfer starts a message between two ranks; it ends when its last byte has
	// arrived. The error says why there is no route.
	Transfer(now units.Seconds, from, to int32, size units.Bytes, name int32) error
	// Compute starts a computation of a rank and returns the time that the core takes if memory does not limit it;
	// that is infinite where ranks share cores, because it is not known. If the rank shares nothing with anybody,
	// shares is false and nothing starts.
	Compute(now units.Seconds, rank int32, work units.Flops, traffic units.Bytes, name int32) (core units.Seconds, shares bool)
	// Next returns the time at which an activity ends or changes next. That is not before the latest
	// time that the fabric was told, and the answer stays the same until it is told something.
	Next() (units.Seconds, bool)
	// Advance moves on to the time that Next returned and appends the names of the
	// transfers and computations that have ended to ended.
	Advance(to units.Seconds, ended []int32) []int32
	// Speeds returns the speed of each rank that has a core for itself.
	Speeds() []units.FlopsPerSecond
}

// Adjustable is a fabric that processes can change.
type Adjustable interface {
	Fabric
	// Place returns the node of each rank.
	Place() []int32
	// SetSpeed changes the speed of a node's cores at a time that is not before the
	// latest that the fabric was told, nor after Next. At 0 its computations stand
	// still, whatever they wait for.
	SetSpeed(now units.Seconds, node int32, speed units.FlopsPerSecond)
	// Links returns the number of links, counted from 0.
	Links() int
	Bandwidth(link int32) units.BytesPerSecond
	// SetBandwidth changes the bandwidth of a link, at a time as for SetSpeed.
	SetBandwidth(now units.Seconds, link int32, bandwidth units.BytesPerSecond)
}

// Site tells processes where ranks are and how nodes and links are called.
type Site struct {
	// Place[r] is the node of rank r; the ranks of a node have the same speed. Nil means
	// one node for each rank. With a Fabric, which knows the places, it must be nil.
	Place []int32
	Nodes []string // names, if there are any
	Links []string
}

// Observer gets the spans and messages of a run, for timelines and the like. The spans
// of one rank come in order of time, but those of different ranks may come out of
// order, because ranks are advanced one at a time in an order that depends on the
// number of cores. Calls to an observer never overlap.
type Observer interface {
	// Span is called when a rank has spent time on something. The spans of a rank
	// follow each other without gap or overlap, and none is empty.
	Span(Span)
	// Sent is called when a message starts to leave its sender; if the sender spends an overhead on
	// it at that time, after the span of the overhead. The payload of a rendezvous is a message of
	// its own. Its request and clearance are not reported, nor are messages from processes.
	Sent(Sent)
	// Received is called when a message meets its receive, before the span of the wait
	// for it.
	Received(Received)
}

// Span is a stretch of a rank's time.
type Span struct {
	Rank int32
	Part Part
	// Handles: the core waits for a message or spends its receive overhead on it, where
	// cores handle messages. Sender and Order name the message.
	Handles bool
	// ByMemory: memory limits the computation, not the core. On a fabric, where ranks share no cores.
	ByMemory bool
	From, To units.Seconds
	Sender   int32
	Order    uint32
}

// Sent is a message that starts to leave its sender. Rank and Order name it.
type Sent struct {
	Rank  int32
	Order uint32
	To    int32
	Tag   int32
	Size  units.Bytes
	At    units.Seconds
}

// Received is a message that meets its receive. From and Order name it; From is
// [FromProcess] if a process has sent it.
type Received struct {
	Rank  int32
	From  int32
	Order uint32
	// Synchronous: its sender may have waited for this, where cores handle messages.
	Synchronous bool
	// Arrived is when the message reached the rank, At when it met its receive: later
	// if the receive was posted later, or if the rank's core had to deal with it first.
	Arrived, At units.Seconds
}

// divisible may be implemented by an observer that can be told of several shards at
// once: Divide returns one observer for every width ranks.
type divisible interface {
	Divide(ranks, width int32) []Observer
}

// coreObserver may be implemented by an observer that, where cores handle messages and ranks have no streams, can be
// told in one call what others are told in two or three.
type coreObserver interface {
	// Sends is called in place of Span and Sent: the send overhead lasts from x.At until then, and not 0.
	Sends(x Sent, until units.Seconds)
	// Handles is called in place of two Spans and, unless the message is synchronous, of Received: the rank has waited
	// for a message until since, or not waited, and the receive overhead lasts until then.
	Handles(rank, sender int32, order uint32, since, until units.Seconds)
}

// Listener may be implemented by a program whose ranks want to know the time and what
// they have received. A program that wraps another one must be a [Wrapper] or pass on
// these calls itself.
type Listener interface {
	// Now is called before each Next with the rank's clock.
	Now(rank int, t units.Seconds)
	// Received is called when a receive has been waited for, with the message
	// that it got.
	Received(rank int, from, tag int32, size units.Bytes)
}

var (
	_ Fabric     = (*flow.Model)(nil)
	_ Adjustable = (*flow.Model)(nil)
)

// Config is one simulation.
type Config struct {
	Program workloads.Program
	// Network prices messages in closed form. Without it, Fabric carries them by the
	// rules of Protocol, and the engine follows strict time order on one core. A fabric
	// is used up by one run. The zero Protocol has no limits: no message waits for its
	// receiver. If any of its fields is set, all of them count.
	Network  Network
	Fabric   Fabric
	Protocol network.Protocol
	// Rates[r] is the speed at which rank r performs Compute operations, above 0. Its
	// length is the number of ranks. It must be nil with a Fabric, which knows the
	// speeds. The engine only reads it.
	Rates []units.FlopsPerSecond
	// Memory[r] is the memory bandwidth that rank r has at all times, above 0 and
	// possibly compute.Unlimited: Compute operations take the time of the roofline,
	// see compute.Process. Nil if no rank waits for memory. It must be nil with a
	// Fabric, which shares memory itself. The engine only reads it.
	Memory []units.BytesPerSecond
	// Ranks asks for the outcome of every rank, which costs memory and a little
	// time. Without it, Result.Ranks is nil.
	Ranks bool
	// Workers is the largest number of cores to use, 0 for all. The result does
	// not depend on it.
	Workers int
	// Observer watches the run if it is not nil.
	Observer Observer
	// Processes run on the clock of the ranks. The run then uses one core.
	Processes []Process
	// Events are those that ranks wait for and trigger. The engine then follows strict
	// time order on one core, which takes longer.
	Events []*Event
	// Site is what Processes know of the machine.
	Site Site
	// Budget, if it is not nil, is asked from time to time, and before a store takes a
	// megabyte or more. The run ends with the error that it returns. It may be called
	// from several goroutines at once.
	Budget func(Usage) error

	// For tests; 0 means the usual value.
	shards      int
	stallChecks int64
	mostTurns   int
}

// ConfigError reports a configuration that cannot be used.
type ConfigError struct {
	Field string // of Config, or of what the caller configures: "Rates[3]"
	Err   error  // what is wrong, and what was expected
}

func (e *ConfigError) Error() string { return e.Err.Error() }

// Unwrap returns e.Err.
func (e *ConfigError) Unwrap() error { return e.Err }

func configError(field, format string, args ...any) error {
	return &ConfigError{Field: field, Err: fmt.Errorf(format, args...)}
}

// Validate reports the first thing that makes the configuration unusable, as a
// *[ConfigError].
func (c Config) Validate() error {
	if c.Program == nil {
		return configError("Program", "no program")
	}
	if err := validateWrappers(c.Program); err != nil {
		return err
	}
	switch {
	case c.Network == nil && c.Fabric == nil:
		return configError("Network", "no network and no fabric")
	case c.Network != nil && c.Fabric != nil:
		return configError("Network", "both a network and a fabric; expected one of them")
	case c.Program.Ranks() < 1 || c.Program.Ranks() > math.MaxInt32:
		return configError("Program", "program has %d ranks; expected 1 to %d", c.Program.Ranks(), math.MaxInt32)
	case c.Rates != nil && c.Fabric != nil:
		return configError("Rates", "rates beside a fabric, which has the speed of each rank; expected none")
	case c.Memory != nil && c.Fabric != nil:
		return configError("Memory", "both shares of memory bandwidth and a fabric, which shares it itself; expected one of them")
	case c.Memory != nil && len(c.Memory) != c.Program.Ranks():
		return configError("Memory", "%d shares of memory bandwidth for %d ranks; expected one for each", len(c.Memory), c.Program.Ranks())
	case c.Network != nil && c.Network.Handling() > network.ByCore:
		return configError("Network", "unknown handling of messages (%d); expected network.ByInterface or network.ByCore", c.Network.Handling())
	case c.Network != nil && !reflect.ValueOf(c.Protocol).IsZero():
		return configError("Protocol", "a protocol beside a network, which has its own; expected it with a fabric only")
	case !(c.minLatency() >= 0) || math.IsInf(float64(c.minLatency()), 1):
		return configError("Network", "network's smallest latency is %v; expected a finite time of at least 0", c.minLatency())
	}
	if n, ok := c.Network.(interface{ Validate() error }); ok {
		if err := n.Validate(); err != nil {
			return &ConfigError{"Network", err}
		}
	}
	if err := c.Protocol.Validate(); err != nil {
		return &ConfigError{"Protocol", err}
	}
	rates := c.rates()
	if len(rates) != c.Program.Ranks() {
		return configError("Rates", "%d rates for %d ranks; expected one for each", len(rates), c.Program.Ranks())
	}
	for r, rate := range rates {
		if !(rate > 0) || math.IsInf(float64(rate), 1) {
			return configError(fmt.Sprintf("Rates[%d]", r), "rank %d computes at %v; expected a finite speed above 0", r, rate)
		}
	}
	for r, bandwidth := range c.Memory {
		if !(bandwidth > 0) {
			return configError(fmt.Sprintf("Memory[%d]", r), "rank %d has a memory bandwidth of %v; expected one above 0", r, bandwidth)
		}
	}
	return c.validateProcesses(rates)
}

// validateProcesses is the part of Validate for processes and their site.
func (c Config) validateProcesses(rates []units.FlopsPerSecond) error {
	for i, p := range c.Processes {
		if p.Body == nil {
			return configError(fmt.Sprintf("Processes[%d]", i), "process %q has no body; expected a function", p.Name)
		}
	}
	for i, e := range c.Events {
		if e == nil {
			return configError(fmt.Sprintf("Events[%d]", i), "no event; expected one of sim.NewEvent")
		}
	}
	place := c.Site.Place
	switch {
	case place == nil:
		return nil
	case c.Fabric != nil:
		return configError("Site.Place", "nodes of ranks beside a fabric, which has them; expected none")
	case len(place) != len(rates):
		return configError("Site.Place", "nodes of %d ranks for %d ranks; expected one for each", len(place), len(rates))
	}
	speed := map[int32]units.FlopsPerSecond{}
	for r, node := range place {
		if node < 0 || int(node) >= len(place) {
			return configError(fmt.Sprintf("Site.Place[%d]", r), "rank %d is on node %d; expected a number from 0 to %d", r, node, len(place)-1)
		}
		if s, ok := speed[node]; ok && s != rates[r] {
			return configError(fmt.Sprintf("Rates[%d]", r), "rank %d computes at %v, others on node %d at %v; expected one speed for a node", r, rates[r], node, s)
		}
		speed[node] = rates[r]
	}
	return nil
}

// rates returns the speed of each rank.
func (c Config) rates() []units.FlopsPerSecond {
	if c.Fabric != nil {
		return c.Fabric.Speeds()
	}
	return c.Rates
}

// place returns the node of each rank.
func (c Config) place() []int32 {
	if a, ok := c.Fabric.(Adjustable); ok {
		return a.Place()
	}
	if c.Site.Place != nil {
		return c.Site.Place
	}
	place := make([]int32, c.Program.Ranks())
	for r := range place {
		place[r] = int32(r)
	}
	return place
}

// minLatency returns the smallest latency of the network, 0 on a fabric.
func (c Config) minLatency() units.Seconds {
	if c.Network == nil {
		return 0
	}
	return c.Network.MinLatency()
}

// protocol returns the protocol on a fabric.
func (c Config) protocol() network.Protocol {
	if c.Fabric != nil && reflect.ValueOf(c.Protocol).IsZero() {
		none := units.Bytes(math.Inf(1))
		return network.Protocol{EagerBelow: none, DetachedBelow: none}
	}
	return c.Protocol
}

// lookahead returns how far ranks may run apart: 0 on a fabric, and where ranks have
// streams or set each other free by events.
func (c Config) lookahead() units.Seconds {
	if len(c.Events) > 0 || c.streams() > 0 {
		return 0
	}
	return c.minLatency()
}
