package watch

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// trafficOf runs a program and returns who sent how much to whom.
func trafficOf(t *testing.T, ranks int, body func(*sim.Rank)) *Traffic {
	t.Helper()
	r := NewRecorder(ranks)
	res := observed(t, ranks, body, r)
	x := r.traffic
	messages, bytes := x.Total()
	expect.That(t, messages == res.Messages && bytes == res.Bytes,
		"%d messages with %v; the run has %d with %v", messages, bytes, res.Messages, res.Bytes)
	return x
}

// maps returns the maps of a section by title.
func maps(t *testing.T, s report.Section) map[string]*report.Surface {
	t.Helper()
	expect.Success(t, (&report.Document{Title: "D", Sections: []report.Section{s}}).Check())
	found := map[string]*report.Surface{}
	for _, b := range s.Blocks {
		c := b.(*report.Surface)
		found[c.Title] = c
	}
	return found
}

var none = math.NaN()

func sameCells(t *testing.T, c *report.Surface, want [][]float64) {
	t.Helper()
	if c == nil {
		t.Error("there is no such map")
		return
	}
	diff := cmp.Diff(want, [][]float64(c.Values), cmpopts.EquateNaNs())
	expect.That(t, diff == "", "%s (-want +got):\n%s", c.Title, diff)
}

// Rank r sends r + 1 messages of 2 kB to its right neighbour, so that one map says all.
// Senders are rows, from the bottom up.
func TestTrafficOfARing(t *testing.T) {
	x := trafficOf(t, 4, func(r *sim.Rank) {
		left := (r.Rank() + 3) % 4
		for range r.Rank() + 1 {
			r.Send((r.Rank()+1)%4, 0, 2000)
		}
		for range left + 1 {
			r.Recv(left, 0)
		}
	})
	found := maps(t, x.Section())
	sameCells(t, found["Bytes between ranks"], [][]float64{
		{none, 2, none, none},
		{none, none, 4, none},
		{none, none, none, 6},
		{8, none, none, none},
	})
	c := found["Bytes between ranks"]
	expect.That(t, c.Value.Unit == "kB" && !c.Value.Log && *c.Value.Max == 8 && len(found) == 1,
		"%d maps, value %+v to %v; expected one, of 0 to 8 kB", len(found), c.Value, *c.Value.Max)
}

// All send to all, rank r messages of 10^r bytes to others and none to itself: two maps,
// of which that of bytes is logarithmic.
func TestTrafficOfAll(t *testing.T) {
	x := trafficOf(t, 3, func(r *sim.Rank) {
		for to := range 3 {
			if to != r.Rank() {
				r.Send(to, 0, units.Bytes(math.Pow10(r.Rank())))
			}
		}
		for from := range 3 {
			if from != r.Rank() {
				r.Recv(from, 0)
			}
		}
	})
	found := maps(t, x.Section())
	sameCells(t, found["Bytes between ranks"], [][]float64{{none, 1, 1}, {10, none, 10}, {100, 100, none}})
	sameCells(t, found["Messages between ranks"], [][]float64{{none, 1, 1}, {1, none, 1}, {1, 1, none}})
	c := found["Bytes between ranks"]
	expect.That(t, c.Value.Log && *c.Value.Min == 1 && *c.Value.Max == 100,
		"bytes from %v to %v; expected 1 to 100, logarithmic", *c.Value.Min, *c.Value.Max)
}

// A stencil of 2 by 2 ranks, each with two neighbours, with messages without content: there
// are messages and no bytes.
func TestTrafficOfEmptyMessages(t *testing.T) {
	x := trafficOf(t, 4, func(r *sim.Rank) {
		for _, flip := range []int{1, 2} {
			r.Send(r.Rank()^flip, 0, 0)
		}
		for _, flip := range []int{1, 2} {
			r.Recv(r.Rank()^flip, 0)
		}
	})
	found := maps(t, x.Section())
	sameCells(t, found["Messages between ranks"], [][]float64{
		{none, 1, 1, none},
		{1, none, none, 1},
		{1, none, none, 1},
		{none, 1, 1, none},
	})
	expect.That(t, len(found) == 1, "%d maps; expected that of messages alone", len(found))
}

// A ring of 70 ranks in 24 cells of 3, of which the last has one: two messages stay in a
// cell and one leaves for the next; rank 69 sends to rank 0.
func TestTrafficInCells(t *testing.T) {
	x := NewTraffic(70)
	for r := range int32(70) {
		x.Sent(sim.Sent{Rank: r, To: (r + 1) % 70, Size: 1e6})
	}
	want := make([][]float64, 24)
	for i := range want {
		want[i] = make([]float64, 24)
		for k := range want[i] {
			want[i][k] = none
		}
		if i < 23 {
			want[i][i], want[i][i+1] = 2, 1
		}
	}
	want[23][0] = 1
	c := maps(t, x.Section())["Bytes between ranks"]
	sameCells(t, c, want)
	expect.That(t, c.X.Title == "receiver, first of 3 ranks" && *c.X.Max == 69 && *c.Y.Max == 69,
		"columns are %q to %v, rows to %v; expected the first of 3 ranks, to 69", c.X.Title, *c.X.Max, *c.Y.Max)
}

// However many ranks there are, the cells are few, and the last rank has one.
func TestTrafficIsBounded(t *testing.T) {
	for _, ranks := range []int{1, 2, 31, 32, 33, 1000, 1 << 20, 1<<31 - 1} {
		x := NewTraffic(ranks)
		x.Sent(sim.Sent{Rank: int32(ranks - 1), To: 0, Size: 1})
		n := len(x.cells)
		expect.That(t, n <= mostCells*mostCells && x.cells[n-x.side].messages == 1,
			"%d ranks: %d cells, the first of the last row %+v", ranks, n, x.cells[n-x.side])
	}
}

// If no rank sends, or if there is only one rank, the section has only words.
func TestTrafficWithoutMap(t *testing.T) {
	alone := NewTraffic(1)
	alone.Sent(sim.Sent{Size: 5})
	for want, x := range map[string]*Traffic{
		"The ranks send no messages. Collective operations of measured cost need none.": NewTraffic(8),
		"The only rank sends itself 1 message with 5 B.":                                alone,
	} {
		s := x.Section()
		expect.That(t, len(s.Blocks) == 0 && len(s.Text) == 1 && s.Text[0] == want,
			"%q with %d charts; expected %q", s.Text, len(s.Blocks), want)
	}
}

// With more cells than two maps may have, only the map of bytes is there, and says how large messages are.
func TestTrafficOfManyHasOneMap(t *testing.T) {
	x := NewTraffic(32)
	for r := range int32(32) {
		for to := range int32(32) {
			x.Sent(sim.Sent{Rank: r, To: to, Size: units.Bytes(1000 * (1 + to%2))}) // 1 kB and 2 kB
		}
	}
	found := maps(t, x.Section())
	c := found["Bytes between ranks"]
	expect.Need(t, c != nil && len(found) == 1, "%d maps; expected that of bytes", len(found))
	expect.Equal(t, c.Caption, "All 32 ranks. A blank cell has no messages. A message has 1.5 kB on average. "+
		"There is no map of the numbers of messages: it would have 1024 cells, more than 128.", "caption")
}
