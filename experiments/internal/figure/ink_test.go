package figure

import (
	"math"
	"testing"
)

// lightness is L* of CIE 1976 of a colour in sRGB: its luminance Y as IEC 61966-2-1
// has it, and L* = 116 f(Y) - 16 with the cube root f above 0.008856.
func lightness(k ink) float64 {
	linear := func(v uint8) float64 {
		c := float64(v) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	y := 0.2126*linear(k.r) + 0.7152*linear(k.g) + 0.0722*linear(k.b)
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
