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
// It ends, because every step leads to events that were told earlier, or to an
// earlier time.
type walk struct {
	*CriticalPath
	segments []Segment
	rank     int32
	k        int
	at       units.Seconds
	inboxes  [][]int32 // by receiver: messages by arrival, if the core handles them
}

// Path returns the critical path of what was observed. It takes a time
// proportional to its length times the logarithm of the number of events, and
// where the core handles messages, once more to sort those.
func (c *CriticalPath) Path() *Path {
	w := walk{CriticalPath: c, segments: []Segment{}}
	for r := range c.ranks {
		h := &c.ranks[r]
		if end := h.end(len(h.spans)); end > w.at {
			w.rank, w.k, w.at = int32(r), len(h.spans), end
		}
	}
	if c.byCore {
		w.sortInboxes()
	}
	makespan := w.at
	for w.at > 0 {
		w.step()
	}
	slices.Reverse(w.segments)
	return newPath(makespan, w.segments)
}

// step takes one span back.
func (w *walk) step() {
	h := &w.ranks[w.rank]
	if h.end(w.k) < w.at {
		w.unexplained()
		return
	}
	s, from := &h.spans[w.k-1], h.end(w.k-1)
	if from >= w.at {
		w.k--
		return
	}
	if w.at == s.to { // else the rank did not wait for what happened then
		switch s.part {
		case sim.PartWaitMessage:
			if w.byCore && w.arrival(s) || !w.byCore && w.awaited(s) {
				return
			}
		case sim.PartWaitSend:
			if w.byCore && w.waitToSend(s) || !w.byCore && w.waitToLeave(s) {
				return
			}
		case sim.PartCollectiveCost:
			if w.collective(from) {
				return
			}
		}
	}
	w.emit(Segment{Kind: Kind(s.part.String()), Rank: w.rank, To: w.rank, From: from})
	w.k--
}

// emit puts a segment from g.From to the present on the path. By rounding, From
// may lie in the future.
func (w *walk) emit(g Segment) {
	g.From, g.Until = min(g.From, w.at), w.at
	w.segments = append(w.segments, g)
	w.at = g.From
}

// message puts a message on the path, from the time it started to leave.
func (w *walk) message(k Kind, m int32) {
	x := &w.messages[m]
	w.emit(Segment{Kind: k, Rank: x.from, To: x.to, Tag: x.tag, Size: x.size, From: x.at})
}

// goTo goes on at a rank with its first k spans.
func (w *walk) goTo(rank int32, k int) { w.rank, w.k = rank, k }

// unexplained takes a step back at a rank of which nothing that was told by then
// says what it did at the present: what it did as it turned out.
func (w *walk) unexplained() {
	h := &w.ranks[w.rank]
	w.k = sort.Search(len(h.spans), func(i int) bool { return h.spans[i].to >= w.at })
	kind := Interface // the rank had finished
	if w.k < len(h.spans) {
		kind = Kind(h.spans[w.k].part.String())
	}
	w.emit(Segment{Kind: kind, Rank: w.rank, To: w.rank, From: h.end(w.k)})
}

// awaited: a wait that ended with a message: the one received last or, if that came
// at another time, one that a probe has found.
func (w *walk) awaited(s *span) bool {
	m := s.cause
	if m == none || w.messages[m].received != s.to {
		m = w.probed(s)
	}
	if m == none {
		return false
	}
	w.message(Message, m)
	w.leave(m)
	return true
}

// probed returns a message that arrived at the end of a span and was received later,
// or none.
func (w *walk) probed(s *span) int32 {
	if w.inboxes == nil {
		w.sortInboxes()
	}
	inbox := w.inboxes[w.rank]
	i := sort.Search(len(inbox), func(i int) bool {
		t := w.arrives(inbox[i])
		return t >= s.to || near(t, s.to, s.to)
	})
	for ; i < len(inbox) && near(w.arrives(inbox[i]), s.to, s.to); i++ {
		if x := &w.messages[inbox[i]]; x.told < s.told && !w.network.Rendezvous(x.size) {
			return inbox[i]
		}
	}
	return none
}

// leave goes on with the reason why message m started to leave at the present.
func (w *walk) leave(m int32) {
	for {
		x := &w.messages[m]
		h := &w.ranks[x.from]
		k := h.spansBefore(x.told)
		rendezvous := w.network.Rendezvous(x.size)
		if w.byCore || !rendezvous && h.end(k) >= x.at {
			w.goTo(x.from, k)
			return
		}
		before := w.leaving(x.from, w.sentBefore(x.from, x.told), x.at, x.at)
		if before == none {
			if !rendezvous || !w.handshake(x) {
				w.goTo(x.from, k)
			}
			return
		}
		w.message(Interface, before)
		m = before
	}
}

// handshake: the data of a rendezvous left when its clearance came. See the top
// of sim/pointtopoint.go.
func (w *walk) handshake(x *transfer) bool {
	cleared := max(0, x.at-w.network.Message(x.to, x.from, 0).Latency)
	receiver := &w.ranks[x.to]
	k := receiver.spansBefore(x.told)
	if before := w.leaving(x.to, w.sentBefore(x.to, x.told), cleared, x.at); before != none {
		w.handshakeSegment(x, x.to, x.from, w.left(before))
		w.message(Interface, before)
		w.leave(before)
		return true
	}
	if i, ok := receiver.boundary(k, cleared, x.at); ok {
		w.handshakeSegment(x, x.to, x.from, receiver.end(i))
		w.goTo(x.to, i)
		return true
	}
	// The receive was posted before: the request came at that time.
	asked := max(0, cleared-w.network.Message(x.from, x.to, x.size).Latency)
	sender := &w.ranks[x.from]
	if before := w.leaving(x.from, w.sentBefore(x.from, x.told), asked, x.at); before != none {
		w.handshakeSegment(x, x.to, x.from, cleared)
		w.handshakeSegment(x, x.from, x.to, w.left(before))
		w.message(Interface, before)
		w.leave(before)
		return true
	}
	if i, ok := sender.boundary(sender.spansBefore(x.told), asked, x.at); ok {
		w.handshakeSegment(x, x.to, x.from, cleared)
		w.handshakeSegment(x, x.from, x.to, sender.end(i))
		w.goTo(x.from, i)
		return true
	}
	return false
}

func (w *walk) handshakeSegment(x *transfer, from, to int32, since units.Seconds) {
	w.emit(Segment{Kind: Handshake, Rank: from, To: to, Tag: x.tag, From: since})
}

// waitToLeave: a rendezvous send that has left.
func (w *walk) waitToLeave(s *span) bool {
	m := w.leaving(w.rank, w.sentBefore(w.rank, s.told), s.to, s.to)
	if m == none {
		return false
	}
	w.message(Interface, m)
	w.leave(m)
	return true
}

// waitToSend: where the core handles messages, it waits for its interface, or
// for a synchronous send to be matched.
func (w *walk) waitToSend(s *span) bool {
	sent := w.ranks[w.rank].sent
	i := w.sentBefore(w.rank, s.told)
	if i > 0 && i < len(sent) && w.messages[sent[i]].at == s.to && near(w.left(sent[i-1]), s.to, s.to) {
		w.message(Interface, sent[i-1])
		w.leave(sent[i-1])
		return true
	}
	for i--; i >= 0; i-- {
		if x := &w.messages[sent[i]]; x.received == s.to && w.network.Rendezvous(x.size) {
			w.goTo(x.to, w.ranks[x.to].spansBefore(s.told))
			return true
		}
	}
	return false
}

// collective: a rank leaves a collective that has begun at or before from.
func (w *walk) collective(from units.Seconds) bool {
	e, ok := w.entries[w.at]
	waited := w.k > 1 && w.ranks[w.rank].spans[w.k-2].part == sim.PartWaitCollective
	if !ok || waited && e.at != from {
		return false
	}
	w.emit(Segment{Kind: Kind(sim.PartCollectiveCost.String()), Rank: w.rank, To: e.rank, From: e.at})
	h := &w.ranks[e.rank]
	w.goTo(e.rank, sort.Search(len(h.spans), func(i int) bool { return h.spans[i].to > e.at }))
	return true
}

// arrives returns when a message can be dealt with: by the core, which receives it
// itself, or by the interface, when its last byte has come.
func (w *walk) arrives(m int32) units.Seconds {
	x := &w.messages[m]
	c := w.network.Message(x.from, x.to, x.size)
	if w.byCore {
		return x.at + c.Latency
	}
	return x.at + c.Transmission + c.Latency
}

func (w *walk) sortInboxes() {
	w.inboxes = make([][]int32, len(w.ranks))
	for m := range w.messages {
		to := w.messages[m].to
		w.inboxes[to] = append(w.inboxes[to], int32(m))
	}
	for _, inbox := range w.inboxes {
		slices.SortFunc(inbox, func(a, b int32) int {
			x, y := &w.messages[a], &w.messages[b]
			return cmp.Or(cmp.Compare(w.arrives(a), w.arrives(b)), cmp.Compare(x.from, y.from), cmp.Compare(x.order, y.order))
		})
	}
}

// arrival: where the core handles messages, it waited until one arrived, which
// need not be the one that it expects, or until its interface could receive one
// that had arrived.
func (w *walk) arrival(s *span) bool {
	inbox := w.inboxes[w.rank]
	i := sort.Search(len(inbox), func(i int) bool {
		t := w.arrives(inbox[i])
		return t >= s.to || near(t, s.to, s.to)
	})
	for j := i; j < len(inbox) && near(w.arrives(inbox[j]), s.to, s.to); j++ {
		if w.messages[inbox[j]].told < s.told {
			w.message(Message, inbox[j])
			w.leave(inbox[j])
			return true
		}
	}
	h := &w.ranks[w.rank]
	for i--; i >= 0; i-- {
		x := &w.messages[inbox[i]]
		began := s.to - w.network.Message(x.from, x.to, x.size).Transmission
		if k, ok := h.boundary(w.k-1, began, s.to); ok && began < s.to && (w.arrives(inbox[i]) <= began || near(w.arrives(inbox[i]), began, s.to)) {
			w.emit(Segment{Kind: Interface, Rank: w.rank, To: w.rank, Tag: x.tag, Size: x.size, From: h.end(k)})
			w.goTo(w.rank, k)
			return true
		}
	}
	return false
}
