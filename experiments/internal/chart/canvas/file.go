//go:build !js

package canvas

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgtex"
)

// upright turns a canvas, which has a transformation, for a text.
func upright(c Anchoring, f font.Face, pt vg.Point, text string) {
	c.Push()
	c.Rotate(math.Pi / 2)
	c.FillAnchored(f, vg.Point{X: pt.Y, Y: -pt.X}, Middle, text)
	c.Pop()
}

// A straight colour is not multiplied by its opacity: vgpdf and vgtex write both, and a reader
// multiplies them.
type straight struct{ color.Color }

func (k straight) RGBA() (r, g, b, a uint32) {
	n := color.NRGBA64Model.Convert(k.Color).(color.NRGBA64)
	return uint32(n.R), uint32(n.G), uint32(n.B), uint32(n.A)
}

// epoch is the date in PDF files.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A PDF is a canvas for a PDF file. It writes text in the characters that the fonts of a
// PDF have here.
type PDF struct{ *vgpdf.Canvas }

var _ Anchoring = (*PDF)(nil)

// NewPDF returns a canvas of a size in points.
func NewPDF(width, height float64) *PDF {
	fpdf.SetDefaultCreationDate(epoch) // the same bytes at any time
	fpdf.SetDefaultModificationDate(epoch)
	fpdf.SetDefaultCatalogSort(true)
	return &PDF{vgpdf.New(vg.Length(width), vg.Length(height))}
}

// SetColor sets the colour of all that follows.
func (c *PDF) SetColor(k color.Color) { c.Canvas.SetColor(straight{k}) }

// FillString writes text that starts at a point.
func (c *PDF) FillString(f font.Face, pt vg.Point, text string) { c.FillAnchored(f, pt, Start, text) }

// FillAnchored writes text that starts, ends or is centred at a point, with something
// similar for characters that the font lacks.
func (c *PDF) FillAnchored(f font.Face, pt vg.Point, anchor, text string) {
	text = westernText(text)
	pt.X -= f.Width(text) * map[string]vg.Length{Start: 0, Middle: 0.5, End: 1}[anchor]
	c.Canvas.FillString(f, pt, codePage(text)) // which has a byte for each character
}

// FillUpright writes text upwards.
func (c *PDF) FillUpright(f font.Face, pt vg.Point, text string) { upright(c, f, pt, text) }

// A TeX is a canvas for a file of PGF, which sets text in the font of the document. Each
// text is in a box without width at the place that must stay: its start, middle or end.
type TeX struct{ *vgtex.Canvas }

var _ Anchoring = (*TeX)(nil)

// NewTeX returns a canvas of a size in points.
func NewTeX(width, height float64) *TeX {
	return &TeX{vgtex.New(vg.Length(width), vg.Length(height))}
}

// SetColor sets the colour of all that follows.
func (c *TeX) SetColor(k color.Color) { c.Canvas.SetColor(straight{k}) }

// FillString writes text that starts at a point.
func (c *TeX) FillString(f font.Face, pt vg.Point, text string) { c.FillAnchored(f, pt, Start, text) }

// FillAnchored writes text that starts, ends or is centred at a point.
func (c *TeX) FillAnchored(f font.Face, pt vg.Point, anchor, text string) {
	side := map[string]string{Start: "l", Middle: "c", End: "r"}[anchor]
	boxed := `\makebox[0pt][` + side + `]{` + tex.Replace(text) + `}`
	pt.X -= f.Width(boxed) / 2 // vgtex adds this to centre the whole of boxed, which it takes for the text
	c.Canvas.FillString(f, pt, boxed)
}

// FillUpright writes text upwards.
func (c *TeX) FillUpright(f font.Face, pt vg.Point, text string) { upright(c, f, pt, text) }

// Encode writes the file, with its title and what the document needs in a comment.
func (c *TeX) Encode(w io.Writer, title string) error {
	if _, err := fmt.Fprintf(w, "%% %s\n%% \\usepackage{pgf,xcolor}, then \\input this file in a figure.\n", texComment(title)); err != nil {
		return err
	}
	_, err := c.WriteTo(w)
	return err
}

// greek are the letters and signs of this field that the western code page lacks.
var greek = strings.NewReplacer("α", "alpha", "β", "beta", "γ", "gamma", "δ", "delta", "ε", "epsilon", "η", "eta", "κ", "kappa",
	"λ", "lambda", "μ", "µ", "ρ", "rho", "σ", "sigma", "τ", "tau", "φ", "phi", "ψ", "psi", "ω", "omega", "Δ", "Delta", "Σ", "Sigma", "Ψ", "Psi", "Ω", "Ohm",
	"≤", "<=", "≥", ">=", "≈", "~", "≠", "!=", "−", "-", "→", "->", "∞", "infinity", "√", "sqrt ", "∝", "~", "⌈", "", "⌉", "", "\u202f", "\u00a0", "\u2009", " ")

// beyondLatin1 are the characters of code page 1252 from 0x80 on that Latin 1 lacks. Five
// bytes there are unused.
var beyondLatin1 = []rune("€\x00‚ƒ„…†‡ˆ‰Š‹Œ\x00Ž\x00\x00‘’“”•–—˜™š›œ\x00žŸ")

const beyondFrom = 0x80

// westernText replaces what code page 1252 lacks.
func westernText(text string) string {
	return strings.Map(func(r rune) rune {
		if _, ok := codeOf(r); ok {
			return r
		}
		return '?'
	}, greek.Replace(text))
}

// codePage encodes a text of [westernText].
func codePage(text string) string {
	var out strings.Builder
	for _, r := range text {
		code, _ := codeOf(r)
		out.WriteByte(code)
	}
	return out.String()
}

// codeOf returns the byte of a character in code page 1252.
func codeOf(r rune) (code byte, ok bool) {
	if r >= ' ' && r < beyondFrom || r >= 0xa0 && r <= 0xff {
		return byte(r), true
	}
	k := slices.Index(beyondLatin1, r)
	return byte(beyondFrom + k), k >= 0 && r != 0
}

// tex lets TeX set text as it is: characters that it would read as commands, and signs that it sets in
// mathematics.
var tex = strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "#", `\#`, "$", `\$`, "_", `\_`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`, "\u00a0", "~", "\u202f", "~",
	"µ", `$\mu$`, "μ", `$\mu$`, "ψ", `$\psi$`, "Ψ", `$\Psi$`, "η", `$\eta$`, "σ", `$\sigma$`, "α", `$\alpha$`, "β", `$\beta$`, "ε", `$\epsilon$`, "λ", `$\lambda$`,
	"≤", `$\le$`, "≥", `$\ge$`, "≈", `$\approx$`, "×", `$\times$`, "−", `$-$`, "→", `$\to$`, "·", `$\cdot$`, "±", `$\pm$`, "²", `$^2$`, "³", `$^3$`, "∞", `$\infty$`,
	"…", `\dots{}`, "–", "--", "—", "---", "‘", "`", "’", "'", "“", "``", "”", "''", "€", `\texteuro{}`)

func texComment(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
}
