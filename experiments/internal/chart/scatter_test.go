package chart

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func (*ScatterChart) samples() []Sample {
	price := Axis{Title: "Cost", Unit: "EUR", Min: new(0.0), Max: new(4.0)}
	return []Sample{
		{Chart: &ScatterChart{Title: "Costs", Caption: "Of two offers.", X: Axis{Title: "price", Unit: "EUR"}, Y: seconds, Height: 300,
			Series: []ScatterSeries{{Name: "front", StepAfter: true, Points: []ScatterPoint{{Name: "A", X: 1, Y: 2, Label: "best", Notes: "n"}, {Name: "B", X: 2.5, Y: 1. / 7}}},
				{Name: "others", Faint: true, StepBefore: true, Points: []ScatterPoint{{Name: "C", X: 2, Y: 2}, {Name: "D", X: 2.5, Y: 1}}}},
			Lines: []ReferenceLine{{Label: "budget", At: 2, Vertical: true}}}},
		{&ScatterChart{Title: "Offers", X: price, Y: Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(4.0)},
			Series: []ScatterSeries{{Name: "front", Points: []ScatterPoint{{Name: "A", X: 1, Y: 3}, {Name: "<b>B</b>", X: 2, Y: 2, Notes: "8 nodes"}, {Name: "C", X: 3, Y: 1}}}}},
			[]float64{2, 2}, "<b>B</b> Cost (EUR) 2 Time (s) 2 front 8 nodes"},
	}
}

// The line goes through the points in the order of x, and through points of the
// same x in theirs.
func TestStepsAreOrdered(t *testing.T) {
	s := &ScatterSeries{StepBefore: true, Points: []ScatterPoint{{X: 3, Y: 1}, {X: 1, Y: 5}, {X: 3, Y: 0}, {X: 2, Y: 4}}}
	line := s.sorted()
	var got [][2]float64
	for _, p := range line {
		got = append(got, [2]float64{p.X, p.Y})
	}
	want := [][2]float64{{1, 5}, {2, 4}, {3, 1}, {3, 0}}
	expect.That(t, slices.Equal(got, want), "got %v; expected %v", got, want)
}

// Long data tables end, but every labelled point is in them.
func TestScatterTableIsBounded(t *testing.T) {
	c := &ScatterChart{Title: "T", X: Axis{Title: "Cost", Unit: "EUR"}, Y: Axis{Title: "Time", Unit: "s"}, Series: []ScatterSeries{{Name: "all"}}}
	for k := range 5000 {
		c.Series[0].Points = append(c.Series[0].Points, ScatterPoint{Name: fmt.Sprint(k), X: float64(k), Y: 1})
	}
	c.Series[0].Points[4000].Label = "best"
	table := Tables(c)[0]
	// The first ones, the labelled one, and the last, whose number is the largest.
	want := fmt.Sprintf("all: %d of 5000 rows", mostRows+2)
	expect.Need(t, len(table.Rows) == mostRows+2 && table.Title == want,
		"table %q has %d rows; expected %q", table.Title, len(table.Rows), want)
	expect.List(t, table.Rows[mostRows], []string{"4000", "4000", "1", "best"}, "the row after the first %d", mostRows)
}

// The label of a line is at the end away from the labelled points.
func TestLineLabelsAvoidPoints(t *testing.T) {
	c := &ScatterChart{Lines: []ReferenceLine{{Label: "budget", At: 5, Vertical: true}, {Label: "goal", At: 5, Vertical: false}}, Series: []ScatterSeries{{
		Points: []ScatterPoint{{X: 0, Y: 10}, {X: 10, Y: 0}, {X: 9, Y: 1, Label: "low and right"}}}}}
	form := formOf(c)
	lines := form.Option.Series[len(form.Option.Series)-1].MarkLines.Data
	got := lines[0].(reference).Label.Position + " " + lines[1].(reference).Label.Position
	expect.That(t, got == "insideEndTop insideStartTop",
		"labels are at %s; expected the budget's on top and the goal's on the left", got)
}

// The data tell a series from the reference lines, whatever its name.
func TestSeriesNamedAsLines(t *testing.T) {
	c := &ScatterChart{Lines: []ReferenceLine{{Label: "budget", At: 5}}, Series: []ScatterSeries{{Name: seriesOfLines, Points: []ScatterPoint{{X: 1, Y: 2}}}}}
	rows := dataOf(c).rows
	expect.That(t, len(rows) == 2 && rows[0][0] == "reference line (2)" && rows[1][0] == "reference line", "%v", rows)
}

func TestManyPointsShareACanvas(t *testing.T) {
	for n, want := range map[int]bool{manyPoints: false, manyPoints + 1: true} {
		expect.Equal(t, formOf(&ScatterChart{Series: []ScatterSeries{{Points: make([]ScatterPoint, n)}}}).Canvas, want, "%d points: canvas", n)
	}
}

// Points that serve as background are below all others, whatever their order.
func TestFaintSeriesAreDrawnFirst(t *testing.T) {
	c := &ScatterChart{Series: []ScatterSeries{
		{Name: "front", StepAfter: true, Points: []ScatterPoint{{X: 1, Y: 1, Label: "best"}}},
		{Name: "dominated", Faint: true, Points: []ScatterPoint{{X: 2, Y: 2}}}}}
	var got []string
	for _, role := range formOf(c).Roles {
		got = append(got, role.Kind)
	}
	expect.Equal(t, strings.Join(got, " "), "faint dots steps labels", "series")
}
