package sim

import "github.com/isoscale/isoscale/model/units"

// A probe searches the unexpected messages in the order in which a receive does, and
// takes none. A probe that waits keeps the source and tag that it accepts in a request
// record that is neither open nor posted; rank.waiting has its index.

// probe carries out a Probe.
func (s *shard) probe(id int32, r *rank) {
	op := &s.op
	if !s.checkSource(id, op.Peer) || !s.checkReceiveTag(id, op.Tag) {
		return
	}
	if m := s.findUnexpected(r, op.Peer, op.Tag); m != none {
		s.tellProbed(id, m)
		return
	}
	q := s.reqs.get()
	s.reqs.rec[q] = pending{peer: op.Peer, tag: op.Tag, nextOpen: none, prevOpen: none}
	r.state, r.waiting = blockedProbe, q
}

// iprobe carries out an Iprobe, after the time that a test takes.
func (s *shard) iprobe(id int32, r *rank) {
	op := &s.op
	if !s.checkSource(id, op.Peer) || !s.checkReceiveTag(id, op.Tag) {
		return
	}
	if !s.spend(id, r, s.protocol.TestStep*units.Seconds(1+s.misses), PartDelay) {
		return
	}
	if !s.mayHappen(r.clock) {
		s.postpone(id, r)
		return
	}
	s.answerProbe(id, r)
}

// answerProbe gives the outcome of the Iprobe in s.op.
func (s *shard) answerProbe(id int32, r *rank) {
	if m := s.findUnexpected(r, s.op.Peer, s.op.Tag); m != none {
		s.misses = 0
		s.tellProbed(id, m)
	} else if !s.protocol.SteadyTests {
		s.misses++
	}
}

// tellProbed tells the program of a message that a probe has found.
func (s *shard) tellProbed(id, m int32) {
	if s.listener != nil {
		rec := &s.msgs.rec[m]
		s.listener.Received(int(id), rec.src, rec.tag, rec.size)
	}
}

// probed ends the Probe of a rank if it accepts the unexpected message m.
func (s *shard) probed(id int32, r *rank, m int32, at units.Seconds) {
	p, rec := &s.reqs.rec[r.waiting], &s.msgs.rec[m]
	if !accepts(p.peer, p.tag, rec.src, rec.tag) {
		return
	}
	s.reqs.put(r.waiting)
	r.state = running
	s.idle(id, r, at, PartWaitMessage)
	s.tellProbed(id, m)
}

// probedOnFabric is probed in the turn of another rank. If the waiting rank's node is
// stopped, the probe finds the message when the node goes on.
func (s *shard) probedOnFabric(id, m int32, at units.Seconds) {
	r := s.rank(id)
	if r.state != blockedProbe {
		return
	}
	if w := s.engine.world; w != nil && w.defers(id, func(at units.Seconds) { s.probedOnFabric(id, m, at) }) {
		return
	}
	s.probed(id, r, m, at)
	s.goOn(id, r)
}
