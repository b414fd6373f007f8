package observe

import (
	"github.com/isoscale/isoscale/internal/told"
	"github.com/isoscale/isoscale/sim"
)

// Timeline records what every rank does when, and the messages between them, for
// [Timeline.Write] to put into a file.
//
// It keeps 24 bytes for each span and 64 for each message, and nothing if the run has
// more of them than the limit.
type Timeline struct{ run *told.Run }

// DefaultTimelineLimit is a number of spans and messages that viewers still
// handle with ease. The file has about 100 bytes for each span and 600 for each
// message.
const DefaultTimelineLimit = 1_000_000

var _ sim.Observer = (*Timeline)(nil)

// NewTimeline returns an observer of a run of that many ranks. It records at most limit
// spans and messages together; the others are only counted.
func NewTimeline(ranks, limit int) *Timeline { return &Timeline{told.NewRun(ranks, limit)} }

func (t *Timeline) Span(x sim.Span) { t.run.Span(x.Rank, uint8(x.Part), x.From, x.To) }

func (t *Timeline) Sent(x sim.Sent) {
	t.run.Sent(told.Message{From: x.Rank, To: x.To, Tag: x.Tag, Size: x.Size}, x.Order, x.At)
}

func (t *Timeline) Received(x sim.Received) { t.run.Received(x.From, x.Order, x.Arrived, x.At) }

// Err returns why there is no timeline to write, or nil.
func (t *Timeline) Err() error { return t.run.Err("timeline", ", or raise the limit") }
