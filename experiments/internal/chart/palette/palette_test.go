package palette

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

var themes = map[string]Theme{"light": Light, "dark": Dark, "grey": Grey}

// just is the CIE 1976 difference that is just noticeable, and far what the colours of
// curves, bars and maps have to differ by.
const (
	just = 2.3
	far  = 8 * just
)

// visions turn light into what a reader with full deficiency of one kind of cone sees:
// Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color
// Vision Deficiency", IEEE TVCG 15(6), 2009, severity 1.
var visions = map[string][3][3]float64{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func (l light) seenWith(m [3][3]float64) (out light) {
	for i := range out {
		out[i] = min(1, max(0, m[i][0]*l[0]+m[i][1]*l[1]+m[i][2]*l[2]))
	}
	return out
}

// difference is the CIE 1976 colour difference.
func difference(a, b light) float64 {
	p, q := a.lab(), b.lab()
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}

// The expected values are those of the primaries of sRGB under D65 as Lindbloom's CIE
// calculator and textbooks print them, and of greys by hand: 0x77 is 0.1845 of white, and
// 116·0.1845^(1/3) − 16 = 50.03.
func TestLab(t *testing.T) {
	for _, tt := range []struct {
		colour  Colour
		l, a, b float64
	}{
		{0x000000, 0, 0, 0}, {0xffffff, 100, 0, 0}, {0x777777, 50.03, 0, 0},
		{0xff0000, 53.24, 80.09, 67.20}, {0x00ff00, 87.73, -86.18, 83.18}, {0x0000ff, 32.30, 79.19, -107.86},
		{0x010101, 903.3 / 255 / 12.92, 0, 0}, // the straight part of both functions
	} {
		got := tt.colour.linear().lab()
		for i, want := range []float64{tt.l, tt.a, tt.b} {
			if math.Abs(got[i]-want) > 0.05 {
				t.Errorf("#%06x has L*a*b* %.2f; expected %.2f %.2f %.2f", uint32(tt.colour), got, tt.l, tt.a, tt.b)
				break
			}
		}
		expect.Near(t, tt.colour.Lightness(), tt.l, 0.05, "L* of #%06x", uint32(tt.colour))
	}
	expect.Near(t, Contrast(0, 0xffffff), 1.05/0.05, 1e-9, "contrast of black and white")
	expect.Equal(t, Colour(0xffffff).Over(0x000000, 0.5), 0x808080, "half of white over black")
}

// WCAG 2.1 asks for a contrast of 4.5 to 1 for text (criterion 1.4.3) and of 3 to 1 for
// graphics (1.4.11).
func TestContrastWithPaper(t *testing.T) {
	for name, theme := range themes {
		check := func(what string, c, paper Colour, least float64) {
			got := Contrast(c, paper)
			expect.That(t, got >= least,
				"%s: %s, #%06x, has contrast %.2f; expected %g", name, what, uint32(c), got, least)
		}
		check("ink", theme.Ink, theme.Paper, 4.5)
		check("muted text", theme.Muted, theme.Paper, 4.5)
		if name != "grey" { // which has neither
			check("a link", theme.Link, theme.Paper, 4.5)
			check("a warning", theme.Warn, theme.Paper, 4.5)
			check("a warning on its panel", theme.Warn, theme.WarnPanel, 4.5)
			check("a control", theme.Control, theme.Paper, 3)
		}
		for k, c := range theme.Series {
			check(fmt.Sprintf("series %d", k+1), c, theme.Paper, 3)
		}
		for levels := 2; levels <= 12; levels++ {
			for k := range levels {
				check(fmt.Sprintf("level %d of %d", k+1, levels), theme.ramp(theme.Heat, Ordered(k, levels)), theme.Paper, 3)
			}
		}
		check("the strongest of a map", theme.Heat[len(theme.Heat)-1], theme.Paper, 3)
	}
}

// ramp mixes the neighbours of a share of a ramp.
func (Theme) ramp(colours []Colour, share float64) Colour {
	at := share * float64(len(colours)-1)
	low := min(int(at), len(colours)-2)
	return colours[low+1].Over(colours[low], at-float64(low))
}

// A copy without colours shows the first series of each theme apart, and levels of an
// ordered quantity in their order: all of them, and up to four as far apart as series.
func TestLightnessTellsSeriesApart(t *testing.T) {
	const least = 12
	for name, theme := range themes {
		for i, a := range theme.Series[:Apart] {
			for k, b := range theme.Series[:i] {
				d := math.Abs(a.Lightness() - b.Lightness())
				expect.That(t, d >= least,
					"%s: series %d and %d are %.1f apart in L*; expected %d", name, i+1, k+1, d, least)
			}
		}
		for levels := 2; levels <= 12; levels++ {
			sign := 0.0
			for k := 1; k < levels; k++ {
				step := theme.ramp(theme.Heat, Ordered(k, levels)).Lightness() - theme.ramp(theme.Heat, Ordered(k-1, levels)).Lightness()
				if k == 1 {
					sign = math.Copysign(1, step)
				}
				expect.That(t, step*sign > 0 && (levels > Apart || step*sign >= least),
					"%s: level %d of %d is %.1f in L* from the one before", name, k+1, levels, step)
			}
		}
	}
}

// Any two series colours of pages are well apart for every kind of colour vision.
func TestSeriesDifferForAllReaders(t *testing.T) {
	for name, theme := range themes {
		for vision, m := range visions {
			for i, a := range theme.Series {
				for k, b := range theme.Series[:i] {
					got := difference(a.linear().seenWith(m), b.linear().seenWith(m))
					expect.That(t, got >= far, "%s, %s: series %d and %d differ by %.1f", name, vision, i+1, k+1, got)
				}
			}
		}
	}
}

// The colours of a map rank by lightness alone, further from the paper with each step,
// for every kind of colour vision.
func TestHeatRanks(t *testing.T) {
	for name, theme := range themes {
		for vision, m := range visions {
			paper := theme.Paper.linear().seenWith(m)
			before, away := paper, 0.0
			for k, c := range theme.Heat {
				seen := c.linear().seenWith(m)
				lighter := math.Abs(seen.lab()[0] - paper.lab()[0])
				expect.That(t, lighter > away,
					"%s, %s: heat colour %d is %.1f in lightness from the paper, the one before %.1f", name, vision, k+1, lighter, away)
				got := difference(seen, before)
				expect.That(t, got >= far,
					"%s, %s: heat colour %d differs by %.1f from the one before", name, vision, k+1, got)
				before, away = seen, lighter
			}
		}
	}
}

// The colours of a difference go away from the paper in lightness to both sides of the
// neutral one, and the two sides differ, for every kind of colour vision. Greys cannot
// show two sides: their ramp goes one way.
func TestDivergingColours(t *testing.T) {
	for name, theme := range themes {
		if name == "grey" {
			continue
		}
		for vision, m := range visions {
			seen := func(k int) light { return theme.Both[k].linear().seenWith(m) }
			away := func(k int) float64 { return math.Abs(seen(k).lab()[0] - theme.Paper.linear().seenWith(m).lab()[0]) }
			for _, side := range [][]int{{2, 1, 0}, {2, 3, 4}} {
				for i, k := range side[1:] {
					before := side[i]
					expect.That(t, away(k) > away(before) && difference(seen(k), seen(before)) >= far,
						"%s, %s: colour %d is %.1f from the paper in lightness, colour %d %.1f; they differ by %.1f", name, vision, before, away(before), k, away(k), difference(seen(k), seen(before)))
				}
			}
			for _, pair := range [][2]int{{0, 4}, {1, 3}} {
				got := difference(seen(pair[0]), seen(pair[1]))
				expect.That(t, got >= far,
					"%s, %s: colours %d and %d differ by %.1f", name, vision, pair[0], pair[1], got)
			}
		}
	}
}

// Arrows, contours and paths lie on cells of all colours of a map, on a halo in the colour
// of the paper that shows a little of the cell. WCAG 2.1 asks for 3 to 1 (criterion
// 1.4.11): each mark has it with its halo, on which it lies, and arrows and contours,
// which are thin, have it with the cell too, or their halo has: for every step of both
// ramps.
func TestMarksHaveContrastOnEveryCell(t *testing.T) {
	const steps = 40
	for name, theme := range themes {
		for _, ramp := range [][]Colour{theme.Heat, theme.Both} {
			for step := range steps + 1 {
				cell := theme.ramp(ramp, float64(step)/steps)
				halo := theme.Paper.Over(cell, HaloOpacity)
				for _, mark := range []Colour{theme.Ink, theme.Series[0]} {
					got := Contrast(mark, halo)
					expect.That(t, got >= 3,
						"%s: #%06x has contrast %.2f with its halo #%06x", name, uint32(mark), got, uint32(halo))
				}
				got := max(Contrast(theme.Ink, cell), Contrast(halo, cell))
				expect.That(t, got >= 3, "%s: ink and its halo have contrast %.2f with the cell #%06x", name, got, uint32(cell))
			}
		}
	}
}

// The style sheet declares the same names for both kinds of page, with the colours of
// the themes in their order.
func TestStyle(t *testing.T) {
	declared := regexp.MustCompile(`--([a-z0-9-]+): #([0-9a-f]{6});`).FindAllStringSubmatch(Style(), -1)
	half := len(declared) / 2
	var names [2][]string
	for i, m := range declared {
		names[i/half] = append(names[i/half], m[1])
	}
	expect.That(t, slices.Equal(names[0], names[1]), "light pages have %q, dark ones %q", names[0], names[1])
	for i, theme := range []Theme{Light, Dark} {
		for name, want := range map[string]Colour{"paper": theme.Paper, "series-1": theme.Series[0], "series-8": theme.Series[7], "both-5": theme.Both[4]} {
			at := slices.Index(names[i], name)
			expect.That(t, at >= 0 && declared[i*half+at][2] == fmt.Sprintf("%06x", uint32(want)),
				"the style sheet has no --%s: #%06x", name, uint32(want))
		}
	}
}

// Luminance is the relative luminance of WCAG 2.1, which is Y of CIE XYZ: from 0 for
// black to 1 for white.
func (c Colour) Luminance() float64 { return c.linear().luminance() }

// Lightness is L* of CIE 1976 (CIE 15:2004), from 0 for black to 100 for white. It is how
// light a grey copy of the colour looks.
func (c Colour) Lightness() float64 { return c.linear().lab()[0] }

// Contrast is that of WCAG 2.1, from 1 for colours of the same luminance to 21 for black
// and white.
func Contrast(a, b Colour) float64 {
	y, z := a.Luminance(), b.Luminance()
	return (max(y, z) + 0.05) / (min(y, z) + 0.05)
}

// Over is the colour with an opacity over another, mixed as browsers and PDF do.
func (c Colour) Over(below Colour, opacity float64) Colour {
	var out Colour
	for shift := 16; shift >= 0; shift -= 8 {
		a, b := float64(c>>shift&0xff), float64(below>>shift&0xff)
		out |= Colour(math.Round(float64(opacity*a)+float64((1-opacity)*b))) << shift
	}
	return out
}

// A light is linear RGB, each from 0 to 1.
type light [3]float64

// linear undoes the transfer function of sRGB (IEC 61966-2-1).
func (c Colour) linear() (out light) {
	r, g, b := c.RGB()
	for i, v := range []uint8{r, g, b} {
		s := float64(v) / 255
		if out[i] = s / 12.92; s > 0.04045 {
			out[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	return out
}

func (l light) luminance() float64 { return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2] }

// lab is CIE L*a*b* under D65.
func (l light) lab() [3]float64 {
	f := func(t float64) float64 {
		if t > 216./24389 {
			return math.Cbrt(t)
		}
		return (24389./27*t + 16) / 116
	}
	x := f((0.4124*l[0] + 0.3576*l[1] + 0.1805*l[2]) / 0.9505)
	y := f(l.luminance())
	z := f((0.0193*l[0] + 0.1192*l[1] + 0.9505*l[2]) / 1.0890)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}
