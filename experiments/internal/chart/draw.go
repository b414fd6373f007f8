package chart

import (
	"fmt"
	"io"

	"github.com/isoscale/isoscale/experiments/internal/chart/canvas"
)

// A Style says how large a drawing is and in which colours.
type Style struct {
	Width  float64 // points
	Height float64 // points; 0 chooses one
	Size   float64 // of all text, points
	Grey   bool    // black and greys
	Title  string  // above the chart; "" none
	Names  string  // in a page, the prefix of identifiers in the drawing; "" leaves them out
}

// Millimetre is how many points a millimetre has.
const Millimetre = 72 / 25.4

// PaperColumn is the style of a figure in one column of a paper: 84 mm wide, with text of
// 8 points.
func PaperColumn() Style { return Style{Width: 84 * Millimetre, Size: 8} }

func (s Style) theme() *theme {
	if s.Grey {
		return &greys
	}
	return &colours
}

// A drawing is a chart as it is drawn.
type drawing interface {
	keys() []string // in its legend
	// size is either of rows that each need a line of text, or the height of the plot divided by its width.
	size() (rows int, ratio float64)
	draw(s *sheet, top float64) // top is where the title ends
}

// prepared charts are read or converted once for a drawing.
type prepared interface{ prepared() drawing }

// drawn draws a chart on a canvas, which on makes in the size of the chart.
func drawn[C canvas.Anchoring](c Chart, s Style, on func(width, height float64) C) (C, error) {
	if !c.drawable() {
		var none C
		return none, fmt.Errorf("chart %q has nothing to draw", Title(c))
	}
	d := drawing(c)
	if p, ok := c.(prepared); ok {
		d = p.prepared()
	}
	height := s.Height
	if height <= 0 {
		if rows, ratio := d.size(); rows > 0 {
			height = (8 + 1.7*float64(rows)) * s.Size
		} else {
			lines := entries(d.keys(), s.Width, s.Size, func(int, int, float64, string) {})
			height = ratio*s.Width + lineSpace*s.Size*float64(lines)
		}
		if s.Title != "" {
			height += 1.6 * s.Size
		}
	}
	out := on(s.Width, height)
	sheet := &sheet{canvas: out, width: s.Width, height: height, em: s.Size, theme: s.theme()}
	top := 0.2 * s.Size
	if s.Title != "" {
		sheet.text(sheet.theme.ink, 0.2*s.Size, top+s.Size, start, fit(Clean(s.Title), s.Width-0.4*s.Size, s.Size))
		top += 1.6 * s.Size
	}
	d.draw(sheet, top)
	return out, nil
}

// InPage draws a chart as SVG whose colours are the variables of the style sheet of
// the page. Its text and its lines are in CSS pixels.
func InPage(w io.Writer, c Chart, s Style) error {
	return asSVG(w, c, s, colours.muted, false)
}

func asSVG(w io.Writer, c Chart, s Style, text ink, paper bool) error {
	svg, err := drawn(c, s, func(width, height float64) *canvas.SVG {
		return canvas.NewSVG(width, height, s.Size, text, paper)
	})
	if err != nil {
		return err
	}
	return svg.Encode(w, Title(c), Finding(c), s.Names)
}
