package sim

import (
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
)

// turns decides which rank has the next turn: the one with the earliest time. Where
// messages may arrive at the instant at which they are sent, the order of turns within
// an instant matters, and is that of the ranks' numbers. Elsewhere it does not matter,
// and is that of the calendar, which is cheaper.
type turns struct {
	cal kernel.Calendar

	byRank bool
	now    units.Seconds
	due    []int32 // byRank: ranks that the calendar had for now, ascending; those before first have had their turns
	first  int
	late   []int32 // a heap of ranks that were given a turn at now since then
}

// push gives a rank a turn at a time.
func (q *turns) push(t units.Seconds, id int32) {
	if q.open() && t == q.now {
		q.add(id)
		return
	}
	q.cal.Push(t, id)
}

// open reports whether any rank that is no longer in the calendar is due now.
func (q *turns) open() bool { return q.first < len(q.due) || len(q.late) > 0 }

// next returns the time of the next turn, false if there is none.
func (q *turns) next() (units.Seconds, bool) {
	if q.open() {
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
	if q.open() {
		return q.now, q.lowest()
	}
	q.now, q.due = q.cal.PopInstant(q.due[:0])
	q.first = 1
	if len(q.due) > 1 {
		slices.Sort(q.due) // often in order already, which takes one pass
	}
	return q.now, q.due[0]
}

// lowest removes the lowest of the ranks that are due. REQUIRES: q.open().
func (q *turns) lowest() int32 {
	if len(q.late) == 0 || q.first < len(q.due) && q.due[q.first] < q.late[0] {
		q.first++
		return q.due[q.first-1]
	}
	return q.takeLate()
}

func (q *turns) add(id int32) {
	q.late = append(q.late, id)
	h := q.late
	i := len(h) - 1
	for i > 0 && id < h[(i-1)/2] {
		h[i] = h[(i-1)/2]
		i = (i - 1) / 2
	}
	h[i] = id
}

func (q *turns) takeLate() int32 {
	h := q.late
	lowest, last := h[0], len(h)-1
	id := h[last]
	h = h[:last]
	q.late = h
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

// release sets a rank free that waits for others: at the end of a synchronous send,
// when its receiver has matched it, or from a measured collective that is ready. A rank
// that has run ahead of the clock may cause either.
type release struct {
	rank    int32
	request int32 // the send; none for a collective
	at      units.Seconds
	cost    units.Seconds // of the collective
}

// releases holds releases until their time has come: until then the waiting core must
// deal with arrivals. At equal times messages come first.
type releases struct {
	cal kernel.Calendar // the times; ids are indices into the pool
	pool[release]
}

func (q *releases) add(f release) {
	i := q.get()
	q.rec[i] = f
	q.cal.Push(f.at, i)
}

// take adds the synchronous sends that the shard's receivers have matched.
func (q *releases) take(s *shard) {
	for _, f := range s.released {
		q.add(f)
	}
	s.released = s.released[:0]
}

// next returns the time of the earliest release.
func (q *releases) next() (units.Seconds, bool) { return q.cal.Min() }

// pop removes the earliest release.
func (q *releases) pop() release {
	_, i, _ := q.cal.Pop()
	q.put(i)
	return q.rec[i]
}

// setFree sets a rank free. The time is the calendar's: whatever reached the
// rank before it has been dealt with.
func (e *engine) setFree(f release) {
	if e.world != nil && e.world.defersRelease(f) {
		return
	}
	s := e.shards[e.shardOf(f.rank)]
	if f.request == none {
		e.letGo(s, f.rank, f.at, f.cost)
		return
	}
	r, a := s.rank(f.rank), s.coldState(f.rank)
	a.unmatched--
	r.set(flagUnmatched, a.unmatched > 0)
	blocked := r.state
	s.complete(f.rank, r, f.request, f.at)
	if blocked != running && r.state == running {
		s.wake(f.rank, r)
	}
}
