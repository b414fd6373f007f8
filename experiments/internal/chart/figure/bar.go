package figure

import (
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/experiments/report"
)

type barChart struct{ *report.BarChart }

func (c barChart) names() []string {
	var names []string
	for i, name := range chart.BarNames(c.BarChart) {
		if !c.Series[i].Offset {
			names = append(names, name)
		}
	}
	return names
}

func (c barChart) shape() float64 { return ratio(false) }

// rows is how many bars lie above each other in a horizontal chart.
func (c barChart) rows() int {
	if !c.Horizontal {
		return 0
	}
	return len(c.Categories) * max(1, c.lanes())
}

// lanes counts the bars side by side in one category.
func (c barChart) lanes() int {
	n := 0
	for i := range c.Series {
		n = max(n, c.lane(i)+1)
	}
	return n
}

// lane is the place of a series among the bars of a category: series of a stack share
// one.
func (c barChart) lane(series int) int {
	lanes := make(map[string]int)
	n := 0
	for i := range c.Series {
		stack := c.Series[i].Stack
		lane, known := lanes[stack]
		if stack == "" || !known {
			lane = n
			n++
			if stack != "" {
				lanes[stack] = lane
			}
		}
		if i == series {
			return lane
		}
	}
	return 0
}

// piece returns the ends of the bar of a series in a category.
func (c barChart) piece(series, category int) (from, to float64) {
	s := &c.Series[series]
	to = c.value(series, category)
	if s.Stack == "" {
		return 0, to
	}
	for i := range series {
		if v := c.value(i, category); c.Series[i].Stack == s.Stack && (v >= 0) == (to >= 0) {
			from += v
		}
	}
	return from, from + to
}

func (c barChart) value(series, category int) float64 {
	if c.Series[series].IsMissing(category) {
		return 0
	}
	return c.Series[series].Values[category]
}

// barValues lists the ends of all bars, which the axis must show.
func barValues(b *report.BarChart) []float64 {
	c := barChart{b}
	var values []float64
	for i := range c.Series {
		for k := range c.Categories {
			_, to := c.piece(i, k)
			values = append(values, to)
		}
	}
	return values
}

func (c barChart) draw(s *sheet, top float64) {
	names := c.names()
	var keys []key
	colours := chart.BarColours(c.BarChart)
	for i := range c.Series {
		if c.Series[i].Offset {
			continue
		}
		keys = append(keys, key{names[len(keys)], func(at point) {
			b := box{at.x - 0.8*s.em, at.y - 0.4*s.em, at.x + 0.8*s.em, at.y + 0.4*s.em}
			s.barsOf(&c.Series[i], colours[i], []box{b})
		}})
	}
	if len(keys) == 1 {
		keys = nil
	}
	f := c.frame(s, s.legend(top, keys))
	for i := range c.Series {
		var boxes []box
		for k := range c.Categories {
			if from, to := c.piece(i, k); from != to && !c.Series[i].Offset {
				boxes = append(boxes, c.box(f, i, k, from, to))
			}
		}
		s.barsOf(&c.Series[i], colours[i], boxes)
	}
	c.values(f)
}

// barsOf draws the bars of a series, filled or as outlines.
func (s *sheet) barsOf(series *report.BarSeries, colour int, boxes []box) {
	if !series.Hollow && !series.Dashed {
		if len(boxes) > 0 {
			s.bars(colour, boxes)
		}
		return
	}
	const width = 0.14 // of the outline, em
	k := stroke{ink: s.theme.series[colour%len(s.theme.series)], width: width}
	if series.Dashed {
		k.dash = []float64{0.35, 0.25}
	}
	var outlines [][]point
	for _, b := range boxes {
		inset := width / 2 * s.em
		outlines = append(outlines, box{b.left + inset, b.top + inset, b.right - inset, b.bottom - inset}.outline())
	}
	s.lines(k, outlines...)
}

// bars fills boxes with a colour and, beyond the colours that differ in print, a
// hatch.
func (s *sheet) bars(colour int, boxes []box) {
	var polygons [][]point
	for _, b := range boxes {
		polygons = append(polygons, b.corners())
	}
	s.areas(s.theme.series[colour%len(s.theme.series)], polygons...)
	s.hatch(Hatch(colour), boxes)
}

// Hatch is the kind of hatching of a series of bars by its colour: none, rising lines,
// falling lines, both.
func Hatch(colour int) int { return colour / palette.Apart % 4 }

func (c barChart) frame(s *sheet, top float64) *frame {
	f := &frame{sheet: s}
	f.right = s.width - 0.8*s.em
	span := chart.Span{Values: barValues(c.BarChart), Zero: true}
	if c.Horizontal {
		f.top, f.bottom = top+0.4*s.em, s.height-3.1*s.em
		for _, name := range c.Categories {
			f.left = math.Max(f.left, measure(fit(chart.Clean(name), 0.36*s.width, s.em), s.em))
		}
		f.left += 0.9 * s.em
		span.Length = f.right - f.left
		span.Extent = s.along
		f.x = widened(chart.NewScale(c.Y, span), c.labelled(), 0.1)
		f.barAxes(c.Categories)
		return f
	}
	f.top, f.bottom = top+1.7*s.em, s.height-4.3*s.em
	span.Length = f.bottom - f.top
	span.Extent = s.line
	f.y = widened(chart.NewScale(c.Y, span), c.labelled(), 0.06)
	f.left = s.labelWidth(f.y) + 0.8*s.em
	f.columnAxes(c.Categories)
	f.x.Title = chart.Titled(c.X.Title, c.X.Unit)
	f.titles()
	return f
}

// widened makes room for values beyond the ends of bars.
func widened(s chart.Scale, labelled bool, share float64) chart.Scale {
	if labelled {
		room := share * (s.Max - s.Min)
		if s.Min < 0 {
			s.Min -= room
		}
		s.Max += room
	}
	return s
}

// barAxes draws the axes of horizontal bars, with the first category on top.
func (f *frame) barAxes(categories []string) {
	var grid [][]point
	for _, t := range f.x.Ticks {
		x := f.px(t.At)
		grid = append(grid, []point{{x, f.top}, {x, f.bottom}})
		f.text(f.theme.muted, x, f.bottom+1.35*f.em, mid, t.Label)
	}
	f.lines(stroke{ink: f.theme.grid, width: 0.08}, grid...)
	step := (f.bottom - f.top) / float64(max(1, len(categories)))
	every := int(math.Ceil(1.15 * f.em / step))
	for k, name := range categories {
		if k%every == 0 {
			f.text(f.theme.muted, f.left-0.5*f.em, f.top+(float64(k)+0.5)*step+0.35*f.em, end, fit(chart.Clean(name), 0.36*f.width, f.em))
		}
	}
	f.lines(stroke{ink: f.theme.muted, width: 0.08}, []point{{f.px(math.Max(0, f.x.Min)), f.top}, {f.px(math.Max(0, f.x.Min)), f.bottom}})
	title := fit(f.x.Title, f.width-0.4*f.em, f.em)
	half := measure(title, f.em)/2 + 0.2*f.em
	f.text(f.theme.ink, math.Max(half, math.Min(f.width-half, (f.left+f.right)/2)), f.height-0.55*f.em, mid, title)
}

// columnAxes draws the axes of upright bars. A name that is too long for its place has
// two lines.
func (f *frame) columnAxes(categories []string) {
	var grid [][]point
	for _, t := range f.y.Ticks {
		y := f.py(t.At)
		grid = append(grid, []point{{f.left, y}, {f.right, y}})
		f.text(f.theme.muted, f.left-0.5*f.em, y+0.35*f.em, end, t.Label)
	}
	f.lines(stroke{ink: f.theme.grid, width: 0.08}, grid...)
	zero := f.py(math.Max(0, f.y.Min))
	f.lines(stroke{ink: f.theme.muted, width: 0.08}, []point{{f.left, zero}, {f.right, zero}})
	step := (f.right - f.left) / float64(max(1, len(categories)))
	widest := 0.0
	for _, name := range categories {
		widest = math.Max(widest, measure(chart.Clean(name), f.em))
	}
	every := 1
	if len(categories) > 8 {
		every = int(math.Ceil(math.Min(widest, 6*f.em) / (step - 0.5*f.em)))
		if step <= 0.5*f.em || every < 1 {
			every = int(math.Ceil(7 * f.em / step))
		}
	}
	for k, name := range categories {
		if k%every != 0 {
			continue
		}
		room := step*float64(every) - 0.5*f.em
		for line, part := range broken(chart.Clean(name), room, f.em) {
			f.text(f.theme.muted, f.left+(float64(k)+0.5)*step, f.bottom+(1.35+1.15*float64(line))*f.em, mid, part)
		}
	}
}

// broken breaks a text into at most two lines.
func broken(text string, room, size float64) []string {
	if measure(text, size) <= room {
		return []string{text}
	}
	words := strings.Fields(text)
	for n := len(words) - 1; n > 0; n-- {
		if first := strings.Join(words[:n], " "); measure(first, size) <= room {
			return []string{first, fit(strings.Join(words[n:], " "), room, size)}
		}
	}
	return []string{fit(text, room, size)}
}

// box is where the bar of a series in a category is.
func (c barChart) box(f *frame, series, category int, from, to float64) box {
	length := f.right - f.left
	origin := f.left
	if c.Horizontal {
		length, origin = f.bottom-f.top, f.top
	}
	step := length / float64(len(c.Categories))
	lanes := float64(c.lanes())
	thick := math.Min(step*0.8/lanes, 3.6*f.em)
	middle := origin + (float64(category)+0.5)*step
	lane := middle + (float64(c.lane(series))-lanes/2)*thick
	gap := 0.06 * thick
	if c.Horizontal {
		a, b := f.px(from), f.px(to)
		return box{math.Min(a, b), lane + gap, math.Max(a, b), lane + thick - gap}
	}
	a, b := f.py(from), f.py(to)
	return box{lane + gap, math.Min(a, b), lane + thick - gap, math.Max(a, b)}
}

// labelled reports whether the bars have room for their values: few bars side by
// side, none stacked.
func (c barChart) labelled() bool {
	return !chart.Stacked(c.BarChart) && len(c.Series)*len(c.Categories) <= 16
}

// values writes the value of each bar at its end, if all have room.
func (c barChart) values(f *frame) {
	type place struct {
		x, y          float64
		anchor, label string
	}
	var places []place
	if !c.labelled() {
		return
	}
	for i := range c.Series {
		for k := range c.Categories {
			if c.Series[i].IsMissing(k) {
				continue
			}
			from, to := c.piece(i, k)
			b := c.box(f, i, k, from, to)
			label := chart.Short(to, 3)
			switch {
			case c.Horizontal && to < 0:
				places = append(places, place{b.left - 0.3*f.em, (b.top+b.bottom)/2 + 0.35*f.em, end, label})
			case c.Horizontal:
				places = append(places, place{b.right + 0.3*f.em, (b.top+b.bottom)/2 + 0.35*f.em, start, label})
			case measure(label, f.em) > (b.right-b.left)*1.05:
				return
			case to < 0:
				places = append(places, place{(b.left + b.right) / 2, b.bottom + f.em, mid, label})
			default:
				places = append(places, place{(b.left + b.right) / 2, b.top - 0.3*f.em, mid, label})
			}
		}
	}
	for _, p := range places {
		f.text(f.theme.ink, p.x, p.y, p.anchor, p.label)
	}
}
