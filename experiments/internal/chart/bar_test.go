package chart

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func (*BarChart) samples() []Sample {
	p := Axis{Title: "p", Unit: Dimensionless}
	return []Sample{
		{Chart: &BarChart{Title: "Shares", Caption: "Of the time.", X: p, Y: Axis{Title: "time", Unit: "s"}, Categories: []string{"1", "a long name of a system", "16"}, Height: 300,
			Series: []BarSeries{{Name: "start", Values: []float64{0, 0.1, 0.2}, Stack: "s", Offset: true}, {Name: "compute", Values: []float64{1, 0.5, 1. / 3}, Stack: "s"},
				{Name: "wait", Values: []float64{0, 0.2, 0.3}, Stack: "s", Missing: []bool{true, false, false}}}}},
		{Chart: &BarChart{Title: "Sideways", Horizontal: true, X: p, Y: Axis{Title: "gain", Unit: "%"}, Categories: []string{"1", "2"}, At: []float64{1, 2},
			Series: []BarSeries{{Name: "b", Entry: "gain", Colour: "b", Values: []float64{-1.5, 0.5}, Low: []float64{-2, 0.5}, High: []float64{-1, 0.75}},
				{Name: "published", Colour: "b", Hollow: true, Values: []float64{-1, 0.25}}, {Name: "predicted", Colour: "b", Dashed: true, Values: []float64{-1, 1. / 3}}}}},
		{&BarChart{Title: "Thirds", X: Axis{Title: "Place", Unit: Dimensionless}, Y: Axis{Title: "time", Unit: "s"}, Categories: []string{"here"},
			Series: []BarSeries{{Name: "<b>one</b>", Values: []float64{1. / 3}}, {Name: "large", Values: []float64{1e7 / 3.}, Low: []float64{3e6}, High: []float64{4e6}}}},
			[]float64{0, 1e6}, "Place: here <b>one</b> 0.333333 large 3.33333e6, range 3000000 to 4000000"},
	}
}

// Bars of a group share a colour: the filled ones are areas of it, the others lines,
// dashed for predictions, in the legend as in the plot.
func TestOutlinedBars(t *testing.T) {
	one := Axis{Title: "psi", Unit: Dimensionless}
	drawing := func(series ...BarSeries) string {
		return write(t, Named{Block: &BarChart{Title: "T", X: one, Y: one, Categories: []string{"a"}, Series: series}}, "svg", Style{Width: 300, Size: 8})
	}
	first, second := colours.series[0].Hex(), colours.series[1].Hex()
	apart := drawing(BarSeries{Name: "s", Values: []float64{2}}, BarSeries{Name: "p", Values: []float64{1}})
	expect.Need(t, strings.Contains(apart, `fill="`+second), "series without a group share a colour: %s", apart)
	group := drawing(BarSeries{Name: "s", Values: []float64{2}, Colour: "psi"}, BarSeries{Name: "p", Values: []float64{1}, Colour: "psi", Hollow: true})
	expect.That(t, !strings.Contains(group, second) && strings.Contains(group, `fill="`+first) &&
		strings.Contains(group, `stroke="`+first),
		"the group is not filled and outlined in %s alone: %s", first, group)
	dashes := func(svg string) int { return strings.Count(svg, "stroke-dasharray") }
	dashed := drawing(BarSeries{Name: "s", Values: []float64{2}, Colour: "psi"}, BarSeries{Name: "p", Values: []float64{1}, Colour: "psi", Dashed: true})
	got := dashes(dashed) - dashes(group)
	expect.That(t, got == 2, "%d dashed outlines more; want those of the bar and of its key", got)
}

// An offset is not in the legend, and takes no colour from the others.
func TestOffsetsHaveNeitherLegendNorColour(t *testing.T) {
	c := &BarChart{Title: "T", X: Axis{Title: "job", Unit: Dimensionless}, Y: Axis{Title: "time", Unit: "s"},
		Categories: []string{"1"}, Horizontal: true,
		Series: []BarSeries{
			{Name: "submitted", Values: []float64{5}, Stack: "s", Offset: true},
			{Name: "waits", Values: []float64{2}, Stack: "s"},
			{Name: "runs", Values: []float64{3}, Stack: "s"},
		}}
	expect.Same(t, c.keys(), []string{"waits", "runs"}, "legend")
	want := []role{{Kind: roleOffset}, {Kind: roleBar, Colour: 0}, {Kind: roleBar, Colour: 1}}
	expect.Same(t, formOf(c).Roles, want, "roles")
	table := Tables(c)[0]
	expect.That(t, len(table.Columns) == 4,
		"columns of the data table: %v; expected the job and all three series", table.Columns)
}

// Series of a group share a colour and differ by their outlines; the next series has the
// next colour.
func TestSeriesOfAGroupShareAColour(t *testing.T) {
	c := &BarChart{Title: "T", X: Axis{Title: "step", Unit: Dimensionless}, Y: Axis{Title: "psi", Unit: Dimensionless},
		Categories: []string{"1"},
		Series: []BarSeries{
			{Name: "simulated", Values: []float64{5}, Colour: "psi"},
			{Name: "other", Values: []float64{2}},
			{Name: "predicted", Values: []float64{4}, Colour: "psi", Dashed: true},
			{Name: "published", Values: []float64{3}, Colour: "psi", Hollow: true},
		}}
	want := []role{{Kind: roleBar}, {Kind: roleBar, Colour: 1}, {Kind: roleBar, Outline: "dashed"}, {Kind: roleBar, Outline: "solid"}}
	expect.Same(t, formOf(c).Roles, want, "roles")
}

// Bars of 3 (2 to 5) and 1 (none), of a series beside one without ranges: the axis goes up to the 5, each form has both
// ends, and a range that does not hold its value, or is of a pile, is refused.
func TestRangesOfBars(t *testing.T) {
	c := &BarChart{Title: "times", X: Axis{Title: "network", Unit: Dimensionless}, Y: Axis{Title: "time", Unit: "s"}, Categories: []string{"a", "b"}, Series: []BarSeries{
		{Name: "with", Values: []float64{3, 0}, Missing: []bool{false, true}, Low: []float64{2, 0}, High: []float64{5, 0}},
		{Name: "without", Values: []float64{1, 1}},
	}}
	expect.Equal(t, problemsOf(c), "[]", "problems")
	expect.That(t, c.scale(100, func(string) float64 { return 1 }).Max >= 5, "the axis ends at %v", c.scale(100, func(string) float64 { return 1 }).Max)
	var d data
	c.data(&d)
	expect.Same(t, d.rows, [][]string{{"a", "with", "3", "2", "5"}, {"a", "without", "1", "", ""}, {"b", "without", "1", "", ""}}, "rows")
	layers := expect.Value(json.Marshal(c.vega()))(t)
	expect.Says(t, string(layers), `"y":{"field":"c3"`, `"y2":{"field":"c4"}`)
	var i Interactive
	c.interactive(&i)
	expect.Same(t, i.Roles[2].Kind, roleRange, "role of the third series")
	expect.Same(t, i.Option.Series[2].Data, any([][3]float64{{0, 2, 5}}), "ranges")
	c.Series[0].High[0] = 2.5
	expect.Says(t, problemsOf(c), "value[0] is 3, not between low 2 and high 2.5")
}

// A pile of 3 and 1 has whiskers around its 4, of its last series: from 3 to 6 they are drawn there, and gone where a series is
// left out. Others of a pile have none.
func TestRangesOfPiles(t *testing.T) {
	c := &BarChart{Title: "times", X: Axis{Title: "p", Unit: Dimensionless}, Y: Axis{Title: "time", Unit: "s"}, Categories: []string{"a"}, Series: []BarSeries{
		{Name: "compute", Values: []float64{3}, Stack: "time"},
		{Name: "wait", Values: []float64{1}, Stack: "time", Low: []float64{3}, High: []float64{6}},
	}}
	expect.Equal(t, problemsOf(c), "[]", "problems")
	expect.That(t, c.scale(100, func(string) float64 { return 1 }).Max >= 6, "the axis ends at %v", c.scale(100, func(string) float64 { return 1 }).Max)
	var d data
	c.data(&d)
	expect.Same(t, d.rows, [][]string{{"a", "compute", "3", "", ""}, {"a", "wait", "1", "3", "6"}}, "rows")
	expect.Same(t, d.heads[3:], []string{"low of the whole", "high of the whole"}, "columns")
	alone := expect.Value(c.changed(Change{Series: []string{"wait"}}))(t).(*BarChart)
	expect.That(t, len(alone.Series) == 1 && !alone.ranged(), "%+v", alone.Series)
	c.Series[1].High[0] = 3.5
	expect.Says(t, problemsOf(c), "value[0] is 4, not between low 3 and high 3.5")
	c.Series[0].Low, c.Series[0].High = []float64{3}, []float64{3}
	expect.Says(t, problemsOf(c), "has whiskers within a pile")
}
