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

// dataOf returns the data of a chart, or nil for what is no chart.
func dataOf(b report.Block) data {
	switch b := b.(type) {
	case *report.LineChart:
		return lineData{b}
	case *report.BarChart:
		return barData{b}
	case *report.ScatterChart:
		return scatterData{b}
	case *report.Tornado:
		return tornadoData{b}
	case *report.HeatMap:
		return heatData{b}
	case *report.Surface:
		return surfaceData{b}
	case *report.Surface3D:
		return surfaceData{(*report.Surface)(b)}
	case *report.Timeline:
		return timelineData{b}
	case *report.Parallel:
		return parallelData{b}
	}
	return nil
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
