package html

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/experiments/report"
)

const defaultHeight = 400 // CSS pixels

// A chartSpec is what the script of the page needs to draw a chart: the
// options of ECharts, which hold data and structure, and what those options
// cannot express. Colours, fonts, number formats and margins depend on the
// reader's screen, so the script adds them.
type chartSpec struct {
	Option     map[string]any `json:"option"`
	Roles      []seriesRole   `json:"roles"`       // one for each series in Option
	X          *scaleSpec     `json:"x,omitempty"` // the numeric axes
	Y          *scaleSpec     `json:"y,omitempty"`
	Square     bool           `json:"square,omitempty"` // a plot as high as wide
	Bars       bool           `json:"bars,omitempty"`
	Horizontal bool           `json:"horizontal,omitempty"`
	ValueLabel bool           `json:"valueLabel,omitempty"` // write the values on the bars
	Heat       *heatSpec      `json:"heat,omitempty"`
	Surface    *surfaceSpec   `json:"surface,omitempty"`
	Space      *spaceSpec     `json:"space,omitempty"`
	Scatter    bool           `json:"scatter,omitempty"`
	Many       bool           `json:"many,omitempty"` // too many points for an element each
	Tornado    *tornadoSpec   `json:"tornado,omitempty"`
	Parallel   *parallelSpec  `json:"parallel,omitempty"`
}

// logLabel marks the scale of a colour legend as logarithmic.
const logLabel = ", logarithmic"

// A colourScale is the legend of the colours of a map. The type of go-echarts omits
// a bound of 0.
type colourScale struct {
	Type       string   `json:"type"`
	Calculable bool     `json:"calculable"`
	Orient     string   `json:"orient"`
	Min        float64  `json:"min"`
	Max        float64  `json:"max"`
	Text       []string `json:"text"`
}

// colourOf returns the index in the style sheet of the colour of a series.
func colourOf(series int) int { return series % len(palette.Light.Series) }

// colourScales returns the single scale of a map. For a logarithmic axis the chart
// has the decimal logarithms, and the script converts the labels.
func colourScales(a report.Axis) []colourScale {
	low := label(a)
	if a.Log {
		low += logLabel
	}
	return []colourScale{{
		Type: "continuous", Orient: "horizontal", Min: scaled(a, *a.Min), Max: scaled(a, *a.Max),
		Text: []string{chart.Number(*a.Max), low + ": " + chart.Number(*a.Min)},
	}}
}

// scaled returns a value as colours and heights show it.
func scaled(a report.Axis, v float64) float64 {
	if a.Log {
		return math.Log10(v)
	}
	return v
}

// A heatSpec is what the script needs for the tooltip of a heat map.
type heatSpec struct {
	Columns int    `json:"columns"`
	Value   string `json:"value"`         // what a cell shows
	Log     bool   `json:"log,omitempty"` // cells have logarithms to the base 10
	XUnit   string `json:"xUnit,omitempty"`
}

// A surfaceSpec is what the script needs for the tooltip and the legend of a
// surface.
type surfaceSpec struct {
	X     string   `json:"x"`
	Y     string   `json:"y"`
	Value string   `json:"value"`
	Log   bool     `json:"log,omitempty"`  // cells have logarithms to the base 10
	Both  bool     `json:"both,omitempty"` // colours go both ways from the middle
	Marks []string `json:"marks"`          // of the layers
}

// A customSeries is one that the script draws, by three numbers for each of its parts.
type customSeries struct {
	Name string       `json:"name"`
	Type string       `json:"type"`
	Data [][3]float64 `json:"data"`
}

// A seriesRole is the meaning of a series of the options.
type seriesRole struct {
	Kind   string `json:"kind"` // a role constant
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
	roleOffset  = "offset"  // such a series that is not drawn
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

// markers are the shapes of the points of a curve: circle, square, triangles
// up and down, diamond, cross. Colours and markers repeat independently;
// together they distinguish 24 series.
var markers = []string{
	"circle", "rect", "triangle", "path://M0,0h10l-5,9z", "diamond",
	"path://M3,0h4v3h3v4h-3v3h-4v-3h-3v-4h3z",
}

func marker(series int) string { return markers[series%len(markers)] }

// encode writes specifications as JSON. ECharts caches the widths of texts as
// properties of an object, where __proto__ would change all objects of the page, so an
// invisible joiner (U+2060) is inserted in that word. No key of a specification
// contains it.
func encode(specs map[string]*chartSpec) (string, error) {
	text, err := json.Marshal(specs)
	return strings.ReplaceAll(string(text), "__proto__", "__\u2060proto__"), err
}

// sharedOptions are the options of every chart. The identifier replaces the
// random one of go-echarts. The legend lists the caller's series only, not the
// ones that carry points and targets.
func sharedOptions(id string, names []string) []charts.GlobalOpts {
	return []charts.GlobalOpts{
		charts.WithInitializationOpts(opts.Initialization{ChartID: id}),
		charts.WithAnimation(false),
		charts.WithLegendOpts(opts.Legend{Type: "scroll", Top: "0", Left: "0", Data: names}),
		charts.WithTooltipOpts(opts.Tooltip{Trigger: "axis"}),
		charts.WithGridOpts(opts.Grid{ContainLabel: opts.Bool(true)}),
	}
}
