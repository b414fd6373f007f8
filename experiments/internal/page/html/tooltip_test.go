package html

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// pointAt moves the mouse to a point of the first chart on the page, in the
// coordinates of the first series: a value on an axis with numbers, the index of
// a category on one with names. Where that is on the screen depends on the fonts,
// so the chart is asked.
func (tab *tab) pointAt(x, y float64) {
	tab.t.Helper()
	tab.point(fmt.Sprintf(`chart.convertToPixel({seriesIndex: 0}, [%g, %g])`, x, y))
}

// pointInSpace moves the mouse to where the first chart on the page, one in
// space, shows a point.
func (tab *tab) pointInSpace(x, y, z float64) {
	tab.t.Helper()
	tab.point(fmt.Sprintf(`(() => {
		const box = chart.getModel().getComponent("grid3D").coordinateSystem, view = box.viewGL;
		// Matrices have their columns one after the other.
		const times = (matrix, vector) => [0, 1, 2, 3].map(i => vector.reduce((sum, v, k) => sum + matrix.array[4 * k + i] * v, 0));
		const [right, up, , w] = times(view.camera.projectionMatrix, times(view.camera.viewMatrix, [...box.dataToPoint([%g, %g, %g]), 1]));
		const port = view.viewport; // measured from below
		return [port.x + (1 + right / w) / 2 * port.width, view.layer.renderer.getHeight() - port.y - (1 + up / w) / 2 * port.height];
	})()`, x, y, z))
}

// point moves the mouse to a place in the first chart on the page: an expression
// for the distances from its left and upper edge, in which chart is the chart.
func (tab *tab) point(place string) {
	tab.t.Helper()
	at := eval[[2]float64](tab, fmt.Sprintf(`(() => {
		const plot = document.querySelector(".plot"), chart = echarts.getInstanceByDom(plot);
		plot.scrollIntoView({block: "center"});
		const [x, y] = %s, {left, top} = plot.getBoundingClientRect();
		return [left + x, top + y];
	})()`, place))
	run(tab, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
}

// shownTip is the text of the tooltip, empty while there is none.
const shownTip = `(document.querySelector(".tip")?.innerText ?? "").replace(/\s+/g, " ")`

// checkTip fails unless the tooltip comes to say what is expected.
func (tab *tab) checkTip(want string) {
	tab.t.Helper()
	if got := await(tab, shownTip, func(tip string) bool { return tip == want }); got != want {
		tab.t.Errorf("tooltip is %q; expected %q", got, want)
	}
}

// openChart opens a page with one chart on a laptop. It returns the address.
func (tab *tab) openChart(c chart.Block) string {
	tab.t.Helper()
	tab.screen(1366, 768, "light")
	return tab.open(documentOf(c))
}

// The values of both series are multiples of a third: the tooltip must show
// five digits of them.
func testTooltip(_ *testing.T, tab *tab) {
	address := tab.openChart(&chart.BarChart{
		Title: "Thirds", X: chart.Axis{Title: "Place", Unit: chart.Dimensionless}, Y: chart.Axis{Title: "Value", Unit: "s"},
		Categories: []string{"here"},
		Series:     []chart.BarSeries{{Name: "<b>one</b>", Values: []float64{1. / 3}}, {Name: "large", Values: []float64{1e7 / 3.}}},
	})
	tab.pointAt(0, 1e6)
	tab.checkTip("Place: here <b>one</b> 0.333333 large 3.33333e6")
	tab.checkQuiet(address)
}

// A law in the middle of its band, on logarithmic axes: 4 between 2 and 8.
func testBandTooltip(t *testing.T, tab *tab) {
	address := tab.openChart(&chart.LineChart{
		Title: "Law", X: chart.Axis{Title: "N", Unit: chart.Dimensionless}, Y: chart.Axis{Title: "Time", Unit: "s", Log: true},
		Series: []chart.Series{{Name: "law", Plain: true, Colour: "law", X: []float64{1, 2, 3}, Y: []float64{2, 4, 8}}},
		Bands:  []chart.Band{{Name: "<b>90 %</b>", Colour: "law", X: []float64{1, 2, 3}, Low: []float64{1, 2, 4}, High: []float64{4, 8, 16}}},
	})
	const fills = `Array.from(document.querySelectorAll(".plot svg path")).filter(p => p.getAttribute("fill-opacity") === "0.22" && p.getBoundingClientRect().width > 500).length`
	if n := eval[int](tab, fills); n != 1 {
		t.Errorf("%d areas are filled; expected 1", n)
	}
	tab.pointAt(2, 4)
	tab.checkTip("N: 2 law 4 <b>90 %</b> 2 to 8")
	tab.checkQuiet(address)
}

// The second of three columns from 1 s to 4 s is from 2 s to 3 s.
func testCellTooltip(_ *testing.T, tab *tab) {
	address := tab.openChart(&chart.HeatMap{
		Title: "Use", X: chart.Axis{Title: "Time", Unit: "s", Min: new(1.0), Max: new(4.0)}, Y: chart.Axis{Title: "Link", Unit: chart.Dimensionless},
		Value:   chart.Axis{Title: "Used", Unit: "%", Log: true, Min: new(1.0), Max: new(100.0)},
		Columns: 3, Rows: []chart.HeatRow{{Name: "<b>up</b>", Values: []float64{1, 62.5, 3}}},
	})
	tab.pointAt(1, 0)
	tab.checkTip("<b>up</b> 2 to 3 s Used (%) 62.5")
	tab.checkQuiet(address)
}

// The second of three columns from 0 to 4 is at 2.
func testSurfaceTooltip(_ *testing.T, tab *tab) {
	address := tab.openChart(&chart.Surface{
		Title: "Gain", X: chart.Axis{Title: "r1", Unit: chart.Dimensionless, Min: new(0.0), Max: new(4.0)}, Y: chart.Axis{Title: "<b>r2</b>", Unit: "s", Min: new(1.0), Max: new(3.0)},
		Value: chart.Axis{Title: "U", Unit: "%", Log: true, Min: new(0.01), Max: new(9.0)}, Values: [][]float64{{1, 2, 3}, {4, 0.0525, 6}, {7, 8, math.NaN()}},
		YNames: []string{"low", "<i>mid</i>", "high"},
	})
	tab.pointAt(1, 1)
	tab.checkTip("r1: 2 <b>r2</b> (s): <i>mid</i> U (%) 0.0525")
	tab.checkQuiet(address)
}

func testPointTooltip(_ *testing.T, tab *tab) {
	address := tab.openChart(&chart.ScatterChart{
		Title: "Offers", X: chart.Axis{Title: "Cost", Unit: "EUR", Min: new(0.0), Max: new(4.0)}, Y: chart.Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(4.0)},
		Series: []chart.ScatterSeries{{Name: "front", Points: []chart.ScatterPoint{{Name: "A", X: 1, Y: 3}, {Name: "<b>B</b>", X: 2, Y: 2, Notes: "8 nodes"}, {Name: "C", X: 3, Y: 1}}}},
	})
	tab.pointAt(2, 2)
	tab.checkTip("<b>B</b> Cost (EUR) 2 Time (s) 2 front 8 nodes")
	tab.checkQuiet(address)
}

// A swing from a base of 4 to 2 and to 8: 6 is in the bar of the raised parameter.
func testSwingTooltip(_ *testing.T, tab *tab) {
	address := tab.openChart(&chart.Tornado{
		Title: "Time", Value: chart.Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(10.0)}, Base: 4, BaseLabel: "as planned", Low: "-10 %", High: "+10 %",
		Swings: []chart.Swing{{Parameter: "<b>latency</b>", Low: 2, High: 8, LowNote: "9 us", HighNote: "11 us"}},
	})
	tab.pointAt(6, 0)
	tab.checkTip("<b>latency</b> +10 %: 11 us Time (s) 8 as planned 4 difference +4")
	tab.checkQuiet(address)
}

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
	address := tab.open(documentOf(c))
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
