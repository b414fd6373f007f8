package chart

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/internal/each"
)

var _ = isKind("surface in space", new(Surface3D))

// flat returns the same surface as a 2D chart.
func (c *Surface3D) flat() *Surface { return (*Surface)(c) }

// lift returns the point of the surface above or below (x, y), with the
// logarithm of its value if that is the scale, or nil where there is none. A point up
// to half a cell outside the grid is moved to the edge. The height is the bilinear interpolation
//
//	z = (1-u)(1-v) z00 + u(1-v) z10 + (1-u)v z01 + u v z11
//
// between the corners of the cell, with u and v from 0 to 1 across it. A corner
// without weight need not have a value.
func (c *Surface3D) lift(x, y float64) *[3]float64 {
	x, column, u := cell(x, c.X, len(c.Values[0]))
	y, row, v := cell(y, c.Y, len(c.Values))
	z := 0.0
	for _, corner := range []struct {
		row, column int
		weight      float64
	}{{row, column, (1 - u) * (1 - v)}, {row, column + 1, u * (1 - v)}, {row + 1, column, (1 - u) * v},
		{row + 1, column + 1, u * v}} {
		if corner.weight > 0 {
			z += float64(corner.weight * c.Value.height(c.Values[corner.row][corner.column]))
		}
	}
	if math.IsNaN(z) {
		return nil
	}
	return &[3]float64{brief(x), brief(y), brief(z)}
}

// cell returns a coordinate within the bounds of an axis, the cell it is in and
// how far across that cell it is.
func cell(v float64, a Axis, points int) (within float64, index int, across float64) {
	within = math.Max(*a.Min, math.Min(*a.Max, v))
	position := (within - *a.Min) / (*a.Max - *a.Min) * float64(points-1)
	index = min(int(position), points-2)
	return within, index, position - float64(index)
}

// drape projects a line onto the surface, with four points per cell, and ends it
// with a nil point. Where the surface has no value the line is interrupted.
func (c *Surface3D) drape(t Trace) []*[3]float64 {
	const perCell = 4
	dx, dy := c.flat().Spacing()
	var line []*[3]float64
	for k := range t.X {
		if k == 0 {
			line = append(line, c.lift(t.X[0], t.Y[0]))
			continue
		}
		x, y := t.X[k-1], t.Y[k-1]
		steps := math.Max(1, math.Ceil(perCell*math.Max(math.Abs(t.X[k]-x)/dx, math.Abs(t.Y[k]-y)/dy)))
		for i := 1.0; i <= steps; i++ {
			line = append(line, c.lift(x+(t.X[k]-x)*i/steps, y+(t.Y[k]-y)*i/steps))
		}
	}
	return append(line, nil)
}

// arrow adds the head to an arrow, as two strokes back from its end, with sides
// measured in cells.
func (c *Surface3D) arrow(t Trace) Trace {
	const long, wide = 0.35, 0.2 // of the length of the arrow
	dx, dy := c.flat().Spacing()
	u, v := (t.X[1]-t.X[0])/dx, (t.Y[1]-t.Y[0])/dy
	barb := func(side float64) (x, y float64) {
		return t.X[1] + float64(dx*(float64(-long*u)-float64(side*wide*v))),
			t.Y[1] + float64(dy*(float64(-long*v)+float64(side*wide*u)))
	}
	leftX, leftY := barb(1)
	rightX, rightY := barb(-1)
	return Trace{
		X: []float64{t.X[0], t.X[1], leftX, t.X[1], rightX},
		Y: []float64{t.Y[0], t.Y[1], leftY, t.Y[1], rightY},
	}
}

// brief drops the digits that are not visible, to keep pages small.
func brief(v float64) float64 { return parsed(strconv.FormatFloat(v, 'g', 7, 64)) }

// In words and data it is the map of the surface. Vega-Lite has no surfaces in space.
func (c *Surface3D) check(at place)    { c.flat().check(at) }
func (c *Surface3D) drawable() bool    { return c.flat().drawable() }
func (c *Surface3D) finding() []string { return c.flat().finding() }
func (c *Surface3D) data(d *data)      { c.flat().data(d) }
func (c *Surface3D) vega() object      { return c.flat().vega() }
func (c *Surface3D) keys() []string    { return c.flat().keys() }

// SameMap reports whether b shows the map a in space. A page without scripts has only the
// map then, because nobody can turn the surface there.
func SameMap(a, b Block) bool {
	flat, ok := a.(*Surface)
	space, also := b.(*Surface3D)
	return ok && also && slices.EqualFunc(flat.Values, space.Values,
		func(a, b []float64) bool { return len(a) > 0 && &a[0] == &b[0] })
}

// pixels are for a wide page; the script reduces them on a phone.
func (c *Surface3D) pixels() int { return cmp.Or(c.Height, 520) }

// interactive has the grid points only: the script interpolates the surface on a finer
// grid, whose numbers would make the page large.
func (c *Surface3D) interactive(i *Interactive) {
	flat := c.flat()
	names := flat.names()
	i.legend(names)
	i.Canvas = true
	i.Option.XAxis3D = &opts.XAxis3D{Name: c.X.label(), Type: "value", Min: *c.X.Min, Max: *c.X.Max}
	i.Option.YAxis3D = &opts.YAxis3D{Name: c.Y.label(), Type: "value", Min: *c.Y.Min, Max: *c.Y.Max}
	i.Option.ZAxis3D = &opts.ZAxis3D{Name: c.Value.label(), Type: "value", Min: c.Value.height(*c.Value.Min),
		Max: c.Value.height(*c.Value.Max)}
	i.colours(c.Value)
	own := struct {
		surfaceForm
		Grid   Grid     `json:"grid"` // of heights
		XNames []string `json:"xNames,omitempty"`
		YNames []string `json:"yNames,omitempty"`
	}{surfaceForm: flat.form()}
	if len(c.XNames) > 0 || c.XLog2 {
		own.XNames = flat.columns()
	}
	if len(c.YNames) > 0 || c.YLog2 {
		own.YNames = flat.rowNames()
	}
	for _, row := range c.Values {
		own.Grid = append(own.Grid, each.Of(row, c.Value.height))
	}
	i.Own = own
	i.add(role{Kind: roleCells}, charts.SingleSeries{Type: "surface", Data: []int{}})
	for k := range c.Layers {
		i.add(role{Kind: own.Marks[k]}, c.layer(names[k], &c.Layers[k]))
	}
}

// layer returns a series of points in space, joined if they are a line. A nil point ends a line.
func (c *Surface3D) layer(name string, l *Layer) charts.SingleSeries {
	points := []*[3]float64{}
	for _, t := range l.Traces {
		switch l.Mark {
		case MarkPoints:
			for k := range t.X {
				if p := c.lift(t.X[k], t.Y[k]); p != nil {
					points = append(points, p)
				}
			}
		case MarkArrows:
			points = append(points, c.drape(c.arrow(t))...)
		default:
			points = append(points, c.drape(t)...)
		}
	}
	if l.Mark == MarkPoints {
		return charts.SingleSeries{Name: name, Type: "scatter3D", Data: points}
	}
	return charts.SingleSeries{Name: name, Type: "line3D", Data: points}
}
