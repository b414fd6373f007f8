package watch

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// MostListed is the number of spans and messages, taken together, up to which a recorder
// keeps them. For a larger run it keeps only the bins.
const MostListed = 100_000

// The bins have at most this many rows of ranks and columns of time.
const (
	mostRows    = timeline.MostRows
	mostColumns = timeline.MostColumns
)

// narrowest is the width of a column while the bins are empty.
var narrowest = units.Seconds(math.Ldexp(1, -1000))

// Recorder records a run. It is a [sim.Observer]. It fills no bins while it keeps the spans, but from these at the end,
// when the width of the columns is known and filling is cheaper, or once there are too many to keep.
type Recorder struct {
	rankCount       int
	ranks           []record // nil if there is too much to keep
	spans, messages int      // observed, kept or not
	limit           int

	rowRanks int
	width    units.Seconds // of a column, a power of 2
	bins     [][]binTimes  // by row, by column
	end      units.Seconds

	traffic *Traffic // also of a run that is too large to keep
}

type record struct {
	spans  []span
	sent   []message
	places []int32 // indices in sent, by the order of the message; untold for one that is not reported
}

const untold int32 = -1

// place notes that the message of an order comes next in sent.
func (l *record) place(order uint32) {
	for uint32(len(l.places)) <= order { // usually once; the requests of rendezvous have orders, too
		l.places = append(l.places, untold)
	}
	l.places[order] = int32(len(l.sent))
}

// find returns the message of an order, nil if it was not reported.
func (l *record) find(order uint32) *message {
	if order >= uint32(len(l.places)) || l.places[order] == untold {
		return nil
	}
	return &l.sent[l.places[order]]
}

type span struct {
	to   units.Seconds
	part sim.Part
}

type message struct {
	leaves, arrives, received units.Seconds // the last two are negative if it was not received
	size                      units.Bytes
	to, tag                   int32
}

// binTimes is the time that the ranks of a row spend in a column, by kind.
type binTimes [timeline.BinKinds]units.Seconds

var _ sim.Observer = (*Recorder)(nil)

// NewRecorder returns an observer of a run of that many ranks.
func NewRecorder(ranks int) *Recorder {
	r := &Recorder{
		rankCount: ranks,
		ranks:     make([]record, ranks),
		limit:     MostListed,
		rowRanks:  max(1, (ranks+mostRows-1)/mostRows),
		width:     narrowest,
		traffic:   NewTraffic(ranks),
	}
	r.bins = make([][]binTimes, (ranks+r.rowRanks-1)/r.rowRanks)
	return r
}

func (r *Recorder) keeps() bool {
	if r.spans+r.messages <= r.limit {
		return true
	}
	r.fillKept()
	r.ranks = nil
	return false
}

func (r *Recorder) Span(x sim.Span) {
	r.spans++
	if r.ranks != nil && r.keeps() {
		l := &r.ranks[x.Rank]
		l.spans = append(l.spans, span{x.To, x.Part})
		r.end = max(r.end, x.To)
		return
	}
	r.fill(x.Rank, x.From, x.To, x.Part)
}

func (r *Recorder) Sent(x sim.Sent) {
	r.messages++
	r.traffic.Sent(x)
	if r.ranks != nil && r.keeps() {
		l := &r.ranks[x.Rank]
		l.place(x.Order)
		l.sent = append(l.sent, message{leaves: x.At, arrives: -1, received: -1, size: x.Size, to: x.To, tag: x.Tag})
	}
}

func (r *Recorder) Received(x sim.Received) {
	if r.ranks == nil || x.From < 0 { // from a process, which has no rank
		return
	}
	if m := r.ranks[x.From].find(x.Order); m != nil {
		m.arrives, m.received = x.Arrived, x.At
	}
}

// fillKept adds the kept spans to the bins, unless that was done.
func (r *Recorder) fillKept() {
	if r.width != narrowest {
		return
	}
	r.widen(r.end)
	for rank := range r.ranks {
		from := units.Seconds(0)
		for _, s := range r.ranks[rank].spans {
			r.fill(int32(rank), from, s.to, s.part)
			from = s.to
		}
	}
}

func (r *Recorder) fill(rank int32, from, to units.Seconds, part sim.Part) {
	kind := kindOf(part)
	if kind >= timeline.BinKinds {
		return
	}
	r.widen(to)
	width := r.width
	row := &r.bins[int(rank)/r.rowRanks]
	first, last := int(from/width), min(int(to/width), mostColumns-1)
	if *row == nil {
		*row = make([]binTimes, 0, mostColumns)
	}
	for len(*row) <= last {
		*row = append(*row, binTimes{})
	}
	// Widths are powers of 2, so ends of columns are exact. The loop has no max and min: in a browser they are calls.
	for c := first; c < last; c++ {
		end := units.Seconds(c+1) * width
		(*row)[c][kind] += end - from
		from = end
	}
	(*row)[last][kind] += to - from
}

// widen doubles the width of the columns until they reach t.
func (r *Recorder) widen(t units.Seconds) {
	if r.width == narrowest && t > mostColumns*narrowest { // nothing to merge
		part, exponent := math.Frexp(float64(t) / mostColumns)
		if part == 0.5 {
			exponent--
		}
		r.width = units.Seconds(math.Ldexp(1, exponent))
	}
	for ; t > mostColumns*r.width; r.width *= 2 {
		for i, row := range r.bins {
			for c := range row {
				if c%2 == 0 {
					row[c/2] = row[c]
					continue
				}
				for k := range row[c] {
					row[c/2][k] += row[c][k]
				}
			}
			r.bins[i] = row[:(len(row)+1)/2]
		}
	}
}

// Timeline returns the record of a run that ended at time end. The names of ranks,
// the path and the use of links may be nil.
func (r *Recorder) Timeline(end units.Seconds, names []string, path *observe.Path,
	use *timeline.LinkUse) *timeline.Timeline {
	t := &timeline.Timeline{
		Ranks: r.rankCount, Tick: timeline.TickOf(end), Names: names, Parts: parts, PathKinds: pathKinds,
		Spans: r.spans, Messages: r.messages, RanksPerRow: r.rowRanks,
	}
	t.End = t.Ticks(end)
	r.fillKept()
	r.addBins(t, end)
	if r.ranks != nil {
		r.addSpans(t)
		r.addMessages(t)
	}
	if path != nil {
		addPath(t, path)
	}
	t.Use = use
	return t
}

func (r *Recorder) addSpans(t *timeline.Timeline) {
	t.SpanFirst = append(make([]uint32, 0, r.rankCount+1), 0)
	t.SpanEnd, t.SpanPart = make([]uint32, 0, r.spans), make([]uint8, 0, r.spans)
	for i := range r.ranks {
		for _, s := range r.ranks[i].spans {
			t.SpanEnd = append(t.SpanEnd, t.Ticks(s.to))
			t.SpanPart = append(t.SpanPart, uint8(s.part))
		}
		t.SpanFirst = append(t.SpanFirst, uint32(len(t.SpanEnd)))
	}
}

func (r *Recorder) addMessages(t *timeline.Timeline) {
	t.MessageFirst = append(make([]uint32, 0, r.rankCount+1), 0)
	for _, times := range []*[]uint32{&t.MessageTo, &t.MessageLeaves, &t.MessageArrives, &t.MessageReceived} {
		*times = make([]uint32, 0, r.messages)
	}
	t.MessageSize, t.MessageTag = make([]float64, 0, r.messages), make([]int32, 0, r.messages)
	for i := range r.ranks {
		sent, byTime := r.ranks[i].sent, func(a, b message) int { return cmp.Compare(a.leaves, b.leaves) }
		if !slices.IsSortedFunc(sent, byTime) { // they usually are
			sent = slices.Clone(sent)
			slices.SortStableFunc(sent, byTime)
		}
		for _, m := range sent {
			arrives, received := timeline.Never, timeline.Never
			if m.received >= 0 {
				arrives, received = t.Ticks(m.arrives), t.Ticks(m.received)
			}
			t.MessageTo = append(t.MessageTo, uint32(m.to))
			t.MessageLeaves = append(t.MessageLeaves, t.Ticks(m.leaves))
			t.MessageArrives = append(t.MessageArrives, arrives)
			t.MessageReceived = append(t.MessageReceived, received)
			t.MessageSize = append(t.MessageSize, float64(m.size))
			t.MessageTag = append(t.MessageTag, m.tag)
		}
		t.MessageFirst = append(t.MessageFirst, uint32(len(t.MessageTo)))
	}
}

// addBins adds the share of each kind in each row and column.
func (r *Recorder) addBins(t *timeline.Timeline, end units.Seconds) {
	t.Rows = len(r.bins)
	if end <= 0 || r.spans == 0 {
		return
	}
	width := r.width
	t.ColumnWidth = width
	t.Columns = min(mostColumns, int(math.Ceil(float64(end/width))))
	t.BinShare = make([]uint8, t.Rows*t.Columns*int(timeline.BinKinds))
	for w, row := range r.bins {
		ranks := min(r.rowRanks, r.rankCount-w*r.rowRanks)
		for c := range min(len(row), t.Columns) {
			length := min(width, end-units.Seconds(units.Seconds(c)*width))
			if length <= 0 {
				continue
			}
			for k, time := range row[c] {
				share := float64(time / (length * units.Seconds(ranks)))
				// A little more than half is added, so that sums that differ only by the
				// order in which ranks were observed round the same way.
				rounded := math.Floor(float64(255*share) + 0.5 + 1e-9)
				t.BinShare[(w*t.Columns+c)*int(timeline.BinKinds)+k] = uint8(min(255, rounded))
			}
		}
	}
}

// parts are the parts of a rank's time, by [sim.Part].
var parts = func() (list []timeline.Part) {
	for p := sim.PartCompute; p <= sim.PartStopped; p++ {
		list = append(list, timeline.Part{Name: p.String(), Kind: kindOf(p)})
	}
	return list
}()

func kindOf(p sim.Part) timeline.Kind {
	switch p {
	case sim.PartCompute:
		return timeline.Compute
	case sim.PartDelay, sim.PartSendOverhead, sim.PartRecvOverhead, sim.PartCollectiveCost:
		return timeline.Overhead
	case sim.PartStopped:
		return timeline.Stopped
	}
	return timeline.Wait
}

// pathKinds are the kinds of segments of critical paths: the parts, then the kinds between ranks.
var pathKinds = append(each.Of(parts, func(p timeline.Part) string { return p.Name }),
	string(observe.Message), string(observe.Handshake), string(observe.Interface))

func addPath(t *timeline.Timeline, p *observe.Path) {
	number := map[observe.Kind]uint8{}
	for i, k := range pathKinds {
		number[observe.Kind(k)] = uint8(i)
	}
	for _, g := range p.Segments {
		t.PathFrom = append(t.PathFrom, t.Ticks(g.From))
		t.PathUntil = append(t.PathUntil, t.Ticks(g.Until))
		t.PathRank = append(t.PathRank, uint32(g.Rank))
		t.PathTo = append(t.PathTo, uint32(g.To))
		t.PathKind = append(t.PathKind, number[g.Kind])
	}
}
