package sim

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
)

// release sets a rank free that waits for others: at the end of a synchronous
// send, when its receiver has matched it, or from a measured collective that is
// ready. Both may be found out by a rank that has run ahead of the clock.
type release struct {
	rank    int32
	request int32 // the send; none for a collective
	at      units.Seconds
	cost    units.Seconds // of the collective
}

// releases are those whose time has not come. Until then a core must deal with
// what arrives; at equal times messages come first.
type releases struct {
	cal kernel.Calendar // the times; ids are indices into the pool
	pool[release]
}

func (q *releases) add(f release) {
	i := q.get()
	q.rec[i] = f
	q.cal.Push(f.at, i)
}

// take adds what the shard's receivers have matched.
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
