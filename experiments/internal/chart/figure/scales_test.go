package figure

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
)

// A square plot has the same limits and ticks both ways, so that y = x is at 45
// degrees.
func TestSquareScales(t *testing.T) {
	p := []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}
	c := &report.LineChart{X: report.Axis{Title: "p", Unit: "1", Log: true}, Y: report.Axis{Title: "S", Unit: "1", Log: true}, Square: true,
		Series: []report.Series{{X: p, Y: []float64{1, 1.9, 3.6, 6, 9, 12, 14, 15, 15.5, 15.8, 15.9}}}}
	x, y := Scales(c, Room{Width: 400, Height: 400, Size: 12})
	if x.Min != y.Min || x.Max != y.Max || !slices.Equal(x.Ticks, y.Ticks) {
		t.Errorf("x is %+v, y is %+v; expected the same", x, y)
	}
}
