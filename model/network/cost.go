package network

import "github.com/isoscale/isoscale/model/units"

// Handling says which part of a host deals with messages.
type Handling uint8

const (
	// ByInterface: the core starts a message and the network interface sends
	// it, after those before it; an arrived message waits for a receive, and
	// the core pays for it when it receives. For a message that the core turns
	// to at time t and that finds the interface idle:
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

// Cost is what one message costs at its ends and on its way. What the times
// count from depends on the Handling.
type Cost struct {
	SendOverhead units.Seconds // the sender's core is busy
	Transmission units.Seconds // the network interface is busy
	Latency      units.Seconds // on the way
	RecvOverhead units.Seconds // the receiver's core is busy
}
