package chart_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/page/browsertest"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/internal/expect"
)

// Chromium shows the samples of all kinds: it tells what it should where the mouse is, hostile texts do nothing, other
// texts are neither cut off nor on each other, and axe-core finds nothing serious.
func TestPage(t *testing.T) {
	tab := browsertest.Start(t).NewTab(t)
	part := func(name string, test func(t *testing.T)) {
		t.Run(name, func(t *testing.T) {
			tab.HandTo(t)
			test(t)
		})
	}
	for _, s := range chart.Samples() {
		if s.Tip == "" {
			continue
		}
		part("tooltip of "+chart.Title(s.Chart), func(t *testing.T) {
			tab.Screen(1366, 768, "light")
			section := chart.Section{Heading: "S", Blocks: []chart.Block{s.Chart}}
			address := tab.OpenPage(written(t, &chart.Document{Title: "D", Sections: []chart.Section{section}}))
			tab.StartCharts()
			if !flat(s.Chart) {
				tab.NeedWebGL()
			}
			tab.PointAt(s.At...)
			browsertest.Become(tab, browsertest.Tip, s.Tip, "the tooltip")
			tab.CheckQuiet(address)
		})
	}
	part("hostile text", func(t *testing.T) { testHostileText(t, tab) })
	for width, theme := range map[int64]string{1366: "light", 390: "dark"} {
		part(fmt.Sprintf("all at %d pixels", width), func(t *testing.T) {
			tab.Screen(width, 844, theme)
			address := tab.OpenPage(written(t, document(flat)))
			tab.StartCharts()
			tab.CheckQuiet(address)
			expect.List(t, browsertest.TextFaults(tab, ".plot svg"), nil, "texts")
			expect.Equal(t, browsertest.Violations(tab, browsertest.Axe(t)), "", "what axe-core finds")
		})
	}
}

// Vega-Lite draws the samples of all kinds without a warning, in numbers.
func TestVegaLiteDrawsAllCharts(t *testing.T) {
	scripts := browsertest.VegaLite(t)
	tab := browsertest.Start(t).NewTab(t)
	tab.OpenPage([]byte("<!DOCTYPE html><title>V</title>"))
	browsertest.Eval[bool](tab, "(0, eval)("+string(expect.Value(json.Marshal(scripts))(t))+"), true")
	for _, s := range chart.Samples() {
		var spec bytes.Buffer
		expect.Success(t, chart.Write(&spec, s.Chart, "vega-lite", chart.PaperColumn()))
		said := browsertest.Eval[string](tab, `(async () => {
			const said = [], logger = {};
			for (const level of ["error", "warn"]) { logger[level] = (...what) => (said.push(what.join(" ")), logger); }
			for (const level of ["level", "info", "debug"]) { logger[level] = () => logger; }
			const drawing = vega.parse(vegaLite.compile(`+spec.String()+`, {logger}).spec);
			const svg = await new vega.View(drawing, {renderer: "none", logger}).toSVG();
			return said.concat(svg.match(/.{30}(NaN|Infinity|undefined)/g) ?? []).join("\n");
		})()`)
		expect.Equal(t, said, "", "what Vega-Lite says of %s", chart.Title(s.Chart))
	}
}

func written(t testing.TB, d *chart.Document) []byte {
	t.Helper()
	var page bytes.Buffer
	expect.Success(t, html.Write(&page, d))
	return page.Bytes()
}

// flat reports whether the chart library draws a chart, and not in space.
func flat(c chart.Chart) bool {
	form, err := chart.InteractiveOf(c)
	return err == nil && !bytes.Contains(form, []byte(`"xAxis3D"`)) && !bytes.Contains(form, []byte(`"series":[]`))
}

// hostile are texts that try to leave the place where they are written. Any that runs as a script sets window.hacked.
var hostile = []string{
	`</script><script>window.hacked=1</script>`,
	`<!--<script>window.hacked=1//`,
	`<img src=x onerror="window.hacked=1">`,
	`"><svg/onload=window.hacked=1>`,
	`';window.hacked=1;//`,
	"`${window.hacked=1}`",
	`{{.Title}} {a} {b|c} %s`,
	`</style><style>*{background:url(http://example.invalid/x)}</style>`,
	`javascript:window.hacked=1`,
	"NUL \x00, escape \x1b, broken UTF-8 \xff\xfe, override \u202e, separators \u2028\u2029",
	`__proto__`,
	`constructor`,
	"two\nlines",
	strings.Repeat("long ", 400),
	strings.Repeat("W", 3000),
	``,
	` `,
}

// document has some of the samples, below all else that a page has.
func document(of func(chart.Chart) bool) *chart.Document {
	d := &chart.Document{Lead: make([]string, 1), Facts: make([]chart.Fact, 1), Provenance: make([]chart.Fact, 1),
		Sections: make([]chart.Section, 4)}
	first := &d.Sections[0]
	first.Text = make([]string, 1)
	first.Blocks = []chart.Block{&chart.Table{Columns: make([]chart.Column, 1), Rows: [][]string{{""}}},
		&chart.Notes{Items: make([]string, 1)}, &chart.Notes{Warning: true, Items: make([]string, 1)}}
	for _, place := range chart.Leaves(d, reflect.String) {
		place.SetString("x")
	}
	for _, s := range chart.Samples() {
		if of(s.Chart) {
			first.Blocks = append(first.Blocks, s.Chart)
		}
	}
	return d
}

// hostileDocument has a text in each place for one, but where it is empty and must not be.
func hostileDocument(text string) *chart.Document {
	d := document(func(chart.Chart) bool { return true })
	for _, place := range chart.Leaves(d, reflect.String) {
		if before := place.String(); before != "" {
			if place.SetString(text); text == "" && d.Check() != nil {
				place.SetString(before)
			}
		}
	}
	return d
}

// markup counts what makes structure in a page: one < for each tag.
func markup(t testing.TB, d *chart.Document) int {
	t.Helper()
	page := written(t, d)
	expect.That(t, utf8.Valid(page) && !bytes.ContainsRune(page, 0), "the page has a NUL or is not UTF-8")
	// What fits into a drawing depends on the text, but its elements are known.
	drawings := drawn.FindAll(page, -1)
	for _, d := range drawings {
		n, known := bytes.Count(d, []byte("<")), len(drawnTag.FindAll(d, -1))
		expect.That(t, n == known, "a drawing has %d tags; %d of them are its own: %.300s", n, known, d)
	}
	expect.That(t, len(drawings) == len(chart.Samples()), "the page has %d drawings; expected one of each chart", len(drawings))
	text := drawn.ReplaceAll(page, nil)
	return bytes.Count(unbrokenName.ReplaceAll(text, nil), []byte("<"))
}

var (
	drawn = regexp.MustCompile(`(?s)<svg viewBox.*?</svg>`)
	// Names with numbers have an element of their own, see prose.
	unbrokenName = regexp.MustCompile(`<span class="word">[-\w.]+</span>`)
	drawnTag     = regexp.MustCompile(`<svg viewBox|</svg>|<(?:path fill|text x)=|</text>|<g (?:fill|text-anchor)=|</g>|<use fill=|<defs>|<path id="[a-z0-9-]*" d=|</defs>|</?title>|</?desc>`)
)

// Whatever the text, the page has the same tags as for a plain word or, if it is too long for a headline, as for a
// paragraph.
func FuzzTextMakesNoMarkup(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	const mostHeadline = 180
	headline, long := markup(f, hostileDocument("word")), markup(f, hostileDocument(strings.Repeat("word ", mostHeadline)))
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return // optional elements are left out
		}
		got, want := markup(t, hostileDocument(text)), headline
		if utf8.RuneCountInString(text) > mostHeadline {
			want = long
		}
		expect.That(t, got == want, "%q: %d tags, expected %d", text, got, want)
	})
}

// testHostileText shows all hostile texts on one page, one after the other in every place and each alone, in hundreds
// of charts.
func testHostileText(t *testing.T, tab *browsertest.Tab) {
	tab.Screen(390, 844, "light")
	d := hostileDocument(strings.Join(hostile, " "))
	for _, text := range hostile {
		d.Sections = append(d.Sections, hostileDocument(text).Sections...)
	}
	var headings []string
	charts := 0
	for _, s := range d.Sections {
		headings = append(headings, chart.Clean(s.Heading))
		for _, b := range s.Blocks {
			if c, ok := b.(chart.Chart); ok && flat(c) {
				charts++
			}
		}
	}
	text := written(t, d)
	address := tab.OpenPage(text)
	tab.StartCharts()
	tab.PointAt(0, 0.5) // the tooltip shows names too
	tip := browsertest.Await(tab, browsertest.Tip, func(tip string) bool { return tip != "" })
	expect.That(t, tip != "", "no tooltip was shown")
	const state = `[
		"hacked " + ("hacked" in window), "spoiled " + (() => { for (const name in {}) return name; return ""; })(), // a property that all objects have got
		document.scripts.length + " scripts", document.querySelectorAll(".plot svg").length + " charts", document.images.length + " images",
		"wide " + (document.documentElement.scrollWidth > 390)].join(", ")`
	scripts := bytes.Count(text, []byte("<script")) + 4 // which the loader makes of packed ones
	expect.Equal(t, browsertest.Eval[string](tab, state),
		fmt.Sprintf("hacked false, spoiled , %d scripts, %d charts, 0 images, wide false", scripts, charts), "the page")
	expect.List(t, browsertest.Eval[[]string](tab, `Array.from(document.querySelectorAll("section > h2")).map(h => h.textContent)`), headings, "headings")
	tab.CheckQuiet(address)
}
