package chart

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

func (*Surface3D) samples() (all []Sample) {
	for _, s := range new(Surface).samples() {
		all = append(all, Sample{Chart: (*Surface3D)(s.Chart.(*Surface))})
	}
	// On the slope below the peak, next to it on the grid.
	side := Axis{Title: "<b>x</b>", Unit: Dimensionless, Min: new(0.0), Max: new(2.0)}
	return append(all, Sample{&Surface3D{Title: "Grid", X: side, Y: side, Value: side, Values: [][]float64{{0, 1, 0}, {1, 2, 1}, {0, 1, 0}}},
		[]float64{1, 0.8, 1.8}, "<b>x</b>: 1 <b>x</b>: 1 <b>x</b> 2"})
}

// saddle is z = 10 + x + 20 y + 3 x y on 0..2 by 0..1: bilinear in every cell.
func saddle(x, y float64) float64 { return 10 + x + 20*y + 3*x*y }

func saddleSurface() *Surface3D {
	c := &Surface3D{X: Axis{Min: new(0.0), Max: new(2.0)}, Y: Axis{Min: new(0.0), Max: new(1.0)}}
	for y := range 2 {
		var row []float64
		for x := range 3 {
			row = append(row, saddle(float64(x), float64(y)))
		}
		c.Values = append(c.Values, row)
	}
	return c
}

// Bilinear interpolation is exact for a bilinear function, up to the seven
// digits that are kept. Beyond the grid it gives the value at its edge.
func TestLiftIsBilinear(t *testing.T) {
	c := saddleSurface()
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.Float64Range(-0.5, 2.5).Draw(t, "x"), rapid.Float64Range(-0.5, 1.5).Draw(t, "y")
		p := c.lift(x, y)
		x, y = math.Max(0, math.Min(2, x)), math.Max(0, math.Min(1, y))
		for i, want := range []float64{x, y, saddle(x, y)} {
			expect.That(t, math.Abs(p[i]-want) <= 1e-6*math.Max(1, want),
				"lift(%g, %g) = %v; expected %g at index %d", x, y, *p, want, i)
		}
	})
}

// A point has no height where a corner of its cell has none, unless it lies on
// an edge that the corner is not on.
func TestLiftWithoutValue(t *testing.T) {
	c := saddleSurface()
	c.Values[1][2] = math.NaN()
	for _, test := range []struct {
		x, y float64
		want bool
	}{{0.5, 0.5, true}, {1, 0.5, true}, {1.5, 0, true}, {2, 0, true}, {1.5, 0.5, false}, {2, 1, false}, {1.5, 1, false}, {2, 0.1, false}} {
		expect.Equal(t, c.lift(test.x, test.y) != nil, test.want, "lift(%g, %g) has a height", test.x, test.y)
	}
}

// On a logarithmic scale a surface is flat between the logarithms: half way from
// 1 to 100 it has the height of 10.
func TestLiftOnLogarithms(t *testing.T) {
	c := saddleSurface()
	c.Value.Log = true
	c.Values = [][]float64{{1, 100, 100}, {1, 100, 100}}
	got := c.lift(0.5, 0.5)
	expect.That(t, *got == ([3]float64{0.5, 0.5, 1}), "got %v; expected the logarithm of 10", *got)
}

// A line over two cells has 1 + 2*4 points, all on the surface, and an end. The
// second half of it is off the surface when the value of that corner is missing.
func TestDrape(t *testing.T) {
	c := saddleSurface()
	line := c.drape(Trace{X: []float64{0, 2}, Y: []float64{0, 1}})
	expect.That(t, len(line) == 10 && line[9] == nil && *line[0] == ([3]float64{0, 0, 10}) &&
		*line[8] == ([3]float64{2, 1, saddle(2, 1)}) && *line[4] == ([3]float64{1, 0.5, saddle(1, 0.5)}),
		"got %v", line)
	c.Values[1][2] = math.NaN()
	line = c.drape(Trace{X: []float64{0, 2}, Y: []float64{0, 1}})
	expect.Equal(t, slices.Index(line, nil), 5, "the line is interrupted at point 5")
	expect.List(t, c.drape(Trace{}), []*[3]float64{nil}, "a trace without points")
}

// In cells of 1 by 1 an arrow of length 1 to the right has barbs that end 0.35
// before its tip and 0.2 to either side.
func TestArrow(t *testing.T) {
	got := saddleSurface().arrow(Trace{X: []float64{0, 1}, Y: []float64{0.5, 0.5}})
	wantX, wantY := []float64{0, 1, 0.65, 1, 0.65}, []float64{0.5, 0.5, 0.7, 0.5, 0.3}
	for k := range wantX {
		expect.That(t, math.Abs(got.X[k]-wantX[k]) <= 1e-12 && math.Abs(got.Y[k]-wantY[k]) <= 1e-12,
			"point %d is (%g, %g); expected (%g, %g)", k, got.X[k], got.Y[k], wantX[k], wantY[k])
	}
}

// In space, columns and rows keep the names that they have from above, and a
// logarithmic height goes from the logarithm of one bound to that of the other.
func TestSpaceForm(t *testing.T) {
	span := Axis{Title: "x", Unit: Dimensionless, Min: new(0.0), Max: new(1.0)}
	c := &Surface3D{X: span, Y: span, XNames: []string{"hockney", "loggp"}, Value: Axis{Title: "time", Unit: "s", Log: true, Min: new(1e-5), Max: new(100.0)},
		Values: [][]float64{{1, 1e-3}, {1, 1}}}
	form := formOf(c)
	text, err := json.Marshal(form.Own)
	expect.That(t, err == nil &&
		strings.Contains(string(text), `"grid":[[0,-3],[0,0]],"xNames":["hockney","loggp"]}`),
		"it is %s, %v; expected logarithms, and names of columns alone", text, err)
	z, scale := form.Option.ZAxis3D, form.Option.VisualMap[0]
	expect.That(t, z.Min == -5.0 && z.Max == 2.0 && scale.Min == -5 && scale.Max == 2,
		"heights are from %v to %v, colours from %v to %v; expected -5 to 2", z.Min, z.Max, scale.Min, scale.Max)
}

// Turned by 32 degrees and tilted by 24, by the matrices of the two rotations: the corner in front is
// lowest, those of both sides are farthest apart, and the box ends at the limits that the layout has.
func TestProjectionTurnsAndTilts(t *testing.T) {
	const turn, tilt = 32 * math.Pi / 180, 24 * math.Pi / 180
	p := &projection{scale: 100}
	for _, x := range []float64{0, 0.25, 1} {
		for _, y := range []float64{0, 1} {
			for _, z := range []float64{0, 1} {
				a, b, c := x-0.5, y-0.5, 0.65*(z-0.5)
				right, away := a*math.Cos(turn)-b*math.Sin(turn), a*math.Sin(turn)+b*math.Cos(turn)
				up := away*math.Sin(tilt) + c*math.Cos(tilt)
				got := p.corner(x, y, z)
				expect.That(t, math.Abs(got.x-100*right) <= 1e-3 && math.Abs(got.y+100*up) <= 1e-3,
					"corner %v %v %v is at %v; expected %v to the right and %v up", x, y, z, got, 100*right, 100*up)
			}
		}
	}
	expect.Near(t, p.corner(1, 0, 0).x-p.corner(0, 1, 0).x, 100*boxWide, 1e-9, "it is wide")
	expect.Near(t, p.corner(0, 0, 0).y-p.corner(1, 1, 1).y, 100*boxTall, 1e-9, "it is tall")
}

// A ridge from left to right hides what is level with its foot behind it: half of the box away, the
// line of sight has risen by 0.5 tan 24 / cos 32 = 0.26, or 0.4 of the height.
func TestWhatARidgeHides(t *testing.T) {
	side := Axis{Title: "x", Unit: Dimensionless, Min: new(0.0), Max: new(2.0)}
	c := &Surface3D{Title: "Ridge", X: side, Y: side, Value: Axis{Title: "height", Unit: "m", Min: new(0.0), Max: new(10.0)},
		Values: Grid{{0, 0, 0}, {10, 10, 10}, {0, 0, 0}}}
	p := &projection{of: c}
	for _, test := range []struct {
		x, y float64
		want bool
	}{{1, 0, true}, {1, 0.9, true}, {1, 1, true}, {2, 2, false}, {2, 1.5, false}} {
		expect.Equal(t, p.visible(c.lift(test.x, test.y)), test.want, "(%v, %v) is visible", test.x, test.y)
	}
	for _, row := range c.Values { // flat, all is visible
		clear(row)
	}
	expect.That(t, p.visible(c.lift(2, 2)), "the corner of a plane is not visible")
}

// A figure of a surface in space is no map: of 2 by 2 cells it has 24 by 24 pieces, but for the
// quarter whose corner has no value, which ends it.
func TestSurfaceInSpaceIsDrawnInSpace(t *testing.T) {
	side := Axis{Title: "x", Unit: Dimensionless, Min: new(0.0), Max: new(2.0)}
	flat := &Surface{Title: "Hill", X: side, Y: side, Value: Axis{Title: "height", Unit: "m", Min: new(0.0), Max: new(4.0)},
		Values: Grid{{0, 1, math.NaN()}, {1, 4, 1}, {0, 1, 0}}}
	space := Surface3D(*flat)
	const pieces, seam = 3 * 12 * 12, `stroke-width="0.32"` // of 8 points, around each piece
	got := strings.Count(write(t, Named{"hill", &space}, "svg", PaperColumn()), seam)
	expect.That(t, got >= pieces && got <= pieces+3*12,
		"it has %d pieces; expected %d, and perhaps some along the edge without a value", got, pieces)
	expect.Equal(t, strings.Count(write(t, Named{"hill", flat}, "svg", PaperColumn()), seam), 0, "pieces of the map")
}
