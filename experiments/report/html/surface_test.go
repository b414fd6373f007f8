package html

import (
	"slices"
	"testing"

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
