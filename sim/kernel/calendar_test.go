package kernel

import (
	"container/heap"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// refItem and refHeap are the reference: container/heap ordered by time, then
// by an insertion number.
type refItem struct {
	at  units.Seconds
	seq int
	id  int32
}

type refHeap []refItem

func (h refHeap) Len() int { return len(h) }
func (h refHeap) Less(i, j int) bool {
	if h[i].at != h[j].at {
		return h[i].at < h[j].at
	}
	return h[i].seq < h[j].seq
}
func (h refHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *refHeap) Push(x any)   { *h = append(*h, x.(refItem)) }
func (h *refHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// pair drives a Calendar and the reference with the same calls.
type pair struct {
	cal    Calendar
	ref    refHeap
	pushed int
	popped int
	now    units.Seconds
}

func (p *pair) push(at units.Seconds) {
	p.cal.Push(at, int32(p.pushed))
	heap.Push(&p.ref, refItem{at: at, seq: p.pushed, id: int32(p.pushed)})
	p.pushed++
}

// pop compares Len, Min and Pop with the reference.
func (p *pair) pop(t interface{ Fatalf(string, ...any) }) {
	if got, want := p.cal.Len(), len(p.ref); got != want {
		t.Fatalf("Len = %d, want %d", got, want)
	}
	atMin, okMin := p.cal.Min()
	at, id, ok := p.cal.Pop()
	if len(p.ref) == 0 {
		if okMin || ok {
			t.Fatalf("empty: Min says %t, Pop says %t", okMin, ok)
		}
		return
	}
	want := heap.Pop(&p.ref).(refItem)
	if !ok || at != want.at || id != want.id {
		t.Fatalf("pop %d: got (%v, %d, %t), want (%v, %d)", p.popped, at, id, ok, want.at, want.id)
	}
	if !okMin || atMin != at {
		t.Fatalf("pop %d: Min = (%v, %t) before Pop gave %v", p.popped, atMin, okMin, at)
	}
	p.popped++
	p.now = at
}

// popInstant compares PopInstant with the reference.
func (p *pair) popInstant(t interface{ Fatalf(string, ...any) }) {
	if len(p.ref) == 0 {
		return
	}
	at, ids := p.cal.PopInstant([]int32{-1})
	if ids[0] != -1 || len(ids) < 2 {
		t.Fatalf("pop %d: got %d", p.popped, ids)
	}
	for _, id := range ids[1:] {
		if len(p.ref) == 0 {
			t.Fatalf("pop %d: %d is too many", p.popped, id)
		}
		if want := heap.Pop(&p.ref).(refItem); at != want.at || id != want.id {
			t.Fatalf("pop %d: got (%v, %d), want (%v, %d)", p.popped, at, id, want.at, want.id)
		}
		p.popped++
	}
	if len(p.ref) > 0 && p.ref[0].at == at {
		t.Fatalf("pop %d: of the instant %v something is left", p.popped, at)
	}
	if got, want := p.cal.Len(), len(p.ref); got != want {
		t.Fatalf("Len = %d, want %d", got, want)
	}
	p.now = at
}

// TestCalendarAgainstHeap makes random calls. Delays mix zero, a few equal
// values, the smallest possible steps and magnitudes from subnormal to huge, so
// that ties, deep redistribution and every kind of exponent occur.
func TestCalendarAgainstHeap(t *testing.T) {
	var popped int
	rapid.Check(t, func(t *rapid.T) {
		var p pair
		delay := rapid.OneOf(
			rapid.Just(0.0),
			rapid.SampledFrom([]float64{1, 1, 2, 0.5, 1e-6}),
			rapid.Float64Range(0, 10),
			rapid.SampledFrom([]float64{5e-324, 1e-300, 1e-9, 1e12, 1e300}),
		)
		for round := range rapid.IntRange(1, 4).Draw(t, "rounds") {
			steps := rapid.SliceOfN(rapid.IntRange(-4, 3), 1, 100).Draw(t, "steps")
			for _, step := range steps {
				for range step { // positive: push that many
					at := p.now + units.Seconds(delay.Draw(t, "delay"))
					if rapid.IntRange(0, 9).Draw(t, "ulp") == 0 {
						at = units.Seconds(math.Nextafter(float64(at), math.Inf(1)))
					}
					p.push(at)
				}
				if step == -4 {
					p.popInstant(t)
					continue
				}
				for range -step { // negative: pop that many
					p.pop(t)
				}
			}
			if round%2 == 1 {
				p.cal.Reset()
				p.ref, p.now = nil, 0
			}
		}
		for len(p.ref) > 0 {
			p.pop(t)
		}
		p.pop(t) // both empty
		popped += p.popped
	})
	if popped == 0 {
		t.Fatal("nothing was popped")
	}
}

// TestCalendarMinDoesNotMoveTheFloor: after Min has seen 10, an event at 5 may
// still be pushed, and 5 twice keeps its order although bucket 0 was reached
// in between.
func TestCalendarMinDoesNotMoveTheFloor(t *testing.T) {
	var c Calendar
	c.Push(10, 1)
	if at, ok := c.Min(); !ok || at != 10 {
		t.Fatalf("Min = %v, %t; want 10", at, ok)
	}
	c.Push(5, 2)
	c.Push(5, 3)
	c.Push(units.Seconds(math.Copysign(0, -1)), 4) // minus zero is zero
	var got []int32
	for c.Len() > 0 {
		at, id, _ := c.Pop()
		if math.Signbit(float64(at)) {
			t.Errorf("Pop gave minus zero for %d", id)
		}
		if id == 2 {
			c.Push(at, 5) // equal to the floor: after 3
		}
		got = append(got, id)
	}
	want := []int32{4, 2, 3, 5, 1}
	if len(got) != len(want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

// TestCalendarMillion fills a calendar with 2^20 entries in which every time occurs 16
// times, and holds it there for as many events. The expectation needs no second queue:
// times never fall, and ids rise among equal times.
func TestCalendarMillion(t *testing.T) {
	const n = 1 << 20
	var c Calendar
	x := uint64(1)
	draw := func() units.Seconds { // 65536 different delays
		x = x*6364136223846793005 + 1442695040888963407
		return units.Seconds(x>>48) / 64
	}
	for i := range n {
		c.Push(draw(), int32(i))
	}
	now, last, popped := units.Seconds(-1), int32(-1), 0
	check := func() {
		at, id, ok := c.Pop()
		if !ok || at < now || (at == now && id <= last) {
			t.Fatalf("pop %d: (%v, %d, %t) after (%v, %d)", popped, at, id, ok, now, last)
		}
		now, last = at, id
		popped++
	}
	for i := range n {
		check()
		c.Push(now+draw(), int32(n+i))
	}
	for c.Len() > 0 {
		check()
	}
	if popped != 2*n {
		t.Fatalf("popped %d, want %d", popped, 2*n)
	}
}

// TestCalendarSameInstant passes a long chain of events through one instant:
// the memory must not grow with the chain.
func TestCalendarSameInstant(t *testing.T) {
	for _, pending := range []int32{1, 2, 3, 100} {
		var c Calendar
		for i := range pending {
			c.Push(7, i)
		}
		for i := range 100 * pending {
			at, id, ok := c.Pop()
			if !ok || at != 7 || id != i {
				t.Fatalf("%d pending, pop %d: (%v, %d, %t)", pending, i, at, id, ok)
			}
			c.Push(7, i+pending)
		}
		// A slice that is full and not half popped holds less than twice the
		// pending ids, and append at most doubles it; 8 is its smallest step.
		if got, limit := cap(c.due.ids), max(8, 4*int(pending)); got > limit {
			t.Errorf("room for %d ids at one time with %d pending, want at most %d", got, pending, limit)
		}
	}
}

func TestCalendarRefusesBadTimes(t *testing.T) {
	for _, tc := range []struct {
		name string
		at   float64
	}{
		{"NaN", math.NaN()},
		{"infinite", math.Inf(1)},
		{"minus infinite", math.Inf(-1)},
		{"negative", -1},
		{"before the last pop", math.Nextafter(3, 0)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var c Calendar
			c.Push(3, 1)
			c.Pop()
			defer func() {
				msg, _ := recover().(string)
				if !strings.HasPrefix(msg, "kernel: Calendar.Push") || !strings.Contains(msg, "3 s") {
					t.Errorf("panic %q", msg)
				}
				if c.Len() != 0 {
					t.Errorf("Len = %d after a refused Push", c.Len())
				}
			}()
			c.Push(units.Seconds(tc.at), 2)
		})
	}
}

func TestCalendarReset(t *testing.T) {
	var c Calendar
	for i := range int32(1000) {
		c.Push(units.Seconds(i), i)
	}
	for range 500 {
		c.Pop()
	}
	c.Reset()
	if _, ok := c.Min(); ok || c.Len() != 0 {
		t.Fatalf("not empty after Reset: Len = %d", c.Len())
	}
	c.Push(1, 42) // before the floor of the first use
	if at, id, ok := c.Pop(); !ok || at != 1 || id != 42 {
		t.Fatalf("Pop = %v, %d, %t", at, id, ok)
	}
}

// TestCalendarAllocates: a calendar that has been filled allocates nothing, also while
// entries move through other buckets than at first.
func TestCalendarAllocates(t *testing.T) {
	const n = 1000
	var c Calendar
	for i := range int32(n) {
		c.Push(units.Seconds(i%17), i)
	}
	hold := func() {
		for range n {
			at, id, _ := c.Pop()
			c.Push(at+units.Seconds(1+id%13), id)
		}
	}
	// Every bucket may hold one partly filled block more than at first: let
	// the times cross a few powers of two.
	for range 10 {
		hold()
	}
	if a := testing.AllocsPerRun(100, hold); a != 0 {
		t.Errorf("%v allocations for %d events", a, n)
	}
	refill := func() {
		c.Reset()
		for i := range int32(n) {
			c.Push(units.Seconds(i%17), i)
		}
	}
	expect.Equal(t, testing.AllocsPerRun(100, refill), 0, "allocations to fill again")
}
