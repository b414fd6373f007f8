package goalsim

import (
	"context"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads/goal"
)

// Observe is [Run] with an observer, which is told what every core does and which
// messages there are. Each core is reported as a rank: its number is host × cores per
// host + core. A message leaves when the core of its sender turns to it, arrives with
// its first byte, and is received when the core has turned to it and its receive was
// posted.
//
// The time that a core waits is reported as a wait for a message if the core then deals
// with one; for a send while its interface is busy or a rendezvous is not matched;
// otherwise for an event, the end of an operation on another core of the host.
func Observe(ctx context.Context, s *goal.Schedule, p Parameters, to sim.Observer) (*Result, error) {
	return execute(ctx, s, p, func(x *run) {
		cores := s.Ranks() * s.CPUs()
		x.told = &told{to: to, run: x, last: make([]uint64, cores), sent: make([]uint32, cores),
			open: make([]departure, len(s.Ops()))}
	})
}

// told keeps what the observer has been told.
type told struct {
	to   sim.Observer
	run  *run
	last []uint64    // until when spans of a core were told
	sent []uint32    // messages that a core has sent
	open []departure // by operation: the message of a send

	about sim.Span // the message that the present spans are about
}

// departure is a message on its way, or unexpected.
type departure struct {
	order          uint32
	first, handled uint64 // when the first byte arrived, and when the core turned to it
}

func seconds(t uint64) units.Seconds { return units.Seconds(float64(t) / 1e9) }

// calc tells that a core computes from now on until it is free.
func (t *told) calc(core int, now uint64) {
	t.span(core, sim.PartWaitEvent, now)
	t.span(core, sim.PartCompute, t.run.cpu[core])
}

// send tells that a core turns to send i now. The interface became free at time free.
func (t *told) send(i int32, core int, free, now uint64) {
	wait := sim.PartWaitEvent
	if free == now {
		wait = sim.PartWaitSend
	}
	t.span(core, wait, now)
	op := &t.run.ops[i]
	t.span(core, sim.PartSendOverhead, t.run.cpu[core])
	t.to.Sent(sim.Sent{
		Rank: int32(core), Order: t.sent[core], To: t.core(op.Peer, op), Tag: int32(op.Tag),
		Size: units.Bytes(op.Size), At: seconds(now),
	})
	t.open[i] = departure{order: t.sent[core], first: now + t.run.o + t.run.L}
	t.sent[core]++
}

// arrive tells that a core turns to the message of send i now; met says whether its
// receive was posted.
func (t *told) arrive(i int32, core int, met bool, now uint64) {
	d := &t.open[i]
	d.handled = now
	op := &t.run.ops[i]
	if met {
		t.match(i, now, uint64(op.Size) > t.run.S)
	}
	t.about = sim.Span{Handles: true, Sender: t.core(op.Rank, op), Order: d.order}
	t.span(core, sim.PartWaitMessage, now)
	t.span(core, sim.PartRecvOverhead, t.run.cpu[core])
	t.about = sim.Span{}
}

// matched tells that a core has waited until now for a rendezvous to be matched.
func (t *told) matched(core int, now uint64) { t.span(core, sim.PartWaitSend, now) }

// match tells that the message of send i meets its receive; if synchronous, its sender
// may have waited for that. The event may be handled at a time that has passed, but the
// match is not before the core has turned to the message.
func (t *told) match(i int32, now uint64, synchronous bool) {
	op, d := &t.run.ops[i], &t.open[i]
	t.to.Received(sim.Received{
		Rank: t.core(op.Peer, op), From: t.core(op.Rank, op), Order: d.order, Synchronous: synchronous,
		Arrived: seconds(d.first), At: seconds(max(now, d.handled)),
	})
}

// span tells what a core did from the end of its last reported span until a time.
func (t *told) span(core int, part sim.Part, until uint64) {
	if until <= t.last[core] {
		return
	}
	x := t.about
	x.Rank, x.Part, x.From, x.To = int32(core), part, seconds(t.last[core]), seconds(until)
	t.to.Span(x)
	t.last[core] = until
}

// core returns the core of a host that an operation names.
func (t *told) core(host int32, op *goal.Op) int32 {
	return host*int32(t.run.cpus) + int32(op.CPU)
}
