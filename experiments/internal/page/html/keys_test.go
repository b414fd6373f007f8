package html

import (
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
)

// The entries of a legend are buttons where the legend shows them: Tab reaches them, Enter
// and the mouse hide and show their series, and they say which it is.
func testLegendButtons(t *testing.T, tab *tab) {
	axis := chart.Axis{Title: "p", Unit: chart.Dimensionless}
	c := &chart.LineChart{Title: "T", X: axis, Y: axis, Series: []chart.Series{
		{Name: "ideal", X: []float64{1, 2}, Y: []float64{1, 2}, Ideal: true}, {Name: "measured", X: []float64{1, 2}, Y: []float64{1, 1.5}}}}
	const state = `(() => {
		const plot = document.querySelector(".plot"), selected = echarts.getInstanceByDom(plot).getOption().legend[0].selected;
		return Array.from(document.querySelectorAll(".keys button")).map(b => {
			const at = b.getBoundingClientRect(), name = b.getAttribute("aria-label");
			const text = Array.from(plot.querySelectorAll("text")).find(e => e.textContent === name).getBoundingClientRect();
			const over = at.left <= text.left + 1 && text.right <= at.right + 1 && at.top <= text.top + 4 && text.bottom <= at.bottom + 4;
			return [name, b.getAttribute("aria-pressed"), selected[name] !== false, over].join(" ");
		}).join(", ");
	})()`
	for _, width := range []int64{1366, phone} {
		tab.screen(width, 844, "light")
		address := tab.open(documentOf(c))
		focused := ""
		for range 30 {
			browsertest.Press(tab.Tab, "Tab")
			if focused = eval[string](tab, `document.activeElement.closest(".keys") ? document.activeElement.getAttribute("aria-label") : ""`); focused == "measured" {
				break
			}
		}
		if focused != "measured" {
			t.Fatalf("%d px: Tab does not reach the legend", width)
		}
		for _, step := range []struct{ act, want string }{
			{``, "ideal true true true, measured true true true"},
			{`Enter`, "ideal true true true, measured false false true"},
			{` `, "ideal true true true, measured true true true"},
		} {
			if step.act != "" {
				browsertest.Press(tab.Tab, step.act)
			}
			if got := await(tab, state, func(got string) bool { return got == step.want }); got != step.want {
				t.Errorf("%d px: after %q: %s; expected %s", width, step.act, got, step.want)
			}
		}
		tab.checkQuiet(address)
	}
}
