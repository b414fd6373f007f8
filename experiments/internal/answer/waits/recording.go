package waits

import (
	"fmt"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// Recording records what happens in a run on one core. It observes the run, whose program should be that of
// [Recording.Program]. Without it, a send counts as called when its message leaves, a receive when it takes
// a message that came before, and no message belongs to a collective call.
type Recording struct {
	ranks  int32    // streams have the numbers that follow
	calls  [][]call // by rank or stream
	events []any    // what the observer was told, causes before effects
	limit  int
	count  int    // of calls and events
	stop   func() // ends the run
}

// call is an operation of a rank.
type call struct {
	workloads.Op
	at units.Seconds // when it begins

	// About the collective call that it is part of:
	start  *call         // the call that begins it; nil outside of collective calls
	number int32         // in start: its number among those of the rank in the group
	end    units.Seconds // in start: when the rank leaves it
}

var _ sim.Observer = (*Recording)(nil)

// NewRecording returns a recording of a run. If there are more spans, messages and calls than the limit, it drops
// all of them and calls stop.
func NewRecording(ranks, limit int, stop func()) *Recording {
	return &Recording{ranks: int32(ranks), calls: make([][]call, ranks), limit: limit, stop: stop}
}

// more counts one more record, and returns false if that is too many.
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

// Beside tells the recording that the ranks of the run have streams.
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
	sim.Listener // within the program, or deaf
	recording    *Recording
	now          []units.Seconds // by rank
}

// deaf is the listener of a program that has none.
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

// Next records the operation. It records the end of the program as a call without a kind, and likewise the
// first of consecutive operations outside of collective calls in which a rank never waits.
func (p *program) Next(rank int, op *workloads.Op) bool {
	ok := p.Program.Next(rank, op)
	c, list := call{at: p.now[rank]}, &p.recording.calls[rank]
	if ok && (op.Collective != 0 || !waitless[op.Kind]) {
		c.Op = *op
		if first := int32(rank) / p.recording.ranks * p.recording.ranks; first > 0 { // a stream
			c.Group = -(c.Group*int32(len(p.now)) + first) // a number that neither ranks nor other streams use
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

// numbered returns the number of the stream of a peer, or a wildcard as it is.
func numbered(peer, first int32) int32 {
	if peer < 0 {
		return peer
	}
	return peer + first
}

// waitless are the operations in which a rank never waits.
var waitless = map[workloads.Kind]bool{workloads.Compute: true, workloads.Delay: true, workloads.Test: true,
	workloads.Iprobe: true, workloads.Trigger: true}
