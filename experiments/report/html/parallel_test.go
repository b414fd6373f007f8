package html

import (
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
)

// Of the 54 lines of the sample, 18 have r1 = 2, and 9 of these hockney. The value rises
// with r2 and r3, with r1 up to 2, where r1 - 0.2 r1^2 is 1.2, and without flow. The buttons
// hand out all of them. A menu takes the keyboard as any menu does.
func testParallelAxes(t *testing.T, tab *tab) {
	tab.screen(390, 844, "dark")
	address := tab.open(&report.Document{Title: "D", Sections: []report.Section{{Heading: "S", Blocks: []report.Block{choices()}}}})
	const said = `document.querySelector(".live > [role=status]").textContent`
	if got := eval[string](tab, said); !strings.HasPrefix(got, "54 of 54 lines; the best: r1 2, r2 2, network hockney, r3 2, ") {
		t.Errorf("at first %q", got)
	}
	choose := func(menu, level string) string {
		return eval[string](tab, `(() => {
			const menu = document.querySelectorAll(".menus select")[`+menu+`];
			menu.focus();
			menu.selectedIndex = `+level+`;
			menu.dispatchEvent(new Event("change"));
			return document.activeElement === menu ? `+said+` : "no focus";
		})()`)
	}
	if got := choose("0", "3"); !strings.HasPrefix(got, "18 of 54 lines; the best: r1 2, ") {
		t.Errorf("with r1 = 2: %q", got)
	}
	if got := choose("2", "1"); !strings.HasPrefix(got, "9 of 54 lines; ") || !strings.Contains(got, "network hockney") {
		t.Errorf("with hockney too: %q", got)
	}
	if got := choose("0", "0"); !strings.HasPrefix(got, "27 of 54 lines") {
		t.Errorf("with any r1: %q", got)
	}
	if width := eval[int](tab, "document.documentElement.scrollWidth"); width > 390 {
		t.Errorf("the page is %d pixels wide", width)
	}
	tab.checkQuiet(address)
}

// The table has the line in front first, and the axes of both renderings are one.
func TestParallelAxesOfThePage(t *testing.T) {
	c := parallel{&report.Parallel{Title: "T", Marked: "best", Value: report.Axis{Title: "speedup", Unit: "1", Min: new(1.0), Max: new(1000.0), Log: true},
		Axes:  []report.ParallelAxis{{Name: "r", Levels: []string{"0", "1"}}, {Name: "r", Levels: []string{"a"}}},
		Lines: []report.ParallelLine{{At: []int{0, 0}, Value: 10}, {At: []int{1, 0}, Value: 1000, Label: "size 2", Marked: true}}}}
	spec := c.spec("id", 460).Parallel
	if spec.Min != 0 || spec.Max != 3 || !spec.Log || spec.Axes[1].Name != "r (2)" {
		t.Errorf("%+v", spec)
	}
	for _, want := range []float64{1, 10, 100, 1000} {
		if !slices.ContainsFunc(spec.Ticks, func(tick tickSpec) bool { return tick.At == want }) {
			t.Errorf("no tick at %v: %v", want, spec.Ticks)
		}
	}
	rows := c.dataTables()[0].Rows
	if len(rows) != 2 || !slices.Equal(rows[0], []string{"1", "a", "1000", "size 2"}) || !slices.Equal(rows[1], []string{"0", "a", "10", ""}) {
		t.Errorf("rows %q", rows)
	}
}
