package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
)

// The line goes through the points in the order of x, and through points of the
// same x in theirs.
func TestStepsAreOrdered(t *testing.T) {
	s := &report.ScatterSeries{StepBefore: true, Points: []report.ScatterPoint{{X: 3, Y: 1}, {X: 1, Y: 5}, {X: 3, Y: 0}, {X: 2, Y: 4}}}
	line := stepSeries("front", s)
	var got [][2]float64
	for _, p := range line.Data {
		got = append(got, p.Value)
	}
	if want := [][2]float64{{1, 5}, {2, 4}, {3, 1}, {3, 0}}; !slices.Equal(got, want) || line.Step != "start" {
		t.Errorf("got %v with step %q; expected %v with start", got, line.Step, want)
	}
}

// Long data tables end, but every labelled point is in them.
func TestScatterTableIsBounded(t *testing.T) {
	c := &report.ScatterChart{Title: "T", X: report.Axis{Title: "Cost", Unit: "EUR"}, Y: report.Axis{Title: "Time", Unit: "s"}, Series: []report.ScatterSeries{{Name: "all"}}}
	for k := range 5000 {
		c.Series[0].Points = append(c.Series[0].Points, report.ScatterPoint{Name: fmt.Sprint(k), X: float64(k), Y: 1})
	}
	c.Series[0].Points[4000].Label = "best"
	table := scatterChart{c}.dataTables()[0]
	if want := "all: 101 of 5000 points"; len(table.Rows) != 101 || table.Title != want {
		t.Errorf("table %q has %d rows; expected %q and 101", table.Title, len(table.Rows), want)
	}
	if want := []string{"4000", "4000", "1", "best"}; !slices.Equal(table.Rows[100], want) {
		t.Errorf("the last row is %q; expected %q", table.Rows[100], want)
	}
}

// The label of a line is at the end away from the labelled points.
func TestLineLabelsAvoidPoints(t *testing.T) {
	c := scatterChart{&report.ScatterChart{Lines: []report.ReferenceLine{{Label: "budget", At: 5, Vertical: true}, {Label: "goal", At: 5, Vertical: false}}, Series: []report.ScatterSeries{{
		Points: []report.ScatterPoint{{X: 0, Y: 10}, {X: 10, Y: 0}, {X: 9, Y: 1, Label: "low and right"}}}}}}
	xs, ys := c.values()
	marks := c.marks(xs, ys).MarkLine.Data
	if got := marks[0].Label.Position + " " + marks[1].Label.Position; got != "insideEndTop insideStartTop" {
		t.Errorf("labels are at %s; expected the budget's on top and the goal's on the left", got)
	}
}

func TestManyPointsShareACanvas(t *testing.T) {
	for n, want := range map[int]bool{manyPoints - 9: false, manyPoints + 1: true} {
		if got := (scatterChart{offers(n)}).spec("id").Many; got != want {
			t.Errorf("%d points and 9 of the front: many %t, expected %t", n, got, want)
		}
	}
}

// Points that serve as background are below all others, whatever their order.
func TestFaintSeriesAreDrawnFirst(t *testing.T) {
	c := scatterChart{&report.ScatterChart{Series: []report.ScatterSeries{
		{Name: "front", StepAfter: true, Points: []report.ScatterPoint{{X: 1, Y: 1, Label: "best"}}},
		{Name: "dominated", Faint: true, Points: []report.ScatterPoint{{X: 2, Y: 2}}}}}}
	var got []string
	for _, role := range c.spec("id").Roles {
		got = append(got, role.Kind)
	}
	if want := "faint dots steps labels"; strings.Join(got, " ") != want {
		t.Errorf("series are %q; expected %s", got, want)
	}
}
