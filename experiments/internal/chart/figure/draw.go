package figure

import (
	"fmt"
	"io"

	"gonum.org/v1/plot/vg"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/canvas"
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

// A drawing is a chart that can be drawn. top is where the title ends.
type drawing interface {
	names() []string // in its legend
	shape() float64  // height of the plot for its width
	draw(s *sheet, top float64)
}

// rowed charts have rows that each need a line of text.
type rowed interface{ rows() int }

func asDrawing(b report.Block) (d drawing, ok bool) {
	switch b := b.(type) {
	case *report.LineChart:
		d = lineChart{b}
	case *report.BarChart:
		d = barChart{b}
	case *report.ScatterChart:
		d = scatterChart{b}
	case *report.Tornado:
		d = tornado{b}
	case *report.HeatMap:
		d = heatMap{b}
	case *report.Surface:
		d = surface{b}
	case *report.Surface3D:
		d = surface{(*report.Surface)(b)}
	case *report.Timeline: // decoded once, not by Drawable too
		t, ok := chart.DecodeTimeline(b)
		if !ok {
			return nil, false
		}
		return newTimelineChart(t), true
	case *report.Parallel:
		d = parallel{b}
	}
	return d, chart.Drawable(b)
}

// size returns the height of a chart.
func size(c drawing, s Style) float64 {
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
func draw(on vg.Canvas, c drawing, s Style, height float64) {
	sheet := &sheet{canvas: on, width: s.Width, height: height, em: s.Size, theme: s.theme()}
	top := 0.2 * s.Size
	if s.Title != "" {
		sheet.text(sheet.theme.ink, 0.2*s.Size, top+s.Size, start, fit(chart.Clean(s.Title), s.Width-0.4*s.Size, s.Size))
		top += 1.6 * s.Size
	}
	c.draw(sheet, top)
}

// InPage draws a chart as SVG whose colours are the variables of the style sheet of
// the page. Its text and its lines are in CSS pixels.
func InPage(w io.Writer, b report.Block, s Style) error {
	c, ok := asDrawing(b)
	if !ok {
		return fmt.Errorf("a %T has nothing to draw", b)
	}
	height := size(c, s)
	page := canvas.PageSVG(s.Width, height, s.Size, colours.muted)
	draw(page, c, s, height)
	return page.Encode(w, chart.Title(b), chart.Finding(b), s.Names)
}

// writeSVG, writePDF and writeTeX write a chart as a file of its own.
func writeSVG(w io.Writer, b report.Block, c drawing, s Style) error {
	height := size(c, s)
	file := canvas.FileSVG(s.Width, height, s.Size, s.theme().muted)
	draw(file, c, s, height)
	return file.Encode(w, chart.Title(b), chart.Finding(b), "")
}

func writePDF(w io.Writer, c drawing, s Style) error {
	height := size(c, s)
	file := canvas.NewPDF(s.Width, height)
	draw(file, c, s, height)
	_, err := file.WriteTo(w)
	return err
}

func writeTeX(w io.Writer, b report.Block, c drawing, s Style) error {
	height := size(c, s)
	file := canvas.NewTeX(s.Width, height)
	draw(file, c, s, height)
	return file.Encode(w, chart.Title(b))
}
