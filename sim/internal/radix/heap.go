package radix

import "math/bits"

// Heap holds values by key, all above the floor, which only rises. The zero Heap is
// empty, with floor 0.
//
// It is the radix heap of Ahuja, Mehlhorn, Orlin, Tarjan: Faster algorithms for the
// shortest path problem, J. ACM 37(2), 1990, section 2. A key that differs from the
// floor in bit i, and in no higher bit, is in bucket i. So the lowest bucket in use
// holds the smallest key. Raise makes this key the floor and distributes the bucket
// to lower ones. A value only ever moves down, so it moves at most 63 times, in
// practice a few.
//
// Equal keys keep the order in which they were added, without a sequence number:
// they are always in the same bucket, buckets are appended to at the back, and a
// bucket is distributed front to back into buckets that are empty.
//
// Deviations from the paper: bucket boundaries are XOR prefixes instead of stored
// ranges. Each bucket remembers its smallest key, so that Min takes constant time and
// changes nothing. Values at the floor leave the heap, because a queue of equal times
// needs no keys.
//
// Buckets are chains of blocks of a fixed size from one free list. So memory stays near
// the size of the entries however they move between buckets, and nothing is allocated
// once the heap has seen its largest population. container/heap would box each entry
// and follow an interface in each comparison.
type Heap[V any] struct {
	floor    uint64
	occupied uint64 // bit i is set while bucket i has entries
	buckets  [64]bucket[V]
	free     *block[V]
}

// blockLen entries of 16 bytes and the link fill 1024 bytes, a size class of the Go
// allocator.
const blockLen = 63

type entry[V any] struct {
	key   uint64
	value V
}

// block is a link in the chain of a bucket's entries.
type block[V any] struct {
	entries [blockLen]entry[V]
	next    *block[V]
}

// bucket is a queue of entries, from head.entries[0] to tail.entries[end-1]. Its
// fields mean something only while the bucket is occupied.
type bucket[V any] struct {
	head, tail *block[V]
	end        int
	min        uint64 // smallest key in the bucket
}

// Floor returns the key that all keys in the heap are above.
func (h *Heap[V]) Floor() uint64 { return h.floor }

// Empty reports whether the heap has no values.
func (h *Heap[V]) Empty() bool { return h.occupied == 0 }

// Min returns the smallest key. REQUIRES: the heap is not empty.
func (h *Heap[V]) Min() uint64 {
	return h.buckets[bits.TrailingZeros64(h.occupied)&63].min
}

// Add adds a value. REQUIRES: its key is above the floor.
func (h *Heap[V]) Add(key uint64, value V) {
	i := (bits.Len64(key^h.floor) - 1) & 63
	b := &h.buckets[i]
	switch {
	case h.occupied&(1<<i) == 0:
		h.occupied |= 1 << i
		blk := h.take()
		*b = bucket[V]{head: blk, tail: blk, min: key}
	case b.end == blockLen:
		blk := h.take()
		b.tail.next = blk
		b.tail, b.end = blk, 0
	}
	b.tail.entries[b.end] = entry[V]{key, value}
	b.end++
	b.min = min(b.min, key)
}

// Raise raises the floor to the smallest key, removes the values that have this key,
// and appends them to due in the order in which they were added. REQUIRES: the heap
// is not empty.
func (h *Heap[V]) Raise(due []V) []V {
	i := bits.TrailingZeros64(h.occupied) & 63
	b := h.buckets[i] // a copy, as the compiler does not know that Add leaves bucket i alone
	h.occupied &^= 1 << i
	h.floor = b.min
	for blk := b.head; blk != nil; {
		end := blockLen
		if blk == b.tail {
			end = b.end
		}
		for _, e := range blk.entries[:end] {
			if e.key == h.floor {
				due = append(due, e.value)
			} else {
				h.Add(e.key, e.value)
			}
		}
		next := blk.next
		blk.next, h.free = h.free, blk
		blk = next
	}
	return due
}

// Reset removes all values and puts the floor back to zero. The memory is kept for
// the next use.
func (h *Heap[V]) Reset() {
	for h.occupied != 0 {
		b := &h.buckets[bits.TrailingZeros64(h.occupied)&63]
		b.tail.next, h.free = h.free, b.head
		h.occupied &= h.occupied - 1
	}
	h.floor = 0
}

// take returns an empty block.
func (h *Heap[V]) take() *block[V] {
	blk := h.free
	if blk == nil {
		return new(block[V])
	}
	h.free, blk.next = blk.next, nil
	return blk
}
