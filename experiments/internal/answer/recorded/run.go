package recorded

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Run is what the ranks of a simulation did, for a writer of traces. It is an observer, which
// keeps nothing of a run with more spans and messages than it may have.
type Run struct {
	Ranks    [][]Span  // each rank's, one after the other
	Messages []Message // in the order in which they are told, which of one sender is that of time
	End      int64     // ns

	told  int
	limit int
	late  bool // a time does not fit into nanoseconds
	open  map[messageName]int
}

// Span is a stretch of a rank's time, ns.
type Span struct {
	Part     sim.Part
	From, To int64
}

// Message is a message between ranks, with times in ns.
type Message struct {
	From, To, Tag int32
	Size          int64
	Sent          int64
	Arrived, Met  int64 // when it met its receive; -1 if it did not
}

type messageName struct {
	from  int32
	order uint32
}

var _ sim.Observer = (*Run)(nil)

// NewRun returns the observer of a run of that many ranks.
func NewRun(ranks, limit int) *Run {
	return &Run{Ranks: make([][]Span, ranks), limit: limit, open: map[messageName]int{}}
}

// more counts something told, and is false if it is too much.
func (r *Run) more() bool {
	if r.told++; r.told > r.limit {
		r.Ranks, r.Messages, r.open = nil, nil, nil
		return false
	}
	return true
}

// round returns the nearest nanosecond, so that spans which follow each other still do.
func (r *Run) round(t units.Seconds) int64 {
	ns := math.Round(float64(t) * 1e9)
	if !(ns < math.MaxInt64) {
		r.late = true
		return 0
	}
	r.End = max(r.End, int64(ns))
	return int64(ns)
}

func (r *Run) Span(x sim.Span) {
	if r.more() {
		r.Ranks[x.Rank] = append(r.Ranks[x.Rank], Span{x.Part, r.round(x.From), r.round(x.To)})
	}
}

func (r *Run) Sent(x sim.Sent) {
	if r.more() {
		r.open[messageName{x.Rank, x.Order}] = len(r.Messages)
		r.Messages = append(r.Messages, Message{From: x.Rank, To: x.To, Tag: x.Tag, Size: int64(math.Round(float64(x.Size))),
			Sent: r.round(x.At), Met: -1})
	}
}

func (r *Run) Received(x sim.Received) {
	if r.told > r.limit || x.From < 0 { // from a process, which has no place in a trace
		return
	}
	name := messageName{x.From, x.Order}
	m := &r.Messages[r.open[name]]
	delete(r.open, name)
	m.Arrived, m.Met = r.round(x.Arrived), r.round(x.At)
}

// Err returns why there is no trace to write, or nil.
func (r *Run) Err() error {
	switch {
	case r.told > r.limit:
		return fmt.Errorf("trace: the run has %d spans and messages; expected at most %d: simulate fewer ranks or rounds", r.told, r.limit)
	case r.late:
		return fmt.Errorf("trace: the run takes too long; expected less than 292 years, in nanoseconds a 64-bit number")
	}
	return nil
}
