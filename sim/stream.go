package sim

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Streams of ranks: work that runs beside a rank, such as non-blocking collective calls.
//
// A stream is a rank of the engine like any other, on the node of its owner: stream k of
// rank r, k = 1, 2, ..., has the number k P + r among P ranks. It executes pieces of work
// one after another. A Begin of its owner gives it a piece; [workloads.Program].Next
// returns the operations of the piece until it returns false, which ends the piece and
// the request that the Begin named. Between pieces the stream rests. Its messages go to
// the same stream of other ranks, so no receive of a rank takes them.
//
// A stream has its own clock: while its owner computes, it sends and receives, and does the computations
// of collective reductions, as a network card or a progress thread does. Other computations of a rank and
// its streams use one core or device, one after the other, in the order in which they are ready. Their
// messages likewise share the network interface of the owner, and the links of a fabric. A message that
// arrives before its piece has begun waits, as it would for a rank that computes.
//
// The engine follows strict time order, because a rank and its streams influence each
// other without latency. What observers are told about streams: see observed.

// streams returns how many streams each rank has.
func (c Config) streams() int { return wrapped.Streams(c.Program) }

// widened returns a valid configuration of ranks extended to their streams.
func (c Config) widened() (Config, error) {
	ranks, beside := c.Program.Ranks(), c.streams()
	if beside == 0 {
		return c, nil
	}
	if beside < 0 || ranks > math.MaxInt32/(beside+1) {
		return c, configError("Program", "%d streams beside each of %d ranks; expected at most %d ranks and streams", beside, ranks, math.MaxInt32)
	}
	n := int32(ranks)
	c.Program = streamProgram{c.Program, ranks, int32(beside)}
	if c.Network != nil {
		c.Network = streamNetwork{c.Network, n}
		c.Rates, c.Memory = slices.Repeat(c.Rates, beside+1), slices.Repeat(c.Memory, beside+1)
	}
	if len(c.Memory) == 0 {
		c.Memory = nil
	}
	if c.Site.Place != nil {
		c.Site.Place = slices.Repeat(c.Site.Place, beside+1)
	}
	if f := (streamFabric{c.Fabric, n, beside + 1}); c.Fabric != nil {
		c.Fabric = f
		if a, ok := f.Fabric.(Adjustable); ok {
			c.Fabric = adjustableStreams{f, a}
		}
	}
	c.Observer = observed(c.Observer, n, int32(beside))
	return c, nil
}

// streamProgram translates the peers in operations of streams into numbers among all ranks and streams.
type streamProgram struct {
	workloads.Program
	ranks  int
	beside int32
}

func (p streamProgram) Unwrap() workloads.Program { return p.Program }

func (p streamProgram) Ranks() int { return p.ranks * int(p.beside+1) }

func (p streamProgram) Next(number int, op *workloads.Op) bool {
	ok := p.Program.Next(number, op)
	stream := number / p.ranks
	first := int32(stream * p.ranks)
	switch op.Kind {
	case workloads.Sendrecv:
		op.Peer += first
		if op.From >= 0 {
			op.From += first
		}
	case workloads.Measured:
		op.Peer += first
		if op.Group == 0 {
			op.Group, op.Members = int32(stream), int32(p.ranks)
		} else {
			op.Group = op.Group*(p.beside+1) + int32(stream) // numbers below are for the groups of all
		}
		if op.Group == 0 {
			op.Members = 0
		}
	default:
		if op.Peer >= 0 && op.Kind != workloads.Begin {
			op.Peer += first
		}
	}
	return ok
}

// streamNetwork prices messages of streams as those of their ranks.
type streamNetwork struct {
	Network
	ranks int32
}

func (n streamNetwork) Message(from, to int32, size units.Bytes) network.Cost {
	return n.Network.Message(from%n.ranks, to%n.ranks, size)
}

// streamFabric carries messages of streams as those of their ranks.
type streamFabric struct {
	Fabric
	ranks int32
	times int
}

func (f streamFabric) Transfer(now units.Seconds, from, to int32, size units.Bytes, name int32) error {
	return f.Fabric.Transfer(now, from%f.ranks, to%f.ranks, size, name)
}

func (f streamFabric) Compute(now units.Seconds, rank int32, work units.Flops, traffic units.Bytes, name int32) (units.Seconds, bool) {
	return f.Fabric.Compute(now, rank%f.ranks, work, traffic, name)
}

func (f streamFabric) Speeds() []units.FlopsPerSecond {
	return slices.Repeat(f.Fabric.Speeds(), f.times)
}

// adjustableStreams is a streamFabric that processes can change.
type adjustableStreams struct {
	streamFabric
	changes Adjustable
}

var _ Adjustable = adjustableStreams{}

func (f adjustableStreams) Place() []int32 { return slices.Repeat(f.changes.Place(), f.times) }
func (f adjustableStreams) SetSpeed(now units.Seconds, node int32, speed units.FlopsPerSecond) {
	f.changes.SetSpeed(now, node, speed)
}
func (f adjustableStreams) Links() int { return f.changes.Links() }
func (f adjustableStreams) Bandwidth(link int32) units.BytesPerSecond {
	return f.changes.Bandwidth(link)
}
func (f adjustableStreams) SetBandwidth(now units.Seconds, link int32, bandwidth units.BytesPerSecond) {
	f.changes.SetBandwidth(now, link, bandwidth)
}

// isStream reports whether a number is that of a stream.
func (e *engine) isStream(id int32) bool { return id >= e.ranks }

// begin gives a stream of the rank another piece of work.
func (s *shard) begin(id int32, r *rank) {
	stream := s.op.Peer
	if e := s.engine; e.isStream(id) || stream < 1 || stream >= e.all/e.ranks {
		s.fail(id, "stream %d; expected one of a rank, from 1 to %d", stream, e.all/e.ranks-1)
		return
	}
	to := stream*s.engine.ranks + id
	q, p := s.openRequest(id, r, s.op.Request)
	p.peer, p.flags = to, requestStream
	s.pieces[to] = append(s.pieces[to], q)
	order := r.sent
	r.sent++
	s.tellSent(id, order, to, streamTag, 0, r.clock)
	if x := s.rank(to); x.state == resting {
		s.goOnWithPiece(to, x, id, order, r.clock)
	} else {
		s.held[to] = append(s.held[to], order)
	}
}

// streamTag is the tag of the pretended messages between a rank and its stream, without
// cost, by which observers learn that a piece begins or ends.
const streamTag = workloads.CollectiveTag

// goOnWithPiece lets a resting stream begin the piece that its owner gave it.
func (s *shard) goOnWithPiece(id int32, x *rank, owner int32, order uint32, at units.Seconds) {
	x.state = running
	s.tellReceived(id, &message{src: owner, order: order, arrival: at}, at)
	s.idle(id, x, at, PartWaitMessage)
	s.wake(id, x)
}

// endPiece ends the piece of a stream, and with it a request of its owner.
func (s *shard) endPiece(id int32, x *rank) {
	x.set(flagEnding, false)
	owner := id % s.engine.ranks
	r, q := s.rank(owner), s.pieces[id][0]
	s.pieces[id] = slices.Delete(s.pieces[id], 0, 1)
	order := x.sent
	x.sent++
	s.tellSent(id, order, owner, streamTag, 0, x.clock)
	s.tellReceived(owner, &message{src: id, order: order, arrival: x.clock}, x.clock)
	blocked := r.state
	s.complete(owner, r, q, x.clock)
	if blocked != running && r.state == running {
		s.wake(owner, r)
	}
	if len(s.held[id]) == 0 {
		x.state = resting
		return
	}
	next := s.held[id][0]
	s.held[id] = slices.Delete(s.held[id], 0, 1)
	s.tellReceived(id, &message{src: owner, order: next, arrival: x.clock}, x.clock)
}

// shareInterface copies the state of the network interface to the others among a rank and
// its streams.
//
//go:noinline
func (s *shard) shareInterface(id int32, r *rank) {
	for n := id % s.engine.ranks; n < s.engine.all; n += s.engine.ranks {
		x := s.rank(n)
		x.sendFree, x.recvFree = r.sendFree, r.recvFree
	}
}

// core is the core, or device, of a rank and its streams.
type core struct {
	free    units.Seconds // when the computations of known length end
	busy    int32         // 1 + the number of the rank or stream that computes on a fabric, or 0
	since   units.Seconds // when that computation began
	waiting []int32       // ranks and streams that wait for its end
	beside  units.Seconds // for which it has computed for streams
}

// awaitCore lets a rank or stream wait until it can compute. It returns true if that is
// later: when another one frees the core, or the clock gets there.
func (s *shard) awaitCore(id int32, r *rank) bool {
	c := &s.cores[id%s.engine.ranks]
	switch {
	case s.op.Collective != 0: // not done by the core
		return false
	case c.busy != 0:
		s.postpone(id, r)
		r.state = blockedCore
		c.waiting = append(c.waiting, id)
		return true
	case c.free <= r.clock:
		return false
	case s.fabric == nil:
		s.idle(id, r, c.free, PartWaitEvent)
		return false
	}
	s.postpone(id, r)
	s.idle(id, r, c.free, PartWaitEvent)
	return true
}

// keepCore notes that the core computes from since on.
func (s *shard) keepCore(id int32, r *rank, since units.Seconds) {
	if s.op.Collective != 0 {
		return
	}
	c := &s.cores[id%s.engine.ranks]
	if c.free = max(c.free, r.clock); r.state == blockedCompute {
		c.busy, c.since = id+1, since
	} else {
		c.did(s.engine.isStream(id), r.clock-since)
	}
}

// did counts the time that the core has computed for streams.
func (c *core) did(forStream bool, time units.Seconds) {
	if forStream {
		c.beside += time
	}
}

// freeCore lets the next rank or stream compute when a computation on a fabric has ended.
func (s *shard) freeCore(id int32, at units.Seconds) {
	c := &s.cores[id%s.engine.ranks]
	if c.busy != id+1 {
		return
	}
	c.did(s.engine.isStream(id), at-c.since)
	if c.busy = 0; len(c.waiting) == 0 {
		return
	}
	next := c.waiting[0]
	c.waiting = slices.Delete(c.waiting, 0, 1)
	r := s.rank(next)
	r.state = running
	s.idle(next, r, at, PartWaitEvent)
	s.wake(next, r)
}

// observed returns the observer that the engine of a run with streams uses in place of o.
// A streamObserver is told about streams as if they were ranks, by their numbers. Others
// are told the messages of streams as those of their ranks, and nothing else about
// streams.
func observed(o Observer, ranks, beside int32) Observer {
	if o == nil {
		return nil
	}
	if several, ok := o.(interface {
		Map(of func(Observer) Observer) Observer
	}); ok {
		return several.Map(func(x Observer) Observer { return observed(x, ranks, beside) })
	}
	if x, ok := o.(streamObserver); ok {
		x.Beside(ranks, beside)
		return o
	}
	return folded{o, ranks, beside}
}

// streamObserver may be implemented by an observer that wants to know of streams.
type streamObserver interface {
	Observer
	// Beside is called before a run whose ranks have streams.
	Beside(ranks, streams int32)
}

// folded adapts an observer that knows only ranks.
type folded struct {
	Observer
	ranks, beside int32
}

// order numbers the messages of a rank and those of its streams.
func (f folded) order(from int32, order uint32) uint32 {
	return order*uint32(f.beside+1) + uint32(from/f.ranks)
}

func (f folded) Span(x Span) {
	if x.Rank >= f.ranks {
		return
	}
	if x.Handles {
		x.Order = f.order(x.Sender, x.Order)
	}
	f.Observer.Span(x)
}

func (f folded) Sent(x Sent) {
	if x.Rank%f.ranks == x.To%f.ranks && x.Rank != x.To {
		return // the beginning or end of a piece
	}
	x.Order = f.order(x.Rank, x.Order)
	x.Rank, x.To = x.Rank%f.ranks, x.To%f.ranks
	f.Observer.Sent(x)
}

func (f folded) Received(x Received) {
	if x.From >= 0 {
		if x.Rank%f.ranks == x.From%f.ranks && x.Rank != x.From {
			return
		}
		x.Order = f.order(x.From, x.Order)
		x.From %= f.ranks
	}
	x.Rank %= f.ranks
	f.Observer.Received(x)
}
