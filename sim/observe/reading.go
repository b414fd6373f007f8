package observe

import (
	"sort"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// reading reads what a [CriticalPath] has recorded. Where a walk stands in the list of a rank is told by the number of
// words up to the end of a record.
type reading struct {
	*CriticalPath
	lists  map[int32]*place
	pages  [1 << 6]page
	latest message
	known  transfer // the transfer of latest
}

// place is what is known of a list that has been read: its pieces and rows, and where something was found last. A walk
// leads to neighbours.
type place struct {
	pieces              []uint32
	words, row, message int
}

// page has the records of the piece of a rank that begins with a word.
type page struct {
	rank    int32
	begin   int
	records []record
}

func newReading(c *CriticalPath) reading {
	return reading{CriticalPath: c, lists: map[int32]*place{}, latest: nobody}
}

// message identifies a message by its place among those of its sender.
type message struct{ from, number int32 }

var nobody = message{from: none}

// ranks returns how many ranks there are.
func (c *CriticalPath) ranks() int {
	last := c.parts[len(c.parts)-1]
	return int(last.first) + len(last.ranks)
}

// history returns the history of a rank, with all its records.
func (c *CriticalPath) history(rank int32) *history {
	p := c.of(rank)
	h := &p.ranks[rank-p.first]
	p.keep(h)
	return h
}

// list returns what is known of the list of a rank.
func (w *reading) list(rank int32) *place {
	if w.lists[rank] == nil {
		w.lists[rank] = &place{pieces: w.of(rank).records.pieces(w.history(rank).records)}
	}
	return w.lists[rank]
}

// search returns the least i below n for which is holds, as it does for all greater ones, or n. It is fast near a guess.
func search(n, guess int, is func(i int) bool) int {
	below, found := -1, n
	for i, step := min(guess, n-1), 1; below < i && i < found; step *= 2 {
		if is(i) {
			found, i = i, i-step
		} else {
			below, i = i, i+step
		}
	}
	return below + 1 + sort.Search(found-below-1, func(i int) bool { return is(below + 1 + i) })
}

// link returns the link of the piece with word i of a rank.
func (w *reading) link(rank int32, i int) *link {
	return w.of(rank).records.link(placeOf(w.list(rank).pieces, int32(i)) >> pieceBits)
}

// around returns the records of the piece with word i of a rank.
func (w *reading) around(rank int32, i int) []record {
	begin := i &^ (1<<pieceBits - 1)
	p := &w.pages[(int(rank)*31+begin>>pieceBits)&(len(w.pages)-1)]
	if p.rank != rank || p.begin != begin || len(p.records) == 0 {
		at, of := placeOf(w.list(rank).pieces, int32(begin)), w.of(rank)
		words := of.records.from(at)[:min(1<<pieceBits, int(w.history(rank).records.n)-begin)]
		*p = page{rank, begin, of.readPiece(p.records[:0], words, begin, of.records.link(at>>pieceBits).messages)}
	}
	return p.records
}

// nothing is the record before the first.
var nothing record

// before returns the last record within the first k words of a rank, or nothing. It stays until more is read.
func (w *reading) before(rank int32, k int) *record {
	for k > 0 {
		all := w.around(rank, k-1)
		for i := len(all) - 1; i >= 0; i-- {
			if all[i].end <= k {
				return &all[i]
			}
		}
		k = all[0].begin
	}
	return &nothing
}

// upToSpan is before without messages that are not spans.
func (w *reading) upToSpan(rank int32, k int) *record {
	r := w.before(rank, k)
	for r.part() == leaves {
		if k = r.begin; k > 0 && k&(1<<pieceBits-1) == 0 {
			k = int(w.link(rank, k).spans)
		}
		r = w.before(rank, k)
	}
	return r
}

// end returns the end of the last span within the first k words of the rank.
func (w *reading) end(rank int32, k int) units.Seconds { return w.of(rank).ends(w.upToSpan(rank, k)) }

// unpack returns the envelope and the order of a message of which a fact has that lower half, and which is sent after
// that many others.
func (p *part) unpack(about uint32, others int32) (envelope, uint32) {
	if about>>31 == 0 {
		return p.envelopes[about&(1<<envelopeBits-1)], uint32(others) + about>>envelopeBits
	}
	u := p.unpacked[^about]
	return p.envelopes[u.envelope], u.order
}

// span is a stretch of a rank's time.
type span struct {
	from, to units.Seconds
	part     sim.Part
	byMemory bool
	waits    units.Seconds // end of the wait, if a receive overhead follows in the same record; otherwise 0
	cause    message       // what it is about, or nobody; for a wait, the latest message received before its report
}

// span returns a span of a rank.
func (w *reading) span(rank int32, r record) span {
	s := span{from: w.end(rank, r.begin), to: w.of(rank).ends(&r), part: r.part(), cause: nobody}
	switch from := r.peer(); {
	case s.part >= joined:
		s.waits, s.part = r.to, sim.PartRecvOverhead
		s.cause = w.find(name{from, r.about()})
	case s.part == sends:
		s.part = sim.PartSendOverhead
	case from == none, s.part == leaves:
	case s.part == sim.PartCompute:
		s.byMemory = true
	default:
		s.cause = w.find(name{from, r.about()})
	}
	return s
}

// sent returns how many messages a rank has sent.
func (w *reading) sent(rank int32) int { return int(w.history(rank).records.messages) }

// sentBefore returns how many messages are within the first k words of a rank.
func (w *reading) sentBefore(rank int32, k int) int {
	r := w.before(rank, k)
	if r.isMessage() {
		return int(r.messages) + 1
	}
	return int(r.messages)
}

// recordOf returns the record of a message. It stays until more is read.
func (w *reading) recordOf(m message) *record {
	records, of := &w.of(m.from).records, w.list(m.from)
	after := search(len(of.pieces), of.row+1, func(i int) bool { return records.link(of.pieces[i]).messages > m.number })
	of.row = after - 1
	i, end, piece := first(of.row), min(first(after), int(w.history(m.from).records.n)), of.pieces[of.row]
	for i+1<<pieceBits < end && records.link(piece+1).messages <= m.number {
		i, piece = i+1<<pieceBits, piece+1
	}
	all := w.around(m.from, i)
	for i := range all {
		if r := &all[i]; r.messages == m.number && r.isMessage() {
			return r
		}
	}
	panic("a message is not where its number says")
}

// find returns the message with a name. The orders of a rank have gaps, because requests and
// clearances are numbered too, and on a fabric the data of a later message may flow first.
func (w *reading) find(x name) message {
	n := int32(w.sent(x.from))
	order := func(i int32) uint32 { return w.transfer(message{x.from, i}).order }
	likely := min(int32(x.order), n-1)
	if w.network != nil && order(likely) != x.order {
		latest := &w.list(x.from).message
		*latest = search(int(n), *latest, func(i int) bool { return order(int32(i)) >= x.order })
		likely = int32(*latest)
	}
	for d := int32(0); d < n; d++ {
		for _, i := range [2]int32{likely - d, likely + d} {
			if 0 <= i && i < n && order(i) == x.order {
				return message{x.from, i}
			}
		}
	}
	return nobody
}

// wordsUntil returns how many words of the rank there are up to the last span that begins before t.
func (w *reading) wordsUntil(rank int32, t units.Seconds) int {
	at := &w.list(rank).words
	*at = search(int(w.history(rank).records.n), *at, func(k int) bool { return w.end(rank, k) >= t })
	return *at
}

// boundary returns the number of words of the rank until time t, and whether a span
// ends at t, within the rounding of times up to scale.
func (w *reading) boundary(rank int32, t, scale units.Seconds) (int, bool) {
	at := &w.list(rank).words
	*at = search(int(w.history(rank).records.n)+1, *at, func(k int) bool {
		to := w.end(rank, k)
		return to > t && !near(to, t, scale)
	})
	k := w.before(rank, *at-1).end // before the first span that ends later
	return k, near(w.end(rank, k), t, scale)
}

// transfer is the record of a message, unpacked.
type transfer struct {
	envelope
	at    units.Seconds
	order uint32
	begin int // words of its sender before its record
	to    int32
}

// transfer unpacks the record of a message. It keeps the latest for repeated calls.
func (w *reading) transfer(m message) transfer {
	if w.latest == m {
		return w.known
	}
	r := w.recordOf(m)
	x := transfer{begin: r.begin, at: r.to, to: r.peer()}
	x.envelope, x.order = w.of(m.from).unpack(r.about(), m.number)
	if r.part() != leaves {
		x.at = w.end(m.from, r.begin)
	}
	w.latest, w.known = m, x
	return x
}
