package chart

import (
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"github.com/isoscale/isoscale/experiments/internal/chart/canvas"
	"github.com/isoscale/isoscale/internal/each"
)

// A sheet is what charts are drawn on: a canvas with its origin at the top left, a
// size of text, and inks.
type sheet struct {
	canvas        canvas.Anchoring
	width, height float64
	em            float64 // the size of text; all other lengths follow from it
	theme         *theme
}

type point struct{ x, y float64 }

var sans = sync.OnceValue(func() *opentype.Font {
	face, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil { // it is part of the program
		panic("figure: " + err.Error())
	}
	return face
})

func face(size float64) font.Face {
	return font.Face{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: font.Length(size)}, Face: sans()}
}

func measure(text string, size float64) float64 {
	f := face(size)
	return float64(f.Width(text))
}

// mostFitted bounds the characters of a text that are measured: no line has room for more.
const mostFitted = 1000

// number matches a number from 1 with decimals at the start of a label: its whole part and its decimals.
var number = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([1-9]\d*)\.(\d+)(?:\s|$)`) })

// fit returns a text, or as much of its beginning as a line has room for. A leading number is first rounded, to no
// fewer than three digits: "215 Mbit/s" says more than "215.443 M…".
func fit(text string, room, size float64) string {
	letters := []rune(text)
	if len(letters) <= mostFitted && measure(text, size) <= room {
		return text
	}
	if n := number().FindStringSubmatch(text); n != nil && len(letters) <= mostFitted {
		whole, after := n[1], text[len(n[1])+1+len(n[2]):]
		value, _ := strconv.ParseFloat(whole+"."+n[2], 64)
		for digits := len(n[2]) - 1; digits >= max(0, 3-len(whole)); digits-- {
			if rounded := strconv.FormatFloat(value, 'f', digits, 64) + after; measure(rounded, size) <= room {
				return rounded
			}
		}
	}
	letters = letters[:min(len(letters), mostFitted)]
	cut := func(n int) string { return strings.TrimRight(string(letters[:n]), " ") + "…" }
	tooLong := sort.Search(len(letters), func(n int) bool { return measure(cut(n), size) > room })
	return cut(max(0, tooLong-1))
}

// at returns a place in the coordinates of the canvas, whose origin is at the bottom.
func (s *sheet) at(p point) vg.Point {
	return vg.Point{X: vg.Length(round(p.x)), Y: vg.Length(round(s.height - p.y))}
}

// round keeps files short: a hundredth of a point is not visible.
func round(v float64) float64 { return math.Round(v*100) / 100 }

// A stroke says how a line is drawn: its width and its dashes, in em.
type stroke struct {
	ink   ink
	width float64
	dash  []float64
}

// pen sets the canvas to a stroke.
func (s *sheet) pen(k stroke) {
	s.canvas.SetColor(k.ink)
	s.canvas.SetLineWidth(vg.Length(round(k.width * s.em)))
	s.canvas.SetLineDash(each.Of(k.dash, func(d float64) vg.Length { return vg.Length(round(d * s.em)) }), 0)
}

func (s *sheet) lines(k stroke, lines ...[]point) {
	var p vg.Path
	for _, line := range lines {
		s.join(&p, line)
	}
	if len(p) > 0 {
		s.pen(k)
		s.canvas.Stroke(p)
	}
}

func (s *sheet) areas(k ink, polygons ...[]point) {
	if p := s.closed(polygons); len(p) > 0 {
		s.canvas.SetColor(k)
		s.canvas.Fill(p)
	}
}

func (s *sheet) edges(k stroke, polygons ...[]point) {
	if p := s.closed(polygons); len(p) > 0 {
		s.pen(k)
		s.canvas.Stroke(p)
	}
}

func (s *sheet) closed(polygons [][]point) (p vg.Path) {
	for _, polygon := range polygons {
		s.join(&p, polygon)
		p.Close()
	}
	return p
}

func (s *sheet) join(p *vg.Path, points []point) {
	for i, q := range points {
		if i == 0 {
			p.Move(s.at(q))
		} else {
			p.Line(s.at(q))
		}
	}
}

// A box is a rectangle on a sheet.
type box struct{ left, top, right, bottom float64 }

// corners returns the corners of a box, and outline the closed line through them.
func (b box) corners() []point {
	return []point{{b.left, b.top}, {b.right, b.top}, {b.right, b.bottom}, {b.left, b.bottom}}
}

func (b box) outline() []point { return append(b.corners(), point{b.left, b.top}) }

func (b box) overlaps(o box) bool {
	return b.left < o.right && o.left < b.right && b.top < o.bottom && o.top < b.bottom
}

// Where text is relative to its point.
const (
	start = canvas.Start
	mid   = canvas.Middle
	end   = canvas.End
)

// text writes a line of text with its baseline at y.
func (s *sheet) text(k ink, x, y float64, anchor, text string) {
	if text == "" {
		return
	}
	s.canvas.SetColor(k)
	s.canvas.FillAnchored(face(s.em), s.at(point{x, y}), anchor, text)
}

// before returns how much of the width of a text lies left of its point.
func before(anchor string, width float64) float64 {
	switch anchor {
	case mid:
		return width / 2
	case end:
		return width
	}
	return 0
}

// haloed writes text over lines and covers most of the lines behind it.
func (s *sheet) haloed(x, y float64, anchor, text string) {
	s.areas(s.theme.paper.faded(0.85), s.around(x, y, anchor, text).corners())
	s.text(s.theme.ink, x, y, anchor, text)
}

func (s *sheet) around(x, y float64, anchor, text string) box {
	w := measure(text, s.em)
	x -= before(anchor, w)
	return box{x - 0.1*s.em, y - 0.85*s.em, x + w + 0.1*s.em, y + 0.25*s.em}
}

// shapes has the corners of the marks of points, of about equal areas: circle (without corners),
// square, triangles up and down, diamond and cross.
var shapes = [][]point{
	nil,
	{{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
	{{0, -1.2}, {1.1, 0.8}, {-1.1, 0.8}},
	{{0, 1.2}, {1.1, -0.8}, {-1.1, -0.8}},
	{{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}},
	{{-thin, -1.1}, {thin, -1.1}, {thin, -thin}, {1.1, -thin}, {1.1, thin}, {thin, thin},
		{thin, 1.1}, {-thin, 1.1}, {-thin, thin}, {-1.1, thin}, {-1.1, -thin}, {-thin, -thin}},
}

const thin = 0.4 // half of the width of an arm of the cross

// marks draws the same shape at many points, as one path.
func (s *sheet) marks(k ink, shape int, radius float64, points []point) {
	if len(points) == 0 {
		return
	}
	var p vg.Path
	r := radius * s.em
	for _, at := range points {
		corners := slices.Clone(shapes[shape%len(shapes)])
		if corners == nil {
			centre := s.at(at)
			p.Move(vg.Point{X: centre.X + vg.Length(round(r)), Y: centre.Y})
			p.Arc(centre, vg.Length(round(r)), 0, 2*math.Pi)
		}
		for i, c := range corners {
			corners[i] = point{at.x + c.x*r, at.y + c.y*r}
		}
		s.join(&p, corners)
		p.Close()
	}
	s.canvas.SetColor(k)
	s.canvas.Fill(p)
}

// hatch draws slanted lines in boxes, for bars that colour alone does not tell apart.
func (s *sheet) hatch(kind int, boxes []box) {
	if kind == 0 {
		return
	}
	// Where there are many bars each has fewer lines, so that a drawing with a bar for each
	// of a thousand ranks stays below the limit for the size of its page.
	const most = 300
	across := each.Sum(boxes, func(b box) float64 { return b.right - b.left + b.bottom - b.top })
	gap := math.Max(0.55*s.em, across/most)
	var lines [][]point
	for _, b := range boxes {
		h := b.bottom - b.top
		for bit, y := range [][2]float64{{b.bottom, b.top}, {b.top, b.bottom}} { // rising, falling
			for x := b.left - h + gap; x < b.right && kind&(1<<bit) != 0; x += gap {
				if from, to, ok := b.through(point{x, y[0]}, point{x + h, y[1]}); ok {
					lines = append(lines, []point{from, to})
				}
			}
		}
	}
	s.lines(stroke{ink: s.theme.paper, width: 0.09}, lines...)
}
