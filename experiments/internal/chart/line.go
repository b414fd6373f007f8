package chart

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/internal/each"
)

var _ = isKind("lines", new(LineChart))

// A LineChart shows series of points over a numeric x axis.
type LineChart struct {
	Title   string        `json:"title,omitzero"` // required
	Caption string        `json:"caption,omitzero"`
	X       Axis          `json:"x,omitzero"`
	Y       Axis          `json:"y,omitzero"`
	Series  []Series      `json:"series,omitzero"`
	Bands   []Band        `json:"bands,omitzero"` // below the series
	Targets []Target      `json:"targets,omitzero"`
	Points  []MarkedPoint `json:"points,omitzero"`

	// Square gives both axes the same limits and ticks, and a square plot, as for the
	// speed-up over the number of processes: y = x is at 45 degrees. Both axes are
	// logarithmic or both linear.
	Square bool `json:"square,omitzero"`

	// Ordered says that the series are levels of one quantity in their order, such as
	// problem sizes: their colours are a ramp of lightness.
	Ordered bool `json:"ordered,omitzero"`

	Height int `json:"height,omitzero"` // of the chart with one line of legend, in CSS pixels; 0 chooses one
}

// A Series is one curve. X and Y have the same length, which may be 0.
type Series struct {
	Name string    `json:"name,omitzero"`
	X    []float64 `json:"x,omitzero"` // finite
	Y    []float64 `json:"y,omitzero"`

	// A series is markers joined by a line, unless it says otherwise. Dashed is for
	// predictions, Plain for laws, both for laws beyond what they were fitted to, and
	// Points for measurements.
	Dashed bool `json:"dashed,omitzero"` // the line is dashed
	Plain  bool `json:"plain,omitzero"`  // no markers
	Points bool `json:"points,omitzero"` // no line; the markers are larger and above all lines

	// Ideal is for a reference to compare with, such as the speed-up that equals the number
	// of processes: a thin dashed line in grey, which takes no colour from the others.
	Ideal bool `json:"ideal,omitzero"`

	// Low and High are the ends of the whiskers of each point, such as the fastest and
	// the slowest run; nil, or as long as Y with Low at most Y at most High.
	Low  []float64 `json:"low,omitzero"`
	High []float64 `json:"high,omitzero"`

	// Colour names a group: series and bands of the same non-empty Colour share
	// one, such as a law and its extrapolation. Others have one of their own.
	Colour string `json:"colour,omitzero"`

	// Entry is the name in the legend, which lists it once for all series that share it; Name if empty.
	Entry string `json:"entry,omitzero"`
}

// A Band is the area between two curves over the same x, such as that of a
// confidence interval, with one entry in the legend.
type Band struct {
	Name   string    `json:"name,omitzero"`
	X      []float64 `json:"x,omitzero"`   // finite, not decreasing
	Low    []float64 `json:"low,omitzero"` // as long; finite, Low at most High
	High   []float64 `json:"high,omitzero"`
	Colour string    `json:"colour,omitzero"` // as in Series
}

// A Target is a horizontal reference line.
type Target struct {
	Label string  `json:"label,omitzero"` // required
	Y     float64 `json:"y,omitzero"`
}

// A MarkedPoint is a point read off a curve, such as the problem size that
// meets a target.
type MarkedPoint struct {
	Series int     `json:"series,omitzero"` // index into LineChart.Series: gives the colour
	X      float64 `json:"x,omitzero"`
	Y      float64 `json:"y,omitzero"`
	Label  string  `json:"label,omitzero"`
}

func (c *LineChart) check(at place) {
	at = at.chart(c.Title, c.Height, &c.X, &c.Y, nil)
	at.demand(!c.Square || c.X.Log == c.Y.Log, "is square with one logarithmic axis; expected both or none")
	for i := range c.Series {
		c.checkSeries(at, i)
	}
	for i := range c.Bands {
		c.checkBand(at, i)
	}
	at.lines("target", c.lines(), c.X, c.Y)
	for i, p := range c.Points {
		here := at.in(fmt.Sprintf("point %d", i+1), p.Label)
		here.checkNumber("x", p.X, c.X.Log)
		here.checkNumber("y", p.Y, c.Y.Log)
		here.demand(p.Series >= 0 && p.Series < len(c.Series),
			"series index is %d; expected an index into the %d series", p.Series, len(c.Series))
	}
}

func (c *LineChart) checkSeries(at place, i int) {
	s := &c.Series[i]
	at = at.in(fmt.Sprintf("series %d", i+1), s.Name)
	at.demand(!s.Points || !s.Plain && !s.Dashed,
		"has points only, and a line that is plain or dashed; expected one of them")
	at.demand(len(s.X) == len(s.Y), "has %d x values and %d y values; expected equal numbers", len(s.X), len(s.Y))
	at.checkNumbers("x", s.X, c.X.Log)
	at.checkNumbers("y", s.Y, c.Y.Log)
	if s.Low == nil && s.High == nil {
		return
	}
	if len(s.Low) != len(s.Y) || len(s.High) != len(s.Y) {
		at.reportf("has %d low and %d high values; expected %d, as many as y values", len(s.Low), len(s.High), len(s.Y))
		return
	}
	at.checkNumbers("low", s.Low, c.Y.Log)
	at.checkNumbers("high", s.High, c.Y.Log)
	for k, y := range s.Y {
		at.demand(!(s.Low[k] > y || s.High[k] < y), // true if one is no number, which is reported above
			"y[%d] is %v, not between low %v and high %v", k, y, s.Low[k], s.High[k])
	}
}

func (c *LineChart) checkBand(at place, i int) {
	b := &c.Bands[i]
	at = at.in(fmt.Sprintf("band %d", i+1), b.Name)
	if len(b.Low) != len(b.X) || len(b.High) != len(b.X) {
		at.reportf("has %d x values, %d low and %d high values; expected equal numbers", len(b.X), len(b.Low), len(b.High))
		return
	}
	for k := range b.X {
		at.checkNumber(fmt.Sprintf("x[%d]", k), b.X[k], c.X.Log)
		at.checkNumber(fmt.Sprintf("low[%d]", k), b.Low[k], c.Y.Log)
		at.checkNumber(fmt.Sprintf("high[%d]", k), b.High[k], c.Y.Log)
		at.demand(k == 0 || !(b.X[k] < b.X[k-1]),
			"x[%d] is %v, below the one before; expected x values that do not decrease", k, b.X[k])
		at.demand(!(b.Low[k] > b.High[k]), "low[%d] is %v, above high[%d], %v", k, b.Low[k], k, b.High[k])
	}
}

func (c *LineChart) drawable() bool {
	return len(c.axes().xs) > 0
}

func (c *LineChart) finding() []string {
	names := c.names()
	found := []string{fmt.Sprintf("%s over %s", c.Y.label(), c.X.label())}
	for i := range c.Series {
		s := &c.Series[i]
		switch n := len(s.X); {
		case s.Ideal || n == 0:
		case n == 1:
			found = append(found, fmt.Sprintf("%s is %s at %s", names[i], Short(s.Y[0], 4), Number(s.X[0])))
		default:
			found = append(found, fmt.Sprintf("%s goes from %s at %s to %s at %s", names[i], Short(s.Y[0], 4),
				Number(s.X[0]), Short(s.Y[n-1], 4), Number(s.X[n-1])))
		}
	}
	return found
}

func (c *LineChart) vega() object {
	x, y, names := quantity(2, c.X), quantity(3, c.Y), c.names()
	at := object{"x": x, "y": y, "color": series(1, names)}
	ends := object{"x": x, "y": quantity(4, c.Y), "y2": object{"field": field(5)}, "color": series(1, names)}
	of := func(is func(s Series) bool) (found []string) {
		for i, s := range c.Series {
			if is(s) {
				found = append(found, names[i])
			}
		}
		return found
	}
	joined, ideal := of(func(s Series) bool { return !s.Points }), of(func(s Series) bool { return s.Ideal })
	marked, ranged := of(func(s Series) bool { return !s.Plain && !s.Ideal }), of(func(s Series) bool { return s.Low != nil })
	curves := maps.Clone(at)
	curves["order"] = object{"value": nil} // as the points are listed
	if ideal != nil {
		dashes := object{"test": object{"field": field(1), "oneOf": ideal}, "value": []int{4, 3}}
		curves["strokeDash"] = object{"condition": dashes}
	}
	var l layers
	l.add(len(c.Bands) > 0, only("band"), object{"type": "area", "opacity": bandOpacity}, ends)
	l.add(joined != nil, only("series", joined...), "line", curves)
	l.add(marked != nil, only("series", marked...), object{"type": "point", "filled": true}, at)
	l.add(len(c.Points) > 0, only("point"), object{"type": "point", "size": 100}, at)
	l.add(ranged != nil, only("series", ranged...), "rule", ends)
	l.add(len(c.Targets) > 0, only("target"), object{"type": "rule", "strokeDash": []int{4, 3}}, object{"y": y})
	return object{"layer": []any(l)}
}

func (c *LineChart) changed(to Change) (Block, error) {
	n := *c
	n.X, n.Y = scaled(n.X, to.X), scaled(n.Y, to.Y)
	keep, err := kept(to.Series, c.names())
	n.Series, n.Bands, n.Points = selected(c.Series, keep), selected(c.Bands, keep[len(c.Series):]), nil
	for _, p := range c.Points {
		if keep[p.Series] {
			p.Series = len(selected(c.Series[:p.Series], keep))
			n.Points = append(n.Points, p)
		}
	}
	n.Square = n.Square && n.X.Log == n.Y.Log
	return &n, err
}

const bandOpacity = 0.22

// grouped returns the number of each member's group, in the order in which groups occur. A
// member without a group is a group of its own, and those left out have -1.
func grouped(groups []string, left func(i int) bool) []int {
	colours, next := make([]int, len(groups)), 0
	for i, group := range groups {
		if left(i) {
			colours[i] = -1
			continue
		}
		if first := slices.Index(groups, group); group != "" && first < i {
			colours[i] = colours[first]
			continue
		}
		colours[i] = next
		next++
	}
	return colours
}

// labelsAtStart reports whether the labels of reference lines are at the start of the
// x axis, because the curves are further from them there than at its end.
func labelsAtStart(targets []Target, series []Series) bool {
	left, right := math.Inf(1), math.Inf(1)
	for i := range series {
		for _, t := range targets {
			if s := &series[i]; len(s.Y) > 0 {
				_, last := s.last()
				left, right = min(left, math.Abs(s.Y[0]-t.Y)), min(right, math.Abs(last-t.Y))
			}
		}
	}
	return left > right
}

func (c *LineChart) size() (rows int, ratio float64) {
	if c.Square {
		return 0, 0.86
	}
	return 0, landscape
}

// landscape is the height of a plot divided by its width.
const landscape = 0.6

// dashed is the pattern of predictions and ideal lines, in em.
var dashed = []float64{0.7, 0.35}

// patterns are the dashes, in em, of the first [palette.Apart] series, which differ in
// lightness, of the next as many, and so on.
var patterns = [][]float64{nil, {0.18, 0.26}, {1.1, 0.25, 0.18, 0.25}}

// pattern returns the dashes of a series by its colour, in em; nil for a solid line.
func pattern(colour int) []float64 { return patterns[colour/palette.Apart%len(patterns)] }

// look returns how a series is drawn: its ink and its pattern.
func (s *sheet) look(colour, of int, ordered bool) (ink, []float64) {
	if colour < 0 {
		return s.theme.muted, dashed
	}
	if ordered && of > 1 {
		return s.theme.heat.at(palette.Ordered(colour, of)), nil
	}
	return s.theme.series[colour%len(s.theme.series)], pattern(colour)
}

func (c *LineChart) draw(s *sheet, top float64) {
	colours := c.colours()
	of := slices.Max(append(slices.Clone(colours), 0)) + 1
	room := c.atEnds(s, top)
	if room == 0 {
		entries, first := once(c.entries())
		top = s.legend(top, entries, func(entry int, at point) {
			i := first[entry]
			if i < len(c.Series) {
				c.key(s, i, colours[i], of, at)
				return
			}
			k, _ := s.look(colours[i], of, c.Ordered)
			b := s.swatch(at)
			b.left, b.right = at.x-s.em, at.x+s.em
			s.areas(k.faded(bandOpacity), b.corners())
		})
	}
	plot := *s
	plot.width -= room
	f := plot.frame(top, c.axes())
	if room > 0 {
		for i, name := range c.names() {
			x, y := c.Series[i].last()
			f.text(s.theme.ink, f.px(x)+0.7*s.em, f.py(y)+0.35*s.em, start, name)
		}
	}
	for i := range c.Bands {
		k, _ := s.look(colours[len(c.Series)+i], of, c.Ordered)
		f.band(&c.Bands[i], k)
	}
	for _, above := range []bool{false, true} {
		for i := range c.Series {
			if c.Series[i].Points == above {
				f.curve(&c.Series[i], i, colours[i], of, c.Ordered)
			}
		}
	}
	taken := f.targets(c.Targets, c.Series)
	f.marked(c.Points, colours, taken)
}

// last is where a series ends.
func (s *Series) last() (x, y float64) { return s.X[len(s.X)-1], s.Y[len(s.Y)-1] }

// atEnds returns the room for names beside the ends of lines, which make a legend superfluous, or 0
// if the chart needs one. Names are there if all of several lines end at the largest x, so far apart
// that names do not touch, names are short and there are no bands.
func (c *LineChart) atEnds(s *sheet, top float64) float64 {
	a := c.axes().squared()
	tall := s.height - top - 3.8*s.em
	y := a.upright(s, tall)
	var ends []float64
	for i := range c.Series {
		l := &c.Series[i]
		if l.Points || len(l.X) == 0 || l.X[len(l.X)-1] != slices.Max(a.xs) {
			return 0
		}
		_, end := l.last()
		ends = append(ends, y.Position(end)*tall)
	}
	slices.Sort(ends)
	for k, end := range ends {
		if k > 0 && end-ends[k-1] < 1.1*s.em {
			return 0
		}
	}
	room := s.widest(c.names()) + 0.5*s.em
	if len(ends) < 2 || len(c.Bands) > 0 || room > 0.25*s.width {
		return 0
	}
	return room
}

const (
	lineWidth  = 0.14 // em
	thinWidth  = 0.1
	markRadius = 0.28
	dotRadius  = 0.36 // of points without a line
)

func (c *LineChart) key(s *sheet, i, colour, of int, at point) {
	series := &c.Series[i]
	k, dash := s.look(colour, of, c.Ordered)
	if !series.Points {
		s.lines(lineStroke(series, k, dash), s.sample(at))
	}
	switch {
	case series.Points:
		s.marks(k, i, dotRadius, []point{at})
	case !series.Plain && !series.Ideal:
		s.marks(k, i, markRadius, []point{at})
	}
}

func lineStroke(s *Series, k ink, dash []float64) stroke {
	switch {
	case s.Ideal:
		return stroke{k, thinWidth, dashed}
	case s.Dashed:
		return stroke{k, lineWidth, dashed}
	}
	return stroke{k, lineWidth, dash}
}

func (f *frame) curve(s *Series, i, colour, of int, ordered bool) {
	k, dash := f.look(colour, of, ordered)
	points := f.points(s.X, s.Y)
	f.whiskers(s, k)
	if !s.Points {
		f.lines(lineStroke(s, k, dash), f.clipped(points)...)
	}
	visible := slices.DeleteFunc(slices.Clone(points), func(p point) bool { return !f.shown().has(p) })
	switch {
	case s.Points:
		f.marks(f.theme.paper, i, dotRadius*1.25, visible)
		f.marks(k, i, dotRadius, visible)
	case !s.Plain && !s.Ideal:
		f.marks(k, i, markRadius, visible)
	}
}

// whiskerCap is half of the line across the end of a whisker, in em.
const whiskerCap = 0.25

func (f *frame) whiskers(s *Series, k ink) {
	var lines [][]point
	for j := range s.Low {
		if s.Low[j] == s.High[j] {
			continue
		}
		x := f.px(s.X[j])
		lines = append(lines, f.whisker(point{x, f.py(s.Low[j])}, point{x, f.py(s.High[j])})...)
	}
	f.lines(whiskerStroke(k), lines...)
}

// whisker returns an upright or level line, and a short line across each of its ends.
func (f *frame) whisker(from, to point) [][]point {
	w := point{whiskerCap * f.em, 0}
	if from.x != to.x {
		w = point{0, w.x}
	}
	across := func(p point) []point { return []point{{p.x - w.x, p.y - w.y}, {p.x + w.x, p.y + w.y}} }
	return [][]point{{from, to}, across(from), across(to)}
}

func whiskerStroke(k ink) stroke { return stroke{ink: k, width: 0.09} }

func (f *frame) band(b *Band, k ink) {
	clamp := func(v float64) float64 { return min(max(v, f.y.Min), f.y.Max) }
	low, high := f.points(b.X, each.Of(b.Low, clamp)), f.points(b.X, each.Of(b.High, clamp))
	slices.Reverse(low)
	if len(high) > 1 {
		f.areas(k.faded(bandOpacity), append(high, low...))
	}
}

// targets draws the reference lines, with their labels at the end of the axis that
// is further from the curves. It returns the boxes of the labels.
func (f *frame) targets(targets []Target, series []Series) (labels []box) {
	var lines [][]point
	for _, t := range targets {
		lines = append(lines, []point{{f.left, f.py(t.Y)}, {f.right, f.py(t.Y)}})
	}
	f.reference(lines...)
	for _, t := range targets {
		x, anchor := f.right-0.4*f.em, end
		if labelsAtStart(targets, series) {
			x, anchor = f.left+0.4*f.em, start
		}
		y := f.py(t.Y) - 0.4*f.em
		if y-f.em < f.top {
			y = f.py(t.Y) + 1.15*f.em
		}
		label := fit(Clean(t.Label), 0.7*(f.right-f.left), f.em)
		f.haloed(x, y, anchor, label)
		labels = append(labels, f.around(x, y, anchor, label))
	}
	return labels
}

// marked draws the points that are read off curves. A label is written where it has room
// beside all points and what is taken.
func (f *frame) marked(points []MarkedPoint, colours []int, taken []box) {
	r := rings{taken: taken}
	for _, p := range points {
		r.add(f, f.at(p.X, p.Y))
	}
	for _, p := range points {
		k, _ := f.look(colours[p.Series], 1, false)
		f.ringed(k, 0.3, f.at(p.X, p.Y), p.Label, &r)
	}
}

// rings are the places of the points with labels, and the boxes that no label may cover.
type rings struct {
	at    []point
	taken []box
}

func (r *rings) add(f *frame, at point) {
	half := 0.5 * f.em
	r.at, r.taken = append(r.at, at), append(r.taken, box{at.x - half, at.y - half, at.x + half, at.y + half})
}

// strange reports whether a label would seem to belong to another point, because that is nearer.
func (r *rings) strange(at point, label box) bool {
	return slices.ContainsFunc(r.at, func(p point) bool { return label.from(p) < label.from(at) })
}

// from returns the distance of a point from a box.
func (in box) from(p point) float64 {
	return math.Hypot(math.Max(0, math.Max(in.left-p.x, p.x-in.right)),
		math.Max(0, math.Max(in.top-p.y, p.y-in.bottom)))
}

// ringed draws a ring of an inner radius, filled with paper, and its label.
func (f *frame) ringed(k ink, inner float64, at point, label string, among *rings) {
	f.marks(k, 0, 0.5, []point{at})
	f.marks(f.theme.paper, 0, inner, []point{at})
	f.place(at, Clean(label), among)
}

// place writes a label, shortened if need be, beside a point, where it covers nothing that is
// taken; without such a place the label is left out.
func (f *frame) place(at point, label string, among *rings) {
	short := fit(label, 0.45*(f.right-f.left), f.em)
	if label != short && f.placed(at, fit(label, 0.8*(f.right-f.left), f.em), among) {
		return
	}
	f.placed(at, short, among)
}

// spots are the places that a label may have at its point: how much lower, in em, and its anchor.
var spots = []struct {
	down   float64
	anchor string
}{{0.35, start}, {0.35, end}, {-0.75, start}, {-0.75, end}, {1.5, start}, {1.5, end},
	{-0.95, mid}, {1.6, mid}, {-2.2, mid}, {2.85, mid}}

// placed writes a label beside a point or, as a last resort, above or below it, if there is room, and reports whether.
func (f *frame) placed(at point, label string, among *rings) bool {
	for _, spot := range spots {
		side := map[string]float64{start: 0.75, end: -0.75}[spot.anchor]
		x, y := at.x+side*f.em, at.y+spot.down*f.em
		b := f.around(x, y, spot.anchor, label)
		if b.left < f.left || b.right > f.width || b.top < f.top-0.5*f.em || b.bottom > f.bottom ||
			slices.ContainsFunc(among.taken, b.overlaps) || among.strange(at, b) {
			continue
		}
		among.taken = append(among.taken, b)
		f.haloed(x, y, spot.anchor, label)
		return true
	}
	return false
}

// role returns how a page draws a series of colour k of so many; ideal curves have colour -1.
func (c *LineChart) role(kind string, k, of int) role {
	switch {
	case k < 0:
		return role{Kind: kind}
	case c.Ordered && of > 1:
		return role{Kind: kind, Share: palette.Ordered(k, of)}
	}
	if kind != roleData {
		return role{Kind: kind, Colour: colourOf(k)}
	}
	var dash []string
	for _, length := range pattern(k) {
		const em = 13 // CSS pixels
		dash = append(dash, strconv.Itoa(int(em*length+0.5)))
	}
	return role{Kind: kind, Colour: colourOf(k), Dash: strings.Join(dash, ",")}
}

// lines returns the targets as lines across the chart.
func (c *LineChart) lines() []ReferenceLine {
	return each.Of(c.Targets, func(t Target) ReferenceLine { return ReferenceLine{Label: t.Label, At: t.Y} })
}

// names returns the names of the series, followed by those of the bands.
func (c *LineChart) names() []string {
	names := append(each.Of(c.Series, func(s Series) string { return s.Name }),
		each.Of(c.Bands, func(b Band) string { return b.Name })...)
	return Distinct(names, "series")
}

// entries returns the names in the legend of the series, followed by those of the bands.
func (c *LineChart) entries() []string {
	entries := c.names()
	for i, s := range c.Series {
		entries[i] = cmp.Or(Clean(s.Entry), entries[i])
	}
	return entries
}

func (c *LineChart) keys() []string {
	keys, _ := once(c.entries())
	return keys
}

// once lists the entries of a legend, and the first series of each.
func once(entries []string) (keys []string, first []int) {
	for i, name := range entries {
		if slices.Index(entries, name) == i {
			keys, first = append(keys, name), append(first, i)
		}
	}
	return keys, first
}

// colours returns the colours of the series, followed by those of the bands: a new one
// for each, or that of the first in its colour group. Ideal lines have none, -1.
func (c *LineChart) colours() []int {
	groups := append(each.Of(c.Series, func(s Series) string { return s.Colour }),
		each.Of(c.Bands, func(b Band) string { return b.Colour })...)
	return grouped(groups, func(i int) bool { return i < len(c.Series) && c.Series[i].Ideal })
}

// axes returns axes that show all that is drawn, reference lines too. Ticks are best where
// something was measured, but not at the many points of laws.
func (c *LineChart) axes() axes {
	a := axes{x: c.X, y: c.Y, zero: true, square: c.Square}
	for i := range c.Series {
		s := &c.Series[i]
		a.xs, a.ys = append(a.xs, s.X...), slices.Concat(a.ys, s.Y, s.Low, s.High)
		if !s.Plain && !s.Ideal {
			a.measured = append(a.measured, s.X...)
		}
	}
	for i := range c.Bands {
		b := &c.Bands[i]
		a.xs, a.ys = append(a.xs, b.X...), slices.Concat(a.ys, b.Low, b.High)
	}
	for _, p := range c.Points {
		a.xs, a.ys = append(a.xs, p.X), append(a.ys, p.Y)
	}
	return a.with(c.lines())
}

func (c *LineChart) data(d *data) {
	d.text("kind", "series")
	d.axis(true, c.X, "")
	d.axis(true, c.Y, "")
	d.numbers("low", "high")
	d.text("label")
	d.divided, d.across, d.value = true, 1, 3
	names := c.names()
	for i := range c.Series {
		s := &c.Series[i]
		for k := range s.X {
			low, high := "", ""
			if s.Low != nil {
				low, high = full(s.Low[k]), full(s.High[k])
			}
			d.row("series", names[i], full(s.X[k]), full(s.Y[k]), low, high, "")
		}
		if n := len(s.X); n > 0 {
			d.keepEnds(len(d.rows)-n, 3)
		}
	}
	for i := range c.Bands {
		b := &c.Bands[i]
		for k := range b.X {
			d.row("band", names[len(c.Series)+i], full(b.X[k]), "", full(b.Low[k]), full(b.High[k]), "")
		}
	}
	for _, p := range c.Points {
		d.row("point", names[p.Series], full(p.X), full(p.Y), "", "", Clean(p.Label))
	}
	for _, l := range c.Targets {
		d.row("target", "", "", full(l.Y), "", "", Clean(l.Label))
	}
}

// pixels leave room for a square plot.
func (c *LineChart) pixels() int {
	if c.Square {
		return cmp.Or(c.Height, 520)
	}
	return cmp.Or(c.Height, defaultHeight)
}

func (c *LineChart) interactive(i *Interactive) {
	names, colours := c.names(), c.colours()
	of := slices.Max(append(slices.Clone(colours), 0)) + 1
	i.Option.Tooltip.Trigger = "axis"
	i.plane(c.pixels(), c.axes())
	for k := range c.Series {
		s := &c.Series[k]
		r := c.role(roleData, colours[k], of)
		switch {
		case s.Ideal:
			r = role{Kind: roleIdeal, Key: markNames[MarkDashes]}
		case s.Points:
			r.Above = true
		case s.Plain && s.Dashed:
			r.Key = markNames[MarkDashes]
		case s.Plain:
			r.Key = markNames[MarkContours]
		}
		i.add(r, curve(names[k], marker(k), s))
	}
	for k := range c.Series {
		// Marked points have the name of their series, so that the legend shows and hides
		// both together.
		var points []namedPoint
		for _, p := range c.Points {
			if p.Series == k {
				points = append(points, namedPoint{Name: Clean(p.Label), Value: [2]float64{p.X, p.Y}})
			}
		}
		if points != nil {
			i.add(c.role(rolePoints, colours[k], of),
				charts.SingleSeries{Name: names[k], Type: "scatter", Symbol: "circle", SymbolSize: 12, Data: points})
		}
	}
	if xs := c.axes().xs; len(c.Targets) > 0 && len(xs) > 0 {
		i.references(c.lines(), xs[0], 0, func(ReferenceLine) string {
			if labelsAtStart(c.Targets, c.Series) {
				return "insideStartTop"
			}
			return "insideEndTop"
		})
	}
	ranges := func(kind string, k int, x, low, high []float64) {
		points := make([][3]float64, len(x))
		for j := range x {
			points[j] = [3]float64{x[j], low[j], high[j]}
		}
		i.add(c.role(kind, colours[k], of), charts.SingleSeries{Name: names[k], Type: "custom", Data: points})
	}
	for k := range c.Series {
		if s := &c.Series[k]; s.Low != nil {
			ranges(roleWhisker, k, s.X, s.Low, s.High)
		}
	}
	for k, b := range c.Bands {
		ranges(roleBand, len(c.Series)+k, b.X, b.Low, b.High)
	}
	i.entered(names, c.entries())
	i.Own = struct {
		Square bool `json:"square,omitempty"` // a plot as high as wide
	}{c.Square}
}

// curve returns the series of ECharts for a series.
func curve(name, marker string, s *Series) charts.SingleSeries {
	stroke, size := opts.LineStyle{Width: 2, Type: "solid"}, 7
	if s.Points {
		stroke.Opacity, size = opts.Float(0), 11
	}
	if s.Dashed {
		stroke.Type = "dashed"
	}
	if s.Plain {
		marker = "none"
	}
	points := make([]namedPoint, len(s.X))
	for k := range s.X {
		points[k].Value = [2]float64{s.X[k], s.Y[k]}
	}
	return charts.SingleSeries{Name: name, Type: "line", Symbol: marker, SymbolSize: size,
		ShowSymbol: opts.Bool(true), Data: points, LineStyle: &stroke}
}
