package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/internal/each"
)

var _ = isKind("bars", new(BarChart))

// A BarChart shows one bar for each category and series.
type BarChart struct {
	Title   string `json:"title,omitzero"` // required
	Caption string `json:"caption,omitzero"`

	// X is the axis of the categories and Y that of the values, also where
	// Horizontal lays the bars on their side. Both are linear; X has no bounds.
	X Axis `json:"x,omitzero"`
	Y Axis `json:"y,omitzero"`

	Categories []string    `json:"categories,omitzero"`
	At         []float64   `json:"at,omitzero"` // in data, where categories are numbers on X: their values; nil, or as many
	Series     []BarSeries `json:"series,omitzero"`
	Horizontal bool        `json:"horizontal,omitzero"`
	Height     int         `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A BarSeries is one value for each category.
type BarSeries struct {
	Name   string    `json:"name,omitzero"`
	Values []float64 `json:"values,omitzero"` // as long as the categories; finite

	// Missing marks values that do not exist: no bar, and no number in the data
	// table. It is nil or as long as Values; a marked value is not read.
	Missing []bool `json:"missing,omitzero"`

	// Low and High are the ends of the whiskers of each bar, such as a 95 % interval; nil, or as
	// long as Values with Low at most the value and that at most High. In a pile only the last
	// series may have whiskers, around the whole.
	Low  []float64 `json:"low,omitzero"`
	High []float64 `json:"high,omitzero"`

	// Stack names a pile: series of the same non-empty Stack are stacked.
	Stack string `json:"stack,omitzero"`

	// Offset leaves a series of a pile undrawn: it only moves those after it, as the start
	// moves the bars of a Gantt chart. Its values are in the tooltip and the data table.
	Offset bool `json:"offset,omitzero"`

	// Colour names a group, as in [Series]: series of the same non-empty Colour share
	// one, such as a quantity simulated and published.
	Colour string `json:"colour,omitzero"`

	// Entry is the name in the legend, which lists it once for all series that share it; Name if empty.
	Entry string `json:"entry,omitzero"`

	// Bars are filled by default. Hollow is for what others are compared with, such as
	// published values; Dashed, hollow with a dashed outline, for predictions.
	Hollow bool `json:"hollow,omitzero"`
	Dashed bool `json:"dashed,omitzero"`
}

func (c *BarChart) check(at place) {
	at = at.chart(c.Title, c.Height, &c.X, &c.Y, nil)
	at.checkNames("x axis", "categories", &c.X)
	at.demand(!c.Y.Log,
		"y axis is logarithmic, where the length of a bar means nothing; expected a linear axis, or a LineChart of Points")
	if n := len(c.At); c.At != nil && n != len(c.Categories) {
		at.reportf("has %d values of categories; expected none or %d", n, len(c.Categories))
	}
	at.checkNumbers("at", c.At, false)
	for i := range c.Series {
		c.checkSeries(at, i)
	}
}

func (c *BarChart) checkSeries(at place, i int) {
	s := &c.Series[i]
	at = at.in(fmt.Sprintf("series %d", i+1), s.Name)
	at.demand(len(s.Values) == len(c.Categories),
		"has %d values; expected %d, one for each category", len(s.Values), len(c.Categories))
	at.demand(!s.Offset || s.Stack != "",
		"is an offset without a stack; expected the stack of the series that it moves")
	if s.Missing != nil && len(s.Missing) != len(s.Values) {
		at.reportf("has %d missing marks; expected none or %d", len(s.Missing), len(s.Values))
		return
	}
	if s.ranged() || s.High != nil {
		at.demand(s.Stack == "" || c.lastOf(i), "has whiskers within a pile; expected them in its last series, or none")
		if len(s.Low) != len(s.Values) || len(s.High) != len(s.Values) {
			at.reportf("has %d low and %d high values; expected %d, as many as values", len(s.Low), len(s.High), len(s.Values))
			return
		}
	}
	for k, v := range s.Values {
		if s.IsMissing(k) {
			continue
		}
		at.checkNumber(fmt.Sprintf("value[%d]", k), v, false)
		if s.ranged() {
			at.checkNumber(fmt.Sprintf("low[%d]", k), s.Low[k], false)
			at.checkNumber(fmt.Sprintf("high[%d]", k), s.High[k], false)
			_, v := c.piece(i, k)
			at.demand(!(s.Low[k] > v || s.High[k] < v), // true if one is no number, which is reported above
				"value[%d] is %v, not between low %v and high %v", k, v, s.Low[k], s.High[k])
		}
	}
}

// lastOf reports whether a series is on top of its pile.
func (c *BarChart) lastOf(series int) bool {
	return !slices.ContainsFunc(c.Series[series+1:], func(s BarSeries) bool { return s.Stack == c.Series[series].Stack })
}

// ranged reports whether the bars have whiskers.
func (s *BarSeries) ranged() bool { return s.Low != nil }

// ranged reports whether some bars have whiskers.
func (c *BarChart) ranged() bool {
	return slices.ContainsFunc(c.Series, func(s BarSeries) bool { return s.ranged() })
}

// IsMissing reports whether the value of a category does not exist.
func (s *BarSeries) IsMissing(category int) bool { return s.Missing != nil && s.Missing[category] }
func (c *BarChart) drawable() bool               { return len(c.Categories) > 0 && len(c.Series) > 0 }

func (c *BarChart) finding() []string {
	found := []string{c.Y.label()}
	names := c.names()
	for i := range c.Series {
		values := slices.Clone(c.Series[i].Values)
		for k := range values {
			if c.Series[i].IsMissing(k) {
				values[k] = math.NaN()
			}
		}
		ends := Ends(values)
		low, high := ends[0], ends[1]
		if low < 0 || c.Series[i].Offset {
			continue
		}
		found = append(found, fmt.Sprintf("%s is from %s (%s) to %s (%s)", names[i],
			Short(values[low], 4), Clean(c.Categories[low]), Short(values[high], 4), Clean(c.Categories[high])))
	}
	return found
}

// vega adds both ends of each bar and its lane to the data, because Vega-Lite would stack all series of a category, in
// the order of their names.
func (c *BarChart) vega() object {
	lanes, _ := c.lanes()
	rows, next := values(dataOf(c)), 0
	for k := range c.Categories {
		for i := range c.Series {
			if c.Series[i].IsMissing(k) {
				continue
			}
			if from, to := c.piece(i, k); !c.Series[i].Offset {
				rows[next]["from"], rows[next]["to"], rows[next]["lane"] = from, to, lanes[i]
			}
			next++
		}
	}
	place, length := channel(0, "nominal", c.X.label()), quantity(2, c.Y)
	place["sort"], length["field"] = nil, "to"
	along, across := "x", "y"
	if c.Horizontal {
		along, across = "y", "x"
	}
	e := object{along: place, along + "Offset": object{"field": "lane", "type": "nominal"}, across: length,
		across + "2": object{"field": "from"}, "color": series(1, c.names())}
	layers := []any{object{"mark": "bar", "encoding": e}}
	if c.ranged() {
		layers = append(layers, whiskers(e, across, 3, c.Y))
	}
	return object{"data": object{"values": rows}, "transform": where("isValid(datum.to)"), "layer": layers}
}

func (c *BarChart) changed(to Change) (Block, error) {
	if to.X != "" || to.Y != "" {
		return nil, fmt.Errorf("the axes of bars are linear")
	}
	n := *c
	keep, err := kept(to.Series, c.names())
	n.Series = selected(c.Series, keep)
	for i := range n.Series {
		if n.Series[i].Stack != "" && len(n.Series) < len(c.Series) { // the whole is not the same
			n.Series[i].Low, n.Series[i].High = nil, nil
		}
	}
	return &n, err
}

// drawn returns the indices of the series that are no offsets.
func (c *BarChart) drawn() []int {
	return each.Where(nil, each.Ascending(len(c.Series)), func(i int) bool { return !c.Series[i].Offset })
}

// entries returns the names in the legend of the series that are drawn.
func (c *BarChart) entries() []string {
	names := c.names()
	return each.Of(c.drawn(), func(i int) string { return cmp.Or(Clean(c.Series[i].Entry), names[i]) })
}

func (c *BarChart) keys() []string {
	keys, _ := once(c.entries())
	return keys
}

// size counts the bars that lie above each other in a horizontal chart.
func (c *BarChart) size() (rows int, ratio float64) {
	if !c.Horizontal {
		return 0, landscape
	}
	_, lanes := c.lanes()
	return len(c.Categories) * max(1, lanes), 0
}

// lanes returns the lane of each series among the bars of a category, and how many lanes there are
// side by side: series of a stack share one.
func (c *BarChart) lanes() (of []int, count int) {
	of = grouped(each.Of(c.Series, func(s BarSeries) string { return s.Stack }), func(int) bool { return false })
	return of, slices.Max(append(of, -1)) + 1
}

// piece returns the ends of the bar of a series in a category.
func (c *BarChart) piece(series, category int) (from, to float64) {
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

func (c *BarChart) value(series, category int) float64 {
	if c.Series[series].IsMissing(category) {
		return 0
	}
	return c.Series[series].Values[category]
}

func (c *BarChart) draw(s *sheet, top float64) {
	drawn, colours := c.drawn(), c.colours()
	names, first := once(c.entries())
	if len(drawn) == 1 {
		names = nil
	}
	f := c.frame(s, s.legend(top, names, func(k int, at point) {
		i := drawn[first[k]]
		s.barsOf(&c.Series[i], colours[i], []box{s.swatch(at)})
	}))
	for _, i := range drawn {
		var boxes []box
		for k := range c.Categories {
			if from, to := c.piece(i, k); from != to {
				boxes = append(boxes, c.box(f, i, k, from, to))
			}
		}
		s.barsOf(&c.Series[i], colours[i], boxes)
	}
	c.whiskers(f)
	c.values(f)
}

// whiskers draws the ranges of bars over them.
func (c *BarChart) whiskers(f *frame) {
	var lines [][]point
	for i := range c.Series {
		for k := range c.Categories {
			s := &c.Series[i]
			if !s.ranged() || s.IsMissing(k) || s.Low[k] == s.High[k] {
				continue
			}
			b := c.box(f, i, k, s.Low[k], s.High[k])
			x, y := (b.left+b.right)/2, (b.top+b.bottom)/2
			if c.Horizontal {
				lines = append(lines, f.whisker(point{b.left, y}, point{b.right, y})...)
			} else {
				lines = append(lines, f.whisker(point{x, b.top}, point{x, b.bottom})...)
			}
		}
	}
	f.lines(whiskerStroke(f.theme.ink), lines...)
}

// barsOf draws the bars of a series, filled or as outlines.
func (s *sheet) barsOf(series *BarSeries, colour int, boxes []box) {
	fill := s.theme.series[max(0, colour)%len(s.theme.series)]
	if !series.Hollow && !series.Dashed { // the hatch tells apart colours that look alike in print
		s.areas(fill, each.Of(boxes, box.corners)...)
		s.hatch(hatchOf(colour), boxes)
		return
	}
	k := stroke{ink: fill, width: 0.14}
	if series.Dashed {
		k.dash = []float64{0.35, 0.25}
	}
	inset := k.width / 2 * s.em
	s.lines(k, each.Of(boxes, func(b box) []point {
		return box{b.left + inset, b.top + inset, b.right - inset, b.bottom - inset}.outline()
	})...)
}

// hatchOf returns the kind of hatching of a series of bars by its colour: none, rising
// lines, falling lines, both.
func hatchOf(colour int) int { return colour / palette.Apart % 4 }

func (c *BarChart) frame(s *sheet, top float64) *frame {
	f := s.plot(top + 0.7*s.em)
	f.right = s.width - 0.8*s.em
	if c.Horizontal {
		f.top = top + 0.4*s.em
		f.y.Title = c.X.label()
		names := f.beside(c.Categories, 0.36)
		f.x = c.scale(f.right-f.left, s.along)
		f.barAxes(names)
		return f
	}
	room := 6 * s.em // of a name, where only some are written
	if n := len(c.Categories); n <= 8 {
		room = 0.8 * s.width / float64(n)
	}
	if s.widest(each.Of(c.Categories, Clean)) > room {
		f.bottom -= 1.2 * s.em // for names of two lines
	}
	f.y = c.scale(f.bottom-f.top, s.line)
	f.left = f.aside() + s.labelWidth(f.y) + 0.8*s.em
	f.columnAxes(c.Categories)
	f.x.Title = c.X.label()
	f.titles()
	return f
}

// barAxes draws the axes of horizontal bars, with the first of the names on top.
func (f *frame) barAxes(names []string) {
	f.lines(f.thin(f.theme.grid), f.xGrid(0)...)
	f.rowNames(names)
	zero := f.px(math.Max(0, f.x.Min))
	f.lines(f.thin(f.theme.muted), []point{{zero, f.top}, {zero, f.bottom}})
	f.titles()
}

// columnAxes draws the axes of upright bars. Names that are too long for their place have
// two lines.
func (f *frame) columnAxes(categories []string) {
	f.lines(f.thin(f.theme.grid), f.yGrid()...)
	zero := f.py(math.Max(0, f.y.Min))
	f.lines(f.thin(f.theme.muted), []point{{f.left, zero}, {f.right, zero}})
	names := each.Of(categories, Clean)
	step := (f.right - f.left) / float64(max(1, len(names)))
	every := 1
	if len(names) > 8 {
		every = int(math.Ceil(math.Min(f.widest(names), 6*f.em) / (step - 0.5*f.em)))
		if step <= 0.5*f.em || every < 1 {
			every = everyOf(7*f.em, step)
		}
	}
	for k := 0; k < len(names); k += every {
		for line, part := range broken(names[k], step*float64(every)-0.5*f.em, f.em) {
			f.text(f.theme.muted, f.left+(float64(k)+0.5)*step, f.bottom+(1.35+1.15*float64(line))*f.em, mid, part)
		}
	}
}

// broken breaks a text into at most two lines, where the longer one is as short as possible, but
// within brackets only if there is no other place.
func broken(text string, room, size float64) []string {
	if measure(text, size) <= room {
		return []string{text}
	}
	words := strings.Split(text, " ") // not at spaces within a number
	best, least := []string{fit(text, room, size)}, math.Inf(1)
	for n := 1; n < len(words); n++ {
		first, second := strings.Join(words[:n], " "), strings.Join(words[n:], " ")
		wide := measure(first, size)
		if wide > room { // and wider with more words
			break
		}
		longer := math.Max(wide, measure(second, size))
		if strings.Count(first, "(") > strings.Count(first, ")") {
			longer += room
		}
		if longer < least {
			best, least = []string{first, fit(second, room, size)}, longer
		}
	}
	return best
}

// box returns the place of the bar of a series in a category.
func (c *BarChart) box(f *frame, series, category int, from, to float64) box {
	length := f.right - f.left
	origin := f.left
	if c.Horizontal {
		length, origin = f.bottom-f.top, f.top
	}
	step := length / float64(len(c.Categories))
	lane, count := c.lanes()
	lanes := float64(count)
	thick := math.Min(step*0.8/lanes, 3.6*f.em)
	middle := origin + (float64(category)+0.5)*step
	side := middle + (float64(lane[series])-lanes/2)*thick
	gap := 0.06 * thick
	if c.Horizontal {
		a, b := f.px(from), f.px(to)
		return box{math.Min(a, b), side + gap, math.Max(a, b), side + thick - gap}
	}
	a, b := f.py(from), f.py(to)
	return box{side + gap, math.Min(a, b), side + thick - gap, math.Max(a, b)}
}

// labelled reports whether the bars have room for their values: few bars side by
// side, none stacked.
func (c *BarChart) labelled() bool {
	return !c.stacked() && len(c.Series)*len(c.Categories) <= 16
}

// values writes the value of each bar at its end, if all have room.
func (c *BarChart) values(f *frame) {
	if !c.labelled() {
		return
	}
	var write []func()
	for i := range c.Series {
		for k := range c.Categories {
			if c.Series[i].IsMissing(k) {
				continue
			}
			from, to := c.piece(i, k)
			beyond := to
			if s := &c.Series[i]; s.ranged() && to < 0 {
				beyond = s.Low[k]
			} else if s.ranged() {
				beyond = s.High[k]
			}
			b := c.box(f, i, k, from, beyond)
			x, y, anchor, label := (b.left+b.right)/2, b.top-0.3*f.em, mid, Short(to, 3)
			switch {
			case c.Horizontal: // also of a bar to the left: the name of its row is beside its end
				x, y, anchor = b.right+0.3*f.em, (b.top+b.bottom)/2+0.35*f.em, start
			case measure(label, f.em) > (b.right-b.left)*1.05:
				return
			case to < 0:
				y = b.bottom + f.em
			}
			write = append(write, func() { f.text(f.theme.ink, x, y, anchor, label) })
		}
	}
	for _, value := range write {
		value()
	}
}

// role returns the role of a series with its colour. Offsets have no colour.
func (c *BarChart) role(series, colour int) role {
	s := &c.Series[series]
	if s.Offset {
		return role{Kind: roleOffset}
	}
	role := role{Kind: roleBar, Colour: colourOf(colour)}
	switch {
	case s.Dashed:
		role.Outline = "dashed"
	case s.Hollow:
		role.Outline = "solid"
	default:
		role.Hatch = hatchOf(colour)
	}
	return role
}

// pile names the stack of a series after its first series. ECharts stores stacks as
// properties of an object, so a name from the caller such as __proto__ would change
// all objects of the page.
func (c *BarChart) pile(series int) string {
	if c.Series[series].Stack == "" {
		return ""
	}
	first := slices.IndexFunc(c.Series, func(s BarSeries) bool { return s.Stack == c.Series[series].Stack })
	return "pile " + strconv.Itoa(first+1)
}

func (c *BarChart) names() []string {
	return DistinctOf(c.Series, "series", func(x BarSeries) string { return x.Name })
}

// colours returns the colours of the series: a new one for each, or that of the first in
// its colour group. Offsets have none, -1.
func (c *BarChart) colours() []int {
	return grouped(each.Of(c.Series, func(s BarSeries) string { return s.Colour }),
		func(i int) bool { return c.Series[i].Offset })
}

// stacked reports whether some bars lie on others.
func (c *BarChart) stacked() bool {
	return slices.ContainsFunc(c.Series, func(s BarSeries) bool { return s.Stack != "" })
}

// ends lists the ends of all bars and whiskers, which the axis must show.
func (c *BarChart) ends() []float64 {
	var values []float64
	for i := range c.Series {
		for k := range c.Categories {
			_, to := c.piece(i, k)
			if values = append(values, to); c.Series[i].ranged() && !c.Series[i].IsMissing(k) {
				values = append(values, c.Series[i].Low[k], c.Series[i].High[k])
			}
		}
	}
	return values
}

func (c *BarChart) data(d *data) {
	d.axis(c.At != nil, c.X, "")
	d.text("series")
	d.axis(true, c.Y, "")
	d.across, d.value = 1, 2
	switch {
	case c.ranged() && c.stacked():
		d.numbers("low of the whole", "high of the whole")
	case c.ranged():
		d.numbers("low", "high")
	}
	names := c.names()
	for k, place := range Distinct(c.Categories, "category") {
		if c.At != nil {
			place = full(c.At[k])
		}
		for i := range c.Series {
			s := &c.Series[i]
			switch {
			case s.IsMissing(k):
			case s.ranged():
				d.row(place, names[i], full(s.Values[k]), full(s.Low[k]), full(s.High[k]))
			case c.ranged():
				d.row(place, names[i], full(s.Values[k]), "", "")
			default:
				d.row(place, names[i], full(s.Values[k]))
			}
		}
	}
}

// pixels are enough for the number of horizontal bars.
func (c *BarChart) pixels() int {
	const margins, gap, thickness = 120, 10, 16
	switch {
	case c.Height > 0:
		return c.Height
	case c.Horizontal:
		_, lanes := c.lanes()
		return max(240, margins+len(c.Categories)*(gap+thickness*lanes))
	}
	return defaultHeight
}

// scale returns the scale of the values, along which labels have an extent.
func (c *BarChart) scale(length float64, extent func(string) float64) Scale {
	beyond := 0.06 // the room for values beyond the ends of bars
	if c.Horizontal {
		beyond = 0.1
	}
	s := NewScale(c.Y, Span{Values: c.ends(), Zero: true, Length: length, Extent: extent})
	if c.labelled() {
		room := beyond * (s.Max - s.Min)
		if s.Min < 0 && !c.Horizontal {
			s.Min -= room
		}
		s.Max += room
	}
	return s
}

func (c *BarChart) interactive(i *Interactive) {
	names, colours := c.names(), c.colours()
	i.Option.Tooltip.Trigger = "axis"
	x, y := c.X.asX(), c.Y.asY()
	x.Type, x.Scale, x.Data = "category", nil, CleanAll(c.Categories)
	if c.Horizontal {
		// The first category is on top, and the values run to the right.
		x, y = opts.XAxis{Name: y.Name, NameLocation: "middle", Type: "value", Min: y.Min, Max: y.Max},
			opts.YAxis{Name: x.Name, NameLocation: "start", Type: "category", Inverse: opts.Bool(true), Data: x.Data}
	}
	i.axes(x, y)
	i.ticks(c.pixels(), func(r room) (x, y Scale) {
		if c.Horizontal {
			s := r.sheet() // names and their title take a part of the width
			return c.scale(r.width-math.Min(0.36*r.width, s.widest(CleanAll(c.Categories)))-1.5*r.size, s.along), Scale{}
		}
		return Scale{}, c.scale(r.height, r.sheet().line)
	})
	for k := range c.Series {
		s := &c.Series[k]
		values := each.Of(s.Values, func(v float64) any { return v })
		for j := range values {
			if s.IsMissing(j) {
				values[j] = "-" // ECharts for "no value"
			}
		}
		i.add(c.role(k, colours[k]), charts.SingleSeries{Name: names[k], Type: "bar", Stack: c.pile(k), BarGap: "8%",
			BarMaxWidth: "44", Data: values})
	}
	for k := range c.Series {
		s := &c.Series[k]
		if !s.ranged() {
			continue
		}
		var ranges [][3]float64
		for j := range s.Values {
			if !s.IsMissing(j) {
				ranges = append(ranges, [3]float64{float64(j), s.Low[j], s.High[j]})
			}
		}
		i.add(role{Kind: roleRange, Outline: c.role(k, colours[k]).Outline}, charts.SingleSeries{Name: names[k], Type: "custom", Data: ranges})
	}
	if drawn := c.drawn(); len(drawn) > 1 { // the axis names a single one
		i.entered(each.Of(drawn, func(k int) string { return names[k] }), c.entries())
	}
	i.Own = struct {
		Horizontal bool `json:"horizontal,omitempty"`
		Labelled   bool `json:"labelled,omitempty"` // values are written on the bars
	}{c.Horizontal, c.labelled() && !c.ranged()}
}
