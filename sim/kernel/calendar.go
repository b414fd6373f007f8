package kernel

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/isoscale/isoscale/model/units"
)

// Calendar is a monotone priority queue of (time, id) pairs: what the hot side
// keeps its events in. The zero Calendar is empty and ready to use.
//
// Order: smallest time first; equal times leave in the order in which they
// were pushed.
//
// REQUIRES: a pushed time is finite, not negative and not before the last time
// popped (the floor). Push panics otherwise, because a simulated clock that
// accepts such a time is broken. Min does not move the floor: a time between
// the last Pop and Min may be pushed.
//
// It is a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan: Faster algorithms for
// the shortest path problem, J. ACM 37(2), 1990, section 2) on the IEEE 754
// bits of the time, which sort like the numbers as long as these are not
// negative. The key k is in bucket bits.Len64(k XOR floor): bucket 0 holds the
// times equal to the floor, bucket i those whose highest bit that differs from
// the floor is bit i-1. The lowest bucket in use holds the minimum; Pop makes
// that the new floor and deals the bucket out to lower ones. An entry only
// ever moves down, so it moves at most 63 times, in practice a few.
//
// First in, first out at equal times needs no sequence number: equal keys are
// always in the same bucket, buckets are appended to at the back, and a bucket
// is distributed front to back into buckets that are empty.
//
// Deviations from the paper: bucket boundaries are XOR prefixes instead of
// stored ranges, and each bucket remembers its minimum, so that Min is a
// constant-time question without side effects.
//
// All entries of bucket 0 have the same time, so it keeps ids only, in one
// slice: see instant. It is where every entry is popped from. The other buckets
// are chains of fixed blocks from one free list, so memory stays near 16 bytes
// for each pending entry however the entries wander between buckets, and 8 for
// each of the largest number at one time. Nothing is allocated once the
// calendar has seen both numbers at their largest. container/heap would box
// each entry and follow an interface in each comparison.
type Calendar struct {
	floor    uint64     // key of the last time popped
	due      instant    // bucket 0
	occupied uint64     // bit i is set while bucket i > 0 has entries
	len      int        // pending entries in all buckets
	buckets  [64]bucket // by number, 0 unused; keys have no sign bit: bits.Len64 is at most 63
	free     *block
}

// entry is one pending event: 16 bytes.
type entry struct {
	key uint64 // math.Float64bits of the time, sign bit clear
	id  int32
}

// blockLen entries and the link fill 1024 bytes, a size class of the Go
// allocator.
const blockLen = 63

// block is a link of the chain that a bucket's entries are in.
type block struct {
	entries [blockLen]entry
	next    *block
}

// bucket is a queue of entries, from head.entries[first] to tail.entries[end-1].
// Its fields mean something only while the bucket is occupied.
type bucket struct {
	head, tail *block
	first, end int
	min        uint64 // smallest key in the bucket
}

// Push adds id at the given time. It panics if at is NaN, infinite, negative
// or before the last time popped.
func (c *Calendar) Push(at units.Seconds, id int32) {
	t := float64(at)
	// Written so that NaN fails.
	if !(t >= math.Float64frombits(c.floor) && t <= math.MaxFloat64) {
		panic(fmt.Sprintf("kernel: Calendar.Push at %g s: the time must be finite and not before the last time popped, %g s",
			t, math.Float64frombits(c.floor)))
	}
	// Abs, because minus zero passes the test above.
	c.add(entry{key: math.Float64bits(math.Abs(t)), id: id})
	c.len++
}

// Min returns the time of the next entry. It is false if there is none.
func (c *Calendar) Min() (at units.Seconds, ok bool) {
	if c.len == 0 {
		return 0, false
	}
	if !c.due.empty() {
		return units.Seconds(math.Float64frombits(c.floor)), true
	}
	lowest := bits.TrailingZeros64(c.occupied) & 63
	return units.Seconds(math.Float64frombits(c.buckets[lowest].min)), true
}

// Pop removes the next entry and returns it. It is false if there is none.
func (c *Calendar) Pop() (at units.Seconds, id int32, ok bool) {
	if c.len == 0 {
		return 0, 0, false
	}
	if c.due.empty() {
		c.settle()
	}
	c.len--
	return units.Seconds(math.Float64frombits(c.floor)), c.due.pop(), true
}

// Len returns the number of pending entries.
func (c *Calendar) Len() int { return c.len }

// Reset removes all entries and puts the floor back to zero. The memory is
// kept for the next use.
func (c *Calendar) Reset() {
	for c.occupied != 0 {
		b := &c.buckets[bits.TrailingZeros64(c.occupied)&63]
		b.tail.next, c.free = c.free, b.head
		c.occupied &= c.occupied - 1
	}
	c.due.clear()
	c.floor, c.len = 0, 0
}

// add appends e to the bucket that its key belongs to.
func (c *Calendar) add(e entry) {
	i := bits.Len64(e.key^c.floor) & 63
	if i == 0 {
		c.due.push(e.id)
		return
	}
	b := &c.buckets[i]
	switch {
	case c.occupied&(1<<i) == 0:
		c.occupied |= 1 << i
		blk := c.take()
		*b = bucket{head: blk, tail: blk, min: e.key}
	case b.end == blockLen:
		blk := c.take()
		b.tail.next = blk
		b.tail, b.end = blk, 0
	}
	b.tail.entries[b.end] = e
	b.end++
	b.min = min(b.min, e.key)
}

// settle raises the floor to the smallest key and deals the bucket that holds
// it out to lower buckets. All of these are empty before, and bucket 0 is not
// empty after.
func (c *Calendar) settle() {
	i := bits.TrailingZeros64(c.occupied) & 63
	b := c.buckets[i] // a copy: add does not touch bucket i, but may not know
	c.occupied &^= 1 << i
	c.floor = b.min
	for blk, first := b.head, b.first; blk != nil; first = 0 {
		end := blockLen
		if blk == b.tail {
			end = b.end
		}
		for _, e := range blk.entries[first:end] {
			c.add(e)
		}
		next := blk.next
		c.release(blk)
		blk = next
	}
}

// take returns an empty block.
func (c *Calendar) take() *block {
	blk := c.free
	if blk == nil {
		return new(block)
	}
	c.free, blk.next = blk.next, nil
	return blk
}

// release gives a block back for later use.
func (c *Calendar) release(blk *block) {
	c.free, blk.next = blk, c.free
}
