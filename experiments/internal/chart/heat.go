package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/isoscale/isoscale/internal/each"
)

var _ = isKind("map", new(HeatMap))

// A HeatMap shows a number for each of its rows and columns as a colour, such as
// how much of each link was used when.
type HeatMap struct {
	Title   string `json:"title,omitzero"` // required
	Caption string `json:"caption,omitzero"`

	// X runs from the left end of the first column to the right end of the last,
	// all equally wide: it has both bounds. Y is what the rows are. Both are linear.
	// Value is what the colours show; its bounds are those of the scale.
	X     Axis `json:"x,omitzero"`
	Y     Axis `json:"y,omitzero"`
	Value Axis `json:"value,omitzero"`

	Columns int       `json:"columns,omitzero"`
	Rows    []HeatRow `json:"rows,omitzero"`   // the first on top
	Height  int       `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A HeatRow is one row of a map. A value of 0 is left blank; where Value is
// logarithmic, others are above 0.
type HeatRow struct {
	Name   string    `json:"name,omitzero"`
	Values []float64 `json:"values,omitzero"` // one for each column; finite
}

func (c *HeatMap) check(at place) {
	at = at.chart(c.Title, c.Height, &c.X, &c.Y, &c.Value)
	at.checkBounds("x axis", &c.X, true)
	at.checkNames("y axis", "rows", &c.Y)
	at.checkBounds("value", &c.Value, false)
	at.demand(c.Columns >= 0, "has %d columns; expected 0 or more", c.Columns)
	for i := range c.Rows {
		r := &c.Rows[i]
		here := at.in(fmt.Sprintf("row %d", i+1), r.Name)
		here.demand(len(r.Values) == c.Columns,
			"has %d values; expected %d, one for each column", len(r.Values), c.Columns)
		for k, v := range r.Values {
			here.checkNumber(fmt.Sprintf("value[%d]", k), v, c.Value.Log && v != 0)
		}
	}
}

func (c *HeatMap) drawable() bool { return c.Columns > 0 && len(c.Rows) > 0 }

func (c *HeatMap) finding() []string {
	most := each.Of(c.Rows, func(r HeatRow) float64 { return slices.Max(r.Values) })
	at, others := largestOf(most, "row")
	return []string{fmt.Sprintf("%s: the largest is %s, of %s%s", c.Value.label(), Short(most[at], 4),
		c.names()[at], others)}
}

// largestOf returns the index of the largest value, -1 if none is a number, and says in words how many
// others are equal to it.
func largestOf(values []float64, what string) (at int, others string) {
	if at = Ends(values)[1]; at < 0 {
		return at, ""
	}
	same := each.Where(nil, values, func(v float64) bool { return values[at]-v <= alike*math.Abs(values[at]) })
	if n := len(same) - 1; n > 0 {
		others = fmt.Sprintf(" and %s more", plural(n, what))
	}
	return at, others
}

func (c *HeatMap) vega() object {
	row := channel(0, "nominal", c.Y.label())
	row["sort"] = nil
	return object{"transform": where("datum.c3 != 0"), "mark": "rect", "encoding": object{
		"x": quantity(1, c.X), "x2": object{"field": field(2)}, "y": row, "color": quantity(3, c.Value)}}
}

func (c *HeatMap) size() (rows int, ratio float64) { return len(c.Rows), 0 }

func (c *HeatMap) draw(s *sheet, top float64) {
	f := s.plot(s.colourScale(top, c.Value, s.theme.heat) + 0.6*s.em)
	names := f.beside(c.names(), 0.36)
	f.right = s.width - 1.2*s.em
	f.x = c.X.bounded(f.right-f.left, s.along)
	height := (f.bottom - f.top) / float64(len(c.Rows))
	width := (f.right - f.left) / float64(c.Columns)
	cells := newCells(s, s.theme.heat, 0.92*height)
	for i := range c.Rows {
		for k, v := range c.Rows[i].Values {
			if v != 0 {
				cells.add(shareOf(c.Value, v), f.left+float64(k)*width, f.left+float64(k+1)*width,
					f.top+(float64(i)+0.5)*height)
			}
		}
	}
	cells.draw()
	f.lines(f.thin(s.theme.muted), f.outline())
	f.rowNames(names)
	f.xGrid(0) // only its labels: cells hide the lines
	f.xTitle(f.right - f.left)
}

// shareOf returns where a value is on a scale of colours, from 0 to 1.
func shareOf(a Axis, v float64) float64 {
	return Scale{Log: a.Log, Min: *a.Min, Max: *a.Max}.Position(v)
}

// cells collects cells of one height by colour. Each colour is one path of lines as wide as
// the cells are high; a path of boxes would be twice as long. Neighbours in a row with the
// same colour become one line.
type cells struct {
	*sheet
	ramp   ramp
	height float64
	lines  [][][]point // by colour: from left to right through the middle
}

func newCells(s *sheet, r ramp, height float64) *cells {
	return &cells{s, r, height, make([][][]point, r.steps()+1)}
}

func (c *cells) add(share, left, right, middle float64) {
	at := int(min(1, max(0, share))*float64(c.ramp.steps()) + 0.5)
	if n := len(c.lines[at]); n > 0 {
		if end := &c.lines[at][n-1][1]; end.y == middle && math.Abs(end.x-left) < 1e-6 {
			end.x = right
			return
		}
	}
	c.lines[at] = append(c.lines[at], []point{{left, middle}, {right, middle}})
}

func (c *cells) draw() {
	for at, lines := range c.lines {
		colour := c.ramp.at(float64(at) / float64(c.ramp.steps()))
		c.sheet.lines(stroke{ink: colour, width: c.height / c.em}, lines...)
	}
}

// cells adds the cells of a map, except blank ones, and returns their series.
func (i *Interactive) cells(rows int, values func(row int) []float64, blank float64, a Axis) *charts.SingleSeries {
	cells := [][3]any{}
	for row := range rows {
		for k, v := range values(row) {
			if v != blank && !math.IsNaN(v) {
				cells = append(cells, [3]any{k, row, a.height(v)})
			}
		}
	}
	i.add(role{Kind: roleCells}, charts.SingleSeries{Type: "heatmap", Data: cells})
	return &i.Option.Series[len(i.Option.Series)-1]
}

// bounded returns the scale of an axis with bounds, such as that of colours, over a length along
// which labels have an extent.
func (a Axis) bounded(length float64, extent func(string) float64) Scale {
	return NewScale(a, Span{Values: []float64{*a.Min, *a.Max}, Length: length, Extent: extent})
}

// colourName says what the colours of a map show.
func (a Axis) colourName(s Scale) string {
	if a.Log {
		return Clean(s.Title) + ", logarithmic"
	}
	return Clean(s.Title)
}

// colourScale draws the colours of a map with ticks below them and their quantity beside
// them, and returns where it ends.
func (s *sheet) colourScale(top float64, a Axis, r ramp) float64 {
	length := math.Min(14*s.em, s.width-2*s.em)
	scale := a.bounded(length, s.along)
	left := 0.2 * s.em
	for _, t := range scale.Ticks { // half of a label may lie left of the colours
		left = math.Max(left, 0.2*s.em+measure(t.Label, s.em)/2-scale.Position(t.At)*length)
	}
	n := r.steps()
	for k := range n {
		at := left + length*float64(k)/float64(n)
		s.areas(r.at((float64(k)+0.5)/float64(n)),
			box{at, top + 0.3*s.em, at + length/float64(n) + 0.02*s.em, top + 1.2*s.em}.corners())
	}
	bottom := top + 2.5*s.em
	var ticks [][]point
	for _, t := range scale.Ticks {
		x := left + scale.Position(t.At)*length
		ticks = append(ticks, []point{{x, top + 1.2*s.em}, {x, top + 1.45*s.em}})
		s.text(s.theme.muted, x, bottom, mid, t.Label)
	}
	s.lines(s.thin(s.theme.muted), ticks...)
	name, x := a.colourName(scale), left+length+0.8*s.em
	if x+measure(name, s.em) > s.width {
		bottom += 1.4 * s.em
		s.text(s.theme.ink, 0.2*s.em, bottom, start, fit(name, s.width-0.4*s.em, s.em))
	} else {
		s.text(s.theme.ink, x, top+1.1*s.em, start, name)
	}
	return bottom + 0.45*s.em
}

func (c *HeatMap) keys() []string { return nil }

func (c *HeatMap) names() []string {
	return DistinctOf(c.Rows, "row", func(x HeatRow) string { return x.Name })
}

func (c *HeatMap) data(d *data) {
	d.axis(false, c.Y, "")
	d.axis(true, c.X, " from")
	d.axis(true, c.X, " to")
	d.axis(true, c.Value, "")
	d.across, d.value = 0, 3
	edge := func(k int) float64 { return *c.X.Min + (*c.X.Max-*c.X.Min)*float64(k)/float64(c.Columns) }
	names := c.names()
	for i := range c.Rows {
		for k, v := range c.Rows[i].Values {
			d.row(names[i], full(edge(k)), full(edge(k+1)), full(v))
		}
	}
}

// pixels are enough for a line of text in every row.
func (c *HeatMap) pixels() int {
	const row, margins = 20, 124
	return cmp.Or(c.Height, max(160, margins+row*len(c.Rows)))
}

// interactive needs two x axes: cells in ECharts are placed by category, but the labels
// should be round numbers. So a numeric axis is shown, and the cells are on a hidden
// category axis.
func (c *HeatMap) interactive(i *Interactive) {
	y := c.Y.asY()
	y.Type, y.NameLocation, y.Inverse, y.Data = "category", "start", opts.Bool(true), c.names()
	i.axes(c.X.asX(), y)
	columns := each.Ascending(c.Columns)
	// Even a hidden axis would reserve room for its labels.
	i.Option.XAxis = append(i.Option.XAxis,
		opts.XAxis{Type: "category", Show: opts.Bool(false), Data: columns,
			AxisLabel: &opts.AxisLabel{Show: opts.Bool(false)}})
	i.colours(c.Value)
	i.cells(len(c.Rows), func(row int) []float64 { return c.Rows[row].Values }, 0, c.Value).XAxisIndex = 1
	unit := Clean(c.X.Unit)
	if unit == Dimensionless {
		unit = ""
	}
	i.Own = struct {
		Columns int    `json:"columns"`
		Value   string `json:"value"`         // what a cell shows
		Log     bool   `json:"log,omitempty"` // cells have logarithms to the base 10
		XUnit   string `json:"xUnit,omitempty"`
	}{c.Columns, c.Value.label(), c.Value.Log, unit}
}
