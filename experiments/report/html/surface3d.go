package html

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

type surface3D struct{ *report.Surface3D }

// flat returns the same surface as a 2D chart.
func (c surface3D) flat() surface { return surface{(*report.Surface)(c.Surface3D)} }

// sameMap reports whether b is the surface a in space, which without scripts would be drawn
// as the same map once more.
func sameMap(a, b report.Block) bool {
	flat, ok := a.(*report.Surface)
	space, also := b.(*report.Surface3D)
	return ok && also && slices.EqualFunc(flat.Values, space.Values, func(a, b []float64) bool { return len(a) > 0 && &a[0] == &b[0] })
}

// A spaceSpec is what the script needs to draw a 3D surface.
type spaceSpec struct {
	surfaceSpec
	Grid   [][]*float64 `json:"grid"` // rows as in Surface3D; null: no value
	XNames []string     `json:"xNames,omitempty"`
	YNames []string     `json:"yNames,omitempty"`
}

// A spaceSeries is a series of points in 3D, joined if they are a line. A nil point
// ends a line.
type spaceSeries struct {
	Name string        `json:"name"`
	Type string        `json:"type"`
	Data []*spacePoint `json:"data"`
}

type spacePoint [3]float64

// spec has the grid points only: the script interpolates the surface on a finer
// grid, whose numbers would make the page large.
func (c surface3D) spec(id string) *chartSpec {
	names := c.flat().names()
	plot := charts.NewSurface3D()
	plot.SetGlobalOptions(sharedOptions(id, names)...)
	plot.SetGlobalOptions(
		charts.WithXAxis3DOpts(opts.XAxis3D{Name: label(c.X), Type: "value", Min: *c.X.Min, Max: *c.X.Max}),
		charts.WithYAxis3DOpts(opts.YAxis3D{Name: label(c.Y), Type: "value", Min: *c.Y.Min, Max: *c.Y.Max}),
		charts.WithZAxis3DOpts(opts.ZAxis3D{Name: label(c.Value), Type: "value", Min: scaled(c.Value, *c.Value.Min), Max: scaled(c.Value, *c.Value.Max)}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "item"}))
	plot.Validate()
	spec := &chartSpec{Option: plot.JSON(), Roles: []seriesRole{{Kind: roleCells}},
		Space: &spaceSpec{surfaceSpec: surfaceSpec{X: label(c.X), Y: label(c.Y), Value: label(c.Value), Log: c.Value.Log}}}
	if len(c.XNames) > 0 || c.XLog2 {
		spec.Space.XNames = chart.GridNames(c.X, c.XNames, c.XLog2, len(c.Values[0]))
	}
	if len(c.YNames) > 0 || c.YLog2 {
		spec.Space.YNames = chart.GridNames(c.Y, c.YNames, c.YLog2, len(c.Values))
	}
	for _, row := range c.Values {
		values := make([]*float64, len(row))
		for k, v := range row {
			if !math.IsNaN(v) {
				v = scaled(c.Value, v)
				values[k] = &v
			}
		}
		spec.Space.Grid = append(spec.Space.Grid, values)
	}
	series := []any{spaceSeries{Type: "surface", Data: []*spacePoint{}}}
	for i := range c.Layers {
		mark := markNames[c.Layers[i].Mark]
		spec.Space.Marks = append(spec.Space.Marks, mark)
		spec.Roles = append(spec.Roles, seriesRole{Kind: mark})
		series = append(series, c.layerSeries(names[i], &c.Layers[i]))
	}
	spec.Option["series"], spec.Option["visualMap"] = series, colourScales(c.Value)
	return spec
}

func (c surface3D) layerSeries(name string, l *report.Layer) spaceSeries {
	s := spaceSeries{Name: name, Type: "line3D", Data: []*spacePoint{}}
	if l.Mark == report.MarkPoints {
		s.Type = "scatter3D"
		for _, t := range l.Traces {
			for k := range t.X {
				if p := c.lift(t.X[k], t.Y[k]); p != nil {
					s.Data = append(s.Data, p)
				}
			}
		}
		return s
	}
	for _, t := range l.Traces {
		if l.Mark == report.MarkArrows {
			t = c.arrow(t)
		}
		s.Data = append(s.Data, c.drape(t)...)
	}
	return s
}

// lift returns the point of the surface above or below (x, y), with the
// logarithm of its value if that is the scale, or nil where there is none. A point up
// to half a cell outside the grid is moved to the edge. The height is the bilinear interpolation
//
//	z = (1-u)(1-v) z00 + u(1-v) z10 + (1-u)v z01 + u v z11
//
// between the corners of the cell, with u and v from 0 to 1 across it. A corner
// without weight need not have a value.
func (c surface3D) lift(x, y float64) *spacePoint {
	x, column, u := cell(x, c.X, len(c.Values[0]))
	y, row, v := cell(y, c.Y, len(c.Values))
	z := 0.0
	for _, corner := range []struct {
		row, column int
		weight      float64
	}{{row, column, (1 - u) * (1 - v)}, {row, column + 1, u * (1 - v)}, {row + 1, column, (1 - u) * v}, {row + 1, column + 1, u * v}} {
		if corner.weight > 0 {
			z += float64(corner.weight * scaled(c.Value, c.Values[corner.row][corner.column]))
		}
	}
	if math.IsNaN(z) {
		return nil
	}
	return &spacePoint{brief(x), brief(y), brief(z)}
}

// cell returns a coordinate within the bounds of an axis, the cell it is in and
// how far across that cell it is.
func cell(v float64, a report.Axis, points int) (within float64, index int, across float64) {
	within = math.Max(*a.Min, math.Min(*a.Max, v))
	position := (within - *a.Min) / (*a.Max - *a.Min) * float64(points-1)
	index = min(int(position), points-2)
	return within, index, position - float64(index)
}

// drape projects a line onto the surface, with four points per cell, and ends it
// with a nil point. Where the surface has no value the line is interrupted.
func (c surface3D) drape(t report.Trace) []*spacePoint {
	const perCell = 4
	dx, dy := c.flat().Spacing()
	var line []*spacePoint
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
func (c surface3D) arrow(t report.Trace) report.Trace {
	const long, wide = 0.35, 0.2 // of the length of the arrow
	dx, dy := c.flat().Spacing()
	u, v := (t.X[1]-t.X[0])/dx, (t.Y[1]-t.Y[0])/dy
	barb := func(side float64) (x, y float64) {
		return t.X[1] + float64(dx*(float64(-long*u)-float64(side*wide*v))), t.Y[1] + float64(dy*(float64(-long*v)+float64(side*wide*u)))
	}
	leftX, leftY := barb(1)
	rightX, rightY := barb(-1)
	return report.Trace{
		X: []float64{t.X[0], t.X[1], leftX, t.X[1], rightX},
		Y: []float64{t.Y[0], t.Y[1], leftY, t.Y[1], rightY},
	}
}

// brief drops the digits that are not visible, to keep pages small.
func brief(v float64) float64 {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 7, 64), 64)
	if err != nil { // it was written two lines above
		panic("report: " + err.Error())
	}
	return short
}

// spaceHeight is for a wide page; the script reduces it on a phone.
const spaceHeight = 520

func (c surface3D) view(id string) (blockView, error) {
	block, err := viewChart(id, c.Surface3D, cmp.Or(c.Height, spaceHeight), c.spec(id), c.flat().dataTables())
	if err == nil {
		block.Chart.Space = true
	}
	return block, err
}
