package html

import (
	"encoding/csv"
	"encoding/xml"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
	"github.com/isoscale/isoscale/internal/expect"
)

var shots = flag.String("shots", "", "folder for screenshots of the sample report")

// drawing is what the page shows of one chart.
type drawing struct {
	ID     string
	Failed bool
	Shapes int // filled or stroked paths
	Pixels int // with a colour, where the chart is drawn on canvases
	Texts  []struct {
		Text                     string
		Left, Top, Right, Bottom float64 // of the letters, relative to the plot
	}
	Width, Height float64
}

func (d *drawing) shows(text string) bool {
	for _, t := range d.Texts {
		if strings.Contains(t.Text, text) {
			return true
		}
	}
	return false
}

// axisTitles lists the axis titles of a document's charts, in the order of the figures on the page. Those of a chart on
// a canvas cannot be read.
func axisTitles(d *chart.Document) (titles [][]string) {
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			var shown []string
			of := reflect.ValueOf(b).Elem()
			for _, name := range []string{"X", "Y", "Value"} {
				if axis := of.FieldByName(name); axis.IsValid() && (name != "Value" || shown == nil) { // else colours
					a := axis.Interface().(chart.Axis)
					shown = append(shown, chart.Titled(a.Title, a.Unit))
				}
			}
			switch c := b.(type) {
			case *chart.Surface3D:
				titles = append(titles, nil)
			case *chart.Parallel:
				titles = append(titles, append(chart.DistinctOf(c.Axes, "axis", func(a chart.ParallelAxis) string { return a.Name }), shown...))
			case chart.Chart:
				titles = append(titles, shown)
			}
		}
	}
	return titles
}

// TestBrowser opens reports in Chromium, in two tabs at a time.
func TestBrowser(t *testing.T) {
	b := browsertest.Start(t)
	tabs := make(chan *browsertest.Tab, 2)
	tabs <- b.NewTab(t)
	tabs <- b.NewTab(t)
	for _, part := range []struct {
		name string
		test func(*testing.T, *tab)
	}{
		{"shows every chart", testShowsEveryChart},
		{"crowded charts", testCrowdedCharts},
		{"rows of a map", testMapRows},
		{"names on a phone", testNamesOnAPhone},
		{"labels of points", testPointLabels},
		{"reference lines", testReferenceLines},
		{"follows theme, size and paper", testFollowsReader},
		{"marks of a surface", testSurfaceMarks},
		{"surface in space", testSpace},
		{"many surfaces in space", testManySpaces},
		{"many points", testManyPoints},
		{"sparse charts", testSparseCharts},
		{"tools", testTools},
		{"legend buttons", testLegendButtons},
		{"tooltip of every curve", testEveryCurve},
		{"without script", testWithoutScript},
		{"timeline", testTimelinePixels},
		{"compact timeline", testCompactTimeline},
		{"network", testNetworkPicture},
		{"slices", testSlices},
		{"parallel axes", testParallelAxes},
		{"machines", testMachines},
		{"linked machines", testLinkedMachines},
		{"machines for everyone", testMachinesAccessible},
	} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			shared := <-tabs
			defer func() { tabs <- shared }()
			shared.HandTo(t)
			part.test(t, &tab{shared})
		})
	}
	t.Run("surface in space without WebGL", func(t *testing.T) {
		testNoWebGL(t, &tab{b.NewTab(t)}) // afterwards no page of the tab has WebGL
	})
}

// testShowsEveryChart opens a document on four screens.
func testShowsEveryChart(t *testing.T, tab *tab) {
	d := scene("sample")
	titles := axisTitles(d)
	for _, screen := range []struct {
		name          string
		width, height int64
		theme         string
	}{{"laptop", 1366, 768, "light"}, {"laptop", 1366, 768, "dark"}, {"phone", 390, 844, "dark"}, {"small phone", 360, 640, "light"}} {
		tab.Screen(screen.width, screen.height, screen.theme)
		address := tab.open(d)
		where := screen.name + ", " + screen.theme
		drawings := eval[[]drawing](tab, `scene.drawings()`)
		expect.Need(t, len(drawings) == len(titles),
			"%s: %d charts on the page, expected %d", where, len(drawings), len(titles))
		for i := range drawings {
			checkDrawing(t, where, &drawings[i], titles[i])
		}
		width := eval[int64](tab, `document.documentElement.scrollWidth`)
		expect.That(t, width <= screen.width, "%s: the page is %d pixels wide and scrolls sideways", where, width)
		tab.CheckQuiet(address)
		tab.shoot(strings.ReplaceAll(where, ", ", "-"))
	}
}

// Names in a legend are complete, however many there are; nothing is cut off or overlaps. Those of the bar charts stand
// above or beside their bars.
func testCrowdedCharts(t *testing.T, tab *tab) {
	d := scene("crowded")
	laws := d.Sections[0].Blocks[0].(*chart.LineChart)
	titles := axisTitles(d)
	for _, width := range []int64{390, 1366} {
		tab.Screen(width, 844, "light")
		address := tab.open(d)
		where := fmt.Sprintf("%d pixels", width)
		drawings := eval[[]drawing](tab, `scene.drawings()`)
		for i := range drawings {
			checkDrawing(t, where, &drawings[i], titles[i])
		}
		for _, name := range chart.DistinctOf(laws.Series, "series", func(s chart.Series) string { return s.Name }) {
			expect.That(t, drawings[0].shows(name), "%s: the legend does not show %q", where, name)
		}
		const inside = `(() => { const bars = Array.from(document.querySelectorAll("figure:nth-of-type(%d) svg path")).map(p => p.getBoundingClientRect()).filter(r => r.width > 20 && r.height > 15 && r.width < 700);
			return Array.from(document.querySelectorAll("figure:nth-of-type(%[1]d) svg text")).filter(t => /^-?(0.987|1)$/.test(t.textContent)).map(t => t.getBoundingClientRect())
				.filter(t => bars.some(r => t.left < r.right - 1 && r.left + 1 < t.right && t.top + 3 < r.bottom && r.top + 3 < t.bottom)).length; })()`
		for _, figure := range []int{3, 4} {
			n := eval[int](tab, fmt.Sprintf(inside, figure))
			expect.That(t, n <= 0, "%s: figure %d has %d values on its bars", where, figure, n)
		}
		tab.CheckQuiet(address)
		tab.shoot("crowded-" + where)
	}
}

// A row of a heat map has room for its name, whatever the legend and the axes take
// from the height of the chart.
func testMapRows(t *testing.T, tab *tab) {
	var blocks []chart.Block
	for _, rows := range []int{2, 12} {
		for _, log := range []bool{false, true} {
			c := &chart.HeatMap{Title: fmt.Sprintf("%d rows, logarithmic %t", rows, log), Columns: 1,
				X: chart.Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(1.0)}, Y: chart.Axis{Title: "Link", Unit: chart.Dimensionless},
				Value: chart.Axis{Title: "Messages", Unit: "1/s", Log: log, Min: new(1.0), Max: new(1e7)}}
			for i := range rows {
				c.Rows = append(c.Rows, chart.HeatRow{Name: fmt.Sprintf("link %d", i), Values: []float64{1}})
			}
			blocks = append(blocks, c)
		}
	}
	tab.Screen(1366, 768, "light")
	address := tab.open(documentOf(blocks...))
	heights := eval[[]float64](tab, `Array.from(document.querySelectorAll(".plot")).map(plot => {
		const [first, second] = [0, 1].map(row => echarts.getInstanceByDom(plot).convertToPixel({seriesIndex: 0}, [0, row])[1]);
		return second - first;
	})`)
	expect.Need(t, len(heights) == len(blocks), "%d maps are drawn, expected %d", len(heights), len(blocks))
	const line = 16 // pixels: letters of 12 pixels, one and a third apart
	for i, height := range heights {
		expect.That(t, height >= line,
			"%s: a row is %.1f pixels high, expected %d at least", blocks[i].(*chart.HeatMap).Title, height, line)
	}
	tab.CheckQuiet(address)
}

// A reference is drawn at its value, however small: the library would round it to hundredths. A band is filled.
func testReferenceLines(t *testing.T, tab *tab) {
	x, y := chart.Axis{Title: "p", Unit: chart.Dimensionless}, chart.Axis{Title: "e", Unit: chart.Dimensionless, Min: new(0.0), Max: new(0.01)}
	const at = 0.004
	swings := []chart.Swing{{Parameter: "a", Low: 0.002, High: 0.007}}
	tab.Screen(1366, 768, "light")
	address := tab.open(documentOf(
		&chart.LineChart{Title: "L", X: x, Y: y, Series: []chart.Series{{Name: "s", X: []float64{1, 2}, Y: []float64{0.001, 0.009}}}, Targets: []chart.Target{{Label: "t", Y: at}},
			Bands: []chart.Band{{X: []float64{1, 2}, Low: []float64{0, 0.008}, High: []float64{0.002, 0.01}}}},
		&chart.Tornado{Title: "T", Value: chart.Axis{Title: "v", Unit: chart.Dimensionless}, Base: at, Low: "l", High: "h", Swings: swings}))
	off := eval[[]float64](tab, fmt.Sprintf(`[1, 0].map((axis, k) => {
		const plot = document.querySelectorAll(".plot")[k], chart = echarts.getInstanceByDom(plot), edge = plot.getBoundingClientRect();
		const want = chart.convertToPixel({[axis ? "yAxisIndex" : "xAxisIndex"]: 0}, %g) + (axis ? edge.top : edge.left);
		const lines = [...plot.querySelectorAll("path[stroke-dasharray]")].map((p) => p.getBoundingClientRect()).filter((r) => (axis ? r.width : r.height) > 30);
		return lines.length ? Math.min(...lines.map((r) => Math.abs((axis ? r.top + r.bottom : r.left + r.right) / 2 - want))) : 1e6;
	})`, at))
	for k, d := range off {
		expect.That(t, d < 1.5, "chart %d: the line is %.1f pixels from its value", k+1, d)
	}
	areas := eval[int](tab, `[...document.querySelectorAll(".plot svg path")].filter((p) => p.getAttribute("fill-opacity") === "0.22" && p.getBoundingClientRect().width > 500).length`)
	expect.Equal(t, areas, 1, "areas between two curves")
	tab.CheckQuiet(address)
}

// checkDrawing fails on a chart without shapes or axis titles, with text that
// is cut off, or with text over text.
func checkDrawing(t *testing.T, where string, d *drawing, titles []string) {
	t.Helper()
	switch {
	case titles == nil && d.Pixels < 10_000:
		t.Errorf("%s: %s has %d coloured pixels", where, d.ID, d.Pixels)
	case titles != nil && d.Shapes < 10 || d.Failed:
		t.Errorf("%s: %s has %d shapes", where, d.ID, d.Shapes)
	}
	for _, title := range titles {
		expect.That(t, d.shows(title), "%s: %s does not show the axis title %q", where, d.ID, title)
	}
	const slack = 1 // pixel: letters are drawn on whole ones
	for i, a := range d.Texts {
		expect.That(t, a.Left >= -slack && a.Top >= -slack && a.Right <= d.Width+slack && a.Bottom <= d.Height+slack,
			"%s: %s: text %q is cut off: %+v in %v x %v", where, d.ID, a.Text, a, d.Width, d.Height)
		for _, o := range d.Texts[i+1:] {
			expect.That(t, a.Left+slack >= o.Right || o.Left+slack >= a.Right || a.Top+slack >= o.Bottom || o.Top+slack >= a.Bottom,
				"%s: %s: %q and %q overlap: %+v, %+v", where, d.ID, a.Text, o.Text, a, o)
		}
	}
}

func (tab *tab) shoot(name string) {
	if *shots == "" {
		return
	}
	picture := run(tab, chromedp.FullScreenshot(100))
	file := filepath.Join(*shots, strings.ReplaceAll(name, " ", "-")+".png")
	if err := os.WriteFile(file, picture, 0o644); err != nil {
		tab.T.Fatal(err)
	}
}

// flatDocument is every chart but those in space, which take long to draw.
func flatDocument() *chart.Document {
	d := scene("sample")
	for i := range d.Sections {
		d.Sections[i].Blocks = slices.DeleteFunc(d.Sections[i].Blocks, func(b chart.Block) bool {
			_, space := b.(*chart.Surface3D)
			return space
		})
	}
	return d
}

// testFollowsReader changes what a reader can change while the page is open:
// the theme, then paper, then the width of the window.
func testFollowsReader(t *testing.T, tab *tab) {
	const colours = `Array.from(document.querySelectorAll(".plot svg")).map(s =>
		Array.from(s.querySelectorAll("path, text")).map(e => (e.getAttribute("fill") || "") + (e.getAttribute("stroke") || "")).join())`
	tab.Screen(1366, 768, "light")
	address := tab.open(flatDocument())
	light := eval[[]string](tab, colours)
	tab.Screen(1366, 768, "dark")
	dark := await(tab, colours, func(now []string) bool { return allDiffer(now, light) })
	expect.Need(t, len(light) != 0 && len(light) == len(dark), "%d charts in light, %d in dark", len(light), len(dark))
	for i := range light {
		expect.That(t, light[i] != dark[i], "chart %d: expected other colours in dark than in light", i+1)
	}

	// Paper has the drawings, in the colours of the light theme.
	const shown = `Array.from(document.querySelectorAll("%s")).filter(e => e.getClientRects().length > 0).length`
	tab.Paper("dark")
	plots, drawings := eval[int](tab, fmt.Sprintf(shown, ".plot")), eval[int](tab, fmt.Sprintf(shown, ".drawing"))
	expect.That(t, plots == 0 && drawings == len(light),
		"on paper there are %d charts and %d drawings; expected 0 and %d", plots, drawings, len(light))
	ink := eval[string](tab, `getComputedStyle(document.documentElement).getPropertyValue("--paper").trim()`)
	expect.That(t, ink == "#ffffff", "paper is %s in print; expected white", ink)
	browsertest.Call(tab.Tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})

	tab.Screen(500, 768, "dark")
	const tooWide = `Array.from(document.querySelectorAll(".plot svg")).filter(s => s.getBoundingClientRect().width > 500).length`
	n := await(tab, tooWide, func(n int) bool { return n == 0 })
	expect.That(t, n <= 0, "%d charts kept their width in a narrow window", n)
	tab.CheckQuiet(address)
}

// allDiffer reports whether every chart has other colours than elsewhere.
func allDiffer(charts, elsewhere []string) bool {
	for i := range charts {
		if i >= len(elsewhere) || charts[i] == elsewhere[i] {
			return false
		}
	}
	return true
}

// A mark adds its elements to the shapes of a chart.
func testSurfaceMarks(t *testing.T, tab *tab) {
	span := chart.Axis{Title: "x", Unit: chart.Dimensionless, Min: new(0.0), Max: new(1.0)}
	marks := []struct {
		mark chart.Mark
		want int // a line and its halo; on an arrow a head each; of points two rings
	}{{chart.MarkContours, 2}, {chart.MarkDashes, 2}, {chart.MarkArrows, 4}, {chart.MarkPath, 2}, {chart.MarkPoints, 2}}
	var blocks []chart.Block
	for _, test := range marks {
		without := chart.Layer{Name: "mark", Mark: test.mark}
		with := without
		with.Traces = []chart.Trace{{X: []float64{0, 1}, Y: []float64{0, 1}}}
		for _, l := range []chart.Layer{without, with} {
			blocks = append(blocks, &chart.Surface{Title: "Grid", X: span, Y: span, Value: span, Values: [][]float64{{0, 1}, {1, 0}}, Layers: []chart.Layer{l}})
		}
	}
	tab.Screen(1366, 768, "light")
	address := tab.open(documentOf(blocks...))
	drawings := eval[[]drawing](tab, `scene.drawings()`)
	for i, test := range marks {
		without, with := drawings[2*i].Shapes, drawings[2*i+1].Shapes
		expect.That(t, with-without == test.want,
			"mark %d: %d shapes, %d without; expected %d more", test.mark, with, without, test.want)
	}
	tab.CheckQuiet(address)
}

func spaceDocument(surfaces int) *chart.Document {
	span := chart.Axis{Title: "x", Unit: chart.Dimensionless, Min: new(0.0), Max: new(2.0)}
	d := documentOf()
	for range surfaces {
		d.Sections[0].Blocks = append(d.Sections[0].Blocks, &chart.Surface3D{Title: "Grid", X: span, Y: span, Value: span,
			Values: [][]float64{{0, 1, 0}, {1, 2, 1}, {0, 1, 0}}})
	}
	return d
}

// The arrow keys turn a surface, also one without layers.
func testSpace(t *testing.T, tab *tab) {
	tab.Screen(1366, 768, "light")
	address := tab.open(spaceDocument(1))
	tab.NeedWebGL()
	const picture = `Array.from(document.querySelectorAll(".plot canvas")).map(c => c.toDataURL()).join()`
	before := eval[string](tab, picture)
	eval[bool](tab, `document.querySelector(".plot").dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}))`)
	expect.That(t, await(tab, picture, func(now string) bool { return now != before }) != before,
		"an arrow key did not turn the surface")
	tab.CheckQuiet(address)

	// A grid without values is an empty box, and says nothing to a mouse.
	nothing := math.NaN()
	d := spaceDocument(1)
	d.Sections[0].Blocks[0].(*chart.Surface3D).Values = [][]float64{{nothing, nothing}, {nothing, 1}}
	address = tab.open(d)
	tab.PointAt(1, 1, 1)
	expect.That(t, !eval[[]drawing](tab, `scene.drawings()`)[0].Failed, "a grid without values could not be drawn")
	tab.CheckQuiet(address)
}

// Without WebGL the page says so, and draws its other charts.
func testNoWebGL(t *testing.T, tab *tab) {
	tab.Screen(1366, 768, "light")
	browsertest.Call(tab.Tab, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: `{
		const get = HTMLCanvasElement.prototype.getContext;
		HTMLCanvasElement.prototype.getContext = function (kind, ...more) { return kind.includes("webgl") ? null : get.call(this, kind, ...more); };
	}`})
	address := tab.open(scene("sample"))
	said := eval[[]string](tab, `Array.from(document.querySelectorAll(".failed")).map(p => p.textContent)`)
	expect.That(t, len(said) == 1 && strings.Contains(said[0], "needs WebGL") &&
		strings.Contains(said[0], "flat map"),
		"the page says %q; expected one remark on WebGL and the flat map", said)
	n, want := eval[int](tab, `document.querySelectorAll(".plot svg").length`), len(axisTitles(scene("sample")))-1
	expect.That(t, n == want, "%d other charts are drawn, expected %d", n, want)
	expect.That(t, !eval[bool](tab, `document.querySelector(".turn") !== null`),
		"the page says how to turn what is not there")
	tab.CheckQuiet(address)
}

// A browser that draws too many surfaces loses the first ones.
func testManySpaces(t *testing.T, tab *tab) {
	tab.Screen(390, 844, "light")
	address := tab.open(spaceDocument(9))
	tab.NeedWebGL()
	drawn, failed := 0, 0
	for _, d := range eval[[]drawing](tab, `scene.drawings()`) {
		if d.Pixels > 5000 {
			drawn++
		}
		if d.Failed {
			failed++
		}
	}
	expect.That(t, drawn == 8 && failed == 1, "%d surfaces are drawn and %d are not; expected 8 and 1", drawn, failed)
	tab.CheckQuiet(address)
}

// Thousands of points are drawn on one canvas, and not with an element each.
func testManyPoints(t *testing.T, tab *tab) {
	tab.Screen(390, 844, "dark")
	many := blockOf[*chart.ScatterChart](scene("sample"))
	for i := range 5000 {
		many.Series[0].Points = append(many.Series[0].Points, chart.ScatterPoint{X: 50 + 0.15*float64(i), Y: 5 + float64(i%71)})
	}
	address := tab.open(documentOf(many))
	d := eval[[]drawing](tab, `scene.drawings()`)
	expect.That(t, len(d) == 1 && !d[0].Failed && d[0].Shapes <= 0 && d[0].Pixels >= 5000,
		"drawn is %+v; expected a canvas with thousands of coloured pixels", d)
	rows := eval[int](tab, `document.querySelectorAll("tbody tr").length`)
	expect.That(t, rows <= 2*(500+4)+20, "the data tables have %d rows", rows)
	tab.CheckQuiet(address)
}

// Charts with too little in them, or with numbers that strain the axes, must not break the page.
func testSparseCharts(t *testing.T, tab *tab) {
	tab.Screen(1366, 768, "light")
	address := tab.open(scene("sparse"))
	drawings := eval[[]drawing](tab, `scene.drawings()`)
	var got []string
	for _, d := range drawings {
		got = append(got, fmt.Sprintf("drawn %t, failed %t", d.shows("Time"), d.Failed))
	}
	const drawn, empty = "drawn true, failed false", "drawn false, failed false"
	want := []string{drawn, empty, drawn, // the first that is drawn stands on the first screen
		drawn, drawn, drawn, empty, empty, drawn, empty, drawn, empty, drawn, drawn}
	expect.That(t, slices.Equal(got, want), "got %q, expected %q", got, want)
	tab.CheckQuiet(address)
}

// Without scripts, the drawings and the numbers are there.
func testWithoutScript(t *testing.T, tab *tab) {
	tab.Screen(1366, 900, "light")
	tab.Scripts(false)
	tab.navigate(scene("small"))
	expect.Says(t, run(tab, chromedp.Text(chromedp.CSS("main"))), "Rising.", "Beware.")
	figures := len(axisTitles(scene("small")))
	n := run(tab, chromedp.Evaluate[int](`Array.from(document.querySelectorAll(".drawing svg")).filter(s => s.getBoundingClientRect().height > 100).length`))
	expect.That(t, n == figures, "%d charts are visible, expected %d", n, figures)
}

// The entries of a legend are buttons where the legend shows them: Tab reaches them, Enter and the mouse hide and show
// their series, and they say which series that is.
func testLegendButtons(t *testing.T, tab *tab) {
	axis := chart.Axis{Title: "p", Unit: chart.Dimensionless}
	c := &chart.LineChart{Title: "T", X: axis, Y: axis, Series: []chart.Series{
		{Name: "ideal", X: []float64{1, 2}, Y: []float64{1, 2}, Ideal: true}, {Name: "measured", X: []float64{1, 2}, Y: []float64{1, 1.5}}}}
	const state = `scene.keys()`
	for _, width := range []int64{1366, phone} {
		tab.Screen(width, 844, "light")
		address := tab.open(documentOf(c))
		focused := ""
		for range 30 {
			browsertest.Press(tab.Tab, "Tab")
			if focused = eval[string](tab, `document.activeElement.closest(".keys") ? document.activeElement.getAttribute("aria-label") : ""`); focused == "measured" {
				break
			}
		}
		expect.Need(t, focused == "measured", "%d px: Tab does not reach the legend", width)
		for _, step := range []struct{ act, want string }{
			{``, "ideal true true true, measured true true true"},
			{`Enter`, "ideal true true true, measured false false true"},
			{` `, "ideal true true true, measured true true true"},
		} {
			if step.act != "" {
				browsertest.Press(tab.Tab, step.act)
			}
			browsertest.Become(tab.Tab, state, step.want, "%d px: after %q", width, step.act)
		}
		tab.CheckQuiet(address)
	}
}

const phone = 390 // CSS pixels

// Names of parameters with the same beginning, or the same beginning and end, stay different where they must be cut.
func testNamesOnAPhone(t *testing.T, tab *tab) {
	tab.Screen(phone, 844, "light")
	start, end := strings.Repeat("marked speed of a node ", 3), strings.Repeat(" with much memory", 3)
	names := []string{start + "genoa", start + "grace", start + "A" + end, start + "B" + end, "price"}
	c := &chart.Tornado{Title: "T", Value: chart.Axis{Title: "time", Unit: "s"}, Base: 10, Low: "-10 %", High: "+10 %"}
	bars := &chart.BarChart{Title: "B", X: chart.Axis{Title: "name", Unit: chart.Dimensionless}, Y: chart.Axis{Title: "time", Unit: "s"},
		Categories: names, Series: []chart.BarSeries{{Name: "s", Values: []float64{1, 2, 3, 4, 5}}}, Horizontal: true}
	for i, name := range names {
		c.Swings = append(c.Swings, chart.Swing{Parameter: name, Low: 9 - float64(i), High: 11 + float64(i)})
	}
	tab.open(documentOf(c, bars))
	for _, d := range eval[[]drawing](tab, `scene.drawings()`) {
		seen := make(map[string]int)
		cut := 0
		for _, x := range d.Texts {
			if strings.Contains(x.Text, "…") {
				cut++
				seen[x.Text]++
			}
		}
		expect.That(t, cut == 4 && len(seen) == 4 && d.shows("price"),
			"%s: %d names are cut, to %v; expected 4 different ones", d.ID, cut, seen)
	}
}

// Labels of points that lie close together are beside, above and below them, or left
// out, and never on each other. Those of the last series are all shown.
func testPointLabels(t *testing.T, tab *tab) {
	for _, width := range []int64{phone, 1366} {
		tab.Screen(width, 844, "light")
		c := &chart.ScatterChart{Title: "T", X: chart.Axis{Title: "price", Unit: "EUR"}, Y: chart.Axis{Title: "time", Unit: "s"},
			Series: []chart.ScatterSeries{{Name: "front"}, {Name: "best", Points: []chart.ScatterPoint{{Name: "p", X: 101, Y: 10.02, Label: "recommended"}}}}}
		for i := range 8 {
			c.Series[0].Points = append(c.Series[0].Points, chart.ScatterPoint{Name: "q", X: 100 + 0.3*float64(i), Y: 10 + 0.01*float64(i%3), Label: "machine " + string(rune('A'+i))})
		}
		c.Series[0].Points = append(c.Series[0].Points, chart.ScatterPoint{Name: "far", X: 140, Y: 12})
		tab.open(documentOf(c))
		d := eval[[]drawing](tab, `scene.drawings()`)[0]
		var labels []int
		for i, x := range d.Texts {
			if (strings.HasPrefix(x.Text, "machine ") || x.Text == "recommended") && x.Left > -1000 {
				labels = append(labels, i)
			}
		}
		expect.That(t, len(labels) >= 2 && d.shows("recommended"), "%d px: %d labels", width, len(labels))
		for a, i := range labels {
			for _, k := range labels[:a] {
				x, y := d.Texts[i], d.Texts[k]
				expect.That(t, x.Left >= y.Right || y.Left >= x.Right || x.Top >= y.Bottom || y.Top >= x.Bottom,
					"%d px: %q and %q lie on each other", width, x.Text, y.Text)
			}
		}
	}
}

// The buttons at a chart make files that can be read, and change its scales.
func testTools(t *testing.T, tab *tab) {
	tab.Screen(1366, 768, "light")
	p := chart.Axis{Title: "p", Unit: chart.Dimensionless, Log: true}
	c := &chart.LineChart{Title: "Speed-up, \"all\"", X: p, Y: p, Square: true, Series: []chart.Series{
		{Name: "ideal", X: []float64{1, 262144}, Y: []float64{1, 262144}, Ideal: true, Plain: true},
		{Name: "a, b", X: []float64{1, 262144}, Y: []float64{1, 1. / 3 * 1e5}}}}
	address := tab.open(documentOf(c))
	for text, want := range unbroken { // by scripts as in the page
		got := eval[string](tab, fmt.Sprintf(`isoscaleElements.make("p", {}, %q).innerHTML`, chart.Clean(text)))
		expect.Equal(t, strings.ReplaceAll(got, "&nbsp;", "\u00a0"), want, "%s", text)
	}
	get := func(name string) string { return eval[string](tab, fmt.Sprintf(`scene.file(%q)`, name)) }
	rows, err := csv.NewReader(strings.NewReader(get("CSV"))).ReadAll()
	expect.That(t, err == nil && len(rows) == 5 && rows[4][0] == "a, b" && rows[4][3] == "262144" &&
		rows[4][4] == strconv.FormatFloat(c.Series[1].Y[1], 'f', -1, 64),
		"CSV is %q, %v", rows, err)
	var svg struct {
		Text   []string `xml:"text"`
		Shared []string `xml:"g>text"` // those that share colour and place
	}
	text := get("SVG")
	expect.That(t, xml.Unmarshal([]byte(text), &svg) == nil && len(svg.Text)+len(svg.Shared) >= 6 &&
		!strings.Contains(text, "var("),
		"SVG has %d texts: %.200s", len(svg.Text)+len(svg.Shared), text)
	expect.Equal(t, get("PNG"), "137,80,78,71", "the PNG begins")
	for _, step := range [][2]string{{"Log y", "true false value true 0"}, {"Log y", "true true log true 0"}, {"Ideal", "true false log false 0"}, {"Ideal", "true true log true 0"}, {"+", "true  log true 25"}, {"Reset", "true  log true 0"}} {
		expect.Equal(t, eval[string](tab, fmt.Sprintf(`scene.press(%q)`, step[0])), step[1], "after %q", step[0])
	}
	// The legend and the button agree on the ideal line, whichever is pressed.
	for _, step := range [][2]string{{"key", "false false false"}, {"button", "true true true"}, {"button", "false false false"}, {"key", "true true true"}} {
		expect.Equal(t, eval[string](tab, fmt.Sprintf(`scene.ideal(%q)`, step[0])), step[1], "after the %s: button, key, line", step[0])
	}
	tab.CheckQuiet(address)
	// The page draws the numbers of columns (of 2 s each) and rows, and logarithms of values.
	bytes := chart.Axis{Title: "bytes", Unit: "B"}
	nodes := chart.Axis{Title: "nodes", Unit: chart.Dimensionless, Min: new(0.0), Max: new(1.0)}
	side, logs := nodes, chart.Axis{Title: "bytes", Unit: "B", Log: true, Min: new(1.0), Max: new(1000.0)}
	side.Title = "y"
	grid := chart.Grid{{30, 1000}, {1, 10}}
	layers := []chart.Layer{{Name: "ring", Mark: chart.MarkPoints, Traces: []chart.Trace{{X: []float64{0.5}, Y: []float64{1}}}}}
	for _, tt := range []struct {
		of   chart.Block
		want string
	}{
		{&chart.HeatMap{Title: "Bytes", X: chart.Axis{Title: "time", Unit: "s", Min: new(0.0), Max: new(4.0)}, Y: chart.Axis{Title: "link", Unit: chart.Dimensionless},
			Value: chart.Axis{Title: "bytes", Unit: "B", Log: true, Min: new(1.0), Max: new(1000.0)}, Columns: 2, Rows: []chart.HeatRow{{Name: "up", Values: []float64{30, 1000}}}},
			"series,kind,name,time (s),link,high or value\n,cells,,0,up,30\n,cells,,2,up,1000\n"},
		{&chart.BarChart{Title: "Bars", Horizontal: true, X: chart.Axis{Title: "link", Unit: chart.Dimensionless}, Y: bytes, Categories: []string{"up", "down"},
			Series: []chart.BarSeries{{Name: "sent", Values: []float64{3, 4}, Low: []float64{2, 4}, High: []float64{5, 4}}}},
			"link,series,bytes (B),high\nup,sent,3,\ndown,sent,4,\nup,\"sent, range\",2,5\ndown,\"sent, range\",4,4\n"},
		{&chart.Tornado{Title: "Tornado", Value: bytes, Base: 10, BaseLabel: "as is", Low: "half", High: "twice", Swings: []chart.Swing{{Parameter: "size", Low: 5, High: 20}}},
			"parameter,change,bytes (B)\nas is,,10\nsize,half,5\nsize,twice,20\n"},
		{&chart.Tornado{Title: "Tornado", Value: bytes, Base: 10, BaseLabel: "as is", Low: "half", High: "twice", Swings: []chart.Swing{{Parameter: "size", Low: 5, High: 20, LowHalf: 1, HighHalf: 2}}},
			"parameter,change,bytes (B),half of the interval\nas is,,10,\nsize,half,5,1\nsize,twice,20,2\n"},
		// Places are 2^0 and 2^1 nodes; the ring is half way, at the square root of 2.
		{&chart.Surface{Title: "Map", X: nodes, XLog2: true, Y: side, Value: logs, Values: grid, Layers: layers},
			"series,kind,name,nodes,y,high or value\n,cells,,1,0,30\n,cells,,2,0,1000\n,cells,,1,1,1\n,cells,,2,1,10\nring,rings,,1.41421356237,1,\n"},
		{&chart.Surface3D{Title: "Space", X: nodes, XLog2: true, Y: side, Value: logs, Values: grid, Layers: layers},
			"series,kind,name,nodes,y,high or value\n,cells,,1,0,30\n,cells,,2,0,1000\n,cells,,1,1,1\n,cells,,2,1,10\nring,rings,,1.41421356237,1,3.16227766017\n"},
	} {
		tab.open(documentOf(tt.of))
		expect.Equal(t, get("CSV"), tt.want, "CSV of a %T", tt.of)
	}
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
		tab.PointAt(1000*(float64(k)+0.5)/float64(places), 2000)
		tip := await(tab, browsertest.Tip, func(tip string) bool { return strings.Count(tip, "curve ") == curves })
		if strings.Count(tip, "curve ") == curves {
			all++
		}
	}
	expect.That(t, all*100 >= places*95,
		"all %d curves are in the tooltip at %d of %d places; expected 95 %%", curves, all, places)
	tab.CheckQuiet(address)
}
