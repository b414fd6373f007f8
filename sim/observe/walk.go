package observe

import (
	"cmp"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// walk is a walk back along the critical path. Its position is time at on a rank: the
// end of the rank's first k words, or within the last span among them.
//
// Every step leads to an earlier time, or to something that came before at the same
// time. After more than one step per rank without progress in time, messages that take
// no time would lead round in a circle; then the walk stays on its rank.
type walk struct {
	visit   func(*Segment)
	segment Segment
	rank    int32
	k       int
	at      units.Seconds
	still   int // steps in a row that took no time

	reading
	arrivedAt map[message]units.Seconds // on a fabric

	// Messages by receiver and time of arrival, filled when first needed: those of rank
	// r are inbox[first[r]:first[r+1]].
	inbox  []message
	first  []int
	sorted []bool // by rank
}

// Path returns the critical path of what was observed.
func (c *CriticalPath) Path() *Path {
	segments := []Segment{}
	makespan := c.Walk(func(g *Segment) { segments = append(segments, *g) })
	slices.Reverse(segments)
	return newPath(makespan, segments)
}

// Walk calls visit with each segment of the critical path, the last first, and returns
// the makespan. visit must not keep the segment. It takes time proportional to the
// length of the path times the logarithm of the number of events; if it needs inboxes,
// also the time to sort them.
func (c *CriticalPath) Walk(visit func(*Segment)) units.Seconds {
	w := walk{reading: newReading(c), visit: visit}
	for _, p := range c.parts {
		for i := range p.ranks {
			if end := p.ranks[i].end; end > w.at {
				w.rank, w.at = p.first+int32(i), end
			}
		}
	}
	w.k = int(c.history(w.rank).records.n)
	makespan := w.at
	for w.at > 0 {
		before := w.at
		w.step()
		if w.still++; w.at < before {
			w.still = 0
		}
	}
	return makespan
}

// left returns when the sender's interface is free after a message.
func (w *walk) left(m message) units.Seconds {
	x := w.transfer(m)
	return x.at + w.network.Message(m.from, x.to, x.size).Transmission
}

// leaving returns the latest of the first n messages of the rank that left before most and kept its interface
// busy until t, within the rounding of times up to scale. If there is none, it looks at the streams beside the
// rank, then returns nobody.
func (w *walk) leaving(rank int32, n int, most, t, scale units.Seconds) message {
	m := w.leavingOf(rank, n, most, t, scale)
	if m == nobody {
		w.beside(rank, func(other int32) bool {
			m = w.leavingOf(other, w.sent(other), most, t, scale)
			return m != nobody
		})
	}
	return m
}

// leavingOf is leaving for the messages of the rank alone.
func (w *walk) leavingOf(rank int32, n int, most, t, scale units.Seconds) message {
	later := func(i int) bool {
		for ; i < n && w.within(message{rank, int32(i)}); i++ {
		}
		if i == n {
			return true
		}
		end := w.left(message{rank, int32(i)})
		return end > t && !near(end, t, scale)
	}
	i := n
	if n > 0 && later(n-1) {
		i = sort.Search(n-1, later)
	}
	for i--; i >= 0; i-- {
		m := message{rank, int32(i)}
		if w.within(m) {
			continue
		}
		if !near(w.left(m), t, scale) {
			break
		}
		if w.transfer(m).at < most {
			return m
		}
	}
	return nobody
}

// within reports whether a message is between a rank and its own stream; no interface carries these.
func (w *walk) within(m message) bool {
	if w.only == 0 {
		return false
	}
	to := w.transfer(m).to
	return m.from != to && m.from%w.only == to%w.only
}

// near reports whether two times are equal within a few roundings of times up to scale:
// 9 units in its last place.
func near(a, b, scale units.Seconds) bool { return max(a, b)-min(a, b) <= 2e-15*scale }

// step takes one span back.
func (w *walk) step() {
	last := *w.upToSpan(w.rank, w.k)
	if last == nothing || w.of(w.rank).ends(&last) < w.at { // the rank had finished
		w.emit(Segment{Kind: Interface, Rank: w.rank, To: w.rank, From: w.end(w.rank, last.end)})
		return
	}
	w.k = last.end
	s := w.span(w.rank, last)
	if s.waits > 0 { // two steps: the overhead, then the wait before it
		if w.at > s.waits {
			w.emit(w.segmentOf(s, s.waits))
			w.still = 0
		}
		s.to, s.part = s.waits, sim.PartWaitMessage
	}
	if s.from >= w.at {
		w.k = last.begin
		return
	}
	if w.at == s.to && w.still <= w.ranks() { // otherwise the rank did not wait for what happened then
		if w.explained(s) {
			return
		}
	}
	w.emit(w.segmentOf(s, s.from))
	w.k = last.begin
}

// segmentOf returns the segment for the part of a span that begins at since.
func (w *walk) segmentOf(s span, since units.Seconds) Segment {
	g := Segment{Kind: Kind(s.part.String()), Rank: w.rank, To: w.rank, From: since, ByMemory: s.byMemory}
	if m := w.handled(s); m != nobody {
		x := w.transfer(m)
		g.Sender, g.Receiver, g.Handled = m.from, x.to, x.size
	}
	return g
}

// handled returns the message that an overhead is spent on, where cores handle messages, or
// nobody. For a send overhead it is the latest message that left before the present span.
func (w *walk) handled(s span) message {
	switch {
	case !w.byCore:
	case s.part == sim.PartRecvOverhead:
		return s.cause
	case s.part == sim.PartSendOverhead && w.before(w.rank, w.k).isMessage():
		return message{w.rank, w.before(w.rank, w.k).messages}
	}
	return nobody
}

// explained continues the walk with what ended a wait, if that is known.
func (w *walk) explained(s span) bool {
	switch s.part {
	case sim.PartWaitMessage:
		if m := s.cause; m != nobody && w.within(m) {
			w.goOn(m.from) // a piece of work of a stream ended or began
			return true
		}
		if w.byCore {
			return w.arrival(s)
		}
		return w.awaited(s)
	case sim.PartWaitSend:
		switch {
		case w.network == nil:
			return w.waitForDelivery(s)
		case w.byCore:
			return w.waitToSend(s)
		}
		return w.waitToLeave(s)
	case sim.PartCollectiveCost:
		return w.collective(s.from)
	case sim.PartWaitEvent:
		return w.beside(w.rank, w.computed)
	}
	return false
}

// beside reports whether is holds for another of the rank and its streams, which share a core and an interface.
func (w *walk) beside(rank int32, is func(other int32) bool) bool {
	for n := rank % max(w.only, 1); w.only > 0 && int(n) < w.ranks(); n += w.only {
		if n != rank && is(n) {
			return true
		}
	}
	return false
}

// computed: a rank or stream has kept the core busy until the present.
func (w *walk) computed(rank int32) bool {
	k, ok := w.boundary(rank, w.at, w.at)
	if r := w.upToSpan(rank, k); !ok || *r == nothing || r.part() != sim.PartCompute {
		return false
	}
	w.goTo(rank, k)
	return true
}

// emit puts a segment from g.From to the present on the path. Because of rounding, From
// may lie in the future.
func (w *walk) emit(g Segment) {
	g.From, g.Until = min(g.From, w.at), w.at
	if w.only > 0 {
		for _, n := range [...]*int32{&g.Rank, &g.To, &g.Sender, &g.Receiver} {
			*n %= w.only
		}
	}
	w.segment = g // a field, so that g does not escape to visit
	w.visit(&w.segment)
	w.at = g.From
}

// put puts a message on the path, from the time it started to leave.
func (w *walk) put(k Kind, m message) {
	x := w.transfer(m)
	g := Segment{Kind: k, Rank: m.from, To: x.to, Tag: x.tag, Size: x.size, From: x.at}
	if k == Interface {
		g.Sender, g.Receiver, g.Handled = m.from, x.to, x.size
	}
	w.emit(g)
}

// goTo continues the walk at the end of the first k words of a rank.
func (w *walk) goTo(rank int32, k int) { w.rank, w.k = rank, k }

// goOn continues the walk with what a rank did at the present.
func (w *walk) goOn(rank int32) { w.goTo(rank, w.wordsUntil(rank, w.at)) }

// awaited: a wait that ended with a message, which was received then or, if there is
// none, found by a probe.
func (w *walk) awaited(s span) bool {
	m := s.cause
	if m == nobody {
		m = w.probed(s)
	}
	if m == nobody {
		return false
	}
	w.put(Message, m)
	w.leave(m)
	return true
}

// probed returns a message that arrived at the end of a span and was received later,
// or nobody.
func (w *walk) probed(s span) message {
	inbox := w.inboxOf(w.rank)
	i := sort.Search(len(inbox), func(i int) bool {
		t := w.arrives(inbox[i])
		return t >= s.to || near(t, s.to, s.to)
	})
	for ; i < len(inbox) && near(w.arrives(inbox[i]), s.to, s.to); i++ {
		if w.network == nil || !w.network.Rendezvous(w.transfer(inbox[i]).size) {
			return inbox[i]
		}
	}
	return nobody
}

// leave continues the walk with the reason why message m started to leave at the present.
func (w *walk) leave(m message) {
	most := w.sent(m.from) // messages of its interface
	w.beside(m.from, func(other int32) bool {
		most += w.sent(other)
		return false
	})
	for steps := 0; ; steps++ {
		x := w.transfer(m)
		if w.network == nil {
			if _, ok := w.boundary(m.from, x.at, x.at); !ok {
				// The receive let it flow.
				if k, ok := w.boundary(x.to, x.at, x.at); ok {
					w.goTo(x.to, k)
					return
				}
			}
			w.goOn(m.from)
			return
		}
		rendezvous := w.network.Rendezvous(x.size)
		if (w.byCore || !rendezvous) && x.at == w.end(m.from, x.begin) { // its rank acted
			w.goTo(m.from, x.begin)
			return
		}
		if w.byCore || steps > most {
			w.goOn(m.from)
			return
		}
		before := w.leaving(m.from, int(m.number), x.at, x.at, x.at)
		if before == nobody {
			if !rendezvous || !w.handshake(m, &x) {
				w.goOn(m.from)
			}
			return
		}
		w.put(Interface, before)
		m = before
	}
}

// waitForDelivery: on a fabric, a send that has ended because its data have arrived.
func (w *walk) waitForDelivery(s span) bool {
	for i := w.sentBefore(w.rank, w.k) - 1; i >= 0; i-- {
		m := message{w.rank, int32(i)}
		if w.arrives(m) == s.to {
			if x := w.transfer(m); x.at < s.to {
				w.put(Message, m)
				w.leave(m)
				return true
			}
		}
	}
	return false
}

// handshake: the data of a rendezvous left when the clearance came. See the top of
// sim/pointtopoint.go.
func (w *walk) handshake(m message, x *transfer) bool {
	cleared := max(0, x.at-w.network.Message(x.to, m.from, 0).Latency)
	if before := w.leaving(x.to, w.sent(x.to), x.at, cleared, x.at); before != nobody {
		w.handshakeSegment(x, x.to, m.from, w.left(before))
		w.put(Interface, before)
		w.leave(before)
		return true
	}
	if i, ok := w.boundary(x.to, cleared, x.at); ok {
		w.handshakeSegment(x, x.to, m.from, w.end(x.to, i))
		w.goTo(x.to, i)
		return true
	}
	// The receive was posted earlier, so the request arrived at that time.
	asked := max(0, cleared-w.network.Message(m.from, x.to, x.size).Latency)
	if before := w.leaving(m.from, int(m.number), x.at, asked, x.at); before != nobody {
		w.handshakeSegment(x, x.to, m.from, cleared)
		w.handshakeSegment(x, m.from, x.to, w.left(before))
		w.put(Interface, before)
		w.leave(before)
		return true
	}
	if i, ok := w.boundary(m.from, asked, x.at); ok {
		w.handshakeSegment(x, x.to, m.from, cleared)
		w.handshakeSegment(x, m.from, x.to, w.end(m.from, i))
		w.goTo(m.from, i)
		return true
	}
	return false
}

func (w *walk) handshakeSegment(x *transfer, from, to int32, since units.Seconds) {
	w.emit(Segment{Kind: Handshake, Rank: from, To: to, Tag: x.tag, From: since})
}

// waitToLeave: a rendezvous send that has left.
func (w *walk) waitToLeave(s span) bool {
	m := w.leaving(w.rank, w.sent(w.rank), s.to, s.to, s.to)
	if m == nobody {
		return false
	}
	w.put(Interface, m)
	w.leave(m)
	return true
}

// waitToSend: where the core handles messages, a wait for its interface, or for the
// match of a synchronous send.
func (w *walk) waitToSend(s span) bool {
	n := w.sent(w.rank)
	nth := func(i int) message { return message{w.rank, int32(i)} }
	own := w.sentBefore(w.rank, w.k)
	i := own
	if i > 0 && i < n && w.transfer(nth(i)).begin == w.k {
		if before := nth(i - 1); near(w.left(before), s.to, s.to) {
			w.put(Interface, before)
			w.leave(before)
			return true
		}
	}
	for i--; i >= 0; i-- {
		x := w.transfer(nth(i))
		if at, ok := w.of(x.to).matched[name{w.rank, x.order}]; ok && at == s.to {
			w.goOn(x.to)
			return true
		}
	}
	if before := w.leaving(w.rank, own, s.to, s.to, s.to); before != nobody {
		w.put(Interface, before)
		w.leave(before)
		return true
	}
	return false
}

// collective: a rank leaves a collective that began at or before from.
func (w *walk) collective(from units.Seconds) bool {
	e, ok := entry{}, false
	for _, p := range w.parts {
		if x, any := p.entries[w.at]; any && (!ok || x.earlier(e)) {
			e, ok = x, true
		}
	}
	waited := w.before(w.rank, w.before(w.rank, w.k).begin).part() == sim.PartWaitCollective
	if !ok || waited && e.at != from {
		return false
	}
	w.emit(Segment{Kind: Kind(sim.PartCollectiveCost.String()), Rank: w.rank, To: e.rank, From: e.at})
	w.goOn(e.rank)
	return true
}

// arrives returns when a message can be dealt with: where the core receives, from its
// first byte on, where the interface does, from its last. It is below 0 if a fabric has
// not delivered the message.
func (w *walk) arrives(m message) units.Seconds {
	if w.network == nil {
		return w.broughtAt(m)
	}
	x := w.transfer(m)
	c := w.network.Message(m.from, x.to, x.size)
	if w.byCore {
		return x.at + c.Latency
	}
	return x.at + c.Transmission + c.Latency
}

// broughtAt is arrives on a fabric.
func (w *walk) broughtAt(m message) units.Seconds {
	if w.arrivedAt == nil {
		w.arrivedAt = map[message]units.Seconds{}
		for _, p := range w.parts {
			for _, x := range p.arrived {
				w.arrivedAt[w.find(x.name)] = x.at
			}
		}
	}
	if at, ok := w.arrivedAt[m]; ok {
		return at
	}
	return -1
}

// fillInboxes finds the messages to each rank.
func (w *walk) fillInboxes() {
	w.first, w.sorted = make([]int, w.ranks()+1), make([]bool, w.ranks())
	w.eachMessage(func(_ message, to int32) { w.first[to+1]++ })
	for r := range w.ranks() {
		w.first[r+1] += w.first[r]
	}
	w.inbox = make([]message, w.first[w.ranks()])
	next := slices.Clone(w.first)
	w.eachMessage(func(m message, to int32) {
		w.inbox[next[to]] = m
		next[to]++
	})
}

// eachMessage calls visit with every message and its receiver.
func (w *walk) eachMessage(visit func(m message, to int32)) {
	for rank := range int32(w.ranks()) {
		for k := 0; k < int(w.history(rank).records.n); {
			for _, r := range w.around(rank, k) {
				if k = r.end; r.isMessage() {
					visit(message{rank, r.messages}, r.peer())
				}
			}
		}
	}
}

// inboxOf returns the messages to a rank, in order of arrival.
func (w *walk) inboxOf(rank int32) []message {
	if w.first == nil {
		w.fillInboxes()
	}
	inbox := w.inbox[w.first[rank]:w.first[rank+1]]
	if !w.sorted[rank] {
		w.sorted[rank] = true
		slices.SortFunc(inbox, func(a, b message) int {
			return cmp.Or(cmp.Compare(w.arrives(a), w.arrives(b)), cmp.Compare(a.from, b.from), cmp.Compare(a.number, b.number))
		})
	}
	return inbox
}

// arrival: where the core handles messages, it waited until any message arrived, or
// until its interface could receive one that had arrived.
func (w *walk) arrival(s span) bool {
	if s.cause == nobody {
		return false
	}
	if near(w.arrives(s.cause), s.to, s.to) {
		w.put(Message, s.cause)
		w.leave(s.cause)
		return true
	}
	// The interface was busy with the message before.
	return w.received(w.rank, w.before(w.rank, w.k).begin, s.to) || w.beside(w.rank, func(n int32) bool { return w.received(n, w.wordsUntil(n, s.to), s.to) })
}

// received: the last message dealt with in the first k words of a rank kept the interface busy until that time.
func (w *walk) received(rank int32, k int, until units.Seconds) bool {
	for r := (record{}); k > 0; k = r.begin {
		r = *w.before(rank, k)
		b := w.span(rank, r)
		if b.cause == nobody || w.within(b.cause) {
			continue
		}
		began := b.from // of its overhead
		switch {
		case b.part == sim.PartWaitMessage:
			began = b.to
		case b.waits > 0:
			began = b.waits
		}
		if began >= until { // of one beside
			continue
		}
		x := w.transfer(b.cause)
		if !near(began+w.network.Message(b.cause.from, x.to, x.size).Transmission, until, until) {
			return false
		}
		w.emit(Segment{Kind: Interface, Rank: rank, To: rank, Tag: x.tag, Size: x.size, From: began,
			Sender: b.cause.from, Receiver: rank, Handled: x.size})
		w.goTo(rank, w.wordsUntil(rank, began))
		return true
	}
	return false
}
