package command

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/expect"
)

// A line does not end behind a number whose unit follows, nor inside a number.
func TestUnbroken(t *testing.T) {
	for _, tt := range []struct {
		text string
		room int
		want []string
	}{
		{"takes 12.5 s on average", 80, []string{"takes", "12.5 s", "on", "average"}},
		{"r2 explains 51 % of it", 80, []string{"r2", "explains", "51 %", "of", "it"}},
		{"within 400 000 EUR, or 1 234 567.", 80, []string{"within", "400 000 EUR,", "or", "1 234 567."}},
		{"from -1.5e-3 s (~2 ms)", 80, []string{"from", "-1.5e-3 s", "(~2 ms)"}},
		{"n = 12, 13 and 100 200 nodes", 80, []string{"n", "=", "12,", "13 and", "100 200 nodes"}},
		{"1000 200", 80, []string{"1000", "200"}}, // no groups of digits
		{"E = 0.3 (fitted)", 80, []string{"E", "=", "0.3", "(fitted)"}},
		{"C2 s", 80, []string{"C2", "s"}},
		{"5 simulations", 10, []string{"5", "simulations"}}, // too wide together
		{"", 80, nil},
	} {
		expect.List(t, unbroken(tt.text, tt.room), tt.want, "parts of %q", tt.text)
	}
}

// The last word that would fit into a line goes to the next with its unit.
func TestWrapped(t *testing.T) {
	var b strings.Builder
	p := &printer{W: &b}
	p.Wrapped("> ", strings.Repeat("x", textWidth-5)+" 12 s")
	want := "> " + strings.Repeat("x", textWidth-5) + "\n  12 s\n"
	expect.That(t, b.String() == want && p.Err == nil, "got %q, %v, want %q", b.String(), p.Err, want)
}

// Columns stand two spaces apart, right-aligned where asked to be; the last of Columns is broken
// between words. What is not known is left out.
func TestTables(t *testing.T) {
	var b strings.Builder
	var facts input.Facts
	facts.Add("time", 2.5, "s")
	facts.Add("cores", "")
	err := printAs(&b, false, nil, func(p *printer) {
		p.Facts(facts)
		p.Table([][]string{{"a", "b"}, {"äö", "10"}}, ".r")
		p.Columns("  ", [][]string{{"x", "y"}, {"long", strings.Repeat("word ", 20)}})
		p.Warnings([]string{"hot"})
		p.File("")
		p.File("f")
	})
	want := "time  2.5 (s)\na    b\näö  10\n  x     y\n  long  " + strings.TrimSpace(strings.Repeat("word ", 14)) + "\n        " +
		strings.TrimSpace(strings.Repeat("word ", 6)) + "\n\nwarning: hot\n\nwrote f\n"
	expect.That(t, b.String() == want && err == nil, "%v\n%s\nwant\n%s", err, b.String(), want)
	b.Reset()
	err = printAs(&b, true, facts, nil)
	expect.That(t, err == nil && b.String() == "[\n  {\n    \"name\": \"time\",\n    \"value\": \"2.5\",\n    \"note\": \"s\"\n  }\n]\n",
		"%v, %s", err, b.String())
}

// A text that has no room loses its last clauses whole.
func TestBriefDropsClauses(t *testing.T) {
	word := func(n int) string { return strings.Repeat("w", n) }
	for _, x := range []struct {
		most       int
		text, want string
	}{
		{2, word(60) + "; " + word(60), word(60) + ";\n    " + word(60)},
		{1, word(60) + "; " + word(60), word(60) + "; and more"},
		{2, word(60) + "; " + word(50) + "; " + word(30), word(60) + ";\n    " + word(50) + "; and more"},
		{1, word(60) + " " + word(60) + "; b", word(60) + "..."},
	} {
		var b strings.Builder
		(&printer{W: &b}).Brief([][]string{{"a?", x.text}}, x.most)
		expect.That(t, b.String() == "a?  "+x.want+"\n", "%d lines of %q:\n%s", x.most, x.text, b.String())
	}
}

// A text that has no room loses its end, the longest first, and no line is wider than the others may be.
func TestBriefHasRoom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows [][]string
		for range rapid.IntRange(1, 4).Draw(t, "rows") {
			words := rapid.SliceOfN(rapid.StringMatching(`[a-z0-9,.é]{1,9}|[0-9a]{60,90}`), 1, 60).Draw(t, "words")
			rows = append(rows, []string{rapid.StringMatching(`[a-z ?]{1,18}`).Draw(t, "name"), strings.Join(words, " ")})
		}
		most := rapid.IntRange(len(rows), 12).Draw(t, "most")
		var b strings.Builder
		p := &printer{W: &b}
		p.Brief(rows, most)
		lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
		expect.Need(t, p.Err == nil && len(lines) <= most, "%d lines, %v", len(lines), p.Err)
		for _, line := range lines {
			expect.Need(t, utf8.RuneCountInString(line) <= textWidth, "%d columns: %q", utf8.RuneCountInString(line), line)
		}
	})
}
