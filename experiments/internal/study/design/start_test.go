package design

import (
	"slices"
	"testing"
)

// Of a grid of 6 x 6, six are a Latin square: each level of each factor once.
func TestStartIsLatin(t *testing.T) {
	for _, seed := range []string{"1", "2", "3"} {
		s := mustParse(t, "factors: {a: {from: 0, to: 5}, b: {powers_of_two: {from: 1, to: 32}}}\nrepetitions: 2\nseed: "+seed)
		var a, b []int
		for _, c := range s.Start(6) {
			p := s.Point(c * s.Repetitions)
			a, b = append(a, p.Levels[0]), append(b, p.Levels[1])
		}
		slices.Sort(a)
		slices.Sort(b)
		if all := []int{0, 1, 2, 3, 4, 5}; !slices.Equal(a, all) || !slices.Equal(b, all) {
			t.Errorf("seed %s: levels %v and %v; expected each once", seed, a, b)
		}
	}
}

// Whatever the design, as many as it has are all of it, each once.
func TestStartOfAll(t *testing.T) {
	for _, text := range []string{
		"factors: {a: {from: 0, to: 5}, b: [x, y, z]}\nexclude: [a > 3 and b == 'x']",
		"factors: {a: {linear: {from: 0, to: 1}}, b: {log: {from: 1 us, to: 1 s}}}\ndesign: {latin_hypercube: 17}",
		"factors: {a: [1, 5, 7], b: [x, y, z]}\ndesign: paired",
		"factors: {a: [1]}",
	} {
		s := mustParse(t, text)
		got := slices.Sorted(slices.Values(s.Start(s.Configurations())))
		for c := range s.Configurations() {
			if c >= len(got) || got[c] != c {
				t.Fatalf("%s\nconfigurations %v; expected all %d", text, got, s.Configurations())
			}
		}
		some := s.Start(1)
		if again := s.Start(1); !slices.Equal(some, again) {
			t.Errorf("%s\nstart %v, then %v", text, some, again)
		}
	}
}
