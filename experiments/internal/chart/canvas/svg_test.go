package canvas

import (
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
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
	if got := FileSVG(100, 100, 10, muted).path(p); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
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
	page := PageSVG(100, 100, 10, muted)
	for _, p := range []vg.Path{long, short, long, short} {
		page.Stroke(p)
	}
	d := `d="` + page.path(long) + `"`
	if got := page.body("a-"); strings.Count(got, d) != 1 || !strings.Contains(got, `<defs><path id="a-1" `+d+"/></defs>") ||
		strings.Count(got, `<use fill=none stroke=var(--muted) href="#a-1"/>`) != 2 || strings.Count(got, "<path fill=none") != 2 {
		t.Errorf("with names the lines are\n%s", got)
	}
	if got := page.body(""); strings.Count(got, d) != 2 || strings.Contains(got, "<use") {
		t.Errorf("without names the lines are\n%s", got)
	}
}
