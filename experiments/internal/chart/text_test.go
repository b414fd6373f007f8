package chart

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"C2 <b> \"q\"":  "C2 <b> \"q\"", // escaping comes later
		"a\nb\tc":       "a b c",
		"a\x00b\x1bc":   "a\uFFFDb\uFFFDc",
		"a\xffb":        "a\uFFFDb",
		"abc\u202Ecba":  "abc\uFFFDcba",
		"\uFFFE\uFDD0x": "\uFFFD\uFFFDx",
		"µ ψ 😀":         "µ ψ 😀",
		// A number does not break, also after a line end became a space; two spaces are
		// no thousands.
		"1 400 000 EUR":  "1\u00a0400\u00a0000 EUR",
		"2 nodes 7\n8 9": "2 nodes 7\u00a08\u00a09",
		"1  2 a1 b 3 ":   "1  2 a1 b 3 ",
	} {
		expect.Equal(t, Clean(in), want, "Clean(%q)", in)
	}
}

func TestTitled(t *testing.T) {
	for _, test := range []struct{ title, unit, want string }{
		{"Time", "s", "Time (s)"},
		{"psi", Dimensionless, "psi"},
		{"Name", "", "Name"},
	} {
		expect.Equal(t, Titled(test.title, test.unit), test.want, "Titled(%q, %q)", test.title, test.unit)
	}
}

// Six significant digits, whole numbers in full.
func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0:            "0",
		-3:           "-3",
		123456789:    "123456789",
		1. / 3:       "0.333333",
		0.1 + 0.2:    "0.3", // not 0.30000000000000004
		1234.56789:   "1234.57",
		1.5e-7:       "1.5e-7",
		6.02214076e2: "602.214",
		1e300:        "1e300",
	} {
		expect.Equal(t, Number(v), want, "Number(%g)", v)
	}
}

func TestDistinct(t *testing.T) {
	got := Distinct([]string{"a", "a", "", "a (2)", "a\x00", "a\x01", " "}, "series")
	want := []string{"a", "a (2)", "series 3", "a (2) (2)", "a\uFFFD", "a\uFFFD (2)", "series 7"}
	expect.That(t, slices.Equal(got, want), "got %q, expected %q", got, want)
}

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"µµµµ", 2, "µ…"}} {
		expect.Equal(t, shorten(test.in, test.n), test.want, "shorten(%q, %d)", test.in, test.n)
	}
}

func TestLogBase(t *testing.T) {
	for _, test := range []struct {
		name, unit string
		log        bool
		values     []float64
		want       int
	}{
		{"linear", Dimensionless, false, []float64{1, 2}, 0},
		{"sizes", Dimensionless, true, []float64{8192, 64}, 2},
		{"bytes", "kB", true, []float64{8, 64}, 2},
		{"prices", "EUR", true, []float64{6500, 192000}, 10},
		{"three decades", Dimensionless, true, []float64{1, 1000}, 2},
		{"more decades", Dimensionless, true, []float64{1, 1001}, 10},
		{"fractions", Dimensionless, true, []float64{0.5, 8}, 10},
		{"a speed among them", Dimensionless, true, []float64{2, 7.5}, 10},
	} {
		a := Axis{Unit: test.unit, Log: test.log}
		expect.Equal(t, logBase(a, test.values), test.want, "%s: base", test.name)
	}
}

// formOf is the interactive form of a chart.
func formOf(c Chart) *Interactive {
	i := &Interactive{}
	c.interactive(i)
	return i
}

// A square plot has the same limits and ticks both ways, so that y = x is at 45
// degrees.
func TestSquareScales(t *testing.T) {
	p := []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}
	c := &LineChart{X: Axis{Title: "p", Unit: "1", Log: true}, Y: Axis{Title: "S", Unit: "1", Log: true}, Square: true,
		Series: []Series{{X: p, Y: []float64{1, 1.9, 3.6, 6, 9, 12, 14, 15, 15.5, 15.8, 15.9}}}}
	x, y := c.axes().scales(room{400, 400, 12})
	expect.That(t, x.Min == y.Min && x.Max == y.Max && slices.Equal(x.Ticks, y.Ticks),
		"x is %+v, y is %+v; expected the same", x, y)
}

// A number with decimals is rounded, to not less than three digits, before a text is cut.
func TestFitRoundsNumbers(t *testing.T) {
	for _, test := range []struct{ text, room, want string }{
		{"215.443 Mbit/s", "215.443 Mbit/s", "215.443 Mbit/s"},
		{"215.443 Mbit/s", "215.44 Mbit/s", "215.44 Mbit/s"},
		{"215.443 Mbit/s", "215 Mbit/s", "215 Mbit/s"},
		{"46.4159", "46.42", "46.42"},
		{"46.4159", "4…", "4…"},
		{"1.9999", "1.99", "2.00"},
		{"1024 processes", "1024…", "1024…"},
		{"1.5 times as fast", "1.5 times as", "1.5 times…"},
		{"0.0123456", "0.0…", "0.0…"},
		{"10.0.0.1 node", "10.0.0…", "10.0.0…"},
	} {
		const size = 10
		expect.Equal(t, fit(test.text, measure(test.room, size)+1e-9, size), test.want, "%q in the room of %q", test.text, test.room)
	}
}

// Of ten letters a line has room: a text breaks where its longer line is shortest, not within a
// number, and not within brackets unless it must.
func TestBroken(t *testing.T) {
	const size = 10
	for text, want := range map[string][]string{
		"mmmm mm":                     {"mmmm mm"},
		"mm mmmmmmm mmm":              {"mm mmmmmmm", "mmm"},
		"mmm mmmmm mmmmmm":            {"mmm mmmmm", "mmmmmm"},
		"mmmm (m mmm mm)":             {"mmmm", "(m mmm mm)"},
		"1\u00a0400\u00a0000 mmmmmmm": {"1\u00a0400\u00a0000", "mmmmmmm"},
	} {
		expect.List(t, broken(text, measure("mmmmmmmmmm", size), size), want, "%q in lines", text)
	}
}
