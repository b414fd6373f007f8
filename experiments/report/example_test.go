package report_test

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/report"
)

// A report with one chart. Check names every problem; html.Write makes the page.
func Example() {
	chart := &report.LineChart{
		Title: "Time by nodes",
		X:     report.Axis{Title: "Nodes", Unit: report.Dimensionless, Log: true},
		Y:     report.Axis{Title: "Time"},
		Series: []report.Series{
			{Name: "simulated", X: []float64{1, 2, 4}, Y: []float64{8, 4.5, 2.7}},
			{Name: "measured", X: []float64{1, 2}, Y: []float64{8.2, 4.4}, Points: true},
		},
	}
	d := &report.Document{
		Title:    "Strong scaling",
		Lead:     []string{"Four nodes take a third of the time of one."},
		Sections: []report.Section{{Heading: "Times", Blocks: []report.Block{chart}}},
	}
	fmt.Println(d.Check())
	chart.Y.Unit = "s"
	fmt.Println(d.Check())
	// Output:
	// report: section "Times": chart "Time by nodes": y axis: unit is missing; expected a unit, or "1" where there is none
	// <nil>
}
