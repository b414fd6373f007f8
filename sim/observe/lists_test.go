package observe

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// All parts of a rank's time have numbers below leaves.
func TestRecordsWithoutAPartHaveNumbersOfTheirOwn(t *testing.T) {
	expect.Equal(t, sim.Part(leaves).String(), "Part(10)", "leaves")
}

// Records of interleaved lists, with and without times, over several slabs and blocks, are found by the numbers of
// their words, messages by theirs. Without a time, a message leaves at the end of the span before it or has the usual
// overhead, and a wait is as long as the last, but for the last bit.
func TestListsKeepRecordsInOrder(t *testing.T) {
	const ranks = 5
	path := NewCriticalPath(ranks, nil)
	p := path.parts[0]
	p.overheads = []units.Seconds{1. / 3, 1. / 7}
	p.envelopes = []envelope{{overhead: 1. / 11}, {overhead: 0.1}}
	draw := rand.New(rand.NewPCG(1, 2))
	var want [ranks][]record
	var ends [ranks]units.Seconds
	waits := [...]units.Seconds{0, 0.3, 1. / 9}
	for i := range 4 * leastBlock / 3 {
		r := i % 7 * i % 5 // some lists are longer than others
		l, end := &p.ranks[r].records, ends[r]
		x := record{to: end + units.Seconds(draw.Float64()), messages: l.messages}
		timing := fact(hasTime << 32)
		switch kind := draw.IntN(16); {
		case kind == 0:
			x.fact = newFact(sim.PartWaitMessage, int32(r), uint32(draw.IntN(4)))
		case kind == 1:
			x.fact = newFact(sim.PartCompute, none, 0)
		case kind < 6:
			x.fact = newFact(leaves, maxRanks-2, math.MaxUint32-uint32(draw.IntN(4)))
			if kind > 3 {
				x.to, timing = end, 0
			}
		case kind < 10:
			number := uint32(draw.IntN(2))
			x.fact = newFact(sends, int32(r), number)
			if kind > 6 {
				x.to, timing = end+p.envelopes[number].overhead, 0
			}
		default:
			x.fact = newFact(joined+sim.Part(draw.IntN(2)), int32(r), uint32(l.messages))
			if i%1024 < 900 { // otherwise all waits differ
				x.to = end + waits[draw.IntN(2*draw.IntN(2)+1)]
			}
			x.to = units.Seconds(math.Nextafter(float64(x.to), []float64{float64(x.to), 0, math.Inf(1)}[draw.IntN(3)]))
			x.to = max(x.to, end)
			timing = l.timeOfWait(end, x.to)
		}
		p.records.add(l, x.fact|timing, x.to)
		want[r] = append(want[r], x)
		if x.part() != leaves {
			ends[r] = p.ends(&x)
		}
	}
	w := newReading(path)
	for r := range int32(ranks) {
		var before record
		spans, end := 0, units.Seconds(0)
		for i, x := range want[r] {
			got := *w.before(r, before.end+1)
			for k := before.end + 2; got.end == before.end; k++ {
				got = *w.before(r, k)
			}
			x.begin, x.end = before.end, got.end
			expect.Equal(t, got, x, "record %d of list %d", i, r)
			expect.Equal(t, w.upToSpan(r, x.begin).end, spans, "the last span before record %d of list %d", i, r)
			expect.Equal(t, w.end(r, x.begin), end, "the end of the last span before record %d of list %d", i, r)
			if x.isMessage() {
				expect.Equal(t, *w.recordOf(message{r, x.messages}), x, "message %d of list %d", x.messages, r)
			}
			if x.part() != leaves {
				spans, end = x.end, p.ends(&x)
			}
			before = got
		}
		expect.Equal(t, before.end, int(w.history(r).records.n), "words of list %d", r)
	}
}

// A wait that is as long as the last one in its piece takes one word, also with another overhead or if rounding makes it
// the next greater or smaller number; otherwise three, and the first in a piece one more for the order of its message.
func TestWaitsAsLongAsTheLastHaveNoTimes(t *testing.T) {
	path := NewCriticalPath(1, nil)
	p := path.parts[0]
	p.overheads = []units.Seconds{0.5, 0.25}
	h := &p.ranks[0]
	for i, c := range []struct {
		wait, overhead units.Seconds
		towards        float64
		words          int32
	}{
		{1, 0.5, 1, 4},  // the first in a piece
		{1, 0.25, 1, 3}, // the piece does not tell how long the one before was
		{1, 0.5, 1, 1}, {1, 0.25, 99, 1}, {1, 0.5, 1, 1}, {1, 0.5, 0, 1}, {1, 0.25, 99, 3}, {2, 0.5, 2, 3}, {2, 0.25, 2, 1},
		{0, 0.5, 0, 3}, {0, 0.5, 0, 1}, {0, 0.5, 0, 1}, {0, 0.5, 0, 1}, {0, 0.5, 0, 1}, {0, 0.5, 0, 1}, {0, 0.5, 0, 1},
		{0, 0.5, 0, 1}, {0, 0.5, 0, 1}, {0, 0.5, 0, 1}, {0, 0.5, 0, 1}, {0, 0.5, 0, 1}, // the piece has 32 words
		{2, 0.5, 2, 4}, {2, 0.5, 2, 3}, {2, 0.5, 2, 1},
	} {
		since, n := h.end+c.wait, h.records.n
		if c.towards != float64(c.wait) {
			since = units.Seconds(math.Nextafter(float64(since), c.towards))
		}
		p.Handles(0, 0, 0, since, since+c.overhead)
		expect.Equal(t, h.records.n-n, c.words, "words of record %d", i)
	}
}
