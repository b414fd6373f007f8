package command

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
)

// screens are a phone, a tablet and a laptop, in CSS pixels.
var screens = []int64{390, 660, 1366}

// mostTabs is up to how many stops a report is walked through by Tab.
const mostTabs = 500

// checkWithoutScripts opens a report where no script runs.
func checkWithoutScripts(tab *browsertest.Tab, r exampleReport) {
	tab.T.Helper()
	tab.Scripts(false)
	tab.Screen(screens[0], 800, "light")
	address := tab.Open(r.page)
	for _, width := range screens {
		tab.Screen(width, 800, "dark")
		checkPage(tab, fmt.Sprintf("%d px, without scripts", width))
		checkDrawn(tab, fmt.Sprintf("%d px, without scripts", width))
	}
	tab.CheckQuiet(address)
	tab.Scripts(true)
}

// checkScreens opens a report, starts its charts and looks at it on each screen, on the largest
// in both themes, and on paper.
func checkScreens(tab *browsertest.Tab, r exampleReport) {
	tab.T.Helper()
	tab.Screen(screens[0], 800, "light")
	address := tab.Open(r.page)
	tab.StartCharts()
	for i, width := range screens {
		// Charts out of sight follow a theme at once, but a width only when they come into sight.
		for _, theme := range [][]string{{"light"}, {"dark"}, {"light", "dark"}}[i] {
			tab.Screen(width, 800, theme)
			if left := browsertest.Await(tab, chartsOfOtherWidths, func(n int) bool { return n == 0 }); left > 0 {
				tab.T.Errorf("%d px: %d charts keep another width", width, left)
			}
			checkPage(tab, fmt.Sprintf("%d px, %s", width, theme))
			if r.axe && width == screens[2] {
				tab.Settle()
				if found := browsertest.Violations(tab, browsertest.Axe(tab.T)); found != "" {
					tab.T.Errorf("%s: %s", theme, found)
				}
			}
		}
	}
	tab.Settle()
	for _, fault := range browsertest.Eval[[]string](tab, chartFaults) {
		tab.T.Error(fault)
	}
	checkDownloads(tab)
	checkTabs(tab)
	tab.Screen(paperWidth, 1000, "dark")
	tab.Paper("dark")
	checkPage(tab, "on paper")
	checkDrawn(tab, "on paper")
	for _, number := range browsertest.Eval[[]string](tab, brokenNumbers) {
		tab.T.Errorf("on paper the number %s is broken over lines", number)
	}
	tab.CheckQuiet(address)
}

// brokenNumbers lists the numbers that go over more than one line in tables that have room
// for them.
const brokenNumbers = `Array.from(document.querySelectorAll("td.num, .numbers td")).filter((cell) => {
	if (cell.getClientRects().length === 0 || cell.parentElement.cells.length > 13 || !/^[-+]?[0-9.]+(e[-+]?[0-9]+)?$/.test(cell.textContent)) return false;
	const text = document.createRange();
	text.selectNodeContents(cell);
	return text.getClientRects().length > 1;
}).map((cell) => cell.textContent)`

// paperWidth is the width of A4 between margins of 15 mm, in CSS pixels.
const paperWidth = 680

// chartsOfOtherWidths counts the charts that were not yet drawn for the width of the window.
const chartsOfOtherWidths = `Array.from(document.querySelectorAll(".live .plot")).filter((plot) => {
	const drawn = plot.querySelector("svg");
	return drawn && plot.clientWidth > 0 && Math.abs(drawn.getBoundingClientRect().width - plot.clientWidth) > 1;
}).length`

// checkPage fails on a page that is wider than the window, and on texts of drawings and of
// charts that lie on each other or are cut off.
func checkPage(tab *browsertest.Tab, where string) {
	tab.T.Helper()
	wide := browsertest.Eval[string](tab, `(() => {
		const root = document.documentElement;
		if (root.scrollWidth <= root.clientWidth) return "";
		const wide = Array.from(document.querySelectorAll("main *, header *, footer *")).filter((e) => e.getBoundingClientRect().right > root.clientWidth);
		const last = wide.find((e) => !wide.some((other) => other !== e && e.contains(other)));
		return root.scrollWidth + " px, for " + (last ? last.outerHTML.slice(0, 200) : "?");
	})()`)
	if wide != "" {
		tab.T.Errorf("%s: the page is wider than the window: %s", where, wide)
	}
	for _, fault := range browsertest.TextFaults(tab, ".drawing svg, .plot svg") {
		tab.T.Errorf("%s: %s", where, fault)
	}
}

// checkDrawn fails on a visible chart without a visible drawing. Charts without data say so,
// and a network is its table.
func checkDrawn(tab *browsertest.Tab, where string) {
	tab.T.Helper()
	for _, name := range browsertest.Eval[[]string](tab, `Array.from(document.querySelectorAll("figure"))
		.filter((f) => f.getClientRects().length > 0 && !f.querySelector(".empty") && !f.matches(".network"))
		.filter((f) => !Array.from(f.querySelectorAll(".drawing svg, .picture svg, .picture canvas")).some((svg) => svg.getBoundingClientRect().height > 50))
		.map((f) => f.querySelector("h3").textContent)`) {
		tab.T.Errorf("%s: %q is not drawn", where, name)
	}
}

// chartFaults says of each chart of the page what is wrong with its curves: one of a single point,
// and tooltips that do not name all visible curves at 95 % of the places between their ends.
const chartFaults = `(() => {
	const packed = document.getElementById("charts");
	if (!packed) return [];
	const specs = JSON.parse(packed.textContent), faults = [], places = 20;
	for (const plot of document.querySelectorAll(".live .plot")) {
		const figure = plot.parentElement, spec = specs[figure.id], name = figure.querySelector("h3").textContent;
		if (figure.querySelector(".failed")) faults.push(name + ": could not be drawn");
		if (plot.clientWidth === 0 || spec.bars || spec.space) continue;
		const curves = spec.option.series.map((s, i) => ({
			name: s.name, role: spec.roles[i],
			at: (s.data || []).map((d) => (d && d.value) || d).filter((d) => Array.isArray(d) && typeof d[0] === "number" && typeof d[1] === "number").map((d) => d[0]),
		})).filter(({ role }, i) => spec.option.series[i].type === "line" && ["data", "ideal"].includes(role.kind));
		for (const c of curves) if (!c.role.above && c.at.length === 1) faults.push(name + ": " + c.name + " is a curve of one point");
		if (curves.length === 0) continue;
		const chart = echarts.getInstanceByDom(plot), box = plot.getBoundingClientRect();
		const pixel = (x) => chart.convertToPixel({ xAxisIndex: 0 }, x);
		const ends = curves.filter((c) => c.at.length > 1).map((c) => [c.name, pixel(Math.min(...c.at)), pixel(Math.max(...c.at))]);
		if (ends.length === 0) continue;
		const from = Math.min(...ends.map((e) => e[1])), to = Math.max(...ends.map((e) => e[2]));
		let complete = 0, missing = "";
		for (let k = 0; k < places; k++) {
			const x = from + (to - from) * (k + 0.5) / places;
			const expected = ends.filter(([, left, right]) => left <= x && x <= right).map((e) => e[0]);
			const grid = chart.getModel().getComponent("grid").coordinateSystem.getRect();
			plot.querySelector("svg").dispatchEvent(new MouseEvent("mousemove", { bubbles: true, clientX: box.left + x, clientY: box.top + grid.y + grid.height / 2 }));
			const tip = plot.querySelector(".tip"), text = tip ? tip.textContent : "";
			const absent = expected.filter((curve) => !text.includes(curve.slice(0, 40)));
			if (absent.length === 0) complete++;
			else missing = absent[0];
		}
		if (complete < 0.95 * places) faults.push(name + ": the tooltip names all curves at " + complete + " of " + places + " places, and not always " + missing);
	}
	return faults;
})()`

// checkDownloads fails on files of charts that cannot be read: the drawing and the data of
// each, the picture of the first.
func checkDownloads(tab *browsertest.Tab) {
	tab.T.Helper()
	files := browsertest.Eval[[]struct{ Chart, SVG, CSV, PNG string }](tab, `(async () => {
		const make = URL.createObjectURL, click = HTMLAnchorElement.prototype.click, out = [];
		HTMLAnchorElement.prototype.click = () => {};
		for (const figure of Array.from(document.querySelectorAll("figure.live")).filter((f) => f.querySelector(".tools"))) {
			const press = (name) => new Promise((done, fail) => {
				setTimeout(() => fail(new Error(name + " of " + figure.querySelector("h3").textContent + " is not written")), 120000);
				URL.createObjectURL = (blob) => { done(blob); return make.call(URL, blob); };
				Array.from(figure.querySelectorAll(".tools button")).find((b) => b.textContent === name).click();
			});
			const file = { Chart: figure.querySelector("h3").textContent, SVG: await (await press("SVG")).text(), CSV: await (await press("CSV")).text() };
			if (out.length === 0) file.PNG = String(new Uint8Array(await (await press("PNG")).arrayBuffer()).slice(0, 4));
			out.push(file);
		}
		[URL.createObjectURL, HTMLAnchorElement.prototype.click] = [make, click];
		return out;
	})()`)
	for i, f := range files {
		var drawing struct {
			Text   []string `xml:"text"`
			Shared []string `xml:"g>text"` // with others of their colour and place
			Path   []struct {
				D string `xml:"d,attr"`
			} `xml:"path"`
		}
		if err := xml.Unmarshal([]byte(f.SVG), &drawing); err != nil || len(drawing.Text)+len(drawing.Shared) == 0 || len(drawing.Path) == 0 || strings.Contains(f.SVG, "var(") {
			tab.T.Errorf("%s: the SVG has %d texts and %d paths, %v", f.Chart, len(drawing.Text)+len(drawing.Shared), len(drawing.Path), err)
		}
		if rows, err := csv.NewReader(strings.NewReader(f.CSV)).ReadAll(); err != nil || len(rows) < 2 {
			tab.T.Errorf("%s: the CSV has %d rows, %v", f.Chart, len(rows), err)
		}
		if i == 0 && f.PNG != "137,80,78,71" {
			tab.T.Errorf("%s: the PNG begins with %s", f.Chart, f.PNG)
		}
	}
}

// checkTabs fails on what can be operated and Tab does not reach.
func checkTabs(tab *browsertest.Tab) {
	tab.T.Helper()
	stops := browsertest.Eval[int](tab, `(() => {
		window.stops = Array.from(document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']")).filter((e) => !e.disabled && e.getClientRects().length > 0 && !(e.closest("details:not([open])") && !e.matches("summary")));
		window.reached = new Set();
		document.addEventListener("focusin", (event) => window.reached.add(event.target));
		document.activeElement.blur();
		return window.stops.length;
	})()`)
	if stops > mostTabs {
		return
	}
	for range stops + 3 {
		browsertest.Press(tab, "Tab")
	}
	for _, left := range browsertest.Eval[[]string](tab, `window.stops.filter((e) => !window.reached.has(e)).map((e) => e.outerHTML.slice(0, 120))`) {
		tab.T.Errorf("Tab does not reach %s", left)
	}
}
