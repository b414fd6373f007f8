package html

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// Of the 54 lines of the sample, 18 have r1 = 2, and 9 of these hockney. The value rises
// with r2 and r3, with r1 up to 2, where r1 - 0.2 r1^2 is 1.2, and without flow. The buttons
// hand out all of them. A menu takes the keyboard as any menu does.
func testParallelAxes(t *testing.T, tab *tab) {
	tab.screen(390, 844, "dark")
	address := tab.open(&chart.Document{Title: "D", Sections: []chart.Section{{Heading: "S", Blocks: []chart.Block{choices()}}}})
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
