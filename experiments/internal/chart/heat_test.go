package chart

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/canvas"
	"github.com/isoscale/isoscale/internal/expect"
)

func (*HeatMap) samples() []Sample {
	return []Sample{
		{Chart: &HeatMap{Title: "Links", Caption: "Of three.", X: Axis{Title: "time", Unit: "s", Min: new(0.0), Max: new(3.0)}, Y: Axis{Title: "link", Unit: "1"},
			Value: Axis{Title: "use", Unit: "%", Min: new(0.0), Max: new(100.0)}, Columns: 3, Height: 300,
			Rows: []HeatRow{{Name: "up", Values: []float64{1. / 3, 0, 100}}, {Name: "down", Values: []float64{5, 5, 5}}}}},
		// The second of three columns from 1 s to 4 s is from 2 s to 3 s.
		{&HeatMap{Title: "Use", X: Axis{Title: "Time", Unit: "s", Min: new(1.0), Max: new(4.0)}, Y: Axis{Title: "Link", Unit: Dimensionless},
			Value:   Axis{Title: "Used", Unit: "%", Log: true, Min: new(1.0), Max: new(100.0)},
			Columns: 3, Rows: []HeatRow{{Name: "<b>up</b>", Values: []float64{1, 62.5, 3}}}},
			[]float64{1, 0}, "<b>up</b> 2 to 3 s Used (%) 62.5"},
	}
}

// Cells of one colour that touch are one line, as wide as they are high.
func TestCellsInARowAreOneLine(t *testing.T) {
	file := canvas.NewSVG(100, 100, 10, colours.muted, true)
	cells := newCells(&sheet{canvas: file, width: 100, height: 100, em: 10, theme: &colours}, colours.heat, 8)
	cells.add(0, 0, 10, 4)
	cells.add(0, 10, 20, 4)
	cells.add(0, 30, 40, 4)
	cells.add(0, 0, 10, 12)
	cells.draw()
	got := encoded(file)
	expect.That(t, strings.Contains(got, `stroke-width="8" d="M0 4h20M30 4h10M0 12h10"`) &&
		strings.Count(got, "<path") == 1,
		"the cells are drawn as\n%s", got)
}
