package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile are texts that try to leave the place they are written to. Any that
// runs as script sets window.hacked.
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

// hostileDocument has one text in every field that takes one.
func hostileDocument(text string) *Document {
	required := text
	if required == "" {
		required = "x" // an empty title is an error, tested elsewhere
	}
	axis := Axis{Title: required, Unit: required}
	return &Document{
		Title: required, Subtitle: text, Lead: []string{text},
		Facts: []Fact{{text, text, text}}, Provenance: []Fact{{text, text, text}},
		Sections: []Section{{Heading: required, Part: text, Text: []string{text}, Blocks: []Block{
			&LineChart{Title: required, Caption: text, X: axis, Y: axis,
				Series: []Series{
					{Name: text, X: []float64{1, 2}, Y: []float64{1, 2}, Colour: text, Style: StylePlain},
					{Name: text, X: []float64{1, 3}, Y: []float64{2, 1}},
				},
				Bands:   []Band{{Name: text, X: []float64{1, 2}, Low: []float64{0, 1}, High: []float64{1, 2}, Colour: text}},
				Targets: []Target{{required, 1.5}},
				Points:  []MarkedPoint{{Series: 1, X: 2, Y: 1.5, Label: text}}},
			&BarChart{Title: required, Caption: text, X: axis, Y: axis,
				Categories: []string{text, text},
				Series:     []BarSeries{{Name: text, Values: []float64{1, 2}, Stack: text}}},
			&HeatMap{Title: required, Caption: text, Y: axis, X: Axis{Title: required, Unit: required, Min: new(0.0), Max: new(1.0)},
				Value:   Axis{Title: required, Unit: required, Min: new(0.0), Max: new(9.0)},
				Columns: 1, Rows: []HeatRow{{text, []float64{1}}, {text, []float64{2}}}},
			&Surface{XNames: []string{text, text}, YNames: []string{text, text}, Title: required, Caption: text, X: Axis{Title: required, Unit: required, Min: new(0.0), Max: new(1.0)}, Y: Axis{Title: required, Unit: required, Min: new(0.0), Max: new(1.0)},
				Value: Axis{Title: required, Unit: required, Min: new(0.0), Max: new(9.0)}, Values: [][]float64{{1, 2}, {3, 4}},
				Layers: []Layer{{Name: text, Mark: MarkContours, Traces: []Trace{{text, []float64{0, 1}, []float64{0, 1}}}},
					{Name: text, Mark: MarkPoints, Traces: []Trace{{text, []float64{0}, []float64{1}}}}}},
			&Surface3D{XNames: []string{text, text}, YNames: []string{text, text}, Title: required, Caption: text, X: Axis{Title: required, Unit: required, Min: new(0.0), Max: new(1.0)}, Y: Axis{Title: required, Unit: required, Min: new(0.0), Max: new(1.0)},
				Value: Axis{Title: required, Unit: required, Min: new(0.0), Max: new(9.0)}, Values: [][]float64{{1, 2}, {3, 4}},
				Layers: []Layer{{Name: text, Mark: MarkPath, Traces: []Trace{{text, []float64{0, 1}, []float64{0, 1}}}}}},
			&ScatterChart{Title: required, Caption: text, X: axis, Y: axis,
				Series: []ScatterSeries{
					{Name: text, Faint: true, Points: []ScatterPoint{{Name: text, X: 1, Y: 2, Notes: text}}},
					{Name: text, Step: StepAfter, Points: []ScatterPoint{{Name: text, X: 1, Y: 1, Notes: text, Label: text}, {Name: text, X: 2, Y: 0}}}},
				Lines: []ReferenceLine{{required, 1.5, true}, {required, 1.5, false}}},
			&Tornado{Title: required, Caption: text, Value: axis, Base: 1, BaseLabel: text, Low: required, High: required,
				Swings: []Swing{{required, 0, 2, text, text}, {required, 1.5, 2, text, text}}},
			&Table{Title: required, Caption: text, Columns: []Column{{Title: required, Unit: text}}, Rows: [][]string{{text}}},
			&Notes{Items: []string{text}},
			&Notes{Warning: true, Items: []string{text}},
		}}, {Heading: required}, {Heading: required}, {Heading: required}},
	}
}

// markup counts what makes structure in a page: as many < as there are tags.
func markup(t *testing.T, d *Document) int {
	t.Helper()
	var page bytes.Buffer
	if err := Write(&page, d); err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(page.Bytes()) || bytes.ContainsRune(page.Bytes(), 0) {
		t.Error("the page has a NUL or is not UTF-8")
	}
	return bytes.Count(page.Bytes(), []byte("<"))
}

// Whatever the text, the page has the tags it has for a plain word.
func FuzzTextMakesNoMarkup(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return // optional elements are left out
		}
		if got, want := markup(t, hostileDocument(text)), markup(t, hostileDocument("word")); got != want {
			t.Errorf("%q: %d tags, expected %d", text, got, want)
		}
	})
}

// testHostileText shows all hostile texts on one page.
func testHostileText(t *testing.T, tab *tab) {
	tab.screen(390, 844, "light")
	d := hostileDocument(strings.Join(hostile, " "))
	var headings []string
	for _, text := range hostile {
		d.Sections = append(d.Sections, hostileDocument(text).Sections...)
	}
	for _, s := range d.Sections {
		headings = append(headings, clean(s.Heading))
	}
	address := tab.open(d)
	tab.pointAt(2, 1.5) // the tooltip shows names too
	if await(tab, shownTip, func(tip string) bool { return tip != "" }) == "" {
		t.Error("no tooltip was shown")
	}
	page := eval[struct {
		Hacked                         bool
		Spoiled                        string // a property that all objects have got
		Scripts, Charts, Images, Width int
		Headings                       []string
	}](tab, `({
		Hacked: "hacked" in window,
		Spoiled: (() => { for (const name in {}) return name; return ""; })(),
		Scripts: document.scripts.length,
		Charts: document.querySelectorAll(".plot svg").length,
		Images: document.images.length,
		Width: document.documentElement.scrollWidth,
		Headings: Array.from(document.querySelectorAll("section > h2")).map(h => h.textContent),
	})`)
	documents := 1 + len(hostile)
	charts := 6 * documents // that are not in space
	if page.Hacked || page.Charts != charts || page.Scripts != charts+documents+3 || page.Images != 0 || page.Width > 390 {
		t.Errorf("got %t, %d charts, %d scripts, %d images, width %d; expected false, %d charts, a script more for each, for each in space and 3 more, no image, width 390",
			page.Hacked, page.Charts, page.Scripts, page.Images, page.Width, charts)
	}
	if page.Spoiled != "" {
		t.Errorf("a name has given all objects the property %q", page.Spoiled)
	}
	if !slices.Equal(page.Headings, headings) {
		t.Errorf("headings are %.200q; expected %.200q", page.Headings, headings)
	}
	tab.checkQuiet(address)
}
