package chart

import (
	"fmt"
	"image/color"
	"regexp"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/chart/canvas"
	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
)

// An ink is a colour with its name in the style sheet of the page, where dark themes
// give the name another value.
type ink struct {
	variable string // "" where the ink has no name
	r, g, b  uint8
	opacity  float64
	step     int // from this ink towards the next one of a ramp; 0: this ink itself
}

var _ canvas.Colour = ink{}

// RGBA returns the colour in the light theme, premultiplied as color.Color wants it.
func (k ink) RGBA() (r, g, b, a uint32) {
	return color.NRGBA{k.r, k.g, k.b, uint8(k.opacity*255 + 0.5)}.RGBA()
}

// CSS writes the colour for the page.
func (k ink) CSS() string {
	switch {
	case k.variable == "":
		return k.Hex()
	case k.step > 0:
		return "var(--" + k.mixture() + ")"
	}
	return "var(--" + k.variable + ")"
}

// Hex writes the colour as it is in the light theme.
func (k ink) Hex() string { return fmt.Sprintf("#%02x%02x%02x", k.r, k.g, k.b) }

// Opacity returns the opacity of the ink, from 0 to 1.
func (k ink) Opacity() float64 { return k.opacity }

// mixture names an ink between two of a ramp: heat-2a to heat-2d are between heat-2 and heat-3.
func (k ink) mixture() string { return k.variable + string(rune('a'+k.step-1)) }

func (k ink) faded(opacity float64) ink {
	k.opacity = opacity
	return k
}

func named(variable string, c palette.Colour) ink {
	r, g, b := c.RGB()
	return ink{variable: variable, r: r, g: g, b: b, opacity: 1}
}

type theme struct {
	paper, ink, muted, grid ink
	series                  []ink
	heat                    ramp  // from little to much
	both                    ramp  // away from none to both sides
	time                    []ink // computation, overhead, waiting
	path                    ink   // the critical path
}

// colours is the theme of pages and of figures in colour. Its inks have the names of the
// style sheet.
var colours = func() theme {
	t := themeOf(palette.Light, func(name string) string { return name })
	t.time, t.path = []ink{t.series[0], t.series[1], t.series[2].faded(waitOpacity)}, t.series[7]
	return t
}()

// greys is for papers that are printed in black.
var greys = func() theme {
	t := themeOf(palette.Grey, func(string) string { return "" })
	t.time, t.path = []ink{t.series[1], t.series[2], t.series[2].faded(waitOpacity)}, t.series[0]
	return t
}()

// waitOpacity makes waiting, in which nothing happens, lighter than computation and
// overhead.
const waitOpacity = 0.45

func themeOf(p palette.Theme, variable func(name string) string) theme {
	one := func(name string, c palette.Colour) ink { return named(variable(name), c) }
	several := func(prefix string, list []palette.Colour) (out []ink) {
		for k, c := range list {
			out = append(out, one(fmt.Sprintf("%s-%d", prefix, k+1), c))
		}
		return out
	}
	return theme{
		paper: one("paper", p.Paper), ink: one("ink", p.Ink), muted: one("muted", p.Muted), grid: one("grid", p.Grid),
		series: several("series", p.Series), heat: several("heat", p.Heat), both: several("both", p.Both),
	}
}

// A ramp is a sequence of inks with steps between neighbours.
type ramp []ink

// mixes is how many steps there are between two neighbours of a ramp.
const mixes = 5

// steps is how many steps there are from the first to the last ink.
func (r ramp) steps() int { return mixes * (len(r) - 1) }

// at returns the ink at a share from 0 to 1.
func (r ramp) at(share float64) ink {
	share = min(1, max(0, share))
	at := int(share*float64(r.steps()) + 0.5)
	low, step := at/mixes, at%mixes
	if step == 0 {
		return r[low]
	}
	a, b := r[low], r[low+1]
	weight := float64(step) / mixes
	blend := func(x, y uint8) uint8 {
		return uint8(float64(float64(x)*(1-weight)) + float64(float64(y)*weight) + 0.5)
	}
	return ink{variable: a.variable, r: blend(a.r, b.r), g: blend(a.g, b.g), b: blend(a.b, b.b), opacity: 1, step: step}
}

// Mixtures is the style that pages need if their drawings have inks between those of a ramp.
var Mixtures = func() string {
	var out strings.Builder
	out.WriteString(":root{")
	for _, r := range []ramp{colours.heat, colours.both} {
		for low, next := range r[1:] {
			for step := 1; step < mixes; step++ {
				k := r[low]
				k.step = step
				fmt.Fprintf(&out, "--%s:color-mix(in srgb,%s %d%%,%s);", k.mixture(), r[low].CSS(),
					100-step*100/mixes, next.CSS())
			}
		}
	}
	return out.String() + "}"
}()

var mixture = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`var\(--(?:heat|both)-[0-9]+[a-z]\)`) })

// HasMixtures reports whether a drawing needs [Mixtures].
func HasMixtures(drawing string) bool { return mixture().MatchString(drawing) }
