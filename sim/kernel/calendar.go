package kernel

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/internal/radix"
)

// Calendar is a monotone priority queue of (time, id) pairs, in which the hot side
// keeps its events. The zero Calendar is empty and ready to use.
//
// Order: smallest time first; equal times leave in the order in which they
// were pushed.
//
// REQUIRES: a pushed time is finite, not negative and not before the last time
// popped (the floor). Push panics otherwise, because a simulated clock that
// accepts such a time is broken. Min does not move the floor: a time between
// the last Pop and Min may be pushed.
//
// Entries after the floor are in a radix heap on the IEEE 754 bits of their times,
// which sort like the numbers as long as these are not negative. Entries at the floor
// share one time, so only their ids are kept; entries are popped from there only.
// Memory is 16 bytes for each pending entry, and up to 8 times the largest number of
// entries due at one time; nothing is allocated once both numbers have had their
// largest values.
type Calendar struct {
	later radix.Heap[int32] // ids by the bits of their times; its floor is that of the calendar
	due   instant
	len   int // pending entries, due and later
}

// Push adds id at the given time. It panics if at is NaN, infinite, negative
// or before the last time popped.
func (c *Calendar) Push(at units.Seconds, id int32) {
	t, floor := float64(at), math.Float64frombits(c.later.Floor())
	// Written so that NaN fails.
	if !(t >= floor && t <= math.MaxFloat64) {
		panic(fmt.Sprintf("kernel: Calendar.Push at %g s: the time must be finite and not before the last time popped, %g s", t, floor))
	}
	if t == floor {
		c.due.push(id)
	} else {
		c.later.Add(math.Float64bits(t), id)
	}
	c.len++
}

// Min returns the time of the next entry, and false if there is none.
func (c *Calendar) Min() (at units.Seconds, ok bool) {
	if c.len == 0 {
		return 0, false
	}
	key := c.later.Floor()
	if c.due.empty() {
		key = c.later.Min()
	}
	return units.Seconds(math.Float64frombits(key)), true
}

// Pop removes the next entry and returns it, and false if there is none.
func (c *Calendar) Pop() (at units.Seconds, id int32, ok bool) {
	if c.len == 0 {
		return 0, 0, false
	}
	if c.due.empty() {
		c.due.ids = c.later.Raise(c.due.ids)
	}
	c.len--
	return units.Seconds(math.Float64frombits(c.later.Floor())), c.due.pop(), true
}

// PopInstant removes all entries of the smallest time and appends their ids to ids, in
// the order in which they were pushed. REQUIRES: there is an entry.
func (c *Calendar) PopInstant(ids []int32) (units.Seconds, []int32) {
	if c.due.empty() {
		n := len(ids)
		ids = c.later.Raise(ids)
		c.len -= len(ids) - n
	} else {
		due := c.due.ids[c.due.next:]
		ids = append(ids, due...)
		c.len -= len(due)
		c.due.clear()
	}
	return units.Seconds(math.Float64frombits(c.later.Floor())), ids
}

// Len returns the number of pending entries.
func (c *Calendar) Len() int { return c.len }

// Reset removes all entries and puts the floor back to zero. The memory is
// kept for the next use.
func (c *Calendar) Reset() {
	c.later.Reset()
	c.due.clear()
	c.len = 0
}

// instant is a queue of the ids that are due at one time: ids[next:], first in,
// first out.
type instant struct {
	ids  []int32
	next int
}

func (q *instant) empty() bool { return q.next == len(q.ids) }

// push adds an id at the end.
func (q *instant) push(id int32) {
	if len(q.ids) == cap(q.ids) {
		q.makeRoom()
	}
	q.ids = append(q.ids, id)
}

// pop removes the first id. REQUIRES: the queue is not empty.
func (q *instant) pop() int32 {
	id := q.ids[q.next]
	q.next++
	if q.empty() {
		q.clear()
	}
	return id
}

// clear removes all ids and keeps the memory.
func (q *instant) clear() { q.ids, q.next = q.ids[:0], 0 }

// makeRoom moves the ids to the front of the slice if at least half of it has
// been popped. So the slice grows with the ids that are pending, not with those
// that pass through, and there is at most one move for each pop.
func (q *instant) makeRoom() {
	if q.next < len(q.ids)/2 {
		return
	}
	n := copy(q.ids, q.ids[q.next:])
	q.ids, q.next = q.ids[:n], 0
}
