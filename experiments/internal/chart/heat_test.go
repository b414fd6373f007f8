package chart

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/canvas"
)

// Cells of one colour that touch are one line, as wide as they are high.
func TestCellsInARowAreOneLine(t *testing.T) {
	file := canvas.FileSVG(100, 100, 10, colours.muted)
	cells := newCells(&sheet{canvas: file, width: 100, height: 100, em: 10, theme: &colours}, colours.heat, 8)
	cells.add(0, 0, 10, 4)
	cells.add(0, 10, 20, 4)
	cells.add(0, 30, 40, 4)
	cells.add(0, 0, 10, 12)
	cells.draw()
	if got := encoded(file); !strings.Contains(got, `stroke-width="8" d="M0 4h20M30 4h10M0 12h10"`) || strings.Count(got, "<path") != 1 {
		t.Errorf("the cells are drawn as\n%s", got)
	}
}
