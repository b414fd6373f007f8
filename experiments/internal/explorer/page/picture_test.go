package page

import (
	"encoding/base64"
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
	"github.com/isoscale/isoscale/internal/expect"
)

// known is a run of two ranks of 1000 us. Rank 0 computes until 400, sends until 500 and waits. Its message leaves at
// 500, arrives at 600 and is received at 700; rank 1 waits until then and computes afterwards.
func known() *timeline.Timeline {
	t := &timeline.Timeline{
		Ranks: 2, Tick: 1e-6, End: 1000, Spans: 5, Messages: 1, RanksPerRow: 1,
		Parts:     []timeline.Part{{Name: "compute", Kind: timeline.Compute}, {Name: "send", Kind: timeline.Overhead}, {Name: "wait", Kind: timeline.Wait}},
		SpanFirst: []uint32{0, 3, 5}, SpanEnd: []uint32{400, 500, 1000, 700, 1000}, SpanPart: []uint8{0, 1, 2, 2, 0},
		MessageFirst: []uint32{0, 1, 1}, MessageTo: []uint32{1}, MessageLeaves: []uint32{500}, MessageArrives: []uint32{600}, MessageReceived: []uint32{700},
		MessageSize: []float64{8}, MessageTag: []int32{0},
		PathKinds: []string{"compute", "message"},
		PathFrom:  []uint32{0, 500}, PathUntil: []uint32{400, 700}, PathRank: []uint32{0, 0}, PathTo: []uint32{0, 1}, PathKind: []uint8{0, 1},
	}
	return t
}

// narrow is one rank that alternately computes for 1 us and waits for 3 us, 4 000 us in all.
func narrow() *timeline.Timeline {
	t := &timeline.Timeline{
		Ranks: 1, Tick: 1e-6, End: 4000, Spans: 2000, RanksPerRow: 1,
		Parts:     []timeline.Part{{Name: "compute", Kind: timeline.Compute}, {Name: "wait", Kind: timeline.Wait}},
		SpanFirst: []uint32{0, 2000},
	}
	for i := range uint32(1000) {
		t.SpanEnd = append(t.SpanEnd, 4*i+1, 4*i+4)
		t.SpanPart = append(t.SpanPart, 0, 1)
	}
	return t
}

// crowded is [known] with 6000 messages, six of which leave in each microsecond and arrive
// at different times.
func crowded() *timeline.Timeline {
	t := known()
	t.Messages = 6000
	t.MessageFirst = []uint32{0, 6000, 6000}
	t.MessageTo, t.MessageLeaves, t.MessageArrives, t.MessageReceived, t.MessageSize, t.MessageTag = nil, nil, nil, nil, nil, nil
	for i := range uint32(6000) {
		leaves, arrives := i/6, i/6+1+i%6
		t.MessageTo = append(t.MessageTo, 1)
		t.MessageLeaves = append(t.MessageLeaves, leaves)
		t.MessageArrives = append(t.MessageArrives, arrives)
		t.MessageReceived = append(t.MessageReceived, arrives)
		t.MessageSize = append(t.MessageSize, 8)
		t.MessageTag = append(t.MessageTag, 0)
	}
	return t
}

// pixels are the numbers of pixels of an area that show each thing.
type pixels struct{ Compute, Overhead, Wait, Path, Dark, Other int }

// Known spans and messages are drawn at their places.
func testPixels(t *testing.T, tab *browsertest.Tab) {
	draw := func(x *timeline.Timeline, view string) {
		browsertest.Eval[bool](tab, fmt.Sprintf("(picture(%q, %s), true)", base64.StdEncoding.EncodeToString(x.Encode()), view))
	}
	// shows checks a condition on the pixels of an area.
	shows := func(what string, x, y, w, h int, holds func(p pixels) bool) {
		p := browsertest.Eval[pixels](tab, fmt.Sprintf("look(%d, %d, %d, %d)", x, y, w, h))
		expect.That(t, holds(p), "%s: %+v of %d pixels", what, p, w*h)
	}
	light := func(p pixels) bool { return p.Dark == 0 }
	draw(known(), "{}")
	for _, c := range []struct {
		what       string
		x, y, w, h int
		only       func(p pixels) int // pixels that may be there
	}{
		{"computation of rank 0", 5, 10, 390, 80, func(p pixels) int { return p.Compute }},
		{"overhead of rank 0", 405, 10, 90, 80, func(p pixels) int { return p.Overhead + p.Other }},
		{"wait of rank 0", 505, 10, 490, 80, func(p pixels) int { return p.Wait + p.Other }},
		{"wait of rank 1", 5, 110, 690, 80, func(p pixels) int { return p.Wait + p.Other }},
		{"computation of rank 1", 705, 110, 290, 80, func(p pixels) int { return p.Compute }},
	} {
		shows(c.what, c.x, c.y, c.w, c.h, func(p pixels) bool {
			return c.only(p) == c.w*c.h && p.Compute+p.Overhead+p.Wait >= c.w*c.h/5
		})
	}
	// The edge between computation and overhead is at 400, to a pixel.
	shows("before the end of the computation", 398, 10, 1, 80, func(p pixels) bool { return p.Compute == 80 })
	shows("after the end of the computation", 401, 10, 1, 80, func(p pixels) bool { return p.Compute == 0 })

	// The lanes are centred at 50 and 150. The message is a line from (500, 50) to (600,
	// 150) and dots from there to (700, 150), of 2 pixels and gaps of 3.
	draw(known(), "{messages: true, focus: {ranks: new Set([0]), from: 0, until: 1e6}}")
	for k := 10; k <= 80; k += 10 {
		shows(fmt.Sprintf("the message %d us after it left", k), 500+k-2, 50+k, 5, 1, func(p pixels) bool { return p.Dark != 0 })
		shows(fmt.Sprintf("beside the message %d us after it left", k), 500+k+12, 50+k, 60, 1, light)
	}
	shows("from arrival to receive, two in five pixels of a line", 605, 149, 90, 2, func(p pixels) bool {
		return p.Dark >= 2*90*2/5/3 && p.Dark <= 2*90*3/5
	})
	shows("before the message leaves", 0, 0, 495, 202, light)
	shows("after it is received", 705, 0, 290, 202, light)

	// More than 200 messages are drawn in bands, except for those in focus. The first 30 us have 186, the last of which
	// leave at 30.
	for view, want := range map[string]int{"{messages: true}": 6000, "{messages: true, until: 3e-5}": 0,
		"{messages: true, focus: {ranks: new Set([0]), from: 0, until: 9}}": 6000 - 60} {
		draw(crowded(), view)
		expect.Equal(t, browsertest.Eval[int](tab, "layout.banded"), want, "of 6000 messages, in bands with %s", view)
	}

	// Without focus a message is faint: none of its pixels is dark.
	draw(known(), "{messages: true}")
	shows("a message without focus", 540, 60, 20, 60, light)

	// Two ranks in one folded row: half of it computes until 400, and half waits.
	draw(known(), "{rows: [{label: \"both\", ranks: [0, 1]}], place: new Int32Array([0, 0])}")
	shows("both ranks in a row, of which one computes", 5, 105, 390, 90, func(p pixels) bool { return p.Compute == 390*90 })
	shows("the other waits", 5, 5, 390, 90, func(p pixels) bool { return p.Compute == 0 })

	// The path: a level line on rank 0 until 400, and from (500, 50) to (700, 150).
	draw(known(), "{path: true}")
	shows("the path on the computation", 5, 49, 390, 2, func(p pixels) bool { return p.Path >= 390 })
	shows("the path on the message", 600-3, 100, 7, 1, func(p pixels) bool { return p.Path != 0 })
	shows("where the path is not", 405, 0, 90, 202, func(p pixels) bool { return p.Path == 0 })

	// Spans of a quarter and three quarters of a pixel: each column has both.
	draw(narrow(), "{}")
	shows("the lowest quarter, of computation", 5, 155, 990, 40, func(p pixels) bool { return p.Compute == 990*40 })
	shows("above it, of waits", 5, 5, 990, 140, func(p pixels) bool {
		return p.Compute+p.Dark+p.Overhead == 0 && p.Wait >= 990*140/10
	})
}

// A wait is explained by what the sender does for most of it, which is not what it does last: rank 0 computes for 400 of
// the 500 us until its message leaves, and then sends. From 400 us on it does nothing else.
func testExplainedWait(t *testing.T, tab *browsertest.Tab) {
	const start = ": wait. It waits for the message of 8 B from rank 0, which leaves at 500 µs, arrives at 600 µs and is received at 700 µs. "
	for from, want := range map[int]string{
		0:   "Rank 1, 0 s to 700 µs (700 µs)" + start + "For 71 % of the wait the message has not left: for 80 % of this time rank 0 is busy with compute.",
		400: "Rank 1, 400 µs to 700 µs (300 µs)" + start + "For 33 % of the wait the message has not left: until then rank 0 is busy with send.",
		499: "Rank 1, 499 µs to 700 µs (201 µs)" + start + "For less than 1 % of the wait the message has not left: until then rank 0 is busy with send.",
		500: "Rank 1, 500 µs to 700 µs (200 µs)" + start + "During the whole wait the message is on its way.",
	} {
		got := browsertest.Eval[string](tab, fmt.Sprintf("isoscaleTimeline.explain(isoscaleTimeline.decode(Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)).buffer), {rank: 1, from: %d, until: 700, part: 2})",
			base64.StdEncoding.EncodeToString(known().Encode()), from))
		expect.Equal(t, got, want, "from %d", from)
	}
}
