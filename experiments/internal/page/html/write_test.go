package html

import (
	"bytes"
	"compress/gzip"
	"encoding/ascii85"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/pictures"
	"github.com/isoscale/isoscale/internal/expect"
)

var update = flag.Bool("update", false, "write the golden page anew")

func page(t *testing.T, d *chart.Document) string {
	t.Helper()
	var out bytes.Buffer
	expect.Success(t, Write(&out, d, true))
	return out.String()
}

// skeleton is a page without the assets, which have their own files, without the hashes of its scripts, so that it
// stays the same when a script changes, and with the specifications of its charts as text.
func skeleton(t *testing.T, page string) string {
	t.Helper()
	replace := []string{
		string(packedLibrary().Text), "/* echarts.min.js */", string(packedSpace().Text), "/* echarts-gl.min.js */", string(packedOwn().Text), "/* report.js */",
		loaderText, "/* loader.js */", styleText(), "/* report.css */",
		template.HTMLEscapeString(spaceLicence), "licence of echarts-gl", template.HTMLEscapeString(clayLicence), "licence of ClayGL"}
	for name, script := range map[string]string{"echarts": libraryText(), "echarts-gl": spaceLibraryText, "report.js": scriptText(), "loader.js": loaderText} {
		replace = append(replace, strings.ReplaceAll(pictures.Hash(script), "+", "&#43;"), "hash of "+name)
	}
	page = strings.NewReplacer(replace...).Replace(page)
	before, rest, found := strings.Cut(page, `id="charts">`)
	if !found {
		return page
	}
	charts, after, _ := strings.Cut(rest, "</script>")
	return before + `id="charts">` + unpack(t, charts) + "</script>" + after
}

// unpack does what the loader does.
func unpack(t *testing.T, text string) string {
	t.Helper()
	r := expect.Value(gzip.NewReader(ascii85.NewDecoder(strings.NewReader(strings.ReplaceAll(text, "v", "<")))))(t)
	unpacked := expect.Value(io.ReadAll(r))(t)
	return string(unpacked)
}

func TestWriteGolden(t *testing.T) {
	const file = "testdata/small.golden.html"
	got := skeleton(t, page(t, scene("small")))
	if *update {
		expect.Success(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want := expect.Value(os.ReadFile(file))(t)
	expect.Same(t, got, string(want), "page changed; if that is wanted, run with -update (-golden +page)")
}

func TestWriteIsDeterministic(t *testing.T) {
	first := page(t, scene("sample"))
	for range 3 {
		expect.Need(t, page(t, scene("sample")) == first, "the same document gave different bytes")
	}
}

// The page names no address that a browser would load. The library and the licence texts name addresses as XML
// namespaces and in comments; the browser test sees that nothing is requested. The library for charts in space also has
// the credits of maps that are not used here.
func TestPageLoadsNothing(t *testing.T) {
	text := page(t, scene("sample"))
	loading := regexp.MustCompile(`(?i)(?:\b(?:src|srcset|href|action|poster|data)\s*=\s*["']?|url\(\s*["']?|@import\s*["']?)\s*([a-z][a-z0-9+.-]*:|//)[^\s"')]*`)
	count := 0
	for _, found := range loading.FindAllString(text, -1) {
		count++
		expect.That(t, found == `href="data:,`, "the page has %q", found)
	}
	expect.That(t, count != 0, "not even the empty icon was found; the check is blind")
	expect.Lacks(t, skeleton(t, text), "http:", "https:")
}

func TestContentsFromFourSections(t *testing.T) {
	for n, want := range map[int]bool{3: false, 4: true} {
		d := &chart.Document{Title: "T"}
		for range n {
			d.Sections = append(d.Sections, chart.Section{Heading: "H"})
		}
		expect.Equal(t, strings.Contains(page(t, d), "<nav"), want, "%d sections: contents", n)
	}
}

// Sections of a part stand under its name, also in the contents, where the part opens on demand if there are many
// sections.
func TestParts(t *testing.T) {
	d := &chart.Document{Title: "T", Sections: []chart.Section{{Heading: "start"}}}
	for _, part := range []string{"A", "B"} {
		for k := range 10 {
			d.Sections = append(d.Sections, chart.Section{Heading: fmt.Sprintf("%s%d", part, k), Part: "Part " + part})
		}
	}
	text := skeleton(t, page(t, d))
	contents, body, found := strings.Cut(text, "</nav>")
	expect.Need(t, found, "the page has no contents")
	want := `<li><a href="#section-1">start</a></li>
<li class="part"><details><summary>Part A</summary>
<ol>
<li><a href="#section-2">A0</a></li>`
	expect.Says(t, contents, want)
	for _, part := range []string{"Part A", "Part B"} {
		n := strings.Count(body, part)
		expect.That(t, n == 1, "%s is %d times on the page", part, n)
	}
	want = `<h2 class="part">Part B</h2>
<section id="section-12">
<h2 aria-level="3">B0</h2>`
	expect.Says(t, body, want)
	d.Sections = d.Sections[:15]
	expect.Says(t, page(t, d), `<details open><summary>Part A</summary>`)
}

// Only a page with a chart in space carries the library for that.
func TestSpaceLibraryWhereNeeded(t *testing.T) {
	d := scene("small")
	with := page(t, d)
	blocks := d.Sections[0].Blocks
	d.Sections[0].Blocks = slices.DeleteFunc(blocks, func(b chart.Block) bool { _, space := b.(*chart.Surface3D); return space })
	without := page(t, d)
	for _, part := range []string{string(packedSpace().Text), template.HTMLEscapeString(spaceLicence), pictures.Hash(spaceLibraryText)[7:20]} {
		expect.That(t, strings.Contains(with, part) && !strings.Contains(without, part),
			"%.60q: expected it with a surface in space only", part)
	}
}

// A line does not break between a number and its unit, around = or in names with numbers, but may elsewhere.
func TestQuantitiesAreUnbroken(t *testing.T) {
	for text, want := range unbroken {
		expect.Equal(t, string(prose(text)), want, "%s", text)
	}
}

var unbroken = func() map[string]string {
	all := map[string]string{"3.66 d and 74 ms, 5 % (2 kB) of 12 nodes at 1 Gbit/s.": "3.66~d and 74~ms, 5~% (2~kB) of 12 nodes at 1~Gbit/s.",
		"8 days, 2 separate, 40 000 EUR": "8 days, 2 separate, 40~000~EUR", "from r2 = 3, a = b on": "from r2~=~3, a~=~b on",
		"most on node-1.0.down & <rank-3>, well-known C2-C4 of a-b.csv": `most on <span class="word">node-1.0.down</span> &amp; &lt;<span class="word">rank-3</span>&gt;, well-known <span class="word">C2-C4</span> of <span class="word">a-b.csv</span>`}
	for text, want := range all {
		all[text] = strings.ReplaceAll(want, "~", "\u00a0")
	}
	return all
}()

// Cells of a sized column have the mark of their size, and the page the colours for these; other cells end in the same
// words and have none.
func TestSizesAreMarked(t *testing.T) {
	words := []string{"equal", "slight", "small", "medium", "large"}
	d := func(sizes []string) *chart.Document {
		return documentOf(&chart.Table{Title: "T",
			Columns: []chart.Column{{Title: "paper", Numeric: true}, {Title: "deviation", Numeric: true, Sizes: sizes}},
			Rows:    [][]string{{"1 small", "-2.00 % small"}, {"2 large", "0.00 % equal"}}})
	}
	with, without := skeleton(t, page(t, d(words))), skeleton(t, page(t, d(nil)))
	for part, n := range map[string]int{
		`<td class="num">`: 2, `<td class="num size size-2">-2.00 % small`: 1, `<td class="num size size-0">0.00 % equal`: 1,
		"td.size-2 { --size: var(--heat-2); }\n": 1} {
		got := strings.Count(with, part)
		expect.That(t, got == n, "%q is %d times on the page with sizes; expected %d", part, got, n)
	}
	expect.That(t, !strings.Contains(without, "size-2") && strings.Contains(without, `<table class="numbers">`),
		"without a sized column there are marks of sizes")
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWritePassesErrorsOn(t *testing.T) {
	err := Write(fullDisk{}, &chart.Document{Title: "T"}, true)
	expect.That(t, errors.Is(err, errFull), "got %v, expected %v", err, errFull)
}
