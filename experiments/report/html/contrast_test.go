package html

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"
)

// over is a colour with an opacity over another, mixed in sRGB as browsers do.
func (c colour) over(below colour, opacity float64) colour {
	encoded := func(v float64) float64 {
		if v <= 0.0031308 {
			return 12.92 * v
		}
		return 1.055*math.Pow(v, 1/2.4) - 0.055
	}
	var out colour
	for i := range c {
		v := opacity*encoded(c[i]) + (1-opacity)*encoded(below[i])
		if out[i] = v / 12.92; v > 0.04045 {
			out[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return out
}

// Arrows, contours and paths lie on cells of all colours of a map, on a halo in the
// colour of the paper that shows a little of the cell. WCAG 2.1 asks for 3 to 1
// (criterion 1.4.11): each mark has it with its halo, on which it lies, and arrows and
// contours, which are thin, have it with the cell too, or their halo has: for every step
// of both ramps in both themes.
func TestMarksHaveContrastOnEveryCell(t *testing.T) {
	white, black := colour{1, 1, 1}, colour{}
	if half := white.over(black, 0.5); math.Abs(half[0]-0.2140) > 1e-4 { // #808080 is 21.4 % of white, by the transfer function
		t.Fatalf("half of white is %v", half)
	}
	drawn := regexp.MustCompile(`opacity: halo \? ([0-9.]+) : 1`).FindStringSubmatch(reportText)
	if drawn == nil {
		t.Fatal("the script has no opacity of the halo")
	}
	opacity, err := strconv.ParseFloat(drawn[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	const steps = 40
	for theme, colours := range themes(t) {
		for _, ramp := range []string{"heat", "both"} {
			for i := range steps + 1 {
				at := float64(i) / steps * 4
				low := min(3, int(at))
				cell := colours[fmt.Sprintf("%s-%d", ramp, low+2)].over(colours[fmt.Sprintf("%s-%d", ramp, low+1)], at-float64(low))
				halo := colours["paper"].over(cell, opacity)
				for _, mark := range []string{"ink", "series-1"} {
					if got := contrast(colours[mark], halo); got < 3 {
						t.Errorf("%s: %s has contrast %.2f with its halo at %.3f of %s; expected 3", theme, mark, got, at/4, ramp)
					}
					if got := max(contrast(colours[mark], cell), contrast(halo, cell)); mark == "ink" && got < 3 {
						t.Errorf("%s: %s and its halo have contrast %.2f with the cell at %.3f of %s; expected 3", theme, mark, got, at/4, ramp)
					}
				}
			}
		}
	}
}
