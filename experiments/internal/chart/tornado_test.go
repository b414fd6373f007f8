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
