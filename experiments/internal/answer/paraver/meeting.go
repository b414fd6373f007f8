package paraver

import (
	"maps"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// meetings are the collective calls of a communicator that some members have not made yet.
// Only the call of the root says who is root: the calls of others are held until it comes.
type meetings struct {
	made map[int32]int64    // calls so far, by rank
	open map[int64]*meeting // by number
}

// meeting is a call that has begun.
type meeting struct {
	entries []entry // of members, while the root is not known
	root    int32   // number in the group
	known   bool
	members int // number of members that have made the call
}

func (r *reader) meet(op workloads.Collective, rank int32, at, comm int64, sent, received units.Bytes, root bool) {
	g, ok := r.groupOf(rank, comm)
	if !ok {
		return
	}
	members := r.trace.groups[g]
	place := slices.Index(members, rank)
	if place < 0 {
		r.fail("a collective call of communicator %d, to which task %d does not belong", comm, rank+1)
		return
	}
	e := entry{at: at, rank: rank, what: meet, operation: op, peer: g,
		size: int64(recorded.Block(op, len(members), sent, received))}
	if !collective.Rooted(op) {
		r.ordered(&e)
		return
	}
	all := &r.meetings[g]
	number := all.made[rank]
	all.made[rank]++
	m := all.open[number]
	if m == nil {
		m = &meeting{}
		all.open[number] = m
	}
	m.members++
	m.entries = append(m.entries, e)
	if root {
		m.root, m.known = int32(place), true
	}
	if m.known {
		r.release(m)
	}
	if m.members == len(members) {
		if !m.known {
			r.fail("no task is the root of a %v of communicator %d", op, comm)
		}
		delete(all.open, number)
	}
}

func (r *reader) groupOf(rank int32, comm int64) (int32, bool) {
	a := int64(1)
	for r.first[a] <= int(rank) {
		a++
	}
	g, ok := r.groups[[2]int64{a, comm}]
	if !ok {
		r.fail("a collective call of communicator %d, which the trace does not define", comm)
	}
	return g, ok
}

// release passes on the calls of members that were held until the root was known.
func (r *reader) release(m *meeting) {
	for _, e := range m.entries {
		e.tag = m.root
		r.ordered(&e)
	}
	m.entries = nil
}

// finishCalls passes on calls whose root never came: a replay will say who waits for whom.
func (r *reader) finishCalls() {
	for g := range r.meetings {
		for _, n := range slices.Sorted(maps.Keys(r.meetings[g].open)) {
			r.release(r.meetings[g].open[n])
		}
	}
}
