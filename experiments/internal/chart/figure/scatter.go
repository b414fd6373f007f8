package figure

import (
	"cmp"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

type scatterChart struct{ *report.ScatterChart }

func (c scatterChart) names() []string { return chart.ScatterNames(c.ScatterChart) }
func (c scatterChart) shape() float64  { return 0.66 }

func scatterAxes(c *report.ScatterChart) axes {
	a := axes{x: c.X, y: c.Y}
	for i := range c.Series {
		for _, p := range c.Series[i].Points {
			a.xs, a.ys = append(a.xs, p.X), append(a.ys, p.Y)
		}
	}
	for _, l := range c.Lines {
		if l.Vertical {
			a.xs = append(a.xs, l.At)
		} else {
			a.ys = append(a.ys, l.At)
		}
	}
	return a
}

func (c scatterChart) draw(s *sheet, top float64) {
	names := c.names()
	var keys []key
	for i := range c.Series {
		keys = append(keys, key{names[i], func(at point) {
			k, r := c.dot(s, i)
			s.marks(k, i, r, []point{at})
		}})
	}
	f := s.frame(s.legend(top, keys), scatterAxes(c.ScatterChart))
	for _, faint := range []bool{true, false} {
		for i := range c.Series {
			if c.Series[i].Faint == faint {
				c.series(f, i)
			}
		}
	}
	c.references(f)
	var taken []box
	for i := len(c.Series) - 1; i >= 0; i-- {
		for _, p := range c.Series[i].Points {
			if p.Label != "" {
				at := f.at(p.X, p.Y)
				k, _ := c.dot(f.sheet, i)
				f.marks(k, 0, 0.5, []point{at})
				f.marks(f.theme.paper, 0, 0.28, []point{at})
				f.place(at, chart.Clean(p.Label), &taken)
			}
		}
	}
}

// dot is how the points of a series look.
func (c scatterChart) dot(s *sheet, i int) (ink, float64) {
	if c.Series[i].Faint {
		return s.theme.muted.faded(0.45), 0.18
	}
	return s.theme.series[i%len(s.theme.series)].faded(0.85), 0.32
}

func (c scatterChart) series(f *frame, i int) {
	s := &c.Series[i]
	k, radius := c.dot(f.sheet, i)
	if s.StepAfter || s.StepBefore {
		f.lines(stroke{ink: k, width: thinWidth}, f.clipped(steps(f, s))...)
	}
	// Of points on the same spot one is enough.
	seen := make(map[[2]int]bool)
	var points []point
	for _, p := range s.Points {
		at := f.at(p.X, p.Y)
		spot := [2]int{int(at.x / (0.08 * f.em)), int(at.y / (0.08 * f.em))}
		if !seen[spot] && f.has(at) {
			seen[spot] = true
			points = append(points, at)
		}
	}
	f.marks(k, i, radius, points)
}

// steps joins points by horizontal and vertical pieces.
func steps(f *frame, s *report.ScatterSeries) []point {
	sorted := slices.Clone(s.Points)
	slices.SortStableFunc(sorted, func(a, b report.ScatterPoint) int { return cmp.Compare(a.X, b.X) })
	var line []point
	for k, p := range sorted {
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

func (c scatterChart) references(f *frame) {
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
		f.haloed(x, y, anchor, fit(chart.Clean(l.Label), 0.6*(f.right-f.left), f.em))
	}
}

// reference draws a reference line.
func (f *frame) reference(lines ...[]point) {
	f.lines(stroke{f.theme.ink, thinWidth, []float64{0.5, 0.35}}, lines...)
}
