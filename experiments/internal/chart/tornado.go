package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/internal/each"
)

var _ = isKind("tornado", new(Tornado))

// A Tornado shows how far a result moves from its base when one parameter at a
// time is lowered and raised: a bar to either side of the base for each
// parameter. The longest is on top: rows are sorted by the distance between the
// ends of their bars, and stay in their order where it is equal.
type Tornado struct {
	Title     string  `json:"title,omitzero"` // required
	Caption   string  `json:"caption,omitzero"`
	Value     Axis    `json:"value,omitzero"`      // what the bars measure; linear; it need not start at zero
	Base      float64 `json:"base,omitzero"`       // the result with every parameter at its base
	BaseLabel string  `json:"base_label,omitzero"` // names the base on its line; empty: "base"

	// Low and High say how the parameters are changed, such as "-10 %" and
	// "+10 %". They are the legend.
	Low  string `json:"low,omitzero"`
	High string `json:"high,omitzero"`

	Swings []Swing `json:"swings,omitzero"`
	Height int     `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A Swing is the effect of one parameter on a result.
type Swing struct {
	Parameter string  `json:"parameter,omitzero"`
	Low       float64 `json:"low,omitzero"` // the result with the parameter lowered and raised
	High      float64 `json:"high,omitzero"`
	LowNote   string  `json:"low_note,omitzero"` // the values of the parameter then, such as "90 us"; may be empty
	HighNote  string  `json:"high_note,omitzero"`

	// LowHalf and HighHalf are half the lengths of whiskers around the results, as of a 95 % interval; 0 for none.
	LowHalf  float64 `json:"low_half,omitzero"`
	HighHalf float64 `json:"high_half,omitzero"`
}

func (c *Tornado) check(at place) {
	at = at.chart(c.Title, c.Height, nil, nil, &c.Value)
	at.demand(!c.Value.Log, "value is logarithmic, where bars to both sides do not compare; expected a linear axis")
	at.checkPresent("low", c.Low)
	at.checkPresent("high", c.High)
	at.checkNumber("base", c.Base, false)
	for i, s := range c.Swings {
		here := at.in(fmt.Sprintf("swing %d", i+1), s.Parameter)
		here.checkPresent("parameter", s.Parameter)
		here.checkNumber("low", s.Low, false)
		here.checkNumber("high", s.High, false)
		here.checkNumber("half of the whisker at low", s.LowHalf, false)
		here.checkNumber("half of the whisker at high", s.HighHalf, false)
		here.demand(!(s.LowHalf < 0 || s.HighHalf < 0), "whiskers are %v and %v; expected at least 0", s.LowHalf, s.HighHalf)
	}
}

func (c *Tornado) drawable() bool { return len(c.Swings) > 0 }

func (c *Tornado) finding() []string {
	s := c.sorted()
	moves := "moves the result most"
	if len(s) > 1 && c.span(s[0])-c.span(s[1]) <= alike*c.span(s[0]) {
		moves = "moves the result as much as any other"
	}
	return []string{fmt.Sprintf("%s %s, from %s to %s; %s: %s",
		Clean(s[0].Parameter), moves, Number(min(s[0].Low, s[0].High)), Number(max(s[0].Low, s[0].High)), c.base(),
		Number(c.Base))}
}

// vega has a bar from the base to each result, and a line at the base.
func (c *Tornado) vega() object {
	place := channel(0, "nominal", "parameter")
	place["sort"] = nil
	x := quantity(3, c.Value)
	x["scale"] = object{"zero": false}
	e := object{"y": place, "x": x, "x2": object{"datum": c.Base}, "color": series(1, c.keys())}
	layers := []any{object{"mark": "bar", "encoding": e}}
	if c.ranged() {
		layers = append(layers, whiskers(e, "x", 4, c.Value))
	}
	layers = append(layers, object{"mark": "rule", "encoding": object{"x": object{"datum": c.Base}}})
	return object{"transform": where("isValid(datum.c1)"), "layer": layers}
}

func (c *Tornado) size() (rows int, ratio float64) { return len(c.Swings), 0 }

// scale returns the scale of the results, with room for their numbers on both sides.
func (c *Tornado) scale(span Span) Scale {
	span.Values = []float64{c.Base}
	for _, s := range c.Swings {
		span.Values = append(span.Values, s.Low-s.LowHalf, s.Low+s.LowHalf, s.High-s.HighHalf, s.High+s.HighHalf)
	}
	s := NewScale(c.Value, span)
	room := 0.15 * (s.Max - s.Min)
	s.Min, s.Max = s.Min-room, s.Max+room
	return s
}

func (c *Tornado) draw(s *sheet, top float64) {
	f := s.plot(s.legend(top, c.keys(), func(i int, at point) {
		s.areas(s.theme.series[i], s.swatch(at).corners())
	}) + 1.4*s.em)
	swings := c.sorted()
	names := f.beside(each.Of(swings, func(w Swing) string { return w.Parameter }), 0.36)
	f.right = s.width - 0.8*s.em
	f.x = c.scale(Span{Length: f.right - f.left, Extent: s.along})
	f.barAxes(names)
	f.swings(c, swings)
	x := f.px(c.Base)
	f.reference([]point{{x, f.top}, {x, f.bottom}})
	label := c.baseLine()
	half := measure(label, s.em) / 2
	f.text(f.theme.ink, math.Min(math.Max(x, half), s.width-half), f.top-0.35*s.em, mid, label)
}

func (f *frame) swings(c *Tornado, swings []Swing) {
	step := (f.bottom - f.top) / float64(max(1, len(swings)))
	base := f.px(c.Base)
	for side, k := range []ink{f.theme.series[0], f.theme.series[1]} {
		var polygons, whiskers [][]point
		for i, w := range swings {
			v, half95 := []float64{w.Low, w.High}[side], []float64{w.LowHalf, w.HighHalf}[side]
			middle, half := f.top+(float64(i)+0.5)*step, math.Min(0.34*step, f.em)
			b := box{math.Min(base, f.px(v)), middle - half, math.Max(base, f.px(v)), middle + half}
			if (w.Low-c.Base)*(w.High-c.Base) > 0 { // on the same side: each bar has half of the row
				if side == 0 {
					b.bottom = middle
				} else {
					b.top = middle
				}
			}
			polygons = append(polygons, b.corners())
			x, anchor := max(b.right, f.px(v+half95))+0.35*f.em, start
			if v < c.Base || v == c.Base && side == 0 {
				x, anchor = min(b.left, f.px(v-half95))-0.35*f.em, end
			}
			if y := (b.top + b.bottom) / 2; half95 > 0 {
				whiskers = append(whiskers, f.whisker(point{f.px(v - half95), y}, point{f.px(v + half95), y})...)
			}
			f.text(f.theme.ink, x, (b.top+b.bottom)/2+0.35*f.em, anchor, Short(v, 3))
		}
		f.areas(k, polygons...)
		f.lines(whiskerStroke(f.theme.ink), whiskers...)
	}
}

// Lanes of a bar: the full height of its row or, if both bars are on the same side
// of the base and one would hide the other, half of it.
const (
	laneFull  = 0
	laneUpper = 1
	laneLower = 2
)

// sorted returns the swings as they are shown, the longest first.
func (c *Tornado) sorted() []Swing {
	swings := slices.Clone(c.Swings)
	slices.SortStableFunc(swings, func(a, b Swing) int { return cmp.Compare(c.span(b), c.span(a)) })
	return swings
}

// span returns how far a parameter moves the result.
func (c *Tornado) span(s Swing) float64 {
	return max(c.Base, s.Low, s.High) - min(c.Base, s.Low, s.High)
}

// ranged reports whether some results have whiskers.
func (c *Tornado) ranged() bool {
	return slices.ContainsFunc(c.Swings, func(s Swing) bool { return s.LowHalf > 0 || s.HighHalf > 0 })
}

func (c *Tornado) base() string { return Clean(cmp.Or(c.BaseLabel, "base")) }

func (c *Tornado) baseLine() string { return c.base() + ": " + Short(c.Base, 3) }

// keys are the names of the two changes.
func (c *Tornado) keys() []string { return Distinct([]string{c.Low, c.High}, "change") }

func (c *Tornado) data(d *data) {
	d.text("parameter", "change", "value of the parameter")
	d.axis(true, c.Value, "")
	names, base := c.keys(), []string{c.base(), "", "", full(c.Base)}
	if c.ranged() {
		d.numbers("low", "high")
		base = append(base, "", "")
	}
	d.row(base...)
	row := func(of, change, note string, value, half float64) {
		cells := []string{Clean(of), change, Clean(note), full(value)}
		if c.ranged() {
			cells = append(cells, full(value-half), full(value+half))
		}
		d.row(cells...)
	}
	for _, s := range c.sorted() {
		row(s.Parameter, names[0], s.LowNote, s.Low, s.LowHalf)
		row(s.Parameter, names[1], s.HighNote, s.High, s.HighHalf)
	}
}

// pixels are enough for a bar and its label in every row.
func (c *Tornado) pixels() int {
	const margins, row = 120, 30
	return cmp.Or(c.Height, max(200, margins+row*len(c.Swings)))
}

func (c *Tornado) interactive(i *Interactive) {
	names := c.keys()
	i.legend(names)
	// The bars to one side, each with its row, the result and its lane.
	low, high := [][3]float64{}, [][3]float64{}
	parameters, notes := []string{}, [][2]string{}
	var halves [][2]float64
	for k, s := range c.sorted() {
		parameters = append(parameters, Clean(s.Parameter))
		notes = append(notes, [2]string{Clean(s.LowNote), Clean(s.HighNote)})
		if c.ranged() {
			halves = append(halves, [2]float64{s.LowHalf, s.HighHalf})
		}
		upper, lower := laneFull, laneFull
		if (s.Low-c.Base)*(s.High-c.Base) > 0 {
			upper, lower = laneUpper, laneLower
		}
		low = append(low, [3]float64{float64(k), s.Low, float64(upper)})
		high = append(high, [3]float64{float64(k), s.High, float64(lower)})
	}
	i.axes(c.Value.asX(), opts.YAxis{Type: "category", Inverse: opts.Bool(true), Data: parameters})
	i.ticks(c.pixels(), func(r room) (x, y Scale) {
		return c.scale(Span{Length: r.width, Extent: r.sheet().along}), Scale{}
	})
	i.add(role{Kind: roleSwings}, charts.SingleSeries{Name: names[0], Type: "custom", Data: low})
	i.add(role{Kind: roleSwings, Colour: 1}, charts.SingleSeries{Name: names[1], Type: "custom", Data: high})
	i.references([]ReferenceLine{{c.baseLine(), c.Base, true}}, 0, 0,
		func(ReferenceLine) string { return "start" })
	i.Own = struct {
		Base   float64      `json:"base"`
		Label  string       `json:"label"` // of the base
		Value  string       `json:"value"`
		Notes  [][2]string  `json:"notes"` // for each row, low and high
		Halves [][2]float64 `json:"halves,omitempty"`
	}{c.Base, c.base(), c.Value.label(), notes, halves}
}
