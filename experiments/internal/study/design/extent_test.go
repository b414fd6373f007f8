package design

import (
	"slices"
	"testing"
)

// The sizes by hand: of a = 1..4 and b = 1..3, a + b > 5 removes (3,3), (4,2) and
// (4,3).
func TestExtent(t *testing.T) {
	const ab = "factors: {a: {from: 1, to: 4}, b: [1, 2, 3]}"
	for _, tt := range []struct{ plan, want string }{
		{"factors: {a: [1]}", "1 configuration"},
		{"factors: {a: [1, 2]}", "2 configurations"},
		{"factors: {a: [1, 2]}\nrepetitions: 3", "2 configurations x 3 repetitions = 6 points"},
		{ab, "12 configurations (4 x 3)"},
		{ab + "\nexclude: [a + b > 5]", "9 of 12 configurations (4 x 3), 3 excluded"},
		{ab + "\nexclude: [a + b > 2]", "1 of 12 configurations (4 x 3), 11 excluded"},
		{ab + "\nexclude: [a > 9]", "12 configurations (4 x 3)"},
		{ab + "\nexclude: [a + b > 5]\nrepetitions: 2", "9 of 12 configurations (4 x 3), 3 excluded; 9 x 2 repetitions = 18 points"},
		{"factors: {a: [1, 2], b: [1, 2]}\ndesign: paired", "2 pairs"},
		{"factors: {a: [1], b: [2]}\ndesign: paired", "1 pair"},
		{"factors: {a: [1, 2, 3, 4], b: [1, 2, 3, 4]}\ndesign: paired\nexclude: [a > 3]", "3 of 4 pairs, 1 excluded"},
		{"factors: {a: [1, 2], b: [1, 2], c: [1, 2]}\ndesign: paired", "2 combinations of 3 factors (paired)"},
		{"factors: {a: {linear: {from: 0, to: 1}}}\ndesign: {latin_hypercube: 200}", "200 samples of 1 factor (Latin hypercube)"},
		{"factors: {a: {linear: {from: 0, to: 1}}, b: [x]}\ndesign: {latin_hypercube: 1}", "1 sample of 2 factors (Latin hypercube)"},
		// Of ten strata of 0 to 1, five lie above a half.
		{"factors: {a: {linear: {from: 0, to: 1}}}\ndesign: {latin_hypercube: 10}\nexclude: [a >= 0.5]", "5 of 10 samples of 1 factor (Latin hypercube), 5 excluded"},
	} {
		if got := mustParse(t, tt.plan).Extent(); got != tt.want {
			t.Errorf("%s\nis %s\nnot %s", tt.plan, got, tt.want)
		}
	}
}

// A condition without effect is named with the levels that it may have mistaken.
func TestIdleConditions(t *testing.T) {
	for _, tt := range []struct {
		plan string
		want []string
	}{
		{"factors: {speed: {from: 1 Gflop/s, to: 12 Gflop/s}}\nexclude: [speed > 1e9]", []string{"speed > 1e9 removes no point; speed is from 1 to 12 Gflop/s"}},
		{"factors: {network: [hockney, flow]}\nexclude: [\"network == 'flwo'\"]", []string{"network == 'flwo' removes no point; network is one of hockney, flow"}},
		{"factors: {a: [4 us, 1 us], b: [true, false], c.d: [7]}\nexclude: [a == 3, b and a > 4 and d > 1]", []string{
			"a == 3 removes no point; a is one of 4, 1 us", "b and a > 4 and d > 1 removes no point; b is one of true, false, a is one of 4, 1 us, d is 7"}},
		{"factors: {a: [9, 1, 2, 3, 4, 5, 6, 7, 8]}\nexclude: [a > 1, a > 10]", []string{"a > 10 removes no point; a is from 1 to 9"}},
		{"factors: {a: [a, b, c, d, e, f, g, h, i, j]}\nexclude: [a == 'x']", []string{"a == 'x' removes no point; a is one of a, b, c, d, e, f, g, h, and 2 more"}},
		{"factors: {a: [1]}\nexclude: ['false']", []string{"false removes no point; it names no factor"}},
		{"factors: {a: [1, 2]}\nexclude: [a > 1]", nil},
	} {
		if got := mustParse(t, tt.plan).Warnings; !slices.Equal(got, tt.want) {
			t.Errorf("%s\nwarns %q\nnot   %q", tt.plan, got, tt.want)
		}
	}
}
