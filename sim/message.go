package sim

import (
	"math"
	"slices"
	"unsafe"

	"github.com/isoscale/isoscale/model/units"
)

// none is the end of every index-linked list in this package.
const none int32 = -1

// phase is the part that a message plays in its protocol.
type phase uint8

const (
	eager       phase = iota // the data of an eager message
	synchronous              // the data of a message whose sender waits for the match
	request                  // rendezvous: the sender asks to send
	clearance                // rendezvous: the receiver allows it
	payload                  // rendezvous: the data

	// On a fabric, a message is in one of these after the other.
	announced // sent, and perhaps not matched yet
	underway  // its data flow
	arrived   // its last byte has arrived

	background // loads links for a process; nobody receives it
)

// handshake reports whether the receiver must answer at once.
func (p phase) handshake() bool { return p >= request && p <= payload }

// message is a message on its way or waiting to be received. Records live in a
// pool and refer to each other by index, so that a simulation in its steady
// state allocates nothing and the garbage collector has nothing to follow.
type message struct {
	arrival units.Seconds
	size    units.Bytes
	src     int32 // sending rank
	tag     int32
	order   uint32 // number of the message among those of its sender
	sendReq int32  // rendezvous: the sender's request
	recvReq int32  // clearance, payload: the receiver's request
	child   int32  // inbox: first child
	sibling int32  // inbox: the next one
	phase   phase
	place   place // data and requests to send: of the operation
}

// place is a [workloads.Op].Place in the padding of a record; larger numbers become 0,
// unknown.
type place uint16

func placeOf(number int32) place {
	if uint32(number) > math.MaxUint16 {
		return 0
	}
	return place(number)
}

func (p place) number() int32 { return int32(p) }

// messages are all messages of a shard.
type messages struct{ pool[message] }

// before is the order in which messages arrive at a rank.
func (p *messages) before(a, b int32) bool {
	x, y := &p.rec[a], &p.rec[b]
	if x.arrival != y.arrival {
		return x.arrival < y.arrival
	}
	if x.src != y.src {
		return x.src < y.src
	}
	return int32(x.order-y.order) < 0 // survives the counter's wrap-around
}

// The inbox of a rank is a pairing heap of the messages on their way to it, with the
// links inside the records. Adding takes constant time, taking the first amortised
// logarithmic time, and a rank needs one index. Most inboxes hold a handful of
// messages, but a rank to which all others send may have thousands.

// merge joins two heaps and returns the root.
func (p *messages) merge(a, b int32) int32 {
	if a == none {
		return b
	}
	if b == none {
		return a
	}
	if p.before(b, a) {
		a, b = b, a
	}
	p.rec[b].sibling = p.rec[a].child
	p.rec[a].child = b
	return a
}

// add puts a single record into the heap root and returns the new root.
func (p *messages) add(root, i int32) int32 {
	p.rec[i].child, p.rec[i].sibling = none, none
	return p.merge(root, i)
}

// take removes the root and returns the remaining heap: neighbouring children are
// merged in pairs from left to right, then the pairs from right to left.
func (p *messages) take(root int32) int32 {
	var pairs int32 = none
	for c := p.rec[root].child; c != none; {
		a := c
		b := p.rec[a].sibling
		c = none
		if b != none {
			c = p.rec[b].sibling
			p.rec[b].sibling = none
		}
		p.rec[a].sibling = none
		m := p.merge(a, b)
		p.rec[m].sibling = pairs
		pairs = m
	}
	var rest int32 = none
	for pairs != none {
		m := pairs
		pairs = p.rec[m].sibling
		p.rec[m].sibling = none
		rest = p.merge(rest, m)
	}
	return rest
}

// pool hands out records by index, so that they can refer to each other without
// pointers: a simulation in its steady state allocates nothing, and the garbage
// collector has nothing to follow.
type pool[T any] struct {
	rec  []T
	link links   // of each record, while it is in a queue
	free []int32 // indices of records that are not in use, taken from the end

	kind   store
	ledger *ledger // nil: the size of the pool is not recorded
	now    *units.Seconds
}

// newPool returns a pool with room for n records. Unused room costs address space, not
// memory; growing leaves garbage behind.
func newPool[T any](n int32) pool[T] {
	return pool[T]{rec: make([]T, 0, n), link: make(links, 0, n), free: make([]int32, 0, n)}
}

// get returns the index of a free record, with whatever it held before. It may
// move all records: no pointer into rec survives it.
func (p *pool[T]) get() int32 {
	if n := len(p.free); n > 0 {
		i := p.free[n-1]
		p.free = p.free[:n-1]
		return i
	}
	if len(p.rec) == cap(p.rec) {
		p.grow()
	}
	var zero T
	p.rec = append(p.rec, zero)
	p.link = append(p.link, none)
	return int32(len(p.rec) - 1)
}

// keptIn registers the pool in the ledger of a run; now points to the simulated time.
func (p *pool[T]) keptIn(l *ledger, kind store, now *units.Seconds) {
	p.ledger, p.kind, p.now = l, kind, now
	l.note(kind, int64(cap(p.rec)), p.bytes(cap(p.rec)))
}

// grow moves the pool to a larger slice, at a constant amortised cost per record. Meanwhile
// the old and the new slice take memory together.
func (p *pool[T]) grow() {
	const few = 1024
	had, more := cap(p.rec), max(len(p.rec)/4, min(len(p.rec), few), 16)
	if next := p.bytes(had + more); p.ledger != nil && next >= largeGrowth {
		p.ledger.check(*p.now, units.Bytes(next))
	}
	p.rec = slices.Grow(p.rec, more)
	p.link = slices.Grow(p.link, cap(p.rec)-len(p.link))
	p.free = slices.Grow(p.free, cap(p.rec)-len(p.free))
	p.ledger.note(p.kind, int64(cap(p.rec)-had), p.bytes(cap(p.rec)-had))
}

// bytes is the memory of so many records.
func (p *pool[T]) bytes(records int) int64 {
	var zero T
	return int64(records) * int64(unsafe.Sizeof(zero)+unsafe.Sizeof(none)+unsafe.Sizeof(none))
}

// put frees a record, which must not be in a queue.
func (p *pool[T]) put(i int32) { p.free = append(p.free, i) }
