package chart

import (
	"math"
	"slices"
	"testing"
)

// The heads of arrows turn the same way, so that one path of all has no holes where two
// overlap.
func TestHeadsTurnTheSameWay(t *testing.T) {
	for _, end := range []point{{10, 0}, {0, 10}, {-10, 0}, {0, -10}, {7, -7}} {
		head := arrowHead([]point{{0, 0}, end}, 5, 2)
		a, b, c := head[0], head[1], head[2]
		if turn := (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x); turn <= 0 {
			t.Errorf("the head of an arrow to %v has corners %v, with twice the area %v; expected a positive one", end, head, turn)
		}
	}
}

// Coordinates 10, 11 and 12 that are logarithms to the base 2 are shown as 1024, 2048
// and 4096: on the axes, in space and in the data tables, for a point between two, at
// 11.5, as 2^11.5 = 2896.31.
func TestLogarithmicCoordinatesAreShownAsQuantities(t *testing.T) {
	ten, twelve, zero, one := 10.0, 12.0, 0.0, 1.0
	c := &Surface{
		Title: "T", X: Axis{Title: "nodes", Unit: Dimensionless, Min: &ten, Max: &twelve}, XLog2: true,
		Y:      Axis{Title: "share", Unit: Dimensionless, Min: &zero, Max: &one},
		Value:  Axis{Title: "time", Unit: "s", Min: &zero, Max: &one},
		Values: [][]float64{{0, 0.5, 1}, {0, 0.5, 1}},
		Layers: []Layer{{Name: "path", Mark: MarkPath, Traces: []Trace{{X: []float64{10, 11.5}, Y: []float64{0, 1}}}}},
	}
	want := []string{"1024", "2048", "4096"}
	space := Surface3D(*c)
	if got := space.flat().columns(); !slices.Equal(got, want) {
		t.Errorf("in space %q", got)
	}
	tables := Tables(c)
	var got []string
	for _, column := range tables[0].Columns[1:] {
		got = append(got, column.Title)
	}
	if !slices.Equal(got, want) {
		t.Errorf("columns %q", got)
	}
	if rows := tables[1].Rows; rows[0][0] != "1024" || rows[1][0] != "2896.31" || rows[1][1] != "1" {
		t.Errorf("path %q", rows)
	}
}

// The data table has every point of a contour, and the head of an arrow is as long, in
// parts of the longest, as the arrow, but no less than shows its direction.
func TestSurfaceDataAndHeads(t *testing.T) {
	span := Axis{Title: "x", Unit: Dimensionless, Min: new(0.0), Max: new(2.0)}
	c := &Surface{Title: "Grid", X: span, Y: span, Value: span, Values: [][]float64{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}, Layers: []Layer{
		{Name: "equal", Mark: MarkContours, Traces: []Trace{{Label: "0.5", X: []float64{0.5, 0.75, 0}, Y: []float64{0, 0.25, 0.5}}}},
		{Name: "gradient", Mark: MarkArrows, Traces: []Trace{
			{X: []float64{0, 0.4}, Y: []float64{0, 0}}, {X: []float64{1, 1}, Y: []float64{1, 1.2}}, {X: []float64{1, 1.01}, Y: []float64{0, 0}},
		}},
	}}
	tables := Tables(c)
	if rows := tables[1].Rows; len(rows) != 3 || !slices.Equal(rows[1], []string{"0.5", "0.75", "0.25"}) {
		t.Errorf("the contour has the data %v, want its 3 points", rows)
	}
	heads := c.heads(&c.Layers[1])
	for i, want := range []float64{1, 0.5, 0.3} { // the last is the smallest of all
		if got := heads[i]; math.Abs(got-want) > 1e-12 {
			t.Errorf("the head of arrow %d is %v, want %v", i+1, got, want)
		}
	}
}
