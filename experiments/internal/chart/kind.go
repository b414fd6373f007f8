package chart

import (
	"fmt"
	"strings"
)

// A Chart is a kind of chart with all its forms. A file here has those of one kind.
type Chart interface {
	Block
	words() (title, caption string)
	drawable() bool    // has something to draw
	finding() []string // what it shows
	data(*data)        // all its points
	vega() object      // marks and encoding of Vega-Lite, for those points

	// pixels is the height that the chart has in a page, in CSS pixels.
	pixels() int
	drawing
	// interactive fills in what the script of a page draws.
	interactive(*Interactive)
}

// A kind is a kind of chart: its name in JSON, and an empty chart.
type kind struct {
	name  string
	empty func() Chart
}

// kinds has each kind of chart.
var kinds = []kind{
	{"lines", func() Chart { return new(LineChart) }},
	{"bars", func() Chart { return new(BarChart) }},
	{"points", func() Chart { return new(ScatterChart) }},
	{"tornado", func() Chart { return new(Tornado) }},
	{"map", func() Chart { return new(HeatMap) }},
	{"surface", func() Chart { return new(Surface) }},
	{"surface in space", func() Chart { return new(Surface3D) }},
	{"timeline", func() Chart { return new(Timeline) }},
	{"parallel axes", func() Chart { return new(Parallel) }},
}

// kindOf returns the name of the kind of a chart, or "" for what is no chart.
func kindOf(b Block) string {
	for _, k := range kinds {
		if fmt.Sprintf("%T", k.empty()) == fmt.Sprintf("%T", b) {
			return k.name
		}
	}
	return ""
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
func Drawable(b Block) bool {
	c, ok := b.(Chart)
	return ok && c.drawable()
}

// Words returns title and caption of a chart, as they are shown.
func Words(b Block) (title, caption string) {
	if c, ok := b.(Chart); ok {
		title, caption = c.words()
	}
	return Clean(title), Clean(caption)
}

// Title returns the title of a chart.
func Title(b Block) string {
	title, _ := Words(b)
	return title
}

// mostFound is how many series a description names.
const mostFound = 4

// Finding says in words what a chart shows, for readers who do not see it: of each
// series where it starts and ends, of bars and maps the extremes.
func Finding(c Chart) string {
	found := c.finding()
	if n := len(found); n > mostFound {
		found = append(found[:mostFound], fmt.Sprintf("and %d more", n-mostFound))
	}
	_, caption := Words(c)
	return strings.TrimSpace(strings.Join(found, "; ") + ". " + caption)
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// Pixels is the height that a chart has in a page, in CSS pixels.
func Pixels(c Chart) int { return c.pixels() }
