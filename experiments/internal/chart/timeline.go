package chart

import (
	"fmt"
	"math"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
	"github.com/isoscale/isoscale/internal/each"
)

var _ = isKind("timeline", new(Timeline))

// A Timeline is a picture of what the ranks of a run did when, with the messages between
// them and the critical path, in which readers can move.
type Timeline struct {
	Title   string // required
	Caption string
	Data    []byte // in the binary form of docs/formats/timeline.md; required
	Table   *Table // says the same in words and numbers, for readers who do not see it; required
}

// A Network is a picture of a network with the use of its links over time.
type Network struct {
	Title   string // required
	Caption string
	Wiring  []byte // hosts, switches and links in JSON, as docs/formats/timeline.md says; required
	Data    []byte // the use of links, in the form of Timeline.Data; none if it is not known
	Table   *Table // as that of a Timeline; required
}

func (t *Timeline) check(at place) { checkPicture(at, t.Title, "data", t.Data, t.Table) }
func (n *Network) check(at place)  { checkPicture(at, n.Title, "wiring", n.Wiring, n.Table) }

func checkPicture(at place, title, what string, data []byte, table *Table) {
	at = at.in("picture", title)
	at.checkPresent("title", title)
	at.checkPresent(what, string(data))
	if table == nil {
		at.reportf("table is missing")
		return
	}
	table.check(at)
}

func (c *Timeline) drawable() bool {
	_, ok := c.decoded()
	return ok
}

// finding says what the ranks spend their time on, and how long the critical path is.
func (c *Timeline) finding() []string {
	x, _ := c.decoded()
	found := []string{fmt.Sprintf("%s for %s", plural(x.Ranks, "rank"),
		prefixed(float64(x.Seconds(float64(x.End))), "s", 4))}
	for k := timeline.Compute; k < timeline.BinKinds; k++ {
		if share := x.Share(k); share > 0 {
			found = append(found, fmt.Sprintf("%s %.3g %%", k, 100*share))
		}
	}
	if n := len(x.PathKind); n > 0 {
		found = append(found, fmt.Sprintf("a critical path of %s", plural(n, "segment")))
	}
	return found
}

// data lists spans, messages and the critical path, and bins if spans are not listed.
func (c *Timeline) data(d *data) {
	x, ok := c.decoded()
	if !ok {
		return
	}
	d.text("kind", "what")
	d.numbers("rank", "to", "from [s]", "until [s]", "received [s]", "size [B]", "share")
	time := func(ticks uint32) string {
		if ticks == timeline.Never {
			return ""
		}
		return full(float64(x.Seconds(float64(ticks))))
	}
	rank := func(r uint32) string { return strconv.Itoa(int(r)) }
	row := d.row
	for r := range max(0, len(x.SpanFirst)-1) {
		begin := uint32(0)
		for i := x.SpanFirst[r]; i < x.SpanFirst[r+1]; i++ {
			row("span", x.Parts[x.SpanPart[i]].Name, strconv.Itoa(r), "", time(begin), time(x.SpanEnd[i]), "", "", "")
			begin = x.SpanEnd[i]
		}
	}
	for r := range max(0, len(x.MessageFirst)-1) {
		for i := x.MessageFirst[r]; i < x.MessageFirst[r+1]; i++ {
			row("message", "", strconv.Itoa(r), rank(x.MessageTo[i]), time(x.MessageLeaves[i]),
				time(x.MessageArrives[i]), time(x.MessageReceived[i]), full(x.MessageSize[i]), "")
		}
	}
	for i, kind := range x.PathKind {
		row("critical path", x.PathKinds[kind], rank(x.PathRank[i]), rank(x.PathTo[i]), time(x.PathFrom[i]),
			time(x.PathUntil[i]), "", "", "")
	}
	if len(x.SpanFirst) > 0 {
		return
	}
	for at, share := range x.BinShare {
		cell := at / int(timeline.BinKinds)
		first, column := cell/x.Columns*x.RanksPerRow, cell%x.Columns
		row("bin", timeline.Kind(at%int(timeline.BinKinds)).String(), strconv.Itoa(first),
			strconv.Itoa(min(first+x.RanksPerRow, x.Ranks)-1),
			full(edgeOf(x, column)), full(edgeOf(x, column+1)), "", "",
			full(float64(share)/255))
	}
}

// edgeOf returns where a column of bins begins, or the end of the run, which the last column may exceed.
func edgeOf(x *timeline.Timeline, column int) float64 {
	return math.Min(float64(x.ColumnWidth)*float64(column), float64(x.Seconds(float64(x.End))))
}

// vega has bars for spans or bins, and rules for messages and the path, where figures have them.
func (c *Timeline) vega() object {
	x, _ := c.decoded()
	row := channel(2, "ordinal", "rank")
	from := quantity(4, Axis{Title: "time", Unit: "s"})
	until := object{"field": field(5)}
	bar := object{"x": from, "x2": until, "y": row, "color": channel(1, "nominal", "time")}
	link := object{"x": from, "x2": until, "y": row, "y2": object{"field": field(3)}}
	rule := func(width float64) object { return object{"type": "rule", "strokeWidth": width} }
	var l layers
	if len(x.SpanFirst) == 0 {
		bar["opacity"] = channel(8, "quantitative", "share")
		l.add(true, only("bin"), "bar", bar)
	} else {
		drawn := newTimelineChart(x)
		l.add(true, only("span"), "bar", bar)
		l.add(drawn.withMessages(), only("message"), rule(0.5), link)
		l.add(drawn.withPath(), only("critical path"), rule(2), link)
	}
	return object{"layer": []any(l)}
}

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

func (c timelineChart) keys() []string {
	names := each.Of(c.kinds(), timeline.Kind.String)
	if c.withMessages() {
		names = append(names, "message")
	}
	if c.withPath() {
		names = append(names, "critical path")
	}
	return names
}

// kinds returns the kinds of time that are drawn.
func (c timelineChart) kinds() (kinds []timeline.Kind) {
	for k := timeline.Compute; k < timeline.BinKinds; k++ {
		if c.Share(k) > 0 {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

func (c timelineChart) size() (rows int, ratio float64) { return min(c.drawnRows(), 24), 0 }

func (c timelineChart) drawnRows() int {
	if c.listed() {
		return c.Ranks
	}
	return c.binned.Rows
}

func (c timelineChart) draw(s *sheet, top float64) {
	inks, message, path := s.theme.time, s.theme.muted, s.theme.path
	messages := func(lines ...[]point) { s.lines(stroke{ink: message, width: 0.07}, lines...) }
	paths := func(lines ...[]point) {
		s.lines(stroke{ink: s.theme.paper, width: 0.34}, lines...) // apart from bars of any colour
		s.lines(stroke{ink: path, width: 0.2}, lines...)
	}
	kinds := c.kinds()
	f := c.frame(s, s.legend(top, c.keys(), func(i int, at point) {
		line := []point{{at.x - 0.9*s.em, at.y}, {at.x + 0.9*s.em, at.y}}
		switch {
		case i < len(kinds):
			s.areas(inks[kinds[i]], s.swatch(at).corners())
		case i == len(kinds) && c.withMessages():
			messages(line)
		default:
			paths(line)
		}
	}))
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
	f := s.plot(top + 0.4*s.em)
	names := f.beside(c.rowNames(), 0.3)
	f.right = s.width - 1.6*s.em
	end := float64(c.Seconds(float64(c.End)))
	f.x = NewScale(Axis{Title: "time", Unit: "s", Min: new(0.0), Max: &end},
		Span{Values: []float64{0, end}, Length: f.right - f.left, Extent: s.along})
	f.y = Scale{Min: 0, Max: float64(len(names))}
	f.lines(f.thin(s.theme.grid), f.xGrid(0.3)...)
	f.rowNames(names)
	f.lines(f.thin(s.theme.muted), f.corner())
	f.xTitle(f.right - f.left)
	return f
}

// rowNames names the ranks of each row.
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
			names[w] = Clean(c.Names[first])
		default:
			names[w] = strconv.Itoa(first)
		}
	}
	return names
}

// barShare is how much of the height of a row its bar takes.
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
				boxes[kind] = append(boxes[kind],
					box{c.at(f, begin, 0).x, top, c.at(f, c.SpanEnd[i], 0).x, bottom}.corners())
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

// bins draws the bins of rows of several ranks. The uppermost kind is drawn first and down to
// the base, and the others over it, so that each kind takes one stepped edge for a row.
func (c timelineChart) bins(f *frame, inks []ink) {
	t := c.binned
	const kinds = int(timeline.BinKinds)
	edge := func(column int) float64 { return f.px(edgeOf(t, column)) }
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

// decoded returns the decoded data, and whether there is something to draw.
func (c *Timeline) decoded() (*timeline.Timeline, bool) {
	t, err := timeline.Decode(c.Data)
	if err != nil || t.Ranks == 0 || t.End == 0 {
		return nil, false
	}
	return t, true
}

func (c *Timeline) prepared() drawing {
	t, _ := c.decoded()
	return newTimelineChart(t)
}

func (c *Timeline) keys() []string                  { return c.prepared().keys() }
func (c *Timeline) size() (rows int, ratio float64) { return c.prepared().size() }
func (c *Timeline) draw(s *sheet, top float64)      { c.prepared().draw(s, top) }

// A page has a picture of its own for it, in which readers can move.
func (c *Timeline) pixels() int                { return 0 }
func (c *Timeline) interactive(i *Interactive) {}
