package network

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// LogGOPS is the model of [Hoefler2010] with its six parameters; for a message
// of s bytes, s at least 1:
//
//	the sender's core is busy for              o + (s-1) O
//	its interface can send again after         g + (s-1) G
//	the first byte arrives after               o + L
//	the receiver's core is then busy for       o + max((s-1) O, (s-1) G)
//	and its interface can receive again after  g + (s-1) G
//
// Messages of more than S bytes are synchronous: their sender is not done before the
// receiver has matched them, but the data do not wait for the match.
//
// LogGP [Alexandrov1997] is O = 0, LogP [Culler1993] also G = 0, and a message without
// overheads and gap takes L + (s-1) G, which is Hockney's law except for one byte.
//
// Deviation from the source: a message of 0 bytes costs as much as one of 1 byte,
// because s-1 would be negative.
type LogGOPS struct {
	Latency         units.Seconds // L, at least 0
	Overhead        units.Seconds // o, for each message, at least 0
	Gap             units.Seconds // g, between messages, at least 0
	GapPerByte      units.Seconds // G, for each byte, at least 0
	OverheadPerByte units.Seconds // O, for each byte, at least 0
	Synchronous     units.Bytes   // S, the largest size sent without waiting for the receiver; NoLimit: none waits
}

// Message returns the cost of size bytes between any two ranks.
func (l LogGOPS) Message(from, to int32, size units.Bytes) Cost {
	rest := units.Seconds(max(size-1, 0)) // bytes after the first
	return Cost{
		SendOverhead: l.Overhead + units.Seconds(rest*l.OverheadPerByte),
		Transmission: l.Gap + units.Seconds(rest*l.GapPerByte),
		Latency:      l.Overhead + l.Latency,
		RecvOverhead: l.Overhead + units.Seconds(rest*max(l.OverheadPerByte, l.GapPerByte)),
	}
}

// MinLatency returns o + L, the time of the first byte between any two ranks.
func (l LogGOPS) MinLatency() units.Seconds { return l.Overhead + l.Latency }

// Rendezvous reports whether a message of this size is synchronous.
func (l LogGOPS) Rendezvous(size units.Bytes) bool { return size > l.Synchronous }

// Handling returns ByCore.
func (l LogGOPS) Handling() Handling { return ByCore }

// Validate reports every parameter outside its range.
func (l LogGOPS) Validate() error {
	var problems []error
	for _, p := range []struct {
		symbol string
		value  units.Seconds
	}{{"L", l.Latency}, {"o", l.Overhead}, {"g", l.Gap}, {"G", l.GapPerByte}, {"O", l.OverheadPerByte}} {
		if !finite(float64(p.value)) || p.value < 0 {
			problems = append(problems, fmt.Errorf("loggops: %s is %v; expected a finite time of at least 0", p.symbol, p.value))
		}
	}
	if !(l.Synchronous >= 0) {
		problems = append(problems, fmt.Errorf("loggops: S is %v; expected a size of at least 0, or NoLimit", l.Synchronous))
	}
	return errors.Join(problems...)
}
