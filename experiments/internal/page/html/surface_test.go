package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/internal/expect"
)

// The halo of marks is as strong as was assumed when the contrast of marks was computed.
func TestHaloIsThatOfThePalette(t *testing.T) {
	expect.Says(t, scriptText(), fmt.Sprintf("opacity: halo ? %g : 1", palette.HaloOpacity))
}

// Without scripts a surface in space is drawn as a map. It is left out if that map comes just before it, and stays if
// its values differ.
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
		expect.Success(t, Write(&page, d, test.live))
		expect.Equal(t, strings.Count(page.String(), "<figure"), test.want, "a map and a surface with the values %v: charts", test.values)
	}
}

// Of the 54 lines of the sample, 18 have r1 = 2, and 9 of these hockney. The value rises with r2 and r3, with r1 up to
// 2, where r1 - 0.2 r1^2 is 1.2, and without flow. The buttons export all lines. A menu takes the keyboard as any menu
// does.
func testParallelAxes(t *testing.T, tab *tab) {
	tab.Screen(390, 844, "dark")
	address := tab.open(documentOf(blockOf[*chart.Parallel](scene("sample"))))
	const said = `document.querySelector(".live > [role=status]").textContent`
	got := eval[string](tab, said)
	expect.That(t, strings.HasPrefix(got, "54 of 54 lines; the best: r1 2, r2 2, network hockney, r3 2, "), "at first %q", got)
	choose := func(menu, level string) string {
		return eval[string](tab, fmt.Sprintf(`scene.change(document.querySelectorAll(".menus select")[%s], (menu) => menu.selectedIndex = %s) ? %s : "no focus"`, menu, level, said))
	}
	got = choose("0", "3")
	expect.That(t, strings.HasPrefix(got, "18 of 54 lines; the best: r1 2, "), "with r1 = 2: %q", got)
	got = choose("2", "1")
	expect.That(t, strings.HasPrefix(got, "9 of 54 lines; ") && strings.Contains(got, "network hockney"), "with hockney too: %q", got)
	got = choose("0", "0")
	expect.That(t, strings.HasPrefix(got, "27 of 54 lines"), "with any r1: %q", got)
	width := eval[int](tab, "document.documentElement.scrollWidth")
	expect.That(t, width <= 390, "the page is %d pixels wide", width)
	tab.CheckQuiet(address)
}

// sliced has maps of 2 x 3 levels of two variables; the map of the levels (1, 0) is missing. The first variable starts
// at its level 0, the second at 2.
func sliced() *chart.Document {
	c := &chart.Slices{
		Title:     "Grid by level",
		Variables: []chart.Variable{{Name: "method", Levels: []string{"formula", "dispatch"}}, {Name: "r3", Levels: []string{"0", "1", "<4>"}}},
		Start:     []int{0, 2},
	}
	for i := range 6 {
		if i == 3 {
			c.Surfaces = append(c.Surfaces, nil)
			continue
		}
		span := chart.Axis{Title: "x", Unit: chart.Dimensionless, Min: new(0.0), Max: new(1.0)}
		value := chart.Axis{Title: "v", Unit: chart.Dimensionless, Min: new(0.0), Max: new(9.0)}
		c.Surfaces = append(c.Surfaces, &chart.Surface{Title: "Grid " + string(rune('A'+i)), X: span, Y: span, Value: value, Values: [][]float64{{0, float64(i)}, {1, 0}}})
	}
	return &chart.Document{Title: "Slices", Sections: []chart.Section{{Heading: "Maps", Blocks: []chart.Block{c}}}}
}

// Without its script the page shows the first choice alone; the sliders do nothing and say so. A page without scripts has
// only the first choice and no sliders.
func TestSlicesStart(t *testing.T) {
	text := page(t, sliced())
	expect.Equal(t, strings.Count(text, `<div class="slice" hidden>`), 5, "hidden maps of 6")
	shown := text[strings.Index(text, `<div class="slice">`):]
	expect.Says(t, shown[:200], "Grid C")
	expect.Says(t, text, `data-stride="3"`, `data-stride="1"`, `max="2" step="1" value="2"`, "&lt;4&gt;</output>", "There are no points at these levels.")
	expect.Equal(t, strings.Count(text, "disabled>"), 2, "disabled sliders")
	var still strings.Builder
	expect.Success(t, Write(&still, sliced(), false))
	expect.Equal(t, strings.Count(still.String(), `class="slice"`), 1, "maps without scripts")
	expect.Says(t, still.String(), "Grid C")
	expect.Lacks(t, still.String(), "Grid A", "<input", "<script")
}

// testSlices moves the sliders: the page shows and draws the map at their levels.
func testSlices(t *testing.T, tab *tab) {
	for _, width := range []int64{390, 1366} {
		tab.Screen(width, 768, "light")
		address := tab.open(sliced())
		for _, test := range []struct{ method, r3, want, level string }{
			{"0", "0", "Grid A", "0"}, {"1", "2", "Grid F", "<4>"}, {"1", "0", "", "0"}, {"0", "1", "Grid B", "1"},
		} {
			eval[bool](tab, `(() => {
				const [method, r3] = document.querySelectorAll(".slider input");
				method.value = "`+test.method+`"; r3.value = "`+test.r3+`";
				return r3.dispatchEvent(new Event("input"));
			})()`)
			const state = `scene.slice()`
			want := "1|" + test.want + "|" + map[bool]string{true: "true", false: "false"}[test.want != ""] + "|" + test.level
			expect.Equal(t, await(tab, state, func(s string) bool { return s == want }), want, "at %d pixels, levels %s and %s", width, test.method, test.r3)
		}
		wide := eval[bool](tab, `document.documentElement.scrollWidth > innerWidth`)
		expect.That(t, !wide, "the page is wider than %d pixels", width)
		tab.CheckQuiet(address)
	}
}
