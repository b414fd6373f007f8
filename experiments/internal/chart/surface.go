package chart

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/internal/each"
)

var _ = isKind("surface", new(Surface))

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

	Layers []Layer `json:"layers,omitzero"` // drawn in this order

	// Diverging is for differences: colours go both ways from a neutral one in the
	// middle of the scale, whose bounds are equally far from no difference.
	Diverging bool `json:"diverging,omitzero"`
	Height    int  `json:"height,omitzero"` // in CSS pixels; 0 chooses one

	Values Grid `json:"values"` // at least 2 by 2

	// Half is half the width of an interval around each value, such as one of 95 %; NaN for none. Nil, or as Values.
	Half Grid `json:"half,omitzero"`
}

// A Grid has rows of values from the bottom up, all of one length. NaN stands for a point without a
// value, which is left blank; in JSON, which has no NaN, it is null.
type Grid [][]float64

// MarshalJSON writes the rows.
func (g Grid) MarshalJSON() ([]byte, error) {
	rows := make([][]*float64, len(g))
	for i, row := range g {
		rows[i] = make([]*float64, len(row))
		for k := range row {
			if !math.IsNaN(row[k]) {
				rows[i][k] = &row[k]
			}
		}
	}
	return json.Marshal(rows)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (g *Grid) UnmarshalJSON(text []byte) error {
	var rows [][]*float64
	err := json.Unmarshal(text, &rows)
	*g = make(Grid, len(rows))
	for i, row := range rows {
		for _, v := range row {
			(*g)[i] = append((*g)[i], *cmp.Or(v, &none))
		}
	}
	return err
}

var none = math.NaN()

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
	at = at.chart(c.Title, c.Height, &c.X, &c.Y, &c.Value)
	bounded := at.checkBounds("x axis", &c.X, true)
	bounded = at.checkBounds("y axis", &c.Y, true) && bounded
	bounded = at.checkBounds("value", &c.Value, false) && bounded
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
	if c.Half != nil && !slices.EqualFunc(c.Values, c.Half, func(a, b []float64) bool { return len(a) == len(b) }) {
		at.reportf("has half intervals in other rows than values; expected none, or one for each value")
	}
	for i, row := range c.Values {
		here := at.in(fmt.Sprintf("row %d", i+1), "")
		here.demand(len(row) == len(c.Values[0]),
			"has %d values; expected %d, as many as the first row", len(row), len(c.Values[0]))
		here.checkCells("value", row, c.Value.Log)
	}
	for i, row := range c.Half {
		here := at.in(fmt.Sprintf("row %d", i+1), "")
		here.checkCells("half", row, false)
		here.demand(!slices.ContainsFunc(row, func(h float64) bool { return h < 0 }), "has a half interval below 0; expected at least 0")
	}
	for i := range c.Layers {
		c.checkLayer(at, i, bounded)
	}
}

// checkCells reports values that an axis cannot show, apart from NaN.
func (p place) checkCells(what string, row []float64, log bool) {
	for k, v := range row {
		if !math.IsNaN(v) {
			p.checkNumber(fmt.Sprintf("%s[%d]", what, k), v, log)
		}
	}
}

func (c *Surface) checkLayer(at place, i int, bounded bool) {
	l := &c.Layers[i]
	at = at.in(fmt.Sprintf("layer %d", i+1), l.Name)
	at.demand(l.Mark >= MarkContours && l.Mark <= MarkPoints,
		"mark is %d; expected MarkContours, MarkDashes, MarkArrows, MarkPath or MarkPoints", l.Mark)
	for k, t := range l.Traces {
		here := at.in(fmt.Sprintf("trace %d", k+1), t.Label)
		switch {
		case len(t.X) != len(t.Y):
			here.reportf("has %d x values and %d y values; expected equal numbers", len(t.X), len(t.Y))
			continue
		case l.Mark == MarkArrows && len(t.X) != 2:
			here.reportf("has %d points; expected the 2 ends of an arrow", len(t.X))
		}
		here.checkNumbers("x", t.X, false)
		here.checkNumbers("y", t.Y, false)
		for j := range t.X {
			here.demand(!bounded || !c.offGrid(t.X[j], t.Y[j]),
				"point %d (%v, %v) is off the grid", j+1, t.X[j], t.Y[j])
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

func (c *Surface) drawable() bool { return true }

func (c *Surface) finding() []string {
	values := slices.Concat(c.Values...)
	at, others := largestOf(values, "place")
	if at < 0 {
		return []string{c.Value.label()}
	}
	row, column := at/len(c.Values[0]), at%len(c.Values[0])
	return []string{fmt.Sprintf("%s is largest at %s %s, %s %s%s: %s", c.Value.label(), Clean(c.X.Title),
		c.columns()[column], Clean(c.Y.Title), c.rowNames()[row], others, Short(values[at], 4))}
}

func (c *Surface) vega() object {
	x, y := channel(2, "ordinal", c.X.label()), channel(3, "ordinal", c.Y.label())
	y["sort"] = "descending"
	if len(c.XNames) > 0 {
		x["sort"] = c.columns()
	}
	if len(c.YNames) > 0 {
		upwards := c.rowNames()
		slices.Reverse(upwards)
		y["sort"] = upwards
	}
	return object{"transform": only("grid"), "mark": "rect",
		"encoding": object{"x": x, "y": y, "color": quantity(4, c.Value)}}
}

func (c *Surface) size() (rows int, ratio float64) { return 0, 0.8 }

func (c *Surface) draw(s *sheet, top float64) {
	ramp := c.ramp(s)
	f := s.plot(c.head(s, top) + 0.7*s.em)
	dx, dy := c.Spacing()
	f.x = Scale{Min: *c.X.Min - dx/2, Max: *c.X.Max + dx/2, Title: c.X.label()}
	f.y = Scale{Min: *c.Y.Min - dy/2, Max: *c.Y.Max + dy/2, Title: c.Y.label()}
	rows, columns := f.beside(c.rowNames(), 0.3), c.columns()
	f.right = s.width - 1.2*s.em
	cells := newCells(s, ramp, f.py(0)-f.py(dy))
	for i, row := range c.Values {
		for k, v := range row {
			if math.IsNaN(v) {
				continue
			}
			x, y := *c.X.Min+dx*float64(k), *c.Y.Min+dy*float64(i)
			cells.add(shareOf(c.Value, v), f.px(x-dx/2), f.px(x+dx/2), f.py(y))
		}
	}
	cells.draw()
	for i := range c.Layers {
		c.layer(f, i)
	}
	for _, l := range c.labelled(f) {
		f.haloed(l.at.x, l.at.y+labelDown*f.em, mid, l.text)
	}
	f.lines(f.thin(s.theme.muted), f.outline())
	c.labels(f, rows, columns)
	f.titles()
}

func (c *Surface) ramp(s *sheet) ramp {
	if c.Diverging {
		return s.theme.both
	}
	return s.theme.heat
}

// head draws the scale of colours and the legend of the layers, and returns where they end.
func (c *Surface) head(s *sheet, top float64) float64 {
	top = s.colourScale(top, c.Value, c.ramp(s)) + 0.3*s.em
	return s.legend(top, c.names(), func(i int, at point) { c.key(s, i, at) })
}

func (c *Surface) labels(f *frame, rows, columns []string) {
	dx, dy := c.Spacing()
	height := (f.bottom - f.top) / float64(len(rows))
	every := everyOf(1.3*f.em, height)
	for i := 0; i < len(rows); i += every {
		f.before(f.py(*c.Y.Min+dy*float64(i)), rows[i])
	}
	width := (f.right - f.left) / float64(len(columns))
	for k, name := range columns {
		columns[k] = fit(name, math.Max(width-0.4*f.em, 6*f.em), f.em)
	}
	every = everyOf(f.widest(columns)+0.6*f.em, width)
	for k := 0; k < len(columns); k += every {
		f.below(f.px(*c.X.Min+dx*float64(k)), columns[k])
	}
}

var layerWidths = map[Mark]float64{MarkContours: 0.09, MarkDashes: 0.09, MarkArrows: 0.13, MarkPath: 0.36}

func (c *Surface) key(s *sheet, layer int, at point) {
	mark := c.Layers[layer].Mark
	if mark == MarkPoints {
		s.ring(c.outline(layer), at)
		return
	}
	line := s.sample(at)
	if mark == MarkArrows {
		s.arrows([]float64{1}, line)
		return
	}
	s.trace(mark, line)
}

const ringRadius = 0.4 // em

// An outline is what the points of a layer look like: rings in the first layer of points, and other
// shapes in further ones.
type outline struct {
	role  string
	shape int // index into shapes
}

var outlines = []outline{{"rings", 0}, {"squares", 1}, {"diamonds", 4}}

func (c *Surface) outline(layer int) outline {
	before := 0
	for _, l := range c.Layers[:layer] {
		if l.Mark == MarkPoints {
			before++
		}
	}
	return outlines[before%len(outlines)]
}

func (s *sheet) ring(o outline, at ...point) {
	s.marks(s.theme.ink, o.shape, ringRadius, at)
	s.marks(s.theme.paper, o.shape, 0.24, at)
}

// arrowHead returns the corners of the head of an arrow, always in the same sense, or nil
// for a line without a direction.
func arrowHead(line []point, long, wide float64) []point {
	a, b := line[0], line[len(line)-1]
	length := math.Hypot(b.x-a.x, b.y-a.y)
	if length == 0 {
		return nil
	}
	d := point{(b.x - a.x) / length, (b.y - a.y) / length}
	return []point{b, {b.x - long*d.x - wide*d.y, b.y - long*d.y + wide*d.x},
		{b.x - long*d.x + wide*d.y, b.y - long*d.y - wide*d.x}}
}

func (s *sheet) arrows(heads []float64, lines ...[]point) {
	var shapes [][]point
	for i, line := range lines {
		if shape := arrowHead(line, 0.7*s.em*heads[i], 0.32*s.em*heads[i]); shape != nil {
			shapes = append(shapes, shape)
		}
	}
	halo, width := s.theme.paper.faded(palette.HaloOpacity), layerWidths[MarkArrows]
	s.lines(stroke{ink: halo, width: width + haloWidth}, lines...)
	s.edges(stroke{ink: halo, width: haloWidth}, shapes...)
	s.lines(stroke{ink: s.theme.ink, width: width}, lines...)
	s.areas(s.theme.ink, shapes...)
}

// haloWidth is by how much a halo is wider than its line, in heights of text.
const haloWidth = 0.16

// trace draws a line of a layer, over a wider one in the colour of the paper.
func (s *sheet) trace(mark Mark, lines ...[]point) {
	k := stroke{ink: s.theme.ink, width: layerWidths[mark]}
	if mark == MarkPath {
		k.ink = s.theme.series[0]
	}
	s.lines(stroke{ink: s.theme.paper.faded(palette.HaloOpacity), width: k.width + haloWidth}, lines...)
	if mark == MarkDashes {
		k.dash = []float64{0.4, 0.32}
	}
	s.lines(k, lines...)
}

func (c *Surface) layer(f *frame, i int) {
	l := &c.Layers[i]
	var lines [][]point
	for _, t := range l.Traces {
		line := f.points(t.X, t.Y)
		if l.Mark == MarkPoints {
			f.ring(c.outline(i), line...)
			continue
		}
		if l.Mark == MarkArrows {
			lines = append(lines, line) // off the grid by half a cell at most, where the plot ends
			continue
		}
		for _, part := range f.clipped(line) {
			lines = append(lines, simplified(part, aside*f.em))
		}
	}
	if l.Mark == MarkArrows {
		f.arrows(c.heads(l), lines...)
		return
	}
	if len(lines) > 0 {
		f.trace(l.Mark, lines...)
	}
}

// A levelLabel is the text of a contour and where its middle is.
type levelLabel struct {
	layer int
	text  string
	at    point
}

const labelDown = 0.35 // em, from the middle of a line of text to its baseline

// labelled returns the labels of contours over all layers. A label lies where it covers no other
// label, no path, no ring and, if possible, no arrow; one without such a place is left out.
func (c *Surface) labelled(f *frame) (labels []levelLabel) {
	var taken []box
	var paths, arrows [][]point
	for _, l := range c.Layers {
		for _, t := range l.Traces {
			line := f.points(t.X, t.Y)
			switch l.Mark {
			case MarkPoints:
				for _, p := range line {
					r := ringRadius * f.em
					taken = append(taken, box{p.x - r, p.y - r, p.x + r, p.y + r})
				}
			case MarkPath, MarkDashes:
				paths = append(paths, line)
			case MarkArrows:
				arrows = append(arrows, line)
			}
		}
	}
	covers := func(b box, lines [][]point) bool {
		return slices.ContainsFunc(lines, func(line []point) bool { return b.crosses(line) })
	}
	for i, l := range c.Layers {
		for _, t := range l.Traces {
			if l.Mark != MarkContours || t.Label == "" || len(t.X) < 2 {
				continue
			}
			label, base := fit(Clean(t.Label), 8*f.em, f.em), labelDown*f.em
			free := func(p point, more [][]point) bool {
				b, gap := f.around(p.x, p.y+base, mid, label), 0.25*f.em
				around := box{b.left - gap, b.top - gap, b.right + gap, b.bottom + gap}
				return b.left > f.left && b.right < f.right && b.top > f.top && b.bottom < f.bottom &&
					!slices.ContainsFunc(taken, around.overlaps) && !covers(around, paths) && !covers(b, more)
			}
			places := c.places(f, t)
			k := slices.IndexFunc(places, func(p point) bool { return free(p, arrows) })
			if k < 0 {
				k = slices.IndexFunc(places, func(p point) bool { return free(p, nil) })
			}
			if k >= 0 {
				p := places[k]
				taken = append(taken, f.around(p.x, p.y+base, mid, label))
				labels = append(labels, levelLabel{i, label, p})
			}
		}
	}
	return labels
}

// places returns where a contour may have its label: its points and the middles between them, first
// those 5/12 of the way along. At 1/2 labels of neighbouring contours would lie side by side.
func (c *Surface) places(f *frame, t Trace) []point {
	var all []point
	for k := range t.X {
		if k > 0 {
			all = append(all, f.at((t.X[k-1]+t.X[k])/2, (t.Y[k-1]+t.Y[k])/2))
		}
		all = append(all, f.at(t.X[k], t.Y[k]))
	}
	middle := 5 * len(all) / 12
	places := []point{all[middle]}
	for away := 1; away < len(all); away++ {
		for _, k := range []int{middle - away, middle + away} {
			if k >= 0 && k < len(all) {
				places = append(places, all[k])
			}
		}
	}
	return places
}

// aside is how far a line that is drawn may be from the exact one, in heights of text: a
// third of a pixel.
const aside = 0.025

// simplified returns a line with fewer corners. No corner that is left out is further than
// a distance from the new line [Douglas and Peucker 1973].
func simplified(line []point, distance float64) []point {
	if len(line) < 3 {
		return line
	}
	a, b := line[0], line[len(line)-1]
	length := math.Hypot(b.x-a.x, b.y-a.y)
	farthest, at := 0.0, 0
	for i, p := range line[1 : len(line)-1] {
		d := math.Hypot(p.x-a.x, p.y-a.y)
		if length > 0 {
			// From the piece between the ends, not from the line through them.
			along := min(1, max(0, ((p.x-a.x)*(b.x-a.x)+(p.y-a.y)*(b.y-a.y))/(length*length)))
			d = math.Hypot(p.x-a.x-along*(b.x-a.x), p.y-a.y-along*(b.y-a.y))
		}
		if d > farthest {
			farthest, at = d, i+1
		}
	}
	if farthest <= distance {
		return []point{a, b}
	}
	first := simplified(line[:at+1], distance)
	return append(first[:len(first)-1:len(first)-1], simplified(line[at:], distance)...)
}

func (c *Surface) names() []string {
	return DistinctOf(c.Layers, "layer", func(x Layer) string { return x.Name }, kindGrid)
}

// markNames are the roles of the series that draw lines, in the order of the
// constants. With the suffix haloed it is the role of the halo below.
var markNames = []string{"contours", "dashes", "arrows", "path"}

// role is that of the series of a layer.
func (c *Surface) role(layer int) string {
	if mark := c.Layers[layer].Mark; mark != MarkPoints {
		return markNames[mark]
	}
	return c.outline(layer).role
}

const haloed = "-halo"

func (c *Surface) keys() []string { return c.names() }

// columns and rowNames write the coordinates of grid points, or what they are called.
func (c *Surface) columns() []string {
	return gridNames(c.X, c.XNames, c.XLog2, len(c.Values[0]), Number)
}

func (c *Surface) rowNames() []string {
	return gridNames(c.Y, c.YNames, c.YLog2, len(c.Values), Number)
}

func gridNames(a Axis, given []string, log2 bool, points int, write func(float64) string) []string {
	if len(given) > 0 {
		return Distinct(given, "level")
	}
	names := make([]string, points)
	for k := range names {
		names[k] = write(coordinate(*a.Min+(*a.Max-*a.Min)*float64(k)/float64(points-1), log2))
	}
	return names
}

// coordinate is the quantity of a coordinate, which may be its logarithm.
func coordinate(v float64, log2 bool) float64 {
	if log2 {
		return math.Exp2(v)
	}
	return v
}

// kindGrid is the kind of the values of the grid in data; that of a layer is its name.
const kindGrid = "grid"

func (c *Surface) data(d *data) {
	d.text("kind", "label")
	// Where levels have names they are no numbers.
	d.axis(len(c.XNames) == 0, c.X, "")
	d.axis(len(c.YNames) == 0, c.Y, "")
	d.axis(true, c.Value, "")
	d.divided, d.across, d.value = true, 2, 4
	var ends []string // of the interval of a value
	if c.Half != nil {
		d.numbers("low", "high")
		d.across, d.value, ends = 0, 0, []string{"", ""}
	}
	columns, rows := gridNames(c.X, c.XNames, c.XLog2, len(c.Values[0]), full),
		gridNames(c.Y, c.YNames, c.YLog2, len(c.Values), full)
	for i, row := range c.Values {
		for k, v := range row {
			if math.IsNaN(v) {
				continue
			}
			interval := ends
			if c.Half != nil && !math.IsNaN(c.Half[i][k]) {
				interval = []string{full(v - c.Half[i][k]), full(v + c.Half[i][k])}
			}
			d.row(append([]string{kindGrid, "", columns[k], rows[i], full(v)}, interval...)...)
		}
	}
	if len(d.rows) > 0 {
		d.keepEnds(0, 4)
	}
	for i, name := range c.names() {
		for _, trace := range c.Layers[i].Traces {
			for k := range trace.X {
				d.row(append([]string{name, Clean(trace.Label), full(coordinate(trace.X[k], c.XLog2)),
					full(coordinate(trace.Y[k], c.YLog2)), ""}, ends...)...)
			}
		}
	}
}

// heads returns the sizes of the heads of a layer of arrows, 1 for the longest arrow. Sizes are
// in proportion to the arrows, in cells, so that a head does not hide how short its arrow is.
func (c *Surface) heads(l *Layer) []float64 {
	const smallest = 0.3 // which still shows the direction
	dx, dy := c.Spacing()
	heads := each.Of(l.Traces, func(t Trace) float64 { return math.Hypot((t.X[1]-t.X[0])/dx, (t.Y[1]-t.Y[0])/dy) })
	longest := slices.Max(append(heads, 0))
	return each.Of(heads, func(head float64) float64 {
		if longest == 0 {
			return 1
		}
		return max(smallest, head/longest)
	})
}

// pixels make a grid of 10 by 10 about square on a wide page.
func (c *Surface) pixels() int { return cmp.Or(c.Height, 620) }

// A surfaceForm is what the script needs for the tooltip and the legend of a surface.
type surfaceForm struct {
	X     string   `json:"x"`
	Y     string   `json:"y"`
	Value string   `json:"value"`
	Log   bool     `json:"log,omitempty"`   // cells have logarithms to the base 10
	Both  bool     `json:"both,omitempty"`  // colours go both ways from the middle
	XLog2 bool     `json:"xLog2,omitempty"` // x coordinates of layers are logarithms to the base 2
	YLog2 bool     `json:"yLog2,omitempty"`
	Marks []string `json:"marks"` // of the layers
	Half  Grid     `json:"half,omitzero"`
}

func (c *Surface) form() surfaceForm {
	form := surfaceForm{c.X.label(), c.Y.label(), c.Value.label(), c.Value.Log, c.Diverging, c.XLog2, c.YLog2, nil, c.Half}
	for k := range c.Layers {
		form.Marks = append(form.Marks, c.role(k))
	}
	return form
}

// interactive has two pairs of axes: cells lie on the categories of the pair that is
// shown, and the layers between them on a hidden numeric pair.
func (c *Surface) interactive(i *Interactive) {
	names := c.names()
	i.legend(names)
	x, y := c.X.asX(), c.Y.asY()
	x.Type, x.Scale, x.Min, x.Max, x.Data = "category", nil, nil, nil, c.columns()
	y.Type, y.Min, y.Max, y.Data = "category", nil, nil, c.rowNames()
	i.axes(x, y)
	dx, dy := c.Spacing()
	i.axes(opts.XAxis{Type: "value", Show: opts.Bool(false), Min: *c.X.Min - dx/2, Max: *c.X.Max + dx/2},
		opts.YAxis{Type: "value", Show: opts.Bool(false), Min: *c.Y.Min - dy/2, Max: *c.Y.Max + dy/2})
	i.colours(c.Value)
	i.cells(len(c.Values), func(row int) []float64 { return c.Values[row] }, math.NaN(), c.Value)
	// Labels of contours have their places where a wide page has room for them.
	f := &frame{sheet: room{size: 13}.sheet(), box: box{right: 720, bottom: float64(c.pixels() - 140)},
		x: Scale{Min: *c.X.Min - dx/2, Max: *c.X.Max + dx/2}, y: Scale{Min: *c.Y.Min - dy/2, Max: *c.Y.Max + dy/2}}
	labels := make([][]namedPoint, len(c.Layers))
	for _, l := range c.labelled(f) {
		labels[l.layer] = append(labels[l.layer], namedPoint{Name: l.text, Value: [2]float64{
			f.x.Min + l.at.x/f.right*(f.x.Max-f.x.Min), f.y.Max - l.at.y/f.bottom*(f.y.Max-f.y.Min)}})
	}
	for k := range c.Layers {
		c.interactiveLayer(i, names[k], k, labels[k])
	}
	i.Own = c.form()
}

// An aslant is a line of the series "lines" of ECharts.
type aslant struct {
	Coords [][2]float64 `json:"coords"`
	Head   float64      `json:"head,omitempty"` // of an arrow: its size, 1 for the longest arrow
}

// interactiveLayer draws each line twice, first wider in the background colour, so that it
// is visible on cells of any colour.
func (c *Surface) interactiveLayer(i *Interactive, name string, index int, labels []namedPoint) {
	l := &c.Layers[index]
	rings, lines := []namedPoint{}, []aslant{}
	for _, t := range l.Traces {
		points := make([][2]float64, len(t.X))
		for k := range t.X {
			points[k] = [2]float64{t.X[k], t.Y[k]}
			rings = append(rings, namedPoint{Name: Clean(t.Label), Value: points[k]})
		}
		if len(points) > 1 {
			lines = append(lines, aslant{Coords: points})
		}
	}
	layer := func(kind, series string, data any) {
		i.add(role{Kind: kind}, charts.SingleSeries{Name: name, Type: series, CoordSystem: "cartesian2d",
			XAxisIndex: 1, YAxisIndex: 1, Data: data})
	}
	mark := c.role(index)
	if l.Mark == MarkPoints {
		layer(mark, "scatter", rings)
		return
	}
	if l.Mark == MarkArrows {
		for k, head := range c.heads(l) {
			lines[k].Head = head
		}
	}
	layer(mark+haloed, "lines", lines)
	layer(mark, "lines", lines)
	if len(labels) > 0 {
		layer(roleLevels, "scatter", labels)
	}
}
