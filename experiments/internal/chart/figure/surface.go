package figure

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/experiments/report"
)

type surface struct{ *report.Surface }

func (c surface) names() []string { return chart.LayerNames(c.Surface) }
func (c surface) shape() float64  { return 0.8 }

func (c surface) draw(s *sheet, top float64) {
	var keys []key
	for i, name := range c.names() {
		keys = append(keys, key{name, func(at point) { c.key(s, c.Layers[i].Mark, at) }})
	}
	ramp := s.theme.heat
	if c.Diverging {
		ramp = s.theme.both
	}
	f := &frame{sheet: s}
	f.top, f.bottom = s.legend(s.colourScale(top, c.Value, ramp)+0.3*s.em, keys)+1.9*s.em, s.height-3.1*s.em
	dx, dy := c.Spacing()
	f.x = chart.Scale{Min: *c.X.Min - dx/2, Max: *c.X.Max + dx/2, Title: chart.Titled(c.X.Title, c.X.Unit)}
	f.y = chart.Scale{Min: *c.Y.Min - dy/2, Max: *c.Y.Max + dy/2, Title: chart.Titled(c.Y.Title, c.Y.Unit)}
	rows, columns := chart.GridNames(c.Y, c.YNames, c.YLog2, len(c.Values)), chart.GridNames(c.X, c.XNames, c.XLog2, len(c.Values[0]))
	for k, name := range rows {
		rows[k] = fit(name, 0.3*s.width, s.em)
		f.left = math.Max(f.left, measure(rows[k], s.em))
	}
	f.left, f.right = f.left+0.9*s.em, s.width-1.2*s.em
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
		c.layer(f, &c.Layers[i])
	}
	f.lines(stroke{ink: s.theme.muted, width: 0.08}, f.outline())
	c.labels(f, rows, columns)
	f.titles()
}

// labels writes the names of as many rows and columns as there is room for.
func (c surface) labels(f *frame, rows, columns []string) {
	dx, dy := c.Spacing()
	height := (f.bottom - f.top) / float64(len(rows))
	every := int(math.Ceil(1.3 * f.em / height))
	for i := 0; i < len(rows); i += every {
		f.text(f.theme.muted, f.left-0.5*f.em, f.py(*c.Y.Min+dy*float64(i))+0.35*f.em, end, rows[i])
	}
	width := (f.right - f.left) / float64(len(columns))
	widest := 0.0
	for k, name := range columns {
		columns[k] = fit(name, math.Max(width-0.4*f.em, 6*f.em), f.em)
		widest = math.Max(widest, measure(columns[k], f.em)+0.6*f.em)
	}
	every = int(math.Ceil(widest / width))
	for k := 0; k < len(columns); k += every {
		f.text(f.theme.muted, f.px(*c.X.Min+dx*float64(k)), f.bottom+1.35*f.em, mid, columns[k])
	}
}

var layerWidths = map[report.Mark]float64{report.MarkContours: 0.09, report.MarkDashes: 0.09, report.MarkArrows: 0.13, report.MarkPath: 0.36}

func (c surface) key(s *sheet, mark report.Mark, at point) {
	if mark == report.MarkPoints {
		s.ring(at)
		return
	}
	line := []point{{at.x - s.em, at.y}, {at.x + s.em, at.y}}
	if mark == report.MarkArrows {
		s.arrows([]float64{1}, line)
		return
	}
	s.trace(mark, line)
}

func (s *sheet) ring(at ...point) {
	s.marks(s.theme.ink, 0, 0.4, at)
	s.marks(s.theme.paper, 0, 0.24, at)
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
	return []point{b, {b.x - long*d.x - wide*d.y, b.y - long*d.y + wide*d.x}, {b.x - long*d.x + wide*d.y, b.y - long*d.y - wide*d.x}}
}

// arrows draws arrows whose heads have sizes.
func (s *sheet) arrows(heads []float64, lines ...[]point) {
	var shapes [][]point
	for i, line := range lines {
		if shape := arrowHead(line, 0.7*s.em*heads[i], 0.32*s.em*heads[i]); shape != nil {
			shapes = append(shapes, shape)
		}
	}
	halo, width := s.theme.paper.faded(palette.HaloOpacity), layerWidths[report.MarkArrows]
	s.lines(stroke{ink: halo, width: width + haloWidth}, lines...)
	s.edges(stroke{ink: halo, width: haloWidth}, shapes...)
	s.lines(stroke{ink: s.theme.ink, width: width}, lines...)
	s.areas(s.theme.ink, shapes...)
}

// haloWidth is by how much a halo is wider than its line, in heights of text.
const haloWidth = 0.16

// trace draws a line of a layer, over a wider one in the colour of the paper.
func (s *sheet) trace(mark report.Mark, lines ...[]point) {
	k := stroke{ink: s.theme.ink, width: layerWidths[mark]}
	if mark == report.MarkPath {
		k.ink = s.theme.series[0]
	}
	s.lines(stroke{ink: s.theme.paper.faded(palette.HaloOpacity), width: k.width + haloWidth}, lines...)
	if mark == report.MarkDashes {
		k.dash = []float64{0.4, 0.32}
	}
	s.lines(k, lines...)
}

func (c surface) layer(f *frame, l *report.Layer) {
	var taken []box
	var lines [][]point
	for _, t := range l.Traces {
		line := make([]point, len(t.X))
		for k := range t.X {
			line[k] = f.at(t.X[k], t.Y[k])
		}
		if l.Mark == report.MarkPoints {
			f.ring(line...)
			continue
		}
		if l.Mark == report.MarkArrows {
			lines = append(lines, line) // off the grid by half a cell at most, where the plot ends
			continue
		}
		for _, part := range f.clipped(line) {
			lines = append(lines, simplified(part, aside*f.em))
		}
	}
	switch {
	case l.Mark == report.MarkArrows:
		f.arrows(chart.ArrowHeads(c.Surface, l), lines...)
	case len(lines) > 0:
		f.trace(l.Mark, lines...)
	}
	if l.Mark != report.MarkContours {
		return
	}
	for _, t := range l.Traces {
		if n := len(t.X); n > 1 && t.Label != "" {
			at := f.at(t.X[5*n/12], t.Y[5*n/12])
			label := fit(chart.Clean(t.Label), 8*f.em, f.em)
			b := f.around(at.x, at.y+0.35*f.em, mid, label)
			if b.left > f.left && b.right < f.right && !slices.ContainsFunc(taken, b.overlaps) {
				taken = append(taken, b)
				f.haloed(at.x, at.y+0.35*f.em, mid, label)
			}
		}
	}
}

// aside is how far a line that is drawn may be from the exact one, in heights of text: a
// third of a pixel.
const aside = 0.025

// simplified returns a line with fewer corners, of which none that is left out is more
// than a distance away from it [Douglas and Peucker 1973].
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
