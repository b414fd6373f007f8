package observe

import (
	"sort"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// CriticalPath finds the operations and messages that determine the makespan of a
// run: a chain from time 0 to the end of the last rank, in which each could not begin
// before the previous one had ended. A run can become faster only if the chain does.
//
// [CriticalPath.Path] walks back from the end. Operations lead to the operation
// before them on the same rank; time spent waiting leads to what was waited for:
//
//   - Waiting for a message leads to its sender, at the time at which the message
//     started to leave. The time in between is on the path as a message, with
//     its transmission and latency. Where the core handles messages (LogGOPS)
//     they start to leave when the core turns to them, so the send overhead is
//     in that time too.
//   - A message that left late because the sender's network interface was busy
//     leads to the message before it. So does waiting to send, and, where the
//     core handles messages, a message that found the receiver's interface busy.
//   - The data of a rendezvous that left late lead to the receiver, which cleared
//     them when it posted the receive, or through the receiver to the sender's
//     request. A synchronous send that waits leads to the receiver that matched it.
//   - A collective of measured cost leads to the rank that let it begin: the last
//     to enter or, where all wait for the root, the root.
//
// On a fabric a message leads to its sender at the time at which its data began to
// flow, or, if the sender did something else then, to the receiver, whose receive let
// them flow. A send that waits for its delivery leads to the message.
//
// # Ties
//
// Where several events determine a time, one is chosen: of ranks that
// finish last the lowest; of reasons for a message to leave now, the core's own
// act before the interface and that before the handshake; of messages that
// arrive at one instant, the one with which the engine ended the wait, which is
// the one that arrives last in its order (see package sim), or, where the core
// handles messages, the first in it; of ranks that enter a collective last, the
// lowest.
//
// # What is inferred
//
// Observers are not told of requests and clearances, of interfaces, or of the ranks
// of a collective. Their times are computed from the network of the run and searched
// for among the events. Where none is found, and where
// the root of a Reduce or Gather waits, a collective costs nothing, or a probe waits for
// the request of a rendezvous, the wait is
// on the path as itself and the path stays on its rank: then an event that the
// path does not show may determine the makespan. A clearance whose time coincides with
// another act of the receiver, or two groups whose collectives end at the same
// instant, can lead to the wrong rank. The path has no gaps in any case.
//
// It keeps 12 bytes for each span and 12 for each message, and rarely more: 4 where the
// numbers of messages have gaps, as with rendezvous, 8 for a message that did not
// leave when its rank acted, 8 on a fabric. Path needs 4 more for each message where
// the core handles them. For each rank there are about 200 bytes.
type CriticalPath struct {
	network sim.Network // nil on a fabric
	byCore  bool

	ranks   []history
	spans   arena[spanBlock]
	sent    arena[sentBlock]
	orders  arena[[blockLen]uint32]        // of sent, if they have gaps
	arrived arena[[blockLen]units.Seconds] // of sent, on a fabric; before 0 if it has not been received
	apart   arena[units.Seconds]           // when messages started to leave that did so later than their rank acted
	matched map[int32]units.Seconds        // when synchronous messages have met their receive

	envelopes []envelope
	numbers   map[envelope]int32      // in envelopes
	entries   map[units.Seconds]entry // into collectives, by when their cost is paid
}

// history is what a rank has done. Spans begin where the one before ended, the
// first at 0. Both spans and messages are in blocks.
type history struct {
	spans, sent int32
	lastSpans   int32 // block
	received    int32 // the latest message, or none
	receivedAt  units.Seconds
	blocks      []int32 // of sent
}

// blockLen is how many spans or messages of one rank are kept together.
const blockLen = 8

type spanBlock struct {
	to     [blockLen]units.Seconds
	part   [blockLen]uint32 // with the cause: see partOf, causeOf
	before int32            // block
}

// sentBlock holds messages of one sender. The name of a message is its place: block
// times blockLen, plus its place in the block.
type sentBlock struct {
	to       [blockLen]int32
	envelope [blockLen]int32
	// After which span of its sender the message started to leave, or the complement
	// of a number in apart.
	after  [blockLen]int32
	from   int32
	number int32 // of the block, among those of the sender
}

// envelope is what many messages have in common.
type envelope struct {
	size units.Bytes
	tag  int32
}

// entry is the earliest entry among those that ended with the same time.
type entry struct {
	at   units.Seconds
	rank int32
}

const none int32 = -1

var _ sim.Observer = (*CriticalPath)(nil)

// NewCriticalPath returns an observer of a run of that many ranks on the given
// network, which must be that of the run: nil if it has a fabric.
func NewCriticalPath(ranks int, n sim.Network) *CriticalPath {
	c := &CriticalPath{
		network: n,
		byCore:  n != nil && n.Handling() == network.ByCore,
		ranks:   make([]history, ranks),
		numbers: map[envelope]int32{},
		matched: map[int32]units.Seconds{},
		entries: map[units.Seconds]entry{},
	}
	for r := range c.ranks {
		c.ranks[r].received, c.ranks[r].lastSpans = none, none
	}
	return c
}

// A cause is the name of a message. Together with the part it takes 32 bits, so waits
// for messages with larger names have none.
const (
	partBits  = 4
	mostCause = 1<<(32-partBits) - 2
)

func partAndCause(p sim.Part, cause int32) uint32 {
	if cause > mostCause {
		cause = none
	}
	return uint32(cause+1)<<partBits | uint32(p)
}

func partOf(x uint32) sim.Part { return sim.Part(x & (1<<partBits - 1)) }
func causeOf(x uint32) int32   { return int32(x>>partBits) - 1 }

func (c *CriticalPath) Span(x sim.Span) {
	h := &c.ranks[x.Rank]
	cause := none
	switch x.Part {
	case sim.PartWaitMessage:
		if h.received != none && h.receivedAt == x.To { // else a probe has waited
			cause = h.received
		}
	case sim.PartCollectiveCost:
		if h.spans > 0 && partOf(*c.lastSpan(h)) == sim.PartWaitCollective {
			break
		}
		e, ok := c.entries[x.To]
		if !ok || x.From < e.at || x.From == e.at && x.Rank < e.rank {
			c.entries[x.To] = entry{x.From, x.Rank}
		}
	}
	if h.spans%blockLen == 0 {
		b := c.spans.add()
		c.spans.at(b).before, h.lastSpans = h.lastSpans, b
	}
	b := c.spans.at(h.lastSpans)
	b.to[h.spans%blockLen], b.part[h.spans%blockLen] = x.To, partAndCause(x.Part, cause)
	h.spans++
}

// lastSpan returns the part of the latest span. REQUIRES: there is one.
func (c *CriticalPath) lastSpan(h *history) *uint32 {
	return &c.spans.at(h.lastSpans).part[(h.spans-1)%blockLen]
}

// recentEnd returns when the latest span but back of the rank ended, for back 0 or 1.
func (c *CriticalPath) recentEnd(h *history, back int32) units.Seconds {
	k := h.spans - 1 - back
	if k < 0 {
		return 0
	}
	b := c.spans.at(h.lastSpans)
	if k/blockLen != (h.spans-1)/blockLen {
		b = c.spans.at(b.before)
	}
	return b.to[k%blockLen]
}

func (c *CriticalPath) Sent(x sim.Sent) {
	h := &c.ranks[x.Rank]
	place := h.sent % blockLen
	if place == 0 {
		b := c.sent.add()
		if c.network == nil {
			c.arrived.add()
		}
		if len(c.orders.pieces) > 0 {
			c.orders.add()
		}
		*c.sent.at(b) = sentBlock{from: x.Rank, number: int32(len(h.blocks))}
		h.blocks = append(h.blocks, b)
	}
	block := h.blocks[len(h.blocks)-1]
	b := c.sent.at(block)
	b.to[place], b.envelope[place] = x.To, c.envelope(x.Size, x.Tag)
	switch x.At {
	case c.recentEnd(h, 0):
		b.after[place] = h.spans
	case c.recentEnd(h, 1): // the overhead of the send comes after
		b.after[place] = h.spans - 1
	default:
		i := c.apart.add()
		*c.apart.at(i), b.after[place] = x.At, ^i
	}
	if c.network == nil {
		c.arrived.at(block)[place] = -1
	}
	if len(c.orders.pieces) == 0 && x.Order != uint32(h.sent) {
		c.noteOrders()
	}
	if len(c.orders.pieces) > 0 {
		c.orders.at(block)[place] = x.Order
	}
	h.sent++
}

// noteOrders begins to keep the orders of messages, which had no gaps so far.
func (c *CriticalPath) noteOrders() {
	for b := range int32(c.sent.len()) {
		c.orders.add()
		for i := range c.orders.at(b) {
			c.orders.at(b)[i] = uint32(c.sent.at(b).number*blockLen) + uint32(i)
		}
	}
}

// envelope returns the number of an envelope.
func (c *CriticalPath) envelope(size units.Bytes, tag int32) int32 {
	e := envelope{size, tag}
	if n := len(c.envelopes); n > 0 && c.envelopes[n-1] == e {
		return int32(n - 1)
	}
	i, ok := c.numbers[e]
	if !ok {
		i = int32(len(c.envelopes))
		c.numbers[e] = i
		c.envelopes = append(c.envelopes, e)
	}
	return i
}

func (c *CriticalPath) Received(x sim.Received) {
	if x.From < 0 { // from a process, which nothing leads to
		c.ranks[x.Rank].received = none
		return
	}
	m := c.find(x.From, x.Order)
	c.ranks[x.Rank].received, c.ranks[x.Rank].receivedAt = m, x.At
	switch {
	case c.network == nil:
		c.arrived.at(m / blockLen)[m%blockLen] = x.Arrived
	case c.byCore && c.network.Rendezvous(c.message(m).size):
		c.matched[m] = x.At
	}
}

// find returns the message with an order.
func (c *CriticalPath) find(from int32, order uint32) int32 {
	h := &c.ranks[from]
	if len(c.orders.pieces) == 0 {
		return c.nth(h, int32(order))
	}
	if c.network == nil { // the data of a later message may flow first
		near := min(int32(order), h.sent-1)
		for d := int32(0); ; d++ {
			for _, i := range [2]int32{near - d, near + d} {
				if i < 0 || i >= h.sent {
					continue
				}
				if m := c.nth(h, i); c.orders.at(m / blockLen)[m%blockLen] == order {
					return m
				}
			}
		}
	}
	return c.nth(h, int32(sort.Search(int(h.sent), func(i int) bool {
		m := c.nth(h, int32(i))
		return c.orders.at(m / blockLen)[m%blockLen] >= order
	})))
}

// nth returns the name of a message of a rank.
func (c *CriticalPath) nth(h *history, i int32) int32 {
	return h.blocks[i/blockLen]*blockLen + i%blockLen
}

// transfer is a message.
type transfer struct {
	at       units.Seconds
	acted    bool // it left when its rank acted, rather than later
	size     units.Bytes
	from, to int32
	tag      int32
	number   int32 // among those of its sender
}

// message returns a message without the time at which it started to leave.
func (c *CriticalPath) message(m int32) transfer {
	b, i := c.sent.at(m/blockLen), m%blockLen
	e := c.envelopes[b.envelope[i]]
	return transfer{size: e.size, tag: e.tag, from: b.from, to: b.to[i], number: b.number*blockLen + i}
}
