package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// Curves with other x values are in the tooltip, wherever the mouse is between their
// ends.
func testEveryCurve(t *testing.T, tab *tab) {
	tab.screen(1366, 768, "light")
	axis := chart.Axis{Title: "n", Unit: chart.Dimensionless}
	c := &chart.LineChart{Title: "T", X: axis, Y: axis}
	const curves = 5
	for i := range curves {
		s := chart.Series{Name: fmt.Sprintf("curve %d", i)}
		for k := range 11 {
			x := 100 * float64(k)
			if 0 < k && k < 10 {
				x += 7 * float64(i) // each at other places, but for the ends
			}
			s.X, s.Y = append(s.X, x), append(s.Y, x*float64(i+1))
		}
		c.Series = append(c.Series, s)
	}
	address := tab.open(&chart.Document{Title: "D", Sections: []chart.Section{{Heading: "S", Blocks: []chart.Block{c}}}})
	all, places := 0, 40
	for k := range places {
		tab.pointAt(1000*(float64(k)+0.5)/float64(places), 2000)
		tip := await(tab, shownTip, func(tip string) bool { return strings.Count(tip, "curve ") == curves })
		if strings.Count(tip, "curve ") == curves {
			all++
		}
	}
	if all*100 < places*95 {
		t.Errorf("all %d curves are in the tooltip at %d of %d places; expected 95 %%", curves, all, places)
	}
	tab.checkQuiet(address)
}
