package sim

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
)

// turns says which rank has its turn next: that with the earliest time. Where
// messages may arrive at the instant at which they are sent, the order of turns at
// one instant matters, and is that of the ranks' numbers. Elsewhere it does not,
// and is that of the calendar, which is cheaper.
type turns struct {
	cal kernel.Calendar

	byRank bool
	now    units.Seconds
	due    []int32 // byRank: the ranks due now that the calendar does not hold, a heap
}

// push gives a rank a turn at a time.
func (q *turns) push(t units.Seconds, id int32) {
	if len(q.due) > 0 && t == q.now {
		q.add(id)
		return
	}
	q.cal.Push(t, id)
}

// next returns the time of the next turn, false if there is none.
func (q *turns) next() (units.Seconds, bool) {
	if len(q.due) > 0 {
		return q.now, true
	}
	return q.cal.Min()
}

// pop removes the next turn. REQUIRES: there is one.
func (q *turns) pop() (units.Seconds, int32) {
	if !q.byRank {
		at, id, _ := q.cal.Pop()
		return at, id
	}
	if len(q.due) > 0 {
		return q.now, q.takeLowest()
	}
	at, id, _ := q.cal.Pop()
	next, ok := q.cal.Min()
	if !ok || next > at {
		return at, id
	}
	for q.add(id); ok && next == at; next, ok = q.cal.Min() {
		_, id, _ := q.cal.Pop()
		q.add(id)
	}
	q.now = at
	return at, q.takeLowest()
}

func (q *turns) add(id int32) {
	q.due = append(q.due, id)
	h := q.due
	i := len(h) - 1
	for i > 0 && id < h[(i-1)/2] {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = id
}

func (q *turns) takeLowest() int32 {
	h := q.due
	lowest, last := h[0], len(h)-1
	id := h[last]
	h = h[:last]
	q.due = h
	i := 0
	for child := 1; child < last; child = 2*i + 1 {
		if child+1 < last && h[child+1] < h[child] {
			child++
		}
		if id <= h[child] {
			break
		}
		h[i] = h[child]
		i = child
	}
	if last > 0 {
		h[i] = id
	}
	return lowest
}
