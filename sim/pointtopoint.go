package sim

import (
	"fmt"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/internal/matching"
	"github.com/isoscale/isoscale/workloads"
)

// Eager: the data leave at once, and the sender goes on after its overhead.
//
// Rendezvous, where the interface handles messages: a request travels to the receiver
// as an empty message. When the request has met its receive, an empty clearance travels
// back; when that arrives, the data leave. The sender is done when the data have left,
// the receiver when they have arrived. A rank answers requests and clearances at the
// moment they arrive, even in the middle of a computation, as a network interface with
// its own processor does.
//
// Rendezvous, where the core handles messages (LogGOPS): the data leave at once, and
// the sender is done when the receiver has matched them, at the same instant. A
// receiver that has run ahead may match before the engine's clock gets there. Then the
// release of the sender waits for its time (see engine.releases), because until then
// the sender's core must deal with messages that arrive.
//
// A blocking call is the non-blocking call followed by a wait for its request; a
// Sendrecv is both non-blocking calls, with nothing in between, then a wait for the receive, then for the send.

// send checks a send, spends the overhead where that comes first, and launches the
// message or, if it cannot leave yet, postpones that.
func (s *shard) send(id int32, r *rank) {
	op := &s.op
	if !s.checkPeer(id, op.Peer) || !s.checkSize(id, op.Size) {
		return
	}
	if op.Tag < 0 {
		s.fail(id, "tag %d; expected at least 0", op.Tag)
		return
	}
	if op.Kind == workloads.Sendrecv && !s.checkSource(id, op.From) {
		return
	}
	if s.fabric != nil {
		s.sent++
		s.coldState(id).bytes += op.Size
		s.sendOnFabric(id, r)
		return
	}
	c := s.network.Message(id, op.Peer, op.Size)
	if !s.keepsContract(c, op.Peer == id) {
		s.failCost(id, c)
		return
	}
	s.sent++
	s.coldState(id).bytes += op.Size
	later := false
	if s.byCore {
		later = r.sendFree > r.clock // it waits for its interface; meanwhile it deals with arrivals
	} else {
		if !s.spend(id, r, c.SendOverhead, PartSendOverhead) {
			return
		}
		// During the overhead, messages may arrive, which come before a message to
		// itself; and one may leave, because a clearance arrives, whose data go first.
		later = r.is(flagHandshake) || op.Peer == id || !s.mayHappen(r.clock)
	}
	if later {
		s.postpone(id, r)
		return
	}
	s.launch(id, r, op, c)
}

// keepsContract reports whether the parts of a cost are what [Network] demands.
func (s *shard) keepsContract(c network.Cost, toItself bool) bool {
	return c.SendOverhead >= 0 && c.Transmission >= 0 && c.RecvOverhead >= 0 &&
		(c.Latency >= s.latency || toItself && c.Latency >= 0) &&
		c.SendOverhead+c.Transmission+c.Latency+c.RecvOverhead <= maxCost
}

// failCost fails a rank because the price of its send violates the contract of [Network].
func (s *shard) failCost(id int32, c network.Cost) {
	op := &s.op
	const message = "the network prices a message of %v to rank %d with "
	for _, part := range []struct {
		name string
		time units.Seconds
	}{{"send overhead", c.SendOverhead}, {"transmission", c.Transmission},
		{"latency", c.Latency}, {"receive overhead", c.RecvOverhead}} {
		if !(part.time >= 0) {
			s.fail(id, message+"a %s of %v; expected at least 0", op.Size, op.Peer, part.name, part.time)
			return
		}
	}
	if total := c.SendOverhead + c.Transmission + c.Latency + c.RecvOverhead; !(total <= maxCost) {
		s.fail(id, "a message of %v to rank %d costs %v; expected at most %v", op.Size, op.Peer, total, maxCost)
		return
	}
	s.fail(id, message+"a latency of %v; expected at least %v, its smallest latency", op.Size, op.Peer, c.Latency, s.latency)
}

// postpone keeps s.op until its time has come.
func (s *shard) postpone(id int32, r *rank) {
	r.set(flagLaunching, true)
	i := s.launches.get()
	s.launches.rec[i] = s.op
	s.coldState(id).launching = i
}

// launch lets a message leave and does the rest of the operation.
func (s *shard) launch(id int32, r *rank, op *workloads.Op, c network.Cost) {
	m := message{size: op.Size, tag: op.Tag, phase: eager, place: placeOf(op.Place)}
	var q int32 = none
	if s.network.Rendezvous(op.Size) {
		q = s.openSend(id, r, op)
		m.sendReq = q
	}
	switch {
	case s.byCore:
		s.idle(id, r, r.sendFree, PartWaitSend)
		leaves := r.clock
		s.leave(id, r, leaves, c.Transmission)
		if !s.pass(id, r, c.SendOverhead) {
			return
		}
		if q != none {
			m.phase = synchronous
			s.coldState(id).unmatched++
			r.set(flagUnmatched, true)
		}
		if r.clock >= s.bookFrom {
			s.bookSending(Sent{Rank: id, Order: r.sent, To: op.Peer, Tag: op.Tag, Size: op.Size, At: leaves}, r.clock)
		}
		s.post(id, op.Peer, leaves, c.Latency, &m)
	case q != none:
		m.phase = request
		s.post(id, op.Peer, s.leave(id, r, r.clock, 0), c.Latency, &m)
	default:
		s.tellSent(id, r.sent, op.Peer, op.Tag, op.Size, max(r.clock, r.sendFree))
		s.post(id, op.Peer, s.leave(id, r, r.clock, c.Transmission), c.Latency, &m)
	}
	s.afterSend(id, r, op, q)
}

// afterSend does the rest of an operation whose message is on its way: it waits for the
// send, whose request is q, or receives, or goes on. q is none if the send is done.
func (s *shard) afterSend(id int32, r *rank, op *workloads.Op, q int32) {
	switch {
	case op.Kind == workloads.Sendrecv:
		if q != none {
			r.set(flagThen, true)
			s.coldState(id).then = q
		}
		s.waitFor(id, r, s.postReceive(id, r, op.From, op.Tag, 0, 0))
	case op.Kind == workloads.Send && q != none:
		s.waitFor(id, r, q)
	case op.Kind == workloads.Isend && q == none:
		p := &s.reqs.rec[s.openSend(id, r, op)]
		p.flags |= requestDone
		p.at = r.clock
	}
}

// tellSent tells the observer, if there is one, of a message that starts to leave.
func (s *shard) tellSent(id int32, order uint32, to, tag int32, size units.Bytes, at units.Seconds) {
	if s.observer != nil {
		s.observeSent(id, order, to, tag, size, at)
	}
}

// tellReceived tells the observer, if there is one, of a message that has met its
// receive.
func (s *shard) tellReceived(id int32, m *message, at units.Seconds) {
	if s.observer != nil && (s.core == nil || m.phase == synchronous) {
		s.observeReceived(id, m, at)
	}
}

// observeSent and observeReceived are separate so that the compiler inlines tellSent
// and tellReceived.

func (s *shard) observeSent(id int32, order uint32, to, tag int32, size units.Bytes, at units.Seconds) {
	if s.holding > 0 {
		s.bookPast(id)
	}
	s.observer.Sent(Sent{Rank: id, Order: order, To: to, Tag: tag, Size: size, At: at})
}

func (s *shard) observeReceived(id int32, m *message, at units.Seconds) {
	if s.holding > 0 {
		s.bookPast(id)
	}
	s.observer.Received(Received{Rank: id, From: m.src, Order: m.order, Synchronous: m.phase == synchronous,
		Arrived: m.arrival, At: at})
}

// bookSending reports a message and its send overhead, which lasts until then.
func (s *shard) bookSending(x Sent, until units.Seconds) {
	if s.core == nil || until >= s.bookLimit || until == x.At {
		s.record(x.Rank, PartSendOverhead, x.At, until)
		s.tellSent(x.Rank, x.Order, x.To, x.Tag, x.Size, x.At)
		return
	}
	s.count(x.Rank, PartSendOverhead, x.At, until)
	s.core.Sends(x, until)
}

// bookHandling reports a wait for a message, if there was one, and its receive overhead.
func (s *shard) bookHandling(id int32, m *message, from, since, until units.Seconds) {
	if s.core == nil || until >= s.bookLimit || until == from {
		s.about.handles, s.about.sender, s.about.order = true, m.src, m.order
		if since > from {
			s.record(id, PartWaitMessage, from, since)
		}
		s.record(id, PartRecvOverhead, since, until)
		s.about = about{}
		return
	}
	s.count(id, PartWaitMessage, from, since)
	s.count(id, PartRecvOverhead, since, until)
	s.core.Handles(id, m.src, m.order, since, until)
}

// openSend opens the request of a send.
func (s *shard) openSend(id int32, r *rank, op *workloads.Op) int32 {
	q, p := s.openRequest(id, r, op.Request)
	p.peer, p.tag, p.size, p.flags = op.Peer, op.Tag, op.Size, requestSend
	return q
}

// receive posts a receive, and waits for its end if it is blocking.
func (s *shard) receive(id int32, r *rank) {
	op := &s.op
	if !s.checkSource(id, op.Peer) || !s.checkReceiveTag(id, op.Tag) {
		return
	}
	q := s.postReceive(id, r, op.Peer, op.Tag, op.Request, op.Size)
	if op.Kind == workloads.Recv {
		s.waitFor(id, r, q)
	}
}

// postReceive starts a receive with room for a message of that size (0: any). A message
// that is there already matches at once.
func (s *shard) postReceive(id int32, r *rank, src, tag, name int32, room units.Bytes) int32 {
	q, p := s.openRequest(id, r, name)
	p.peer, p.tag, p.size = src, tag, room
	if room > 0 { // otherwise failRoom never needs it
		p.place = placeOf(s.op.Place)
	}
	if m := s.takeUnexpected(r, src, tag); m == none {
		s.addPosted(r, q)
	} else if s.fabric != nil {
		s.claim(id, r, q, m)
	} else {
		s.match(id, r, q, m, r.clock)
	}
	return q
}

// arrive deals with message m at time at.
func (s *shard) arrive(id int32, r *rank, m int32, at units.Seconds) {
	s.arrivals++
	rec := s.msgs.rec[m]
	if rec.phase.handshake() {
		a := s.coldState(id)
		a.handshakes--
		r.set(flagHandshake, a.handshakes > 0)
	}
	if s.byCore && rec.src != workloads.FromProcess {
		c := s.network.Message(rec.src, id, rec.size)
		from, since := r.clock, max(r.clock, at)
		if r.clock = since; !s.pass(id, r, c.RecvOverhead) {
			return
		}
		if r.clock >= s.bookFrom {
			s.bookHandling(id, &rec, from, since, r.clock)
		}
		r.recvFree = at + c.Transmission
		if s.pieces != nil {
			s.shareInterface(id, r)
		}
	}
	switch rec.phase {
	case eager, synchronous, request:
		if q := s.takePosted(r, rec.src, rec.tag); q != none {
			s.match(id, r, q, m, at)
		} else {
			s.addUnexpected(r, m)
			if r.state == blockedProbe {
				s.probed(id, r, m, at)
			}
		}
	case clearance:
		s.msgs.put(m)
		p := &s.reqs.rec[rec.sendReq]
		c := s.network.Message(id, rec.src, p.size)
		starts := max(at, r.sendFree)
		left := s.leave(id, r, at, c.Transmission)
		s.tellSent(id, r.sent, rec.src, p.tag, p.size, starts)
		s.post(id, rec.src, left, c.Latency, &message{size: p.size, tag: p.tag, recvReq: rec.recvReq, phase: payload})
		s.complete(id, r, rec.sendReq, left)
	case payload:
		s.msgs.put(m)
		s.tellReceived(id, &rec, at)
		s.complete(id, r, rec.recvReq, at)
	}
}

// match brings receive q and message m together at time at: either the data are there,
// or the sender is told to send them.
func (s *shard) match(id int32, r *rank, q, m int32, at units.Seconds) {
	rec := s.msgs.rec[m]
	s.msgs.put(m)
	p := &s.reqs.rec[q]
	s.checkRoom(id, p, &rec, at)
	p.peer, p.tag, p.size = rec.src, rec.tag, rec.size
	switch rec.phase {
	case request:
		back := s.network.Message(id, rec.src, 0)
		s.post(id, rec.src, s.leave(id, r, at, 0), back.Latency, &message{sendReq: rec.sendReq, recvReq: q, phase: clearance})
		return
	case synchronous:
		s.released = append(s.released, release{rank: rec.src, request: rec.sendReq, at: at})
	}
	s.tellReceived(id, &rec, at)
	s.complete(id, r, q, at)
}

// wake schedules a rank that another rank has released.
func (s *shard) wake(id int32, r *rank) {
	if r.clock < r.due {
		s.schedule(id, r.clock)
	}
}

// complete marks request q as done at time at and lets its rank go on if that
// is what it waits for.
func (s *shard) complete(id int32, r *rank, q int32, at units.Seconds) {
	p := &s.reqs.rec[q]
	p.flags |= requestDone
	p.at = at
	switch {
	case r.state == blockedRequest && r.waiting == q:
		r.state = running
		s.settle(id, r, q)
	case r.state == blockedAll && p.is(requestAwaited):
		s.settleInWaitall(id, r, q)
		if r.awaited--; r.awaited == 0 {
			s.endWaitall(id, r)
		}
	}
}

// wait waits for the open request that the operation names.
func (s *shard) wait(id int32, r *rank) {
	if q := s.named(id, r); q != none {
		s.waitFor(id, r, q)
	}
}

// test asks whether a request is done, after the time that a test takes. It is free if
// an earlier test has found the request done.
func (s *shard) test(id int32, r *rank) {
	if q := s.named(id, r); q == none || s.reqs.rec[q].is(requestFound) {
		return
	}
	if !s.spend(id, r, s.protocol.TestStep*units.Seconds(1+s.misses), PartDelay) {
		return
	}
	if !s.mayHappen(r.clock) {
		s.postpone(id, r)
		return
	}
	s.answer(id, r)
}

// answer gives the outcome of the test in s.op. If it finds a receive done, the core
// spends the receive overhead now and nothing more at the wait. The count of failed
// tests is reset when the overhead is over.
func (s *shard) answer(id int32, r *rank) {
	q := s.named(id, r)
	if q == none {
		return
	}
	p := &s.reqs.rec[q]
	if !p.is(requestDone) {
		if !s.protocol.SteadyTests {
			s.misses++
		}
		return
	}
	if !p.is(requestFound) {
		p.flags |= requestFound
		if overhead := s.recvOverhead(id, p); overhead > 0 {
			if !s.spend(id, r, overhead, PartRecvOverhead) {
				return
			}
			if !s.mayHappen(r.clock) {
				s.postpone(id, r)
				return
			}
		}
	}
	s.misses = 0
}

// waitFor blocks the rank until q is done.
func (s *shard) waitFor(id int32, r *rank, q int32) {
	if s.reqs.rec[q].is(requestDone) {
		s.settle(id, r, q)
		return
	}
	r.state, r.waiting = blockedRequest, q
}

// settle ends request q, which is done and the only one that the rank waits for: the
// rank is idle until the request's end and spends the overhead that is left.
func (s *shard) settle(id int32, r *rank, q int32) {
	p := &s.reqs.rec[q]
	if p.is(requestSend) {
		s.idle(id, r, p.at, PartWaitSend)
	} else {
		s.idle(id, r, p.at, PartWaitMessage)
		if !p.is(requestFound) { // otherwise a test has spent it
			overhead := s.recvOverhead(id, p)
			s.book(id, PartRecvOverhead, r.clock, r.clock+overhead)
			r.clock += overhead
		}
		if s.listener != nil && !p.is(requestStream) {
			s.listener.Received(int(id), p.peer, p.tag, p.size)
			if s.chooser != nil {
				s.chooser.ended(id, p.name)
			}
		}
	}
	s.closeRequest(id, r, q)
	if r.is(flagThen) {
		r.set(flagThen, false)
		s.waitFor(id, r, s.coldState(id).then)
	}
}

// recvOverhead returns the core's overhead for p, spent once p is done: none if p is a
// send, or if the core spent it when the message arrived.
func (s *shard) recvOverhead(id int32, p *pending) units.Seconds {
	switch {
	case p.flags&(requestSend|requestStream) != 0 || s.byCore || p.peer == workloads.FromProcess:
		return 0
	case s.fabric == nil:
		return s.network.Message(p.peer, id, p.size).RecvOverhead
	}
	return s.protocol.RecvOverhead(p.size)
}

// waitAll waits for all open requests whose names are at least lowest. Receive overheads follow each other:
// first for messages that are there already, then in the order of arrival. Sends cost the core nothing more.
func (s *shard) waitAll(id int32, r *rank, lowest int32) {
	if r.open == none {
		return
	}
	a := s.coldState(id)
	r.state, r.awaited = blockedAll, 0
	a.since, a.floor = r.clock, 0
	for q := r.open; q != none; {
		p := &s.reqs.rec[q]
		next := p.nextOpen
		if p.name >= lowest && (s.chooser == nil || s.chooser.awaits(id, p.name)) {
			if p.is(requestDone) {
				s.settleInWaitall(id, r, q)
			} else {
				p.flags |= requestAwaited
				r.awaited++
			}
		}
		q = next
	}
	if r.awaited == 0 {
		s.endWaitall(id, r)
	}
}

// settleInWaitall is settle for one of several requests: the end of a send must not
// delay the overheads of receives.
func (s *shard) settleInWaitall(id int32, r *rank, q int32) {
	if p := &s.reqs.rec[q]; p.is(requestSend) {
		a := s.coldState(id)
		a.floor = max(a.floor, p.at)
		s.closeRequest(id, r, q)
		return
	}
	s.settle(id, r, q)
}

func (s *shard) endWaitall(id int32, r *rank) {
	r.state = running
	s.idle(id, r, s.coldState(id).floor, PartWaitSend)
}

// checkRoom fails a rank whose receive, posted before at, has less room than its message
// needs. Sizes of collective calls are compared elsewhere.
func (s *shard) checkRoom(id int32, p *pending, m *message, at units.Seconds) {
	if p.size > 0 && m.size > p.size && m.tag < workloads.CollectiveTag {
		s.failRoom(id, p, m, at)
	}
}

// failRoom is separate so that the compiler inlines checkRoom.
func (s *shard) failRoom(id int32, p *pending, m *message, at units.Seconds) {
	from := fmt.Sprintf("rank %d", m.src)
	if m.src == workloads.FromProcess {
		from = "a process"
	} else if place := s.placed(m.src, m.place.number()); place != "" {
		from += " (" + place + ")"
	}
	s.failAt(id, at, workloads.Op{Kind: workloads.Recv, Peer: m.src, Tag: m.tag, Size: p.size, Place: p.place.number()},
		fmt.Sprintf("a message of %v with tag %d from %s, and room for %v; expected room for the message",
			m.size, m.tag, from, p.size))
}

func (s *shard) checkPeer(id, peer int32) bool {
	if !s.isRank(peer) {
		s.fail(id, "peer %d; expected a rank from 0 to %d", peer, s.engine.ranks-1)
		return false
	}
	return true
}

// isRank reports whether there is a rank with this number.
func (s *shard) isRank(number int32) bool { return uint32(number) < uint32(s.engine.all) }

// checkSource checks the source that a receive accepts.
func (s *shard) checkSource(id, src int32) bool {
	return s.isRank(src) || s.checkOtherSource(id, src)
}

// checkOtherSource checks a source that is no rank. It is separate so that the compiler
// inlines checkSource.
func (s *shard) checkOtherSource(id, src int32) bool {
	if src == workloads.FromProcess && s.engine.world == nil {
		s.fail(id, "receives from a process; expected one in Processes")
		return false
	}
	return src == workloads.AnySource || src == workloads.FromProcess || s.checkPeer(id, src)
}

// checkReceiveTag checks the tag that a receive accepts.
func (s *shard) checkReceiveTag(id, tag int32) bool {
	return tag >= workloads.AnyTag || s.checkWildcard(id, tag)
}

// checkWildcard checks a tag below AnyTag. It is separate so that the compiler inlines
// checkReceiveTag.
func (s *shard) checkWildcard(id, tag int32) bool {
	if !matching.IsAnyOf(tag) {
		s.fail(id, "tag %d; expected at least 0, or %d for any", tag, workloads.AnyTag)
		return false
	}
	return true
}

func (s *shard) checkSize(id int32, size units.Bytes) bool {
	if !(size >= 0) || float64(size) > maxSize {
		s.fail(id, "size %v; expected a finite size of at least 0", size)
		return false
	}
	return true
}

// maxSize keeps message sizes, and with them transmission times, far from the
// end of the float64 range.
const maxSize = 1e30
