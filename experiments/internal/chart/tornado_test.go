package chart

import (
	"slices"
	"testing"
)

// Spans from the base 10: a 2 (9 to 11), b 5 (both above: 10 to 15), c 2, d 6
// (7 to 13), e 0. Equal spans keep their order.
func TestTornadoIsSorted(t *testing.T) {
	c := &Tornado{Base: 10, Low: "-", High: "+", Swings: []Swing{
		{Parameter: "a", Low: 9, High: 11}, {Parameter: "b", Low: 15, High: 12}, {Parameter: "c", Low: 11, High: 9},
		{Parameter: "d", Low: 13, High: 7}, {Parameter: "e", Low: 10, High: 10}}}
	var got []string
	for _, s := range c.sorted() {
		got = append(got, s.Parameter)
	}
	if want := []string{"d", "b", "a", "c", "e"}; !slices.Equal(got, want) {
		t.Errorf("order is %q; expected %q", got, want)
	}
	if c.Swings[0].Parameter != "a" {
		t.Error("the swings of the caller were sorted")
	}
	low := formOf(c).Option.Series[0].Data.([][3]float64)
	// Both results of b lie above the base: the bars share the row.
	if want := [][3]float64{{0, 13, laneFull}, {1, 15, laneUpper}, {2, 9, laneFull}, {3, 11, laneFull}, {4, 10, laneFull}}; !slices.Equal(low, want) {
		t.Errorf("bars are %v; expected %v", low, want)
	}
}

func TestTornadoTable(t *testing.T) {
	c := &Tornado{Value: Axis{Title: "Time", Unit: "s"}, Base: 4, BaseLabel: "as planned", Low: "-10 %", High: "+10 %",
		Swings: []Swing{{Parameter: "latency", Low: 3.5, High: 5, LowNote: "9 us", HighNote: "11 us"}}}
	rows := Tables(c)[0].Rows
	for i, want := range [][]string{{"as planned", "", "", "4"}, {"latency", "-10 %", "9 us", "3.5"}, {"latency", "+10 %", "11 us", "5"}} {
		if !slices.Equal(rows[i], want) {
			t.Errorf("row %d is %q; expected %q", i, rows[i], want)
		}
	}
}

// The number of a result stands beyond the end of its bar: on an axis of 300, five letters of
// width 7 have room at either side of the longest bars, which still have most of the axis.
func TestTornadoHasRoomForItsNumbers(t *testing.T) {
	for _, c := range []*Tornado{
		{Base: 10, Swings: []Swing{{Parameter: "a", Low: 5, High: 15}}},
		{Base: 1e6, Swings: []Swing{{Parameter: "a", Low: 1e6, High: 3e6}, {Parameter: "b", Low: 9e5, High: 1e6}}},
	} {
		low, high := c.Base, c.Base
		for _, s := range c.Swings {
			low, high = min(low, s.Low), max(high, s.High)
		}
		s := c.scale(Span{Length: 300, Extent: letters})
		if left, right := 300*s.Position(low), 300*(1-s.Position(high)); left < 35 || right < 35 || left+right > 120 {
			t.Errorf("%g to %g: %.3g free on the left and %.3g on the right; expected 35 at least, and 120 in all at most", low, high, left, right)
		}
	}
}
