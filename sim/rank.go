package sim

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// rank is all that the engine knows of one rank.
type rank struct {
	clock         units.Seconds
	due           units.Seconds // see I3
	interfaceFree units.Seconds // when the last message has left
	since         units.Seconds // blocked: when that began
	floor         units.Seconds // blocked in Waitall: when the last send found complete has left
	Breakdown
	work units.Flops

	inbox                          int32 // messages on their way: root of a heap
	unexpectedHead, unexpectedTail int32 // messages that no receive was posted for, by arrival
	postedHead, postedTail         int32 // receives without a message, by posting
	open                           int32 // requests that the program has not waited for, latest first
	unsettled                      int32 // how many of the open requests are not done
	waiting                        int32 // blockedRequest: for which
	then                           int32 // what to wait for after that
	handshakes                     int32 // protocol messages in the inbox
	launching                      int32 // a send whose overhead is being spent: index in launches
	meeting                        uint32
	nextInMeeting                  int32
	sent                           uint32
	state                          state
	ending                         bool // the program has no more operations
}

type state uint8

const (
	running state = iota
	blockedRequest
	blockedAll
	blockedMeeting
	finished
	failed // asked for something impossible: see engine.fail
)

// expectsMessage reports whether only a message can make the rank go on. A rank
// in a measured collective is set free by the others, at a time that it cannot
// know; like one in a computation, it needs no eager message until then.
func (s state) expectsMessage() bool { return s == blockedRequest || s == blockedAll }

// advance lets the rank act on its own clock for as long as that is safe.
func (e *engine) advance(id int32) {
	r := &e.ranks[id]
	r.due = never
	for {
		if m := r.inbox; m != none {
			at := e.msgs.rec[m].arrival
			// A meeting may end at any time from now on: a message that
			// arrives later than now may arrive after it.
			due := r.state.expectsMessage() || r.state == running && at <= r.clock || r.state == blockedMeeting && at <= e.now
			if due && e.open(at) {
				r.inbox = e.msgs.take(m)
				e.arrive(id, r, m, at)
				continue
			}
			switch {
			case r.state.expectsMessage(), r.state == blockedMeeting && r.handshakes > 0:
				e.schedule(id, at)
				return
			case r.state == running && r.handshakes > 0 && !e.open(r.clock):
				// Even deep in a computation a rank answers the protocol.
				e.schedule(id, min(r.clock, at))
				return
			}
		}
		if r.state != running {
			return
		}
		if !e.open(r.clock) {
			e.schedule(id, r.clock)
			return
		}
		if r.launching != none {
			op := e.launches.take(r.launching)
			r.launching = none
			e.launch(id, r, &op, e.network.Message(id, op.Peer, op.Size))
			continue
		}
		if r.ending {
			r.state = finished
			e.unfinished--
			continue
		}
		e.op = workloads.Op{}
		if !e.program.Next(int(id), &e.op) {
			// What the program started and did not wait for still has to end.
			r.ending = true
			e.waitAll(r)
			continue
		}
		e.operations++
		e.execute(id, r)
	}
}

// execute carries out e.op.
func (e *engine) execute(id int32, r *rank) {
	op := &e.op
	switch op.Kind {
	case workloads.Compute:
		d := units.Seconds(float64(op.Work) / float64(e.rates[id]))
		if !e.spend(id, r, d) {
			return
		}
		r.Compute += d
		r.work += op.Work
	case workloads.Delay:
		if !e.spend(id, r, op.Time) {
			return
		}
		r.Delay += op.Time
	case workloads.Send, workloads.Isend, workloads.Sendrecv:
		e.send(id, r)
	case workloads.Recv, workloads.Irecv:
		e.receive(id, r)
	case workloads.Wait:
		e.wait(id, r)
	case workloads.Waitall:
		e.waitAll(r)
	case workloads.Measured:
		e.meet(id, r)
	default:
		e.fail(id, "unknown kind of operation (%d)", op.Kind)
	}
}

// spend moves the rank's clock on by d, which the program decides: the place
// where a NaN, an infinity or a negative time would enter the clock.
func (e *engine) spend(id int32, r *rank, d units.Seconds) bool {
	if !(d >= 0 && r.clock+d <= maxTime) {
		e.fail(id, "takes %v; expected a finite time of at least 0 that ends before %v", d, maxTime)
		return false
	}
	r.clock += d
	return true
}

// Limits that keep every sum of times far from the end of the float64 range:
// of a rank's clock, and of what one message or collective call costs.
const (
	maxTime units.Seconds = 1e300
	maxCost units.Seconds = 1e30
)

// block stops the rank until somebody makes it run again.
func (r *rank) block(s state) { r.state, r.since = s, r.clock }

// idle moves the rank's clock on to t and books the difference as waiting.
func (r *rank) idle(t units.Seconds, cause *units.Seconds) {
	if t > r.clock {
		*cause += t - r.clock
		r.clock = t
	}
}
