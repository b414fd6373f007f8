package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/canvas"
	"github.com/isoscale/isoscale/internal/expect"
)

// Cells of one colour that touch are one line, as wide as they are high.
func TestCellsInARowAreOneLine(t *testing.T) {
	file := canvas.NewSVG(100, 100, 10, colours.muted, true)
	cells := newCells(&sheet{canvas: file, width: 100, height: 100, em: 10, theme: &colours}, colours.heat, 8)
	cells.add(0, 0, 10, 4)
	cells.add(0, 10, 20, 4)
	cells.add(0, 30, 40, 4)
	cells.add(0, 0, 10, 12)
	cells.draw()
	got := encoded(file)
	expect.That(t, strings.Contains(got, `stroke-width="8" d="M0 4h20M30 4h10M0 12h10"`) &&
		strings.Count(got, "<path") == 1,
		"the cells are drawn as\n%s", got)
}

// The table has all lines, and the axes of both renderings are one.
func TestParallelAxesOfThePage(t *testing.T) {
	c := &Parallel{Title: "T", Marked: "best", Value: Axis{Title: "speedup", Unit: "1", Min: new(1.0), Max: new(1000.0), Log: true},
		Axes:  []ParallelAxis{{Name: "r", Levels: []string{"0", "1"}}, {Name: "r", Levels: []string{"a"}}},
		Lines: []ParallelLine{{At: []int{0, 0}, Value: 10}, {At: []int{1, 0}, Value: 1000, Label: "size 2", Marked: true}}}
	form := formOf(c)
	scale := form.Option.VisualMap[0]
	expect.That(t, scale.Min == 0 && scale.Max == 3 && strings.Contains(fmt.Sprint(form.Own), "r (2)"), "%+v", form)
	ticks := c.Value.bounded(340, func(string) float64 { return 22 }).Ticks
	for _, want := range []float64{1, 10, 100, 1000} {
		expect.That(t, slices.ContainsFunc(ticks, func(tick Tick) bool { return tick.At == want }),
			"no tick at %v: %v", want, ticks)
	}
	rows := Tables(c)[0].Rows
	expect.That(t, len(rows) == 2 && slices.Equal(rows[0], []string{"0", "a", "10", "", ""}) &&
		slices.Equal(rows[1], []string{"1", "a", "1000", "size 2", "best"}),
		"rows %q", rows)
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
	own := string(expect.Value(json.Marshal(formOf(c).Own))(t))
	expect.That(t, strings.Contains(own, `"halves":[[0.25,0]]`), "%s", own)
	vega := string(expect.Value(json.Marshal(c.vega()))(t))
	expect.That(t, strings.Contains(vega, `"mark":"tick"`) && strings.Contains(vega, `"mark":"rule"`) &&
		strings.Contains(vega, `"x":{"field":"c4"`) && strings.Contains(vega, `"x2":{"field":"c5"}`), "%s", vega)
	var problems []error
	c.Swings[0].HighHalf = -1
	c.check(place{found: &problems})
	expect.That(t, strings.Contains(fmt.Sprint(problems), "whiskers are 0.25 and -1"), "%v", problems)
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

func TestManyPointsShareACanvas(t *testing.T) {
	for n, want := range map[int]bool{manyPoints: false, manyPoints + 1: true} {
		got := formOf(&ScatterChart{Series: []ScatterSeries{{Points: make([]ScatterPoint, n)}}}).Canvas
		expect.That(t, got == want, "%d points: canvas %t, expected %t", n, got, want)
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
	want := "faint dots steps labels"
	expect.That(t, strings.Join(got, " ") == want, "series are %q; expected %s", got, want)
}

// What is equal but for rounding is not told as the one extreme.
func TestFindingsOfTies(t *testing.T) {
	side := Axis{Title: "x", Unit: Dimensionless, Min: new(0.0), Max: new(1.0)}
	value := Axis{Title: "v", Unit: Dimensionless}
	near := 3 * (1 - 1e-13)
	for want, c := range map[string]Chart{
		"a moves the result most, from 1 to 4; base: 2":                 &Tornado{Base: 2, Swings: []Swing{{Parameter: "a", Low: 1, High: 4}, {Parameter: "b", Low: 1, High: 3}}},
		"a moves the result as much as any other, from 1 to 4; base: 2": &Tornado{Base: 2, Swings: []Swing{{Parameter: "a", Low: 1, High: 4}, {Parameter: "b", Low: 1, High: 1 + near}}},
		"v is largest at x 1, x 0: 3":                                   &Surface{X: side, Y: side, Value: value, Values: Grid{{1, 3}, {2, math.NaN()}}},
		"v is largest at x 1, x 0 and 1 place more: 3":                  &Surface{X: side, Y: side, Value: value, Values: Grid{{1, 3}, {near, math.NaN()}}},
		"v: the largest is 3, of a":                                     &HeatMap{Value: value, Columns: 2, Rows: []HeatRow{{Name: "a", Values: []float64{1, 3}}, {Name: "b", Values: []float64{2, 1}}}},
		"v: the largest is 3, of row 1":                                 &HeatMap{Value: value, Columns: 2, Rows: []HeatRow{{Values: []float64{1, 3}}, {Values: []float64{2, 1}}}},
		"v: the largest is 3, of a and 1 row more":                      &HeatMap{Value: value, Columns: 2, Rows: []HeatRow{{Name: "a", Values: []float64{1, 3}}, {Name: "b", Values: []float64{near, 1}}}},
	} {
		got := strings.Join(c.finding(), "; ")
		expect.That(t, got == want, "%q, want %q", got, want)
	}
}
