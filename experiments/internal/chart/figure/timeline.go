package figure

import (
	"fmt"
	"math"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/experiments/report"
)

// A timelineChart draws what each rank did when: its spans as bars, a line for each
// message from leaving to arrival, dots from there to its receive, and the critical path
// over all. Where that would be too much for a still drawing, rows stand for several
// ranks, and each of their bins is filled from below by computation, overhead and
// waiting.
type timelineChart struct {
	*timeline.Timeline
	binned *timeline.Timeline // with as many bins as are drawn; nil if each span has its bar
}

// How much is drawn one by one, which bounds the size of a file to about 60 KB.
const (
	mostTimelineRows     = 32
	mostTimelineColumns  = 96
	mostTimelineSpans    = 1500
	mostTimelineMessages = 400
	mostTimelineSegments = 400
)

// binStep is half a pixel of a row, in 1/255 of its height.
const binStep = 15

func newTimelineChart(t *timeline.Timeline) timelineChart {
	c := timelineChart{Timeline: t}
	if len(t.SpanFirst) == 0 || t.Ranks > mostTimelineRows || len(t.SpanEnd) > mostTimelineSpans {
		c.binned = t.Coarse(mostTimelineRows, mostTimelineColumns).Rounded(binStep)
	}
	return c
}

// listed reports whether each span has a bar of its own.
func (c timelineChart) listed() bool { return c.binned == nil }

// withMessages and withPath report whether messages and the critical path are drawn.
func (c timelineChart) withMessages() bool {
	return c.listed() && len(c.MessageTo) > 0 && len(c.MessageTo) <= mostTimelineMessages
}

func (c timelineChart) withPath() bool {
	return c.listed() && len(c.PathKind) > 0 && len(c.PathKind) <= mostTimelineSegments
}

// The names of what is drawn beside the kinds of time.
const (
	messageName = "message"
	pathName    = "critical path"
)

func (c timelineChart) names() []string {
	names := c.kinds()
	if c.withMessages() {
		names = append(names, messageName)
	}
	if c.withPath() {
		names = append(names, pathName)
	}
	return names
}

// kinds are those of which some time is drawn.
func (c timelineChart) kinds() []string {
	var names []string
	for k := timeline.Compute; k < timeline.BinKinds; k++ {
		if c.Share(k) > 0 {
			names = append(names, k.String())
		}
	}
	return names
}

func (c timelineChart) shape() float64 { return 0.5 }
func (c timelineChart) rows() int      { return min(c.drawnRows(), 24) }

func (c timelineChart) drawnRows() int {
	if c.listed() {
		return c.Ranks
	}
	return c.binned.Rows
}

func (c timelineChart) x() report.Axis {
	zero, end := 0.0, float64(c.Seconds(float64(c.End)))
	return report.Axis{Title: "time", Unit: "s", Min: &zero, Max: &end}
}

func (c timelineChart) draw(s *sheet, top float64) {
	inks, message, path := s.theme.time, s.theme.muted, s.theme.path
	var keys []key
	for k := timeline.Compute; k < timeline.BinKinds; k++ {
		if c.Share(k) > 0 {
			keys = append(keys, key{k.String(), func(at point) {
				s.areas(inks[k], box{at.x - 0.8*s.em, at.y - 0.4*s.em, at.x + 0.8*s.em, at.y + 0.4*s.em}.corners())
			}})
		}
	}
	line := func(name string, draw func(lines ...[]point)) {
		keys = append(keys, key{name, func(at point) { draw([]point{{at.x - 0.9*s.em, at.y}, {at.x + 0.9*s.em, at.y}}) }})
	}
	messages := func(lines ...[]point) { s.lines(stroke{ink: message, width: 0.07}, lines...) }
	paths := func(lines ...[]point) {
		s.lines(stroke{ink: s.theme.paper, width: 0.34}, lines...) // apart from bars of any colour
		s.lines(stroke{ink: path, width: 0.2}, lines...)
	}
	if c.withMessages() {
		line(messageName, messages)
	}
	if c.withPath() {
		line(pathName, paths)
	}
	f := c.frame(s, s.legend(top, keys))
	if !c.listed() {
		c.bins(f, inks)
		return
	}
	c.spans(f, inks)
	if c.withMessages() {
		c.messages(f, message, messages)
	}
	if c.withPath() {
		paths(c.path(f))
	}
}

// frame draws the axes: time, and a name for as many rows as have room.
func (c timelineChart) frame(s *sheet, top float64) *frame {
	f := &frame{sheet: s}
	f.top, f.bottom = top+0.4*s.em, s.height-3.1*s.em
	names := c.rowNames()
	for k := range names {
		names[k] = fit(names[k], 0.3*s.width, s.em)
		f.left = math.Max(f.left, measure(names[k], s.em))
	}
	f.left, f.right = f.left+0.9*s.em, s.width-1.6*s.em
	f.x = chart.NewScale(c.x(), chart.Span{Values: []float64{0, float64(c.Seconds(float64(c.End)))}, Length: f.right - f.left, Extent: s.along})
	f.y = chart.Scale{Min: 0, Max: float64(len(names))}
	var grid [][]point
	for _, t := range f.x.Ticks {
		x := f.px(t.At)
		grid = append(grid, []point{{x, f.top}, {x, f.bottom + 0.3*s.em}})
		s.text(s.theme.muted, x, f.bottom+1.35*s.em, mid, t.Label)
	}
	s.lines(stroke{ink: s.theme.grid, width: 0.08}, grid...)
	every := int(math.Ceil(1.15 * s.em * float64(len(names)) / (f.bottom - f.top)))
	for k, name := range names {
		if k%every == 0 {
			s.text(s.theme.muted, f.left-0.5*s.em, c.middle(f, uint32(k))+0.35*s.em, end, name)
		}
	}
	s.lines(stroke{ink: s.theme.muted, width: 0.08}, []point{{f.left, f.top}, {f.left, f.bottom}, {f.right, f.bottom}})
	s.text(s.theme.ink, (f.left+f.right)/2, s.height-0.55*s.em, mid, fit(f.x.Title, f.right-f.left, s.em))
	return f
}

// rowNames are the ranks of each row.
func (c timelineChart) rowNames() []string {
	each := 1
	if !c.listed() {
		each = c.binned.RanksPerRow
	}
	names := make([]string, c.drawnRows())
	for w := range names {
		first, last := w*each, min((w+1)*each, c.Ranks)-1
		switch {
		case last > first:
			names[w] = fmt.Sprintf("%d–%d", first, last)
		case first < len(c.Names):
			names[w] = chart.Clean(c.Names[first])
		default:
			names[w] = strconv.Itoa(first)
		}
	}
	return names
}

// How much of the height of a row its bar takes, and where its middle is.
const barShare = 0.62

func (c timelineChart) middle(f *frame, row uint32) float64 {
	return f.top + (float64(row)+0.5)*(f.bottom-f.top)/f.y.Max
}

func (c timelineChart) bar(f *frame, row uint32) (top, bottom float64) {
	half := barShare / 2 * (f.bottom - f.top) / f.y.Max
	middle := c.middle(f, row)
	return middle - half, middle + half
}

func (c timelineChart) at(f *frame, tick uint32, y float64) point {
	return point{f.px(float64(c.Seconds(float64(tick)))), y}
}

// spans draws the bar of each span. Time in which a rank is stopped is left blank.
func (c timelineChart) spans(f *frame, inks []ink) {
	var boxes [timeline.BinKinds][][]point
	for r := range c.Ranks {
		top, bottom := c.bar(f, uint32(r))
		begin := uint32(0)
		for i := c.SpanFirst[r]; i < c.SpanFirst[r+1]; i++ {
			kind := c.Parts[c.SpanPart[i]].Kind
			if kind < timeline.BinKinds && c.SpanEnd[i] > begin {
				boxes[kind] = append(boxes[kind], box{c.at(f, begin, 0).x, top, c.at(f, c.SpanEnd[i], 0).x, bottom}.corners())
			}
			begin = c.SpanEnd[i]
		}
	}
	for k := range boxes {
		f.areas(inks[k], boxes[k]...)
	}
}

// messages draws a line for each message, with a head where it arrives, and dots to its
// receive if that is later.
func (c timelineChart) messages(f *frame, k ink, draw func(lines ...[]point)) {
	var lines, heads, waits [][]point
	for from := range uint32(c.Ranks) {
		for i := c.MessageFirst[from]; i < c.MessageFirst[from+1]; i++ {
			to := c.MessageTo[i]
			if c.MessageArrives[i] == timeline.Never || to == from {
				continue
			}
			a, b := c.at(f, c.MessageLeaves[i], c.middle(f, from)), c.at(f, c.MessageArrives[i], c.middle(f, to))
			lines = append(lines, []point{a, b})
			heads = append(heads, arrowHead([]point{a, b}, 0.45*f.em, 0.16*f.em))
			if c.MessageReceived[i] > c.MessageArrives[i] && c.MessageReceived[i] != timeline.Never {
				waits = append(waits, []point{b, c.at(f, c.MessageReceived[i], b.y)})
			}
		}
	}
	draw(lines...)
	f.areas(k, heads...)
	f.lines(stroke{ink: k, width: 0.09, dash: []float64{0.12, 0.25}}, waits...)
}

// path is the critical path: along a rank, or from a rank to another.
func (c timelineChart) path(f *frame) []point {
	var line []point
	add := func(p point) {
		if n := len(line); n == 0 || line[n-1] != p {
			line = append(line, p)
		}
	}
	for i := range c.PathKind {
		add(c.at(f, c.PathFrom[i], c.middle(f, c.PathRank[i])))
		add(c.at(f, c.PathUntil[i], c.middle(f, c.PathTo[i])))
	}
	return line
}

// bins draws the bins of rows of several ranks. What is above is drawn first and reaches
// down to the base, so that each kind takes one edge of steps for a row.
func (c timelineChart) bins(f *frame, inks []ink) {
	t := c.binned
	const kinds = int(timeline.BinKinds)
	edge := func(column int) float64 {
		return f.px(math.Min(float64(t.ColumnWidth)*float64(column), float64(c.Seconds(float64(c.End)))))
	}
	for k := kinds - 1; k >= 0; k-- {
		var areas [][]point
		for w := range t.Rows {
			top, bottom := c.bar(f, uint32(w))
			height := func(column int) float64 {
				sum := 0
				for _, share := range t.BinShare[(w*t.Columns+column)*kinds:][:k+1] {
					sum += int(share)
				}
				return (bottom - top) * float64(sum) / 255
			}
			for column := 0; column < t.Columns; column++ {
				if height(column) == 0 {
					continue
				}
				y := bottom
				var area []point
				for ; column < t.Columns && height(column) > 0; column++ {
					if next := bottom - height(column); next != y {
						area = append(area, point{edge(column), y}, point{edge(column), next})
						y = next
					}
				}
				areas = append(areas, append(area, point{edge(column), y}, point{edge(column), bottom}))
			}
		}
		f.areas(inks[k], areas...)
	}
}
