package html

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/report"
)

// An offset is not in the legend, and takes no colour from the others.
func TestOffsetsHaveNeitherLegendNorColour(t *testing.T) {
	c := barChart{&report.BarChart{Title: "T", X: report.Axis{Title: "job", Unit: report.Dimensionless}, Y: report.Axis{Title: "time", Unit: "s"},
		Categories: []string{"1"}, Horizontal: true,
		Series: []report.BarSeries{
			{Name: "submitted", Values: []float64{5}, Stack: "s", Offset: true},
			{Name: "waits", Values: []float64{2}, Stack: "s"},
			{Name: "runs", Values: []float64{3}, Stack: "s"},
		}}}
	if d := cmp.Diff([]string{"waits", "runs"}, c.drawn(c.names())); d != "" {
		t.Errorf("legend: %s", d)
	}
	want := []seriesRole{{Kind: roleOffset}, {Kind: roleData, Colour: 0}, {Kind: roleData, Colour: 1}}
	if d := cmp.Diff(want, c.spec("c").Roles); d != "" {
		t.Errorf("roles: %s", d)
	}
	if table := c.dataTables()[0]; len(table.Columns) != 4 {
		t.Errorf("columns of the data table: %v; expected the job and all three series", table.Columns)
	}
}

// Series of a group share a colour and differ by their outlines; the next series has the
// next colour.
func TestSeriesOfAGroupShareAColour(t *testing.T) {
	c := barChart{&report.BarChart{Title: "T", X: report.Axis{Title: "step", Unit: report.Dimensionless}, Y: report.Axis{Title: "psi", Unit: report.Dimensionless},
		Categories: []string{"1"},
		Series: []report.BarSeries{
			{Name: "simulated", Values: []float64{5}, Colour: "psi"},
			{Name: "other", Values: []float64{2}},
			{Name: "predicted", Values: []float64{4}, Colour: "psi", Dashed: true},
			{Name: "published", Values: []float64{3}, Colour: "psi", Hollow: true},
		}}}
	want := []seriesRole{{Kind: roleData}, {Kind: roleData, Colour: 1}, {Kind: roleData, Outline: "dashed"}, {Kind: roleData, Outline: "solid"}}
	if d := cmp.Diff(want, c.spec("c").Roles); d != "" {
		t.Errorf("roles: %s", d)
	}
}
