package html

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/experiments/report"
)

// Coordinates 10, 11 and 12 that are logarithms to the base 2 are shown as 1024, 2048
// and 4096: on the axes, in space and in the data tables, for a point between two, at
// 11.5, as 2^11.5 = 2896.31.
func TestLogarithmicCoordinatesAreShownAsQuantities(t *testing.T) {
	ten, twelve, zero, one := 10.0, 12.0, 0.0, 1.0
	c := &report.Surface{
		Title: "T", X: report.Axis{Title: "nodes", Unit: report.Dimensionless, Min: &ten, Max: &twelve}, XLog2: true,
		Y:      report.Axis{Title: "share", Unit: report.Dimensionless, Min: &zero, Max: &one},
		Value:  report.Axis{Title: "time", Unit: "s", Min: &zero, Max: &one},
		Values: [][]float64{{0, 0.5, 1}, {0, 0.5, 1}},
		Layers: []report.Layer{{Name: "path", Mark: report.MarkPath, Traces: []report.Trace{{X: []float64{10, 11.5}, Y: []float64{0, 1}}}}},
	}
	want := []string{"1024", "2048", "4096"}
	space := report.Surface3D(*c)
	if got := (surface3D{&space}).spec("id").Space.XNames; !slices.Equal(got, want) {
		t.Errorf("in space %q", got)
	}
	tables := surface{c}.dataTables()
	var got []string
	for _, column := range tables[0].Columns[1:] {
		got = append(got, column.Title)
	}
	if !slices.Equal(got, want) {
		t.Errorf("columns %q", got)
	}
	if rows := tables[1].Rows; rows[0][1] != "1024" || rows[1][1] != "2896.31" || rows[1][2] != "1" {
		t.Errorf("path %q", rows)
	}
}

// The data table has every point of a contour, and the head of an arrow is as long, in
// parts of the longest, as the arrow, but no less than shows its direction.
func TestSurfaceDataAndHeads(t *testing.T) {
	span := report.Axis{Title: "x", Unit: report.Dimensionless, Min: new(0.0), Max: new(2.0)}
	c := surface{&report.Surface{Title: "Grid", X: span, Y: span, Value: span, Values: [][]float64{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}, Layers: []report.Layer{
		{Name: "equal", Mark: report.MarkContours, Traces: []report.Trace{{Label: "0.5", X: []float64{0.5, 0.75, 0}, Y: []float64{0, 0.25, 0.5}}}},
		{Name: "gradient", Mark: report.MarkArrows, Traces: []report.Trace{
			{X: []float64{0, 0.4}, Y: []float64{0, 0}}, {X: []float64{1, 1}, Y: []float64{1, 1.2}}, {X: []float64{1, 1.01}, Y: []float64{0, 0}},
		}},
	}}}
	tables := c.dataTables()
	if rows := tables[1].Rows; len(rows) != 3 || rows[1][1] != "0.75" || rows[1][2] != "0.25" {
		t.Errorf("the contour has the data %v, want its 3 points", rows)
	}
	arrows := c.traceSeries("gradient", &c.Layers[1])[0].series.(tracesSeries)
	for i, want := range []float64{1, 0.5, 0.3} { // the last is the smallest of all
		if got := arrows.Data[i].Head; math.Abs(got-want) > 1e-12 {
			t.Errorf("the head of arrow %d is %v, want %v", i+1, got, want)
		}
	}
}

// The halo of marks is as strong as the contrast of marks was computed for.
func TestHaloIsThatOfThePalette(t *testing.T) {
	if want := fmt.Sprintf("opacity: halo ? %g : 1", palette.HaloOpacity); !strings.Contains(reportText, want) {
		t.Errorf("the script has no %q", want)
	}
}
