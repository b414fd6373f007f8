package chart

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/internal/each"
)

const defaultHeight = 400 // CSS pixels

// Interactive is what the script of a page needs to draw a chart: the options of ECharts,
// which hold data and structure, and what those options cannot express. Colours, fonts,
// number formats and margins depend on the reader's screen, so the script adds them.
type Interactive struct {
	Kind   string     `json:"kind"`
	Option option     `json:"option"`
	Roles  []role     `json:"roles"`            // one for each series of the options
	X      *axisTicks `json:"x,omitempty"`      // the numeric axes
	Y      *axisTicks `json:"y,omitempty"`      //
	Canvas bool       `json:"canvas,omitempty"` // too much for an element of SVG each
	Own    any        `json:"own,omitempty"`    // what only this kind needs
}

// option is the part of the options of ECharts that is used.
type option struct {
	Animation bool                  `json:"animation"`
	Legend    opts.Legend           `json:"legend"`
	Tooltip   opts.Tooltip          `json:"tooltip"`
	XAxis     []opts.XAxis          `json:"xAxis,omitempty"`
	YAxis     []opts.YAxis          `json:"yAxis,omitempty"`
	XAxis3D   *opts.XAxis3D         `json:"xAxis3D,omitempty"`
	YAxis3D   *opts.YAxis3D         `json:"yAxis3D,omitempty"`
	ZAxis3D   *opts.ZAxis3D         `json:"zAxis3D,omitempty"`
	VisualMap []colourScale         `json:"visualMap,omitempty"`
	Series    []charts.SingleSeries `json:"series"`
}

// InteractiveOf returns the interactive form of a chart. Series and layers are known to the
// script by their names, which ECharts keeps as properties of an object, where __proto__
// would change all objects of the page: so it has an invisible joiner (U+2060).
func InteractiveOf(c Chart) (json.RawMessage, error) {
	i := &Interactive{Kind: kindOf(c)}
	i.Option.Tooltip.Trigger = "item"
	i.Option.Series = []charts.SingleSeries{}
	c.interactive(i)
	text, err := json.Marshal(i)
	return json.RawMessage(strings.ReplaceAll(string(text), "__proto__", "__\u2060proto__")), err
}

// entered makes the legend of series. Those that share an entry are shown and hidden together, and keep
// their own names for tooltips and data.
func (i *Interactive) entered(names, entries []string) {
	keys, _ := once(entries)
	i.legend(keys)
	for k := range i.Option.Series {
		s := &i.Option.Series[k]
		if at := slices.Index(names, s.Name); at >= 0 && entries[at] != s.Name {
			i.Roles[k].Name, s.Name = s.Name, entries[at]
		}
	}
}

func (i *Interactive) legend(names []string) {
	i.Option.Legend = opts.Legend{Type: "scroll", Top: "0", Left: "0", Data: names}
}

// axes adds a pair of axes; [Interactive.ticks] sets the ticks of numeric ones.
func (i *Interactive) axes(x opts.XAxis, y opts.YAxis) {
	i.Option.XAxis, i.Option.YAxis = append(i.Option.XAxis, x), append(i.Option.YAxis, y)
}

func (i *Interactive) add(r role, s charts.SingleSeries) {
	i.Roles, i.Option.Series = append(i.Roles, r), append(i.Option.Series, s)
}

// A role is the meaning of a series of the options.
type role struct {
	Kind   string `json:"kind"`           // a role constant
	Name   string `json:"name,omitempty"` // of the series, where the legend calls it otherwise
	Colour int    `json:"colour"`
	// Share is the place of a level on the ramp of heat, in place of Colour; 0 if it has none.
	Share float64 `json:"share,omitempty"`
	Dash  string  `json:"dash,omitempty"`  // lengths of dashes and gaps in CSS pixels, with commas between
	Hatch int     `json:"hatch,omitempty"` // of bars: rising lines, falling lines, both
	Above bool    `json:"above,omitempty"` // drawn above lines
	Key   string  `json:"key,omitempty"`   // the mark in the legend, where it is not that of the series

	// Outline is the line, solid or dashed, of bars that are not filled; empty for others.
	Outline string `json:"outline,omitempty"`
}

const (
	roleData    = "data"    // a series of the caller
	roleBar     = "bar"     // a series of bars
	roleOffset  = "offset"  // such a series that is not drawn
	roleRange   = "range"   // the whiskers of such a series
	roleIdeal   = "ideal"   // a curve to compare with
	roleWhisker = "whisker" // the ranges of the points of a curve
	roleBand    = "band"    // an area between two curves
	rolePoints  = "points"  // the marked points of one such series
	roleTargets = "targets" // reference lines
	roleCells   = "cells"   // a heat map or a surface
	roleDots    = "dots"    // points of a scatter chart
	roleFaint   = "faint"   // such points as background
	roleSteps   = "steps"   // the line through such points
	roleLabels  = "labels"  // those of them with a label
	roleSwings  = "swings"  // the bars of a tornado to one side
	roleLevels  = "levels"  // the labels of contours; other layers: markNames
)

// colourOf returns the index in the style sheet of the colour of a series.
func colourOf(series int) int { return series % len(palette.Light.Series) }

// markers are the shapes of the points of a curve: circle, square, triangles
// up and down, diamond, cross. Colours and markers repeat independently;
// together they distinguish 24 series.
var markers = []string{
	"circle", "rect", "triangle", "path://M0,0h10l-5,9z", "diamond",
	"path://M3,0h4v3h3v4h-3v3h-4v-3h-3v-4h3z",
}

func marker(series int) string { return markers[series%len(markers)] }

// A namedPoint is a point with its tooltip.
type namedPoint struct {
	Name  string     `json:"name,omitempty"`
	Value [2]float64 `json:"value"`
	Notes string     `json:"notes,omitempty"`
	Label string     `json:"caption,omitempty"` // "label" is an option of ECharts
}

// A reference is a line across a chart, at one of two coordinates.
type reference struct {
	Name  string     `json:"name"`
	XAxis *float64   `json:"xAxis,omitempty"`
	YAxis *float64   `json:"yAxis,omitempty"`
	Label opts.Label `json:"label"`
}

// references draws lines as marks of a series of their own: as marks of a curve they would
// vanish when the reader hides the curve. Marks do not extend an axis, so the series has an
// invisible point on each line, whose other coordinate is x or y.
func (i *Interactive) references(lines []ReferenceLine, x, y float64, position func(ReferenceLine) string) {
	var points [][2]float64
	marks := &opts.MarkLines{MarkLineStyle: opts.MarkLineStyle{Symbol: []string{"none", "none"}}}
	for _, l := range lines {
		mark, at := reference{Name: Clean(l.Label), Label: opts.Label{Position: position(l)}}, [2]float64{x, y}
		if l.Vertical {
			mark.XAxis, at[0] = &l.At, l.At
		} else {
			mark.YAxis, at[1] = &l.At, l.At
		}
		points, marks.Data = append(points, at), append(marks.Data, mark)
	}
	i.add(role{Kind: roleTargets}, charts.SingleSeries{Type: "scatter", Symbol: "none", Data: points, MarkLines: marks})
}

// A colourScale is the legend of the colours of a map. The type of go-echarts omits
// a bound of 0.
type colourScale struct {
	Type   string   `json:"type"`
	Orient string   `json:"orient"`
	Min    float64  `json:"min"`
	Max    float64  `json:"max"`
	Text   []string `json:"text"`  // after and before the colours
	Ticks  []Tick   `json:"ticks"` // which the script draws, as many as have room
}

// colours sets the scale of a map. For a logarithmic axis the chart has the decimal
// logarithms.
func (i *Interactive) colours(a Axis) {
	const length, size = 220, 10.5 // CSS pixels
	scale := a.bounded(length, room{size: size}.sheet().along)
	ticks := each.Of(scale.Ticks, func(t Tick) Tick { return Tick{brief(a.height(t.At)), t.Label} })
	i.Option.VisualMap = []colourScale{{Type: "continuous", Orient: "horizontal",
		Min: a.height(*a.Min), Max: a.height(*a.Max), Text: []string{"", a.colourName(scale)}, Ticks: ticks}}
}

// label names the quantity of an axis and its unit.
func (a Axis) label() string { return Titled(a.Title, a.Unit) }

// height returns a value as colours and heights show it.
func (a Axis) height(v float64) float64 {
	if a.Log {
		return math.Log10(v)
	}
	return v
}

func (a Axis) scaleType() string {
	if a.Log {
		return "log"
	}
	return "value"
}

// bound converts an optional bound to an option; nil is no option.
func bound(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

func (a Axis) asX() opts.XAxis {
	return opts.XAxis{Name: a.label(), NameLocation: "middle", Type: a.scaleType(), Min: bound(a.Min),
		Max: bound(a.Max), Scale: opts.Bool(true)}
}

func (a Axis) asY() opts.YAxis {
	return opts.YAxis{Name: a.label(), NameLocation: "end", Type: a.scaleType(), Min: bound(a.Min), Max: bound(a.Max)}
}

// axisTicks are what the script needs to draw an axis as the drawings have it:
// limits and ticks, on a wide page and on a phone.
type axisTicks struct {
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	Name   string  `json:"name"`
	Wide   []Tick  `json:"wide"`
	Narrow []Tick  `json:"narrow"`
	Base   int     `json:"base,omitempty"` // of a logarithmic axis, for the ticks of a part
}

// A room is the plot that an axis and its labels have: lengths and the size of text,
// all in the same unit.
type room struct{ width, height, size float64 }

// sheet measures labels in a room.
func (r room) sheet() *sheet { return &sheet{em: r.size} }

// ticks sets limits and ticks of the axes of a chart of this height, in CSS pixels, for a
// wide page and for a phone, but not of axes whose scale has no ticks. Labels get less room
// than there is, because the font of the reader may be wider than that of the layout.
func (i *Interactive) ticks(height int, axes func(room) (x, y Scale)) {
	const wideWidth, narrowWidth, labelSize = 720, 250, 14
	const around = 110 // legend, title and labels
	tall := float64(max(120, height-around))
	wideX, wideY := axes(room{wideWidth, tall, labelSize})
	narrowX, narrowY := axes(room{narrowWidth, tall, labelSize})
	of := func(wide, narrow Scale) *axisTicks {
		if wide.Ticks == nil {
			return nil
		}
		return &axisTicks{Min: wide.Min, Max: wide.Max, Name: Clean(wide.Title), Wide: wide.Ticks, Narrow: narrow.Ticks}
	}
	i.X, i.Y = of(wideX, narrowX), of(wideY, narrowY)
}

// plane sets two numeric axes with their ticks.
func (i *Interactive) plane(height int, a axes) {
	y := a.y.asY()
	if !a.zero {
		y.Scale = opts.Bool(true)
	}
	i.axes(a.x.asX(), y)
	i.ticks(height, a.scales)
	if len(a.xs) > 0 {
		i.X.Base, i.Y.Base = logBase(a.x, a.xs), logBase(a.y, a.ys)
	}
}

// logBase chooses the base of a logarithmic axis from the values on it. Powers of two suit
// the sizes of machines and problems, which are whole numbers. Powers of ten are easier to
// read for fractions, and there are fewer of them over more than three decades. A linear axis has base 0.
func logBase(a Axis, values []float64) int {
	if !a.Log {
		return 0
	}
	low, high := math.Inf(1), math.Inf(-1)
	whole := a.counts()
	for _, v := range values {
		low, high = math.Min(low, v), math.Max(high, v)
		whole = whole && v == math.Trunc(v)
	}
	if whole && low >= 1 && high <= 1000*low {
		return 2
	}
	return 10
}
