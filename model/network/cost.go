package network

import "github.com/isoscale/isoscale/model/units"

// Cost is what one message costs at its ends and on its way.
//
// For a message that the sender turns to at time t and that finds the network
// interface idle:
//
//	t                                  the sender's core starts on it
//	t + SendOverhead                   the core is free again, the first byte leaves
//	t + SendOverhead + Transmission    the last byte has left
//	... + Latency                      the last byte has arrived
//	... + RecvOverhead                 the receiver's core has dealt with it
type Cost struct {
	SendOverhead units.Seconds // o_s: the sender's core is busy
	Transmission units.Seconds // the sender's network interface is busy
	Latency      units.Seconds // from a byte's leaving to its arrival
	RecvOverhead units.Seconds // o_r: the receiver's core is busy
}
