package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
	"github.com/isoscale/isoscale/sim/meter"
	"github.com/isoscale/isoscale/workloads"
)

// # How ranks are advanced
//
// Each rank has its own clock and its own inbox of messages on their way to it. Ranks
// influence each other only through messages, which travel at least the network's
// MinLatency L, and by setting each other free. That happens in a measured collective,
// which nobody leaves before the last indispensable participant has entered, and in a
// synchronous send, which the receiver ends.
//
// The calendar holds, for every rank that has something to do, the time of its next
// event. Let T be the smallest of these times. Whatever any rank does from now on
// happens at T or later, so no message still to be sent can arrive before T + L. Hence
// the rank at T may be advanced alone, on its own clock, up to but excluding T + L:
// everything that can reach it in that span is in its inbox already. That is the
// conservative rule of Chandy, Misra and Bryant ([Chandy1979]) with the calendar's
// minimum in place of null messages. A rank that others may set free does not run
// ahead, because it may be set free at T.
//
// Rounding does no harm: floating-point addition is monotone, so t >= T implies
// fl(t+L) >= fl(T+L), and an arrival is t plus non-negative terms and L.
//
// With L = 0 the span shrinks to the instant T, and this is an ordinary event
// loop. The outcome is the same, because within a rank everything is done in
// time order in either case; tests compare the two bit for bit.
//
// # Several cores
//
// The same argument lets all ranks be advanced independently up to T + L, so
// shards of them run on different cores in windows of that length, with
// messages to other shards handed over between windows; see windows.go.
//
// # Invariants
//
//	I1  A rank's inbox holds every message that will reach it before bound.
//	I2  Messages with arrival <= clock are dealt with before the rank acts,
//	    unless its interface cannot receive yet (handling by core).
//	I3  due is the time under which the calendar holds the rank, or +Inf. An
//	    entry with another time is stale and is skipped.
//	I4  Every calendar entry pushed is at or after the entry last popped.
//
// # Cost
//
// One calendar entry and no allocation per message once the pools have grown;
// 120 bytes for each rank, 64 more for its breakdown, 52 for each message in
// flight and 44 for each open request.
type engine struct {
	shards  []*shard
	width   int32 // ranks of every shard but the last
	ranks   int32 // of the program
	all     int32 // ranks and their streams
	workers int
	meets   meetings
	ledger  *ledger // nil: see Config.Budget
	meter   *meter.Meter
	noted   int64 // events that were reported to the meter

	observer Observer // see windows.go

	cancelled   atomic.Bool // the context is done
	stallChecks int64
	// Synchronous sends that a receiver ahead of the clock has matched.
	releases releases
	events   []*Event // see Config.Events
	world    *world   // nil without processes
	turns    int      // of ranks, where one goroutine drives them
}

// noteEvery is the number of turns of ranks between two notes for the meter.
const noteEvery = 1 << 14

// Run simulates c until every rank has finished. It returns a *DeadlockError if some cannot, a
// *ProgramError if the program breaks its contract, and the context's error if the context is
// done first (within some milliseconds, unless the program's own code takes longer). If ranks
// of a [Program] disagree about collective calls, the error begins with that. A program that is
// an io.Closer is closed, and if it gave up (an operation of Kind 0), what Close returns is the
// error.
func Run(ctx context.Context, c Config) (result *Result, err error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if p, ok := wrapped.Outermost[io.Closer](c.Program); ok {
		// The reason why a program gave up says more than its last operation.
		defer func() {
			why, broke := p.Close(), (*ProgramError)(nil)
			if why != nil && errors.As(err, &broke) && broke.Op.Kind == 0 {
				err = why
			}
		}()
	}
	if c, err = c.widened(); err != nil {
		return nil, err
	}
	e := newEngine(c)
	if err := e.bindEvents(c.Events); err != nil {
		return nil, err
	}
	if len(c.Processes) > 0 {
		e.world = newWorld(e, c)
	}
	e.meter = meter.From(ctx)
	defer e.watch(ctx)()
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *PanicError: // of a shard on another goroutine
			result, err = nil, p
		default:
			result, err = nil, e.shards[0].caught(p)
		}
		if p := (*PanicError)(nil); errors.As(err, &p) {
			if x, ok := p.Value.(exceeded); ok {
				err = x.err
			}
		}
	}()
	if err := e.disagreement(c.Program, e.run(ctx, c.Processes)); err != nil {
		return nil, err
	}
	res := e.result()
	e.note(res.Makespan)
	return res, nil
}

// Memory returns about how much memory a simulation of that many ranks needs,
// apart from its program, with one message in flight and one open request for
// each rank; detail is Config.Ranks.
func Memory(ranks int, detail bool) units.Bytes {
	perRank := unsafe.Sizeof(rank{}) + unsafe.Sizeof(coldState{}) + // state
		unsafe.Sizeof(message{}) + unsafe.Sizeof(parcel{}) + // in the inbox, and on its way to another shard
		unsafe.Sizeof(pending{}) + 2*16 + 4*4 // requests, calendar entries, links and free lists
	if detail {
		perRank += unsafe.Sizeof(parts{}) + unsafe.Sizeof(RankResult{})
	}
	return units.Bytes(ranks) * units.Bytes(perRank)
}

// newEngine returns the engine at time 0.
func newEngine(c Config) *engine {
	n, shards := int32(c.Program.Ranks()), shardCount(c)
	e := &engine{ranks: n / int32(1+c.streams()), all: n, width: (n + int32(shards) - 1) / int32(shards), workers: workerCount(c),
		observer: c.Observer, stallChecks: cmp.Or(c.stallChecks, stallChecks(n))}
	if c.Budget != nil {
		e.ledger = &ledger{ask: c.Budget}
	}
	for first := int32(0); first < n; first += e.width {
		e.shards = append(e.shards, newShard(e, c, len(e.shards), first, min(e.width, n-first), shards))
	}
	if d, ok := e.observer.(divisible); ok {
		for i, o := range d.Divide(n, e.width) {
			e.shards[i].observer = o
		}
	} else if e.observer != nil && len(e.shards) > 1 {
		for _, s := range e.shards {
			s.observer = new(told)
		}
	}
	if c.streams() == 0 {
		for _, s := range e.shards {
			if s.byCore {
				s.core, _ = s.observer.(coreObserver)
			}
		}
	}
	return e
}

// shardOf returns the number of the shard that a rank belongs to.
func (e *engine) shardOf(id int32) int { return int(id / e.width) }

func (e *engine) rank(id int32) *rank { return e.shards[e.shardOf(id)].rank(id) }

// never is the due time of a rank that waits for another rank.
var never = units.Seconds(math.Inf(1))

// run drives the engine, and the processes that share its clock, to the end of the
// program.
func (e *engine) run(ctx context.Context, processes []Process) error {
	switch {
	case e.cancelled.Load():
		return ctx.Err()
	case len(e.shards) > 1:
		return e.runWindows(ctx)
	case e.world != nil:
		if err := e.runProcesses(processes); err != nil {
			return err
		}
	default:
		e.drive()
	}
	return e.verdict(ctx)
}

// drive lets ranks act until nothing is left to do before the horizon, or the run is
// cancelled.
func (e *engine) drive() {
	s := e.shards[0]
	for s.step() && !e.cancelled.Load() {
		if e.turns++; e.turns%noteEvery == 0 {
			e.note(s.now)
		}
	}
}

// note tells the meter of the events up to a time.
func (e *engine) note(at units.Seconds) {
	if e.meter == nil {
		return
	}
	events := int64(0)
	for _, s := range e.shards {
		events += s.events()
	}
	e.meter.Note(events-e.noted, at)
	e.noted = events
}

// verdict returns why the program did not end well, or nil.
func (e *engine) verdict(ctx context.Context) error {
	var first *ProgramError
	unfinished := 0
	for _, s := range e.shards {
		if s.err != nil && (first == nil || s.err.before(first)) {
			first = s.err
		}
		unfinished += s.unfinished
	}
	switch {
	case first != nil:
		return first
	case unfinished > 0 && e.cancelled.Load():
		return ctx.Err()
	case unfinished > 0:
		return e.deadlock()
	}
	return nil
}

// Next implements kernel.Model, for an engine of one shard: nothing happens
// before the time returned.
func (e *engine) Next() (units.Seconds, bool) {
	s := e.shards[0]
	at, ok := s.turns.next()
	if free, any := e.releases.next(); any && (!ok || free < at) {
		at, ok = free, true
	}
	if s.fabric != nil {
		if end, any := s.fabric.Next(); any && (!ok || end < at) {
			at, ok = end, true
		}
	}
	return at, ok && (s.err == nil || at <= s.err.Time)
}

// Advance implements kernel.Model. Processes on the same clock may act at any
// time after to, so no rank is advanced beyond it.
func (e *engine) Advance(to units.Seconds) {
	s := e.shards[0]
	s.setHorizon(never)
	s.stopAfter(to)
	if s.err != nil {
		s.stopAfter(s.err.Time)
	}
	e.drive()
	if e.world != nil && (s.unfinished == 0 || s.err != nil || e.cancelled.Load()) {
		e.world.kernel.Stop()
	}
}

var _ kernel.Model = (*engine)(nil)

// stopAfter lets nothing happen after t.
func (s *shard) stopAfter(t units.Seconds) {
	s.setHorizon(min(s.horizon, units.Seconds(math.Nextafter(float64(t), math.Inf(1)))))
}

// result adds up in the order of the ranks, so that sums do not depend on the shards.
func (e *engine) result() *Result {
	res := &Result{Collectives: e.meets.complete}
	unreceived := 0
	for _, s := range e.shards {
		res.Messages += s.sent
		res.Operations += s.operations
		res.Events += s.events()
		for i := range s.ranks {
			r := &s.ranks[i]
			if s.ahead != nil {
				s.bookHeld(s.first + int32(i))
			}
			res.Work += s.coldStates[i].work
			res.Bytes += s.coldStates[i].bytes
			unreceived += s.unreceived(r)
			if e.isStream(s.first + int32(i)) {
				continue // its owner has waited for it
			}
			res.Makespan = max(res.Makespan, r.clock)
			if s.parts != nil {
				x := RankResult{Finish: r.clock, Failed: r.state == lost, Breakdown: s.parts[i].breakdown()}
				if s.cores != nil {
					x.Beside = s.cores[i].beside
				}
				res.Ranks = append(res.Ranks, x)
			}
		}
	}
	if e.world != nil {
		res.Bytes += e.world.bytes
		res.Warnings = append(res.Warnings, e.world.failures()...)
	}
	if unreceived > 0 {
		res.Warnings = append(res.Warnings, fmt.Sprintf("%d of %d messages were sent but never received",
			unreceived, res.Messages))
	}
	return res
}

// ProgramError reports an operation that a program must not ask for.
type ProgramError struct {
	Rank int
	Time units.Seconds // when the error was found: the clock of the rank, or when another rank received its message
	Op   workloads.Op
	Msg  string
	// Place is where the operation is written, as "ring.ti:12", if the program is a [Placer];
	// otherwise the place of the call that the rank is in, if it is a [Caller].
	Place string
}

func (p *ProgramError) Error() string {
	place := ""
	if p.Place != "" {
		place = " (" + p.Place + ")"
	}
	return fmt.Sprintf("rank %d at %v%s: %v: %s", p.Rank, p.Time, place, p.Op.Kind, p.Msg)
}

// before orders errors by time, and at equal times by rank.
func (p *ProgramError) before(q *ProgramError) bool {
	return p.Time < q.Time || p.Time == q.Time && p.Rank < q.Rank
}
