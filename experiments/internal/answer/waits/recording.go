package waits

import (
	"fmt"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// Recording is what happens in a run on one core. It observes the run, whose program should be that of
// [Recording.Program]: else sends count from when messages leave, receives from when they are met late, and
// all calls as those of single messages.
type Recording struct {
	ranks  int32    // streams have the numbers that follow
	calls  [][]call // by rank or stream
	events []any    // what the observer was told: each after what has caused it
	limit  int
	count  int    // of both
	stop   func() // ends the run
}

// call is an operation of a rank.
type call struct {
	workloads.Op
	at units.Seconds // when it begins

	// Of the collective call that it is part of:
	start  *call         // which call that begins with, or nil
	number int32         // at the start: among the rank's in the group
	end    units.Seconds // at the start
}

var _ sim.Observer = (*Recording)(nil)

// NewRecording returns the recording of a run of that many ranks, which calls stop and keeps nothing if there are
// more spans, messages and calls than the limit.
func NewRecording(ranks, limit int, stop func()) *Recording {
	return &Recording{ranks: int32(ranks), calls: make([][]call, ranks), limit: limit, stop: stop}
}

// more counts one more, and is false if that is too much.
func (r *Recording) more() bool {
	if r.count++; r.count == r.limit+1 {
		r.calls, r.events = make([][]call, len(r.calls)), nil
		r.stop()
	}
	return r.count <= r.limit
}

func (r *Recording) tell(x any) {
	if r.more() {
		r.events = append(r.events, x)
	}
}

func (r *Recording) Span(x sim.Span)         { r.tell(x) }
func (r *Recording) Sent(x sim.Sent)         { r.tell(x) }
func (r *Recording) Received(x sim.Received) { r.tell(x) }

// Beside tells of a run whose ranks have streams.
func (r *Recording) Beside(ranks, streams int32) { r.calls = make([][]call, ranks*(1+streams)) }

// Err returns why there are no states, or nil.
func (r *Recording) Err() error {
	if r.count <= r.limit {
		return nil
	}
	return fmt.Errorf("wait states: the run has more than %d spans, messages and calls; expected fewer: simulate fewer ranks or rounds", r.limit)
}

// program records the operations of another program.
type program struct {
	workloads.Program
	sim.Listener // what the program has inside
	recording    *Recording
	now          []units.Seconds // by rank
}

// deaf is for programs that do not listen.
type deaf struct{}

func (deaf) Now(int, units.Seconds)                  {}
func (deaf) Received(int, int32, int32, units.Bytes) {}

// Program returns a program whose operations are recorded.
func (r *Recording) Program(p workloads.Program) workloads.Program {
	r.Beside(r.ranks, int32(wrapped.Streams(p)))
	listener, ok := wrapped.Outermost[sim.Listener](p)
	if !ok {
		listener = deaf{}
	}
	return &program{p, listener, r, make([]units.Seconds, len(r.calls))}
}

func (p *program) Unwrap() workloads.Program { return p.Program }

func (p *program) Now(rank int, t units.Seconds) {
	p.now[rank] = t
	p.Listener.Now(rank, t)
}

// Next records the operation. The end of the program is one without a kind, and so is the first
// of some outside of collective calls in which a rank never waits.
func (p *program) Next(rank int, op *workloads.Op) bool {
	ok := p.Program.Next(rank, op)
	c, list := call{at: p.now[rank]}, &p.recording.calls[rank]
	if ok && (op.Collective != 0 || !waitless[op.Kind]) {
		c.Op = *op
		if first := int32(rank) / p.recording.ranks * p.recording.ranks; first > 0 { // a stream
			c.Group = -(c.Group*int32(len(p.now)) + first) // none of ranks or of another stream
			c.Peer, c.From = numbered(c.Peer, first), numbered(c.From, first)
		}
	} else if n := len(*list); ok && n > 0 && (*list)[n-1].Kind == 0 {
		return ok
	}
	if p.recording.more() {
		*list = append(*list, c)
	}
	return ok
}

// numbered returns the number of a peer whose stream is meant, or a wildcard.
func numbered(peer, first int32) int32 {
	if peer < 0 {
		return peer
	}
	return peer + first
}

// waitless are the operations in which a rank never waits.
var waitless = map[workloads.Kind]bool{workloads.Compute: true, workloads.Delay: true, workloads.Test: true,
	workloads.Iprobe: true, workloads.Trigger: true}
