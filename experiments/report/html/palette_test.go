package html

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A colour is linear RGB in [0, 1].
type colour [3]float64

func parseColour(t *testing.T, hex string) colour {
	t.Helper()
	v, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	var out colour
	for i, shift := range []int{16, 8, 0} {
		c := float64(v>>shift&0xff) / 255
		if out[i] = c / 12.92; c > 0.04045 { // the sRGB transfer function
			out[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return out
}

// themes reads the colours of the style sheet: theme, then name, then colour.
func themes(t *testing.T) map[string]map[string]colour {
	light, dark, found := strings.Cut(styleText, "@media screen and (prefers-color-scheme: dark)")
	if !found {
		t.Fatal("the style sheet has no dark theme")
	}
	variable := regexp.MustCompile(`--([a-z0-9-]+): #([0-9a-f]{6});`)
	out := make(map[string]map[string]colour)
	for theme, css := range map[string]string{"light": light, "dark": dark} {
		out[theme] = make(map[string]colour)
		for _, m := range variable.FindAllStringSubmatch(css, -1) {
			out[theme][m[1]] = parseColour(t, m[2])
		}
	}
	return out
}

// luminance is the relative luminance of WCAG 2.1, and the Y of CIE XYZ.
func (c colour) luminance() float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

func contrast(a, b colour) float64 {
	la, lb := a.luminance(), b.luminance()
	return (math.Max(la, lb) + 0.05) / (math.Min(la, lb) + 0.05)
}

// WCAG 2.1 asks for a contrast of 4.5 to 1 for text (criterion 1.4.3) and of 3
// to 1 for graphics (1.4.11), in both themes.
func TestColoursHaveContrast(t *testing.T) {
	if got := contrast(colour{}, colour{1, 1, 1}); math.Abs(got-21) > 1e-9 {
		t.Fatalf("contrast of black and white is %g; expected 1.05/0.05 = 21", got)
	}
	for theme, colours := range themes(t) {
		need := map[string]float64{"ink": 4.5, "muted": 4.5, "link": 4.5, "warn": 4.5}
		for i := range palette {
			need[fmt.Sprintf("series-%d", i+1)] = 3
		}
		for name, least := range need {
			c, known := colours[name]
			if got := contrast(c, colours["paper"]); !known || got < least {
				t.Errorf("%s: --%s has contrast %.2f with the paper; expected %g", theme, name, got, least)
			}
		}
		if got := contrast(colours["warn"], colours["warn-panel"]); got < 4.5 {
			t.Errorf("%s: warnings have contrast %.2f with their panel; expected 4.5", theme, got)
		}
	}
}

// visions turn a colour into what a reader with full deficiency of one kind of
// cone sees: Machado, Oliveira and Fernandes, "A Physiologically-based Model
// for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009, severity 1.
var visions = map[string][3][3]float64{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func (c colour) seenWith(m [3][3]float64) (out colour) {
	for i := range out {
		v := m[i][0]*c[0] + m[i][1]*c[1] + m[i][2]*c[2]
		out[i] = math.Min(1, math.Max(0, v))
	}
	return out
}

// lab is CIE L*a*b* under D65.
func (c colour) lab() [3]float64 {
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16./116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.95047)
	y := f(c.luminance())
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// difference is the CIE 1976 colour difference; about 2.3 is just noticeable.
func difference(a, b colour) float64 {
	p, q := a.lab(), b.lab()
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}

// Any two series colours are well apart, eight times what is just noticeable,
// for every kind of colour vision.
func TestColoursDifferForAllReaders(t *testing.T) {
	if got := difference(colour{}, colour{1, 1, 1}); math.Abs(got-100) > 0.1 {
		t.Fatalf("black and white differ by %g; expected L* = 100", got)
	}
	const least = 8 * 2.3
	for theme, colours := range themes(t) {
		for vision, m := range visions {
			for i := 1; i <= palette; i++ {
				for k := i + 1; k <= palette; k++ {
					a := colours[fmt.Sprintf("series-%d", i)].seenWith(m)
					b := colours[fmt.Sprintf("series-%d", k)].seenWith(m)
					if got := difference(a, b); got < least {
						t.Errorf("%s, %s: series colours %d and %d differ by %.1f; expected %.1f", theme, vision, i, k, got, least)
					}
				}
			}
		}
	}
}

// The colours of a difference go away from the paper in lightness to both sides of the
// neutral one, and the two sides differ, for every kind of colour vision.
func TestDivergingColours(t *testing.T) {
	const least = 8 * 2.3
	for theme, colours := range themes(t) {
		for vision, m := range visions {
			seen := func(i int) colour { return colours[fmt.Sprintf("both-%d", i)].seenWith(m) }
			away := func(i int) float64 { return math.Abs(seen(i).lab()[0] - colours["paper"].seenWith(m).lab()[0]) }
			for _, side := range [][]int{{3, 2, 1}, {3, 4, 5}} {
				for k, i := range side[1:] {
					before := side[k]
					if away(i) <= away(before) || difference(seen(i), seen(before)) < least {
						t.Errorf("%s, %s: colour %d is %.1f from the paper in lightness, colour %d %.1f; they differ by %.1f", theme, vision, before, away(before), i, away(i), difference(seen(i), seen(before)))
					}
				}
			}
			for _, pair := range [][2]int{{1, 5}, {2, 4}} {
				if got := difference(seen(pair[0]), seen(pair[1])); got < least {
					t.Errorf("%s, %s: colours %d and %d differ by %.1f; expected %.1f", theme, vision, pair[0], pair[1], got, least)
				}
			}
		}
	}
}

// The colours of a heat map rank by lightness alone, further from the paper with
// each step, by eight times what is just noticeable for every kind of colour
// vision; the last has the contrast of graphics.
func TestHeatColoursRank(t *testing.T) {
	const steps, least = 5, 8 * 2.3
	for theme, colours := range themes(t) {
		for vision, m := range visions {
			before := colours["paper"].seenWith(m)
			away := 0.0
			for i := 1; i <= steps; i++ {
				c, known := colours[fmt.Sprintf("heat-%d", i)]
				seen := c.seenWith(m)
				lighter := math.Abs(seen.lab()[0] - colours["paper"].seenWith(m).lab()[0])
				if !known || lighter <= away {
					t.Errorf("%s, %s: heat colour %d is %.1f in lightness from the paper, the one before %.1f", theme, vision, i, lighter, away)
				}
				if got := difference(seen, before); got < least {
					t.Errorf("%s, %s: heat colour %d differs by %.1f from the one before; expected %.1f", theme, vision, i, got, least)
				}
				before, away = seen, lighter
			}
		}
		if got := contrast(colours[fmt.Sprintf("heat-%d", steps)], colours["paper"]); got < 3 {
			t.Errorf("%s: the strongest heat colour has contrast %.2f with the paper; expected 3", theme, got)
		}
	}
}
