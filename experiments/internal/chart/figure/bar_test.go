package figure

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

// Bars of a group share a colour: the filled ones are areas of it, the others lines,
// dashed for predictions, in the legend as in the plot.
func TestOutlinedBars(t *testing.T) {
	one := report.Axis{Title: "psi", Unit: report.Dimensionless}
	drawing := func(series ...report.BarSeries) string {
		return write(t, chart.Named{Block: &report.BarChart{Title: "T", X: one, Y: one, Categories: []string{"a"}, Series: series}}, "svg", Style{Width: 300, Size: 8})
	}
	first, second := colours.series[0].Hex(), colours.series[1].Hex()
	apart := drawing(report.BarSeries{Name: "s", Values: []float64{2}}, report.BarSeries{Name: "p", Values: []float64{1}})
	if !strings.Contains(apart, `fill="`+second) {
		t.Fatalf("series without a group share a colour: %s", apart)
	}
	group := drawing(report.BarSeries{Name: "s", Values: []float64{2}, Colour: "psi"}, report.BarSeries{Name: "p", Values: []float64{1}, Colour: "psi", Hollow: true})
	if strings.Contains(group, second) || !strings.Contains(group, `fill="`+first) || !strings.Contains(group, `stroke="`+first) {
		t.Errorf("the group is not filled and outlined in %s alone: %s", first, group)
	}
	dashes := func(svg string) int { return strings.Count(svg, "stroke-dasharray") }
	dashed := drawing(report.BarSeries{Name: "s", Values: []float64{2}, Colour: "psi"}, report.BarSeries{Name: "p", Values: []float64{1}, Colour: "psi", Dashed: true})
	if got := dashes(dashed) - dashes(group); got != 2 {
		t.Errorf("%d dashed outlines more; want those of the bar and of its key", got)
	}
}
