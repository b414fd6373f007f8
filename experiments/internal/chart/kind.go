package chart

import "github.com/isoscale/isoscale/experiments/report"

// data is what a kind of chart says in words and numbers.
type data interface {
	words() (title, caption string)
	drawable() bool    // has something to draw
	finding() []string // what it shows
	table(t *table)    // all its points
	vega() object      // marks and encoding of Vega-Lite
}

// A kind is a kind of chart: its name in JSON, and what makes an empty chart and the data
// of one.
type kind struct {
	name  string
	empty func() report.Block
	data  func(report.Block) (data, bool) // false for a chart of another kind
}

// kindOf is the kind of charts of type P.
func kindOf[P interface {
	*T
	report.Block
}, T any](name string, of func(P) data) kind {
	return kind{name, func() report.Block { return P(new(T)) }, func(b report.Block) (data, bool) {
		c, ok := b.(P)
		if !ok {
			return nil, false
		}
		return of(c), true
	}}
}

// kinds has each kind of chart.
var kinds = []kind{
	kindOf("lines", func(c *report.LineChart) data { return lineData{c} }),
	kindOf("bars", func(c *report.BarChart) data { return barData{c} }),
	kindOf("points", func(c *report.ScatterChart) data { return scatterData{c} }),
	kindOf("tornado", func(c *report.Tornado) data { return tornadoData{c} }),
	kindOf("map", func(c *report.HeatMap) data { return heatData{c} }),
	kindOf("surface", func(c *report.Surface) data { return surfaceData{c} }),
	kindOf("surface in space", func(c *report.Surface3D) data { return surfaceData{(*report.Surface)(c)} }),
	kindOf("timeline", func(c *report.Timeline) data { return timelineData{c} }),
	kindOf("parallel axes", func(c *report.Parallel) data { return parallelData{c} }),
}

// dataOf returns the data of a chart, or nil for what is no chart.
func dataOf(b report.Block) data {
	for _, k := range kinds {
		if c, ok := k.data(b); ok {
			return c
		}
	}
	return nil
}

// Kinds returns the names of the kinds of charts, as JSON has them.
func Kinds() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// Drawable reports whether a block is a chart with something to draw.
func Drawable(b report.Block) bool {
	c := dataOf(b)
	return c != nil && c.drawable()
}

// Words returns title and caption of a chart, as they are shown.
func Words(b report.Block) (title, caption string) {
	c := dataOf(b)
	if c == nil {
		return "", ""
	}
	title, caption = c.words()
	return Clean(title), Clean(caption)
}

// Title returns the title of a chart.
func Title(b report.Block) string {
	title, _ := Words(b)
	return title
}
