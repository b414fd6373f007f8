package sim

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// meeting is one call of a measured collective: all ranks enter it, each in its
// own time, and leave by the rule of its shape.
type meeting struct {
	collective workloads.Collective
	root       int32
	first      int32         // the rank that entered first
	entered    int32         // how many have
	ready      units.Seconds // when the cost begins: latest entry, or the root's
	cost       units.Seconds
	rootIsIn   bool
	waiting    int32 // ranks inside: list through rank.nextInMeeting
}

// shape tells who waits for whom.
type shape uint8

const (
	everybody shape = iota // all for all
	fromRoot               // all for the root
	toRoot                 // the root for all
)

func shapeOf(c workloads.Collective) (shape, bool) {
	switch c {
	case workloads.Barrier, workloads.Allreduce, workloads.Allgather, workloads.Alltoall:
		return everybody, true
	case workloads.Bcast, workloads.Scatter:
		return fromRoot, true
	case workloads.Reduce, workloads.Gather:
		return toRoot, true
	}
	return 0, false
}

// meetings are the calls that somebody has entered and not everybody, in the
// order of the program: ranks call collectives in the same order, so a rank's
// count of calls names the meeting.
type meetings struct {
	open []meeting
	base uint32 // number of open[0]
}

// at returns meeting number n, which is new if nobody has entered it yet.
func (ms *meetings) at(n uint32) *meeting {
	i := int(n - ms.base)
	if i == len(ms.open) {
		ms.open = append(ms.open, meeting{waiting: none})
	}
	return &ms.open[i]
}

// drop forgets meetings at the front that everybody has entered.
func (ms *meetings) drop(size int32) {
	n := 0
	for n < len(ms.open) && ms.open[n].entered == size {
		n++
	}
	ms.open = ms.open[:copy(ms.open, ms.open[n:])]
	ms.base += uint32(n)
}

// meet lets the rank enter the measured collective in e.op.
func (e *engine) meet(id int32, r *rank) {
	op := &e.op
	size := int32(len(e.ranks))
	form, ok := shapeOf(op.Collective)
	switch {
	case !ok:
		e.fail(id, "unknown collective operation (%d)", op.Collective)
		return
	case !(op.Time >= 0) || op.Time > maxCost:
		e.fail(id, "costs %v; expected a finite time of at least 0", op.Time)
		return
	case form != everybody && !e.checkPeer(id, op.Peer):
		return
	}
	m := e.meets.at(r.meeting)
	r.meeting++
	if m.entered == 0 {
		m.collective, m.root, m.first = op.Collective, op.Peer, id
	} else if m.collective != op.Collective || m.root != op.Peer {
		e.fail(id, "calls %v with root %d where rank %d called %v with root %d; expected the same collective calls on every rank",
			op.Collective, op.Peer, m.first, m.collective, m.root)
		return
	}
	m.entered++

	isRoot := id == op.Peer
	switch form {
	case everybody:
		m.ready = max(m.ready, r.clock)
		m.cost = max(m.cost, op.Time)
		e.enter(id, r, m)
		if m.entered == size {
			e.release(m)
		}
	case fromRoot:
		if isRoot {
			m.ready, m.cost, m.rootIsIn = r.clock, op.Time, true
			e.release(m)
		}
		if m.rootIsIn {
			r.leave(m.ready, m.cost)
		} else {
			e.enter(id, r, m)
		}
	case toRoot:
		m.ready = max(m.ready, r.clock)
		if isRoot {
			m.cost = op.Time
			e.enter(id, r, m)
		}
		if m.entered == size {
			e.release(m)
		}
	}
	if m.entered == size {
		e.collectives++
		e.meets.drop(size)
	}
}

// enter blocks the rank inside the meeting.
func (e *engine) enter(id int32, r *rank, m *meeting) {
	r.block(blockedMeeting)
	r.nextInMeeting = m.waiting
	m.waiting = id
}

// release lets everybody inside go. Nobody leaves before the calendar's current
// time: the one who enters last does so at or after it (I4).
func (e *engine) release(m *meeting) {
	for id := m.waiting; id != none; {
		r := &e.ranks[id]
		r.state = running
		r.leave(m.ready, m.cost)
		if id != e.current && r.clock < r.due {
			e.schedule(id, r.clock)
		}
		id = r.nextInMeeting
	}
	m.waiting = none
}

// leave moves the rank's clock past a collective that was ready at the given
// time and took cost from then on.
func (r *rank) leave(ready, cost units.Seconds) {
	r.idle(ready, &r.WaitCollective)
	r.idle(ready+cost, &r.CollectiveCost)
}
