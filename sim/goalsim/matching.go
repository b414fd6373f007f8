package goalsim

import "github.com/isoscale/isoscale/workloads/goal"

// queue is a list of operations, oldest first, linked by opState.next: the
// receives of a host that wait for a message, or the sends whose messages have
// arrived at it unexpectedly.
type queue struct{ head, tail int32 }

func (x *run) enqueue(q *queue, i int32, now uint64) {
	s := &x.state[i]
	s.next = none
	// It is in no heap now: child and seq hold since when it waits.
	s.child, s.seq = int32(now>>32), uint32(now)
	if q.head == none {
		q.head = i
	} else {
		x.state[q.tail].next = i
	}
	q.tail = i
}

// since is the time at which the operation was enqueued.
func (s *opState) since() Nanoseconds {
	return Nanoseconds(uint64(uint32(s.child))<<32 | uint64(s.seq))
}

// takeReceive removes and returns the oldest receive that takes the message of
// a send, or none.
func (x *run) takeReceive(q *queue, send *goal.Op) int32 {
	before := int32(none)
	for i := q.head; i != none; before, i = i, x.state[i].next {
		if matches(&x.ops[i], send) {
			x.remove(q, i, before)
			return i
		}
	}
	return none
}

// takeMessage removes and returns the send of the oldest unexpected message
// that a receive takes, or none.
func (x *run) takeMessage(q *queue, recv *goal.Op) int32 {
	before := int32(none)
	for i := q.head; i != none; before, i = i, x.state[i].next {
		if matches(recv, &x.ops[i]) {
			x.remove(q, i, before)
			return i
		}
	}
	return none
}

// matches compares source and tag. A send may have the wildcard tag too.
func matches(recv, send *goal.Op) bool {
	return (recv.Peer == send.Rank || recv.Peer == goal.AnySource) &&
		(recv.Tag == send.Tag || recv.Tag == goal.AnyTag || send.Tag == goal.AnyTag)
}

func (x *run) remove(q *queue, i, before int32) {
	next := x.state[i].next
	if before == none {
		q.head = next
	} else {
		x.state[before].next = next
	}
	if q.tail == i {
		q.tail = before
	}
}
