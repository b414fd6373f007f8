package sim

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// rank has what the engine needs to know about a rank at every turn: 64 bytes, a cache
// line. With a million ranks, these lines are the largest data of the engine, and
// fetching them is most of the cost of a turn.
type rank struct {
	clock    units.Seconds
	due      units.Seconds // see I3
	sendFree units.Seconds // when the interface can send again
	recvFree units.Seconds // when it can receive again; if not the core receives: 0 or its node's restart

	inbox      int32 // messages on their way: root of a heap
	unexpected int32 // messages without a receive, by arrival: last of a ring, or a long queue
	posted     int32 // receives without a message, by posting: last of a ring, or a long queue
	open       int32 // requests that the program has not yet waited for, latest first
	waiting    int32 // blockedRequest: for which; blockedProbe: what it accepts
	awaited    int32 // blockedAll: how many requests it waits for
	sent       uint32
	state      state
	flags      flags
}

// coldState has the fields of a rank that the engine needs rarely, so that rank fits
// into a cache line.
type coldState struct {
	since      units.Seconds // blocked in Waitall, a meeting, for an event: when that began; computing: the core's need
	floor      units.Seconds // blocked in Waitall: when the last send found complete has left
	work       units.Flops   // performed
	bytes      units.Bytes   // sent
	launching  int32         // flagLaunching: the operation, as index in launches
	then       int32         // flagThen: the request to wait for after that in rank.waiting
	handshakes int32         // protocol messages in the inbox
	unmatched  int32         // synchronous sends whose receiver has not matched them
	meeting    uint32        // number of calls of measured collectives
	inMeeting  int32         // blockedMeeting: the next rank inside; blockedEvent: the event
}

type state uint8

const (
	running state = iota
	blockedRequest
	blockedAll
	blockedProbe
	blockedMeeting
	blockedCompute // on a fabric
	blockedEvent
	blockedCore // for another stream that computes, on a fabric
	resting     // a stream without a piece of work
	lost        // its node has failed
	finished
	failed // asked for something impossible: see shard.fail
)

// flags say which fields of coldState matter.
type flags uint8

const (
	flagEnding    flags = 1 << iota // the program has no more operations
	flagLaunching                   // a send is waiting to leave, a test for its answer, or a computation for its core
	flagThen                        // a request is to be waited for after this one
	flagHandshake                   // handshakes > 0
	flagUnmatched                   // unmatched > 0
	flagManyOpen                    // open requests are found in shard.names
)

func (r *rank) is(f flags) bool { return r.flags&f != 0 }

func (r *rank) set(f flags, on bool) {
	r.flags &^= f
	if on {
		r.flags |= f
	}
}

// expectsMessage reports whether the rank waits for a message. (A rank in a measured
// collective is set free by the others.)
func (r *rank) expectsMessage() bool { return r.state >= blockedRequest && r.state <= blockedProbe }

// advance lets the rank act on its own clock for as long as that is safe.
func (s *shard) advance(id int32) {
	r := s.rank(id)
	r.due = never
	for {
		// act is when the rank can next act of its own accord.
		act := r.clock
		if r.is(flagLaunching) && s.byCore {
			act = max(act, r.sendFree)
		}
		if m := r.inbox; m != none {
			at := max(s.msgs.rec[m].arrival, r.recvFree)
			due := false
			switch r.state {
			case running:
				due = at <= act && (!s.late || s.mayHappen(r.clock))
			case blockedRequest, blockedAll, blockedProbe:
				// Another rank may set this one free at any time from now on, before a
				// message that arrives later.
				due = !r.is(flagUnmatched) || at <= s.now
			case blockedMeeting, blockedEvent:
				due = at <= s.now
			}
			if due && s.mayHappen(at) {
				r.inbox = s.msgs.take(m)
				s.arrive(id, r, m, max(at, s.coreFree(r)))
				continue
			}
			switch {
			case r.expectsMessage(),
				(r.state == blockedMeeting || r.state == blockedEvent) && (r.is(flagHandshake) || s.byCore):
				s.schedule(id, at)
				return
			case r.state == running && !s.mayHappen(act):
				// Even during a computation a rank answers requests and clearances, and
				// a core that waits to send deals with arrivals.
				if r.is(flagHandshake) || act > r.clock {
					act = min(act, at)
					if s.late {
						act = max(act, r.clock)
					}
				}
				s.schedule(id, act)
				return
			}
		}
		if r.state != running {
			return
		}
		if !s.mayHappen(act) {
			s.schedule(id, act)
			return
		}
		if r.is(flagLaunching) {
			r.set(flagLaunching, false)
			i := s.coldState(id).launching
			s.op = s.launches.rec[i]
			s.launches.put(i)
			switch {
			case s.op.Kind == workloads.Compute:
				s.execute(id, r)
			case s.op.Kind == workloads.Test:
				s.answer(id, r)
			case s.op.Kind == workloads.Iprobe:
				s.answerProbe(id, r)
			case s.fabric != nil:
				s.hand(id, r, &s.op)
			default:
				s.launch(id, r, &s.op, s.network.Message(id, s.op.Peer, s.op.Size))
			}
			continue
		}
		if r.is(flagEnding) && s.engine.isStream(id) {
			s.endPiece(id, r)
			continue
		}
		if r.is(flagEnding) {
			r.state = finished
			s.unfinished--
			return
		}
		if s.listener != nil {
			s.listener.Now(int(id), r.clock)
		}
		s.op = workloads.Op{}
		if !s.program.Next(int(id), &s.op) {
			// Requests that the program did not wait for must still end.
			r.set(flagEnding, true)
			s.waitAll(id, r, math.MinInt32)
			continue
		}
		s.operations++
		if s.operations%checkEvery == 0 && s.ends(id, r) {
			return
		}
		s.execute(id, r)
	}
}

// coreFree returns when the core can deal with an arrival: at once if the
// network interface does it, else when the core is free.
func (s *shard) coreFree(r *rank) units.Seconds {
	if s.byCore {
		return r.clock
	}
	return 0
}

// execute carries out s.op.
func (s *shard) execute(id int32, r *rank) {
	op := &s.op
	switch op.Kind {
	case workloads.Compute:
		if s.pieces != nil && s.awaitCore(id, r) {
			return
		}
		if s.fabric != nil && s.computeOnFabric(id, r) {
			return
		}
		since := r.clock
		// spend refuses work below 0.
		if s.memory != nil && op.Work >= 0 && !s.checkSize(id, op.Size) {
			return
		}
		if s.memory != nil {
			s.about.byMemory = float64(op.Size)/float64(s.memory[id]) > float64(op.Work)/float64(s.rates[id])
		}
		if s.spend(id, r, s.computing(id, op.Work, op.Size), PartCompute) {
			s.coldState(id).work += op.Work
		}
		s.about.byMemory = false
		if s.pieces != nil {
			s.keepCore(id, r, since)
		}
	case workloads.Delay:
		s.spend(id, r, op.Time, PartDelay)
	case workloads.Send, workloads.Isend, workloads.Sendrecv:
		s.send(id, r)
	case workloads.Recv, workloads.Irecv:
		s.receive(id, r)
	case workloads.Wait:
		s.wait(id, r)
	case workloads.Waitall:
		s.waitAll(id, r, op.Request)
	case workloads.Test:
		s.test(id, r)
	case workloads.Probe:
		s.probe(id, r)
	case workloads.Iprobe:
		s.iprobe(id, r)
	case workloads.Measured:
		s.meet(id, r)
	case workloads.Begin:
		s.begin(id, r)
	case workloads.Trigger:
		if x := s.event(id); x != nil {
			s.engine.happen(x, r.clock)
		}
	case workloads.Await:
		s.await(id, r)
	default:
		s.fail(id, "unknown kind of operation (%d)", op.Kind)
	}
}

// computing returns how long a rank with a core of its own computes.
func (s *shard) computing(id int32, work units.Flops, traffic units.Bytes) units.Seconds {
	if s.memory != nil && work >= 0 {
		return compute.Process{Speed: s.rates[id], Memory: s.memory[id]}.Time(work, traffic)
	}
	return units.Seconds(float64(work) / float64(s.rates[id]))
}

// spend moves the rank's clock on by d, which comes from the program or the network. It
// keeps a NaN, an infinity or a negative time out of the clock.
func (s *shard) spend(id int32, r *rank, d units.Seconds, p Part) bool {
	from := r.clock
	if !s.pass(id, r, d) {
		return false
	}
	s.book(id, p, from, r.clock)
	return true
}

// pass is spend without its booking.
func (s *shard) pass(id int32, r *rank, d units.Seconds) bool {
	if !(d >= 0 && r.clock+d <= maxTime) {
		s.fail(id, "takes %v; expected a finite time of at least 0 that ends before %v", d, maxTime)
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

// idle moves the rank's clock on to t and books the difference.
func (s *shard) idle(id int32, r *rank, t units.Seconds, p Part) {
	if t > r.clock {
		s.book(id, p, r.clock, t)
		r.clock = t
	}
}

// book reports how the rank has used a stretch of its time, if anybody records or
// observes that.
func (s *shard) book(id int32, p Part, from, to units.Seconds) {
	if to >= s.bookFrom {
		s.record(id, p, from, to)
	}
}

// record is separate so that the compiler inlines book.
func (s *shard) record(id int32, p Part, from, to units.Seconds) {
	if to < s.bookLimit || !s.holdBack(id, p, from, to) {
		s.bookNow(id, p, from, to)
	}
}

// bookNow adds a stretch of time that can no longer change to a part of the breakdown,
// and tells the observer.
func (s *shard) bookNow(id int32, p Part, from, to units.Seconds) {
	s.count(id, p, from, to)
	if s.observer != nil && to > from {
		x := &s.about // read field by field: a copy of the whole struct would wait for its latest store
		s.observer.Span(Span{Rank: id, Part: p, From: from, To: to, Handles: x.handles, ByMemory: x.byMemory, Sender: x.sender, Order: x.order})
	}
}

// count adds a stretch of time to a part of the breakdown.
func (s *shard) count(id int32, p Part, from, to units.Seconds) {
	if s.parts != nil {
		s.parts[id-s.first][p] += to - from
	}
}

// about has the fields of a [Span] other than its rank, part and times.
type about struct {
	handles, byMemory bool
	sender            int32
	order             uint32
}

// Part is a part of a Breakdown, with the name of its field.
type Part uint8

// The parts. Each stands for the field of [Breakdown] that it is named after.
const (
	PartCompute Part = iota
	PartDelay
	PartSendOverhead
	PartRecvOverhead
	PartCollectiveCost
	PartWaitMessage
	PartWaitSend
	PartWaitCollective
	PartWaitEvent
	PartStopped
	numParts
)

// partNames are the names of the parts in text.
var partNames = [numParts]string{
	"compute", "delay", "send overhead", "receive overhead", "collective cost",
	"wait for message", "wait for send", "wait for collective", "wait for event", "stopped",
}

// String returns the name of the part in words.
func (p Part) String() string {
	if int(p) >= len(partNames) {
		return fmt.Sprintf("Part(%d)", uint8(p))
	}
	return partNames[p]
}

type parts [numParts]units.Seconds

func (p *parts) breakdown() Breakdown {
	return Breakdown{
		Compute:        p[PartCompute],
		Delay:          p[PartDelay],
		SendOverhead:   p[PartSendOverhead],
		RecvOverhead:   p[PartRecvOverhead],
		CollectiveCost: p[PartCollectiveCost],
		WaitMessage:    p[PartWaitMessage],
		WaitSend:       p[PartWaitSend],
		WaitCollective: p[PartWaitCollective],
		WaitEvent:      p[PartWaitEvent],
		Stopped:        p[PartStopped],
	}
}
