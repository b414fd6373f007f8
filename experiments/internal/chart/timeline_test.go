package chart

import (
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/canvas"
	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/internal/expect"
)

func (*Timeline) samples() []Sample {
	return []Sample{{Chart: &Timeline{Title: "Who does what when", Caption: "Two ranks.", Data: TwoRanks().Encode(), Table: &Table{Title: "Path", Columns: []Column{{Title: "what"}}}}}}
}

// drawnOn returns what is drawn in a frame of 100 by 40: a second is 10 wide, a row 20
// high. A bar has 62 % of its row, from 3.8 to 16.2 and from 23.8 to 36.2, the middles
// are at 10 and 30.
func drawnOn(draw func(f *frame)) string {
	file := canvas.NewSVG(100, 40, 10, colours.muted, true)
	draw(&frame{sheet: &sheet{canvas: file, width: 100, height: 40, em: 10, theme: &colours},
		box: box{0, 0, 100, 40}, x: Scale{Max: 10}, y: Scale{Max: 2}})
	return encoded(file)
}

// encoded is what was drawn in a file, as SVG.
func encoded(file *canvas.SVG) string {
	var out strings.Builder
	if err := file.Encode(&out, "", "", ""); err != nil { // a strings.Builder has no errors
		panic(err)
	}
	_, drawn, _ := strings.Cut(out.String(), "</desc>\n")
	return strings.TrimSuffix(drawn, "</svg>\n")
}

func TestSpansOfATimeline(t *testing.T) {
	c := newTimelineChart(TwoRanks())
	inks, message := colours.time, colours.muted
	got := drawnOn(func(f *frame) { c.spans(f, inks) })
	for what, want := range map[string]string{
		"computation": `d="M0 3.8h20v12.4h-20zm30 0h70v12.4h-70zM0 23.8h10v12.4h-10zm60 0h40v12.4h-40z"`,
		"overhead":    `d="M20 3.8h10v12.4h-10z"`,
		"waiting":     `d="M10 23.8h40v12.4h-40z"`,
	} {
		expect.That(t, strings.Contains(got, want), "%s: no %s in\n%s", what, want, got)
	}
	n := strings.Count(got, "<path")
	expect.That(t, n == 3, "%d kinds of time are drawn, want 3 without the time in which a rank is stopped", n)

	got = drawnOn(func(f *frame) {
		c.messages(f, message, func(lines ...[]point) { f.lines(stroke{ink: message, width: 0.1}, lines...) })
	})
	expect.Says(t, got, `d="M20 10l30 20M60 10l10 20"`, `d="M70 30h20"`)
	expect.Says(t, drawnOn(func(f *frame) { f.lines(stroke{ink: message, width: 1}, c.path(f)) }), `d="M0 10h20l30 20h50"`)
}

// Of the bins of a row each kind is an area down to the base, what is above first: of two
// columns of 5 s, half computation and half waiting, then computation alone. A bar is from
// 3.8 to 16.2, so the 135 of 255 that are
// nearest to half are 6.6 high.
func TestBinsOfATimeline(t *testing.T) {
	x := &timeline.Timeline{Ranks: 1, Tick: 1, End: 10, Rows: 1, Columns: 2, RanksPerRow: 1, ColumnWidth: 5, BinShare: []uint8{128, 0, 127, 255, 0, 0}}
	c := newTimelineChart(x)
	inks, _, _ := colours.time, colours.muted, colours.path
	got := drawnOn(func(f *frame) { f.y = Scale{Max: 2}; c.bins(f, inks) })
	paths := strings.Split(strings.TrimSpace(got), "\n")
	expect.That(t, len(paths) == 3 && strings.Contains(paths[0], "v-12.4h100v12.4z") &&
		strings.Contains(paths[2], "v-6.6h50v-5.8h50v12.4z"),
		"the areas are not all of the row, then half and all of it:\n%s", got)
	x.End = 8 // within the second column, which ends with the run
	rows := dataOf(&Timeline{Data: x.Encode()}).rows
	expect.Same(t, rows[3], []string{"bin", "compute", "0", "0", "5", "8", "", "", "1"}, "the second column in the data")
}

// 3000 ranks in 250 rows of 12, of which every other column of 250 is full of computation: 32
// rows at most, each of 8 rows of 12 ranks, and 84 columns of 3, which are full to 1/3 and 2/3 in
// turn: to 85 and 170 of 255, of which the nearest multiples of 15 are 90 and 165.
func TestTimelineOfManyRanks(t *testing.T) {
	const kinds = int(timeline.BinKinds)
	x := &timeline.Timeline{Ranks: 3000, Tick: 1, End: 250, Rows: 250, Columns: 250, RanksPerRow: 12, ColumnWidth: 1, BinShare: make([]uint8, 250*250*kinds)}
	for i := range 250 * 250 {
		x.BinShare[i*kinds] = uint8(i % 250 % 2 * 255)
	}
	c := newTimelineChart(x)
	names := c.rowNames()
	expect.That(t, len(names) == 32 && names[0] == "0–95" && names[31] == "2976–2999",
		"rows %q, want 32 of 96 ranks, the last of 24", names)
	got := c.binned
	expect.Need(t, got.Rows == 32 && got.Columns == 84, "%d rows, %d columns, want 32 and 84", got.Rows, got.Columns)
	row := []uint8{got.BinShare[0], got.BinShare[kinds], got.BinShare[2*kinds]}
	expect.That(t, slices.Equal(row, []uint8{90, 165, 90}),
		"the first columns are full to %v of 255, want 90, 165, 90", row)
}

// TwoRanks is 10 s of two ranks. Rank 0 computes until 2, has overhead until 3 and
// computes until 10. Rank 1 computes until 1, waits until 5, is stopped until 6 and
// computes until 10. A message leaves rank 0 at 2 and arrives at rank 1 at 5, another
// leaves at 6, arrives at 7 and is received at 9. The critical path is rank 0 until 2,
// the first message, rank 1.
func TwoRanks() *timeline.Timeline {
	t := &timeline.Timeline{
		Ranks: 2, Tick: 0.1, End: 100, Spans: 7, Messages: 2, Names: []string{"a", "b"},
		Parts: []timeline.Part{{Name: "compute", Kind: timeline.Compute}, {Name: "overhead", Kind: timeline.Overhead},
			{Name: "wait", Kind: timeline.Wait}, {Name: "stopped", Kind: timeline.Stopped}},
		PathKinds: []string{"compute", "message"},
		SpanFirst: []uint32{0, 3, 7}, SpanEnd: []uint32{20, 30, 100, 10, 50, 60, 100}, SpanPart: []uint8{0, 1, 0, 0, 2, 3, 0},
		MessageFirst: []uint32{0, 2, 2}, MessageTo: []uint32{1, 1}, MessageLeaves: []uint32{20, 60}, MessageArrives: []uint32{50, 70},
		MessageReceived: []uint32{50, 90}, MessageSize: []float64{8, 1. / 3}, MessageTag: []int32{0, 0},
		PathFrom: []uint32{0, 20, 50}, PathUntil: []uint32{20, 50, 100}, PathRank: []uint32{0, 0, 1}, PathTo: []uint32{0, 1, 1}, PathKind: []uint8{0, 1, 0},
		Rows: 2, Columns: 10, RanksPerRow: 1, ColumnWidth: 1,
	}
	t.BinShare = make([]uint8, 2*10*3)
	for i := range 20 {
		t.BinShare[3*i] = 255
	}
	return t
}
