package figure

import (
	"encoding/xml"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// svg is a canvas that writes short SVG: the colours of a page are names of its style
// sheet, so that the drawing follows the theme, and text is text. vgsvg of gonum has
// no such names.
type svg struct {
	height float64
	paper  bool // a file of its own, with the colours of paper
	size   float64
	plain  string // colour of text that says no other
	body   strings.Builder
	state  svgState
	stack  []svgState
}

type svgState struct {
	width  float64
	dash   string
	colour color.Color
	shift  vg.Point
}

var _ vg.Canvas = (*svg)(nil)

// newSVG returns a canvas for text of one size, most of it muted.
func newSVG(height, size float64, muted ink, paper bool) *svg {
	c := &svg{height: height, size: size, paper: paper, state: svgState{width: 1, colour: muted}}
	c.plain = c.colour()
	return c
}

func (c *svg) SetLineWidth(w vg.Length) { c.state.width = float64(w) }
func (c *svg) SetColor(clr color.Color) { c.state.colour = clr }
func (c *svg) Translate(pt vg.Point)    { c.state.shift = c.state.shift.Add(pt) }
func (c *svg) Push()                    { c.stack = append(c.stack, c.state) }
func (c *svg) Rotate(float64)           { panic("figure: the drawings of charts do not rotate") }
func (c *svg) Scale(float64, float64)   { panic("figure: the drawings of charts do not scale") }
func (c *svg) DrawImage(vg.Rectangle, image.Image) {
	panic("figure: the drawings of charts have no images")
}

func (c *svg) Pop() {
	c.state = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

func (c *svg) SetLineDash(pattern []vg.Length, _ vg.Length) {
	parts := make([]string, len(pattern))
	for k, p := range pattern {
		parts[k] = coordinate(float64(p))
	}
	c.state.dash = strings.Join(parts, " ")
}

func (c *svg) Stroke(p vg.Path) {
	if c.state.width <= 0 {
		return
	}
	c.body.WriteString(`<path fill="none" stroke="` + c.colour() + `"` + c.opacity("stroke"))
	if c.state.width != 1 {
		c.body.WriteString(` stroke-width="` + coordinate(c.state.width) + `"`)
	}
	if c.state.dash != "" {
		c.body.WriteString(` stroke-dasharray="` + c.state.dash + `"`)
	}
	c.body.WriteString(` d="` + c.path(p) + "\"/>\n")
}

func (c *svg) Fill(p vg.Path) {
	c.body.WriteString(`<path fill="` + c.colour() + `"` + c.opacity("fill") + ` d="` + c.path(p) + "\"/>\n")
}

func (c *svg) FillString(f font.Face, pt vg.Point, text string) { c.anchored(f, pt, "start", text) }

// anchored writes text that starts, ends or is centred at a point. Its length is that
// of the layout, also in a browser with another font.
func (c *svg) anchored(f font.Face, pt vg.Point, anchor, text string) {
	pt = pt.Add(c.state.shift)
	c.body.WriteString(`<text x="` + tenth(tenths(float64(pt.X))) + `" y="` + tenth(tenths(c.height-float64(pt.Y))) + `"`)
	if colour := c.colour(); colour != c.plain {
		c.body.WriteString(` fill="` + colour + `"`)
	}
	if anchor != "start" {
		c.body.WriteString(` text-anchor="` + anchor + `"`)
	}
	c.body.WriteString(` textLength="` + tenth(tenths(float64(f.Width(text)))) + `">` + escape(text) + "</text>\n")
}

// colour returns the colour as an attribute has it.
func (c *svg) colour() string {
	k, ok := c.state.colour.(ink)
	switch {
	case ok && !c.paper:
		return k.css()
	case ok:
		return k.hex()
	}
	r, g, b, _ := c.state.colour.RGBA()
	return ink{r: uint8(r >> 8), g: uint8(g >> 8), b: uint8(b >> 8)}.hex()
}

func (c *svg) opacity(of string) string {
	if k, ok := c.state.colour.(ink); ok && k.opacity != 1 {
		return " " + of + `-opacity="` + coordinate(k.opacity) + `"`
	}
	return ""
}

// path writes a path. Its steps are relative, which is shorter. Rounding errors do not add
// up: each step leads from the rounded point before.
func (c *svg) path(p vg.Path) string {
	var w pathSteps
	to := func(pt vg.Point) (x, y int) {
		pt = pt.Add(c.state.shift)
		return tenths(float64(pt.X)), tenths(c.height - float64(pt.Y))
	}
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			w.move(to(comp.Pos))
		case vg.LineComp:
			w.line(to(comp.Pos))
		case vg.ArcComp: // whole circles only, from their right end
			w.move(to(vg.Point{X: comp.Pos.X + comp.Radius, Y: comp.Pos.Y}))
			w.circle(tenths(float64(comp.Radius)))
		case vg.CloseComp:
			w.close()
		default:
			panic("figure: the drawings of charts have no curves")
		}
	}
	return w.out.String()
}

// pathSteps writes the steps of a path in tenths.
type pathSteps struct {
	out    strings.Builder
	x, y   int  // where the last step led
	x0, y0 int  // where the last move led
	last   byte // the letter that a pair of numbers alone would repeat; 0 none
	moved  bool // the last step was a move
}

// move begins a line at a point, relative to the last one where that is shorter.
func (w *pathSteps) move(x, y int) {
	if w.moved && x == w.x && y == w.y {
		return
	}
	to := "M" + tenth(x) + joined(tenth(y))
	w.last = 0
	if step := "m" + tenth(x-w.x) + joined(tenth(y-w.y)); w.out.Len() > 0 && len(step) < len(to) {
		to = step
		w.last = 'l' // of pairs after a relative move
	}
	w.out.WriteString(to)
	w.x, w.y, w.x0, w.y0, w.moved = x, y, x, y, true
}

func (w *pathSteps) line(x, y int) {
	dx, dy := tenth(x-w.x), tenth(y-w.y)
	switch {
	case dy == "0":
		w.out.WriteString("h" + dx)
		w.last = 'h'
	case dx == "0":
		w.out.WriteString("v" + dy)
		w.last = 'v'
	case w.last == 'l':
		w.out.WriteString(joined(dx) + joined(dy))
	default:
		w.out.WriteString("l" + dx + joined(dy))
		w.last = 'l'
	}
	w.x, w.y, w.moved = x, y, false
}

// circle draws a circle from its right end, and leads back there.
func (w *pathSteps) circle(radius int) {
	r, d := tenth(radius), tenth(2*radius)
	w.out.WriteString("a" + r + " " + r + " 0 1 1-" + d + " 0" + "a" + r + " " + r + " 0 1 1 " + d + " 0")
	w.last, w.moved = 0, false
}

func (w *pathSteps) close() {
	w.out.WriteString("z")
	w.x, w.y, w.last, w.moved = w.x0, w.y0, 0, false
}

func tenths(v float64) int { return int(math.Round(v * 10)) }

// tenth writes a number of tenths.
func tenth(n int) string {
	text := strconv.FormatFloat(float64(n)/10, 'f', -1, 64)
	if rest, ok := strings.CutPrefix(text, "0."); ok {
		return "." + rest
	}
	if rest, ok := strings.CutPrefix(text, "-0."); ok {
		return "-." + rest
	}
	return text
}

// joined puts a space before a number that has no sign to separate it.
func joined(number string) string {
	if strings.HasPrefix(number, "-") {
		return number
	}
	return " " + number
}

// coordinate writes a length to a hundredth.
func coordinate(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

func escape(text string) string {
	var out strings.Builder
	if err := xml.EscapeText(&out, []byte(text)); err != nil { // a strings.Builder has no errors
		panic("figure: " + err.Error())
	}
	return out.String()
}

// family has fonts with the same widths.
const family = "Arial,Liberation Sans,Helvetica,sans-serif"

// writeTo writes the drawing with its title and description.
func (c *svg) writeTo(w io.Writer, width float64, unit string, title, description string) error {
	var out strings.Builder
	out.WriteString("<svg")
	if c.paper { // in a page the namespace is that of the element
		out.WriteString(` xmlns="http://www.w3.org/2000/svg" style="background:#fff"`) // readable on a dark page too
	}
	out.WriteString(` viewBox="0 0 ` + coordinate(width) + " " + coordinate(c.height) + `"`)
	if unit != "" {
		out.WriteString(` width="` + coordinate(width) + unit + `" height="` + coordinate(c.height) + unit + `"`)
	}
	out.WriteString(` font-family="` + family + `" font-size="` + coordinate(c.size) + `" fill="` + c.plain + `" role="img"><title>` + escape(title) + `</title><desc>` + escape(description) + "</desc>\n")
	out.WriteString(c.body.String() + "</svg>\n")
	_, err := io.WriteString(w, out.String())
	return err
}
