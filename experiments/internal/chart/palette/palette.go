package palette

import (
	"fmt"
	"strings"
	"sync"
)

// A Colour is one of sRGB, 0xRRGGBB.
type Colour uint32

// RGB returns the three channels.
func (c Colour) RGB() (r, g, b uint8) { return uint8(c >> 16), uint8(c >> 8), uint8(c) }

// A Theme is what one kind of page is drawn in.
type Theme struct {
	Paper, Panel        Colour // what lies below everything, and below parts that stand out
	Ink, Muted, Link    Colour // text
	Rule, Grid, Control Colour // lines of tables, of plots, around what can be operated
	Warn, WarnPanel     Colour
	Shade               Colour // of shadows
	ShadeOpacity        float64
	Series              []Colour // of curves and bars, in this order
	Heat                []Colour // from little to much
	Both                []Colour // from much below to much above; the middle is near the paper
}

// Apart is how many of the series of a theme differ in lightness. Further ones have
// dashes or hatching, and all have markers.
const Apart = 4

// OrderedFrom is the share of the heat ramp at which colours have enough contrast with
// the paper for lines.
const OrderedFrom = 0.4

// Ordered is the share of the heat ramp for level k of an ordered quantity with that many
// levels, two or more.
func Ordered(k, levels int) float64 {
	return OrderedFrom + float64((1-OrderedFrom)*float64(k)/float64(levels-1))
}

// HaloOpacity is that of the paper around marks on a map.
const HaloOpacity = 0.8

// Light is the theme of light pages and of figures in colours.
var Light = Theme{
	Paper: 0xffffff, Panel: 0xf5f6f8, Ink: 0x1c2127, Muted: 0x555d68, Link: 0x0b57a4,
	Rule: 0xd3d8de, Grid: 0xe7eaee, Control: 0x8a929d,
	Warn: 0x9a4a00, WarnPanel: 0xfff6ec, Shade: 0x1c2127, ShadeOpacity: 0.22,
	Series: []Colour{0x14489a, 0xdb7a10, 0x057d50, 0x5c0030, 0x6b5510, 0x793bef, 0x848d97, 0xee1659},
	Heat:   []Colour{0xf9dc92, 0xf2a541, 0xd4522a, 0x981c4e, 0x430a3c},
	Both:   []Colour{0x08448c, 0x6aa9d8, 0xf0f0f0, 0xee9a54, 0x933000},
}

// Dark is the theme of dark pages.
var Dark = Theme{
	Paper: 0x14171b, Panel: 0x1d2126, Ink: 0xe4e7eb, Muted: 0xa3abb6, Link: 0x7ab8f5,
	Rule: 0x3a414a, Grid: 0x292f36, Control: 0x6b7480,
	Warn: 0xf0b06a, WarnPanel: 0x2a2118, Shade: 0xe4e7eb, ShadeOpacity: 0.28,
	Series: []Colour{0x50bafb, 0xffd391, 0x1f7446, 0xdd5b9f, 0xae9a00, 0x864cf6, 0xd8dee6, 0xf94b75},
	Heat:   []Colour{0x43276a, 0x9647a2, 0xe2657b, 0xfba552, 0xfdf0b0},
	Both:   []Colour{0x8fcbff, 0x2f6ea6, 0x24282e, 0xa85a14, 0xffb878},
}

// Grey is the theme of figures that are printed in black. It has [Apart] series, and one
// ramp for what goes one way or both.
var Grey = Theme{
	Paper: 0xffffff, Ink: 0x000000, Muted: 0x404040, Rule: 0xb0b0b0, Grid: 0xe4e4e4,
	Series: []Colour{0x000000, 0x616161, 0x939393, 0x313131},
	Heat:   greys, Both: greys,
}

var greys = []Colour{0xc8c8c8, 0x949494, 0x656565, 0x393939, 0x101010}

// Style declares the colours of a page, --paper to --both-5: light ones, and dark ones
// on a dark screen. A page is printed in the light ones.
var Style = sync.OnceValue(func() string {
	return ":root {\n" + Light.declarations("light") + "}\n" +
		"@media screen and (prefers-color-scheme: dark) {\n:root {\n" + Dark.declarations("dark") + "}\n}\n"
})

func (t Theme) declarations(scheme string) string {
	var out strings.Builder
	out.WriteString("color-scheme: " + scheme + ";\n")
	one := func(name string, c Colour) { fmt.Fprintf(&out, "--%s: #%06x;\n", name, uint32(c)) }
	for _, x := range []struct {
		name string
		Colour
	}{{"paper", t.Paper}, {"panel", t.Panel}, {"ink", t.Ink}, {"muted", t.Muted}, {"link", t.Link}, {"rule", t.Rule},
		{"grid", t.Grid}, {"control", t.Control}, {"warn", t.Warn}, {"warn-panel", t.WarnPanel}} {
		one(x.name, x.Colour)
	}
	r, g, b := t.Shade.RGB()
	fmt.Fprintf(&out, "--shade: rgb(%d %d %d / %g);\n", r, g, b, t.ShadeOpacity)
	several := func(name string, colours []Colour) {
		for k, c := range colours {
			one(fmt.Sprintf("%s-%d", name, k+1), c)
		}
	}
	several("series", t.Series)
	several("heat", t.Heat)
	several("both", t.Both)
	return out.String()
}
