package canvas

import (
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// epoch is the date in PDF files.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A PDF is a canvas for a PDF file. It writes text in the characters that the fonts of a
// PDF have here.
type PDF struct{ *vgpdf.Canvas }

// NewPDF returns a canvas of a size in points.
func NewPDF(width, height float64) *PDF {
	fpdf.SetDefaultCreationDate(epoch) // the same bytes at any time
	fpdf.SetDefaultModificationDate(epoch)
	fpdf.SetDefaultCatalogSort(true)
	return &PDF{vgpdf.New(vg.Length(width), vg.Length(height))}
}

// FillString writes text, with something similar for characters that the font lacks.
func (c *PDF) FillString(f font.Face, pt vg.Point, text string) {
	c.Canvas.FillString(f, pt, westernText(text))
}
