package told

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/units"
)

// Run is what the ranks of a simulation did. It keeps 24 bytes for each span and 64 for each message, and
// nothing if there are more than its limit.
type Run struct {
	Ranks    [][]Span  // by rank, in order of time; nil if there are too many
	Messages []Message // as reported; those of one sender in order of time
	End      int64     // ns

	spans, sends int  // reported, kept or not
	late         bool // a time does not fit into nanoseconds
	limit        int
	open         map[messageName]int
	told, sent   []int32 // messages of each rank, and those that it sent
}

// Span is a stretch of a rank's time, ns.
type Span struct {
	Part     uint8 // a number of sim.Part
	Sends    int32 // messages that the rank had sent before
	From, To int64
}

// Message is a message between ranks, with times in ns.
type Message struct {
	From, To, Tag int32
	Size          units.Bytes
	Sent          int64
	Arrived, Met  int64 // Met is when it met its receive, or -1
	// Left and Came are its places among the messages that its sender and its receiver are told of: the order
	// in which they left and met there at one time.
	Left, Came int32
	Sends      int32 // messages that its receiver had sent before
}

// Bytes returns the size as a whole number.
func (m *Message) Bytes() int64 { return int64(math.Round(float64(m.Size))) }

// Calls are when the ranks at both ends of a message called for it, and when these calls ended, as far as is known: a
// rank calls between spans, so what happens within a span was called for at its begin or before, and ends with it.
type Calls struct {
	Begun, Done   int64 // of the send; Done is math.MaxInt64 if the sender did not wait until the message arrived
	Posted, Ended int64 // of the receive
}

// Calls returns the calls of a message. sending and receiving are the parts in which ranks wait.
func (r *Run) Calls(m *Message, sending, receiving uint8) Calls {
	c := Calls{m.Sent, math.MaxInt64, m.Met, m.Met}
	if s := r.until(m.From, m.Sent); m.Sent < s.To {
		c.Begun = s.From
	}
	if m.Met < 0 {
		return c
	}
	if s := r.until(m.To, m.Met); m.Met < s.To || s.Part == receiving && s.Sends == m.Sends {
		c.Posted, c.Ended = s.From, s.To
	}
	if s := r.until(m.From, m.Arrived); s.Part == sending && s.To == m.Arrived && max(c.Begun, c.Posted) < s.To {
		c.Done = s.To
	}
	return c
}

// until returns the span of a rank that a time is in or at the end of; the zero span if there is none.
func (r *Run) until(rank int32, at int64) (s Span) {
	spans := r.Ranks[rank]
	i := sort.Search(len(spans), func(i int) bool { return spans[i].To >= at })
	if i < len(spans) && spans[i].From < at {
		s = spans[i]
	}
	return s
}

type messageName struct {
	from  int32
	order uint32
}

// NewRun returns an empty record of a run of that many ranks.
func NewRun(ranks, limit int) *Run {
	return &Run{Ranks: make([][]Span, ranks), limit: limit, open: map[messageName]int{}, told: make([]int32, ranks), sent: make([]int32, ranks)}
}

// full reports whether more was reported than may be kept. Then nothing is kept.
func (r *Run) full() bool {
	if r.spans+r.sends <= r.limit {
		return false
	}
	r.Ranks, r.Messages, r.open = nil, nil, nil
	return true
}

// round returns the nearest nanosecond. Adjacent spans stay adjacent.
func (r *Run) round(t units.Seconds) int64 {
	ns := math.Round(float64(t) * 1e9)
	if !(ns < math.MaxInt64) {
		r.late = true
		return 0
	}
	r.End = max(r.End, int64(ns))
	return int64(ns)
}

// Span tells that a rank has spent time on a part.
func (r *Run) Span(rank int32, part uint8, from, to units.Seconds) {
	if r.spans++; !r.full() {
		r.Ranks[rank] = append(r.Ranks[rank], Span{part, r.sent[rank], r.round(from), r.round(to)})
	}
}

// Sent tells of a message when it leaves, and of its number among those of its sender.
func (r *Run) Sent(m Message, order uint32, at units.Seconds) {
	if r.sends++; !r.full() {
		m.Sent, m.Met, m.Left = r.round(at), -1, r.tell(m.From)
		r.sent[m.From]++
		r.open[messageName{m.From, order}] = len(r.Messages)
		r.Messages = append(r.Messages, m)
	}
}

// Received tells that a message has met its receive. It ignores messages from processes (from < 0).
func (r *Run) Received(from int32, order uint32, arrived, at units.Seconds) {
	if r.full() || from < 0 {
		return
	}
	name := messageName{from, order}
	m := &r.Messages[r.open[name]]
	delete(r.open, name)
	m.Arrived, m.Met, m.Came, m.Sends = r.round(arrived), r.round(at), r.tell(m.To), r.sent[m.To]
}

// tell counts a message of a rank.
func (r *Run) tell(rank int32) int32 {
	r.told[rank]++
	return r.told[rank]
}

// Err returns why there is nothing to write, or nil. otherwise says what else would help if there is too much.
func (r *Run) Err(what, otherwise string) error {
	switch {
	case r.full():
		return fmt.Errorf("%s: the run has %d spans and %d messages; expected at most %d, all together: simulate fewer ranks or rounds%s",
			what, r.spans, r.sends, r.limit, otherwise)
	case r.late:
		return fmt.Errorf("%s: the run takes too long; expected less than 292 years, in nanoseconds a 64-bit number", what)
	}
	return nil
}

// ByRank returns the messages that each rank sends, and those that it receives, in the order of time.
func (r *Run) ByRank() (sent, received [][]*Message) {
	sent, received = make([][]*Message, len(r.Ranks)), make([][]*Message, len(r.Ranks))
	for i := range r.Messages {
		m := &r.Messages[i]
		sent[m.From] = append(sent[m.From], m)
		if m.Met >= 0 {
			received[m.To] = append(received[m.To], m)
		}
	}
	// The order of a rank, which does not depend on the number of cores.
	for i := range r.Ranks {
		slices.SortStableFunc(sent[i], func(a, b *Message) int { return cmp.Or(cmp.Compare(a.Sent, b.Sent), cmp.Compare(a.Left, b.Left)) })
		slices.SortStableFunc(received[i], func(a, b *Message) int { return cmp.Or(cmp.Compare(a.Met, b.Met), cmp.Compare(a.Came, b.Came)) })
	}
	return sent, received
}
