package observe

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Timeline records what every rank does when, and the messages between them, for
// [Timeline.Write] to put into a file.
//
// It keeps 16 bytes for each span and 56 for each message, and nothing of a run that
// has more of them than its limit.
type Timeline struct {
	limit    int
	spans    int // told, recorded or not
	messages int
	tooLong  bool                  // a time does not fit into nanoseconds
	ranks    []lane                // nil if there is too much
	open     map[messageName]int32 // messages that were not received yet, by place among those of their sender
}

// messageName names a message.
type messageName struct {
	from  int32
	order uint32
}

// DefaultTimelineLimit is a number of spans and messages that viewers still
// handle with ease. The file has about 100 bytes for each span and 600 for each
// message.
const DefaultTimelineLimit = 1_000_000

// lane is what happens on one rank. Spans begin where the one before ended, the
// first at 0.
type lane struct {
	spans    []laneSpan
	sent     []laneMessage
	received []laneReceipt
}

type laneSpan struct {
	to   nanoseconds
	part sim.Part
}

type laneMessage struct {
	at       nanoseconds
	size     units.Bytes
	to, tag  int32
	received bool
}

type laneReceipt struct {
	arrived, at nanoseconds
	from        int32
	index       int32 // of the message among those that were sent
}

// nanoseconds is a time rounded to what viewers can show.
type nanoseconds int64

var _ sim.Observer = (*Timeline)(nil)

// NewTimeline returns an observer of a run of that many ranks. It records at
// most limit spans and messages, all together; more are only counted.
func NewTimeline(ranks, limit int) *Timeline {
	return &Timeline{limit: limit, ranks: make([]lane, ranks), open: map[messageName]int32{}}
}

func (t *Timeline) Span(x sim.Span) {
	t.spans++
	if t.full() {
		return
	}
	l := &t.ranks[x.Rank]
	l.spans = append(l.spans, laneSpan{t.round(x.To), x.Part})
}

func (t *Timeline) Sent(x sim.Sent) {
	t.messages++
	if t.full() {
		return
	}
	l := &t.ranks[x.Rank]
	t.open[messageName{x.Rank, x.Order}] = int32(len(l.sent))
	l.sent = append(l.sent, laneMessage{at: t.round(x.At), size: x.Size, to: x.To, tag: x.Tag})
}

func (t *Timeline) Received(x sim.Received) {
	if t.full() || x.From < 0 { // from a process, which has no lane
		return
	}
	name := messageName{x.From, x.Order}
	i := t.open[name]
	delete(t.open, name)
	t.ranks[x.From].sent[i].received = true
	l := &t.ranks[x.Rank]
	l.received = append(l.received, laneReceipt{t.round(x.Arrived), t.round(x.At), x.From, i})
}

// full reports whether more was told than may be recorded. Then nothing is kept.
func (t *Timeline) full() bool {
	if t.spans+t.messages <= t.limit {
		return false
	}
	t.ranks, t.open = nil, nil
	return true
}

// round returns the nearest nanosecond. Rounding points of time and not
// durations keeps spans together that follow each other.
func (t *Timeline) round(s units.Seconds) nanoseconds {
	ns := math.Round(float64(s) * 1e9)
	if !(ns < math.MaxInt64) {
		t.tooLong = true
		return 0
	}
	return nanoseconds(ns)
}

// Err returns why there is no timeline to write, or nil.
func (t *Timeline) Err() error {
	switch {
	case t.full():
		return fmt.Errorf("timeline: the run has %d spans and %d messages; expected at most %d, all together: simulate fewer ranks or rounds, or raise the limit",
			t.spans, t.messages, t.limit)
	case t.tooLong:
		return fmt.Errorf("timeline: the run takes too long; expected less than 292 years, in nanoseconds a 64-bit number")
	}
	return nil
}
