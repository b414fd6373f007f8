package figure

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

type heatMap struct{ *report.HeatMap }

func (c heatMap) names() []string { return nil }
func (c heatMap) shape() float64  { return 0.5 }
func (c heatMap) rows() int       { return len(c.Rows) }

func (c heatMap) draw(s *sheet, top float64) {
	names := chart.RowNames(c.HeatMap)
	f := &frame{sheet: s}
	f.top, f.bottom = s.colourScale(top, c.Value, s.theme.heat)+0.6*s.em, s.height-3.1*s.em
	for k, name := range names {
		names[k] = fit(name, 0.36*s.width, s.em)
		f.left = math.Max(f.left, measure(names[k], s.em))
	}
	f.left, f.right = f.left+0.9*s.em, s.width-1.2*s.em
	f.x = chart.NewScale(c.X, chart.Span{Values: []float64{*c.X.Min, *c.X.Max}, Length: f.right - f.left, Extent: s.along})
	height := (f.bottom - f.top) / float64(len(c.Rows))
	width := (f.right - f.left) / float64(c.Columns)
	cells := newCells(s, s.theme.heat, 0.92*height)
	for i := range c.Rows {
		for k, v := range c.Rows[i].Values {
			if v != 0 {
				cells.add(shareOf(c.Value, v), f.left+float64(k)*width, f.left+float64(k+1)*width, f.top+(float64(i)+0.5)*height)
			}
		}
	}
	cells.draw()
	f.lines(stroke{ink: s.theme.muted, width: 0.08}, f.outline())
	every := int(math.Ceil(1.15 * s.em / height))
	for i, name := range names {
		if i%every == 0 {
			s.text(s.theme.muted, f.left-0.5*s.em, f.top+(float64(i)+0.5)*height+0.35*s.em, end, name)
		}
	}
	for _, t := range f.x.Ticks {
		s.text(s.theme.muted, f.px(t.At), f.bottom+1.35*s.em, mid, t.Label)
	}
	s.text(s.theme.ink, (f.left+f.right)/2, s.height-0.55*s.em, mid, fit(f.x.Title, f.right-f.left, s.em))
}

// shareOf is where a value is on a scale of colours, from 0 to 1.
func shareOf(a report.Axis, v float64) float64 {
	return chart.Scale{Log: a.Log, Min: *a.Min, Max: *a.Max}.Position(v)
}

// cells collects cells of one height by colour. Each colour is one path of lines as wide as
// the cells are high, which is half as long as one of boxes. Neighbours in a row with the
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

// colourScale draws the colours of a map with its ends and its quantity, and returns
// where it ends.
func (s *sheet) colourScale(top float64, a report.Axis, r ramp) float64 {
	low, high := chart.Number(*a.Min), chart.Number(*a.Max)
	length := math.Min(12*s.em, s.width-measure(low+high, s.em)-2*s.em)
	x := measure(low, s.em) + 0.6*s.em
	s.text(s.theme.muted, 0.2*s.em, top+1.1*s.em, start, low)
	n := r.steps()
	for k := range n {
		at := x + length*float64(k)/float64(n)
		s.areas(r.at((float64(k)+0.5)/float64(n)), box{at, top + 0.3*s.em, at + length/float64(n) + 0.02*s.em, top + 1.2*s.em}.corners())
	}
	x += length + 0.4*s.em
	s.text(s.theme.muted, x, top+1.1*s.em, start, high)
	x += measure(high, s.em) + s.em
	name := chart.Titled(a.Title, a.Unit)
	if a.Log {
		name += ", logarithmic"
	}
	if x+measure(name, s.em) <= s.width {
		s.text(s.theme.ink, x, top+1.1*s.em, start, name)
		return top + lineSpace*s.em
	}
	s.text(s.theme.ink, 0.2*s.em, top+2.5*s.em, start, fit(name, s.width-0.4*s.em, s.em))
	return top + 2*lineSpace*s.em
}
