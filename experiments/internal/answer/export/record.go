package export

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// Counts count what was exported. Bytes are those of the run, which a file may round up.
type Counts struct {
	Ranks        int     `json:"ranks"`
	Operations   int64   `json:"operations"`
	Computations int64   `json:"computations"`
	Work         float64 `json:"work_flop"`
	Messages     int64   `json:"messages"`
	Bytes        float64 `json:"bytes"`
}

func (c *Counts) add(op *workloads.Op) {
	c.Operations++
	switch op.Kind {
	case workloads.Compute:
		c.Computations++
		c.Work += float64(op.Work)
	case workloads.Send, workloads.Isend:
		c.Messages++
		c.Bytes += float64(op.Size)
	}
}

// whole returns the counts with bytes as a whole number: sizes of an application may be fractions.
func (c Counts) whole() Counts {
	c.Bytes = math.Round(c.Bytes)
	return c
}

// record simulates a scenario and passes on to a sink what its processes do.
func record(ctx context.Context, s *scenario.Scenario, sys *system.System, to sink) (*system.Simulation, error) {
	var passed *recorder
	sys.Ranks, sys.Workers = false, 1
	sys.Program = func(p workloads.Program) workloads.Program {
		passed = newRecorder(p, to)
		return passed
	}
	x, err := sys.Simulate(ctx, s.Workload.N)
	if passed != nil && passed.err != nil {
		return nil, passed.err
	}
	return x, err
}

// refuse is an error that says why a format cannot hold an operation of a rank.
func refuse(rank int, format string, args ...any) error {
	return input.Errorf("rank %d: %s", rank, fmt.Sprintf(format, args...))
}

// refuseMeasured is refuse for a collective operation of measured cost, which no format can hold.
func refuseMeasured(rank int, op *workloads.Op) error {
	example := "binomial"
	if op.Collective == workloads.Barrier {
		example = "dissemination"
	}
	return refuse(rank, "%v has a measured cost, and neither format has an operation of a given time for several processes; expected an algorithm, as in --set workload.%v=%s",
		op.Collective, op.Collective, example)
}

// A sink takes the operations of a run. A Sendrecv comes as an Isend, an Irecv and
// Waits for both.
type sink interface {
	// Op takes the next operation of a rank, which it may change, and the step of the
	// program that the operation belongs to (see [stepper]). An error says why the format
	// cannot hold the operation; nothing is passed on after it.
	Op(rank int, op *workloads.Op, step uint64) error
	// End is called when a rank has no more operations.
	End(rank int)
}

// A streamSink also takes operations of streams, under the numbers that the engine uses: stream k of rank r among P
// ranks is k P + r. A Begin gives a stream its next piece.
type streamSink interface {
	sink
	// EndPiece is called when a stream has no more operations in a piece.
	EndPiece(number int) error
}

// A stepper is a program that says which operations belong together.
type stepper interface {
	// Step returns the number of the step that the rank is in, such as a collective call
	// in a round of a loop. The number changes with the next step, and is the same for
	// all ranks in one step.
	Step(rank int) uint64
}

// Requests for the two parts of a Sendrecv; no program may use these names.
const (
	sendOfBoth    = math.MaxInt32 - 1
	receiveOfBoth = math.MaxInt32
)

// recorder is a program that passes on what its ranks do while it runs, with receives completed:
// the source, the tag and the size of the received message replace wildcards and the size that the
// program expected. So the meaning of the record does not depend on times and on what arrives first,
// even if the program does. The operations of a rank are held back from its oldest receive on whose
// message is not known yet. Next must not be called for two ranks at the same time.
type recorder struct {
	workloads.Program
	sink     sink
	listener sim.Listener // of the program; nil if it does not listen
	stepper  stepper      // of the program; nil if it is none
	streams  streamSink   // the sink; nil if it takes none
	ranks    []rank       // followed by streams
	err      error
}

var (
	_ workloads.Program = (*recorder)(nil)
	_ sim.Listener      = (*recorder)(nil)
	_ io.Closer         = (*recorder)(nil)
)

// rank is the state of a rank or stream.
type rank struct {
	held   []held
	open   int   // number of open receives among held
	waits  wait  // what it waits for, or waited for last
	name   int32 // the request it waits for; for waitsForAll, the lowest one
	ended  bool  // the program has no more operations
	passed bool  // the sink knows that
}

// held is an operation that is held back; it is open if it is a receive whose
// message is not known.
type held struct {
	op   workloads.Op
	open bool
	step uint64
}

// wait is what a rank waits for.
type wait uint8

const (
	waitsForOne wait = iota
	waitsForAll
	waitsForLast // the blocking receive that it started last
)

func newRecorder(p workloads.Program, s sink) *recorder {
	r := &recorder{Program: p, sink: s, ranks: make([]rank, p.Ranks()*(1+wrapped.Streams(p)))}
	r.streams, _ = s.(streamSink)
	r.listener, _ = wrapped.Outermost[sim.Listener](p)
	r.stepper, _ = wrapped.Outermost[stepper](p)
	return r
}

// Next implements [workloads.Program]. After the sink has refused an operation it stores
// an operation of Kind 0, and Close returns the error.
func (r *recorder) Next(id int, op *workloads.Op) bool {
	x := &r.ranks[id]
	ok := r.err == nil && r.Program.Next(id, op)
	switch {
	case r.err != nil:
		*op = workloads.Op{}
		return true
	case !ok && id >= r.Ranks():
		x.held = append(x.held, held{}) // the end of a piece
	case !ok:
		x.ended, x.waits, x.name = true, waitsForAll, 0 // for the receives that are still open
	case op.Kind == 0: // the program gave up
		return true
	default:
		r.keep(id, x, *op)
	}
	r.pass(id, x)
	if r.err != nil {
		*op = workloads.Op{}
		return true
	}
	return ok
}

func (r *recorder) Unwrap() workloads.Program { return r.Program }

// keep adds an operation to those that are held back.
func (r *recorder) keep(id int, x *rank, op workloads.Op) {
	step := uint64(0)
	if r.stepper != nil && id < r.Ranks() {
		step = r.stepper.Step(id)
	}
	hold := func(op workloads.Op) {
		open := op.Kind == workloads.Recv || op.Kind == workloads.Irecv
		if open {
			x.open++
		}
		x.held = append(x.held, held{op, open, step})
	}
	switch op.Kind {
	case workloads.Begin:
		if r.streams != nil {
			break
		}
		name, place := "a collective operation", ""
		if c, ok := wrapped.Outermost[sim.Caller](r.Program); ok {
			name, place = c.Call(id)
			place += ": "
		}
		r.err = refuse(id, "%sgoes on while %s is carried out at the same time, which SimGrid's traces cannot express; expected a blocking operation, or --goal", place, name)
		return
	case workloads.Recv:
		x.waits = waitsForLast
	case workloads.Wait:
		x.waits, x.name = waitsForOne, op.Request
	case workloads.Waitall:
		x.waits, x.name = waitsForAll, op.Request
	case workloads.Sendrecv:
		x.waits, x.name = waitsForOne, receiveOfBoth
		hold(workloads.Op{Kind: workloads.Isend, Peer: op.Peer, Tag: op.Tag, Size: op.Size, Request: sendOfBoth})
		hold(workloads.Op{Kind: workloads.Irecv, Peer: op.From, Tag: op.Tag, Request: receiveOfBoth})
		first, second := int32(receiveOfBoth), int32(sendOfBoth)
		if op.Peer == int32(id) { // the received message may be the one sent
			first, second = second, first
		}
		hold(workloads.Op{Kind: workloads.Wait, Request: first})
		hold(workloads.Op{Kind: workloads.Wait, Request: second})
		return
	}
	hold(op)
}

// pass passes on the operations before the first open receive.
func (r *recorder) pass(id int, x *rank) {
	n := 0
	for ; n < len(x.held) && !x.held[n].open && r.err == nil; n++ {
		if x.held[n].op.Kind == 0 {
			r.err = r.streams.EndPiece(id)
			continue
		}
		r.err = r.sink.Op(id, &x.held[n].op, x.held[n].step)
	}
	x.held = slices.Delete(x.held, 0, n)
	if x.ended && !x.passed && x.open == 0 && r.err == nil {
		x.passed = true
		r.sink.End(id)
	}
}

func (r *recorder) Now(id int, t units.Seconds) {
	if r.listener != nil {
		r.listener.Now(id, t)
	}
}

func (r *recorder) Received(id int, from, tag int32, size units.Bytes) {
	x := &r.ranks[id]
	if i := x.received(from, tag); i >= 0 {
		op := &x.held[i].op
		op.Peer, op.Tag, op.Size = from, tag, size
		if len(r.ranks) > r.Ranks() && from > 0 {
			op.Peer %= int32(r.Ranks()) // the rank of a stream
		}
		x.held[i].open = false
		x.open--
	}
	if r.listener != nil {
		r.listener.Received(id, from, tag, size)
	}
	if x.ended {
		r.pass(id, x)
	}
}

// received returns the index in held of the receive that a message completes, or -1.
func (x *rank) received(from, tag int32) int {
	if x.waits == waitsForLast {
		return len(x.held) - 1
	}
	return slices.IndexFunc(x.held, func(h held) bool {
		if !h.open {
			return false
		}
		if x.waits == waitsForOne {
			return h.op.Request == x.name
		}
		return h.op.Request >= x.name &&
			(h.op.Peer == from || h.op.Peer == workloads.AnySource) && (h.op.Tag == tag || h.op.Tag == workloads.AnyTag)
	})
}

// Close ends the record at the end of the run, and closes the program if it is an
// io.Closer. It returns the error at which the program or the sink gave up.
func (r *recorder) Close() error {
	var err error
	if c, ok := r.Program.(io.Closer); ok {
		err = c.Close()
	}
	if r.err != nil {
		return r.err
	}
	return err
}
