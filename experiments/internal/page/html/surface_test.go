package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
)

// The halo of marks is as strong as the contrast of marks was computed for.
func TestHaloIsThatOfThePalette(t *testing.T) {
	if want := fmt.Sprintf("opacity: halo ? %g : 1", palette.HaloOpacity); !strings.Contains(scriptText(), want) {
		t.Errorf("the script has no %q", want)
	}
}

// A surface and the same grid in space are one value, converted.
func TestSurfaceConverts(t *testing.T) {
	flat := hill()
	page(t, &chart.Document{Title: "D", Sections: []chart.Section{{Heading: "S", Blocks: []chart.Block{flat, (*chart.Surface3D)(flat)}}}})
}

// Without scripts a surface in space is drawn as a map. It is left out where that map comes
// just before it, and stays where its values are others.
func TestStaticPageDrawsAMapOnce(t *testing.T) {
	for _, test := range []struct {
		values [][]float64
		live   bool
		want   int // charts
	}{{nil, false, 1}, {[][]float64{{0, 1}, {2, 3}}, false, 2}, {nil, true, 2}} {
		d := spaceDocument(1)
		space := d.Sections[0].Blocks[0].(*chart.Surface3D)
		flat := chart.Surface(*space)
		if test.values != nil {
			space.Values = test.values
		}
		d.Sections[0].Blocks = []chart.Block{&flat, space}
		var page strings.Builder
		if err := Write(&page, d, test.live); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(page.String(), "<figure"); got != test.want {
			t.Errorf("a map and a surface with the values %v: %d charts, want %d", test.values, got, test.want)
		}
	}
}

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
