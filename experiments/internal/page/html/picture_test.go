package html

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/internal/expect"
)

// knownTimeline is 10 s of two ranks. Rank 0 computes until 2, has overhead until 3 and
// computes until 10. Rank 1 computes until 1, waits until 5 and computes until 10. A
// message leaves rank 0 at 2 and arrives at rank 1 at 5, another leaves at 6, arrives at
// 7 and is received at 9. The critical path is rank 0 until 2, the first message, rank 1.
func knownTimeline() *timeline.Timeline {
	t := &timeline.Timeline{
		Ranks: 2, Tick: 1, End: 10, Spans: 6, Messages: 2,
		Parts:     []timeline.Part{{Name: "compute", Kind: timeline.Compute}, {Name: "overhead", Kind: timeline.Overhead}, {Name: "wait", Kind: timeline.Wait}},
		PathKinds: []string{"compute", "message"},
		SpanFirst: []uint32{0, 3, 6}, SpanEnd: []uint32{2, 3, 10, 1, 5, 10}, SpanPart: []uint8{0, 1, 0, 0, 2, 0},
		MessageFirst: []uint32{0, 2, 2}, MessageTo: []uint32{1, 1}, MessageLeaves: []uint32{2, 6}, MessageArrives: []uint32{5, 7},
		MessageReceived: []uint32{5, 9}, MessageSize: []float64{1, 1}, MessageTag: []int32{0, 0},
		PathFrom: []uint32{0, 2, 5}, PathUntil: []uint32{2, 5, 10}, PathRank: []uint32{0, 0, 1}, PathTo: []uint32{0, 1, 1}, PathKind: []uint8{0, 1, 0},
		Rows: 2, Columns: 10, RanksPerRow: 1, ColumnWidth: 1,
	}
	t.BinShare = make([]uint8, 2*10*3)
	for rank := range 2 {
		from := uint32(0)
		for i := t.SpanFirst[rank]; i < t.SpanFirst[rank+1]; i++ {
			for c := from; c < t.SpanEnd[i]; c++ {
				t.BinShare[(rank*10+int(c))*3+int(t.SpanPart[i])] = 255
			}
			from = t.SpanEnd[i]
		}
	}
	return t
}

func timelineBlock() *chart.Timeline {
	return &chart.Timeline{Title: "Two ranks", Data: knownTimeline().Encode(), Table: &chart.Table{
		Title: "The critical path", Columns: []chart.Column{{Title: "what"}}, Rows: [][]string{{"compute on rank 0"}}}}
}

func testTimelinePixels(t *testing.T, tab *tab) {
	tab.Screen(900, 700, "light")
	tab.navigate(documentOf(timelineBlock()))
	await(tab, `!!document.querySelector(".picture")?.picture`, func(ok bool) bool { return ok })
	for _, c := range []struct {
		what        string
		question    string  // at: time, rank, part of its lane, width, height
		least, most float64 // share of the pixels
	}{
		{"computation of rank 0", `of("--series-1", 1, 0, 0.5, 9, 9)`, 1, 1},
		{"computation of rank 0 after the overhead", `of("--series-1", 8, 0, 0.5, 9, 9)`, 1, 1},
		{"overhead has its colour", `of("--series-2", 2.5, 0, 0.5, 24, 12)`, 0.3, 1},
		{"and none of that of computation", `of("--series-1", 2.5, 0, 0.5, 24, 12)`, 0, 0},
		{"waiting is paler than its colour", `of("--series-3", 3, 1, 0.5, 24, 12)`, 0, 0},
		{"and no paper", `of("--paper", 3, 1, 0.5, 24, 12)`, 0, 0},
		{"waiting ends at 5", `of("--series-1", 5.2, 1, 0.5, 5, 5)`, 1, 1},
		// On the way from (2, centre of lane 0) to (5, centre of lane 1), a third of it
		// is (3, 5/6 of lane 0).
		{"the message on its way", `by("messages", 3, 0, 5 / 6, 7, 7)`, 0.1, 0.9},
		{"not where it would be if it left at 3", `by("messages", 4, 0, 5 / 6, 7, 7)`, 0, 0},
		// From (6, lane 0) to (7, lane 1), then dotted to 9 and no further.
		{"the second message arrives at 7", `by("messages", 6 + 2 / 3, 1, 1 / 6, 7, 7)`, 0.1, 0.9},
		{"not at 9, when it is received", `by("messages", 8, 1, 1 / 6, 7, 7)`, 0, 0},
		{"it goes on dotted until then", `by("messages", 8, 1, 0.5, 60, 3)`, 0.08, 0.7},
		{"and no further", `by("messages", 9.5, 1, 0.5, 30, 3)`, 0, 0},
		{"the path on rank 0", `by("path", 1, 0, 0.5, 9, 3)`, 0.5, 1},
		{"the path along the message", `by("path", 3, 0, 5 / 6, 7, 7)`, 0.1, 0.95},
		{"the path on rank 1", `by("path", 8, 1, 0.5, 9, 3)`, 0.5, 1},
		{"and not on rank 0 then", `by("path", 8, 0, 0.5, 9, 3)`, 0, 0},
	} {
		got := eval[float64](tab, "scene."+c.question)
		expect.That(t, got >= c.least && got <= c.most,
			"%s: %s is %.2f, want %v to %v", c.what, c.question, got, c.least, c.most)
	}
}

// The script reads the same from the compact form as from the binary form, whatever the numbers.
func testCompactTimeline(t *testing.T, tab *tab) {
	random := rand.New(rand.NewPCG(1, 2))
	x := knownTimeline()
	x.Ranks, x.SpanFirst, x.SpanEnd, x.SpanPart = 5, []uint32{0}, nil, nil
	x.MessageFirst, x.MessageTo, x.MessageLeaves, x.MessageArrives, x.MessageReceived, x.MessageSize, x.MessageTag = []uint32{0}, nil, nil, nil, nil, nil, nil
	for range x.Ranks {
		at := uint32(0)
		for range random.IntN(20) {
			at += random.Uint32N(1 << 26)
			x.SpanEnd, x.SpanPart = append(x.SpanEnd, at), append(x.SpanPart, uint8(random.IntN(3)))
			sent := at - random.Uint32N(3)
			arrives := sent + random.Uint32N(1<<20)
			x.MessageTo, x.MessageLeaves = append(x.MessageTo, random.Uint32N(5)), append(x.MessageLeaves, sent)
			x.MessageArrives, x.MessageReceived = append(x.MessageArrives, arrives), append(x.MessageReceived, []uint32{arrives, at, timeline.Never}[random.IntN(3)])
			x.MessageSize, x.MessageTag = append(x.MessageSize, random.Float64()), append(x.MessageTag, int32(random.Uint32()))
		}
		x.SpanFirst = append(x.SpanFirst, uint32(len(x.SpanEnd)))
		x.MessageFirst = append(x.MessageFirst, uint32(len(x.MessageTo)))
	}
	b := timelineBlock()
	b.Data = x.Encode()
	tab.navigate(documentOf(b))
	await(tab, `!!document.querySelector(".picture")?.picture`, func(ok bool) bool { return ok })
	differ := eval[[]string](tab, fmt.Sprintf(`(async () => {
		const plain = isoscaleTimeline.decode(Uint8Array.from(atob(%q), (c) => c.charCodeAt(0)).buffer);
		const compact = isoscaleTimeline.decode(await isoscaleUnpack(document.querySelector("script.data")));
		const names = Object.keys(plain.arrays).filter((name) => plain.a[name].length > 0);
		return [names.length + " arrays", ...names.filter((name) => plain.a[name].join() !== compact.a[name].join())];
	})()`, base64.StdEncoding.EncodeToString(b.Data)))
	// Of the 17 arrays of the form, that of the use of links is empty.
	want := []string{"16 arrays"}
	expect.That(t, slices.Equal(differ, want), "%q, want %q and none that differs", differ, want)
}

func testNetworkPicture(t *testing.T, tab *tab) {
	type m = map[string]any
	wiring := expect.Value(json.Marshal(m{"kind": "star",
		"places": []m{{"name": "a", "host": true}, {"name": "b", "host": true}, {}},
		"links":  []m{{"name": "up", "from": 0, "to": 2, "bandwidth": 1e9}, {"name": "down", "from": 2, "to": 1, "bandwidth": 1e9}}}))(t)
	use := &timeline.LinkUse{Links: []string{"up", "down"}, Window: 1, Share: []uint8{255, 0, 0, 0}}
	tab.Screen(900, 700, "light")
	tab.navigate(documentOf(&chart.Network{Title: "A star", Wiring: wiring, Data: (&timeline.Timeline{Tick: 1, End: 2, Use: use}).Encode(),
		Table: &chart.Table{Title: "Use", Columns: []chart.Column{{Title: "link"}}}}))
	lines := await(tab, `document.querySelectorAll(".picture svg line, .picture svg path").length`, func(n int) bool { return n >= 2 })
	failed := eval[bool](tab, `!!document.querySelector(".failed")`)
	expect.That(t, !failed && lines >= 2,
		"the network has %d lines (failed: %v), want one for each of 2 links", lines, failed)
}

// Without scripts the page shows the drawing of the timeline, with its table.
func TestStillTimeline(t *testing.T) {
	var page bytes.Buffer
	expect.Success(t, Write(&page, documentOf(timelineBlock()), false))
	// Of 20 s of both ranks, 9 and 6 are computation, 1 overhead, 4 waiting.
	expect.Says(t, page.String(), `<div class="drawing wide"><svg`, `<div class="drawing narrow"><svg`, "2 ranks for 10 s; compute 75 %; overhead 5 %; wait 20 %", "compute on rank 0")
}

// What is no timeline is an error, and not a page without a picture.
func TestPictureOfNothing(t *testing.T) {
	b := timelineBlock()
	b.Data = []byte("nothing")
	expect.Failure(t, Write(new(bytes.Buffer), documentOf(b), true), `picture "Two ranks"`)
	b.Data, b.Table = nil, nil
	err := documentOf(b).Check()
	expect.That(t, err != nil && strings.Contains(err.Error(), "table is missing") &&
		strings.Contains(err.Error(), "data is missing"),
		"error %v, want data and table named", err)
}
