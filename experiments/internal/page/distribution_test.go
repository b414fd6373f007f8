package page

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
)

// Of 1, 2, 2 and 5 ms a quarter is at most 1 ms, three quarters are at most 2 ms, and all
// are at most 5 ms: the curve jumps there. Of 0 to 999 s, k % are at most 10 k - 1 s.
func TestDistributionChart(t *testing.T) {
	few := []float64{0.002, 0.005, 0.001, 0.002}
	c := DistributionChart("Waits", "time", "s", "ranks", []Sample{{"wait", few}})
	if got, want := c.Series[0].X, []float64{1, 1, 2, 2, 5, 5}; !slices.Equal(got, want) || c.X.Unit != "ms" {
		t.Errorf("times %v %s; want %v ms", got, c.X.Unit, want)
	}
	if got, want := c.Series[0].Y, []float64{0, 25, 25, 75, 75, 100}; !slices.Equal(got, want) {
		t.Errorf("shares %v; want %v", got, want)
	}
	if few[0] != 0.002 {
		t.Error("the values of the caller were sorted")
	}
	var many []float64
	for i := range 1000 {
		many = append(many, float64(999-i))
	}
	c = DistributionChart("Waits", "time", "s", "ranks", []Sample{{"wait", many}})
	if s := c.Series[0]; len(s.X) != 101 || s.X[0] != 0 || s.X[50] != 499 || s.Y[50] != 50 || s.X[100] != 999 {
		t.Errorf("1000 values: %d points, from %v over %v (%v %%) to %v; want 101, from 0 over 499 (50 %%) to 999", len(s.X), s.X[0], s.X[50], s.Y[50], s.X[100])
	}
	d := report.Document{Title: "t", Sections: []report.Section{{Heading: "h", Blocks: []report.Block{c}}}}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
}
