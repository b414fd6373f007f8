package figure

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/experiments/report"
)

type lineChart struct{ *report.LineChart }

// lineAxes has the reference lines too, and for ticks what was measured, but not the
// many points of laws.
func lineAxes(c *report.LineChart) axes {
	xs, ys := chart.LineValues(c)
	if len(xs) > 0 {
		for _, t := range c.Targets {
			ys = append(ys, t.Y)
		}
	}
	return axes{x: c.X, y: c.Y, xs: xs, ys: ys, zero: true, square: c.Square, measured: lineMeasured(c)}
}

func lineMeasured(c *report.LineChart) []float64 {
	var xs []float64
	for i := range c.Series {
		if s := &c.Series[i]; !s.Plain && !s.Ideal {
			xs = append(xs, s.X...)
		}
	}
	return xs
}

func (c lineChart) names() []string { return chart.LineNames(c.LineChart) }
func (c lineChart) shape() float64  { return ratio(c.Square) }

// ratio is the height of a plot for its width.
func ratio(square bool) float64 {
	if square {
		return 0.86
	}
	return 0.6
}

// dashed is the pattern of predictions and ideal lines, in em.
var dashed = []float64{0.7, 0.35}

// patterns are those of the first series, and of those beyond that differ in lightness
// from few, in em.
var patterns = [][]float64{nil, {0.18, 0.26}, {1.1, 0.25, 0.18, 0.25}}

// Pattern returns the dashes of a series by its colour, in units of a size of text; nil
// is a line without.
func Pattern(colour int) []float64 { return patterns[colour/palette.Apart%len(patterns)] }

// look is how a series is drawn: its ink and its pattern.
func (s *sheet) look(colour, of int, ordered bool) (ink, []float64) {
	if colour < 0 {
		return s.theme.muted, dashed
	}
	if ordered && of > 1 {
		return s.theme.heat.at(palette.Ordered(colour, of)), nil
	}
	return s.theme.series[colour%len(s.theme.series)], Pattern(colour)
}

func (c lineChart) draw(s *sheet, top float64) {
	names, colours := c.names(), chart.LineColours(c.LineChart)
	of := slices.Max(append(slices.Clone(colours), 0)) + 1
	var keys []key
	for i := range c.Series {
		keys = append(keys, key{names[i], func(at point) { c.key(s, i, colours[i], of, at) }})
	}
	for i := range c.Bands {
		k, _ := s.look(colours[len(c.Series)+i], of, c.Ordered)
		keys = append(keys, key{names[len(c.Series)+i], func(at point) {
			s.areas(k.faded(chart.BandOpacity), box{at.x - s.em, at.y - 0.4*s.em, at.x + s.em, at.y + 0.4*s.em}.corners())
		}})
	}
	f := s.frame(s.legend(top, keys), lineAxes(c.LineChart))
	for i := range c.Bands {
		k, _ := s.look(colours[len(c.Series)+i], of, c.Ordered)
		f.band(&c.Bands[i], k)
	}
	for i := range c.Series {
		if !c.Series[i].Points {
			f.curve(&c.Series[i], i, colours[i], of, c.Ordered)
		}
	}
	for i := range c.Series {
		if c.Series[i].Points {
			f.curve(&c.Series[i], i, colours[i], of, c.Ordered)
		}
	}
	taken := f.targets(c.Targets, c.Series)
	f.marked(c.Points, colours, taken)
}

const (
	lineWidth  = 0.14 // em
	thinWidth  = 0.1
	markRadius = 0.28
	dotRadius  = 0.36 // of points without a line
)

func (c lineChart) key(s *sheet, i, colour, of int, at point) {
	series := &c.Series[i]
	k, dash := s.look(colour, of, c.Ordered)
	if !series.Points {
		s.lines(lineStroke(series, k, dash), []point{{at.x - s.em, at.y}, {at.x + s.em, at.y}})
	}
	switch {
	case series.Points:
		s.marks(k, i, dotRadius, []point{at})
	case !series.Plain && !series.Ideal:
		s.marks(k, i, markRadius, []point{at})
	}
}

func lineStroke(s *report.Series, k ink, dash []float64) stroke {
	switch {
	case s.Ideal:
		return stroke{k, thinWidth, dashed}
	case s.Dashed:
		return stroke{k, lineWidth, dashed}
	}
	return stroke{k, lineWidth, dash}
}

func (f *frame) curve(s *report.Series, i, colour, of int, ordered bool) {
	k, dash := f.look(colour, of, ordered)
	points := make([]point, len(s.X))
	for j := range s.X {
		points[j] = f.at(s.X[j], s.Y[j])
	}
	f.whiskers(s, k)
	if !s.Points {
		f.lines(lineStroke(s, k, dash), f.clipped(points)...)
	}
	visible := slices.DeleteFunc(slices.Clone(points), func(p point) bool { return !f.has(p) })
	switch {
	case s.Points:
		f.marks(f.theme.paper, i, dotRadius*1.25, visible)
		f.marks(k, i, dotRadius, visible)
	case !s.Plain && !s.Ideal:
		f.marks(k, i, markRadius, visible)
	}
}

// whiskers draws the range of each point.
func (f *frame) whiskers(s *report.Series, k ink) {
	const cap = 0.25
	var lines [][]point
	for j := range s.Low {
		if s.Low[j] == s.High[j] {
			continue
		}
		x, low, high := f.px(s.X[j]), f.py(s.Low[j]), f.py(s.High[j])
		w := cap * f.em
		lines = append(lines, []point{{x, low}, {x, high}}, []point{{x - w, low}, {x + w, low}}, []point{{x - w, high}, {x + w, high}})
	}
	f.lines(stroke{ink: k, width: 0.09}, lines...)
}

func (f *frame) band(b *report.Band, k ink) {
	var low, high []point
	for j := range b.X {
		clamp := func(v float64) float64 { return min(max(v, f.y.Min), f.y.Max) }
		low = append(low, f.at(b.X[j], clamp(b.Low[j])))
		high = append(high, f.at(b.X[j], clamp(b.High[j])))
	}
	slices.Reverse(low)
	if len(high) > 1 {
		f.areas(k.faded(chart.BandOpacity), append(high, low...))
	}
}

// targets draws the reference lines, with their labels at the end of the axis that
// is further from the curves. It returns where these are.
func (f *frame) targets(targets []report.Target, series []report.Series) (labels []box) {
	var lines [][]point
	for _, t := range targets {
		lines = append(lines, []point{{f.left, f.py(t.Y)}, {f.right, f.py(t.Y)}})
	}
	f.reference(lines...)
	for _, t := range targets {
		x, anchor := f.right-0.4*f.em, end
		if chart.LabelsAtStart(targets, series) {
			x, anchor = f.left+0.4*f.em, start
		}
		y := f.py(t.Y) - 0.4*f.em
		if y-f.em < f.top {
			y = f.py(t.Y) + 1.15*f.em
		}
		label := fit(chart.Clean(t.Label), 0.7*(f.right-f.left), f.em)
		f.haloed(x, y, anchor, label)
		labels = append(labels, f.around(x, y, anchor, label))
	}
	return labels
}

// marked draws the points that are read off curves, with labels where there is room beside
// the points and what is taken.
func (f *frame) marked(points []report.MarkedPoint, colours []int, taken []box) {
	for _, p := range points {
		at, r := f.at(p.X, p.Y), 0.5*f.em
		taken = append(taken, box{at.x - r, at.y - r, at.x + r, at.y + r})
	}
	for _, p := range points {
		at := f.at(p.X, p.Y)
		k, _ := f.look(colours[p.Series], 1, false)
		f.marks(k, 0, 0.5, []point{at})
		f.marks(f.theme.paper, 0, 0.3, []point{at})
		f.place(at, chart.Clean(p.Label), &taken)
	}
}

// place writes a label beside a point, where it lies on no other and within the plot;
// if there is no such place, it is left out.
func (f *frame) place(at point, label string, taken *[]box) {
	label = fit(label, 0.45*(f.right-f.left), f.em)
	for _, rise := range []float64{0.35, -0.75, 1.5} {
		for _, side := range []float64{1, -1} {
			anchor := start
			if side < 0 {
				anchor = end
			}
			x, y := at.x+side*0.75*f.em, at.y+rise*f.em
			b := f.around(x, y, anchor, label)
			if b.left < f.left || b.right > f.width || b.top < f.top-0.5*f.em || b.bottom > f.bottom || slices.ContainsFunc(*taken, b.overlaps) {
				continue
			}
			*taken = append(*taken, b)
			f.haloed(x, y, anchor, label)
			return
		}
	}
}
