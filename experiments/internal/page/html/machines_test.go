package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
	"github.com/isoscale/isoscale/internal/expect"
)

// quotes are machines of two node types and two networks without later costs, the best first: machine i
// costs 1000 (i+1) for nodes of type i%2 and takes 100/(i+1) h.
func quotes(count int) *chart.Table {
	m := &chart.Ranking{Currency: "EUR", Score: "time", ScoreUnit: "h", Scale: 3600,
		Types: []string{"cpu", "<gpu>"}, Networks: []string{"slow", "fast"}}
	for i := count - 1; i >= 0; i-- {
		price := 1000 * float64(i+1)
		m.Machines = append(m.Machines, chart.RankedMachine{Name: fmt.Sprintf("m%d", i+1), Design: fmt.Sprintf("d%d", i%20),
			Types: []int{i % 2}, Network: i / 2 % 2, Score: 3600 * 100 / float64(i+1), Relative: new(float64(count) / float64(i+1)),
			Price: price, Life: price, Year: price / 5, Cells: []string{fmt.Sprint(i + 1)}})
		if k := len(m.Machines); k <= 20 {
			m.Listed = append(m.Listed, k-1)
		}
	}
	return &chart.Table{Title: "Offers", Caption: "All of them.", Columns: []chart.Column{{Title: "rack units", Numeric: true}}, Ranking: m}
}

func pageOfQuotes(count int) *chart.Document {
	return documentOf(quotes(count))
}

// openRanking shows a document with machines, once their script has unpacked them.
func (tab *tab) openRanking(d *chart.Document) (address string) {
	tab.T.Helper()
	address = tab.navigate(d)
	expect.Need(tab.T, await(tab, `!document.querySelector("form.rows").hidden`, func(ready bool) bool { return ready }),
		"the form that filters machines does not appear")
	return address
}

// Without its script the page has the ranking as planned and no form.
func TestMachinesWithoutScript(t *testing.T) {
	var page strings.Builder
	expect.Success(t, Write(&page, pageOfQuotes(4), false))
	text := page.String()
	expect.Lacks(t, text, "<script", "<gpu>", "<form")
	first, second := strings.Index(text, "<td>m4"), strings.Index(text, "<td>m3")
	expect.That(t, first >= 0 && second >= first, "m4 at %d, m3 at %d; expected the best first", first, second)
}

// Of 40 machines the dearest, m40, takes 2.5 h. With the script the table is the same as without it. Hiding the 20 cpu
// machines leaves the recommended machine. The address holds the state.
func testMachines(t *testing.T, tab *tab) {
	var still strings.Builder
	expect.Success(t, Write(&still, pageOfQuotes(40), false))
	const shown = `scene.machines(document)`
	tab.Screen(390, 844, "dark")
	address := tab.openRanking(pageOfQuotes(40))
	parsed := eval[string](tab, `scene.machines(new DOMParser().parseFromString(`+"`"+still.String()[strings.Index(still.String(), "<body>"):]+"`"+`, "text/html"))`)
	if got := eval[string](tab, shown); got != parsed || !strings.HasPrefix(got, "m40|2.5|1.000|40 000|40 000|8 000|-|0|40\n") {
		t.Errorf("the table with script:\n%s\nwithout:\n%s", got, parsed)
	}
	const said = `document.querySelector(".machines .said").textContent.replaceAll("\u00a0", " ")`
	if got := eval[string](tab, said); !strings.HasPrefix(got, "As planned: buy m40 for 40 000 EUR.") {
		t.Errorf("at first %q", got)
	}
	set := func(selector, change string) string {
		return eval[string](tab, fmt.Sprintf("(scene.change(document.querySelector(%q), (x) => { %s; }), %s + ' ' + decodeURIComponent(location.hash))", selector, change, said))
	}
	for _, x := range []struct{ selector, change, begins, ends string }{
		{".filters input", "x.checked = false", "As planned: buy m40 for 40 000 EUR. 40 of 40 machines are ranked: 20 are hidden by choice", "#try:without=n1"},
	} {
		got := set(x.selector, x.change)
		expect.That(t, strings.HasPrefix(got, x.begins) && strings.HasSuffix(got, " "+x.ends),
			"after %s of %s: %q; expected %q ... %q", x.change, x.selector, got, x.begins, x.ends)
	}
	expect.Equal(t, eval[string](tab, `(() => {
		document.querySelector(".reset").click();
		const heads = document.querySelectorAll(".machines thead button");
		heads[3].click();
		const up = `+shown+`.split("|")[0], sort = document.querySelector("[aria-sort]").getAttribute("aria-sort");
		heads[3].click();
		return up + " " + sort + " " + `+shown+`.split("|")[0] + " " + location.hash;
	})()`), "m21 ascending m40 #try:sort=3d", "sorted by price")
	width := eval[int](tab, "document.documentElement.scrollWidth")
	expect.That(t, width <= 390, "the page is %d pixels wide", width)
	tab.CheckQuiet(address)
}

// axe-core finds nothing serious in the form and the table, in both themes.
func testMachinesAccessible(t *testing.T, tab *tab) {
	axe := browsertest.Axe(t)
	for _, theme := range []string{"light", "dark"} {
		tab.Screen(1366, 900, theme)
		tab.openRanking(pageOfQuotes(40))
		expect.Equal(t, browsertest.Violations(tab.Tab, axe), "", "violations in theme %s", theme)
	}
}

// A machine that the reader points at in a chart is marked in the table, and vice versa.
func testLinkedMachines(t *testing.T, tab *tab) {
	points := []chart.ScatterPoint{{Name: "m1", X: 1, Y: 3}, {Name: "m3", X: 2, Y: 2}, {Name: "m2", X: 3, Y: 1}}
	d := pageOfQuotes(4)
	d.Sections[0].Blocks = append([]chart.Block{&chart.ScatterChart{
		Title: "Offers", X: chart.Axis{Title: "Cost", Unit: "EUR", Min: new(0.0), Max: new(4.0)}, Y: chart.Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(4.0)},
		Series: []chart.ScatterSeries{{Name: "front", Points: points}},
	}}, d.Sections[0].Blocks...)
	tab.Screen(1366, 900, "light")
	address := tab.openRanking(d)
	await(tab, `document.querySelectorAll(".live .plot canvas, .live .plot svg").length`, func(n int) bool { return n > 0 })
	tab.PointAt(2, 2)
	const lit = `Array.from(document.querySelectorAll(".machines tr.lit"), row => row.dataset.machine).join(" ")`
	await(tab, lit, func(names string) bool { return names == "m3" })
	eval[bool](tab, `(() => {
		echarts.getInstanceByDom(document.querySelector(".plot")).on("highlight", e => { window.marked = (e.batch || [e]).map(x => x.dataIndex).join(" "); });
		document.querySelector('.machines tr[data-machine="m2"] td').dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
		return true;
	})()`)
	expect.Equal(t, eval[string](tab, `window.marked`), "2", "the chart marks point")
	expect.Equal(t, eval[string](tab, lit), "m2", "the table marks")
	tab.CheckQuiet(address)
}
