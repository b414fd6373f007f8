package chart

import (
	"testing"
)

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		in   string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"µµµµ", 2, "µ…"}} {
		if got := shorten(test.in, test.n); got != test.want {
			t.Errorf("shorten(%q, %d) = %q, expected %q", test.in, test.n, got, test.want)
		}
	}
}
