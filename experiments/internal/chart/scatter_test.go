package chart

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The line goes through the points in the order of x, and through points of the
// same x in theirs.
func TestStepsAreOrdered(t *testing.T) {
	s := &ScatterSeries{StepBefore: true, Points: []ScatterPoint{{X: 3, Y: 1}, {X: 1, Y: 5}, {X: 3, Y: 0}, {X: 2, Y: 4}}}
	line := s.sorted()
	var got [][2]float64
	for _, p := range line {
		got = append(got, [2]float64{p.X, p.Y})
	}
	if want := [][2]float64{{1, 5}, {2, 4}, {3, 1}, {3, 0}}; !slices.Equal(got, want) {
		t.Errorf("got %v; expected %v", got, want)
	}
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
	if want := fmt.Sprintf("all: %d of 5000 rows", mostRows+2); len(table.Rows) != mostRows+2 || table.Title != want {
		t.Fatalf("table %q has %d rows; expected %q", table.Title, len(table.Rows), want)
	}
	if want := []string{"4000", "4000", "1", "best"}; !slices.Equal(table.Rows[mostRows], want) {
		t.Errorf("the row after the first %d is %q; expected %q", mostRows, table.Rows[mostRows], want)
	}
}

// The label of a line is at the end away from the labelled points.
func TestLineLabelsAvoidPoints(t *testing.T) {
	c := &ScatterChart{Lines: []ReferenceLine{{Label: "budget", At: 5, Vertical: true}, {Label: "goal", At: 5, Vertical: false}}, Series: []ScatterSeries{{
		Points: []ScatterPoint{{X: 0, Y: 10}, {X: 10, Y: 0}, {X: 9, Y: 1, Label: "low and right"}}}}}
	form := formOf(c)
	lines := form.Option.Series[len(form.Option.Series)-1].MarkLines.Data
	if got := lines[0].(reference).Label.Position + " " + lines[1].(reference).Label.Position; got != "insideEndTop insideStartTop" {
		t.Errorf("labels are at %s; expected the budget's on top and the goal's on the left", got)
	}
}

func TestManyPointsShareACanvas(t *testing.T) {
	for n, want := range map[int]bool{manyPoints: false, manyPoints + 1: true} {
		if got := formOf(&ScatterChart{Series: []ScatterSeries{{Points: make([]ScatterPoint, n)}}}).Canvas; got != want {
			t.Errorf("%d points: canvas %t, expected %t", n, got, want)
		}
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
	if want := "faint dots steps labels"; strings.Join(got, " ") != want {
		t.Errorf("series are %q; expected %s", got, want)
	}
}
