package goalsim

import (
	"github.com/isoscale/isoscale/sim/internal/matching"
	"github.com/isoscale/isoscale/workloads/goal"
)

// queue is a list of operations, oldest first, linked by opState.next: the posted
// receives of a host, or the sends whose messages have arrived there unexpectedly.
// After a long walk the operations move to a matching.Queue; then head is the constant
// long and tail the number of that queue.
type queue struct{ head, tail int32 }

// long differs from none and from every operation.
const long int32 = -2

// enqueue adds an operation that waits from now on.
func (x *run) enqueue(q *queue, i int32, now uint64) {
	s := &x.state[i]
	s.next = none
	// The operation is in no heap now, so child and seq can hold the time since when it waits.
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

// takeMessage removes and returns the send whose unexpected message is the oldest that
// a receive takes, or none.
func (x *run) takeMessage(q *queue, recv int32) int32 {
	return x.take(q, recv, func(i int32) bool { return matches(&x.ops[recv], &x.ops[i]) })
}

// take removes and returns the oldest operation that matches op, or none.
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

// envelope is what matching compares: what a receive accepts, or what the message of a
// send carries.
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

// Events that find their core or interface busy wait for it. All events of a host that
// wait for the same core and interface form a group: they can go on at the same time,
// the one with the smallest number first. The rules put each of them back into the
// agenda; then every time one of n events goes on, all others are visited: n² visits.
// Here only one event of a group, the guard, goes back into the agenda; the others are
// parked. When the guard goes on, the parked event with the smallest number becomes the
// guard.
//
// This changes no order. Let R be the time at which the core and the interface of the
// group are free; R never decreases. An event of the group that the rules put back goes
// on when (R, its number) is the smallest key of all events, however often it was put
// back. No parked event has a smaller number than the guard, so the guard's key comes
// first among them.
type group struct {
	guard  int32 // operation of the event that is in the agenda, or none
	parked int32 // root of a pairing heap of operations, or none
}

const none = -1

// wait puts back or parks an event that cannot go on before free.
func (x *run) wait(g *group, e event, free uint64) {
	id := int32(e.what &^ arrivalBit)
	x.state[id].seq = e.seq
	if g.guard == none || g.guard == id || e.seq < x.state[g.guard].seq {
		g.guard = id
		e.time = free
		x.agenda.push(e)
		return
	}
	x.state[id].next, x.state[id].child = none, none
	g.parked = x.meld(g.parked, id)
}

// wentOn must be called when an event of the group has gone on. free is the time at
// which the next one can.
func (x *run) wentOn(g *group, what uint32, free uint64) {
	if g.guard != int32(what&^arrivalBit) {
		return
	}
	g.guard = g.parked
	if g.parked == none {
		return
	}
	g.parked = x.mergePairs(x.state[g.guard].child)
	x.agenda.push(event{time: free, seq: x.state[g.guard].seq, what: uint32(g.guard) | what&arrivalBit})
}

// meld joins two pairing heaps (Fredman, Sedgewick, Sleator, Tarjan: The
// pairing heap, Algorithmica 1, 1986), ordered by seq. Children of a node are a
// list: the first is child, its siblings follow by next.
func (x *run) meld(a, b int32) int32 {
	switch {
	case a == none:
		return b
	case b == none:
		return a
	}
	if x.state[b].seq < x.state[a].seq {
		a, b = b, a
	}
	x.state[b].next = x.state[a].child
	x.state[a].child = b
	return a
}

// mergePairs melds the heaps of a list: two at a time, then the results from
// the last to the first.
func (x *run) mergePairs(list int32) int32 {
	pairs := int32(none)
	for list != none {
		a := list
		b := x.state[a].next
		if b == none {
			list = none
		} else {
			list = x.state[b].next
			x.state[b].next = none
		}
		x.state[a].next = none
		p := x.meld(a, b)
		x.state[p].next = pairs
		pairs = p
	}
	root := int32(none)
	for pairs != none {
		rest := x.state[pairs].next
		x.state[pairs].next = none
		root = x.meld(root, pairs)
		pairs = rest
	}
	return root
}
