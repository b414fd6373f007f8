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
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/report"
)

var update = flag.Bool("update", false, "write the golden page anew")

func page(t *testing.T, d *report.Document) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// skeleton is a page without the assets, which have their own files, without the hashes
// of its scripts, so that it stays when a script changes, and with the specifications of
// its charts as text.
func skeleton(t *testing.T, page string) string {
	t.Helper()
	replace := []string{
		string(packedLibrary().Text), "/* echarts.min.js */", string(packedSpace().Text), "/* echarts-gl.min.js */", string(packedOwn().Text), "/* report.js */",
		loaderText, "/* loader.js */", styleText(), "/* report.css */",
		template.HTMLEscapeString(spaceLicence), "licence of echarts-gl", template.HTMLEscapeString(clayLicence), "licence of ClayGL"}
	for name, script := range map[string]string{"echarts": libraryText(), "echarts-gl": spaceLibraryText, "report.js": scriptText(), "loader.js": loaderText} {
		replace = append(replace, strings.ReplaceAll(scriptHash(script), "+", "&#43;"), "hash of "+name)
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
	r, err := gzip.NewReader(ascii85.NewDecoder(strings.NewReader(strings.ReplaceAll(text, "v", "<"))))
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(unpacked)
}

// smallDocument has one block of each kind.
func smallDocument() *report.Document {
	seconds := report.Axis{Title: "Time", Unit: "s"}
	return &report.Document{
		Title: "Small", Subtitle: "One of each", Lead: []string{"It is small."},
		Facts:      []report.Fact{{Label: "Size", Value: "10 blocks", Note: "as counted"}},
		Provenance: []report.Fact{{Label: "Seed", Value: "1", Note: ""}},
		Sections: []report.Section{{Heading: "All", Text: []string{"Below."}, Blocks: []report.Block{
			&report.LineChart{Title: "Line", Caption: "Rising.", X: report.Axis{Title: "N", Unit: report.Dimensionless, Log: true}, Y: seconds,
				Series:  []report.Series{{Name: "a", X: []float64{1, 2}, Y: []float64{3, 4.5}, Dashed: true}},
				Bands:   []report.Band{{Name: "within", X: []float64{1, 2}, Low: []float64{2, 4}, High: []float64{4, 5}}},
				Targets: []report.Target{{Label: "goal", Y: 4}}, Points: []report.MarkedPoint{{Series: 0, X: 1.5, Y: 4, Label: "here"}}},
			&report.BarChart{Title: "Bars", X: report.Axis{Title: "System", Unit: report.Dimensionless}, Y: seconds, Categories: []string{"C2", "C4"},
				Series: []report.BarSeries{{Name: "b", Values: []float64{0, 2}, Missing: []bool{true, false}, Stack: "s"}}, Horizontal: true},
			&report.HeatMap{Title: "Heat", X: report.Axis{Title: "Time", Unit: "s", Min: new(0.0), Max: new(3.0)}, Y: report.Axis{Title: "Link", Unit: report.Dimensionless},
				Value:   report.Axis{Title: "Used", Unit: "%", Min: new(0.0), Max: new(100.0)},
				Columns: 2, Rows: []report.HeatRow{{Name: "up", Values: []float64{12.5, 0}}, {Name: "", Values: []float64{0, 100}}}},
			&report.Surface{Title: "Surface", X: report.Axis{Title: "a", Unit: report.Dimensionless, Min: new(1.0), Max: new(3.0)}, Y: report.Axis{Title: "b", Unit: "s", Min: new(0.0), Max: new(0.5)},
				Value: report.Axis{Title: "Gain", Unit: "%", Min: new(-1.0), Max: new(5.0)}, Values: [][]float64{{0, 1, 2.5}, {-1, 5, math.NaN()}},
				Layers: []report.Layer{
					{Name: "equal", Mark: report.MarkContours, Traces: []report.Trace{{Label: "1", X: []float64{1, 1.5, 2}, Y: []float64{0.5, 0.25, 0}}}},
					{Name: "way", Mark: report.MarkArrows, Traces: []report.Trace{{X: []float64{1, 2}, Y: []float64{0, 0.5}}}},
					{Name: "best", Mark: report.MarkPoints, Traces: []report.Trace{{Label: "top", X: []float64{2}, Y: []float64{0.5}}}}}},
			&report.Surface3D{Title: "Space", X: report.Axis{Title: "a", Unit: report.Dimensionless, Min: new(1.0), Max: new(3.0)}, Y: report.Axis{Title: "b", Unit: "s", Min: new(0.0), Max: new(0.5)},
				Value: report.Axis{Title: "Gain", Unit: "%", Min: new(-1.0), Max: new(5.0)}, Values: [][]float64{{0, 1, 2.5}, {-1, 5, math.NaN()}},
				Layers: []report.Layer{
					{Name: "equal", Mark: report.MarkContours, Traces: []report.Trace{{Label: "1", X: []float64{1, 2}, Y: []float64{0.5, 0}}}},
					{Name: "best", Mark: report.MarkPoints, Traces: []report.Trace{{Label: "top", X: []float64{2}, Y: []float64{0.5}}}}}},
			&report.ScatterChart{Title: "Scatter", X: report.Axis{Title: "Cost", Unit: "EUR", Log: true}, Y: seconds,
				Series: []report.ScatterSeries{
					{Name: "dominated", Faint: true, Points: []report.ScatterPoint{{Name: "A", X: 10, Y: 5}}},
					{Name: "front", StepAfter: true, Points: []report.ScatterPoint{{Name: "C", X: 30, Y: 2}, {Name: "B", X: 10, Y: 4, Notes: "8 nodes", Label: "best"}}}},
				Lines: []report.ReferenceLine{{Label: "budget", At: 20, Vertical: true}, {Label: "deadline", At: 6, Vertical: false}}},
			&report.Tornado{Title: "Tornado", Value: seconds, Base: 4, Low: "-10 %", High: "+10 %",
				Swings: []report.Swing{{Parameter: "latency", Low: 3.9, High: 4.1, LowNote: "9 us", HighNote: "11 us"}, {Parameter: "nodes", Low: 5, High: 4.5}}},
			&report.Parallel{Title: "Parallel", Marked: "best", Value: report.Axis{Title: "Gain", Unit: "%", Min: new(1.0), Max: new(100.0), Log: true},
				Axes:  []report.ParallelAxis{{Name: "a", Levels: []string{"1", "2"}}, {Name: "way", Levels: []string{"this", "that"}}},
				Lines: []report.ParallelLine{{At: []int{0, 1}, Value: 2}, {At: []int{1, 0}, Value: 50, Label: "of 2 nodes", Marked: true}}},
			&report.Table{Title: "Table", Columns: []report.Column{{Title: "Name"}, {Title: "Speed", Unit: "flop/s", Numeric: true}},
				Rows: [][]string{{"x", "7"}}},
			&report.Notes{Warning: true, Items: []string{"Beware."}},
		}}},
	}
}

func TestWriteGolden(t *testing.T) {
	const file = "testdata/small.golden.html"
	got := skeleton(t, page(t, smallDocument()))
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("page changed; if that is wanted, run with -update (-golden +page):\n%s", diff)
	}
}

func TestWriteIsDeterministic(t *testing.T) {
	first := page(t, sampleDocument())
	for range 3 {
		if page(t, sampleDocument()) != first {
			t.Fatal("the same document gave different bytes")
		}
	}
}

// The page names no address that a browser would load. The library and the
// licence texts do name addresses, as XML namespaces and in comments; the
// browser test sees that nothing is requested. The library for charts in space
// also has the credits of maps that are not used here.
func TestPageLoadsNothing(t *testing.T) {
	text := page(t, sampleDocument())
	loading := regexp.MustCompile(`(?i)(?:\b(?:src|srcset|href|action|poster|data)\s*=\s*["']?|url\(\s*["']?|@import\s*["']?)\s*([a-z][a-z0-9+.-]*:|//)[^\s"')]*`)
	count := 0
	for _, found := range loading.FindAllString(text, -1) {
		count++
		if found != `href="data:,` {
			t.Errorf("the page has %q", found)
		}
	}
	if count == 0 {
		t.Error("not even the empty icon was found; the check is blind")
	}
	if outside := skeleton(t, text); strings.Contains(outside, "http:") || strings.Contains(outside, "https:") {
		t.Error("there is an address outside the assets")
	}
}

func TestContentsFromFourSections(t *testing.T) {
	for n, want := range map[int]bool{3: false, 4: true} {
		d := &report.Document{Title: "T"}
		for range n {
			d.Sections = append(d.Sections, report.Section{Heading: "H"})
		}
		if got := strings.Contains(page(t, d), "<nav"); got != want {
			t.Errorf("%d sections: contents %t, expected %t", n, got, want)
		}
	}
}

// Sections of a part stand under its name, in the contents too, where it opens
// on demand once there are many sections.
func TestParts(t *testing.T) {
	d := &report.Document{Title: "T", Sections: []report.Section{{Heading: "start"}}}
	for _, part := range []string{"A", "B"} {
		for k := range 10 {
			d.Sections = append(d.Sections, report.Section{Heading: fmt.Sprintf("%s%d", part, k), Part: "Part " + part})
		}
	}
	text := skeleton(t, page(t, d))
	contents, body, found := strings.Cut(text, "</nav>")
	if !found {
		t.Fatal("the page has no contents")
	}
	if want := `<li><a href="#section-1">start</a></li>
<li class="part"><details><summary>Part A</summary>
<ol>
<li><a href="#section-2">A0</a></li>`; !strings.Contains(contents, want) {
		t.Errorf("the contents are %s\nexpected them to contain %s", contents, want)
	}
	for _, part := range []string{"Part A", "Part B"} {
		if n := strings.Count(body, part); n != 1 {
			t.Errorf("%s is %d times on the page", part, n)
		}
	}
	if want := `<h2 class="part">Part B</h2>
<section id="section-12">
<h2 aria-level="3">B0</h2>`; !strings.Contains(body, want) {
		t.Errorf("the page is %s\nexpected it to contain %s", body, want)
	}
	d.Sections = d.Sections[:15]
	if text := page(t, d); !strings.Contains(text, `<details open><summary>Part A</summary>`) {
		t.Error("the contents of few sections are folded")
	}
}

// Only a page that draws in space carries what that needs.
func TestSpaceLibraryWhereNeeded(t *testing.T) {
	d := smallDocument()
	with := page(t, d)
	blocks := d.Sections[0].Blocks
	d.Sections[0].Blocks = slices.DeleteFunc(blocks, func(b report.Block) bool { _, space := b.(*report.Surface3D); return space })
	without := page(t, d)
	for _, part := range []string{string(packedSpace().Text), template.HTMLEscapeString(spaceLicence), scriptHash(spaceLibraryText)[7:20]} {
		if !strings.Contains(with, part) || strings.Contains(without, part) {
			t.Errorf("%.60q: expected it with a surface in space only", part)
		}
	}
}

// Cells of a sized column have the mark of their size, and the page the colours for
// them; others end in the same words and have none.
func TestSizesAreMarked(t *testing.T) {
	words := []string{"equal", "slight", "small", "medium", "large"}
	d := func(sizes []string) *report.Document {
		return &report.Document{Title: "D", Sections: []report.Section{{Heading: "S", Blocks: []report.Block{&report.Table{Title: "T",
			Columns: []report.Column{{Title: "paper", Numeric: true}, {Title: "deviation", Numeric: true, Sizes: sizes}},
			Rows:    [][]string{{"1 small", "-2.00 % small"}, {"2 large", "0.00 % equal"}}}}}}}
	}
	with, without := skeleton(t, page(t, d(words))), skeleton(t, page(t, d(nil)))
	for part, n := range map[string]int{
		`<td class="num">`: 2, `<td class="num size size-2">-2.00 % small`: 1, `<td class="num size size-0">0.00 % equal`: 1,
		"td.size-2 { --size: var(--heat-2); }\n": 1} {
		if got := strings.Count(with, part); got != n {
			t.Errorf("%q is %d times on the page with sizes; expected %d", part, got, n)
		}
	}
	if strings.Contains(without, "size-2") || !strings.Contains(without, `<table class="numbers">`) {
		t.Error("without a sized column there are marks of sizes")
	}
}

// A value that is marked missing is not read.
func TestMissingValueMayBeAnything(t *testing.T) {
	page(t, &report.Document{Title: "D", Sections: []report.Section{{Heading: "S", Blocks: []report.Block{
		&report.BarChart{Title: "T", X: report.Axis{Title: "N", Unit: "1"}, Y: report.Axis{Title: "t", Unit: "s"}, Categories: []string{"a"},
			Series: []report.BarSeries{{Values: []float64{math.NaN()}, Missing: []bool{true}}}}}}}})
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWritePassesErrorsOn(t *testing.T) {
	if err := Write(fullDisk{}, &report.Document{Title: "T"}); !errors.Is(err, errFull) {
		t.Errorf("got %v, expected %v", err, errFull)
	}
}
