package sim

import (
	"fmt"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/internal/matching"
	"github.com/isoscale/isoscale/workloads"
)

// shard is a range of ranks with everything that they need, so that shards can be
// advanced on different cores at once. Messages to other shards go through mailboxes.
// How ranks set each other free is noted in joining and released, which the engine
// deals with between windows (see windows.go).
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

	observer Observer     // nil: events are not reported
	core     coreObserver // the observer, if it is one, where cores handle messages
	about    about        // what the observer is told about present spans
	listener Listener     // the program, if it wants to know what its ranks receive
	chooser  chooser      // the program, if it waits for some requests only

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

	launches pool[workloads.Op] // postponed operations; few

	outgoing []mailbox   // by shard: messages to its ranks, sent in this window ...
	incoming []mailbox   // ... and in the last one, for that shard to collect
	emptied  [][]parcel  // blocks for later use
	joining  []joiner    // ranks that have entered a measured collective
	released []release   // synchronous sends that a receiver here has matched
	later    []int32     // ranks that go on in the next window
	spare    []int32     // memory for later in the next window
	panicked *PanicError // what ended the window, if it was a panic
	stall    stall

	// With streams, by their numbers; see stream.go.
	pieces [][]int32  // their owners' requests for their pieces of work, the present one first
	held   [][]uint32 // for an observer: the orders of these, without the first
	cores  []core     // by rank

	// With processes; see ahead.go.
	ahead     [][]aheadSpan // by rank: spans that are held back
	holding   int           // ranks that have some
	bookLimit units.Seconds // holdBack looks at spans that end at or after this
	bookFrom  units.Seconds // nobody needs spans that end before this
	late      bool          // a core does not deal with a message before its time

	horizon units.Seconds // nothing at or after it may happen until the driver raises it
	now     units.Seconds // the calendar entry being handled: T
	bound   units.Seconds // nothing at or after it may happen yet, except at T
	current int32         // the rank being advanced, or none
	op      workloads.Op  // the operation being executed; a field, so that it is not allocated at each call

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

// events returns the number of operations and arrivals so far.
func (s *shard) events() int64 { return s.operations + s.arrivals }

// has reports whether the rank belongs to the shard.
func (s *shard) has(id int32) bool { return uint32(id-s.first) < uint32(len(s.ranks)) }

// mayHappen reports whether what happens at t may be carried out now.
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

// step takes the next turn before the horizon and lets its rank act, or releases a
// rank, or advances the fabric, whichever comes first. It reports whether there was
// anything to do.
//
// At each instant the fabric has the first turn, and another one when all ranks have
// acted, so that it divides capacities once for all they start, not once for each.
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

// post sends a message that leaves at the given time and arrives after the latency.
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
	// Any message wakes a rank that expects one, or a core that can deal with it while
	// it waits; other ranks are woken only by a message that they have to answer.
	wake := to.expectsMessage() || handshake && to.state != finished ||
		s.byCore && (to.is(flagLaunching) || to.state == blockedMeeting)
	if at := max(m.arrival, to.recvFree); wake && at < to.due && dst != s.current {
		s.schedule(dst, at)
	}
}

// leave reserves the interface of the rank for a message that is ready at t, and
// returns when its last byte has left.
func (s *shard) leave(id int32, r *rank, t, transmission units.Seconds) units.Seconds {
	r.sendFree = max(t, r.sendFree) + transmission
	if s.pieces != nil {
		s.shareInterface(id, r)
	}
	return r.sendFree
}

// fail stops the rank because of an error in s.op. Others go on up to its time, so that
// the error reported is the earliest, and at equal times that of the lowest rank,
// however far ranks have run ahead.
func (s *shard) fail(id int32, format string, args ...any) {
	s.failAt(id, s.rank(id).clock, s.op, fmt.Sprintf(format, args...))
}

// failAt is fail at a time other than the rank's clock, for an operation other than
// s.op.
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
