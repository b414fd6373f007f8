package goalsim

import (
	"github.com/isoscale/isoscale/sim/internal/matching"
	"github.com/isoscale/isoscale/workloads/goal"
)

// queue is a list of operations, oldest first, linked by opState.next: the
// receives of a host that wait for a message, or the sends whose messages have
// arrived at it unexpectedly. If a walk over it was long, head is long and tail
// the number of the matching.Queue that has its operations.
type queue struct{ head, tail int32 }

// long is no operation and not none.
const long int32 = -2

// enqueue adds an operation that waits from now on.
func (x *run) enqueue(q *queue, i int32, now uint64) {
	s := &x.state[i]
	s.next = none
	// It is in no heap now: child and seq hold since when it waits.
	s.child, s.seq = int32(now>>32), uint32(now)
	switch q.head {
	case long:
		x.long.At(q.tail).Add(i, x.envelope(i))
		return
	case none:
		q.head = i
	default:
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
func (x *run) takeReceive(q *queue, send int32) int32 {
	return x.take(q, send, func(i int32) bool { return matches(&x.ops[i], &x.ops[send]) })
}

// takeMessage removes and returns the send of the oldest unexpected message
// that a receive takes, or none.
func (x *run) takeMessage(q *queue, recv int32) int32 {
	return x.take(q, recv, func(i int32) bool { return matches(&x.ops[recv], &x.ops[i]) })
}

// take removes and returns the oldest operation that matches the other side,
// which is op, or none.
func (x *run) take(q *queue, op int32, match func(i int32) bool) int32 {
	if q.head == long {
		return x.takeLong(q, op)
	}
	before, visited := int32(none), 0
	i := q.head
	for ; i != none && !match(i); before, i = i, x.state[i].next {
		visited++
	}
	if i != none {
		x.remove(q, i, before)
	}
	if visited > matching.Long {
		x.lengthen(q)
	}
	return i
}

// takeLong is take for a long queue.
func (x *run) takeLong(q *queue, op int32) int32 {
	l := x.long.At(q.tail)
	i, ok := l.Take(x.envelope(op))
	if !ok {
		return none
	}
	if l.Len() == 0 {
		x.long.Close(q.tail)
		*q = queue{head: none, tail: none}
	}
	return i
}

// lengthen hands the operations of a queue over to a matching.Queue.
func (x *run) lengthen(q *queue) {
	if q.head == none {
		return
	}
	number := x.long.Open()
	l := x.long.At(number)
	for i := q.head; i != none; i = x.state[i].next {
		l.Add(i, x.envelope(i))
	}
	*q = queue{head: long, tail: number}
}

// envelope is what an operation is matched by: what a receive accepts, what the
// message of a send carries.
func (x *run) envelope(i int32) matching.Envelope {
	op := &x.ops[i]
	e := matching.Envelope{Source: op.Peer, Tag: int32(op.Tag)}
	if op.Kind == goal.Send {
		e.Source = op.Rank
	}
	return e
}

// length returns the number of operations in a queue.
func (x *run) length(q *queue) int {
	if q.head == long {
		return x.long.At(q.tail).Len()
	}
	n := 0
	for i := q.head; i != none; i = x.state[i].next {
		n++
	}
	return n
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
