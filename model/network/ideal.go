package network

import "github.com/isoscale/isoscale/model/units"

// Ideal is the network on which messages cost nothing and arrive at once. What
// remains of a run's time is computation, sequential parts and imbalance: the
// upper bound that every other network is held against.
type Ideal struct{}

// Message returns the zero cost.
func (Ideal) Message(from, to int32, size units.Bytes) Cost { return Cost{} }

// MinLatency returns 0.
func (Ideal) MinLatency() units.Seconds { return 0 }

// Handling returns ByInterface.
func (Ideal) Handling() Handling { return ByInterface }

// Rendezvous reports false: every message is eager.
func (Ideal) Rendezvous(size units.Bytes) bool { return false }
