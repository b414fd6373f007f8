package page

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
)

// Pairs of one group are one series of points, measured times along x, and the line of
// equal values goes from the least to the largest value of either source.
func TestParityChart(t *testing.T) {
	c := ParityChart("time", "s", "measured", "simulated", []Pair{{"A", 1, 1.5}, {"B", 10, 8}, {"A", 4, 4}})
	if c.Title != "Simulated over measured time" || c.X.Title != "measured time" || c.Y.Title != "simulated time" || c.X.Unit != "s" || c.Y.Unit != "s" {
		t.Errorf("title %q, axes %+v and %+v", c.Title, c.X, c.Y)
	}
	// 8 instead of 10 is by a factor of 1.25, 1.5 instead of 1 by one of 1.5.
	if want := "Points on the dashed line agree; above it, the simulated value is the larger one. Farthest from it: A, 1.5 s instead of 1 s."; c.Caption != want {
		t.Errorf("caption %q; want %q", c.Caption, want)
	}
	if !c.Square || !c.X.Log || !c.Y.Log {
		t.Error("the axes are not alike and logarithmic")
	}
	want := []report.Series{
		{Name: "A", Points: true, X: []float64{1, 4}, Y: []float64{1.5, 4}},
		{Name: "B", Points: true, X: []float64{10}, Y: []float64{8}},
		{Name: "equal", Ideal: true, Plain: true, X: []float64{1, 10}, Y: []float64{1, 10}},
	}
	if !slices.EqualFunc(c.Series, want, func(a, b report.Series) bool {
		return a.Name == b.Name && a.Points == b.Points && a.Ideal == b.Ideal && a.Plain == b.Plain && slices.Equal(a.X, b.X) && slices.Equal(a.Y, b.Y)
	}) {
		t.Errorf("series %+v; want %+v", c.Series, want)
	}
	d := report.Document{Title: "t", Sections: []report.Section{{Heading: "h", Blocks: []report.Block{c}}}}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
	if c := ParityChart("time", "s", "measured", "simulated", nil); len(c.Series) != 0 {
		t.Errorf("no pairs, but series %+v", c.Series)
	}
}
