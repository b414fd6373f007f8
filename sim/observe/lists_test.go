package observe

import (
	"math"
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
// their words, messages by theirs. The first record of a piece has a time in any case.
func TestListsKeepRecordsInOrder(t *testing.T) {
	const ranks = 5
	path := NewCriticalPath(ranks, nil)
	p := path.parts[0]
	var want [ranks][]record
	for i := range 4 * leastBlock / 3 {
		r := i % 7 * i % 5 // some lists are longer than others
		l := &p.ranks[r].records
		x := record{fact: newFact(sim.PartWaitMessage, int32(r), uint32(i%9/2)).withTime(), messages: l.messages}
		switch {
		case i%3*i%11 > 7:
			x.fact = newFact(leaves, maxRanks-2, math.MaxUint32-uint32(i%13/4))
			if i%5 < 2 {
				x.fact = x.withTime()
			}
		case i%17 > 11:
			x.fact = newFact(sim.PartCompute, none, 0).withTime()
		}
		x.to = units.Seconds(i) / 3
		p.records.add(l, x.fact, x.to)
		want[r] = append(want[r], x)
	}
	w := newReading(path)
	for r := range int32(ranks) {
		var before record
		spans := 0
		for i, x := range want[r] {
			got := *w.before(r, before.end+1)
			for k := before.end + 2; got.end == before.end; k++ {
				got = *w.before(r, k)
			}
			if got.begin%(1<<pieceBits) == 0 {
				x.fact = x.withTime()
			}
			if !x.timed() {
				x.to = 0
			}
			x.begin, x.end = before.end, got.end
			expect.Equal(t, got, x, "record %d of list %d", i, r)
			expect.Equal(t, w.upToSpan(r, x.begin).end, spans, "the last span before record %d of list %d", i, r)
			if x.isMessage() {
				expect.Equal(t, *w.recordOf(message{r, x.messages}), x, "message %d of list %d", x.messages, r)
			} else {
				spans = x.end
			}
			before = got
		}
		expect.Equal(t, before.end, int(w.history(r).records.n), "words of list %d", r)
	}
}
