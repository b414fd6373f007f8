package chart

import (
	"slices"
	"testing"
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
		if got := Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, expected %q", in, got, want)
		}
	}
}

func TestTitled(t *testing.T) {
	for _, test := range []struct{ title, unit, want string }{
		{"Time", "s", "Time (s)"},
		{"psi", Dimensionless, "psi"},
		{"Name", "", "Name"},
	} {
		if got := Titled(test.title, test.unit); got != test.want {
			t.Errorf("Titled(%q, %q) = %q, expected %q", test.title, test.unit, got, test.want)
		}
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
		if got := Number(v); got != want {
			t.Errorf("Number(%g) = %q, expected %q", v, got, want)
		}
	}
}

func TestDistinct(t *testing.T) {
	got := Distinct([]string{"a", "a", "", "a (2)", "a\x00", "a\x01", " "}, "series")
	want := []string{"a", "a (2)", "series 3", "a (2) (2)", "a\uFFFD", "a\uFFFD (2)", "series 7"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, expected %q", got, want)
	}
}
