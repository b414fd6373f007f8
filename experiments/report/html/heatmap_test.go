package html

import (
	"reflect"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
)

// Columns of a map without any value have no row in its table, which says so.
func TestHeatMapTableLeavesOutZeros(t *testing.T) {
	c := heatMap{&report.HeatMap{
		X: report.Axis{Title: "time", Unit: "s", Min: new(0.0), Max: new(3.0)}, Value: report.Axis{Title: "use", Unit: "%"},
		Columns: 3, Rows: []report.HeatRow{{Name: "a", Values: []float64{5, 0, 0}}, {Name: "b", Values: []float64{0, 0, 7}}},
	}}
	table := c.dataTables()[0]
	if want := [][]string{{"0", "1", "5", "0"}, {"2", "3", "0", "7"}}; !reflect.DeepEqual(table.Rows, want) {
		t.Errorf("rows %q, want %q", table.Rows, want)
	}
	if want := "use (%); rows of zeros are left out"; table.Title != want {
		t.Errorf("title %q, want %q", table.Title, want)
	}
}
