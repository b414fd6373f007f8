package goalsim

import (
	"cmp"
	"math/bits"
	"slices"
)

// event is a pending event: 16 bytes. Events are ordered by time, then by seq.
type event struct {
	time uint64
	seq  uint32 // number of creation: no two are equal
	what uint32 // index of the operation, arrivalBit set for the arrival of its message
}

const arrivalBit = 1 << 31

func (e event) before(f event) bool {
	return e.time < f.time || e.time == f.time && e.seq < f.seq
}

// agenda is the priority queue of all events. The zero agenda is empty.
//
// Almost all pushes are in the future, and many events share a time. So it is
// a radix heap on the time (Ahuja, Mehlhorn, Orlin, Tarjan, J. ACM 37(2), 1990,
// section 2, as in sim/kernel): an event whose time differs from the floor in
// bit i-1 and no higher bit is in bucket i. The lowest bucket in use holds the
// earliest events; when nothing earlier is left, its minimum becomes the floor
// and it is distributed to lower buckets. Deviations from there and from the
// paper:
//
//   - Bucket 0, the events at the floor, is the slice now, in the order of seq.
//     A bucket keeps the order of pushes, which is that of seq except for events
//     that waited; so now is sorted when it has been filled, which costs nothing
//     if it is in order.
//   - A push need not be in the future (see the package comment). What belongs
//     before the floor, or at the floor before an event that is there already,
//     goes to a binary heap, which is looked at first. It is empty but for rare
//     moments.
//
// Buckets are chains of blocks from one free list. Nothing is allocated once
// the agenda has seen its largest population.
type agenda struct {
	floor    uint64
	now      []event // at the floor, ascending; now[:next] has been taken
	next     int
	early    []event // binary heap of what comes before the end of now
	occupied uint64  // bit i-1 is set while bucket i has events
	buckets  [64]bucket
	free     *block
}

// blockLen events and the link fill 1024 bytes.
const blockLen = 63

type block struct {
	events [blockLen]event
	next   *block
}

// bucket holds events up to tail.events[end-1]. Its fields mean something only
// while it is occupied.
type bucket struct {
	head, tail *block
	end        int
	min        uint64 // earliest time
}

// push adds an event.
func (a *agenda) push(e event) {
	switch {
	case e.time > a.floor:
		a.add(e)
	case e.time == a.floor && (a.next == len(a.now) || a.now[len(a.now)-1].seq < e.seq):
		a.now = append(a.now, e)
	default:
		a.pushEarly(e)
	}
}

// pop removes the first event. It is false if there is none.
func (a *agenda) pop() (event, bool) {
	if len(a.early) > 0 && (a.next == len(a.now) || a.early[0].before(a.now[a.next])) {
		return a.popEarly(), true
	}
	if a.next == len(a.now) {
		if a.occupied == 0 {
			return event{}, false
		}
		a.settle()
	}
	e := a.now[a.next]
	a.next++
	return e, true
}

// add puts an event later than the floor into its bucket.
func (a *agenda) add(e event) {
	i := (bits.Len64(e.time^a.floor) - 1) & 63
	b := &a.buckets[i]
	switch {
	case a.occupied&(1<<i) == 0:
		a.occupied |= 1 << i
		blk := a.take()
		*b = bucket{head: blk, tail: blk, min: e.time}
	case b.end == blockLen:
		blk := a.take()
		b.tail.next = blk
		b.tail, b.end = blk, 0
	}
	b.tail.events[b.end] = e
	b.end++
	b.min = min(b.min, e.time)
}

// settle raises the floor to the earliest time. REQUIRES: no event is in now
// or in early, and a bucket is occupied.
func (a *agenda) settle() {
	a.now, a.next = a.now[:0], 0
	i := bits.TrailingZeros64(a.occupied) & 63
	b := a.buckets[i] // a copy: add does not touch bucket i, but may not know
	a.occupied &^= 1 << i
	a.floor = b.min
	sorted := true
	last := uint32(0)
	for blk := b.head; blk != nil; {
		end := blockLen
		if blk == b.tail {
			end = b.end
		}
		for _, e := range blk.events[:end] {
			if e.time != a.floor {
				a.add(e)
				continue
			}
			sorted = sorted && last <= e.seq
			last = e.seq
			a.now = append(a.now, e)
		}
		next := blk.next
		blk.next, a.free = a.free, blk
		blk = next
	}
	if !sorted {
		slices.SortFunc(a.now, func(e, f event) int { return cmp.Compare(e.seq, f.seq) })
	}
}

// take returns an empty block.
func (a *agenda) take() *block {
	blk := a.free
	if blk == nil {
		return new(block)
	}
	a.free, blk.next = blk.next, nil
	return blk
}

func (a *agenda) pushEarly(e event) {
	a.early = append(a.early, e)
	h := a.early
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
}

func (a *agenda) popEarly() event {
	top := a.early[0]
	n := len(a.early) - 1
	e := a.early[n]
	a.early = a.early[:n]
	h := a.early
	for i := 0; n > 0; {
		down := 2*i + 1
		if down+1 < n && h[down+1].before(h[down]) {
			down++
		}
		if down >= n || !h[down].before(e) {
			h[i] = e
			break
		}
		h[i] = h[down]
		i = down
	}
	return top
}
