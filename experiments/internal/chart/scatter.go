package chart

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"

	"github.com/isoscale/isoscale/internal/each"
)

var _ = isKind("points", new(ScatterChart))

// A ScatterChart shows points with names in a plane, such as what each of many
// configurations costs and yields.
type ScatterChart struct {
	Title   string          `json:"title,omitzero"` // required
	Caption string          `json:"caption,omitzero"`
	X       Axis            `json:"x,omitzero"` // both fit the data: neither need start at zero
	Y       Axis            `json:"y,omitzero"`
	Series  []ScatterSeries `json:"series,omitzero"`
	Lines   []ReferenceLine `json:"lines,omitzero"`
	Height  int             `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A ScatterSeries is a set of points that mean the same, such as those of a
// Pareto front.
type ScatterSeries struct {
	Name   string         `json:"name,omitzero"`
	Points []ScatterPoint `json:"points,omitzero"`
	Faint  bool           `json:"faint,omitzero"` // small and grey, below the others: points that serve as background

	// A line of horizontal and vertical pieces joins the points in the order of x, if
	// one of these is set.
	StepAfter  bool `json:"step_after,omitzero"`  // y changes at the next point: what is had for at most a cost of x
	StepBefore bool `json:"step_before,omitzero"` // y changes at once: what is needed for at least a yield of x
}

// A ScatterPoint is a point with what the reader is told about it.
type ScatterPoint struct {
	Name  string  `json:"name,omitzero"` // what the point is, such as a configuration
	X     float64 `json:"x,omitzero"`
	Y     float64 `json:"y,omitzero"`
	Notes string  `json:"notes,omitzero"` // further facts, shown with the name and the values; may be empty
	Label string  `json:"label,omitzero"` // written beside the point; empty on all but a few
}

// A ReferenceLine is a straight line across a scatter chart, such as a budget.
type ReferenceLine struct {
	Label    string  `json:"label,omitzero"` // required
	At       float64 `json:"at,omitzero"`    // the x of a vertical line, the y of a horizontal one
	Vertical bool    `json:"vertical,omitzero"`
}

func (c *ScatterChart) check(at place) {
	at = at.chart(c.Title, c.Height, &c.X, &c.Y, nil)
	for i := range c.Series {
		c.checkSeries(at, i)
	}
	at.lines("line", c.Lines, c.X, c.Y)
}

// lines reports what is wrong with lines across a chart.
func (p place) lines(what string, lines []ReferenceLine, x, y Axis) {
	for i, l := range lines {
		here := p.in(fmt.Sprintf("%s %d", what, i+1), l.Label)
		here.checkPresent("label", l.Label)
		if l.Vertical {
			here.checkNumber("x", l.At, x.Log)
		} else {
			here.checkNumber("y", l.At, y.Log)
		}
	}
}

func (c *ScatterChart) checkSeries(at place, i int) {
	s := &c.Series[i]
	at = at.in(fmt.Sprintf("series %d", i+1), s.Name)
	at.demand(!s.StepAfter || !s.StepBefore, "steps after and before its points; expected one of them")
	for k, p := range s.Points {
		here := at.in(fmt.Sprintf("point %d", k+1), p.Name)
		here.checkNumber("x", p.X, c.X.Log)
		here.checkNumber("y", p.Y, c.Y.Log)
	}
}

func (c *ScatterChart) drawable() bool {
	return slices.ContainsFunc(c.Series, func(s ScatterSeries) bool { return len(s.Points) > 0 })
}

func (c *ScatterChart) finding() []string {
	var found []string
	for i, name := range c.keys() {
		found = append(found, fmt.Sprintf("%s: %s", name, plural(len(c.Series[i].Points), "point")))
	}
	return found
}

func (c *ScatterChart) vega() object {
	x, y := quantity(2, c.X), quantity(3, c.Y)
	for _, axis := range []object{x, y} {
		if axis["scale"] == nil {
			axis["scale"] = object{"zero": false}
		}
	}
	at := object{"x": x, "y": y, "color": series(0, c.keys())}
	var l layers
	for i, name := range c.keys() {
		s := &c.Series[i]
		line := object{"type": "line", "interpolate": "step-after"}
		if s.StepBefore {
			line["interpolate"] = "step-before"
		}
		l.add(s.StepAfter || s.StepBefore, only(name), line, at)
	}
	points := maps.Clone(at)
	points["tooltip"] = channel(1, "nominal", "point")
	l.add(true, where("isValid(datum.c2) && isValid(datum.c3)"), "point", points)
	lines := func(vertical bool) bool {
		return slices.ContainsFunc(c.Lines, func(l ReferenceLine) bool { return l.Vertical == vertical })
	}
	l.add(lines(true), where("!isValid(datum.c3)"), "rule", object{"x": x}) // has one coordinate
	l.add(lines(false), where("!isValid(datum.c2)"), "rule", object{"y": y})
	return object{"layer": []any(l)}
}

func (c *ScatterChart) changed(to Change) (Block, error) {
	n := *c
	n.X, n.Y = scaled(n.X, to.X), scaled(n.Y, to.Y)
	keep, err := kept(to.Series, c.keys())
	n.Series = selected(c.Series, keep)
	return &n, err
}

func (c *ScatterChart) size() (rows int, ratio float64) { return 0, 0.66 }

func (c *ScatterChart) draw(s *sheet, top float64) {
	f := s.frame(s.legend(top, c.keys(), func(i int, at point) {
		k, r := c.dot(s, i)
		s.marks(k, i, r, []point{at})
	}), c.axes())
	for _, faint := range []bool{true, false} {
		for i := range c.Series {
			if c.Series[i].Faint == faint {
				c.series(f, i)
			}
		}
	}
	c.references(f)
	var all rings
	for i := len(c.Series) - 1; i >= 0; i-- {
		for _, p := range c.Series[i].labelled() {
			k, _ := c.dot(f.sheet, i)
			f.ringed(k, 0.28, f.at(p.X, p.Y), p.Label, &all)
		}
	}
}

// dot is how the points of a series look.
func (c *ScatterChart) dot(s *sheet, i int) (ink, float64) {
	if c.Series[i].Faint {
		return s.theme.muted.faded(0.45), 0.18
	}
	return s.theme.series[i%len(s.theme.series)].faded(0.85), 0.32
}

func (c *ScatterChart) series(f *frame, i int) {
	s := &c.Series[i]
	k, radius := c.dot(f.sheet, i)
	if s.StepAfter || s.StepBefore {
		f.lines(stroke{ink: k, width: thinWidth}, f.clipped(steps(f, s))...)
	}
	// One of several points on the same spot is enough.
	seen := make(map[[2]int]bool)
	var points []point
	for _, p := range s.Points {
		at := f.at(p.X, p.Y)
		spot := [2]int{int(at.x / (0.08 * f.em)), int(at.y / (0.08 * f.em))}
		if !seen[spot] && f.shown().has(at) {
			seen[spot] = true
			points = append(points, at)
		}
	}
	f.marks(k, i, radius, points)
}

func steps(f *frame, s *ScatterSeries) []point {
	var line []point
	for k, p := range s.sorted() {
		at := f.at(p.X, p.Y)
		if k > 0 {
			last := line[len(line)-1]
			if s.StepAfter {
				line = append(line, point{at.x, last.y})
			} else {
				line = append(line, point{last.x, at.y})
			}
		}
		line = append(line, at)
	}
	return line
}

func (c *ScatterChart) references(f *frame) {
	for _, l := range c.Lines {
		line := []point{{f.left, f.py(l.At)}, {f.right, f.py(l.At)}}
		x, y, anchor := f.right-0.4*f.em, f.py(l.At)-0.4*f.em, end
		if l.Vertical {
			line = []point{{f.px(l.At), f.top}, {f.px(l.At), f.bottom}}
			x, y, anchor = f.px(l.At)+0.4*f.em, f.top+f.em, start
			if x+measure(l.Label, f.em) > f.right {
				x, anchor = f.px(l.At)-0.4*f.em, end
			}
		}
		f.reference(line)
		f.haloed(x, y, anchor, fit(Clean(l.Label), 0.6*(f.right-f.left), f.em))
	}
}

func (f *frame) reference(lines ...[]point) {
	f.lines(stroke{f.theme.ink, thinWidth, []float64{0.5, 0.35}}, lines...)
}

func (c *ScatterChart) keys() []string {
	return DistinctOf(c.Series, "series", func(x ScatterSeries) string { return x.Name }, seriesOfLines)
}

// manyPoints is the number of points above which a chart is drawn on a canvas: one
// SVG element per point would be slow.
const manyPoints = 1000

func (c *ScatterChart) pixels() int { return cmp.Or(c.Height, 480) }

func (c *ScatterChart) axes() axes {
	a := axes{x: c.X, y: c.Y}
	for i := range c.Series {
		for _, p := range c.Series[i].Points {
			a.xs, a.ys = append(a.xs, p.X), append(a.ys, p.Y)
		}
	}
	return a.with(c.Lines)
}

// with returns axes that also show lines, if they show anything else.
func (a axes) with(lines []ReferenceLine) axes {
	if len(a.xs) == 0 {
		return a
	}
	for _, l := range lines {
		if l.Vertical {
			a.xs = append(a.xs, l.At)
		} else {
			a.ys = append(a.ys, l.At)
		}
	}
	return a
}

// seriesOfLines stands in data for the series of a reference line.
const seriesOfLines = "reference line"

// data keeps points with a label and, of each series, those at the ends of the axes.
func (c *ScatterChart) data(d *data) {
	d.text("series", "point")
	d.axis(true, c.X, "")
	d.axis(true, c.Y, "")
	d.text("label", "notes")
	d.divided = true
	for i, name := range c.keys() {
		for _, p := range c.Series[i].Points {
			d.row(name, Clean(p.Name), full(p.X), full(p.Y), Clean(p.Label), Clean(p.Notes))
			if p.Label != "" {
				d.keep()
			}
		}
		if n := len(c.Series[i].Points); n > 0 {
			d.keepEnds(len(d.rows)-n, 2)
			d.keepEnds(len(d.rows)-n, 3)
		}
	}
	for _, l := range c.Lines {
		if l.Vertical {
			d.row(seriesOfLines, "", full(l.At), "", Clean(l.Label), "")
		} else {
			d.row(seriesOfLines, "", "", full(l.At), Clean(l.Label), "")
		}
	}
}

// interactive draws from the back to the front: faint points, other points with their
// lines, points with labels, reference lines.
func (c *ScatterChart) interactive(i *Interactive) {
	names := c.keys()
	i.legend(names)
	i.plane(c.pixels(), c.axes())
	points := 0
	add := func(kind string, k int, s charts.SingleSeries, of []ScatterPoint, full bool) {
		s.Name, s.Data = names[k], each.Of(of, func(p ScatterPoint) namedPoint {
			point := namedPoint{Value: [2]float64{p.X, p.Y}}
			if full {
				point.Name, point.Notes = Clean(p.Name), Clean(p.Notes)
			}
			if kind == roleLabels {
				point.Label = Clean(p.Label)
			}
			return point
		})
		i.add(role{Kind: kind, Colour: colourOf(k)}, s)
	}
	for _, faint := range []bool{true, false} {
		for k := range c.Series {
			s := &c.Series[k]
			if s.Faint != faint {
				continue
			}
			kind := roleDots
			if faint {
				kind = roleFaint
			}
			points += len(s.Points)
			add(kind, k, charts.SingleSeries{Type: "scatter", Symbol: marker(k)}, s.Points, true)
			if (s.StepAfter || s.StepBefore) && len(s.Points) > 0 {
				step := "end"
				if s.StepBefore {
					step = "start"
				}
				add(roleSteps, k, charts.SingleSeries{Type: "line", Symbol: "none", Step: step}, s.sorted(), false)
			}
		}
	}
	// The script places labels in their order: those of the last series, which are in
	// front, find room first.
	for k := len(c.Series) - 1; k >= 0; k-- {
		if labels := c.Series[k].labelled(); len(labels) > 0 {
			add(roleLabels, k, charts.SingleSeries{Type: "scatter", Symbol: "circle"}, labels, true)
		}
	}
	i.Canvas = points > manyPoints
	if all := c.axes(); len(c.Lines) > 0 && points > 0 {
		i.references(c.Lines, all.xs[0], all.ys[0], c.labelAt)
	}
}

func (s *ScatterSeries) labelled() []ScatterPoint {
	return slices.DeleteFunc(slices.Clone(s.Points), func(p ScatterPoint) bool { return p.Label == "" })
}

// sorted are the points in the order of x.
func (s *ScatterSeries) sorted() []ScatterPoint {
	sorted := slices.Clone(s.Points)
	slices.SortStableFunc(sorted, func(a, b ScatterPoint) int { return cmp.Compare(a.X, b.X) })
	return sorted
}

// labelAt returns the end of a line that is further from the labelled points. Either axis starts
// at its low values.
func (c *ScatterChart) labelAt(l ReferenceLine) string {
	all := (&ScatterChart{Series: c.Series}).axes()
	low := func(v float64, all []float64) bool { return v-slices.Min(all) < slices.Max(all)-v }
	lows, labels := 0, 0
	for k := range c.Series {
		for _, p := range c.Series[k].labelled() {
			labels++
			if l.Vertical && low(p.Y, all.ys) || !l.Vertical && low(p.X, all.xs) {
				lows++
			}
		}
	}
	if 2*lows >= labels {
		return "insideEndTop"
	}
	return "insideStartTop"
}
