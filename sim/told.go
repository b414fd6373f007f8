package sim

import "github.com/isoscale/isoscale/model/units"

// told is the observer of one of several shards: it keeps the events of a window until
// the window is over, when one goroutine passes them on. A message is sent in an
// earlier window than that in which it is received, so an observer hears of the sending
// first, as on one shard.
//
// It keeps 40 bytes for each event of a window.
type told struct {
	events []toldEvent
}

// toldEvent is a [Span], a [Sent] or a [Received].
type toldEvent struct {
	what     whatTold
	part     Part
	handles  bool // of Received: Synchronous
	byMemory bool
	rank     int32
	peer     int32  // Sender of Span, To of Sent, From of Received
	order    uint32 // of a message
	tag      int32
	from, to units.Seconds // of Sent: At and Size; of Received: Arrived and At
}

type whatTold uint8

const (
	toldSpan whatTold = iota
	toldSent
	toldReceived
)

func (t *told) Span(x Span) {
	t.events = append(t.events, toldEvent{what: toldSpan, part: x.Part, rank: x.Rank, from: x.From, to: x.To,
		handles: x.Handles, byMemory: x.ByMemory, peer: x.Sender, order: x.Order})
}

func (t *told) Sent(x Sent) {
	t.events = append(t.events, toldEvent{what: toldSent, rank: x.Rank, peer: x.To, order: x.Order, tag: x.Tag,
		from: x.At, to: units.Seconds(x.Size)})
}

func (t *told) Received(x Received) {
	t.events = append(t.events, toldEvent{what: toldReceived, rank: x.Rank, peer: x.From, order: x.Order,
		handles: x.Synchronous, from: x.Arrived, to: x.At})
}

// passOn tells an observer all events kept, in order.
func (t *told) passOn(o Observer) {
	for i := range t.events {
		switch x := &t.events[i]; x.what {
		case toldSpan:
			o.Span(Span{Rank: x.rank, Part: x.part, Handles: x.handles, ByMemory: x.byMemory, From: x.from, To: x.to,
				Sender: x.peer, Order: x.order})
		case toldSent:
			o.Sent(Sent{Rank: x.rank, Order: x.order, To: x.peer, Tag: x.tag, Size: units.Bytes(x.to), At: x.from})
		case toldReceived:
			o.Received(Received{Rank: x.rank, From: x.peer, Order: x.order, Synchronous: x.handles,
				Arrived: x.from, At: x.to})
		}
	}
	t.events = t.events[:0]
}
