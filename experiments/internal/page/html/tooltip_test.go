package html

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/internal/expect"
)

// pointAt moves the mouse to a point of the first chart on the page, in the coordinates of the first series: a value on
// an axis with numbers, the index of a category on one with names. Where that is on the screen depends on the fonts, so
// the chart is asked.
func (tab *tab) pointAt(x, y float64) {
	tab.T.Helper()
	tab.point(fmt.Sprintf(`scene.pointAt(%g, %g)`, x, y))
}

// pointInSpace moves the mouse to where the first chart on the page, one in space, shows a point.
func (tab *tab) pointInSpace(x, y, z float64) {
	tab.T.Helper()
	tab.point(fmt.Sprintf(`scene.pointInSpace(%g, %g, %g)`, x, y, z))
}

// point moves the mouse to a place on the screen.
func (tab *tab) point(place string) {
	tab.T.Helper()
	at := eval[[2]float64](tab, place)
	run(tab, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
}

// shownTip is the text of the tooltips on the screen, empty while there is none.
const shownTip = `Array.from(document.querySelectorAll(".tip"), (tip) => tip.innerText).join("").replace(/\s+/g, " ")`

// checkTip fails unless the tooltip eventually says what is expected.
func (tab *tab) checkTip(want string) {
	tab.T.Helper()
	if got := await(tab, shownTip, func(tip string) bool { return tip == want }); got != want {
		tab.T.Errorf("tooltip is %q; expected %q", got, want)
	}
}

// testTooltips points at the middle of each chart: the tooltip has five digits of a third, the range of a band around a
// law, the bounds of a cell, the coordinates of a point, the change of a swing.
func testTooltips(t *testing.T, tab *tab) {
	value, cost := chart.Axis{Title: "Time", Unit: "s"}, chart.Axis{Title: "Cost", Unit: "EUR", Min: new(0.0), Max: new(4.0)}
	bounded := chart.Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(4.0)}
	tests := []struct {
		chart chart.Block
		x, y  float64
		tip   string
	}{
		{&chart.BarChart{Title: "Thirds", X: chart.Axis{Title: "Place", Unit: chart.Dimensionless}, Y: value, Categories: []string{"here"},
			Series: []chart.BarSeries{{Name: "<b>one</b>", Values: []float64{1. / 3}}, {Name: "large", Values: []float64{1e7 / 3.}, Low: []float64{3e6}, High: []float64{4e6}}}},
			0, 1e6, "Place: here <b>one</b> 0.333333 large 3.33333e6, range 3000000 to 4000000"},
		// The second of three columns from 1 s to 4 s is from 2 s to 3 s.
		{&chart.HeatMap{Title: "Use", X: chart.Axis{Title: "Time", Unit: "s", Min: new(1.0), Max: new(4.0)}, Y: chart.Axis{Title: "Link", Unit: chart.Dimensionless},
			Value:   chart.Axis{Title: "Used", Unit: "%", Log: true, Min: new(1.0), Max: new(100.0)},
			Columns: 3, Rows: []chart.HeatRow{{Name: "<b>up</b>", Values: []float64{1, 62.5, 3}}}},
			1, 0, "<b>up</b> 2 to 3 s Used (%) 62.5"},
		// A law in the middle of its band, on logarithmic axes: 4 between 2 and 8.
		{&chart.LineChart{Title: "Law", X: chart.Axis{Title: "N", Unit: chart.Dimensionless}, Y: chart.Axis{Title: "Time", Unit: "s", Log: true},
			Series: []chart.Series{{Name: "law", Plain: true, Colour: "law", X: []float64{1, 2, 3}, Y: []float64{2, 4, 8}}},
			Bands:  []chart.Band{{Name: "<b>90 %</b>", Colour: "law", X: []float64{1, 2, 3}, Low: []float64{1, 2, 4}, High: []float64{4, 8, 16}}}},
			2, 4, "N: 2 law 4 <b>90 %</b> 2 to 8"},
		// The second of three columns from 0 to 4 is at 2.
		{&chart.Surface{Title: "Gain", X: chart.Axis{Title: "r1", Unit: chart.Dimensionless, Min: new(0.0), Max: new(4.0)}, Y: chart.Axis{Title: "<b>r2</b>", Unit: "s", Min: new(1.0), Max: new(3.0)},
			Value: chart.Axis{Title: "U", Unit: "%", Log: true, Min: new(0.01), Max: new(9.0)}, Values: [][]float64{{1, 2, 3}, {4, 0.0525, 6}, {7, 8, math.NaN()}},
			Half:   [][]float64{{0, 0, 0}, {0, 0.0025, math.NaN()}, {0, 0, 0}},
			YNames: []string{"low", "<i>mid</i>", "high"}},
			1, 1, "r1: 2 <b>r2</b> (s): <i>mid</i> U (%) 0.0525 \u00b1 0.0025"},
		{&chart.ScatterChart{Title: "Offers", X: cost, Y: bounded,
			Series: []chart.ScatterSeries{{Name: "front", Points: []chart.ScatterPoint{{Name: "A", X: 1, Y: 3}, {Name: "<b>B</b>", X: 2, Y: 2, Notes: "8 nodes"}, {Name: "C", X: 3, Y: 1}}}}},
			2, 2, "<b>B</b> Cost (EUR) 2 Time (s) 2 front 8 nodes"},
		// A swing from a base of 4 to 2 and to 8: 6 is in the bar of the raised parameter.
		{&chart.Tornado{Title: "Time", Value: chart.Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(10.0)}, Base: 4, BaseLabel: "as planned", Low: "-10 %", High: "+10 %",
			Swings: []chart.Swing{{Parameter: "<b>latency</b>", Low: 2, High: 8, LowNote: "9 us", HighNote: "11 us", HighHalf: 0.5}}},
			6, 0, "<b>latency</b> +10 %: 11 us Time (s) 8 \u00b1 0.5 as planned 4 difference +4"},
	}
	var blocks []chart.Block
	for _, test := range tests {
		blocks = append(blocks, test.chart)
	}
	tab.Screen(1366, 768, "light")
	address := tab.open(documentOf(blocks...))
	for i, test := range tests {
		const fills = `Array.from(document.querySelectorAll(".plot svg path")).filter(p => p.getAttribute("fill-opacity") === "0.22" && p.getBoundingClientRect().width > 500).length`
		c, ok := test.chart.(*chart.LineChart)
		expect.That(t, !ok || eval[int](tab, fills) == len(c.Bands),
			"%d areas are filled; expected 1", eval[int](tab, fills))
		tab.point(fmt.Sprintf(`scene.pointAt(%g, %g, %d)`, test.x, test.y, i))
		tab.checkTip(test.tip)
	}
	tab.CheckQuiet(address)
}

// Curves with other x values are in the tooltip wherever the mouse is between their ends.
func testEveryCurve(t *testing.T, tab *tab) {
	tab.Screen(1366, 768, "light")
	axis := chart.Axis{Title: "n", Unit: chart.Dimensionless}
	c := &chart.LineChart{Title: "T", X: axis, Y: axis}
	const curves = 5
	for i := range curves {
		s := chart.Series{Name: fmt.Sprintf("curve %d", i)}
		for k := range 11 {
			x := 100 * float64(k)
			if 0 < k && k < 10 {
				x += 7 * float64(i) // each at other places, except at the ends
			}
			s.X, s.Y = append(s.X, x), append(s.Y, x*float64(i+1))
		}
		c.Series = append(c.Series, s)
	}
	address := tab.open(documentOf(c))
	all, places := 0, 40
	for k := range places {
		tab.pointAt(1000*(float64(k)+0.5)/float64(places), 2000)
		tip := await(tab, shownTip, func(tip string) bool { return strings.Count(tip, "curve ") == curves })
		if strings.Count(tip, "curve ") == curves {
			all++
		}
	}
	expect.That(t, all*100 >= places*95,
		"all %d curves are in the tooltip at %d of %d places; expected 95 %%", curves, all, places)
	tab.CheckQuiet(address)
}
