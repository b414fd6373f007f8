package waits

import (
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// Class is a kind of wait. Definitions are those of [Boehme2010] and Scalasca, made exact,
// because the simulator knows both ends of every wait:
//
//	late sender     until the sender calls its send
//	wrong order     the same, while another message is already sent whose receive the rank
//	                calls later
//	late receiver   of a sender, until the receiver calls its receive
//	barrier, N x N  in a call in which each waits for all: until the last of the ranks that
//	                the awaited message depends on has entered
//	late broadcast  the same in a call in which all wait for a root
//	early reduce    the same in a call in which the root waits for all
//	idle at the end from the end of the rank to that of the run
//	completion      the rest in a collective call
//	contention      the part of the rest that a message would have saved with all links to itself
//	transfer        the rest: latency, bytes, handshakes, busy interfaces
//	event           for an event, a process, the core that a stream has, or while the node is stopped
//
// Deviations from Scalasca: "until the last has entered" also holds for inner nodes of trees, and early
// reduce lasts until the last sender has entered, not the first.
type Class uint8

// Classes before Completion are due to a rank that is late.
const (
	LateSender Class = iota
	WrongOrder
	LateReceiver
	Barrier
	NxN
	LateBroadcast
	EarlyReduce
	Idle
	Completion
	Contention
	Transfer
	Event
	numClasses
)

// Classes are all classes.
var Classes = slices.Collect(func(yield func(Class) bool) {
	for c := LateSender; c < numClasses && yield(c); c++ {
	}
})

// Meaning is what a rank waits for.
func (c Class) Meaning() string {
	return [numClasses]string{"for senders that call send later", "for messages that overtake one that the process receives later",
		"of senders for receivers that call receive later", "for the last to enter a barrier",
		"for the last to enter a collective call in which each waits for all", "for the root of a collective call to enter",
		"of the root of a collective call for the others to enter", "from its end to that of the run", "in collective calls after all have entered",
		"due to shared links", "for latencies, bytes and handshakes of messages", "for events, processes and stopped nodes to start"}[c]
}

func (c Class) String() string {
	return [numClasses]string{"late sender", "wrong order", "late receiver", "barrier", "N x N", "late broadcast",
		"early reduce", "idle at the end", "completion", "contention", "transfer", "event"}[c]
}

// classOf returns the class of a wait for ranks that have not entered a collective call.
func classOf(c workloads.Collective) Class {
	switch c {
	case workloads.Barrier:
		return Barrier
	case workloads.Bcast, workloads.Scatter:
		return LateBroadcast
	case workloads.Reduce, workloads.Gather:
		return EarlyReduce
	}
	return NxN
}

const nobody int32 = -1

// message is a message between ranks, with its calls.
type message struct {
	sent          sim.Sent
	met           sim.Received
	send, receive *call
	first         *message // the first sent of those received later whose receive is called after their send
	entry                  // the latest that the message depends on in its collective call
}

// entry is the entry of a rank into a collective call.
type entry struct {
	at   units.Seconds
	rank int32
}

// later replaces the entry by x if x is later.
func (e *entry) later(x entry) {
	if x.at > e.at {
		*e = x
	}
}

type (
	meeting struct{ group, number int32 } // a collective call of a group
	visit   struct {
		meeting
		rank int32
	}
)

// analysis divides waits into pieces.
type analysis struct {
	*Recording
	byCore, byInterface bool
	alone               func(m *message) units.Seconds // how long it takes without other messages; nil: not known

	messages [][]*message       // by sender and order
	ended    map[entry]*message // by sender and the time when the sender need not wait any more
	visits   [][]*call          // by rank: where collective calls begin
	visit    map[visit]*call
	last     map[meeting]*entry // the latest entry
	queues   map[queue][]*call  // calls without a message so far

	// What is known so far, by rank.
	progress []progress
	pairs    map[[2]int32][2]units.Seconds // the last two times when one of the two received a message of the other

	given   []work        // what streams were given
	exposed units.Seconds // waits of ranks for their streams

	pieces [][]piece  // by rank
	told   [][2]int32 // all pieces of ranks in the order in which they were found: rank and index
	spent  []spent
}

// work is a piece of work of a stream of a rank.
type work struct {
	rank     int32
	from, to units.Seconds
}

// progress is how far a rank has come.
type progress struct {
	received, sent *message
	begun          units.Seconds // when the stream began its piece of work
	pending        []sim.Span    // waits whose message is not known yet
	call           *call         // that begins the latest collective call
	entry                        // the latest that the rank depends on there
}

// callAt returns the call that a rank is in at a time.
func (a *analysis) callAt(rank int32, t units.Seconds) *call {
	list := a.calls[rank]
	if len(list) == 0 {
		return &call{}
	}
	return &list[max(0, sort.Search(len(list), func(i int) bool { return list[i].at > t })-1)]
}

// findCalls finds the collective calls of ranks, and queues the calls that messages can belong to.
func (a *analysis) findCalls() {
	a.visits, a.visit, a.last = make([][]*call, len(a.calls)), map[visit]*call{}, map[meeting]*entry{}
	a.queues = map[queue][]*call{}
	for r := range a.calls {
		numbers := map[int32]int32{}
		var start *call
		for i := range a.calls[r] {
			c := &a.calls[r][i]
			if start != nil && (c.Collective == 0 || c.First || c.Kind == workloads.Measured) {
				start.end, start = c.at, nil
			}
			if start == nil && c.Collective != 0 {
				start, c.number = c, numbers[c.Group]
				numbers[c.Group]++
				v := visit{meeting{c.Group, c.number}, int32(r)}
				a.visits[r], a.visit[v] = append(a.visits[r], c), c
				if e := (entry{c.at, int32(r)}); a.last[v.meeting] == nil {
					a.last[v.meeting] = &e
				} else {
					a.last[v.meeting].later(e)
				}
			}
			c.start = start
			from := c.Peer
			if c.Kind == workloads.Sendrecv {
				from = c.From
			}
			if q := (queue{int32(r), c.Peer, c.Tag, c.Size, false}); sends[c.Kind] {
				a.queues[q] = append(a.queues[q], c)
			}
			if q := (queue{int32(r), from, max(c.Tag, workloads.AnyTag), 0, true}); receives[c.Kind] {
				a.queues[q] = append(a.queues[q], c)
			}
		}
	}
}

// queue identifies calls of a rank that can have the same messages: sends, or receives, whose size does not matter.
type queue struct {
	rank, peer, tag int32
	size            units.Bytes
	receives        bool
}

// sends and receives are the kinds of calls that have messages.
var (
	sends    = map[workloads.Kind]bool{workloads.Send: true, workloads.Isend: true, workloads.Sendrecv: true}
	receives = map[workloads.Kind]bool{workloads.Recv: true, workloads.Irecv: true, workloads.Sendrecv: true}
)

// take removes the earliest call from the queues and returns it, or a call at time none if they are empty.
func (a *analysis) take(none units.Seconds, queues ...queue) *call {
	var first *call
	var from queue
	for _, q := range queues {
		if list := a.queues[q]; len(list) > 0 && (first == nil || list[0].at < first.at) {
			first, from = list[0], q
		}
	}
	if first == nil {
		return &call{at: none}
	}
	a.queues[from] = a.queues[from][1:]
	return first
}

// findMessages finds messages and their calls. Within one pair and tag, messages are assigned to calls in the
// order of the sends and of the receives.
func (a *analysis) findMessages() {
	received := make([][]*message, len(a.calls))
	a.messages, a.ended = make([][]*message, len(a.calls)), map[entry]*message{}
	for _, x := range a.events {
		switch x := x.(type) {
		case sim.Sent:
			list := &a.messages[x.Rank]
			if more := int(x.Order) + 1 - len(*list); more > 0 {
				*list = append(*list, make([]*message, more)...)
			}
			(*list)[x.Order] = &message{sent: x, send: a.take(x.At, queue{x.Rank, x.To, x.Tag, x.Size, false})}
		case sim.Received:
			m := a.message(x.From, x.Order)
			if m == nil {
				continue
			}
			if a.within(x.From, x.Rank) {
				m.met = x
				continue
			}
			none, end := units.Seconds(0), entry{x.Arrived, x.From}
			if x.At > x.Arrived {
				none = x.At
			}
			if a.byCore {
				end.at = x.At
			}
			if !a.byInterface && a.ended[end] == nil {
				a.ended[end] = m
			}
			from := func(peer, tag int32) queue { return queue{x.Rank, peer, tag, 0, true} }
			m.met, m.receive = x, a.take(none, from(x.From, m.sent.Tag), from(workloads.AnySource, m.sent.Tag),
				from(x.From, workloads.AnyTag), from(workloads.AnySource, workloads.AnyTag))
			received[x.Rank] = append(received[x.Rank], m)
		}
	}
	for _, list := range received {
		var first *message
		for _, m := range slices.Backward(list) {
			m.first = first
			if m.receive.at > m.send.at && (first == nil || m.send.at < first.send.at) {
				first = m
			}
		}
	}
}

// within reports whether a message is between a rank and its stream: it says that a piece of work begins or has ended.
func (a *analysis) within(from, to int32) bool { return from != to && from%a.ranks == to%a.ranks }

// message returns a message, nil if it is from a process.
func (a *analysis) message(from int32, order uint32) *message {
	if from < 0 {
		return nil
	}
	return a.messages[from][order]
}

// find divides all waits until the end of the run into pieces.
func (a *analysis) find(end units.Seconds) {
	ranks := len(a.calls)
	a.progress, a.pieces, a.spent = make([]progress, ranks), make([][]piece, ranks), make([]spent, ranks)
	a.pairs = map[[2]int32][2]units.Seconds{}
	a.findCalls()
	a.findMessages()
	for _, x := range a.events {
		switch x := x.(type) {
		case sim.Span:
			a.span(x)
		case sim.Sent:
			m := a.message(x.Rank, x.Order)
			a.progress[x.Rank].sent = m
			if a.within(x.Rank, x.To) && x.Rank >= a.ranks {
				a.given = append(a.given, work{x.To, a.progress[x.Rank].begun, x.At})
			}
			if m.send.start != nil {
				m.entry = a.enter(x.Rank, m.send.start).entry
			}
		case sim.Received:
			a.received(x.Rank, a.message(x.From, x.Order))
		}
	}
	for _, x := range a.events { // ranks come after all of their streams, whose work may go on after a wait
		if x, ok := x.(sim.Span); ok && x.Rank < a.ranks {
			a.spent[x.Rank].add(x, a.beside(x))
		}
	}
	longest := int32(0)
	for r := range a.ranks {
		a.flush(r, nil)
		if a.spent[r].end() > a.spent[longest].end() {
			longest = r
		}
	}
	for r := range a.ranks {
		a.add(r, Idle, a.spent[r].end(), end, longest)
	}
}

// enter returns the progress of a rank in the collective call that begins with start.
func (a *analysis) enter(rank int32, start *call) *progress {
	p := &a.progress[rank]
	if start != p.call {
		p.call, p.entry = start, entry{start.at, rank}
	}
	return p
}

// received handles the receipt of a message, which is nil if it is from a process.
func (a *analysis) received(rank int32, m *message) {
	a.progress[rank].received = m
	a.flush(rank, m)
	if m == nil {
		return
	}
	if a.within(m.sent.Rank, m.sent.To) {
		a.progress[rank].begun = m.met.At
		return
	}
	if m.receive.start != nil && m.send.start != nil {
		a.enter(rank, m.receive.start).later(m.entry)
	}
	from, to := m.sent.Rank%a.ranks, m.sent.To%a.ranks
	key := [2]int32{min(from, to), max(from, to)}
	a.pairs[key] = [2]units.Seconds{a.pairs[key][1], m.met.At}
}

// flush classes the pending waits of a rank, which message m ended.
func (a *analysis) flush(rank int32, m *message) {
	p := &a.progress[rank]
	for _, x := range p.pending {
		a.forMessage(x, m)
	}
	p.pending = p.pending[:0]
}

func (a *analysis) span(x sim.Span) {
	p := &a.progress[x.Rank]
	switch x.Part {
	case sim.PartWaitMessage, sim.PartWaitCollective:
		if c := a.callAt(x.Rank, x.From); c.Kind == workloads.Measured {
			cause := a.last[meeting{c.Group, c.number}].rank
			if classOf(c.Collective) == LateBroadcast {
				cause = c.Peer
			}
			a.add(x.Rank, classOf(c.Collective), x.From, x.To, cause)
		} else if p.received != nil && p.received.met.At == x.To {
			a.forMessage(x, p.received)
		} else {
			p.pending = append(p.pending, x)
		}
	case sim.PartWaitSend:
		a.flush(x.Rank, nil)
		a.toSend(x)
	case sim.PartWaitEvent, sim.PartStopped:
		a.add(x.Rank, Event, x.From, x.To, nobody)
	}
	if x.Rank >= a.ranks {
		a.spent[x.Rank].add(x, 0)
	}
}

// beside returns how long streams of a rank compute during a span of the rank.
func (a *analysis) beside(x sim.Span) (t units.Seconds) {
	for n := x.Rank + a.ranks; int(n) < len(a.spent); n += a.ranks {
		t += a.spent[n].by(x.To)[0] - a.spent[n].by(x.From)[0]
	}
	return min(t, x.To-x.From)
}

// forMessage classes a wait for a message. If m is nil, the message is from a process, or the core waited to send.
func (a *analysis) forMessage(x sim.Span, m *message) {
	if m == nil {
		class := Event
		if a.byCore {
			class = Transfer
		}
		a.add(x.Rank, class, x.From, x.To, nobody)
		return
	}
	if a.within(m.sent.Rank, x.Rank) {
		a.forPiece(x, m.sent.Rank)
		return
	}
	class, late, cause, rest := LateSender, m.send.at, m.sent.Rank, Transfer
	if c := m.send.start; c != nil {
		class, late, cause, rest = classOf(c.Collective), m.entry.at, m.entry.rank, Completion
	} else if other := m.first; other != nil && other.receive.at >= x.To && other.send.at < min(late, x.To) {
		alone := max(x.From, other.send.at)
		a.add(x.Rank, class, x.From, alone, cause)
		class, x.From = WrongOrder, alone
	}
	a.late(x, class, late, cause, rest, m)
}

// forPiece classes a wait of a rank for its stream, or of a stream for its rank. While the other waited, the wait has
// the class and the cause of the other's wait; while the other worked, it is the rest of the stream's collective call.
func (a *analysis) forPiece(x sim.Span, other int32) {
	if x.Rank < a.ranks {
		a.exposed += x.To - x.From
	}
	list := a.pieces[other]
	for i := sort.Search(len(list), func(i int) bool { return list[i].to > x.From }); i < len(list) && list[i].from < x.To; i++ {
		p := list[i]
		a.add(x.Rank, Completion, x.From, p.from, nobody)
		a.add(x.Rank, p.class, max(x.From, p.from), min(x.To, p.to), p.cause)
		x.From = min(x.To, p.to)
	}
	a.add(x.Rank, Completion, x.From, x.To, nobody)
}

// toSend classes a wait for the end of a send.
func (a *analysis) toSend(x sim.Span) {
	m := a.progress[x.Rank].sent
	if !a.byInterface {
		m = a.ended[entry{x.To, x.Rank}]
	}
	if m == nil || m.receive == nil {
		a.add(x.Rank, Transfer, x.From, x.To, nobody)
		return
	}
	class, late, rest := LateReceiver, m.receive.at, Transfer
	if c := m.receive.start; c != nil {
		late, rest = c.at, Completion
		if k := classOf(c.Collective); k == NxN || k == Barrier {
			class = k
		}
	}
	if !a.byCore {
		late = min(late, m.sent.At) // from when data flow, they do not wait for a receive
	}
	a.late(x, class, late, m.sent.To, rest, m)
}

// late divides a wait for a message, or for the end of its send, into the time until a rank did its part and the rest.
func (a *analysis) late(x sim.Span, class Class, until units.Seconds, cause int32, rest Class, m *message) {
	until = max(x.From, min(until, x.To))
	free := x.To
	if a.alone != nil {
		took := m.met.Arrived - m.sent.At
		if over := took - a.alone(m); over > units.Seconds(1e-9*took) {
			free = max(until, min(x.To, m.met.Arrived)-over)
		}
	}
	a.add(x.Rank, class, x.From, until, cause)
	a.add(x.Rank, rest, until, free, nobody)
	a.add(x.Rank, Contention, free, x.To, nobody)
}

// add adds a piece, unless it is empty.
func (a *analysis) add(rank int32, c Class, from, to units.Seconds, cause int32) {
	if !(from < to) {
		return
	}
	if cause != nobody {
		cause %= a.ranks
	}
	p := piece{from: from, to: to, rank: rank, cause: cause, class: c}
	if rank >= a.ranks { // a stream: its waits are charged where its rank waits for it
		a.pieces[rank] = append(a.pieces[rank], p)
		return
	}
	if cause != nobody {
		p.since, p.known = a.since(rank, cause, from, to), len(a.pieces[cause])
	}
	if n := len(a.pieces[rank]); n > 0 {
		p.before = a.pieces[rank][n-1].before + a.pieces[rank][n-1].to - a.pieces[rank][n-1].from
	}
	a.told = append(a.told, [2]int32{rank, int32(len(a.pieces[rank]))})
	a.pieces[rank] = append(a.pieces[rank], p)
}

// since returns when a rank that waits from from on last met the rank that caused its wait: when one received a
// message of the other, or the first of the two left a collective call. It returns 0 if they did not meet.
func (a *analysis) since(rank, cause int32, from, to units.Seconds) units.Seconds {
	var t units.Seconds
	for _, at := range a.pairs[[2]int32{min(rank, cause), max(rank, cause)}] {
		if at <= from {
			t = max(t, at)
		}
	}
	mine := a.visits[rank]
	n := sort.Search(len(mine), func(i int) bool { return mine[i].end > from })
	for i := n - 1; i >= max(0, n-mostVisits); i-- {
		other := a.visit[visit{meeting{mine[i].Group, mine[i].number}, cause}]
		if other != nil && other.end <= to {
			return max(t, min(mine[i].end, other.end))
		}
	}
	return t
}

// mostVisits is how many collective calls of a rank are searched for one that another rank shared.
const mostVisits = 32

// alone returns how long messages take that have a fabric to themselves. REQUIRES: the fabric is idle.
func alone(f sim.Fabric, ranks int32) func(*message) units.Seconds {
	known, now := map[sim.Sent]units.Seconds{}, units.Seconds(0)
	return func(m *message) units.Seconds {
		k := sim.Sent{Rank: m.sent.Rank % ranks, To: m.sent.To % ranks, Size: m.sent.Size}
		if _, ok := known[k]; !ok {
			begin := now
			ok := f.Transfer(now, k.Rank, k.To, k.Size, 0) == nil
			for ended := []int32(nil); ok && len(ended) == 0; ended = f.Advance(now, nil) {
				now, ok = f.Next()
			}
			known[k] = now - begin
		}
		return known[k]
	}
}

// States divides the waits of a run that ended at time end. n is the network of the run, nil for a fabric.
// f may then be an unused copy of the fabric; without it, contention counts as transfer.
func (r *Recording) States(end units.Seconds, n sim.Network, f sim.Fabric) *States {
	a := &analysis{Recording: r}
	if n != nil {
		a.byCore = n.Handling() == network.ByCore
		a.byInterface = !a.byCore
	} else if f != nil {
		a.alone = alone(f, a.ranks)
	}
	a.find(end)
	return a.states(end)
}
