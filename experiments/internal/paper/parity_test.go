package paper

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
)

// Only values that a run or a model gives are drawn over the printed ones, if there are
// five of one unit.
func TestParityOfATable(t *testing.T) {
	cell := func(column string, paper, ours float64, how How) Cell {
		return Cell{Row: "1", Column: column, Paper: paper, Ours: ours, How: how}
	}
	cells := []Cell{
		cell("T [ms]", 10, 11, Simulated), cell("T [ms]", 20, 19, Simulated), cell("U [ms]", 30, 30, Simulated), cell("T [ms]", 40, 44, Simulated), cell("T [ms]", 45, 45, Simulated),
		cell("T [ms]", 50, 50, Recomputed), cell("T [ms]", 0, 1, Simulated),
	}
	c := (&Table{ID: "t", Cells: cells}).parityChart()
	if c == nil {
		t.Fatal("no chart of five values")
	}
	if c.Title != "Simulated over published values" || c.X.Unit != "ms" {
		t.Errorf("%q in %s; want simulated over published values in ms", c.Title, c.X.Unit)
	}
	want := []report.Series{{Name: "T", X: []float64{10, 20, 40, 45}, Y: []float64{11, 19, 44, 45}}, {Name: "U", X: []float64{30}, Y: []float64{30}}, {Name: "equal", X: []float64{10, 45}, Y: []float64{10, 45}}}
	if !slices.EqualFunc(c.Series, want, func(a, b report.Series) bool {
		return a.Name == b.Name && slices.Equal(a.X, b.X) && slices.Equal(a.Y, b.Y)
	}) {
		t.Errorf("series %+v; want %+v", c.Series, want)
	}
	if c := (&Table{Cells: cells[:4]}).parityChart(); c != nil {
		t.Error("four values have a chart")
	}
	if c := (&Table{Cells: append(cells[:5:5], cell("N [rank]", 5, 5, Simulated))}).parityChart(); c != nil {
		t.Error("values of two units have one chart")
	}
}
