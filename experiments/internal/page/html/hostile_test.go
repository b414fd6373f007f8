package html

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/internal/expect"
)

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

// hostileDocument has one text in every field that takes one.
func hostileDocument(text string) *chart.Document {
	required := text
	if required == "" {
		required = "x" // an empty title is an error, tested elsewhere
	}
	d := scene("hostile")
	fill(reflect.ValueOf(d), text, required)
	return d
}

// markup counts what makes structure in a page: one < for each tag.
func markup(t testing.TB, d *chart.Document) int {
	t.Helper()
	var page bytes.Buffer
	expect.Success(t, Write(&page, d, true))
	expect.That(t, utf8.Valid(page.Bytes()) && !bytes.ContainsRune(page.Bytes(), 0),
		"the page has a NUL or is not UTF-8")
	// What fits into a drawing depends on the text, but its elements are known.
	drawings := drawn.FindAll(page.Bytes(), -1)
	for _, d := range drawings {
		n, known := bytes.Count(d, []byte("<")), len(drawnTag.FindAll(d, -1))
		expect.That(t, n == known, "a drawing has %d tags; %d of them are its own: %.300s", n, known, d)
	}
	expect.That(t, len(drawings) >= flat, "the page has %d drawings; expected one of each kind of chart", len(drawings))
	text := drawn.ReplaceAll(page.Bytes(), nil)
	return bytes.Count(unbrokenName.ReplaceAll(text, nil), []byte("<"))
}

// flat is how many kinds of charts are drawn neither in space nor, as timelines, by a script of their own.
var flat = len(chart.Kinds()) - 2

var (
	drawn = regexp.MustCompile(`(?s)<svg viewBox.*?</svg>`)
	// Names with numbers have an element of their own, see prose.
	unbrokenName = regexp.MustCompile(`<span class="word">[-\w.]+</span>`)
	drawnTag     = regexp.MustCompile(`<svg viewBox|</svg>|<(?:path fill|text x)=|</text>|<g (?:fill|text-anchor)=|</g>|<use fill=|<defs>|<path id="[a-z0-9-]*" d=|</defs>|</?title>|</?desc>`)
)

// Whatever the text, the page has the same tags as for a plain word.
func FuzzTextMakesNoMarkup(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
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

// testHostileText shows all hostile texts on one page, one after the other in every place and each alone, in more than
// a hundred charts.
func testHostileText(t *testing.T, tab *tab) {
	tab.Screen(390, 844, "light")
	d := hostileDocument(strings.Join(hostile, " "))
	var headings []string
	documents := 1
	for _, text := range hostile {
		documents++
		d.Sections = append(d.Sections, hostileDocument(text).Sections...)
	}
	for _, s := range d.Sections {
		headings = append(headings, chart.Clean(s.Heading))
	}
	address := tab.open(d)
	tab.pointAt(2, 1.5) // the tooltip shows names too
	expect.That(t, await(tab, shownTip, func(tip string) bool { return tip != "" }) != "", "no tooltip was shown")
	page := eval[struct {
		Hacked                         bool
		Spoiled                        string // a property that all objects have gained
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
	charts := flat * documents
	if page.Hacked || page.Charts != charts || page.Scripts != 4+3+1 || page.Images != 0 || page.Width > 390 {
		t.Errorf("got %t, %d charts, %d scripts, %d images, width %d; expected false, %d charts, the loader and 4 packed parts with a script for each but the data, no image, width 390",
			page.Hacked, page.Charts, page.Scripts, page.Images, page.Width, charts)
	}
	expect.That(t, page.Spoiled == "", "a name has given all objects the property %q", page.Spoiled)
	expect.That(t, slices.Equal(page.Headings, headings),
		"headings are %.200q; expected %.200q", page.Headings, headings)
	tab.CheckQuiet(address)
}
