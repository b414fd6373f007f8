package canvas

import (
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
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
	width  float64
	height float64
	paper  bool // a file of its own, with the colours of paper
	size   float64
	plain  string // colour of text that says no other
	parts  []svgPart
	shared string    // attributes of the texts
	texts  []svgText // not yet written
	state  svgState
	stack  []svgState
}

// svgText is a text without the attributes that it shares with others.
type svgText struct{ at, content string }

// svgPart is a path, or what is written as it is.
type svgPart struct{ attributes, path, text string }

type svgState struct {
	width  float64
	dash   string
	colour color.Color
	shift  vg.Point
}

var _ Anchoring = (*SVG)(nil)

// PageSVG returns a canvas for an element of a page, and text of one size, most of it in
// one colour. Its lengths are CSS pixels.
func PageSVG(width, height, size float64, text Colour) *SVG {
	return newSVG(width, height, size, text, false)
}

// FileSVG returns a canvas for a file of its own as [PageSVG] does for a page. Its lengths
// are points.
func FileSVG(width, height, size float64, text Colour) *SVG {
	return newSVG(width, height, size, text, true)
}

func newSVG(width, height, size float64, text Colour, paper bool) *SVG {
	c := &SVG{width: width, height: height, size: size, paper: paper, state: svgState{width: 1, colour: text}}
	c.plain = c.colour()
	return c
}

func (c *SVG) SetLineWidth(w vg.Length) { c.state.width = float64(w) }
func (c *SVG) SetColor(clr color.Color) { c.state.colour = clr }
func (c *SVG) Translate(pt vg.Point)    { c.state.shift = c.state.shift.Add(pt) }
func (c *SVG) Push()                    { c.stack = append(c.stack, c.state) }
func (c *SVG) Rotate(float64)           { panic("canvas: the drawings of charts do not rotate") }
func (c *SVG) Scale(float64, float64)   { panic("canvas: the drawings of charts do not scale") }
func (c *SVG) DrawImage(vg.Rectangle, image.Image) {
	panic("canvas: the drawings of charts have no images")
}

func (c *SVG) Pop() {
	c.state = c.stack[len(c.stack)-1]
	c.stack = c.stack[:len(c.stack)-1]
}

func (c *SVG) SetLineDash(pattern []vg.Length, _ vg.Length) {
	parts := make([]string, len(pattern))
	for k, p := range pattern {
		parts[k] = coordinate(float64(p))
	}
	c.state.dash = strings.Join(parts, " ")
}

func (c *SVG) Stroke(p vg.Path) {
	if c.state.width <= 0 {
		return
	}
	c.writeTexts()
	attributes := c.attribute("fill", "none") + c.attribute("stroke", c.colour()) + c.opacity("stroke")
	if c.state.width != 1 {
		attributes += c.attribute("stroke-width", coordinate(c.state.width))
	}
	if c.state.dash != "" {
		attributes += c.attribute("stroke-dasharray", c.state.dash)
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

// dots writes a line without length for each circle of a path: with round ends it is as
// wide as the circle, and a quarter as long to write.
func (c *SVG) dots(p vg.Path) string {
	var w pathSteps
	for _, comp := range p {
		if comp.Type == vg.ArcComp {
			pt := comp.Pos.Add(c.state.shift)
			x, y := tenths(float64(pt.X)), tenths(c.height-float64(pt.Y))
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
	pt = pt.Add(c.state.shift)
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
	x := svgText{
		at: c.attribute("x", tenth(tenths(float64(pt.X)))) +
			c.attribute("y", tenth(tenths(c.height-float64(pt.Y)))),
		content: ">" + escape(text) + "</text>\n",
	}
	if width := float64(f.Width(text)); c.paper || width > unfitted*c.size {
		x.content = c.attribute("textLength", tenth(tenths(width))) + x.content
	}
	c.texts = append(c.texts, x)
}

// writeTexts writes the texts since the last path. Attributes that they share are those
// of a group; in a file each text has its own, as drawing programs like it.
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
	k, ok := c.state.colour.(Colour)
	switch {
	case ok && !c.paper:
		return k.CSS()
	case ok:
		return k.Hex()
	}
	r, g, b, _ := c.state.colour.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func (c *SVG) opacity(of string) string {
	if k, ok := c.state.colour.(Colour); ok && k.Opacity() != 1 {
		return c.attribute(of+"-opacity", coordinate(k.Opacity()))
	}
	return ""
}

// path writes a path. Its steps are relative, which is shorter. Rounding errors do not add
// up: each step leads from the rounded point before.
func (c *SVG) path(p vg.Path) string {
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
			panic("canvas: the drawings of charts have no curves")
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
		panic("canvas: " + err.Error())
	}
	return out.String()
}

// family has fonts with the same widths.
const family = "Arial,Liberation Sans,Helvetica,sans-serif"

// Encode writes the drawing with its title and description. In a page, names is how the
// identifiers in the drawing begin; "" leaves them out.
func (c *SVG) Encode(w io.Writer, title, description, names string) error {
	var out strings.Builder
	out.WriteString("<svg")
	if c.paper { // in a page the namespace is that of the element
		out.WriteString(` xmlns="http://www.w3.org/2000/svg" style="background:#fff"`) // readable on a dark page too
	}
	out.WriteString(` viewBox="0 0 ` + coordinate(c.width) + " " + coordinate(c.height) + `"`)
	if c.paper {
		out.WriteString(` width="` + coordinate(c.width) + `pt" height="` + coordinate(c.height) + `pt"`)
	}
	out.WriteString(` font-family="` + family + `" font-size="` + coordinate(c.size) + `" fill="` + c.plain + `" role="img"><title>` + escape(title) + `</title><desc>` + escape(description) + "</desc>\n")
	out.WriteString(c.body(names) + "</svg>\n")
	_, err := io.WriteString(w, out.String())
	return err
}
