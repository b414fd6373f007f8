package canvas

import (
	"bytes"
	"compress/zlib"
	"image/color"
	"io"
	"regexp"
	"strings"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/isoscale/isoscale/internal/expect"
)

// muted is a colour with a name.
const muted = namedColour("muted")

type namedColour string

func (namedColour) RGBA() (r, g, b, a uint32) { return 0, 0, 0, 0xffff }
func (k namedColour) CSS() string             { return "var(--" + string(k) + ")" }
func (namedColour) Hex() string               { return "#000000" }
func (namedColour) Opacity() float64          { return 1 }

// A page has 100 points from its lower edge up, and SVG from the upper edge down. Two
// triangles, the second 10 to the right of the first; a line; a circle of radius 2 around
// (50, 50), which begins at its right end. A move is relative where that is shorter, and
// pairs after a relative move or line are lines.
func TestPathIsRelative(t *testing.T) {
	var p vg.Path
	corner := func(x, y float64) vg.Point { return vg.Point{X: vg.Length(x), Y: vg.Length(100 - y)} }
	for _, x := range []float64{110, 120} {
		p.Move(corner(x, 20))
		p.Line(corner(x+5, 25.5))
		p.Line(corner(x-1, 24.25)) // a quarter is rounded to 24.3 below, from 75.75 above
		p.Close()
	}
	p.Move(corner(0, 0))
	p.Line(corner(7, 0))
	p.Line(corner(7, 3))
	p.Move(corner(52, 50))
	p.Arc(corner(50, 50), 2, 0, 6.28)
	p.Close()
	const want = "M110 20l5 5.5-6-1.2zm10 0 5 5.5-6-1.2z" + "M0 0h7v3" + "M52 50a2 2 0 1 1-4 0a2 2 0 1 1 4 0z"
	got := NewSVG(100, 100, 10, muted, true).path(p)
	expect.That(t, got == want, "got  %s\nwant %s", got, want)
}

// A long line that is drawn twice is defined once in a page that has names for it; short
// ones, and lines of a file, are written each time.
func TestLinesDrawnTwiceAreDefinedOnce(t *testing.T) {
	var long, short vg.Path
	for i := range 40 {
		k := vg.Length(i)
		long.Move(vg.Point{X: k, Y: k * k})
		long.Line(vg.Point{X: 3 * k, Y: k})
	}
	short.Move(vg.Point{})
	short.Line(vg.Point{X: 1, Y: 1})
	page := NewSVG(100, 100, 10, muted, false)
	for _, p := range []vg.Path{long, short, long, short} {
		page.Stroke(p)
	}
	d := `d="` + page.path(long) + `"`
	got := page.body("a-")
	expect.That(t, strings.Count(got, d) == 1 && strings.Contains(got, `<defs><path id="a-1" `+d+"/></defs>") &&
		strings.Count(got, `<use fill=none stroke=var(--muted) href="#a-1"/>`) == 2 &&
		strings.Count(got, "<path fill=none") == 2,
		"with names the lines are\n%s", got)
	got = page.body("")
	expect.That(t, strings.Count(got, d) == 2 && !strings.Contains(got, "<use"), "without names the lines are\n%s", got)
}

// The same drawing in a page, in a file, in PDF and in TeX: a text in the middle of a line that
// is 40 above the lower edge of 100, another at its start, a disc of radius 3 and a dashed line. In
// a page a disc is a line without length, 6 wide, and texts of one kind are in a group.
func TestOneDrawingInEachFormat(t *testing.T) {
	sans, err := opentype.Parse(liberationsansregular.TTF)
	expect.Success(t, err)
	face := font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: 10}, Face: sans}
	draw := func(c vg.Canvas) {
		c.SetColor(muted)
		c.SetLineWidth(2)
		c.SetLineDash([]vg.Length{3, 1.5}, 0)
		var line, disc vg.Path
		line.Move(vg.Point{X: 10, Y: 40})
		line.Line(vg.Point{X: 90, Y: 40})
		c.Stroke(line)
		disc.Move(vg.Point{X: 53, Y: 50})
		disc.Arc(vg.Point{X: 50, Y: 50}, 3, 0, 6.28)
		c.Fill(disc)
		at := vg.Point{X: 50, Y: 40}
		for _, text := range []string{"ψ < 5 %", "µ & ω"} {
			if a, ok := c.(Anchoring); ok {
				a.FillAnchored(face, at, Middle, text)
			}
		}
		c.FillString(face, vg.Point{X: 10, Y: 40}, "7 → 8…")
		if a, ok := c.(Anchoring); ok {
			c.SetColor(color.NRGBA{R: 255, G: 255, B: 255, A: 51}) // a fifth of white
			a.FillUpright(face, vg.Point{X: 20, Y: 70}, "up")
		}
	}
	page, file, pdf, tex := NewSVG(100, 100, 10, muted, false), NewSVG(100, 100, 10, muted, true), NewPDF(100, 100), NewTeX(100, 100)
	texts := map[string]*bytes.Buffer{"page": {}, "file": {}, "pdf": {}, "tex": {}}
	draw(page)
	draw(file)
	draw(pdf)
	draw(tex)
	_, pdfErr := pdf.WriteTo(texts["pdf"])
	for _, err := range []error{page.Encode(texts["page"], "A <b>", "All", ""), file.Encode(texts["file"], "A", "All", ""), pdfErr, tex.Encode(texts["tex"], "A\nb")} {
		expect.Success(t, err)
	}
	for format, wants := range map[string][]string{
		"page": {"<title>A &lt;b&gt;</title><desc>All</desc>", "stroke=var(--muted) stroke-width=2 stroke-dasharray=\"3 1.5\" d=\"M10 60h80\"",
			"stroke-width=6 stroke-linecap=round d=\"M50 50h0\"", "<g text-anchor=middle>\n<text x=50 y=60", ">ψ &lt; 5 %</text>", "<text x=10 y=60",
			`x=20 y=30 transform="rotate(-90 20 30)"`},
		"file": {`width="100pt" height="100pt"`, `stroke="#000000" stroke-width="2" stroke-dasharray="3 1.5"`, `a3 3 0 1 1-6 0`, `<text x="50" y="60" text-anchor="middle" textLength="`, `>µ &amp; ω</text>`},
		"pdf":  {"%PDF-", "/MediaBox [0 0 100.00 100.00]", "D:20000101000000", "%%EOF"},
		"tex": {`\pgftransformrotate{90}`, `at={\pgfpoint{70pt}{-20pt}}`, `\color[rgb]{1,1,1}`, `\pgfsetfillopacity{0.2}`,
			"% A b\n", `\makebox[0pt][c]{$\psi$ \textless{} 5 \%}`, `\makebox[0pt][c]{$\mu$ \& ω}`, `\makebox[0pt][l]{7 $\to$ 8\dots{}}`},
	} {
		expect.Says(t, texts[format].String(), wants...)
	}
	expect.Equal(t, westernText("ψ ≤ 5 µs – 漢"), "psi <= 5 µs – ?", "in the western code page")
}

// A PDF has a byte of code page 1252 for each character, by Unicode's table for it: 0x85 is
// the ellipsis, 0x96 the dash, 0xB5 micro, 0xD7 times, 0xA0 the space that does not break. A text in
// the middle starts where what is written in place of it, and not the text, has half of its width on
// either side.
func TestTextOfPDFIsInItsCodePage(t *testing.T) {
	sans := expect.Value(opentype.Parse(liberationsansregular.TTF))(t)
	face := font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: 10}, Face: sans}
	for text, want := range map[string]string{
		"achieved sp…": "achieved sp\x85", "0–2": "0\x962", "5 µs × 2": "5 \xb5s \xd7 2", "400\u00a0000": "400\xa0000", "€": "\x80",
		"Ÿ": "\x9f", "ψ ≤ 漢": "psi <= ?", "\u0081": "?", "\x00": "?",
	} {
		pdf := NewPDF(100, 100)
		pdf.FillString(face, vg.Point{X: 10, Y: 40}, text)
		got := shownText(t, pdf)
		expect.That(t, len(got) == 1 && got[0] == want, "%q is written as %q, want %q", text, got, want)
	}
	middle, start := NewPDF(100, 100), NewPDF(100, 100)
	middle.FillAnchored(face, vg.Point{X: 50, Y: 40}, Middle, "ψ")
	start.FillString(face, vg.Point{X: 50 - face.Width("psi")/2, Y: 40}, "psi")
	expect.Equal(t, contents(t, middle), contents(t, start), "in the middle")
}

// contents are the operators of a page.
func contents(t *testing.T, c *PDF) string {
	t.Helper()
	var file bytes.Buffer
	if _, err := c.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	for _, stream := range bytes.Split(file.Bytes(), []byte("stream\n"))[1:] {
		r, err := zlib.NewReader(bytes.NewReader(stream))
		if err != nil {
			continue // after the end of one
		}
		if text, err := io.ReadAll(r); err == nil && bytes.Contains(text, []byte("Tj")) {
			return string(text)
		}
	}
	t.Fatal("the PDF has no text")
	return ""
}

// shownText is what the operator Tj shows.
func shownText(t *testing.T, c *PDF) (texts []string) {
	for _, m := range regexp.MustCompile(`(?s)\(([^()]*)\) ?Tj`).FindAllStringSubmatch(contents(t, c), -1) {
		texts = append(texts, m[1])
	}
	return texts
}
