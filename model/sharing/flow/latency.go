package flow

import "github.com/isoscale/isoscale/model/units"

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
	heap  latencyHeap
}

func (q *travellers) push(t travelling) {
	if n := len(q.line); n == q.ahead || t.until >= q.line[n-1].until {
		if q.ahead > 64 && 2*q.ahead > n {
			q.line, q.ahead = q.line[:copy(q.line, q.line[q.ahead:])], 0
		}
		q.line = append(q.line, t)
		return
	}
	q.heap.push(t)
}

// first returns when the first message ends its latency phase, or false if there is none.
func (q *travellers) first() (units.Seconds, bool) {
	switch inLine, inHeap := q.ahead < len(q.line), len(q.heap) > 0; {
	case inLine && (!inHeap || q.line[q.ahead].before(q.heap[0])):
		return q.line[q.ahead].until, true
	case inHeap:
		return q.heap[0].until, true
	}
	return 0, false
}

// pop removes the first. REQUIRES: there is one.
func (q *travellers) pop() travelling {
	if q.ahead < len(q.line) && (len(q.heap) == 0 || q.line[q.ahead].before(q.heap[0])) {
		q.ahead++
		return q.line[q.ahead-1]
	}
	return q.heap.pop()
}

// latencyHeap is a binary heap.
type latencyHeap []travelling

func (t travelling) before(u travelling) bool {
	return t.until < u.until || t.until == u.until && t.order < u.order
}

func (h latencyHeap) before(i, j int) bool {
	return h[i].before(h[j])
}

func (h *latencyHeap) push(t travelling) {
	*h = append(*h, t)
	a := *h
	for i := len(a) - 1; i > 0; {
		up := (i - 1) / 2
		if !a.before(i, up) {
			return
		}
		a[i], a[up] = a[up], a[i]
		i = up
	}
}

// pop removes the first. REQUIRES: there is one.
func (h *latencyHeap) pop() travelling {
	a := *h
	first, last := a[0], len(a)-1
	a[0] = a[last]
	a = a[:last]
	*h = a
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			return first
		}
		if down+1 < last && a.before(down+1, down) {
			down++
		}
		if !a.before(down, i) {
			return first
		}
		a[i], a[down] = a[down], a[i]
		i = down
	}
}
