package sim

import (
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Eager: the data leave at once, the sender goes on after its overhead.
//
// Rendezvous: a request travels to the receiver as an empty message. When it
// meets a posted receive, or a receive is posted for it, an empty clearance
// travels back; when that arrives, the data leave. The sender is done when they
// have left, the receiver when they have arrived. A rank answers requests and
// clearances at the moment they arrive, even in the middle of a computation,
// as a network interface with its own processor does.

// A blocking call is its non-blocking twin and a wait for that one request; a
// Sendrecv is both twins and a wait for the receive, then for the send.

// send spends the send overhead and launches the message, or leaves that for
// the time when the overhead is over.
func (e *engine) send(id int32, r *rank) {
	op := &e.op
	if !e.checkPeer(id, op.Peer) || !e.checkSize(id, op.Size) {
		return
	}
	if op.Tag < 0 {
		e.fail(id, "tag %d; expected at least 0", op.Tag)
		return
	}
	if op.Kind == workloads.Sendrecv && !e.checkSource(id, op.From) {
		return
	}
	c := e.network.Message(id, op.Peer, op.Size)
	if total := c.SendOverhead + c.Transmission + c.Latency + c.RecvOverhead; !(total <= maxCost) {
		e.fail(id, "a message of %v to rank %d costs %v; expected a finite time", op.Size, op.Peer, total)
		return
	}
	if !e.spend(id, r, c.SendOverhead) {
		return
	}
	r.SendOverhead += c.SendOverhead
	e.sent++
	e.bytes += op.Size

	// Until the overhead is over other messages may arrive, which come before
	// one to itself, and leave: a clearance may arrive, and its data go first.
	if r.handshakes > 0 || op.Peer == id || !e.open(r.clock) {
		r.launching = e.launches.put(*op)
		return
	}
	e.launch(id, r, op, c)
}

// launch lets a message leave, its overhead being spent, and does what is left
// of the operation: waiting for the end of the send, receiving, or nothing.
func (e *engine) launch(id int32, r *rank, op *workloads.Op, c network.Cost) {
	var q int32 = none
	if e.network.Rendezvous(op.Size) {
		var p *pending
		q, p = e.openRequest(r)
		p.peer, p.tag, p.name, p.size, p.send = op.Peer, op.Tag, op.Request, op.Size, true
		r.unsettled++
		e.post(id, op.Peer, r.clock, 0, c.Latency,
			&message{size: op.Size, tag: op.Tag, overhead: c.RecvOverhead, sendReq: q, phase: request})
	} else {
		e.post(id, op.Peer, r.clock, c.Transmission, c.Latency,
			&message{size: op.Size, tag: op.Tag, overhead: c.RecvOverhead, phase: eager})
	}
	switch {
	case op.Kind == workloads.Sendrecv:
		r.then = q
		e.waitFor(r, e.postReceive(id, r, op.From, op.Tag, 0))
	case op.Kind == workloads.Send && q != none:
		e.waitFor(r, q)
	case op.Kind == workloads.Isend && q == none:
		_, p := e.openRequest(r)
		p.peer, p.tag, p.name, p.size, p.send = op.Peer, op.Tag, op.Request, op.Size, true
		p.state, p.at = done, r.clock
	}
}

// receive posts a receive, and waits for its end if it is a blocking one.
func (e *engine) receive(id int32, r *rank) {
	op := &e.op
	if !e.checkSource(id, op.Peer) || !e.checkReceiveTag(id, op.Tag) {
		return
	}
	q := e.postReceive(id, r, op.Peer, op.Tag, op.Request)
	if op.Kind == workloads.Recv {
		e.waitFor(r, q)
	}
}

// postReceive starts a receive, which a message that has arrived may match at
// once.
func (e *engine) postReceive(id int32, r *rank, src, tag, name int32) int32 {
	q, p := e.openRequest(r)
	p.peer, p.tag, p.name = src, tag, name
	r.unsettled++
	if m := e.takeUnexpected(r, src, tag); m != none {
		e.match(id, r, q, m, r.clock)
	} else {
		e.appendPosted(r, q)
	}
	return q
}

// arrive deals with message m reaching the rank at time at.
func (e *engine) arrive(id int32, r *rank, m int32, at units.Seconds) {
	rec := e.msgs.rec[m]
	if rec.phase != eager {
		r.handshakes--
	}
	switch rec.phase {
	case eager, request:
		if q := e.takePosted(r, rec.src, rec.tag); q != none {
			e.match(id, r, q, m, at)
		} else {
			e.appendUnexpected(r, m)
		}
	case clearance:
		e.msgs.put(m)
		p := &e.reqs.rec[rec.sendReq]
		c := e.network.Message(id, rec.src, p.size)
		left := e.post(id, rec.src, at, c.Transmission, c.Latency,
			&message{size: p.size, tag: p.tag, recvReq: rec.recvReq, phase: payload})
		e.complete(r, rec.sendReq, left)
	case payload:
		e.msgs.put(m)
		e.complete(r, rec.recvReq, at)
	}
}

// match brings receive q and message m together at time at: the data are there
// (eager), or the sender is told to send them (rendezvous).
func (e *engine) match(id int32, r *rank, q, m int32, at units.Seconds) {
	rec := e.msgs.rec[m]
	e.msgs.put(m)
	p := &e.reqs.rec[q]
	p.peer, p.tag, p.size = rec.src, rec.tag, rec.size
	p.overhead = rec.overhead
	if rec.phase == eager {
		e.complete(r, q, at)
		return
	}
	p.state = matched
	back := e.network.Message(id, rec.src, 0)
	e.post(id, rec.src, at, 0, back.Latency,
		&message{sendReq: rec.sendReq, recvReq: q, phase: clearance})
}

// complete marks request q as done at time at and lets its rank go on if that
// is what it waits for.
func (e *engine) complete(r *rank, q int32, at units.Seconds) {
	p := &e.reqs.rec[q]
	p.state, p.at = done, at
	r.unsettled--
	switch {
	case r.state == blockedRequest && r.waiting == q:
		r.state = running
		e.settle(r, q)
	case r.state == blockedAll:
		e.settleInWaitall(r, q)
		if r.unsettled == 0 {
			e.endWaitall(r)
		}
	}
}

// wait waits for the open request that the operation names.
func (e *engine) wait(id int32, r *rank) {
	q := r.open
	for q != none && e.reqs.rec[q].name != e.op.Request {
		q = e.reqs.rec[q].nextOpen
	}
	if q == none {
		e.fail(id, "request %d is not open; expected one that Isend or Irecv started", e.op.Request)
		return
	}
	e.waitFor(r, q)
}

// waitFor blocks the rank until q is done.
func (e *engine) waitFor(r *rank, q int32) {
	if e.reqs.rec[q].state == done {
		e.settle(r, q)
		return
	}
	r.block(blockedRequest)
	r.waiting = q
}

// settle ends request q, which is done: the rank, which waits for it and for
// nothing else, is idle until then and pays what is left to pay.
func (e *engine) settle(r *rank, q int32) {
	p := &e.reqs.rec[q]
	if p.send {
		r.idle(p.at, &r.WaitSend)
	} else {
		r.idle(p.at, &r.WaitMessage)
		r.clock += p.overhead
		r.RecvOverhead += p.overhead
	}
	e.closeRequest(r, q)
	if then := r.then; then != none {
		r.then = none
		e.waitFor(r, then)
	}
}

// waitAll waits for all open requests. Receive overheads are paid one after the
// other: first for messages that are there already, then in the order of
// arrival; sends cost the core nothing more.
func (e *engine) waitAll(r *rank) {
	r.block(blockedAll)
	r.floor = 0
	for q := r.open; q != none; {
		next := e.reqs.rec[q].nextOpen
		if e.reqs.rec[q].state == done {
			e.settleInWaitall(r, q)
		}
		q = next
	}
	if r.unsettled == 0 {
		e.endWaitall(r)
	}
}

// settleInWaitall is settle among others: a send's end must not hold up the
// overheads of receives.
func (e *engine) settleInWaitall(r *rank, q int32) {
	if p := &e.reqs.rec[q]; p.send {
		r.floor = max(r.floor, p.at)
		e.closeRequest(r, q)
		return
	}
	e.settle(r, q)
}

func (e *engine) endWaitall(r *rank) {
	r.state = running
	r.idle(r.floor, &r.WaitSend)
}

// openRequest adds a zero request, which the program can wait for. The caller
// counts it as unsettled unless it is done.
func (e *engine) openRequest(r *rank) (int32, *pending) {
	q := e.reqs.get()
	p := &e.reqs.rec[q]
	*p = pending{nextOpen: r.open}
	r.open = q
	return q, p
}

// closeRequest removes a request that has been waited for.
func (e *engine) closeRequest(r *rank, q int32) {
	link := &r.open
	for *link != q {
		link = &e.reqs.rec[*link].nextOpen
	}
	*link = e.reqs.rec[q].nextOpen
	e.reqs.put(q)
}

func (e *engine) appendPosted(r *rank, q int32) {
	e.reqs.rec[q].next = none
	if r.postedTail == none {
		r.postedHead = q
	} else {
		e.reqs.rec[r.postedTail].next = q
	}
	r.postedTail = q
}

// takePosted removes the oldest posted receive that accepts a message from src
// with tag.
func (e *engine) takePosted(r *rank, src, tag int32) int32 {
	var before int32 = none
	for q := r.postedHead; q != none; before, q = q, e.reqs.rec[q].next {
		p := &e.reqs.rec[q]
		if !accepts(p.peer, p.tag, src, tag) {
			continue
		}
		if before == none {
			r.postedHead = p.next
		} else {
			e.reqs.rec[before].next = p.next
		}
		if r.postedTail == q {
			r.postedTail = before
		}
		return q
	}
	return none
}

func (e *engine) appendUnexpected(r *rank, m int32) {
	e.msgs.rec[m].next = none
	if r.unexpectedTail == none {
		r.unexpectedHead = m
	} else {
		e.msgs.rec[r.unexpectedTail].next = m
	}
	r.unexpectedTail = m
}

// takeUnexpected removes the message that arrived first among those that a
// receive from src with tag accepts.
func (e *engine) takeUnexpected(r *rank, src, tag int32) int32 {
	var before int32 = none
	for m := r.unexpectedHead; m != none; before, m = m, e.msgs.rec[m].next {
		rec := &e.msgs.rec[m]
		if !accepts(src, tag, rec.src, rec.tag) {
			continue
		}
		if before == none {
			r.unexpectedHead = rec.next
		} else {
			e.msgs.rec[before].next = rec.next
		}
		if r.unexpectedTail == m {
			r.unexpectedTail = before
		}
		return m
	}
	return none
}

// accepts reports whether a receive from wantSrc with wantTag, wildcards
// allowed, takes a message from src with tag.
func accepts(wantSrc, wantTag, src, tag int32) bool {
	return (wantSrc == src || wantSrc == workloads.AnySource) &&
		(wantTag == tag || wantTag == workloads.AnyTag)
}

func (e *engine) checkPeer(id, peer int32) bool {
	if peer < 0 || int(peer) >= len(e.ranks) {
		e.fail(id, "peer %d; expected a rank from 0 to %d", peer, len(e.ranks)-1)
		return false
	}
	return true
}

// checkSource checks what a receive accepts as source.
func (e *engine) checkSource(id, src int32) bool {
	return src == workloads.AnySource || e.checkPeer(id, src)
}

func (e *engine) checkReceiveTag(id, tag int32) bool {
	if tag < 0 && tag != workloads.AnyTag {
		e.fail(id, "tag %d; expected at least 0, or %d for any", tag, workloads.AnyTag)
		return false
	}
	return true
}

func (e *engine) checkSize(id int32, size units.Bytes) bool {
	if !(size >= 0) || float64(size) > maxSize {
		e.fail(id, "size %v; expected a finite size of at least 0", size)
		return false
	}
	return true
}

// maxSize keeps message sizes, and with them transmission times, far from the
// end of the float64 range.
const maxSize = 1e30
