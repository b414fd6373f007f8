package palette

import "math"

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
