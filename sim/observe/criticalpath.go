package observe

import (
	"cmp"
	"slices"
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
// It keeps 24 bytes for each span and 52 for each message.
type CriticalPath struct {
	network  sim.Network
	byCore   bool
	told     int64 // events
	ranks    []history
	messages []transfer
	entries  map[units.Seconds]entry // into collectives, by when their cost is paid
}

// history is what a rank has done. Spans begin where the one before ended, the
// first at 0.
type history struct {
	spans    []span
	sent     []int32 // messages, in order
	received int32   // the latest message, or none
}

type span struct {
	to    units.Seconds
	told  int64 // number of this event
	cause int32 // PartWaitMessage: the latest message received before this was told, or none
	part  sim.Part
}

type transfer struct {
	at, received units.Seconds // received: before 0 if it was not
	told         int64
	size         units.Bytes
	order        uint32
	from, to     int32
	tag          int32
}

// entry is the earliest entry among those that ended with the same time.
type entry struct {
	at   units.Seconds
	rank int32
}

const none int32 = -1

var _ sim.Observer = (*CriticalPath)(nil)

// NewCriticalPath returns an observer of a run of that many ranks on the given
// network, which must be that of the run.
func NewCriticalPath(ranks int, n sim.Network) *CriticalPath {
	c := &CriticalPath{
		network: n,
		byCore:  n.Handling() == network.ByCore,
		ranks:   make([]history, ranks),
		entries: map[units.Seconds]entry{},
	}
	for r := range c.ranks {
		c.ranks[r].received = none
	}
	return c
}

func (c *CriticalPath) Span(x sim.Span) {
	c.told++
	h := &c.ranks[x.Rank]
	cause := none
	switch x.Part {
	case sim.PartWaitMessage:
		cause = h.received
	case sim.PartCollectiveCost:
		if n := len(h.spans); n > 0 && h.spans[n-1].part == sim.PartWaitCollective {
			break
		}
		e, ok := c.entries[x.To]
		if !ok || x.From < e.at || x.From == e.at && x.Rank < e.rank {
			c.entries[x.To] = entry{x.From, x.Rank}
		}
	}
	h.spans = append(h.spans, span{x.To, c.told, cause, x.Part})
}

func (c *CriticalPath) Sent(x sim.Sent) {
	c.told++
	h := &c.ranks[x.Rank]
	h.sent = append(h.sent, int32(len(c.messages)))
	c.messages = append(c.messages, transfer{at: x.At, received: -1, told: c.told, size: x.Size, order: x.Order, from: x.Rank, to: x.To, tag: x.Tag})
}

func (c *CriticalPath) Received(x sim.Received) {
	c.told++
	if x.From < 0 { // from a process, which nothing leads to
		c.ranks[x.Rank].received = none
		return
	}
	sent := c.ranks[x.From].sent
	i, _ := slices.BinarySearchFunc(sent, x.Order, func(m int32, order uint32) int { return cmp.Compare(c.messages[m].order, order) })
	c.messages[sent[i]].received = x.At
	c.ranks[x.Rank].received = sent[i]
}

// end returns when the first k spans of the rank end.
func (h *history) end(k int) units.Seconds {
	if k == 0 {
		return 0
	}
	return h.spans[k-1].to
}

// spansBefore returns how many spans of the rank were told before an event.
func (h *history) spansBefore(told int64) int {
	return sort.Search(len(h.spans), func(i int) bool { return h.spans[i].told >= told })
}

// boundary returns how many of the first k spans end by time t, if one of them
// ends at t but for the rounding of larger times up to scale.
func (h *history) boundary(k int, t, scale units.Seconds) (int, bool) {
	i := sort.Search(k, func(i int) bool { return h.spans[i].to > t && !near(h.spans[i].to, t, scale) })
	return i, near(h.end(i), t, scale)
}

// sentBefore returns how many messages of the rank were told of before an event.
func (c *CriticalPath) sentBefore(rank int32, told int64) int {
	sent := c.ranks[rank].sent
	return sort.Search(len(sent), func(i int) bool { return c.messages[sent[i]].told >= told })
}

// left returns when the sender's interface is free after a message.
func (c *CriticalPath) left(m int32) units.Seconds {
	x := &c.messages[m]
	return x.at + c.network.Message(x.from, x.to, x.size).Transmission
}

// leaving returns the latest of the first k messages of the rank that keep its
// interface busy until t, but for the rounding of times up to scale, or none.
func (c *CriticalPath) leaving(rank int32, k int, t, scale units.Seconds) int32 {
	sent := c.ranks[rank].sent[:k]
	i := sort.Search(k, func(i int) bool {
		end := c.left(sent[i])
		return end > t && !near(end, t, scale)
	})
	if i > 0 && near(c.left(sent[i-1]), t, scale) {
		return sent[i-1]
	}
	return none
}

// near reports whether two times are equal but for a few roundings of times up
// to scale: 9 units in its last place.
func near(a, b, scale units.Seconds) bool { return max(a, b)-min(a, b) <= 2e-15*scale }
