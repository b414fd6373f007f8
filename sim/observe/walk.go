package observe

import (
	"cmp"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// walk is a walk back along the critical path. What is behind is in segments,
// the last first. It goes on at the end of the first k spans of the rank, or
// within the last of them, at time at.
//
// Every step leads to an earlier time, or to something at the same time that came
// before it. Of the latter there are not more than there are ranks; when messages that
// take no time would lead round in a circle, the walk stays on its rank instead.
type walk struct {
	*CriticalPath
	segments []Segment
	rank     int32
	k        int
	at       units.Seconds
	still    int       // steps that took no time
	blocks   [][]int32 // by rank: of its spans, once they have been asked for

	// Messages by receiver and time of arrival, once they have been asked for: those
	// of rank r are inbox[first[r]:first[r+1]].
	inbox  []int32
	first  []int
	sorted []bool // by rank
}

// Path returns the critical path of what was observed. It takes a time
// proportional to its length times the logarithm of the number of events, and
// where the core handles messages, once more to sort those.
func (c *CriticalPath) Path() *Path {
	w := walk{CriticalPath: c, segments: []Segment{}, blocks: make([][]int32, len(c.ranks))}
	for r := range c.ranks {
		h := &c.ranks[r]
		if h.spans == 0 {
			continue
		}
		if end := c.recentEnd(h, 0); end > w.at {
			w.rank, w.k, w.at = int32(r), int(h.spans), end
		}
	}
	makespan := w.at
	for w.at > 0 {
		before := w.at
		w.step()
		if w.still++; w.at < before {
			w.still = 0
		}
	}
	slices.Reverse(w.segments)
	return newPath(makespan, w.segments)
}

// span is a stretch of a rank's time.
type span struct {
	from, to units.Seconds
	part     sim.Part
	cause    int32 // of a wait for a message: the latest message received before it was told, or none
}

// place returns where span i of a rank is.
func (w *walk) place(rank int32, i int) (*spanBlock, int) {
	h := &w.ranks[rank]
	if w.blocks[rank] == nil && h.spans > 0 {
		list := make([]int32, (h.spans+blockLen-1)/blockLen)
		b := h.lastSpans
		for n := len(list) - 1; n >= 0; n-- {
			list[n], b = b, w.spans.at(b).before
		}
		w.blocks[rank] = list
	}
	return w.spans.at(w.blocks[rank][i/blockLen]), i % blockLen
}

// end returns when the first k spans of the rank end.
func (w *walk) end(rank int32, k int) units.Seconds {
	if k == 0 {
		return 0
	}
	b, i := w.place(rank, k-1)
	return b.to[i]
}

// span returns span i of a rank.
func (w *walk) span(rank int32, i int) span {
	b, j := w.place(rank, i)
	return span{w.end(rank, i), b.to[j], partOf(b.part[j]), causeOf(b.part[j])}
}

// spansUntil returns how many spans of the rank begin before t.
func (w *walk) spansUntil(rank int32, t units.Seconds) int {
	n := int(w.ranks[rank].spans)
	return sort.Search(n, func(i int) bool { return w.end(rank, i) >= t })
}

// boundary returns how many spans of the rank end by time t, if one of them
// ends at t but for the rounding of larger times up to scale.
func (w *walk) boundary(rank int32, t, scale units.Seconds) (int, bool) {
	i := sort.Search(int(w.ranks[rank].spans), func(i int) bool {
		to := w.end(rank, i+1)
		return to > t && !near(to, t, scale)
	})
	return i, near(w.end(rank, i), t, scale)
}

// transfer returns a message.
func (w *walk) transfer(m int32) transfer {
	x := w.message(m)
	if after := w.sent.at(m / blockLen).after[m%blockLen]; after >= 0 {
		x.at, x.acted = w.end(x.from, int(after)), true
	} else {
		x.at = *w.apart.at(^after)
	}
	return x
}

// left returns when the sender's interface is free after a message.
func (w *walk) left(m int32) units.Seconds {
	x := w.transfer(m)
	return x.at + w.network.Message(x.from, x.to, x.size).Transmission
}

// leaving returns the latest of the first n messages of the rank that left before
// most and keep its interface busy until t, but for the rounding of times up to scale,
// or none.
func (w *walk) leaving(rank int32, n int, most, t, scale units.Seconds) int32 {
	h := &w.ranks[rank]
	i := sort.Search(n, func(i int) bool {
		end := w.left(w.nth(h, int32(i)))
		return end > t && !near(end, t, scale)
	})
	for i--; i >= 0; i-- {
		m := w.nth(h, int32(i))
		if !near(w.left(m), t, scale) {
			break
		}
		if w.transfer(m).at < most {
			return m
		}
	}
	return none
}

// near reports whether two times are equal but for a few roundings of times up
// to scale: 9 units in its last place.
func near(a, b, scale units.Seconds) bool { return max(a, b)-min(a, b) <= 2e-15*scale }

// step takes one span back.
func (w *walk) step() {
	if w.end(w.rank, w.k) < w.at { // the rank had finished
		w.emit(Segment{Kind: Interface, Rank: w.rank, To: w.rank, From: w.end(w.rank, w.k)})
		return
	}
	s := w.span(w.rank, w.k-1)
	if s.from >= w.at {
		w.k--
		return
	}
	if w.at == s.to && w.still <= len(w.ranks) { // else the rank did not wait for what happened then
		if w.explained(s) {
			return
		}
	}
	w.emit(Segment{Kind: Kind(s.part.String()), Rank: w.rank, To: w.rank, From: s.from})
	w.k--
}

// explained goes on with what ended a wait, if that is known.
func (w *walk) explained(s span) bool {
	switch s.part {
	case sim.PartWaitMessage:
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
	}
	return false
}

// emit puts a segment from g.From to the present on the path. By rounding, From
// may lie in the future.
func (w *walk) emit(g Segment) {
	g.From, g.Until = min(g.From, w.at), w.at
	w.segments = append(w.segments, g)
	w.at = g.From
}

// put puts a message on the path, from the time it started to leave.
func (w *walk) put(k Kind, m int32) {
	x := w.transfer(m)
	w.emit(Segment{Kind: k, Rank: x.from, To: x.to, Tag: x.tag, Size: x.size, From: x.at})
}

// goTo goes on at a rank with its first k spans.
func (w *walk) goTo(rank int32, k int) { w.rank, w.k = rank, k }

// goOn goes on at a rank with what it did at the present.
func (w *walk) goOn(rank int32) { w.goTo(rank, w.spansUntil(rank, w.at)) }

// awaited: a wait that ended with a message: the one received then or, if there is
// none, one that a probe has found.
func (w *walk) awaited(s span) bool {
	m := s.cause
	if m == none {
		m = w.probed(s)
	}
	if m == none {
		return false
	}
	w.put(Message, m)
	w.leave(m)
	return true
}

// probed returns a message that arrived at the end of a span and was received later,
// or none.
func (w *walk) probed(s span) int32 {
	inbox := w.inboxOf(w.rank)
	i := sort.Search(len(inbox), func(i int) bool {
		t := w.arrives(inbox[i])
		return t >= s.to || near(t, s.to, s.to)
	})
	for ; i < len(inbox) && near(w.arrives(inbox[i]), s.to, s.to); i++ {
		if w.network == nil || !w.network.Rendezvous(w.message(inbox[i]).size) {
			return inbox[i]
		}
	}
	return none
}

// leave goes on with the reason why message m started to leave at the present.
func (w *walk) leave(m int32) {
	for steps := 0; ; steps++ {
		x := w.transfer(m)
		if w.network == nil {
			if _, ok := w.boundary(x.from, x.at, x.at); !ok {
				// Its receive let it flow.
				if k, ok := w.boundary(x.to, x.at, x.at); ok {
					w.goTo(x.to, k)
					return
				}
			}
			w.goOn(x.from)
			return
		}
		rendezvous := w.network.Rendezvous(x.size)
		if w.byCore || !rendezvous && x.acted || steps > int(w.ranks[x.from].sent) {
			w.goOn(x.from)
			return
		}
		before := w.leaving(x.from, int(x.number), x.at, x.at, x.at)
		if before == none {
			if !rendezvous || !w.handshake(&x) {
				w.goOn(x.from)
			}
			return
		}
		w.put(Interface, before)
		m = before
	}
}

// waitForDelivery: on a fabric, a send that has ended because its data have arrived.
func (w *walk) waitForDelivery(s span) bool {
	h := &w.ranks[w.rank]
	for i := h.sent - 1; i >= 0; i-- {
		m := w.nth(h, i)
		if w.arrived.at(m / blockLen)[m%blockLen] == s.to {
			if x := w.transfer(m); x.at < s.to {
				w.put(Message, m)
				w.leave(m)
				return true
			}
		}
	}
	return false
}

// handshake: the data of a rendezvous left when its clearance came. See the top
// of sim/pointtopoint.go.
func (w *walk) handshake(x *transfer) bool {
	cleared := max(0, x.at-w.network.Message(x.to, x.from, 0).Latency)
	if before := w.leaving(x.to, int(w.ranks[x.to].sent), x.at, cleared, x.at); before != none {
		w.handshakeSegment(x, x.to, x.from, w.left(before))
		w.put(Interface, before)
		w.leave(before)
		return true
	}
	if i, ok := w.boundary(x.to, cleared, x.at); ok {
		w.handshakeSegment(x, x.to, x.from, w.end(x.to, i))
		w.goTo(x.to, i)
		return true
	}
	// The receive was posted before: the request came at that time.
	asked := max(0, cleared-w.network.Message(x.from, x.to, x.size).Latency)
	if before := w.leaving(x.from, int(x.number), x.at, asked, x.at); before != none {
		w.handshakeSegment(x, x.to, x.from, cleared)
		w.handshakeSegment(x, x.from, x.to, w.left(before))
		w.put(Interface, before)
		w.leave(before)
		return true
	}
	if i, ok := w.boundary(x.from, asked, x.at); ok {
		w.handshakeSegment(x, x.to, x.from, cleared)
		w.handshakeSegment(x, x.from, x.to, w.end(x.from, i))
		w.goTo(x.from, i)
		return true
	}
	return false
}

func (w *walk) handshakeSegment(x *transfer, from, to int32, since units.Seconds) {
	w.emit(Segment{Kind: Handshake, Rank: from, To: to, Tag: x.tag, From: since})
}

// waitToLeave: a rendezvous send that has left.
func (w *walk) waitToLeave(s span) bool {
	m := w.leaving(w.rank, int(w.ranks[w.rank].sent), s.to, s.to, s.to)
	if m == none {
		return false
	}
	w.put(Interface, m)
	w.leave(m)
	return true
}

// waitToSend: where the core handles messages, it waits for its interface, or
// for a synchronous send to be matched.
func (w *walk) waitToSend(s span) bool {
	h := &w.ranks[w.rank]
	n := int(h.sent)
	i := sort.Search(n, func(i int) bool { return w.transfer(w.nth(h, int32(i))).at >= s.to })
	if i > 0 && i < n && w.transfer(w.nth(h, int32(i))).at == s.to {
		if before := w.nth(h, int32(i-1)); near(w.left(before), s.to, s.to) {
			w.put(Interface, before)
			w.leave(before)
			return true
		}
	}
	for i--; i >= 0; i-- {
		m := w.nth(h, int32(i))
		if at, ok := w.matched[m]; ok && at == s.to {
			w.goOn(w.message(m).to)
			return true
		}
	}
	return false
}

// collective: a rank leaves a collective that has begun at or before from.
func (w *walk) collective(from units.Seconds) bool {
	e, ok := w.entries[w.at]
	waited := w.k > 1 && w.span(w.rank, w.k-2).part == sim.PartWaitCollective
	if !ok || waited && e.at != from {
		return false
	}
	w.emit(Segment{Kind: Kind(sim.PartCollectiveCost.String()), Rank: w.rank, To: e.rank, From: e.at})
	w.goOn(e.rank)
	return true
}

// arrives returns when a message can be dealt with: by the core, which receives it
// itself, or by the interface, when its last byte has come.
func (w *walk) arrives(m int32) units.Seconds {
	if w.network == nil {
		return w.arrived.at(m / blockLen)[m%blockLen]
	}
	x := w.transfer(m)
	c := w.network.Message(x.from, x.to, x.size)
	if w.byCore {
		return x.at + c.Latency
	}
	return x.at + c.Transmission + c.Latency
}

// fillInboxes finds the messages to each rank.
func (w *walk) fillInboxes() {
	w.first, w.sorted = make([]int, len(w.ranks)+1), make([]bool, len(w.ranks))
	w.eachMessage(func(_, to int32) { w.first[to+1]++ })
	for r := range w.ranks {
		w.first[r+1] += w.first[r]
	}
	w.inbox = make([]int32, w.first[len(w.ranks)])
	next := slices.Clone(w.first)
	w.eachMessage(func(m, to int32) {
		w.inbox[next[to]] = m
		next[to]++
	})
}

// eachMessage calls visit with every message and its receiver.
func (w *walk) eachMessage(visit func(m, to int32)) {
	for r := range w.ranks {
		h := &w.ranks[r]
		for i := range h.sent {
			m := w.nth(h, i)
			visit(m, w.sent.at(m / blockLen).to[m%blockLen])
		}
	}
}

// inboxOf returns the messages to a rank, in order of arrival.
func (w *walk) inboxOf(rank int32) []int32 {
	if w.first == nil {
		w.fillInboxes()
	}
	inbox := w.inbox[w.first[rank]:w.first[rank+1]]
	if !w.sorted[rank] {
		w.sorted[rank] = true
		slices.SortFunc(inbox, func(a, b int32) int {
			x, y := w.transfer(a), w.transfer(b)
			return cmp.Or(cmp.Compare(w.arrives(a), w.arrives(b)), cmp.Compare(x.from, y.from),
				cmp.Compare(x.number, y.number))
		})
	}
	return inbox
}

// arrival: where the core handles messages, it waited until one arrived, which
// need not be the one that it expects, or until its interface could receive one
// that had arrived.
func (w *walk) arrival(s span) bool {
	inbox := w.inboxOf(w.rank)
	i := sort.Search(len(inbox), func(i int) bool {
		t := w.arrives(inbox[i])
		return t >= s.to || near(t, s.to, s.to)
	})
	if i < len(inbox) && near(w.arrives(inbox[i]), s.to, s.to) {
		w.put(Message, inbox[i])
		w.leave(inbox[i])
		return true
	}
	for i--; i >= 0; i-- {
		x := w.transfer(inbox[i])
		began := s.to - w.network.Message(x.from, x.to, x.size).Transmission
		if k, ok := w.boundary(w.rank, began, s.to); ok && began < s.to &&
			(w.arrives(inbox[i]) <= began || near(w.arrives(inbox[i]), began, s.to)) {
			w.emit(Segment{Kind: Interface, Rank: w.rank, To: w.rank, Tag: x.tag, Size: x.size, From: w.end(w.rank, k)})
			w.goTo(w.rank, k)
			return true
		}
	}
	return false
}
