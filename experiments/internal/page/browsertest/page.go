package browsertest

import (
	_ "embed" // what tests ask of pages
	"fmt"
	"os"
	"testing"
)

// sceneScript is what tests ask of pages: the functions of scene, which every page has.
//
//go:embed scene.js
var sceneScript string

// StartCharts scrolls to each chart of a report, which starts it, and waits until all are on
// the screen.
func (tab *Tab) StartCharts() {
	tab.T.Helper()
	Eval[bool](tab, `scene.startCharts()`)
	tab.Settle()
}

// TextFaults says which texts lie on each other or are cut off in the visible drawings that
// a selector finds, each by the heading of its figure.
func TextFaults(tab *Tab, drawings string) []string {
	tab.T.Helper()
	return Eval[[]string](tab, fmt.Sprintf(`scene.textFaults(%q)`, drawings))
}

// Axe returns the script of axe-core, which ISOSCALE_AXE names. Without it the test is
// skipped.
func Axe(t testing.TB) string {
	t.Helper()
	file := os.Getenv("ISOSCALE_AXE")
	if file == "" {
		t.Skip("ISOSCALE_AXE does not name axe.min.js of axe-core")
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(script)
}

// Violations returns the serious and critical findings of axe-core on the page, a line
// for each; "" for none. It waits until nothing fades or moves any more: text that is
// halfway in has colours that no reader is left with. What is off the screen need not be
// laid out, and then its animations do not go on: they are not waited for. One that the browser has stopped for
// another reason is waited for ten seconds, lest the test waits for ever.
func Violations(tab *Tab, axe string) string {
	tab.T.Helper()
	// Evaluated without a result: axe is a script of half a megabyte.
	Eval[bool](tab, "(() => {"+axe+"})(), true")
	return Eval[string](tab, `Promise.race([new Promise(r => setTimeout(r, 10000)), Promise.allSettled(document.getAnimations().filter(a => a.effect?.getComputedTiming().endTime < Infinity && a.effect.target?.checkVisibility({contentVisibilityAuto: true})).map(a => a.finished))]).then(() => axe.run({resultTypes: ["violations"]}).then(r => r.violations.filter(v => ["serious", "critical"].includes(v.impact)).map(v => v.id + ": " + v.nodes.map(n => n.target.join(" ") + " " + n.failureSummary).slice(0, 3).join("; ")).join("\n")))`)
}
