package sim

import (
	"unsafe"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// meeting is one call of a measured collective: the ranks of a group enter it,
// each in its own time, and leave by the rule of its shape.
type meeting struct {
	collective workloads.Collective
	root       int32
	first      joiner // that entered first, by its clock, then by rank
	members    int32  // how many ranks will enter
	entered    int32  // how many have
	rootIsIn   bool
	ready      units.Seconds // when the cost begins: latest entry, or the root's
	cost       units.Seconds
	waiting    int32 // ranks inside: list through coldState.inMeeting
}

// shape tells who waits for whom.
type shape uint8

const (
	everybody shape = iota // all wait for all
	fromRoot               // all wait for the root
	toRoot                 // the root waits for all
)

// shapeOf returns the shape of an operation. A Scan, in which a rank waits only for
// those before it, has no shape of its own; all wait for all.
func shapeOf(c workloads.Collective) (shape, bool) {
	switch c {
	case workloads.Barrier, workloads.Allreduce, workloads.Allgather, workloads.Alltoall,
		workloads.ReduceScatter, workloads.Scan:
		return everybody, true
	case workloads.Bcast, workloads.Scatter:
		return fromRoot, true
	case workloads.Reduce, workloads.Gather:
		return toRoot, true
	}
	return 0, false
}

// meetings are the calls that some but not all ranks have entered. Ranks call the
// collectives of a group in the same order, so the group and a rank's count of its
// calls identify the meeting.
type meetings struct {
	open     map[meetingName]*meeting
	calls    map[membership]uint32 // of groups other than that of all ranks
	complete int64
}

// meetingBytes is about the memory of an open meeting, with its place in the map.
const meetingBytes = 2 * int64(unsafe.Sizeof(meeting{}))

type meetingName struct {
	group  int32
	number uint32
}

type membership struct{ rank, group int32 }

// joiner is a rank that enters a meeting.
type joiner struct {
	id int32
	at units.Seconds
	op workloads.Op
}

// meet checks the measured collective in s.op, blocks the rank and lets it join the
// meeting: at once or, if there are several shards, between windows.
func (s *shard) meet(id int32, r *rank) {
	op := &s.op
	form, ok := shapeOf(op.Collective)
	switch {
	case !ok:
		s.fail(id, "unknown collective operation (%d)", op.Collective)
		return
	case !(op.Time >= 0) || op.Time > maxCost:
		s.fail(id, "costs %v; expected a time from 0 to %v", op.Time, maxCost)
		return
	case form != everybody && !s.checkPeer(id, op.Peer):
		return
	case op.Group < 0 || op.Group > 0 && (op.Members < 1 || op.Members > s.engine.ranks):
		s.fail(id, "group %d of %d members; expected a group of 1 to %d", op.Group, op.Members, s.engine.ranks)
		return
	}
	r.state = blockedMeeting
	if len(s.engine.shards) > 1 {
		s.joining = append(s.joining, joiner{id, r.clock, *op})
		return
	}
	s.engine.join(s, joiner{id, r.clock, *op})
}

// join lets a blocked rank enter its meeting and sets free whoever may leave.
func (e *engine) join(s *shard, j joiner) {
	op, r, a := &j.op, s.rank(j.id), s.coldState(j.id)
	name := meetingName{op.Group, a.meeting}
	members := e.ranks
	if op.Group == 0 {
		a.meeting++
	} else {
		members = op.Members
		as := membership{j.id, op.Group}
		if e.meets.calls == nil {
			e.meets.calls = map[membership]uint32{}
		}
		name.number = e.meets.calls[as]
		e.meets.calls[as]++
	}
	m := e.meets.open[name]
	switch {
	case m == nil:
		if e.meets.open == nil {
			e.meets.open = map[meetingName]*meeting{}
		}
		m = &meeting{collective: op.Collective, root: op.Peer, first: j, members: members, waiting: none}
		e.meets.open[name] = m
		e.ledger.note(storedMeetings, 1, meetingBytes)
	case m.collective != op.Collective || m.root != op.Peer || m.members != members:
		e.disagree(m.first, j)
		return
	case j.before(m.first):
		m.first = j
	}
	m.entered++
	all := m.entered == m.members

	isRoot := j.id == op.Peer
	inside := true // whether the rank waits for others
	switch form, _ := shapeOf(op.Collective); form {
	case everybody:
		m.ready, m.cost = max(m.ready, r.clock), max(m.cost, op.Time)
	case fromRoot:
		if isRoot {
			m.ready, m.cost, m.rootIsIn = r.clock, op.Time, true
		}
		all = m.rootIsIn
	case toRoot:
		m.ready = max(m.ready, r.clock)
		if isRoot {
			m.cost, m.rootIsIn = op.Time, true
		} else {
			inside = false
			e.letGo(s, j.id, r.clock, 0)
		}
	}
	if inside {
		a.since = j.at
		a.inMeeting = m.waiting
		m.waiting = j.id
	}
	if all {
		for id := m.waiting; id != none; {
			shard := e.shards[e.shardOf(id)]
			inside := shard.coldState(id)
			if s.byCore {
				e.releases.add(release{rank: id, request: none, at: max(m.ready, inside.since), cost: m.cost})
			} else {
				e.letGo(shard, id, m.ready, m.cost)
			}
			id = inside.inMeeting
		}
		m.waiting = none
	}
	if m.entered == m.members {
		if form, _ := shapeOf(op.Collective); form != everybody && !m.rootIsIn {
			s.op = *op
			s.fail(j.id, "root %d is not among the %d members of group %d; expected a member", op.Peer, m.members, op.Group)
			return
		}
		e.meets.complete++
		delete(e.meets.open, name)
		e.ledger.note(storedMeetings, -1, -meetingBytes)
	}
}

// before orders ranks that enter a meeting by time, and at equal times by number,
// whatever the order in which the engine advances them.
func (j joiner) before(k joiner) bool { return j.at < k.at || j.at == k.at && j.id < k.id }

// disagree reports that two ranks call different collectives in one meeting, and blames
// the later one.
func (e *engine) disagree(a, b joiner) {
	if b.before(a) {
		a, b = b, a
	}
	s := e.shards[e.shardOf(b.id)]
	s.op = b.op
	s.fail(b.id, "calls %v with root %d where rank %d called %v with root %d; expected the same collective calls on every rank",
		b.op.Collective, b.op.Peer, a.id, a.op.Collective, a.op.Peer)
}

// letGo sets a rank free from a collective that was ready at the given time and took
// cost from then on. Nobody leaves before the calendar's current time, because the last
// rank enters at or after it (I4).
func (e *engine) letGo(s *shard, id int32, ready, cost units.Seconds) {
	if e.world != nil && e.world.defers(id, func(at units.Seconds) { e.letGo(s, id, at, cost) }) {
		return
	}
	r := s.rank(id)
	r.state = running
	s.idle(id, r, ready, PartWaitCollective)
	s.idle(id, r, ready+cost, PartCollectiveCost)
	if id != s.current {
		s.wake(id, r)
	}
}
