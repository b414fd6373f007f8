package yamldoc

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

func TestNearest(t *testing.T) {
	known := []string{"latency", "bandwidth", "name", "nodes", "node", "mode", "code", "L", "o"}
	cases := []struct {
		name string
		want []string
	}{
		{"latancy", []string{"latency"}},           // one replaced
		{"latnecy", []string{"latency"}},           // one swap of neighbours
		{"Latency", []string{"latency"}},           // case only
		{"bandwith", []string{"bandwidth"}},        // one missing
		{"bandd wdth", []string{"bandwidth"}},      // 10/3 = 3 edits: two too many, one missing
		{"nodee", []string{"node", "nodes"}},       // 5/3 = 1: one too many; one replaced
		{"ode", []string{"code", "mode", "node"}},  // one missing each, in alphabetical order
		{"node", []string{"node", "code", "mode"}}, // distance 0 first; nodes is fourth
		{"price", nil},                               // nothing within one edit
		{"x", []string{"L", "o"}},                    // one edit turns any letter into another
		{"", []string{"L", "o"}},                     // one inserted
		{"latencylatencylatencylatencylatency", nil}, // far too long
	}
	for _, c := range cases {
		expect.Same(t, Nearest(c.name, known), c.want, "%q", c.name)
	}
}

// Distances counted by hand; kitten/sitting is the textbook case.
func TestEditDistance(t *testing.T) {
	cases := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0},
		{"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "acbd", 1},
		{"ca", "abc", 3}, // 2 with unrestricted transpositions
		{"µs", "us", 1},
	}
	for _, c := range cases {
		expect.Equal(t, editDistance([]rune(c.a), []rune(c.b)), c.want, "%q to %q", c.a, c.b)
		expect.Equal(t, editDistance([]rune(c.b), []rune(c.a)), c.want, "%q to %q", c.b, c.a)
	}
}
