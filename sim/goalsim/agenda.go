package goalsim

import (
	"cmp"
	"slices"

	"github.com/isoscale/isoscale/sim/internal/radix"
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

// timeless is an event without its time, which follows from where the event is kept.
type timeless struct{ seq, what uint32 }

func (e timeless) at(time uint64) event { return event{time, e.seq, e.what} }

// agenda is the priority queue of all events. The zero agenda is empty.
//
// Almost all pushes are in the future, and many events share a time. So events later
// than the floor, which is the time of the event taken last, are in a radix heap, and
// events at the floor are in the slice now, in the order of seq.
//
//   - The heap keeps events of equal time in the order of their pushes, which is that
//     of seq except for events that waited. So now is sorted when it is filled, unless
//     it is in order.
//   - A push need not be in the future (see the package comment). An event before the
//     floor, or at the floor but before an event in now, goes into a binary heap, which
//     is looked at first and nearly always empty.
//
// Nothing is allocated once the agenda has seen its largest population.
type agenda struct {
	later radix.Heap[timeless] // its floor is that of the agenda
	now   []timeless           // at the floor, ascending; now[:next] has been taken
	next  int
	early []event // binary heap of events that come before the end of now
}

// push adds an event.
func (a *agenda) push(e event) {
	floor := a.later.Floor()
	switch {
	case e.time > floor:
		a.later.Add(e.time, timeless{e.seq, e.what})
	case e.time == floor && (a.next == len(a.now) || a.now[len(a.now)-1].seq < e.seq):
		a.now = append(a.now, timeless{e.seq, e.what})
	default:
		a.pushEarly(e)
	}
}

// pop removes the first event. It returns false if there is none.
func (a *agenda) pop() (event, bool) {
	if len(a.early) > 0 && (a.next == len(a.now) || a.early[0].before(a.now[a.next].at(a.later.Floor()))) {
		return a.popEarly(), true
	}
	if a.next == len(a.now) {
		if a.later.Empty() {
			return event{}, false
		}
		a.raise()
	}
	e := a.now[a.next]
	a.next++
	return e.at(a.later.Floor()), true
}

// raise moves the earliest events to now. REQUIRES: no event is in now or in early,
// and the heap is not empty.
func (a *agenda) raise() {
	a.now, a.next = a.later.Raise(a.now[:0]), 0
	bySeq := func(e, f timeless) int { return cmp.Compare(e.seq, f.seq) }
	if !slices.IsSortedFunc(a.now, bySeq) {
		slices.SortFunc(a.now, bySeq)
	}
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
