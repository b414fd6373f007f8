package html

import (
	"encoding/csv"
	"encoding/xml"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// The buttons at a chart make files that can be read, and change its scales.
func testTools(t *testing.T, tab *tab) {
	tab.screen(1366, 768, "light")
	p := chart.Axis{Title: "p", Unit: chart.Dimensionless, Log: true}
	c := &chart.LineChart{Title: "Speed-up, \"all\"", X: p, Y: p, Square: true, Series: []chart.Series{
		{Name: "ideal", X: []float64{1, 262144}, Y: []float64{1, 262144}, Ideal: true, Plain: true},
		{Name: "a, b", X: []float64{1, 262144}, Y: []float64{1, 1. / 3 * 1e5}}}}
	address := tab.open(&chart.Document{Title: "T", Sections: []chart.Section{{Heading: "S", Blocks: []chart.Block{c}}}})
	const file = `(async () => {
		const made = URL.createObjectURL;
		const blob = await new Promise(done => {
			URL.createObjectURL = b => { done(b); return made.call(URL, b); };
			HTMLAnchorElement.prototype.click = function () {};
			Array.from(document.querySelectorAll(".tools button")).find(b => b.textContent === "NAME").click();
		});
		URL.createObjectURL = made;
		return blob.type === "image/png" ? String(new Uint8Array(await blob.arrayBuffer()).slice(0, 4)) : blob.text();
	})()`
	get := func(name string) string { return eval[string](tab, strings.ReplaceAll(file, "NAME", name)) }
	rows, err := csv.NewReader(strings.NewReader(get("CSV"))).ReadAll()
	if err != nil || len(rows) != 5 || rows[4][0] != "a, b" || rows[4][3] != "262144" || rows[4][4] != strconv.FormatFloat(c.Series[1].Y[1], 'f', -1, 64) {
		t.Errorf("CSV is %q, %v", rows, err)
	}
	var svg struct {
		Text   []string `xml:"text"`
		Shared []string `xml:"g>text"` // with others of their colour and place
	}
	if text := get("SVG"); xml.Unmarshal([]byte(text), &svg) != nil || len(svg.Text)+len(svg.Shared) < 6 || strings.Contains(text, "var(") {
		t.Errorf("SVG has %d texts: %.200s", len(svg.Text)+len(svg.Shared), text)
	}
	if got := get("PNG"); got != "137,80,78,71" {
		t.Errorf("the PNG begins with %s", got)
	}
	const press = `(() => { const b = Array.from(document.querySelectorAll(".tools button")).find(b => b.textContent === "NAME"); b.focus(); b.click();
		const o = echarts.getInstanceByDom(document.querySelector(".plot")).getOption();
		return [document.activeElement === b, b.getAttribute("aria-pressed"), o.yAxis[0].type, o.legend[0].selected.ideal !== false, Math.round(o.dataZoom[0].start)].join(" "); })()`
	for _, step := range [][2]string{{"Log y", "true false value true 0"}, {"Log y", "true true log true 0"}, {"Ideal", "true false log false 0"}, {"Ideal", "true true log true 0"}, {"+", "true  log true 25"}, {"Reset", "true  log true 0"}} {
		if got := eval[string](tab, strings.ReplaceAll(press, "NAME", step[0])); got != step[1] {
			t.Errorf("after %q: %q; expected %q", step[0], got, step[1])
		}
	}
	// The legend and the button say the same of the ideal line, whichever is pressed.
	const line = `(() => {
		const button = Array.from(document.querySelectorAll(".tools button")).find(b => b.textContent === "Ideal"), key = document.querySelector(".keys button[aria-label=ideal]");
		PRESS.click();
		const shown = echarts.getInstanceByDom(document.querySelector(".plot")).getOption().legend[0].selected.ideal !== false;
		return [button.getAttribute("aria-pressed"), document.querySelector(".keys button[aria-label=ideal]").getAttribute("aria-pressed"), shown].join(" "); })()`
	for _, step := range [][2]string{{"key", "false false false"}, {"button", "true true true"}, {"button", "false false false"}, {"key", "true true true"}} {
		if got := eval[string](tab, strings.ReplaceAll(line, "PRESS", step[0])); got != step[1] {
			t.Errorf("after the %s: button, key, line are %s; expected %s", step[0], got, step[1])
		}
	}
	tab.checkQuiet(address)
}
