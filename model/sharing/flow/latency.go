package flow

import (
	"github.com/isoscale/isoscale/internal/heap"
	"github.com/isoscale/isoscale/model/units"
)

// travelling is a message in its latency phase.
type travelling struct {
	until    units.Seconds
	order    uint64 // of start; also of ends at one instant
	from, to int32  // hosts
	name     int32
	size     units.Bytes   // with envelope
	latency  units.Seconds // of the route
	// A short route, to avoid asking for it again. For a longer one, hops is longRoute.
	links [shortRoute]int32
	hops  int32
}

const (
	shortRoute = 7
	longRoute  = -1
)

// keep stores the route if it is short.
func (t *travelling) keep(route []int32) {
	t.hops = longRoute
	if len(route) <= shortRoute {
		t.hops = int32(copy(t.links[:], route))
	}
}

// travellers are the messages in their latency phase. Most have the same latency as the
// previous one, so they end in the order of their start and wait in line. The others
// are in a heap.
type travellers struct {
	line  []travelling
	ahead int // number of messages that have left the line
	heap  heap.Heap[travelling]
}

func newTravellers() travellers { return travellers{heap: heap.By((*travelling).before)} }

func (q *travellers) push(t travelling) {
	if n := len(q.line); n == q.ahead || t.until >= q.line[n-1].until {
		if q.ahead > 64 && 2*q.ahead > n {
			q.line, q.ahead = q.line[:copy(q.line, q.line[q.ahead:])], 0
		}
		q.line = append(q.line, t)
		return
	}
	q.heap.Push(t)
}

// first returns when the first message ends its latency phase, or false if there is none.
func (q *travellers) first() (units.Seconds, bool) {
	switch {
	case q.fromLine():
		return q.line[q.ahead].until, true
	case q.heap.Len() > 0:
		return q.heap.Top().until, true
	}
	return 0, false
}

// fromLine reports whether the first is in the line.
func (q *travellers) fromLine() bool {
	return q.ahead < len(q.line) && (q.heap.Len() == 0 || q.line[q.ahead].before(q.heap.Top()))
}

// pop removes the first. REQUIRES: there is one.
func (q *travellers) pop() travelling {
	if q.fromLine() {
		q.ahead++
		return q.line[q.ahead-1]
	}
	return q.heap.Pop()
}

func (t *travelling) before(u *travelling) bool {
	return t.until < u.until || t.until == u.until && t.order < u.order
}
