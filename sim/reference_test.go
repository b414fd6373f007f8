package sim_test

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// reference implements the semantics of the engine a second time, for comparison. It
// was written from the documentation and shares no code or idea with the engine: it has
// one list of events for all ranks, searched from end to end each time, strictly in
// time order, and no rank is ever ahead of another.
//
// Order at equal times: messages arrive at a rank, by sender and then in the order of
// sending; then the rank acts. The documentation does not say which of two ranks comes
// first; this matters only if a message takes no time at all, see racy.
//
// All ranks compute at 1 flop/s.
type reference struct {
	net      sim.Network
	ranks    []*refRank
	events   []refEvent
	now      units.Seconds
	meetings []*refMeeting
	result   sim.Result
	tally    tally
	wild     bool // there was a receive from any source
	mismatch bool // ranks disagree on a collective call
}

// tally counts what a run exercised.
type tally struct {
	anySource, anyTag    int // matches of receives with that wildcard
	eager, rendezvous    int // matches
	handshakes           int // requests of rendezvous messages
	early, late          int // messages there before, after the receive
	selfMessages         int
	waitalls             int // of several requests
	collectives          int // entered by a rank
	ties                 int // arrivals at one rank at one time from different senders
	queued               int // transmissions that found the interface busy
	instant              int // messages that arrived at the time at which they were sent
	deadlocks, completed int // runs
}

func (t *tally) add(u tally) {
	t.anySource += u.anySource
	t.anyTag += u.anyTag
	t.eager += u.eager
	t.rendezvous += u.rendezvous
	t.handshakes += u.handshakes
	t.early += u.early
	t.late += u.late
	t.selfMessages += u.selfMessages
	t.waitalls += u.waitalls
	t.collectives += u.collectives
	t.ties += u.ties
	t.queued += u.queued
	t.instant += u.instant
	t.deadlocks += u.deadlocks
	t.completed += u.completed
}

// refEvent is the arrival of a message at a rank, or the next action of a rank.
type refEvent struct {
	at     units.Seconds
	rank   int  // where it happens
	act    bool // not an arrival
	sender int  // arrival: the sender, and the number of its message
	seq    int
	do     func()
}

func (e refEvent) before(f refEvent) bool {
	return cmp.Or(cmp.Compare(e.at, f.at), cmp.Compare(e.rank, f.rank), compareBools(e.act, f.act),
		cmp.Compare(e.sender, f.sender), cmp.Compare(e.seq, f.seq)) < 0
}

// compareBools sorts false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

type refRank struct {
	id         int
	ops        []workloads.Op
	clock      units.Seconds
	parts      sim.Breakdown
	idle       units.Seconds // when the network interface is free again
	sent       int           // transmissions
	posted     []*refRequest // receives that have no message yet, oldest first
	unexpected []*refMessage // messages that have no receive yet, oldest first
	open       []*refRequest
	calls      int           // of collectives
	wake       func()        // called when a request is done; nil unless in a wait
	waiting    []*refRequest // what the wait is for
	since      units.Seconds // when the last wait or collective began
	finished   bool
	reached    units.Seconds // when the last message arrived, from lastSender
	lastSender int
}

type refRequest struct {
	owner    *refRank
	name     int32
	receive  bool
	src, tag int32         // receive
	overhead units.Seconds // receive: spent at the wait
	done     bool
	at       units.Seconds
}

type refMessage struct {
	from, to   *refRank
	tag        int32
	cost       network.Cost
	rendezvous bool
	send       *refRequest
}

type refMeeting struct {
	op      workloads.Op
	entries map[*refRank]units.Seconds
	inside  []*refRank
}

// simulate runs the script by the reference.
func simulate(s script, n sim.Network) *reference {
	x := &reference{net: n}
	for id, ops := range s {
		r := &refRank{id: id, ops: ops, reached: -1}
		x.ranks = append(x.ranks, r)
		x.actAt(r, 0, x.step)
	}
	for len(x.events) > 0 && !x.mismatch {
		first := 0
		for i := range x.events {
			if x.events[i].before(x.events[first]) {
				first = i
			}
		}
		e := x.events[first]
		x.events = slices.Delete(x.events, first, first+1)
		if e.at < x.now {
			panic(fmt.Sprintf("reference: time goes back from %v to %v", x.now, e.at))
		}
		x.now = e.at
		e.do()
	}
	unreceived := int64(0)
	for _, r := range x.ranks {
		r.settle() // the progress of a rank before the deadlock
		x.result.Ranks = append(x.result.Ranks, sim.RankResult{Finish: r.clock, Breakdown: r.parts})
		x.result.Makespan = max(x.result.Makespan, r.clock)
		unreceived += int64(len(r.unexpected))
	}
	if unreceived > 0 {
		x.result.Warnings = append(x.result.Warnings,
			fmt.Sprintf("%d of %d messages were sent but never received", unreceived, x.result.Messages))
	}
	for _, m := range x.meetings {
		if len(m.entries) == len(x.ranks) {
			x.result.Collectives++
		}
	}
	if len(x.blocked()) > 0 {
		x.tally.deadlocks++
	} else {
		x.tally.completed++
	}
	return x
}

// racy reports whether the outcome may depend on which of two ranks acts first at the
// same time: a message reached another rank in no time, and a receive from any source
// could take it, or an interface could be busy because of it. Eager messages to
// receives that name their source have the same outcome in any order.
func (x *reference) racy() bool {
	return x.tally.instant > 0 && (x.wild || x.tally.handshakes > 0)
}

// blocked returns the ranks that have not finished; call it at the end.
func (x *reference) blocked() []int {
	var b []int
	for _, r := range x.ranks {
		if !r.finished {
			b = append(b, r.id)
		}
	}
	return b
}

func (x *reference) actAt(r *refRank, at units.Seconds, do func(*refRank)) {
	r.clock = at
	x.events = append(x.events, refEvent{at: at, act: true, rank: r.id, do: func() { do(r) }})
}

// spend keeps the rank busy for d, accounted under part.
func (x *reference) spend(r *refRank, part *units.Seconds, d units.Seconds, then func(*refRank)) {
	*part += d
	x.actAt(r, r.clock+d, then)
}

// idleUntil moves the rank's clock to at least the given time.
func (r *refRank) idleUntil(at units.Seconds, part *units.Seconds) {
	if at > r.clock {
		*part += at - r.clock
		r.clock = at
	}
}

// step performs the rank's next operation.
func (x *reference) step(r *refRank) {
	if len(r.ops) == 0 {
		x.wait(r, r.open, func(r *refRank) { r.finished = true })
		return
	}
	op := r.ops[0]
	r.ops = r.ops[1:]
	x.result.Operations++
	switch op.Kind {
	case workloads.Compute:
		x.result.Work += op.Work
		x.spend(r, &r.parts.Compute, units.Seconds(op.Work), x.step)
	case workloads.Delay:
		x.spend(r, &r.parts.Delay, op.Time, x.step)
	case workloads.Send, workloads.Isend:
		x.result.Messages++
		x.result.Bytes += op.Size
		to := x.ranks[op.Peer]
		m := &refMessage{
			from: r, to: to, tag: op.Tag,
			cost:       x.net.Message(int32(r.id), op.Peer, op.Size),
			rendezvous: x.net.Rendezvous(op.Size),
			send:       &refRequest{owner: r, name: op.Request},
		}
		if r == to {
			x.tally.selfMessages++
		}
		if m.rendezvous {
			x.tally.handshakes++
		}
		// The interface gets the message when the core has done its part.
		x.spend(r, &r.parts.SendOverhead, m.cost.SendOverhead, func(r *refRank) {
			if m.rendezvous {
				x.transmit(r, to, x.empty(r, to), func() { x.arrive(m) })
			} else {
				x.transmit(r, to, m.cost, func() { x.arrive(m) })
				x.complete(m.send, r.clock)
			}
			x.started(r, m.send, op.Kind == workloads.Send)
		})
	case workloads.Recv, workloads.Irecv:
		q := &refRequest{owner: r, name: op.Request, receive: true, src: op.Peer, tag: op.Tag}
		x.wild = x.wild || q.src == workloads.AnySource
		x.post(q)
		x.started(r, q, op.Kind == workloads.Recv)
	case workloads.Wait:
		i := slices.IndexFunc(r.open, func(q *refRequest) bool { return q.name == op.Request })
		x.wait(r, r.open[i:i+1], x.step)
	case workloads.Waitall:
		if len(r.open) > 1 {
			x.tally.waitalls++
		}
		x.wait(r, r.open, x.step)
	case workloads.Measured:
		x.tally.collectives++
		x.enter(r, op)
	default:
		panic(fmt.Sprintf("reference: unknown operation %+v", op))
	}
}

// started continues after a send or receive has been started: with a wait for it, or
// with the next operation.
func (x *reference) started(r *refRank, q *refRequest, blocking bool) {
	if blocking {
		x.wait(r, []*refRequest{q}, x.step)
		return
	}
	r.open = append(r.open, q)
	x.actAt(r, r.clock, x.step)
}

func (x *reference) empty(from, to *refRank) network.Cost {
	return x.net.Message(int32(from.id), int32(to.id), 0)
}

// transmit queues a message at the rank's network interface, and returns when its last
// byte has left.
func (x *reference) transmit(from, to *refRank, c network.Cost, arrived func()) units.Seconds {
	if from.idle > x.now {
		x.tally.queued++
	}
	left := max(x.now, from.idle) + c.Transmission
	from.idle = left
	from.sent++
	if left+c.Latency == x.now {
		x.tally.instant++
	}
	x.events = append(x.events, refEvent{at: left + c.Latency, rank: to.id, sender: from.id, seq: from.sent, do: func() {
		if to.reached == x.now && to.lastSender != from.id {
			x.tally.ties++
		}
		to.reached, to.lastSender = x.now, from.id
		arrived()
	}})
	return left
}

func (q *refRequest) accepts(m *refMessage) bool {
	return (q.src == workloads.AnySource || q.src == int32(m.from.id)) &&
		(q.tag == workloads.AnyTag || q.tag == m.tag)
}

// arrive gives an eager message, or the request of a rendezvous message, to the
// oldest posted receive that takes it.
func (x *reference) arrive(m *refMessage) {
	for i, q := range m.to.posted {
		if q.accepts(m) {
			m.to.posted = slices.Delete(m.to.posted, i, i+1)
			x.tally.late++
			x.match(q, m)
			return
		}
	}
	m.to.unexpected = append(m.to.unexpected, m)
}

// post gives the receive the message that arrived first among those it takes.
func (x *reference) post(q *refRequest) {
	r := q.owner
	for i, m := range r.unexpected {
		if q.accepts(m) {
			r.unexpected = slices.Delete(r.unexpected, i, i+1)
			x.tally.early++
			x.match(q, m)
			return
		}
	}
	r.posted = append(r.posted, q)
}

func (x *reference) match(q *refRequest, m *refMessage) {
	if q.src == workloads.AnySource {
		x.tally.anySource++
	}
	if q.tag == workloads.AnyTag {
		x.tally.anyTag++
	}
	q.overhead = m.cost.RecvOverhead
	if !m.rendezvous {
		x.tally.eager++
		x.complete(q, x.now)
		return
	}
	x.tally.rendezvous++
	x.transmit(m.to, m.from, x.empty(m.to, m.from), func() {
		left := x.transmit(m.from, m.to, m.cost, func() { x.complete(q, x.now) })
		x.complete(m.send, left)
	})
}

// complete records when the request is done, which may lie ahead.
func (x *reference) complete(q *refRequest, at units.Seconds) {
	q.done, q.at = true, at
	if q.owner.wake != nil {
		q.owner.wake()
	}
}

// wait continues when all the requests are done and their overheads are spent.
func (x *reference) wait(r *refRank, requests []*refRequest, then func(*refRank)) {
	r.waiting, r.since = slices.Clone(requests), r.clock
	r.wake = func() {
		for _, q := range r.waiting {
			if !q.done {
				return
			}
		}
		r.settle()
		for _, q := range r.waiting {
			if !q.receive {
				r.idleUntil(q.at, &r.parts.WaitSend)
			}
		}
		r.open = slices.DeleteFunc(r.open, func(q *refRequest) bool { return slices.Contains(r.waiting, q) })
		r.wake, r.waiting = nil, nil
		x.actAt(r, r.clock, then)
	}
	r.wake()
}

// settle deals with the finished receives that the rank waits for: one after the other,
// in the order of arrival, it is idle until the message is there and spends the
// overhead. Sends cost the core nothing more, so it waits for them afterwards.
func (r *refRank) settle() {
	slices.SortStableFunc(r.waiting, func(a, b *refRequest) int { return cmp.Compare(a.at, b.at) })
	for _, q := range r.waiting {
		if q.receive && q.done {
			r.idleUntil(q.at, &r.parts.WaitMessage)
			r.parts.RecvOverhead += q.overhead
			r.clock += q.overhead
		}
	}
}

// enter lets the rank enter its next collective call.
func (x *reference) enter(r *refRank, op workloads.Op) {
	if r.calls == len(x.meetings) {
		x.meetings = append(x.meetings, &refMeeting{op: op, entries: map[*refRank]units.Seconds{}})
	}
	m := x.meetings[r.calls]
	r.calls++
	if m.op.Collective != op.Collective || m.op.Peer != op.Peer {
		x.mismatch = true
		return
	}
	r.since = r.clock
	m.entries[r] = r.clock
	m.inside = append(m.inside, r)
	root := x.ranks[op.Peer]

	switch op.Collective {
	case workloads.Bcast, workloads.Scatter: // all for the root
		if ready, ok := m.entries[root]; ok {
			for _, q := range m.inside {
				x.leave(q, ready, op.Time)
			}
			m.inside = nil
		}
	case workloads.Reduce, workloads.Gather: // the root for all
		if r != root {
			x.actAt(r, r.clock, x.step)
		}
		if len(m.entries) == len(x.ranks) {
			x.leave(root, x.now, op.Time)
		}
	default: // all for all
		if len(m.entries) == len(x.ranks) {
			for _, q := range m.inside {
				x.leave(q, x.now, op.Time)
			}
		}
	}
}

// leave moves the rank to the end of a collective that took cost from ready on.
func (x *reference) leave(r *refRank, ready, cost units.Seconds) {
	if r.clock <= ready {
		r.idleUntil(ready, &r.parts.WaitCollective)
		x.spend(r, &r.parts.CollectiveCost, cost, x.step)
		return
	}
	r.idleUntil(ready+cost, &r.parts.CollectiveCost) // what is left of it
	x.actAt(r, r.clock, x.step)
}
