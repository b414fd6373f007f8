package goalsim

import (
	"context"
	"math"
	"math/bits"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/internal/matching"
	"github.com/isoscale/isoscale/sim/meter"
	"github.com/isoscale/isoscale/workloads/goal"
)

// maxTime bounds simulated times: 146 years. A cost is at most 2^63 ns, so the
// sum of a time and a cost fits into 64 bits and can be checked afterwards.
const maxTime = 1 << 62

// opState is the state of an operation that changes during a run: 16 bytes.
//
// An operation is in at most one list or heap at a time: a computation or send
// waits for its core, later the message of the send waits for the core of the
// receiver, or is unexpected; a receive is posted.
type opState struct {
	left  uint32 // dependencies not yet satisfied, or a value from below
	next  int32  // link of queue and of waiting
	child int32  // of waiting
	seq   uint32 // of waiting
}

// Values of opState.left after the last dependency. No operation has that many dependencies.
const (
	released = math.MaxUint32 - iota
	started
	done
)

// run is the state of one execution. All of it is flat: per-host data are in
// rows of equal length.
type run struct {
	schedule *goal.Schedule
	ops      []goal.Op // its operations
	state    []opState // same index
	agenda   agenda
	seq      uint32 // number of the next event

	// The rules in their own letters: they read like the text that way.
	L, o, g, G, O, S uint64

	cpus, nics int
	cpu        []uint64 // [host*cpus+c]: when the core is free
	gs, gr     []uint64 // [host*nics+n]: when the interface may send, receive
	calcs      []group  // [host*cpus+c]
	sends      []group  // [(host*cpus+c)*nics+n]
	arrivals   []group  // same index
	posted     []queue  // [host]
	unexpected []queue  // [host]
	long       matching.Queues

	ready    []int32 // released by the current event, in the order of release
	finished int     // operations
	messages int64
	overflow *OverflowError

	told *told // nil without an observer
}

// Run executes a schedule. The error is a *DeadlockError if some operations can never
// start or end, an *OverflowError if a time becomes too large, or that of ctx.
func Run(ctx context.Context, s *goal.Schedule, p Parameters) (*Result, error) {
	return execute(ctx, s, p, func(*run) {})
}

// execute is Run, after prepare has changed the state of the execution.
func execute(ctx context.Context, s *goal.Schedule, p Parameters, prepare func(*run)) (*Result, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	x := newRun(s, p)
	prepare(x)
	if err := x.begin(ctx); err != nil {
		return nil, err
	}
	if err := x.loop(ctx); err != nil {
		return nil, err
	}
	if x.finished < len(x.state) {
		return nil, x.deadlock()
	}
	return x.result(), nil
}

func newRun(s *goal.Schedule, p Parameters) *run {
	hosts, cpus, nics := s.Ranks(), s.CPUs(), s.NICs()
	x := &run{
		schedule: s, ops: s.Ops(), state: make([]opState, len(s.Ops())),
		L: uint64(p.Latency), o: uint64(p.Overhead), g: uint64(p.Gap),
		G: uint64(p.GapPerByte), O: uint64(p.OverheadPerByte), S: uint64(p.EagerLimit),
		cpus: cpus, nics: nics,
		cpu:        make([]uint64, hosts*cpus),
		gs:         make([]uint64, hosts*nics),
		gr:         make([]uint64, hosts*nics),
		calcs:      make([]group, hosts*cpus),
		sends:      make([]group, hosts*cpus*nics),
		arrivals:   make([]group, hosts*cpus*nics),
		posted:     make([]queue, hosts),
		unexpected: make([]queue, hosts),
	}
	for _, groups := range [][]group{x.calcs, x.sends, x.arrivals} {
		for i := range groups {
			groups[i] = group{guard: none, parked: none}
		}
	}
	for i := range hosts {
		x.posted[i] = queue{head: none, tail: none}
		x.unexpected[i] = queue{head: none, tail: none}
	}
	for i := range x.state {
		for _, e := range s.Dependents(int32(i)) {
			x.state[e.Op()].left++
		}
	}
	return x
}

// checkEvery is the number of events between two looks at the context.
const checkEvery = 1 << 16

// begin starts the operations without dependencies: rank by rank, and in a rank sends,
// then receives, then computations, each in file order. They are the events of time
// zero with the first numbers, so they need not enter the agenda.
func (x *run) begin(ctx context.Context) error {
	for i := range x.state {
		if x.state[i].left == 0 {
			x.seq++
		}
	}
	seq := uint32(0)
	for rank := range x.schedule.Ranks() {
		first, end := x.schedule.Rank(rank)
		for kind := goal.Send; kind <= goal.Calc; kind++ {
			for i := first; i < end; i++ {
				// Not 0: has dependencies, or another operation of this loop has released it.
				if x.state[i].left != 0 || x.ops[i].Kind != kind {
					continue
				}
				if seq%checkEvery == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				x.state[i].left = released
				if !x.handle(event{time: 0, seq: seq, what: uint32(i)}) {
					return x.overflow
				}
				seq++
			}
		}
	}
	return nil
}

func (x *run) loop(ctx context.Context) error {
	progress := meter.From(ctx)
	now := uint64(0)
	for n := 0; ; n++ {
		if n%checkEvery == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			progress.Note(checkEvery, units.Seconds(now)*1e-9)
		}
		e, ok := x.agenda.pop()
		if !ok {
			return nil
		}
		now = e.time
		if !x.handle(e) {
			return x.overflow
		}
	}
}

// handle carries out an event, then releases the operations that became ready. It
// returns false if a time has become too large.
func (x *run) handle(e event) bool {
	i := int32(e.what &^ arrivalBit)
	op := &x.ops[i]
	switch {
	case e.what&arrivalBit != 0:
		x.arrive(e, i, op)
	case op.Kind == goal.Send:
		x.send(e, i, op)
	case op.Kind == goal.Recv:
		x.receive(e, i, op)
	default:
		x.calc(e, i, op)
	}
	if len(x.ready) > 0 {
		x.release()
	}
	return x.overflow == nil
}

// calc: the core is busy for the size of the computation.
func (x *run) calc(e event, i int32, op *goal.Op) {
	c := int(op.Rank)*x.cpus + int(op.CPU)
	if x.cpu[c] > e.time {
		x.wait(&x.calcs[c], e, x.cpu[c])
		return
	}
	x.cpu[c] = x.plus(e.time, op.Size, op, i)
	if x.told != nil {
		x.told.calc(c, e.time)
	}
	x.wentOn(&x.calcs[c], e.what, x.cpu[c])
	x.start(i)
	x.end(i)
}

// send: the core is busy for o + (s-1)O, the interface for g + (s-1)G. The
// first byte arrives after o + L, whatever O is.
func (x *run) send(e event, i int32, op *goal.Op) {
	c, n := int(op.Rank)*x.cpus+int(op.CPU), int(op.Rank)*x.nics+int(op.NIC)
	gr := &x.sends[c*x.nics+int(op.NIC)]
	if free := max(x.cpu[c], x.gs[n]); free > e.time {
		x.wait(gr, e, free)
		return
	}
	x.start(i)
	before := x.gs[n]
	x.cpu[c] = x.plus(e.time+x.o, bytesCost(op.Size, x.O), op, i)
	if x.told != nil {
		x.told.send(i, c, before, e.time)
	}
	x.gs[n] = x.plus(e.time+x.g, bytesCost(op.Size, x.G), op, i)
	x.agenda.push(event{time: x.plus(e.time, x.o+x.L, op, i), seq: x.number(), what: uint32(i) | arrivalBit})
	x.messages++
	x.wentOn(gr, e.what, max(x.cpu[c], x.gs[n]))
	if op.Size <= x.S {
		x.end(i)
	}
}

// receive: it is posted at once and costs nothing. It is done if its message is there
// already.
func (x *run) receive(e event, i int32, op *goal.Op) {
	x.start(i)
	m := x.takeMessage(&x.unexpected[op.Rank], i)
	if m == none {
		x.enqueue(&x.posted[op.Rank], i, e.time)
		return
	}
	// LogGOPSim looks only at the size of the receive here. Looking at that of the
	// message too makes sure that every send ends.
	synchronous := op.Size > x.S || x.ops[m].Size > x.S
	if x.told != nil {
		x.told.match(m, e.time, synchronous)
	}
	if synchronous {
		x.endSend(m, op, e.time)
	}
	x.end(i)
}

// arrive: the core of the receiver is busy for o and the bytes, its interface
// for g and the bytes, whether or not a receive is posted. Core and interface
// are those that the send names.
func (x *run) arrive(e event, i int32, op *goal.Op) {
	c, n := int(op.Peer)*x.cpus+int(op.CPU), int(op.Peer)*x.nics+int(op.NIC)
	gr := &x.arrivals[c*x.nics+int(op.NIC)]
	if free := max(x.cpu[c], x.gr[n]); free > e.time {
		x.wait(gr, e, free)
		return
	}
	x.cpu[c] = x.plus(e.time+x.o, bytesCost(op.Size, max(x.O, x.G)), op, i)
	x.gr[n] = x.plus(e.time+x.g, bytesCost(op.Size, x.G), op, i)
	x.wentOn(gr, e.what, max(x.cpu[c], x.gr[n]))
	r := x.takeReceive(&x.posted[op.Peer], i)
	if x.told != nil {
		x.told.arrive(i, c, r != none, e.time)
	}
	if r == none {
		x.enqueue(&x.unexpected[op.Peer], i, e.time)
		return
	}
	if op.Size > x.S {
		x.endSend(i, op, e.time)
	}
	x.end(r)
}

// endSend ends a rendezvous send at its match. The sender's core and interface, which
// the operation at names, are not free before.
func (x *run) endSend(i int32, at *goal.Op, now uint64) {
	host := int(x.ops[i].Rank)
	core := host*x.cpus + int(at.CPU)
	cpu, gs := &x.cpu[core], &x.gs[host*x.nics+int(at.NIC)]
	if x.told != nil && *cpu < now {
		x.told.matched(core, now)
	}
	*cpu, *gs = max(*cpu, now), max(*gs, now)
	if x.state[i].left != done { // an eager message that meets a large receive
		x.end(i)
	}
}

// start satisfies the dependencies on the start of an operation.
func (x *run) start(i int32) {
	x.state[i].left = started
	for _, e := range x.schedule.Dependents(i) {
		if e.OnStart() {
			x.satisfy(e.Op())
		}
	}
}

// end satisfies the dependencies on the end of an operation.
func (x *run) end(i int32) {
	x.state[i].left = done
	x.finished++
	for _, e := range x.schedule.Dependents(i) {
		if !e.OnStart() {
			x.satisfy(e.Op())
		}
	}
}

func (x *run) satisfy(i int32) {
	s := &x.state[i]
	if s.left--; s.left == 0 {
		s.left = released
		x.ready = append(x.ready, i)
	}
}

// release makes events of the operations that became ready: host by host, at each host
// sends, then receives, then computations, each in the order in which they became
// ready. One event touches at most two hosts.
func (x *run) release() {
	low, high := int32(math.MaxInt32), int32(0)
	for _, i := range x.ready {
		low, high = min(low, x.ops[i].Rank), max(high, x.ops[i].Rank)
	}
	if len(x.ready) == 1 {
		x.enter(x.ready[0])
	} else {
		x.releaseHost(low)
		if high != low {
			x.releaseHost(high)
		}
	}
	x.ready = x.ready[:0]
}

func (x *run) releaseHost(host int32) {
	for kind := goal.Send; kind <= goal.Calc; kind++ {
		for _, i := range x.ready {
			if op := &x.ops[i]; op.Rank == host && op.Kind == kind {
				x.enter(i)
			}
		}
	}
}

// enter makes the event that starts an operation.
func (x *run) enter(i int32) {
	op := &x.ops[i]
	t := x.cpu[int(op.Rank)*x.cpus+int(op.CPU)]
	if op.Kind == goal.Send {
		t = max(t, x.gs[int(op.Rank)*x.nics+int(op.NIC)])
	}
	x.agenda.push(event{time: t, seq: x.number(), what: uint32(i)})
}

// number returns the number of the next event. There are fewer than 2^32: one
// for each of fewer than 2^31 operations and one for the message of each send.
func (x *run) number() uint32 {
	x.seq++
	return x.seq - 1
}

// bytesCost is (size-1)*perByte, but at most 2^63. An empty message costs as much as
// one of one byte.
func bytesCost(size, perByte uint64) uint64 {
	if size == 0 {
		return 0
	}
	hi, lo := bits.Mul64(size-1, perByte)
	if hi != 0 || lo > 1<<63 {
		return 1 << 63
	}
	return lo
}

// plus is t + cost. It records an overflow if the sum is beyond maxTime.
func (x *run) plus(t, cost uint64, op *goal.Op, i int32) uint64 {
	sum := t + cost
	if sum > maxTime {
		x.overflow = &OverflowError{Rank: int(op.Rank), Line: x.schedule.Line(i), Operation: op.Kind.String()}
	}
	return sum
}

func (x *run) result() *Result {
	r := &Result{HostFinish: make([]Nanoseconds, x.schedule.Ranks()), Messages: x.messages,
		Events: int64(len(x.state)) + x.messages}
	for host := range r.HostFinish {
		for _, t := range x.cpu[host*x.cpus : (host+1)*x.cpus] {
			r.HostFinish[host] = max(r.HostFinish[host], Nanoseconds(t))
		}
		r.Makespan = max(r.Makespan, r.HostFinish[host])
		r.Unreceived += int64(x.length(&x.unexpected[host]))
	}
	return r
}
