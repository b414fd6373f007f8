package report

import (
	"fmt"
	"math"
)

// A Surface shows a function of two variables from above: a colour for each
// point of a grid, and over it lines, arrows and points between the grid points.
type Surface struct {
	Title   string `json:"title,omitzero"` // required
	Caption string `json:"caption,omitzero"`

	// X and Y have both bounds: those of the first and the last column and row of
	// the grid, whose points are at equal distances. Both are linear. Value is what
	// the colours show; its bounds are those of the scale. It may be logarithmic.
	X     Axis `json:"x,omitzero"`
	Y     Axis `json:"y,omitzero"`
	Value Axis `json:"value,omitzero"`

	// XNames and YNames name the columns and rows where they are not numbers at equal
	// distances; nil, or as many.
	XNames []string `json:"xnames,omitzero"`
	YNames []string `json:"ynames,omitzero"`

	// XLog2 and YLog2 say that coordinates are logarithms to the base 2 of X and Y,
	// bounds included: the page shows the quantities.
	XLog2 bool `json:"xlog2,omitzero"`
	YLog2 bool `json:"ylog2,omitzero"`

	// Values are at least 2 by 2, rows from the bottom up, all as long. NaN is the
	// value of a point that has none, and left blank.
	Values [][]float64 `json:"values,omitzero"`
	Layers []Layer     `json:"layers,omitzero"` // drawn in this order

	// Diverging is for differences: colours go both ways from a neutral one in the
	// middle of the scale, whose bounds are as far from no difference.
	Diverging bool `json:"diverging,omitzero"`
	Height    int  `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A Surface3D shows the function of a [Surface] as a surface in space, which the
// reader can turn; so a conversion shows the same grid both ways. Value bounds
// the vertical axis too; if it is logarithmic, heights are logarithms, with the
// values on the axis. Layers lie on the surface: their heights are found by
// bilinear interpolation between grid points, and they end where the grid has no
// value. Their labels are in the data table only. The browser needs WebGL; without
// it the page says so and points to the numbers, so a Surface3D belongs beside a
// Surface and never alone.
type Surface3D Surface

// A Layer is a set of marks over a surface, with one entry in the legend.
type Layer struct {
	Name   string  `json:"name,omitzero"`
	Mark   Mark    `json:"mark,omitzero"`
	Traces []Trace `json:"traces,omitzero"`
}

// A Mark says how the traces of a layer are drawn.
type Mark int

const (
	MarkContours Mark = iota // thin lines with their labels
	MarkDashes               // dashed lines
	MarkArrows               // arrows from the first to the second of two points
	MarkPath                 // bold lines
	MarkPoints               // rings
)

// A Trace is a line through points of the plane, an arrow or a set of points.
type Trace struct {
	Label string    `json:"label,omitzero"` // shown on contours, and in the data table
	X     []float64 `json:"x,omitzero"`     // as many; within the bounds of the axes widened by half a cell
	Y     []float64 `json:"y,omitzero"`
}

func (c *Surface) check(at place) {
	at = at.in("chart", c.Title)
	checkChart(at, c.Title, c.Height, &c.X, &c.Y)
	c.Value.check(at.in("value", ""))
	bounded := true
	for _, a := range []struct {
		name string
		axis *Axis
	}{{"x axis", &c.X}, {"y axis", &c.Y}, {"value", &c.Value}} {
		if a.axis.Log && a.axis != &c.Value || a.axis.Min == nil || a.axis.Max == nil {
			want := "both bounds and a linear scale"
			if a.axis == &c.Value {
				want = "both bounds"
			}
			at.reportf("%s does not say what it spans; expected %s", a.name, want)
			bounded = false
		}
	}
	if len(c.Values) < 2 || len(c.Values[0]) < 2 {
		at.reportf("grid is too small; expected at least 2 rows of 2 values")
		return
	}
	if n := len(c.XNames); n > 0 && n != len(c.Values[0]) {
		at.reportf("has %d names of columns; expected %d", n, len(c.Values[0]))
	}
	if n := len(c.YNames); n > 0 && n != len(c.Values) {
		at.reportf("has %d names of rows; expected %d", n, len(c.Values))
	}
	for i, row := range c.Values {
		here := at.in(fmt.Sprintf("row %d", i+1), "")
		if len(row) != len(c.Values[0]) {
			here.reportf("has %d values; expected %d, as many as the first row", len(row), len(c.Values[0]))
		}
		for k, v := range row {
			if !math.IsNaN(v) {
				here.checkNumber(fmt.Sprintf("value[%d]", k), v, c.Value.Log)
			}
		}
	}
	for i := range c.Layers {
		c.checkLayer(at, i, bounded)
	}
}

func (c *Surface) checkLayer(at place, i int, bounded bool) {
	l := &c.Layers[i]
	at = at.in(fmt.Sprintf("layer %d", i+1), l.Name)
	if l.Mark < MarkContours || l.Mark > MarkPoints {
		at.reportf("mark is %d; expected MarkContours, MarkDashes, MarkArrows, MarkPath or MarkPoints", l.Mark)
	}
	for k, t := range l.Traces {
		here := at.in(fmt.Sprintf("trace %d", k+1), t.Label)
		switch {
		case len(t.X) != len(t.Y):
			here.reportf("has %d x values and %d y values; expected as many", len(t.X), len(t.Y))
			continue
		case l.Mark == MarkArrows && len(t.X) != 2:
			here.reportf("has %d points; expected the 2 ends of an arrow", len(t.X))
		}
		for j := range t.X {
			here.checkNumber(fmt.Sprintf("x[%d]", j), t.X[j], false)
			here.checkNumber(fmt.Sprintf("y[%d]", j), t.Y[j], false)
			if bounded && c.offGrid(t.X[j], t.Y[j]) {
				here.reportf("point %d (%v, %v) is off the grid", j+1, t.X[j], t.Y[j])
			}
		}
	}
}

// Spacing returns the distance of neighbouring grid points along x and along y, of
// a surface that passes [Document.Check].
func (c *Surface) Spacing() (dx, dy float64) {
	return (*c.X.Max - *c.X.Min) / float64(len(c.Values[0])-1), (*c.Y.Max - *c.Y.Min) / float64(len(c.Values)-1)
}

// offGrid reports whether a point is beyond the grid widened by half a cell.
func (c *Surface) offGrid(x, y float64) bool {
	const half = 0.5 * (1 + 1e-9) // with slack for rounding
	outside := func(v float64, a Axis, margin float64) bool { return v < *a.Min-margin || v > *a.Max+margin }
	dx, dy := c.Spacing()
	return outside(x, c.X, half*dx) || outside(y, c.Y, half*dy)
}

func (c *Surface3D) check(at place) { (*Surface)(c).check(at) }
