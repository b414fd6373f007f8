package sim

import "github.com/isoscale/isoscale/model/units"

// pending is a request of a rank: a send or receive that was started and not
// yet waited for.
type pending struct {
	peer, tag int32         // send: destination and tag; receive: what it accepts, then what it got
	name      int32         // the program's name for it; blocking calls have none
	nextOpen  int32         // the rank's list of open requests: successor
	size      units.Bytes   // send: payload; matched receive: payload
	at        units.Seconds // done: when; a send's may lie ahead of the clock
	state     pendingState
	send      bool
	awaited   bool // by a Waitall that its rank is in
	found     bool // done, by a test
}

type pendingState uint8

const (
	posted  pendingState = iota // a receive without a message, a send without clearance
	matched                     // a rendezvous receive whose data are on their way
	done
)
