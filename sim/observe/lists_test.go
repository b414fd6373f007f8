package observe

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// All parts of a rank's time have numbers below leaves.
func TestRecordsWithoutAPartHaveNumbersOfTheirOwn(t *testing.T) {
	expect.Equal(t, sim.Part(leaves).String(), "Part(10)", "leaves")
}

// Records of interleaved lists, over several slabs and blocks, are found by their numbers, messages by theirs.
func TestListsKeepRecordsInOrder(t *testing.T) {
	const ranks = 5
	path := NewCriticalPath(ranks, nil)
	p := path.parts[0]
	var messages [ranks]int
	for i := range 4 * leastBlock {
		r := i % 7 * i % 5 // some lists are longer than others
		h := &p.ranks[r]
		x := p.records.add(&h.records)
		*x = record{to: units.Seconds(h.records.n), part: partAndPeer(sim.PartCompute, int32(r))}
		if i%3*i%11 > 7 {
			x.part = partAndPeer(leaves, int32(r))
			messages[r]++
			h.records.messages++
		}
	}
	w := walk{CriticalPath: path, pieces: make([][]int32, ranks)}
	for r := range int32(ranks) {
		sent := 0
		for i := range w.history(r).records.n {
			x := w.record(r, int(i))
			expect.Equal(t, *x, record{to: units.Seconds(i + 1), part: partAndPeer(partOf(x.part), r)}, "record %d of list %d", i, r)
			expect.Equal(t, w.sentBefore(r, int(i)), sent, "messages of list %d before record %d", r, i)
			if x.message() {
				expect.Equal(t, w.place(message{r, int32(sent)}), int(i), "message %d of list %d", sent, r)
				sent++
			}
		}
		expect.Equal(t, sent, messages[r], "messages of list %d", r)
	}
}
