package sim

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Messages and computations on a fabric.
//
// When a message arrives depends on what others start before then, so no rank can run
// ahead: the network's latency counts as 0, and the engine follows strict time order
// (see engine.go).
//
// The envelope of a message takes no time. A send looks for a posted receive at its
// destination; if there is none, its message is put among the unexpected ones, where
// receives look first. Messages between two ranks are thus matched in the order in
// which they were sent, although a small one may arrive before a large one sent
// earlier. The data start to flow at the send if the protocol calls the message eager,
// otherwise at the match.
//
// The name of a message on the fabric is the number of its record; the name of a
// computation is the complement of its rank.

// sendOnFabric spends the overhead of the send in s.op and hands the message over, or
// postpones that until the overhead is over.
func (s *shard) sendOnFabric(id int32, r *rank) {
	op := &s.op
	if !s.spend(id, r, s.protocol.SendOverhead(op.Size, op.Kind == workloads.Send), PartSendOverhead) {
		return
	}
	if !s.mayHappen(r.clock) {
		s.postpone(id, r)
		return
	}
	s.hand(id, r, op)
}

// hand posts a message and does the rest of the operation.
func (s *shard) hand(id int32, r *rank, op *workloads.Op) {
	var q int32 = none
	if !s.protocol.Detached(op.Size) {
		q = s.openSend(id, r, op)
	}
	m := s.newRecord(message{src: id, tag: op.Tag, size: op.Size, order: r.sent, sendReq: q, recvReq: none,
		phase: announced, place: placeOf(op.Place)}, op.Peer)
	r.sent++
	to := s.rank(op.Peer)
	if p := s.takePosted(to, id, op.Tag); p != none {
		s.pair(p, m)
		s.flow(m, r.clock)
	} else {
		s.addUnexpected(to, m)
		if to.state == blockedProbe {
			s.probedOnFabric(op.Peer, m, r.clock)
		}
		if s.protocol.Eager(op.Size) {
			s.flow(m, r.clock)
		}
	}
	if r.state != failed {
		s.afterSend(id, r, op, q)
	}
}

// newRecord returns the record of a message on the fabric.
func (s *shard) newRecord(rec message, to int32) int32 {
	m := s.msgs.get()
	s.msgs.rec[m] = rec
	for int(m) >= len(s.receivers) {
		s.receivers = append(s.receivers, none)
	}
	s.receivers[m] = to
	return m
}

// pair assigns receive p to message m.
func (s *shard) pair(p, m int32) {
	rec, q := &s.msgs.rec[m], &s.reqs.rec[p]
	s.checkRoom(s.receivers[m], q, rec, s.now)
	rec.recvReq = p
	q.peer, q.tag, q.size = rec.src, rec.tag, rec.size
}

// flow lets the data of a message start.
func (s *shard) flow(m int32, now units.Seconds) {
	rec := &s.msgs.rec[m]
	rec.phase = underway
	s.tellSent(rec.src, rec.order, s.receivers[m], rec.tag, rec.size, now)
	if err := s.fabric.Transfer(now, rec.src, s.receivers[m], rec.size, m); err != nil {
		// The sender is to blame, but the error happens now: it may have sent long ago.
		s.failAt(rec.src, now, workloads.Op{Kind: workloads.Send, Peer: s.receivers[m], Tag: rec.tag, Size: rec.size},
			err.Error())
	}
}

// claim gives receive q the message m, which was sent before.
func (s *shard) claim(id int32, r *rank, q, m int32) {
	s.pair(q, m)
	switch s.msgs.rec[m].phase {
	case announced:
		s.flow(m, r.clock)
	case arrived:
		s.receiveFromFabric(id, r, m, r.clock)
	}
}

// receiveFromFabric completes the receive of a message that has arrived.
func (s *shard) receiveFromFabric(id int32, r *rank, m int32, at units.Seconds) {
	rec := s.msgs.rec[m]
	s.msgs.put(m)
	s.tellReceived(id, &rec, at)
	s.complete(id, r, rec.recvReq, at)
}

// advanceFabric brings the fabric to a time and deals with what ends then.
func (s *shard) advanceFabric(at units.Seconds) {
	s.now, s.bound, s.current = at, at, none
	s.ended = s.fabric.Advance(at, s.ended[:0])
	for _, name := range s.ended {
		if name < 0 {
			s.computed(^name, at)
		} else {
			s.delivered(name, at)
		}
	}
}

// delivered deals with a message whose last byte arrives.
func (s *shard) delivered(m int32, at units.Seconds) {
	rec := &s.msgs.rec[m]
	if rec.phase == background {
		s.engine.world.transferred(m, at)
		return
	}
	s.arrivals++
	rec.phase, rec.arrival = arrived, at
	if q := rec.sendReq; q != none {
		s.delivers(rec.src, q, at)
	}
	if s.msgs.rec[m].recvReq != none {
		s.received(m, at)
	}
}

// delivers ends send q of a rank when its data have arrived.
func (s *shard) delivers(id, q int32, at units.Seconds) {
	if w := s.engine.world; w != nil && w.defers(id, func(at units.Seconds) { s.delivers(id, q, at) }) {
		return
	}
	r := s.rank(id)
	s.complete(id, r, q, at)
	s.goOn(id, r)
}

// received gives a message to the receive that waits for it.
func (s *shard) received(m int32, at units.Seconds) {
	id := s.receivers[m]
	if w := s.engine.world; w != nil && w.defers(id, func(at units.Seconds) { s.received(m, at) }) {
		return
	}
	r := s.rank(id)
	s.receiveFromFabric(id, r, m, at)
	s.goOn(id, r)
}

// computeOnFabric starts the computation in s.op. It returns false if the rank shares
// nothing.
func (s *shard) computeOnFabric(id int32, r *rank) bool {
	work, traffic := s.op.Work, s.op.Size
	if !s.checkSize(id, traffic) {
		return true
	}
	if !(work >= 0 && float64(work) <= maxSize) {
		s.fail(id, "work %v; expected 0 to %v", work, units.Flops(maxSize))
		return true
	}
	core, shares := s.fabric.Compute(r.clock, id, work, traffic, ^id)
	if !shares {
		return false
	}
	c := s.coldState(id)
	c.since, c.work = core, c.work+work
	r.state = blockedCompute
	if s.pieces != nil {
		s.keepCore(id, r, r.clock)
	}
	return true
}

// computed ends the computation of a rank.
func (s *shard) computed(id int32, at units.Seconds) {
	r := s.rank(id)
	if r.state != blockedCompute {
		return // its node has failed
	}
	r.state = running
	s.about.byMemory = at-r.clock > s.coldState(id).since*(1+1e-9) // by more than rounding
	s.idle(id, r, at, PartCompute)
	s.about.byMemory = false
	s.goOn(id, r)
	if s.pieces != nil {
		s.freeCore(id, at)
	}
}

// goOn schedules a rank if the fabric has set it free.
func (s *shard) goOn(id int32, r *rank) {
	if r.state == running {
		s.wake(id, r)
	}
}
