package sim

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Network prices messages between ranks. Implementations must be pure: the
// same question has the same answer, whenever and from wherever it is asked.
type Network interface {
	// Message returns what a message of the given size costs. All times must
	// be finite and at least 0, and the Latency of one pair of ranks must not
	// depend on the size, so that messages of a pair cannot overtake each other.
	Message(from, to int32, size units.Bytes) network.Cost
	// MinLatency returns a lower bound of Latency over all pairs of different
	// ranks. The larger it is, the further ranks may run apart, and the faster
	// the simulation. 0 is always correct.
	MinLatency() units.Seconds
	// Rendezvous reports whether a message of this size waits for its receiver.
	Rendezvous(size units.Bytes) bool
	// Handling says which part of a host deals with messages.
	Handling() network.Handling
}

// Observer is told what happens, for timelines and the like. Each rank's spans
// come in its own time order; ranks may be told about out of order with each
// other, because they are advanced one at a time.
type Observer interface {
	// Span is called when the rank has spent time on something: spans of a rank
	// follow each other without gap or overlap, and none is empty.
	Span(rank int32, p Part, from, to units.Seconds)
	// Sent is called when a message starts to leave its sender. Sender and
	// order name the message; a payload of rendezvous is a message of its own,
	// whose request and clearance are not told about.
	Sent(rank int32, order uint32, to, tag int32, size units.Bytes, at units.Seconds)
	// Received is called when a message that was sent meets its receive, before
	// the span of waiting for it ends.
	Received(rank int32, from int32, order uint32, at units.Seconds)
}

// Listener may be implemented by a program whose ranks want to know the time
// and what they have received.
type Listener interface {
	// Now is called before each Next with the rank's clock.
	Now(rank int, t units.Seconds)
	// Received is called when a receive has been waited for, with the message
	// that it got.
	Received(rank int, from, tag int32, size units.Bytes)
}

var (
	_ Network = network.Ideal{}
	_ Network = network.Hockney{}
	_ Network = network.LogGOPS{}
)

// Config is one simulation.
type Config struct {
	Program workloads.Program
	Network Network
	// Rates[r] is the speed at which rank r performs Compute operations, above
	// 0. Its length is the number of ranks. The engine only reads it.
	Rates []units.FlopsPerSecond
	// Ranks asks for the outcome of every rank, which costs memory and a little
	// time. Without it, Result.Ranks is nil.
	Ranks bool
	// Workers is the largest number of cores to use, 0 for all. The result does
	// not depend on it.
	Workers int
	// Observer watches the run if it is not nil. It then uses one core.
	Observer Observer

	shards int // for tests: how many to use, 0 for what pays
}

// Validate reports the first thing that makes the configuration unusable.
func (c Config) Validate() error {
	switch {
	case c.Program == nil:
		return fmt.Errorf("sim: no program")
	case c.Network == nil:
		return fmt.Errorf("sim: no network")
	case c.Program.Ranks() < 1 || c.Program.Ranks() > math.MaxInt32:
		return fmt.Errorf("sim: program has %d ranks; expected 1 to %d", c.Program.Ranks(), math.MaxInt32)
	case len(c.Rates) != c.Program.Ranks():
		return fmt.Errorf("sim: %d rates for %d ranks; expected one for each", len(c.Rates), c.Program.Ranks())
	case !(c.Network.MinLatency() >= 0) || math.IsInf(float64(c.Network.MinLatency()), 1):
		return fmt.Errorf("sim: network's smallest latency is %v; expected a finite time of at least 0", c.Network.MinLatency())
	}
	for r, rate := range c.Rates {
		if !(rate > 0) || math.IsInf(float64(rate), 1) {
			return fmt.Errorf("sim: rank %d computes at %v; expected a finite speed above 0", r, rate)
		}
	}
	return nil
}
