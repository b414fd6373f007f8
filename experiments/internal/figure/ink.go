package figure

import (
	"fmt"
	"image/color"
)

// An ink is a colour with its name in the style sheet of the page, where dark themes
// give the name another value.
type ink struct {
	variable   string // "" where the ink has no name
	r, g, b    uint8
	opacity    float64
	mix        *ink // an ink between this one and another
	percentage int  // of this one, with mix
}

var _ color.Color = ink{}

// RGBA returns the colour in the light theme, premultiplied as color.Color wants it.
func (k ink) RGBA() (r, g, b, a uint32) {
	return color.NRGBA{k.r, k.g, k.b, uint8(k.opacity*255 + 0.5)}.RGBA()
}

// css writes the colour for the page.
func (k ink) css() string {
	switch {
	case k.mix != nil:
		return fmt.Sprintf("color-mix(in srgb,%s %d%%,%s)", k.withoutMix().css(), k.percentage, k.mix.css())
	case k.variable != "":
		return "var(--" + k.variable + ")"
	}
	return k.hex()
}

func (k ink) hex() string { return fmt.Sprintf("#%02x%02x%02x", k.r, k.g, k.b) }

func (k ink) withoutMix() ink {
	k.mix = nil
	return k
}

// faded is the ink with an opacity.
func (k ink) faded(opacity float64) ink {
	k.opacity = opacity
	return k
}

func named(variable string, rgb uint32) ink {
	return ink{variable: variable, r: uint8(rgb >> 16), g: uint8(rgb >> 8), b: uint8(rgb), opacity: 1}
}

// A theme is a set of inks. Those with names are the light theme of the page.
type theme struct {
	paper, ink, muted, rule, grid ink
	series                        []ink
	heat                          ramp // from little to much
	both                          ramp // away from none to both sides
	apart                         int  // how many of the series differ by 12 in CIE L* or more
}

func inks(prefix string, colours ...uint32) []ink {
	out := make([]ink, len(colours))
	for k, c := range colours {
		out[k] = named(fmt.Sprintf("%s-%d", prefix, k+1), c)
	}
	return out
}

// colours is the light theme of the style sheet; a test compares the two.
var colours = theme{
	paper: named("paper", 0xffffff), ink: named("ink", 0x1c2127), muted: named("muted", 0x555d68),
	rule: named("rule", 0xd3d8de), grid: named("grid", 0xe7eaee),
	series: inks("series", 0x0066a8, 0xdb7418, 0x09a66e, 0x840d41, 0x5b470d, 0x541cd9, 0x73777d, 0xdf1140),
	heat:   inks("heat", 0xf9dc92, 0xf2a541, 0xd4522a, 0x981c4e, 0x430a3c),
	both:   inks("both", 0x08448c, 0x6aa9d8, 0xf0f0f0, 0xee9a54, 0x933000),
	apart:  2,
}

// greys is for papers that are printed in black: the first four are 12 apart in CIE L*
// or more, and further series differ by dashes, markers and hatching.
var greys = theme{
	paper: named("", 0xffffff), ink: named("", 0x000000), muted: named("", 0x404040),
	rule: named("", 0xb0b0b0), grid: named("", 0xe4e4e4),
	series: []ink{named("", 0x000000), named("", 0x777777), named("", 0x484848), named("", 0xa3a3a3)},
	heat:   greyRamp,
	both:   greyRamp,
	apart:  4,
}

var greyRamp = ramp{named("", 0xf0f0f0), named("", 0xc0c0c0), named("", 0x909090), named("", 0x585858), named("", 0x101010)}

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
	return ink{variable: a.variable, r: blend(a.r, b.r), g: blend(a.g, b.g), b: blend(a.b, b.b), opacity: 1, mix: &b, percentage: 100 - step*100/mixes}
}
