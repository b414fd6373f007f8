package canvas

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/isoscale/isoscale/internal/each"
)

// A Colour is one that the style sheet of a page may have a name for.
type Colour interface {
	color.Color
	CSS() string      // its value in a page: its name, where it has one
	Hex() string      // as #rrggbb, whatever its opacity
	Opacity() float64 // from 0 to 1
}

// An SVG is a canvas that writes short SVG: the colours of a page are names of its style
// sheet, so that the drawing follows the theme, and text is text. vgsvg of gonum has
// no such names.
type SVG struct {
	vg.Canvas // nil: drawings of charts have no images and no transformations, except for upright text

	width  float64
	height float64
	paper  bool // a file of its own, with the colours of paper
	size   float64
	plain  string // colour of text that says no other
	parts  []svgPart
	shared string    // attributes of the texts
	texts  []svgText // not yet written

	line float64 // width
	dash string
	ink  color.Color
}

// svgText is a text without the attributes that it shares with others.
type svgText struct{ at, content string }

// svgPart is a path, or what is written as it is.
type svgPart struct{ attributes, path, text string }

var _ Anchoring = (*SVG)(nil)

// NewSVG returns a canvas for an element of a page, whose lengths are CSS pixels, or for a file of
// its own in points. Its text has one size, and most of it one colour.
func NewSVG(width, height, size float64, text Colour, paper bool) *SVG {
	c := &SVG{width: width, height: height, size: size, paper: paper, line: 1, ink: text}
	c.plain = c.colour()
	return c
}

func (c *SVG) SetLineWidth(w vg.Length) { c.line = float64(w) }
func (c *SVG) SetColor(clr color.Color) { c.ink = clr }

func (c *SVG) SetLineDash(pattern []vg.Length, _ vg.Length) {
	parts := each.Of(pattern, func(p vg.Length) string { return coordinate(float64(p)) })
	c.dash = strings.Join(parts, " ")
}

func (c *SVG) Stroke(p vg.Path) {
	if c.line <= 0 {
		return
	}
	c.writeTexts()
	attributes := c.attribute("fill", "none") + c.attribute("stroke", c.colour()) + c.opacity("stroke")
	if c.line != 1 {
		attributes += c.attribute("stroke-width", coordinate(c.line))
	}
	if c.dash != "" {
		attributes += c.attribute("stroke-dasharray", c.dash)
	}
	c.parts = append(c.parts, svgPart{attributes: attributes, path: c.path(p)})
}

func (c *SVG) Fill(p vg.Path) {
	c.writeTexts()
	if radius, ok := discs(p); ok && !c.paper {
		c.parts = append(c.parts, svgPart{
			attributes: c.attribute("fill", "none") + c.attribute("stroke", c.colour()) + c.opacity("stroke") +
				c.attribute("stroke-width", tenth(2*tenths(radius))) + c.attribute("stroke-linecap", "round"),
			path: c.dots(p),
		})
		return
	}
	c.parts = append(c.parts, svgPart{attributes: c.attribute("fill", c.colour()) + c.opacity("fill"), path: c.path(p)})
}

// discs returns the radius of circles of one size, if a path has nothing else.
func discs(p vg.Path) (radius float64, ok bool) {
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp, vg.CloseComp:
		case vg.ArcComp:
			if ok && radius != float64(comp.Radius) {
				return 0, false
			}
			radius, ok = float64(comp.Radius), true
		default:
			return 0, false
		}
	}
	return radius, ok
}

// dots writes a line of no length for each circle of a path. Its round ends look like the
// circle, and take a quarter of the characters.
func (c *SVG) dots(p vg.Path) string {
	var w pathSteps
	for _, comp := range p {
		if comp.Type == vg.ArcComp {
			x, y := c.place(comp.Pos)
			w.move(x, y)
			w.line(x, y)
			w.moved = false
		}
	}
	return w.out.String()
}

func (c *SVG) FillString(f font.Face, pt vg.Point, text string) { c.FillAnchored(f, pt, Start, text) }

// unfitted is the width, in heights of text, of texts that other fonts make wider by a pixel
// or two: of numbers with two digits.
const unfitted = 1.2

// FillAnchored writes text that starts, ends or is centred at a point. Its length is that
// of the layout, also in a browser with another font; in pages short texts have their own.
func (c *SVG) FillAnchored(f font.Face, pt vg.Point, anchor, text string) {
	c.fill(f, pt, anchor, text, false)
}

// FillUpright writes text upwards.
func (c *SVG) FillUpright(f font.Face, pt vg.Point, text string) { c.fill(f, pt, Middle, text, true) }

func (c *SVG) fill(f font.Face, pt vg.Point, anchor, text string, upwards bool) {
	shared := ""
	if colour := c.colour(); colour != c.plain {
		shared += c.attribute("fill", colour)
	}
	if anchor != Start {
		shared += c.attribute("text-anchor", anchor)
	}
	if shared != c.shared {
		c.writeTexts()
		c.shared = shared
	}
	left, base := c.place(pt)
	x := svgText{c.attribute("x", tenth(left)) + c.attribute("y", tenth(base)), ">" + escape(text) + "</text>\n"}
	if upwards {
		x.at += c.attribute("transform", "rotate(-90 "+pair(left, base)+")")
	}
	if width := float64(f.Width(text)); c.paper || width > unfitted*c.size {
		x.content = c.attribute("textLength", tenth(tenths(width))) + x.content
	}
	c.texts = append(c.texts, x)
}

// writeTexts writes the texts since the last path. A group has the attributes that they
// share; in a file each text has its own, which suits drawing programs.
func (c *SVG) writeTexts() {
	if len(c.texts) == 0 {
		return
	}
	var out strings.Builder
	group := !c.paper && c.shared != "" && len(c.texts) > 1
	if group {
		out.WriteString("<g" + c.shared + ">\n")
		c.shared = ""
	}
	for _, text := range c.texts {
		out.WriteString("<text" + text.at + c.shared + text.content)
	}
	if group {
		out.WriteString("</g>\n")
	}
	c.shared, c.texts = "", c.texts[:0]
	c.parts = append(c.parts, svgPart{text: out.String()})
}

// longPath is how many characters a path has that is worth a definition.
const longPath = 80

// body writes all that was drawn. In a page, lines that are drawn twice, over their halo,
// are defined once; names gives the definitions names that nothing else in the page has.
func (c *SVG) body(names string) string {
	c.writeTexts()
	times, defined := map[string]int{}, map[string]string{}
	if names != "" {
		for _, x := range c.parts {
			times[x.path]++
		}
	}
	var out strings.Builder
	for _, x := range c.parts {
		switch {
		case x.text != "":
			out.WriteString(x.text)
		case x.path == "":
		case times[x.path] < 2 || len(x.path) < longPath:
			out.WriteString("<path" + x.attributes + ` d="` + x.path + "\"/>\n")
		default:
			name := defined[x.path]
			if name == "" {
				name = names + strconv.Itoa(len(defined)+1)
				defined[x.path] = name
				out.WriteString(`<defs><path id="` + name + `" d="` + x.path + "\"/></defs>\n")
			}
			out.WriteString("<use" + x.attributes + ` href="#` + name + "\"/>\n")
		}
	}
	return out.String()
}

// attribute writes an attribute with a space before it: in a page without quotes where
// HTML needs none, in a file as XML.
func (c *SVG) attribute(name, value string) string {
	if !c.paper && value != "" && !strings.ContainsAny(value, " \t\n\"'`=<>/") {
		return " " + name + "=" + value
	}
	return " " + name + `="` + value + `"`
}

// colour returns the colour as an attribute has it.
func (c *SVG) colour() string {
	k, ok := c.ink.(Colour)
	switch {
	case ok && !c.paper:
		return k.CSS()
	case ok:
		return k.Hex()
	}
	r, g, b, _ := c.ink.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func (c *SVG) opacity(of string) string {
	if k, ok := c.ink.(Colour); ok && k.Opacity() != 1 {
		return c.attribute(of+"-opacity", coordinate(k.Opacity()))
	}
	return ""
}

// path writes a path. Its steps are relative, which is shorter. Rounding errors do not add
// up: each step leads from the rounded point before.
func (c *SVG) path(p vg.Path) string {
	var w pathSteps
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			w.move(c.place(comp.Pos))
		case vg.LineComp:
			w.line(c.place(comp.Pos))
		case vg.ArcComp: // whole circles only, from their right end
			w.move(c.place(vg.Point{X: comp.Pos.X + comp.Radius, Y: comp.Pos.Y}))
			w.circle(tenths(float64(comp.Radius)))
		case vg.CloseComp:
			w.close()
		default:
			panic("canvas: the drawings of charts have no curves")
		}
	}
	return w.out.String()
}

// place is a point from the top left, in tenths.
func (c *SVG) place(pt vg.Point) (x, y int) {
	return tenths(float64(pt.X)), tenths(c.height - float64(pt.Y))
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
	to := "M" + pair(x, y)
	w.last = 0
	if step := "m" + pair(x-w.x, y-w.y); w.out.Len() > 0 && len(step) < len(to) {
		to = step
		w.last = 'l' // of pairs after a relative move
	}
	w.out.WriteString(to)
	w.x, w.y, w.x0, w.y0, w.moved = x, y, x, y, true
}

func (w *pathSteps) line(x, y int) {
	switch step := pair(x-w.x, y-w.y); {
	case y == w.y:
		w.out.WriteString("h" + tenth(x-w.x))
		w.last = 'h'
	case x == w.x:
		w.out.WriteString("v" + tenth(y-w.y))
		w.last = 'v'
	case w.last == 'l' && step[0] != '-':
		w.out.WriteString(" " + step)
	case w.last == 'l':
		w.out.WriteString(step)
	default:
		w.out.WriteString("l" + step)
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
	if whole, part, _ := strings.Cut(text, "."); part != "" && strings.TrimPrefix(whole, "-") == "0" {
		return strings.TrimSuffix(whole, "0") + "." + part
	}
	return text
}

// pair writes two numbers, with a space between where the second has no sign to separate it.
func pair(x, y int) string {
	if y < 0 {
		return tenth(x) + tenth(y)
	}
	return tenth(x) + " " + tenth(y)
}

// coordinate writes a length to a hundredth.
func coordinate(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

func escape(text string) string {
	var out strings.Builder
	if err := xml.EscapeText(&out, []byte(text)); err != nil { // a strings.Builder has no errors
		panic("canvas: " + err.Error())
	}
	return out.String()
}

// family has fonts with the same widths. Drawings in pages have them by report.css.
const family = "Arial,Liberation Sans,Helvetica,sans-serif"

// Encode writes the drawing with its title and description. In a page, names is how the
// identifiers in the drawing begin; "" leaves them out.
func (c *SVG) Encode(w io.Writer, title, description, names string) error {
	var out strings.Builder
	size := ` viewBox="0 0 ` + coordinate(c.width) + " " + coordinate(c.height) + `"`
	// In a page the namespace is that of the element, and its style sheet sets the font
	// once. A white background makes a file readable on a dark page too.
	if c.paper {
		size = ` xmlns="http://www.w3.org/2000/svg" style="background:#fff"` + size + ` width="` + coordinate(c.width) +
			`pt" height="` + coordinate(c.height) + `pt" font-family="` + family + `"`
	}
	out.WriteString("<svg" + size)
	out.WriteString(` font-size="` + coordinate(c.size) + `" fill="` + c.plain + `" role="img"><title>` + escape(title) + `</title><desc>` + escape(description) + "</desc>\n")
	out.WriteString(c.body(names) + "</svg>\n")
	_, err := io.WriteString(w, out.String())
	return err
}
