package canvas

import (
	"fmt"
	"io"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgtex"
)

// A TeX is a canvas for a file of PGF, which sets text in the font of the document. Each
// text is in a box without width at the place that must stay: its start, middle or end.
type TeX struct{ *vgtex.Canvas }

var _ Anchoring = (*TeX)(nil)

// NewTeX returns a canvas of a size in points.
func NewTeX(width, height float64) *TeX {
	return &TeX{vgtex.New(vg.Length(width), vg.Length(height))}
}

// FillString writes text that starts at a point.
func (c *TeX) FillString(f font.Face, pt vg.Point, text string) { c.FillAnchored(f, pt, Start, text) }

// FillAnchored writes text that starts, ends or is centred at a point.
func (c *TeX) FillAnchored(f font.Face, pt vg.Point, anchor, text string) {
	boxed := `\makebox[0pt][` + map[string]string{Start: "l", Middle: "c", End: "r"}[anchor] + `]{` + texText(text) + `}`
	pt.X -= f.Width(boxed) / 2 // which vgtex adds, to centre what it takes for the text
	c.Canvas.FillString(f, pt, boxed)
}

// Encode writes the file, with its title and what the document needs in a comment.
func (c *TeX) Encode(w io.Writer, title string) error {
	if _, err := fmt.Fprintf(w, "%% %s\n%% \\usepackage{pgf,xcolor}, then \\input this file in a figure.\n", texComment(title)); err != nil {
		return err
	}
	_, err := c.WriteTo(w)
	return err
}
