package observe

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// CriticalPath finds the operations and messages that determine the makespan of a run:
// a chain from time 0 to the end of the last rank, in which none could begin before the
// previous one had ended. The run can become faster only if the chain does.
//
// [CriticalPath.Path] walks back from the end. Operations lead to the operation
// before them on the same rank; time spent waiting leads to what was waited for:
//
//   - Waiting for a message leads to its sender, at the time at which the message
//     started to leave. The time in between is on the path as a message, with its
//     transmission and latency. Where the core handles messages (LogGOPS), a message
//     starts to leave when the core turns to it, so this time includes the send
//     overhead.
//   - A message that left late because the sender's network interface was busy
//     leads to the message before it. So does waiting to send, and, where the
//     core handles messages, a message that found the receiver's interface busy.
//   - Data of a rendezvous that left late lead to the receiver, which sent the
//     clearance when it posted the receive, or through the receiver to the sender's
//     request. A synchronous send that waits leads to the receiver that matched it.
//   - A collective of measured cost leads to the rank that let it begin: the last
//     to enter or, where all wait for the root, the root.
//
// On a fabric a message leads to its sender at the time when its data began to flow or,
// if the sender was doing something else then, to the receiver, whose receive let them
// flow. A send that waits for its delivery leads to the message.
//
// # Ties
//
// Where several events determine a time, one is chosen. Of ranks that finish last, it
// is the lowest. Of reasons for a message to leave, an action of the core comes first,
// then the interface, then the handshake. Of messages that arrive at the same instant,
// it is the one with which the engine ended the wait: the last in the engine's order of
// arrival (see package sim) or, where the core handles messages, the first. Of ranks
// that enter a collective last, it is the lowest.
//
// # What is inferred
//
// Observers are not told of requests and clearances, of interfaces, or of the ranks of a
// collective. Their times are computed from the network of the run and looked up among
// the events. If none is found, the wait itself is on the path, and the path stays on
// its rank; then an event that the path does not show may determine the makespan. The
// same happens where the root of a Reduce or Gather waits, a collective costs nothing,
// or a probe waits for the request of a rendezvous. A clearance at the same time as
// another act of the receiver, or two groups whose collectives end at the same instant,
// can lead to the wrong rank. The path never has gaps.
//
// It keeps 13 bytes for each span, which with a receive overhead may be one with the wait before it, and then takes 4.4 if
// the wait is as long as the one before; for a message with its send overhead 4.4, if the overhead is as usual; for
// another message 4.4, or 13 if it leaves later than the span before it ends. Each can take 4.4 more, unless its order
// follows from others, or for another message than the last. In each 128 bytes, up to two records take 13 in any case. In
// rare cases it keeps more: 24 bytes for a message whose size and tag were not used recently, 8 for one whose order
// differs much from the number of messages before it. On a fabric a message takes 24 more. A rank takes 56, 16 more where
// cores do not handle messages, and up to 140 unused.
type CriticalPath struct {
	network sim.Network // nil on a fabric
	byCore  bool
	only    int32 // number of ranks without their streams; 0: there are no streams
	width   int32 // ranks of a part
	parts   []*part
}

// part is the record of a range of ranks: of all, unless the run divides them
// ([CriticalPath.Divide]).
type part struct {
	onFabric  bool
	network   sim.Network     // nil unless cores handle messages
	overheads []units.Seconds // the first few receive overheads that messages of these ranks cause
	first     int32           // rank of ranks[0]
	ranks     []history
	heard     []heard // by rank; nil where the spans say which message each is about
	records   records
	unpacked  []unpacked
	arrived   []arrival              // on a fabric
	matched   map[name]units.Seconds // when synchronous messages have met their receive

	envelopes []envelope
	recent    [1 << recentBits]int32  // places of recently used envelopes, by hash
	latest    int32                   // place of the envelope of the latest message
	entries   map[units.Seconds]entry // into collectives, by the end of their cost
}

// history is what a rank has done. Each span begins where the previous one ended, the first at 0. The latest may not be
// among the records yet, because it can become one with the message that follows.
type history struct {
	end, before units.Seconds // of the latest span and, if it is not among the records, of the one before
	latest      fact          // of the latest span; 0: it is among the records
	records     list
}

// heard is the latest message that a rank has received, if a rank sent it.
type heard struct {
	name
	at units.Seconds
}

// name identifies a message as the engine does.
type name struct {
	from  int32
	order uint32
}

// unpacked has the envelope and order of a message that do not fit into its record.
type unpacked struct {
	envelope int32
	order    uint32
}

// envelopeBits is how many of the 31 bits of a packed message are for its envelope. The other bits are for its order
// minus the number of messages before it, which is not 0 because requests and clearances have orders too.
const envelopeBits = 20

// envelope is what many messages have in common.
type envelope struct {
	size     units.Bytes
	tag      int32
	overhead units.Seconds // of the send, where cores handle messages, of the first of them
}

// arrival is when a message arrived.
type arrival struct {
	name
	at units.Seconds
}

// entry is the earliest entry into a collective, among those that ended at the same time.
type entry struct {
	at   units.Seconds
	rank int32
}

func (e entry) earlier(f entry) bool { return e.at < f.at || e.at == f.at && e.rank < f.rank }

const none int32 = -1

var _ sim.Observer = (*CriticalPath)(nil)

// NewCriticalPath returns an observer of a run with that many ranks. n must be the
// network of the run, or nil if it has a fabric.
func NewCriticalPath(ranks int, n sim.Network) *CriticalPath {
	c := &CriticalPath{network: n, byCore: n != nil && n.Handling() == network.ByCore}
	c.Divide(int32(ranks), int32(ranks))
	return c
}

// Divide returns one observer for every width neighbouring ranks (fewer for the last). They
// may be called at the same time. The engine calls Divide once, before the run. It panics
// for more than 33 554 431 ranks and streams, which need over 15 GB.
func (c *CriticalPath) Divide(ranks, width int32) []sim.Observer {
	var list []sim.Observer
	if c.width == max(width, 1) { // as NewCriticalPath made it
		return append(list, c.parts[0])
	}
	if ranks > maxRanks {
		panic(fmt.Sprintf("a critical path of %d ranks and streams; expected at most %d", ranks, maxRanks))
	}
	c.width, c.parts = max(width, 1), nil
	for first := int32(0); first == 0 || first < ranks; first += c.width {
		p := &part{onFabric: c.network == nil, first: first,
			ranks:   make([]history, min(width, ranks-first)),
			matched: map[name]units.Seconds{}, entries: map[units.Seconds]entry{}}
		inHugePages(p.ranks)
		if c.byCore {
			p.network = c.network
		}
		if !c.byCore || c.only > 0 {
			p.heard = slices.Repeat([]heard{{name: name{from: none}}}, len(p.ranks))
		}
		c.parts, list = append(c.parts, p), append(list, p)
	}
	return list
}

// Beside announces a run whose ranks have streams. On the path, what these do has the
// number of their rank.
func (c *CriticalPath) Beside(ranks, streams int32) {
	if c.only, c.width = ranks, 0; c.network != nil {
		c.network = ofRanks{c.network, ranks}
	}
	c.Divide(ranks*(1+streams), ranks*(1+streams))
}

// ofRanks prices the messages of streams.
type ofRanks struct {
	sim.Network
	ranks int32
}

func (n ofRanks) Message(from, to int32, size units.Bytes) network.Cost {
	return n.Network.Message(from%n.ranks, to%n.ranks, size)
}

// of returns the part of a rank.
func (c *CriticalPath) of(rank int32) *part {
	if rank < c.width { // saves the division if there is one part
		return c.parts[0]
	}
	return c.parts[rank/c.width]
}

func (c *CriticalPath) Span(x sim.Span)         { c.of(x.Rank).Span(x) }
func (c *CriticalPath) Sent(x sim.Sent)         { c.of(x.Rank).Sent(x) }
func (c *CriticalPath) Received(x sim.Received) { c.of(x.Rank).Received(x) }

// keep puts the latest span of a rank among the records.
func (p *part) keep(h *history) {
	if h.latest == 0 {
		return
	}
	p.records.add(&h.records, h.latest, h.end)
	h.latest = 0
}

func (p *part) Span(x sim.Span) {
	h := &p.ranks[x.Rank-p.first]
	cause := name{from: none}
	switch x.Part {
	case sim.PartCompute:
		if x.ByMemory {
			cause.from = 0
		}
	case sim.PartWaitMessage, sim.PartRecvOverhead:
		if x.Handles {
			cause = name{x.Sender, x.Order}
		} else if p.heard != nil && x.Part == sim.PartWaitMessage {
			if m := p.heard[x.Rank-p.first]; m.at == x.To { // otherwise a probe has waited
				cause = m.name
			}
		}
	case sim.PartCollectiveCost:
		if h.latest != 0 && h.latest.part() == sim.PartWaitCollective {
			break
		}
		if e, ok := p.entries[x.To]; !ok || (entry{x.From, x.Rank}).earlier(e) {
			p.entries[x.To] = entry{x.From, x.Rank}
		}
	}
	p.keep(h)
	h.before, h.end, h.latest = h.end, x.To, newFact(x.Part, cause.from, cause.order).withTime()
}

// Handles joins a wait and its receive overhead if the overhead is one of the known ones, to the last bit.
func (p *part) Handles(rank, sender int32, order uint32, since, until units.Seconds) {
	h := &p.ranks[rank-p.first]
	for i, d := range p.overheads {
		if since+d == until {
			p.keep(h)
			timing := h.records.timeOfWait(h.end, since)
			p.records.add(&h.records, newFact(joined+sim.Part(i), sender, order)|timing, since)
			h.end = until
			return
		}
	}
	if since > h.end {
		p.Span(sim.Span{Rank: rank, Part: sim.PartWaitMessage, To: since, Handles: true, Sender: sender, Order: order})
	}
	if until > since {
		p.Span(sim.Span{Rank: rank, Part: sim.PartRecvOverhead, To: until, Handles: true, Sender: sender, Order: order})
	}
}

func (p *part) Sends(x sim.Sent, until units.Seconds) {
	h := &p.ranks[x.Rank-p.first]
	p.keep(h)
	p.sends(h, &x, h.end, until)
}

// sends adds a message with its send overhead, which is the latest span.
func (p *part) sends(h *history, x *sim.Sent, from, until units.Seconds) {
	f, overhead := p.message(sends, h, x)
	if from+overhead != until {
		f = f.withTime()
	}
	p.records.add(&h.records, f, until)
	h.end, h.latest = until, 0
}

func (p *part) Sent(x sim.Sent) {
	h := &p.ranks[x.Rank-p.first]
	if h.latest == newFact(sim.PartSendOverhead, none, 0).withTime() && x.At == h.before { // which is that of the message
		p.sends(h, &x, h.before, h.end)
		return
	}
	p.keep(h)
	f, _ := p.message(leaves, h, &x)
	if x.At != h.end {
		f = f.withTime()
	}
	p.records.add(&h.records, f, x.At)
}

// message returns the fact of a message, and the send overhead of its envelope.
func (p *part) message(part sim.Part, h *history, x *sim.Sent) (fact, units.Seconds) {
	envelope := p.envelope(x)
	about := x.Order - uint32(h.records.messages) // the order, packed
	if envelope < 1<<envelopeBits && about < 1<<(31-envelopeBits) {
		about = about<<envelopeBits | uint32(envelope)
	} else {
		about = ^uint32(len(p.unpacked))
		p.unpacked = append(p.unpacked, unpacked{envelope, x.Order})
	}
	return newFact(part, x.To, about), p.envelopes[envelope].overhead
}

// recentBits is the length of the hash of an envelope. A look into recent costs a fraction of a look into a map
// of all envelopes. Where many envelopes alternate, the duplicates take no more memory than such a map.
const recentBits = 8

// envelope returns the number of the envelope of a message, which it adds if it is neither the latest nor in recent.
func (p *part) envelope(x *sim.Sent) int32 {
	if p.has(p.latest, x) {
		return p.latest
	}
	recent := &p.recent[(math.Float64bits(float64(x.Size))^uint64(x.Tag))*0x9e3779b97f4a7c15>>(64-recentBits)]
	if !p.has(*recent, x) {
		*recent = int32(len(p.envelopes))
		e := envelope{size: x.Size, tag: x.Tag}
		if p.network != nil {
			cost := p.network.Message(x.Rank, x.To, x.Size)
			e.overhead = cost.SendOverhead
			if d := cost.RecvOverhead; len(p.overheads) < 1<<partBits-int(joined) && d > 0 && !slices.Contains(p.overheads, d) {
				p.overheads = append(p.overheads, d)
			}
		}
		p.envelopes = append(p.envelopes, e)
	}
	p.latest = *recent
	return p.latest
}

// has reports whether the envelope with that number, if there is one, is that of a message.
func (p *part) has(number int32, x *sim.Sent) bool {
	if int(number) >= len(p.envelopes) {
		return false
	}
	e := &p.envelopes[number]
	return e.size == x.Size && e.tag == x.Tag
}

func (p *part) Received(x sim.Received) {
	m := name{x.From, x.Order}
	if x.From < 0 { // from a process, which has no history
		m.from = none
	}
	if p.heard != nil {
		p.heard[x.Rank-p.first] = heard{m, x.At}
	}
	switch {
	case m.from == none:
	case p.onFabric:
		p.arrived = append(p.arrived, arrival{m, x.Arrived})
	case x.Synchronous:
		p.matched[m] = x.At
	}
}
