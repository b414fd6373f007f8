package figure

import (
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/isoscale/isoscale/experiments/internal/canvas"
	"github.com/isoscale/isoscale/experiments/report"
)

// A Style says how large a drawing is and in which colours.
type Style struct {
	Width  float64 // points
	Height float64 // points; 0 chooses one
	Size   float64 // of all text, points
	Grey   bool    // black and greys
	Title  string  // above the chart; "" none
	Names  string  // in a page, how the identifiers in the drawing begin; "" leaves them out
}

func (s Style) theme() *theme {
	if s.Grey {
		return &greys
	}
	return &colours
}

// A chart can be drawn. top is where the title ends.
type chart interface {
	names() []string // in its legend
	shape() float64  // height of the plot for its width
	draw(s *sheet, top float64)
}

// rowed charts have rows that each need a line of text.
type rowed interface{ rows() int }

func asChart(b report.Block) (chart, bool) {
	switch b := b.(type) {
	case *report.LineChart:
		return lineChart{b}, len(lineAxes(b).xs) > 0
	case *report.BarChart:
		return barChart{b}, len(b.Categories) > 0 && len(b.Series) > 0
	case *report.ScatterChart:
		return scatterChart{b}, slices.ContainsFunc(b.Series, func(s report.ScatterSeries) bool { return len(s.Points) > 0 })
	case *report.Tornado:
		return tornado{b}, len(b.Swings) > 0
	case *report.HeatMap:
		return heatMap{b}, b.Columns > 0 && len(b.Rows) > 0
	case *report.Surface:
		return surface{b}, true
	case *report.Surface3D:
		return surface{(*report.Surface)(b)}, true
	case *report.Timeline:
		return asTimeline(b)
	case *report.Parallel:
		return parallel{b}, len(b.Lines) > 0
	}
	return nil, false
}

// Drawable reports whether a block is a chart with something to draw.
func Drawable(b report.Block) bool {
	_, ok := asChart(b)
	return ok
}

// size returns the height of a chart.
func size(c chart, s Style) float64 {
	if s.Height > 0 {
		return s.Height
	}
	height := c.shape()*s.Width + lineSpace*s.Size*float64(legendLines(c.names(), s.Width, s.Size))
	if r, ok := c.(rowed); ok && r.rows() > 0 {
		height = (8 + 1.7*float64(r.rows())) * s.Size
	}
	if s.Title != "" {
		height += 1.6 * s.Size
	}
	return height
}

// draw draws a chart on a canvas of the size of the style.
func draw(on vg.Canvas, c chart, s Style, height float64) {
	sheet := &sheet{canvas: on, width: s.Width, height: height, em: s.Size, theme: s.theme()}
	top := 0.2 * s.Size
	if s.Title != "" {
		sheet.text(sheet.theme.ink, 0.2*s.Size, top+s.Size, start, fit(Clean(s.Title), s.Width-0.4*s.Size, s.Size))
		top += 1.6 * s.Size
	}
	c.draw(sheet, top)
}

// InPage draws a chart as SVG whose colours are the variables of the style sheet of
// the page. Its text and its lines are in CSS pixels.
func InPage(w io.Writer, b report.Block, s Style) error {
	c, ok := asChart(b)
	if !ok {
		return fmt.Errorf("a %T has nothing to draw", b)
	}
	height := size(c, s)
	page := canvas.PageSVG(s.Width, height, s.Size, colours.muted)
	draw(page, c, s, height)
	return page.Encode(w, titleOf(b), Finding(b), s.Names)
}

// writeSVG, writePDF and writeTeX write a chart as a file of its own.
func writeSVG(w io.Writer, b report.Block, c chart, s Style) error {
	height := size(c, s)
	file := canvas.FileSVG(s.Width, height, s.Size, s.theme().muted)
	draw(file, c, s, height)
	return file.Encode(w, titleOf(b), Finding(b), "")
}

func writePDF(w io.Writer, c chart, s Style) error {
	height := size(c, s)
	file := canvas.NewPDF(s.Width, height)
	draw(file, c, s, height)
	_, err := file.WriteTo(w)
	return err
}

func writeTeX(w io.Writer, b report.Block, c chart, s Style) error {
	height := size(c, s)
	file := canvas.NewTeX(s.Width, height)
	draw(file, c, s, height)
	return file.Encode(w, titleOf(b))
}
