package figure

import (
	"math"
	"testing"
)

// luminance is Y of a colour in sRGB, as IEC 61966-2-1 and WCAG 2.1 have it.
func luminance(k ink) float64 {
	linear := func(v uint8) float64 {
		c := float64(v) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(k.r) + 0.7152*linear(k.g) + 0.0722*linear(k.b)
}

// lightness is L* of CIE 1976 of a colour in sRGB: its luminance Y and L* = 116 f(Y) - 16 with the cube root f above 0.008856.
func lightness(k ink) float64 {
	y := luminance(k)
	if y <= 0.008856 {
		return 903.3 * y
	}
	return 116*math.Cbrt(y) - 16
}

// In print without colours, the first series of a theme differ in lightness, and ramps
// rank.
func TestLightness(t *testing.T) {
	if got := lightness(named("", 0x777777)); math.Abs(got-50.03) > 0.05 { // the middle grey of the scale
		t.Errorf("#777777 has L* %.2f", got)
	}
	for name, theme := range map[string]theme{"colours": colours, "greys": greys} {
		for i, a := range theme.series[:theme.apart] {
			for _, b := range theme.series[:i] {
				if d := math.Abs(lightness(a) - lightness(b)); d < 12 {
					t.Errorf("%s: %s and %s are %.1f apart", name, a.hex(), b.hex(), d)
				}
			}
		}
		for step := 1; step <= theme.heat.steps(); step++ {
			share := float64(step) / float64(theme.heat.steps())
			before := float64(step-1) / float64(theme.heat.steps())
			if a, b := lightness(theme.heat.at(before)), lightness(theme.heat.at(share)); b >= a {
				t.Errorf("%s: L* is %.2f at %.3f of the ramp and %.2f at %.3f", name, a, before, b, share)
			}
		}
	}
}

// contrast is that of WCAG 2.1.
func contrast(a, b ink) float64 {
	y, z := luminance(a), luminance(b)
	return (max(y, z) + 0.05) / (min(y, z) + 0.05)
}

// Arrows and paths on a map have a contrast of 3 to 1 with their halo, which is what they
// lie on, and arrows or their halo with every cell too, in colours and in greys.
func TestMarksHaveContrastOnEveryCell(t *testing.T) {
	for name, theme := range map[string]theme{"colours": colours, "greys": greys} {
		for _, r := range []ramp{theme.heat, theme.both} {
			for step := range r.steps() + 1 {
				cell := r.at(float64(step) / float64(r.steps()))
				mixed := func(a, b uint8) uint8 { return uint8(math.Round(haloOpacity*float64(a) + (1-haloOpacity)*float64(b))) }
				halo := named("", uint32(mixed(theme.paper.r, cell.r))<<16|uint32(mixed(theme.paper.g, cell.g))<<8|uint32(mixed(theme.paper.b, cell.b)))
				for _, mark := range []ink{theme.ink, theme.series[0]} {
					if got := contrast(mark, halo); got < 3 {
						t.Errorf("%s: %s has contrast %.2f with its halo %s", name, mark.hex(), got, halo.hex())
					}
					if got := max(contrast(mark, cell), contrast(halo, cell)); mark == theme.ink && got < 3 {
						t.Errorf("%s: %s and its halo have contrast %.2f with the cell %s", name, mark.hex(), got, cell.hex())
					}
				}
			}
		}
	}
}
