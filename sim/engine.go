package sim

import (
	"context"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
	"github.com/isoscale/isoscale/workloads"
)

// # How ranks are advanced
//
// Each rank has its own clock and its own inbox of messages on their way to it.
// Ranks influence each other only through messages, which travel at least the
// network's MinLatency L, and through measured collectives, which nobody leaves
// before the last indispensable participant has entered.
//
// The calendar holds, for every rank that has something to do, the time of the
// next thing. Let T be the smallest of these times. Whatever any rank does from
// now on happens at T or later, so no message still to be sent can arrive
// before T + L. Hence the rank at T may be advanced alone, on its own clock, up
// to but excluding T + L: everything that can reach it in that span is in its
// inbox already. That is the conservative rule of Chandy, Misra and Bryant
// ([Chandy1979]) with the calendar's minimum in place of null messages.
//
// Rounding does no harm: floating-point addition is monotone, so t >= T implies
// fl(t+L) >= fl(T+L), and an arrival is t plus non-negative terms and L.
//
// With L = 0 the span shrinks to the instant T, and this is an ordinary event
// loop. The outcome is the same, because within a rank everything is done in
// time order in either case; tests compare the two bit for bit.
//
// # Invariants
//
//	I1  A rank's inbox holds every message that will reach it before bound.
//	I2  Messages with arrival <= clock are dealt with before the rank acts.
//	I3  due is the time under which the calendar holds the rank, or +Inf. An
//	    entry with another time is stale and is skipped.
//	I4  Every calendar entry pushed is at or after the entry last popped.
//
// # Cost
//
// One calendar entry and no allocation per message once the pools have grown;
// 170 bytes for each rank and 56 for each message in flight.
type engine struct {
	program workloads.Program
	network Network
	latency units.Seconds // L
	rates   []units.FlopsPerSecond
	ranks   []rank

	cal      kernel.Calendar
	msgs     messages
	reqs     pendings
	launches launches
	meets    meetings

	horizon units.Seconds // nothing at or after it may happen before the driver says so
	now     units.Seconds // the calendar entry being handled: T
	bound   units.Seconds // nothing at or after it may happen yet, but for T itself
	current int32         // the rank being advanced
	op      workloads.Op  // the operation being executed; here, so that it does not escape at each call

	unfinished  int // ranks
	sent        int64
	bytes       units.Bytes
	collectives int64
	operations  int64
	events      int64
	err         *ProgramError // the earliest so far
}

// cancelEvery is the number of events between two looks at the context.
const cancelEvery = 1 << 14

// Run simulates c until every rank has finished. It returns a *DeadlockError if
// some cannot, a *ProgramError if the program breaks its contract, and the
// context's error if that is done first.
func Run(ctx context.Context, c Config) (result *Result, err error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	e := newEngine(c)
	// The one place where a broken invariant of ours becomes an error.
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, fmt.Errorf("sim: internal error at %v, rank %d: %v", e.now, e.current, p)
		}
	}()
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	return e.result(), nil
}

func newEngine(c Config) *engine {
	n := c.Program.Ranks()
	e := &engine{
		program:    c.Program,
		network:    c.Network,
		rates:      c.Rates,
		latency:    c.Network.MinLatency(),
		ranks:      make([]rank, n),
		msgs:       messages{free: none},
		reqs:       pendings{free: none},
		unfinished: n,
	}

	for i := range e.ranks {
		e.ranks[i] = rank{
			inbox: none, unexpectedHead: none, unexpectedTail: none,
			postedHead: none, postedTail: none, open: none, launching: none, then: none, nextInMeeting: none,
			due: never,
		}
		e.schedule(int32(i), 0)
	}
	return e
}

// never is the due time of a rank that waits for somebody else to act.
var never = units.Seconds(math.Inf(1))

// run drives the engine to the end of the program. Nobody else is on its clock,
// so it may look as far ahead as the network allows.
func (e *engine) run(ctx context.Context) error {
	e.horizon = never
	for e.step() {
		if e.events%cancelEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if e.err != nil {
		return e.err
	}
	if e.unfinished > 0 {
		return e.deadlock()
	}
	return nil
}

// step takes the next entry before the horizon off the calendar and lets its
// rank act. It reports whether there was one.
func (e *engine) step() bool {
	if at, ok := e.cal.Min(); !ok || at >= e.horizon {
		return false
	}
	at, id, _ := e.cal.Pop()
	if at != e.ranks[id].due {
		return true // stale: the rank was moved to an earlier time (I3)
	}
	e.events++
	e.now, e.current = at, id
	e.bound = min(at+e.latency, e.horizon)
	e.advance(id)
	return true
}

// Next implements kernel.Model: nothing happens before the time returned.
func (e *engine) Next() (units.Seconds, bool) {
	at, ok := e.cal.Min()
	return at, ok && (e.err == nil || at <= e.err.Time)
}

// Advance implements kernel.Model. Processes on the same clock may act at any
// time after to, so no rank is advanced beyond it.
func (e *engine) Advance(to units.Seconds) {
	e.horizon = never
	e.stopAfter(to)
	if e.err != nil {
		e.stopAfter(e.err.Time)
	}
	for e.step() {
	}
}

var _ kernel.Model = (*engine)(nil)

// open reports whether things that happen at t may happen now.
func (e *engine) open(t units.Seconds) bool { return t < e.bound || t <= e.now }

// schedule makes t the time at which the calendar will turn to the rank.
func (e *engine) schedule(id int32, t units.Seconds) {
	e.ranks[id].due = t
	e.cal.Push(t, id)
}

// post puts a message on its way: it leaves src when src's interface is free,
// at t at the earliest, and reaches dst after its transmission and latency.
// It returns the time at which its last byte has left.
func (e *engine) post(src, dst int32, t, transmission, latency units.Seconds, m *message) units.Seconds {
	from := &e.ranks[src]
	from.interfaceFree = max(t, from.interfaceFree) + transmission
	m.src = src
	m.order = from.sent
	from.sent++
	m.arrival = from.interfaceFree + latency
	i := e.msgs.get()
	e.msgs.rec[i] = *m
	to := &e.ranks[dst]
	to.inbox = e.msgs.add(to.inbox, i)
	if m.phase != eager {
		to.handshakes++
	}
	// A rank that expects a message must be woken by any, others only by one
	// that they have to answer.
	if m.arrival < to.due && (to.state.expectsMessage() || m.phase != eager && to.state != finished) && dst != e.current {
		e.schedule(dst, m.arrival)
	}
	return from.interfaceFree
}

func (e *engine) result() *Result {
	r := &Result{
		Ranks:       make([]RankResult, len(e.ranks)),
		Messages:    e.sent,
		Bytes:       e.bytes,
		Collectives: e.collectives,
		Operations:  e.operations,
		Events:      e.events,
	}
	lost := 0
	for i := range e.ranks {
		rank := &e.ranks[i]
		r.Ranks[i] = RankResult{Finish: rank.clock, Breakdown: rank.Breakdown}
		r.Makespan = max(r.Makespan, rank.clock)
		r.Work += rank.work
		lost += e.unreceived(rank)
	}
	if lost > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d messages were sent but never received", lost, e.sent))
	}
	return r
}

// unreceived counts the messages that reached the rank, or are on their way to
// it, and that no receive asked for.
func (e *engine) unreceived(r *rank) int {
	n := 0
	for m := r.unexpectedHead; m != none; m = e.msgs.rec[m].next {
		n++
	}
	for r.inbox != none {
		n++
		r.inbox = e.msgs.take(r.inbox)
	}
	return n
}

// ProgramError reports an operation that a program must not ask for.
type ProgramError struct {
	Rank int
	Time units.Seconds // the rank's clock
	Op   workloads.Op
	Msg  string
}

func (p *ProgramError) Error() string {
	return fmt.Sprintf("rank %d at %v: %v: %s", p.Rank, p.Time, p.Op.Kind, p.Msg)
}

// fail stops the rank for what e.op asks for. Others go on up to that time: the
// error reported is the earliest, and of several at one time that of the lowest
// rank, however far ranks have run ahead.
func (e *engine) fail(id int32, format string, args ...any) {
	r := &e.ranks[id]
	r.state = failed
	if p := e.err; p != nil && (p.Time < r.clock || p.Time == r.clock && p.Rank < int(id)) {
		return
	}
	e.err = &ProgramError{Rank: int(id), Time: r.clock, Op: e.op, Msg: fmt.Sprintf(format, args...)}
	e.stopAfter(r.clock)
}

// stopAfter lets nothing happen after t.
func (e *engine) stopAfter(t units.Seconds) {
	e.horizon = min(e.horizon, units.Seconds(math.Nextafter(float64(t), math.Inf(1))))
}
