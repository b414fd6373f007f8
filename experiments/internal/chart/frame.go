package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
)

// A frame is the plot of a chart with its axes. The legend is above, the title of the x axis
// below, and the title of the y axis, which reads upwards, left of the labels.
type frame struct {
	*sheet
	box
	x, y Scale
}

const (
	keyWidth  = 2.0 // em, of the sample of a series
	keyGap    = 0.4
	entryGap  = 1.2
	lineSpace = 1.55 // between the lines of a legend
)

// entries calls each with the place of every entry of a legend, and returns the number of lines
// that the entries need.
func entries(names []string, width, em float64, each func(i, line int, x float64, name string)) (lines int) {
	if len(names) == 0 {
		return 0
	}
	x, line := 0.2*em, 0
	for i, name := range names {
		name = fit(name, width-(keyWidth+keyGap+0.4)*em, em)
		w := (keyWidth+keyGap)*em + measure(name, em)
		if x > em && x+w > width {
			x, line = 0.2*em, line+1
		}
		each(i, line, x, name)
		x += w + entryGap*em
	}
	return line + 1
}

// legend draws entries from top downwards and returns where they end. The sample of entry i is
// drawn around at, the middle of a box two em wide.
func (s *sheet) legend(top float64, names []string, draw func(i int, at point)) float64 {
	lines := entries(names, s.width, s.em, func(i, line int, x float64, name string) {
		y := top + lineSpace*s.em*float64(line)
		draw(i, point{x + keyWidth*s.em/2, y + 0.75*s.em})
		s.text(s.theme.ink, x+(keyWidth+keyGap)*s.em, y+1.1*s.em, start, name)
	})
	return top + lineSpace*s.em*float64(lines)
}

// swatch and sample are the samples of areas and lines in a legend.
func (s *sheet) swatch(at point) box {
	return box{at.x - 0.8*s.em, at.y - 0.4*s.em, at.x + 0.8*s.em, at.y + 0.4*s.em}
}

func (s *sheet) sample(at point) []point { return []point{{at.x - s.em, at.y}, {at.x + s.em, at.y}} }

// An axes is what the frame of a chart with two numeric axes depends on.
type axes struct {
	x, y   Axis
	xs, ys []float64 // all values that they must show
	zero   bool      // a linear y axis starts at zero
	square bool

	measured []float64 // where ticks of the x axis are best
}

// plot returns a frame from top down to the labels and the title of its x axis, without sides and scales.
func (s *sheet) plot(top float64) *frame {
	return &frame{sheet: s, box: box{top: top, bottom: s.height - 3.1*s.em}}
}

// frame lays out the plot below top and draws its axes.
func (s *sheet) frame(top float64, a axes) *frame {
	f := s.plot(top + 0.7*s.em)
	tall := f.bottom - f.top
	a = a.squared()
	f.y = a.upright(s, tall)
	f.left = f.aside() + s.labelWidth(f.y) + 0.8*s.em
	f.right = s.width - 0.8*s.em
	if a.square && f.right-f.left > tall {
		f.right = f.left + tall
	}
	f.x = a.level(s, f.right-f.left)
	if a.square {
		f.y.Ticks = f.x.Ticks
	}
	if n := len(f.x.Ticks); n > 0 { // half of the last label is right of its tick
		out := measure(f.x.Ticks[n-1].Label, s.em)/2 - (1-f.x.Position(f.x.Ticks[n-1].At))*(f.right-f.left)
		if f.right+out > s.width && !a.square {
			f.right = s.width - out
		}
	}
	f.axes()
	return f
}

// upright and level return the scales of the y axis and of the x axis of a plot.
func (a axes) upright(s *sheet, length float64) Scale {
	span := Span{Values: a.ys, Zero: a.zero, Length: length, Extent: s.line}
	if a.square {
		span.Measured = a.measured
	}
	return NewScale(a.y, span)
}

func (a axes) level(s *sheet, length float64) Scale {
	return NewScale(a.x, Span{Values: a.xs, Measured: a.measured, Zero: a.zero && a.square, Length: length,
		Extent: s.along})
}

// squared gives both axes of a square chart the values and bounds of both.
func (a axes) squared() axes {
	if !a.square {
		return a
	}
	all := append(slices.Clone(a.xs), a.ys...)
	a.xs, a.ys = all, all
	a.x.Min, a.x.Max = outer(a.x.Min, a.y.Min, -1), outer(a.x.Max, a.y.Max, 1)
	a.y.Min, a.y.Max = a.x.Min, a.x.Max
	return a
}

// outer returns the outer one of two bounds, or the only one.
func outer(a, b *float64, side float64) *float64 {
	if a == nil || b != nil && side**b > side**a {
		return b
	}
	return a
}

func (s *sheet) labelWidth(scale Scale) float64 {
	return s.widest(each.Of(scale.Ticks, func(t Tick) string { return t.Label }))
}

func (s *sheet) widest(texts []string) float64 {
	return slices.Max(append(each.Of(texts, func(text string) float64 { return measure(text, s.em) }), 0))
}

// axes draws grid, ticks, labels and titles.
func (f *frame) axes() {
	grid := append(f.yGrid(), f.xGrid(0)...)
	ticks := each.Of(f.x.Ticks, func(t Tick) []point {
		return []point{{f.px(t.At), f.bottom}, {f.px(t.At), f.bottom + 0.3*f.em}}
	})
	f.lines(f.thin(f.theme.grid), grid...)
	f.lines(f.thin(f.theme.muted), append(ticks, f.corner())...)
	f.titles()
}

// thin is the stroke of grids and axes.
func (s *sheet) thin(k ink) stroke { return stroke{ink: k, width: 0.08} }

func (f *frame) corner() []point {
	return []point{{f.left, f.top}, {f.left, f.bottom}, {f.right, f.bottom}}
}

// yGrid and xGrid write the labels of an axis and return the lines of its grid. Those of x extend
// beyond the plot by so many em.
func (f *frame) yGrid() (grid [][]point) {
	for _, t := range f.y.Ticks {
		y := f.py(t.At)
		grid = append(grid, []point{{f.left, y}, {f.right, y}})
		f.before(y, t.Label)
	}
	return grid
}

func (f *frame) xGrid(beyond float64) (grid [][]point) {
	for _, t := range f.x.Ticks {
		x := f.px(t.At)
		grid = append(grid, []point{{x, f.top}, {x, f.bottom + beyond*f.em}})
		f.below(x, t.Label)
	}
	return grid
}

// before writes a label of the y axis, which may have two lines; below writes one of the x axis.
func (f *frame) before(y float64, label string) {
	lines := strings.Split(label, "\n")
	for k, line := range lines {
		down := float64(k) - float64(len(lines)-1)/2
		f.text(f.theme.muted, f.left-0.5*f.em, y+(0.35+titleSpace*down)*f.em, end, line)
	}
}

func (f *frame) below(x float64, label string) {
	f.text(f.theme.muted, x, f.bottom+1.35*f.em, mid, label)
}

// beside makes room for the names of rows left of the plot. Names longer than a share of the width
// are broken into two lines where rows are high enough, and else shortened.
func (f *frame) beside(names []string, share float64) []string {
	high := (f.bottom-f.top)/float64(max(1, len(names))) > 2.2*f.em
	widest := 0.0
	short := each.Of(names, func(name string) string {
		lines := []string{fit(Clean(name), share*f.width, f.em)}
		if high {
			lines = broken(Clean(name), share*f.width, f.em)
		}
		widest = math.Max(widest, f.widest(lines))
		return strings.Join(lines, "\n")
	})
	f.left = f.aside() + widest + 0.9*f.em
	return short
}

// rowNames writes the names of rows of equal height, the first on top, as many as have room.
func (f *frame) rowNames(names []string) {
	step := (f.bottom - f.top) / float64(max(1, len(names)))
	every := everyOf(1.15*f.em, step)
	for k := 0; k < len(names); k += every {
		f.before(f.top+(float64(k)+0.5)*step, names[k])
	}
}

// everyOf returns n such that every n-th name is written: names a step apart then have the room
// that each needs. It is at least 1, also where no name has room.
func everyOf(room, step float64) int { return max(1, int(math.Ceil(room/step))) }

func (f *frame) titles() {
	middle := (f.top + f.bottom) / 2
	for k, line := range f.yTitle() {
		half := measure(line, f.em) / 2
		at := point{(0.95 + titleSpace*float64(k)) * f.em, math.Min(math.Max(middle, f.top+half), f.height-half-0.2*f.em)}
		f.canvas.SetColor(f.theme.ink)
		f.canvas.FillUpright(face(f.em), f.sheet.at(at), line)
	}
	f.xTitle(f.width - 0.4*f.em)
}

const titleSpace = 1.15 // em, between the lines of a title

// yTitle returns the lines of the title of the y axis. They may reach from the top of the plot to
// the bottom of the drawing, less a margin.
func (f *frame) yTitle() []string {
	if f.y.Title == "" {
		return nil
	}
	return broken(f.y.Title, f.height-f.top-0.4*f.em, f.em)
}

// aside is the room that the title of the y axis takes.
func (f *frame) aside() float64 {
	if lines := len(f.yTitle()); lines > 0 {
		return (0.55 + titleSpace*float64(lines)) * f.em
	}
	return 0
}

// xTitle writes the title of the x axis, shortened to the room.
func (f *frame) xTitle(room float64) {
	title := fit(f.x.Title, room, f.em)
	middle, half := (f.left+f.right)/2, measure(title, f.em)/2
	middle = math.Max(half+0.2*f.em, math.Min(f.width-half-0.2*f.em, middle))
	f.text(f.theme.ink, middle, f.height-0.55*f.em, mid, title)
}

func (f *frame) px(v float64) float64  { return f.left + f.x.Position(v)*(f.right-f.left) }
func (f *frame) py(v float64) float64  { return f.bottom - f.y.Position(v)*(f.bottom-f.top) }
func (f *frame) at(x, y float64) point { return point{f.px(x), f.py(y)} }

func (f *frame) points(x, y []float64) []point {
	points := make([]point, len(x))
	for k := range x {
		points[k] = f.at(x[k], y[k])
	}
	return points
}

// clipped returns the parts of a polyline within the plot.
func (f *frame) clipped(line []point) (pieces [][]point) {
	for k := 1; k < len(line); k++ {
		a, b, ok := f.shown().through(line[k-1], line[k])
		if n := len(pieces); ok && n > 0 && a == line[k-1] && pieces[n-1][len(pieces[n-1])-1] == a {
			pieces[n-1] = append(pieces[n-1], b)
		} else if ok {
			pieces = append(pieces, []point{a, b})
		}
	}
	return pieces
}

// through returns the part of a line between two points that is within a box, as
// Liang and Barsky clip it.
func (in box) through(a, b point) (from, to point, ok bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := b.x-a.x, b.y-a.y
	for _, e := range [][2]float64{{-dx, a.x - in.left}, {dx, in.right - a.x}, {-dy, a.y - in.top},
		{dy, in.bottom - a.y}} {
		switch p, q := e[0], e[1]; {
		case p == 0 && q < 0:
			return a, b, false
		case p < 0:
			t0 = math.Max(t0, q/p)
		case p > 0:
			t1 = math.Min(t1, q/p)
		}
	}
	if t0 >= t1 {
		return a, b, false
	}
	from, to = a, b // exactly, where it is not cut
	if t0 > 0 {
		from = point{a.x + t0*dx, a.y + t0*dy}
	}
	if t1 < 1 {
		to = point{a.x + t1*dx, a.y + t1*dy}
	}
	return from, to, true
}

// shown is the plot with some slack, so that points on its edge are within.
func (f *frame) shown() box {
	const slack = 0.5
	return box{f.left - slack, f.top - slack, f.right + slack, f.bottom + slack}
}

// crosses reports whether a part of a line lies in a box.
func (in box) crosses(line []point) bool {
	for k := 1; k < len(line); k++ {
		if _, _, ok := in.through(line[k-1], line[k]); ok {
			return true
		}
	}
	return false
}

func (in box) has(p point) bool {
	return p.x >= in.left && p.x <= in.right && p.y >= in.top && p.y <= in.bottom
}

// scales returns the scales of a plot in a room.
func (a axes) scales(r room) (x, y Scale) {
	a = a.squared()
	if a.square { // no wider than high
		r.width = min(r.width, r.height)
	}
	x, y = a.level(r.sheet(), r.width), a.upright(r.sheet(), r.height)
	if a.square {
		y.Ticks = x.Ticks
	}
	return x, y
}

// line and along return the length that a label takes of an upright and of a level axis.
func (s *sheet) line(string) float64        { return 1.6 * s.em }
func (s *sheet) along(label string) float64 { return measure(label, s.em) + 0.9*s.em }
