package design

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The published first outputs of splitmix64 with seed 1234567 and the published
// hashes of FNV-1a.
func TestHashVectors(t *testing.T) {
	g := generator(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423,
		4593380528125082431, 16408922859458223821} {
		if got := g.next(); got != want {
			t.Errorf("splitmix64 gives %d, want %d", got, want)
		}
	}
	for text, want := range map[string]uint64{"": 0xcbf29ce484222325, "a": 0xaf63dc4c8601ec8c, "foobar": 0x85944171f73967e8} {
		if got := fnv1a(fnvOffset, text); got != want {
			t.Errorf("fnv(%q) = %x, want %x", text, got, want)
		}
	}
}

// Expected from a program of a dozen lines in another language, written from
// the formula in the package comment, with integers of any size modulo 2^64.
func TestGoldenSeeds(t *testing.T) {
	const factors = "factors: {p: [4], latency: [10 us], network: [flow]}\n"
	for _, tt := range []struct {
		keys string
		want []int64 // by repetition
	}{
		{"repetitions: 2", []int64{5249424869759977, 2532957116674391}},
		{"seed: 7", []int64{8044066468239219}},
		{"{repetitions: 2, seeds: repetition}", []int64{3811949840787311, 748578949113085}},
	} {
		keys := strings.NewReplacer("{", "", "}", "", ", ", "\n").Replace(tt.keys)
		s := mustParse(t, factors+keys)
		for i, want := range tt.want {
			if got := s.Point(i); got.Seed != want || got.Repetition != i+1 {
				t.Errorf("%s: repetition %d has seed %d, want %d", tt.keys, got.Repetition, got.Seed, want)
			}
		}
	}
}

// seeds returns the seed by the levels of a point, names in alphabetical order.
func seeds(s *Design) map[string]int64 {
	all := map[string]int64{}
	for p := range points(s) {
		var parts []string
		for f := range s.Factors {
			parts = append(parts, s.Factors[f].Name+"="+p.Level(f).Text)
		}
		slices.Sort(parts)
		all[fmt.Sprint(parts, p.Repetition)] = p.Seed
	}
	return all
}

func TestSeedsDependOnOwnLevelsOnly(t *testing.T) {
	base := seeds(mustParse(t, "{factors: {a: [1, 2], b: [x, y], c: {from: 1, to: 3}}, repetitions: 2}"))
	if len(base) != 24 {
		t.Fatalf("%d points", len(base))
	}
	if n := len(slices.Compact(slices.Sorted(maps.Values(base)))); n != 24 {
		t.Errorf("%d different seeds of 24", n)
	}
	for _, plan := range []string{
		"{factors: {b: [y, x], c: [3, 1, 2], a: [2, 1]}, repetitions: 2}",                      // moved
		"{factors: {a: [0, 1, 5, 2], b: [w, x, y], c: [1, 9, 2, 3]}, repetitions: 4}",          // more of all
		"{factors: {a: [1, 2], b: [x, y], c: [1, 2, 3], }, exclude: [a == 3], repetitions: 2}", // conditions
	} {
		other := seeds(mustParse(t, plan))
		for key, seed := range base {
			if other[key] != seed {
				t.Errorf("%s: %s has seed %d, not %d", plan, key, other[key], seed)
			}
		}
	}
	for _, plan := range []string{
		"{factors: {a: [1, 2], b: [x, y], c: [1, 2, 3]}, repetitions: 2, seed: 2}",
		"{factors: {a: [1 us, 2 us], b: [x, y], c: [1, 2, 3]}, repetitions: 2}",
	} {
		for key, seed := range seeds(mustParse(t, plan)) {
			if base[key] == seed {
				t.Errorf("%s: %s has the same seed", plan, key)
			}
		}
	}
}

func TestSharedSeeds(t *testing.T) {
	s := mustParse(t, "{factors: {a: [1, 2, 3]}, repetitions: 2, seeds: repetition}")
	byRepetition := map[int]int64{}
	for p := range points(s) {
		if seed, ok := byRepetition[p.Repetition]; ok && seed != p.Seed {
			t.Errorf("point %d has seed %d, others %d", p.Index, p.Seed, seed)
		}
		byRepetition[p.Repetition] = p.Seed
	}
	if len(byRepetition) != 2 || byRepetition[1] == byRepetition[2] {
		t.Errorf("seeds by repetition: %v", byRepetition)
	}
}

func TestSeedRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := rapid.Int64Range(0, maxSeed).Draw(t, "seed")
		n := rapid.IntRange(-1000, 1000).Draw(t, "n")
		s, err := parse(fmt.Sprintf("{factors: {n: [%d, x]}, seed: %d}", n, plan), planLimits)
		if err != nil {
			t.Fatal(err)
		}
		if seed := s.Point(0).Seed; seed < 0 || seed > maxSeed {
			t.Fatalf("seed %d", seed)
		}
	})
}
