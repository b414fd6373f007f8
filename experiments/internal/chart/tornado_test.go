package chart

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func (*Tornado) samples() []Sample {
	return []Sample{
		{Chart: &Tornado{Title: "Sensitivity", Caption: "By a tenth.", Value: Axis{Title: "time", Unit: "s"}, Base: 4, Low: "-10 %", High: "+10 %", Height: 300,
			Swings: []Swing{{Parameter: "latency", Low: 3.9, High: 4.1, LowHalf: 0.05, HighHalf: 0.1 / 3}, {Parameter: "nodes", Low: 5, High: 4.5}}}},
		// A swing from a base of 4 to 2 and to 8: 6 is in the bar of the raised parameter.
		{&Tornado{Title: "Time", Value: Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(10.0)}, Base: 4, BaseLabel: "as planned", Low: "-10 %", High: "+10 %",
			Swings: []Swing{{Parameter: "<b>latency</b>", Low: 2, High: 8, LowNote: "9 us", HighNote: "11 us", HighHalf: 0.5}}},
			[]float64{6, 0}, "<b>latency</b> +10 %: 11 us Time (s) 8 \u00b1 0.5 as planned 4 difference +4"},
	}
}

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
	expect.List(t, got, []string{"d", "b", "a", "c", "e"}, "order")
	expect.That(t, c.Swings[0].Parameter == "a", "the swings of the caller were sorted")
	low := formOf(c).Option.Series[0].Data.([][3]float64)
	// Both results of b lie above the base: the bars share the row.
	expect.List(t, low, [][3]float64{{0, 13, laneFull}, {1, 15, laneUpper}, {2, 9, laneFull}, {3, 11, laneFull}, {4, 10, laneFull}}, "bars")
}

func TestTornadoTable(t *testing.T) {
	c := &Tornado{Value: Axis{Title: "Time", Unit: "s"}, Base: 4, BaseLabel: "as planned", Low: "-10 %", High: "+10 %",
		Swings: []Swing{{Parameter: "latency", Low: 3.5, High: 5, LowNote: "9 us", HighNote: "11 us"}}}
	rows := Tables(c)[0].Rows
	for i, want := range [][]string{{"as planned", "", "", "4"}, {"latency", "-10 %", "9 us", "3.5"}, {"latency", "+10 %", "11 us", "5"}} {
		expect.That(t, slices.Equal(rows[i], want), "row %d is %q; expected %q", i, rows[i], want)
	}
}

// A result of 3.5 that may be 0.25 off has both ends in its row and on the axis, and the page its half.
func TestWhiskersOfATornado(t *testing.T) {
	c := &Tornado{Title: "t", Value: Axis{Title: "Time", Unit: "s"}, Base: 4, Low: "-", High: "+", Swings: []Swing{{Parameter: "latency", Low: 3.5, High: 5, LowHalf: 0.25}}}
	d := dataOf(c)
	expect.Same(t, d.rows, [][]string{{"base", "", "", "4", "", ""}, {"latency", "-", "", "3.5", "3.25", "3.75"}, {"latency", "+", "", "5", "5", "5"}}, "rows")
	expect.Says(t, string(expect.Value(json.Marshal(formOf(c).Own))(t)), `"halves":[[0.25,0]]`)
	expect.Says(t, string(expect.Value(json.Marshal(c.vega()))(t)), `"mark":"bar"`, `"mark":"rule"`, `"x":{"field":"c4"`, `"x2":{"field":"c5"}`)
	c.Swings[0].HighHalf = -1
	expect.Says(t, problemsOf(c), "whiskers are 0.25 and -1")
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
		left, right := 300*s.Position(low), 300*(1-s.Position(high))
		expect.That(t, left >= 35 && right >= 35 && left+right <= 120,
			"%g to %g: %.3g free on the left and %.3g on the right; expected 35 at least, and 120 in all at most", low, high, left, right)
	}
}
