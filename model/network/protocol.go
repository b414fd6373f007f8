package network

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Protocol is how an MPI library moves messages over a network whose links are
// shared, where a price for each message is not the whole story.
//
// The envelope of a message meets its receive without delay: they are matched as soon
// as both have been posted. The limits decide when the data flow, and whether the
// sender waits. All sizes are payload.
type Protocol struct {
	// EagerBelow: the data of smaller messages start to flow at the send, those of
	// others when both send and receive have been posted.
	EagerBelow units.Bytes
	// DetachedBelow: the sender of a smaller message goes on at once, the sender of
	// another one waits until the data have arrived.
	DetachedBelow units.Bytes
	// The overheads of the sender's core before it posts a detached blocking send or
	// any non-blocking send, and of the receiver's core after a detached message has
	// arrived. Other messages have none, unless EveryMessage is set.
	Send, Isend, Recv Overheads
	EveryMessage      bool
	// TestStep is the time of a test. After n tests in a row, of any ranks, that found
	// their requests open, the next test takes n+1 times as long; with SteadyTests,
	// each test takes this time.
	TestStep    units.Seconds
	SteadyTests bool
}

// Overheads is a cost that is piecewise linear in the size of a message. The last piece
// whose Above is smaller than the size applies, or the first piece if there is none
// such; without pieces the cost is 0. Pieces are in ascending order.
type Overheads []Overhead

// Overhead is a piece of [Overheads].
type Overhead struct {
	Above   units.Bytes   // at least 0
	Fixed   units.Seconds // at least 0
	PerByte units.Seconds // at least 0
}

// At returns the cost for a size.
func (o Overheads) At(size units.Bytes) units.Seconds {
	if len(o) == 0 {
		return 0
	}
	piece := o[0]
	for _, p := range o[1:] {
		if size <= p.Above {
			break
		}
		piece = p
	}
	return piece.Fixed + units.Seconds(piece.PerByte*units.Seconds(size))
}

// Detached reports whether the sender of a message of this size goes on at once.
func (p *Protocol) Detached(size units.Bytes) bool { return size < p.DetachedBelow }

// SendOverhead returns the overhead of the core before a send of this size.
func (p *Protocol) SendOverhead(size units.Bytes, blocking bool) units.Seconds {
	switch {
	case !blocking:
		return p.Isend.At(size)
	case p.Detached(size) || p.EveryMessage:
		return p.Send.At(size)
	}
	return 0
}

// RecvOverhead returns the overhead of the core that receives a message of this size.
func (p *Protocol) RecvOverhead(size units.Bytes) units.Seconds {
	if p.Detached(size) || p.EveryMessage {
		return p.Recv.At(size)
	}
	return 0
}

// Eager reports whether the data of a message of this size start to flow at the send.
func (p *Protocol) Eager(size units.Bytes) bool { return size < p.EagerBelow }

// SMPI returns the protocol of SimGrid's MPI ([SimGrid2014], [Bedaride2013]) with
// its default values.
func SMPI() Protocol { return Protocol{DetachedBelow: 65536, TestStep: 1e-4} }

// Validate reports the first value outside its range.
func (p Protocol) Validate() error {
	if !(p.EagerBelow >= 0) || !(p.DetachedBelow >= 0) {
		return fmt.Errorf("protocol: eager below %v, detached below %v; expected sizes of at least 0", p.EagerBelow, p.DetachedBelow)
	}
	good := func(t units.Seconds) bool { return t >= 0 && t <= 1e20 }
	if !good(p.TestStep) {
		return fmt.Errorf("protocol: a test takes %v; expected a time from 0 to 1e20 s", p.TestStep)
	}
	for _, o := range []Overheads{p.Send, p.Isend, p.Recv} {
		for i, x := range o {
			if !good(x.Fixed) || !good(x.PerByte) || !(x.Above >= 0) || i > 0 && x.Above <= o[i-1].Above {
				return fmt.Errorf("protocol: overhead above %v is %v + %v/B; expected ascending sizes and times from 0 to 1e20 s", x.Above, x.Fixed, x.PerByte)
			}
		}
	}
	return nil
}

// Handling says which part of a host deals with messages.
type Handling uint8

const (
	// ByInterface: the core starts a message, and the network interface sends it after
	// earlier ones; a message that has arrived waits for its receive, where the core
	// spends the receive overhead. For a message that the core turns to at time t and
	// that finds the interface idle:
	//
	//	t + SendOverhead                 the core is free, the first byte leaves
	//	t + SendOverhead + Transmission  the last byte has left, the interface is free
	//	... + Latency                    the last byte has arrived
	//	... + RecvOverhead               the receiving core has dealt with it
	ByInterface Handling = iota
	// ByCore: the core waits for the interface to be free before it sends, and
	// deals with every message when it arrives, whether or not a receive is
	// posted, as soon as core and interface are free. For a message sent at
	// time t, when both are free:
	//
	//	t + SendOverhead  the core is free
	//	t + Transmission  the interface is free to send again
	//	t + Latency       the first byte has arrived
	//
	// and at the receiver, from the time u when it turns to the message:
	//
	//	u                 a posted receive is complete
	//	u + RecvOverhead  the core is free
	//	u + Transmission  the interface is free to receive again
	ByCore
)

// Cost is what one message costs at its ends and on its way. The Handling decides where
// each time starts.
type Cost struct {
	SendOverhead units.Seconds // the sender's core is busy
	Transmission units.Seconds // the network interface is busy
	Latency      units.Seconds // on the way
	RecvOverhead units.Seconds // the receiver's core is busy
}
