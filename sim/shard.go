package sim

import (
	"fmt"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/internal/matching"
	"github.com/isoscale/isoscale/workloads"
)

// shard is a range of ranks with everything that they need, so that shards can
// be advanced on different cores at once. Messages to other shards go through
// mailboxes; ranks that set each other free are noted in joining and released,
// which the engine deals with between windows (see windows.go).
type shard struct {
	engine  *engine
	program workloads.Program
	network Network // nil on a fabric
	byCore  bool    // messages are handled by the core, see network.Handling
	latency units.Seconds
	// lookahead is how far ranks may run apart: latency, or 0.
	lookahead units.Seconds
	rates     []units.FlopsPerSecond // of all ranks
	memory    []units.BytesPerSecond // of all ranks; nil: no limit

	fabric    Fabric // nil on a network; see fabric.go for the rest
	protocol  network.Protocol
	ended     []int32 // scratch: what the fabric has brought to an end
	receivers []int32 // by message record: the rank that it goes to
	misses    int     // tests in a row that found their request open

	observer Observer // nil: events are not reported
	about    about    // what it is told of the spans of the present
	listener Listener // the program, if it wants to know what its ranks receive
	chooser  chooser  // the program, if it waits for some requests only

	number     int
	first      int32 // rank of ranks[0]
	ranks      []rank
	coldStates []coldState
	parts      []parts // nil: not recorded

	turns turns
	msgs  messages
	reqs  pool[pending]
	// For ranks with many receives, messages or requests; see queue.go, request.go.
	longQueues matching.Queues
	names      map[openName][]int32 // latest last

	launches pool[workloads.Op] // sends whose time to leave had not come when their rank had to stop: few

	outgoing []mailbox   // by shard: messages to its ranks, of this window ...
	incoming []mailbox   // ... and of the last, which they take from there
	emptied  [][]parcel  // blocks for later use
	joining  []joiner    // ranks that have entered a measured collective
	released []release   // synchronous sends that a receiver here has matched
	later    []int32     // ranks that go on in the next window
	spare    []int32     // the memory of later, for the window after that
	panicked *PanicError // what ended the window, if it was a panic
	stall    stall

	// With streams, by their numbers; see stream.go.
	pieces [][]int32  // requests of their owners for what they have to do, that at work first
	held   [][]uint32 // for an observer: the orders of those but the first
	cores  []core     // by rank

	// With processes; see ahead.go.
	ahead     [][]aheadSpan // by rank: spans that are held back
	holding   int           // ranks that have some
	bookLimit units.Seconds // spans that end from here on are looked at by holdBack
	bookFrom  units.Seconds // those before here are of no interest
	late      bool          // a core deals with a message no sooner than its time has come

	horizon units.Seconds // nothing at or after it may happen before the driver says so
	now     units.Seconds // the calendar entry being handled: T
	bound   units.Seconds // nothing at or after it may happen yet, but for T itself
	current int32         // the rank being advanced, or none
	op      workloads.Op  // the operation being executed; here, so that it does not escape at each call

	unfinished int // ranks
	sent       int64
	operations int64
	arrivals   int64
	err        *ProgramError // the earliest so far
}

func newShard(e *engine, c Config, number int, first, n int32, shards int) *shard {
	s := &shard{
		engine:     e,
		number:     number,
		program:    c.Program,
		network:    c.Network,
		byCore:     c.Network != nil && c.Network.Handling() == network.ByCore,
		latency:    c.minLatency(),
		lookahead:  c.lookahead(),
		fabric:     c.Fabric,
		protocol:   c.protocol(),
		rates:      c.rates(),
		memory:     c.Memory,
		first:      first,
		ranks:      make([]rank, n),
		coldStates: make([]coldState, n),
		msgs:       messages{newPool[message](2 * n)},
		reqs:       newPool[pending](n),
		longQueues: matching.Queues{Reserved: workloads.CollectiveTag},
		outgoing:   newMailboxes(shards),
		incoming:   newMailboxes(shards),
		horizon:    never,
		unfinished: int(n),
	}
	s.msgs.keptIn(e.ledger, storedMessages, &s.now)
	s.reqs.keptIn(e.ledger, storedRequests, &s.now)
	s.launches.keptIn(e.ledger, storedLaunches, &s.now)
	s.turns.byRank = s.lookahead == 0
	s.observer = c.Observer
	s.listener, _ = wrapped.Outermost[Listener](c.Program)
	s.chooser, _ = wrapped.Outermost[chooser](c.Program)
	if c.Ranks {
		s.parts = make([]parts, n)
	}
	if e.all > e.ranks {
		s.pieces, s.held, s.cores = make([][]int32, n), make([][]uint32, n), make([]core, e.ranks)
	}
	s.setBookLimit()
	for i := range s.ranks {
		s.ranks[i] = rank{inbox: none, unexpected: none, posted: none, open: none}
		s.coldStates[i].inMeeting = none
		if e.isStream(first + int32(i)) {
			s.ranks[i].state, s.ranks[i].due = resting, never
			s.unfinished--
			continue
		}
		s.schedule(first+int32(i), 0)
	}
	return s
}

func (s *shard) rank(id int32) *rank           { return &s.ranks[id-s.first] }
func (s *shard) coldState(id int32) *coldState { return &s.coldStates[id-s.first] }

// events returns how many things have happened.
func (s *shard) events() int64 { return s.operations + s.arrivals }

// has reports whether the rank belongs to the shard.
func (s *shard) has(id int32) bool { return uint32(id-s.first) < uint32(len(s.ranks)) }

// mayHappen reports whether things that happen at t may happen now.
func (s *shard) mayHappen(t units.Seconds) bool { return t < s.bound || t <= s.now }

// schedule makes t the time at which the calendar will turn to the rank.
func (s *shard) schedule(id int32, t units.Seconds) {
	s.rank(id).due = t
	if t < s.bound && len(s.engine.shards) > 1 {
		s.later = append(s.later, id)
		return
	}
	s.turns.push(t, id)
}

// step takes the next entry before the horizon off the calendar and lets its
// rank act, or the sender of a matched synchronous message, or advances the
// fabric. It reports whether there was anything to do.
//
// Of one instant, the fabric has the first turn, and then again when all ranks
// have acted: what they start shares out anew once, not once for each.
func (s *shard) step() bool {
	at, ok := s.turns.next()
	if s.fabric != nil && !(ok && at == s.now) {
		if end, any := s.fabric.Next(); any && (!ok || end <= at) {
			if end >= s.horizon {
				return false
			}
			s.advanceFabric(end)
			return true
		}
	}
	if free, any := s.engine.releases.next(); any && (!ok || free < at) {
		if free >= s.horizon {
			return false
		}
		s.now, s.current = free, none
		s.engine.setFree(s.engine.releases.pop())
		return true
	}
	if !ok || at >= s.horizon {
		return false
	}
	at, id := s.turns.pop()
	if at != s.rank(id).due {
		return true // stale: the rank was moved to an earlier time (I3)
	}
	s.now, s.current = at, id
	s.bound = min(at+s.lookahead, s.horizon)
	s.advance(id)
	s.engine.releases.take(s)
	return true
}

// post puts a message on its way that leaves at the given time and takes that
// long to arrive.
func (s *shard) post(src, dst int32, leaves, latency units.Seconds, m *message) {
	from := s.rank(src)
	m.src = src
	m.order = from.sent
	from.sent++
	m.arrival = leaves + latency
	if !s.has(dst) {
		s.mail(s.engine.shardOf(dst), dst, m)
		return
	}
	s.deliver(dst, m)
}

// deliver puts a message into the inbox of one of the shard's ranks.
func (s *shard) deliver(dst int32, m *message) {
	i := s.msgs.get()
	s.msgs.rec[i] = *m
	to := s.rank(dst)
	to.inbox = s.msgs.add(to.inbox, i)
	handshake := m.phase.handshake()
	if handshake {
		to.set(flagHandshake, true)
		s.coldState(dst).handshakes++
	}
	// A rank that expects a message must be woken by any, an idle core by what it
	// can deal with, others only by a message that they have to answer.
	wake := to.expectsMessage() || handshake && to.state != finished ||
		s.byCore && (to.is(flagLaunching) || to.state == blockedMeeting)
	if at := max(m.arrival, to.recvFree); wake && at < to.due && dst != s.current {
		s.schedule(dst, at)
	}
}

// leave books the interface of the rank for a message that is ready at t and
// returns when its last byte has left.
func (s *shard) leave(id int32, r *rank, t, transmission units.Seconds) units.Seconds {
	r.sendFree = max(t, r.sendFree) + transmission
	if s.pieces != nil {
		s.shareInterface(id, r)
	}
	return r.sendFree
}

// fail stops the rank for what s.op asks for. Others go on up to that time: the
// error reported is the earliest, and of several at one time that of the lowest
// rank, however far ranks have run ahead.
func (s *shard) fail(id int32, format string, args ...any) {
	s.failAt(id, s.rank(id).clock, s.op, fmt.Sprintf(format, args...))
}

// failAt is fail at a time that is not that of the rank's clock, for another
// operation than s.op.
func (s *shard) failAt(id int32, at units.Seconds, op workloads.Op, msg string) {
	s.rank(id).state = failed
	err := &ProgramError{Rank: int(id % s.engine.ranks), Time: at, Op: op, Msg: msg}
	if err.Place = s.placed(id, op.Place); err.Place == "" {
		if c, ok := wrapped.Outermost[Caller](s.program); ok {
			_, err.Place = c.Call(int(id))
		}
	}
	if s.err == nil || err.before(s.err) {
		s.err = err
		s.stopAfter(at)
	}
}

// placed returns the place of an operation, "" if it is not known.
func (s *shard) placed(id, number int32) string {
	p, ok := wrapped.Outermost[Placer](s.program)
	if !ok || number == 0 {
		return ""
	}
	return p.Place(int(id), number)
}
