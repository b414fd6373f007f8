package browsertest

import (
	_ "embed" // what tests ask of pages
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// sceneScript has the questions of tests to pages: the functions of scene, which every page has.
//
//go:embed scene.js
var sceneScript string

// OpenPage loads a page by way of a file.
func (tab *Tab) OpenPage(page []byte) (address string) {
	tab.T.Helper()
	file := filepath.Join(tab.T.TempDir(), "page.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		tab.T.Fatal(err)
	}
	return tab.Open(file)
}

// PointAt moves the mouse to a point of the first chart of a report, in the coordinates of its first
// series, or of space: a value on an axis with numbers, the index of a category on one with names. Where
// that is on the screen depends on the fonts, so the chart is asked.
func (tab *Tab) PointAt(at ...float64) {
	tab.T.Helper()
	point, err := json.Marshal(at)
	if err != nil {
		tab.T.Fatal(err)
	}
	place := Eval[[2]float64](tab, fmt.Sprintf(`scene.placeOf(...%s)`, point))
	Run(tab, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, place[0], place[1]))
}

// Tip is the text of the tooltips on the screen, empty while there is none.
const Tip = `Array.from(document.querySelectorAll(".tip"), (tip) => tip.innerText).join("").replace(/\s+/g, " ")`

// NeedWebGL skips a test where the browser cannot draw in space.
func (tab *Tab) NeedWebGL() {
	tab.T.Helper()
	if !Eval[bool](tab, `!!document.createElement("canvas").getContext("webgl")`) {
		tab.T.Skip("the browser has no WebGL, not even in software")
	}
}

// StartCharts scrolls to each chart of a report, which starts it, and waits until all are on the screen.
func (tab *Tab) StartCharts() {
	tab.T.Helper()
	Eval[bool](tab, `scene.startCharts()`)
	tab.Settle()
}

// TextFaults returns the texts that overlap or are cut off in the visible drawings that a selector finds, each with the
// heading of its figure.
func TextFaults(tab *Tab, drawings string) []string {
	tab.T.Helper()
	return Eval[[]string](tab, fmt.Sprintf(`scene.textFaults(%q)`, drawings))
}

// Axe returns the script of axe-core, which ISOSCALE_AXE names. Without it the test is skipped.
func Axe(t testing.TB) string {
	t.Helper()
	return scripts(t, "ISOSCALE_AXE", "axe.min.js of axe-core", "")
}

// VegaLite returns the scripts of Vega and Vega-Lite, which are in the folder of packages that ISOSCALE_VEGA names.
// Without it the test is skipped.
func VegaLite(t testing.TB) string {
	t.Helper()
	return scripts(t, "ISOSCALE_VEGA", "a folder with the packages vega and vega-lite",
		"vega/build/vega.min.js", "vega-lite/build/vega-lite.min.js")
}

// scripts returns the scripts at paths below what a variable names.
func scripts(t testing.TB, variable, what string, paths ...string) (all string) {
	t.Helper()
	named := os.Getenv(variable)
	if named == "" {
		t.Skipf("%s does not name %s", variable, what)
	}
	for _, path := range paths {
		script, err := os.ReadFile(filepath.Join(named, path))
		if err != nil {
			t.Fatal(err)
		}
		all += string(script) + "\n"
	}
	return all
}

// Violations returns the serious and critical findings of axe-core on the page, one per line; "" for none. It waits
// until nothing fades or moves any more, because text that is fading in has colours that do not stay. What is off the
// screen need not be laid out, and its animations then do not proceed, so they are not waited for. An animation that
// the browser has stopped for another reason is waited for ten seconds, so that the test ends.
func Violations(tab *Tab, axe string) string {
	tab.T.Helper()
	// The script of half a megabyte is evaluated without a result.
	Eval[bool](tab, "(() => {"+axe+"})(), true")
	return Eval[string](tab, `Promise.race([new Promise(r => setTimeout(r, 10000)), Promise.allSettled(document.getAnimations().filter(a => a.effect?.getComputedTiming().endTime < Infinity && a.effect.target?.checkVisibility({contentVisibilityAuto: true})).map(a => a.finished))]).then(() => axe.run({resultTypes: ["violations"]}).then(r => r.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => v.id + ": " + v.nodes.map(n => n.target.join(" ") + " " + n.failureSummary).slice(0, 3).join("; ")).join("\n")))`)
}
