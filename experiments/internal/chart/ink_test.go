package chart

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/internal/expect"
)

func (k ink) colour() palette.Colour {
	return palette.Colour(k.r)<<16 | palette.Colour(k.g)<<8 | palette.Colour(k.b)
}

// lightness is L* of CIE 1976 of an ink over paper, mixed as browsers and PDF do.
func lightness(k, paper ink) float64 {
	channel := func(above, below uint8) float64 { // linear, by IEC 61966-2-1
		s := math.Round(k.opacity*float64(above)+(1-k.opacity)*float64(below)) / 255
		if s > 0.04045 {
			return math.Pow((s+0.055)/1.055, 2.4)
		}
		return s / 12.92
	}
	y := 0.2126*channel(k.r, paper.r) + 0.7152*channel(k.g, paper.g) + 0.0722*channel(k.b, paper.b)
	return 116*math.Cbrt(y) - 16 // for more than 0.9 % of white
}

// In a copy without colours, computation, overhead and waiting differ in lightness, on
// pages of both kinds and on paper.
func TestKindsOfTimeDifferInGrey(t *testing.T) {
	dark := themeOf(palette.Dark, func(name string) string { return name })
	dark.time = []ink{dark.series[0], dark.series[1], dark.series[2].faded(waitOpacity)}
	for name, theme := range map[string]theme{"colours": colours, "dark": dark, "greys": greys} {
		for i, a := range theme.time {
			for k, b := range theme.time[:i] {
				seen := func(k ink) float64 { return lightness(k, theme.paper) }
				d := max(seen(a), seen(b)) - min(seen(a), seen(b))
				expect.That(t, d >= 12, "%s: kinds %d and %d of time are %.1f apart in L*", name, i, k, d)
			}
		}
	}
}

// Between two inks of a ramp are mixes of both, in steps, and in the page they have names.
func TestRamp(t *testing.T) {
	r := ramp{named("heat-1", 0x000000), named("heat-2", 0x646464), named("heat-3", 0xc8c8c8)}
	for _, tt := range []struct {
		share float64
		want  palette.Colour
		css   string
	}{
		{-1, 0x000000, "var(--heat-1)"}, {0, 0x000000, "var(--heat-1)"}, {0.5, 0x646464, "var(--heat-2)"}, {2, 0xc8c8c8, "var(--heat-3)"},
		{0.2, 0x282828, "var(--heat-1b)"},   // 2 of 5 steps, 0.4·100 = 40
		{0.9, 0xb4b4b4, "var(--heat-2d)"},   // 100 + 0.8·100 = 180
		{0.126, 0x141414, "var(--heat-1a)"}, // the nearest step is 1 of 5
	} {
		got := r.at(tt.share)
		expect.That(t, got.colour() == tt.want && got.CSS() == tt.css,
			"at %g the ramp is #%06x, %s; expected #%06x, %s", tt.share, uint32(got.colour()), got.CSS(), uint32(tt.want), tt.css)
	}
}

// The style of a page has each ink between two of a ramp, and mixes as the drawing of a
// file does.
func TestMixtures(t *testing.T) {
	for _, r := range []ramp{colours.heat, colours.both} {
		for i := range r.steps() + 1 {
			share := float64(i) / float64(r.steps())
			css := r.at(share).CSS()
			low, step := i/mixes, i%mixes
			if !HasMixtures("<path fill=" + css + ">") {
				expect.That(t, step == 0, "%s is not known as a mixture", css)
				continue
			}
			definition := fmt.Sprintf("%s:color-mix(in srgb,%s %d%%,%s);", strings.TrimSuffix(strings.TrimPrefix(css, "var("), ")"), r[low].CSS(), 100-20*step, r[low+1].CSS())
			expect.That(t, step != 0 && strings.Contains(Mixtures, definition),
				"%s: the style has no %s", css, definition)
		}
	}
}
