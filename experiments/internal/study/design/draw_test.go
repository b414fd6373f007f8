package design

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

// The published first outputs of splitmix64 with seed 1234567.
func TestHashVectors(t *testing.T) {
	g := generator(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423,
		4593380528125082431, 16408922859458223821} {
		expect.Equal(t, g.next(), want, "splitmix64")
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
		{"repetitions: 2", []int64{7079326691133405, 4147966936631902}},
		{"seed: 7", []int64{2459199007755255}},
		{"{repetitions: 2, seeds: repetition}", []int64{3811949840787311, 748578949113085}},
	} {
		keys := strings.NewReplacer("{", "", "}", "", ", ", "\n").Replace(tt.keys)
		s := mustParse(t, factors+keys)
		for i, want := range tt.want {
			got := s.Point(i)
			expect.That(t, got.Seed == want && got.Repetition == i+1,
				"%s: repetition %d has seed %d, want %d", tt.keys, got.Repetition, got.Seed, want)
		}
	}
}

// A value has one seed, in whatever unit it is written: a time, a size, a bandwidth in bytes and in bits, and numbers
// that are not exact in the other unit. Other values have other seeds, and so do equal numbers of another quantity.
func TestSeedsFollowFromValues(t *testing.T) {
	of := func(levels string) []int64 {
		s := mustParse(t, "factors: {x: "+levels+"}")
		var all []int64
		for i := range s.Points() {
			all = append(all, s.Point(i).Seed)
		}
		return all
	}
	for _, same := range [][]string{
		{"[1 us, 2.5 us]", "[1000 ns, 2500 ns]", "[0.001 ms, 0.0025 ms]", "[1e-6 s, 2.5 µs]"},
		{"[42 s, 1 h]", "[0.7 min, 60 min]", "[42000 ms, 3600 s]"},
		{"[64 KiB, 1 MB]", "[65536 B, 1000 kB]", "[0.0625 MiB, 0.001 GB]"},
		{"[8 Gbit/s, 0.3 GB/s]", "[1 GB/s, 2.4 Gbit/s]"},
		{"[0 s, 1 ms]", "[0, 1000 us]", "[0 ns, 1 ms]"},
		{"{linear: {from: 1 us, to: 9 us, count: 7}}", "{linear: {from: 1000 ns, to: 9000 ns, count: 7}}"},
		{"{log: {from: 1 us, to: 9 us, count: 7}}", "{log: {from: 0.001 ms, to: 0.009 ms, count: 7}}"},
		{"{from: 1 ms, to: 4 ms}", "[1000 us, 2000 us, 0.003 s, 4 ms]"},
	} {
		want := of(same[0])
		for _, other := range same[1:] {
			got := of(other)
			expect.That(t, slices.Equal(got, want), "%s: seeds %v, want those of %s, %v", other, got, same[0], want)
		}
	}
	different := slices.Concat(of("[1 us, 1 ms, 1 s]"), of("[1 B, 1 kB]"), of("[1, 0.001]"), of("[1 B/s]"), of("[1 flop]"), of("[1 USD, 2 USD]"), of("[1 EUR]"))
	n := len(slices.Compact(slices.Sorted(slices.Values(different))))
	expect.That(t, n == len(different), "%d different seeds of %d values", n, len(different))
}

// seeds returns the seeds by the levels of points, with names in alphabetical order.
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
	expect.Need(t, len(base) == 24, "%d points", len(base))
	n := len(slices.Compact(slices.Sorted(maps.Values(base))))
	expect.That(t, n == 24, "%d different seeds of 24", n)
	for _, plan := range []string{
		"{factors: {b: [y, x], c: [3, 1, 2], a: [2, 1]}, repetitions: 2}",                      // moved
		"{factors: {a: [0, 1, 5, 2], b: [w, x, y], c: [1, 9, 2, 3]}, repetitions: 4}",          // more of all
		"{factors: {a: [1, 2], b: [x, y], c: [1, 2, 3], }, exclude: [a == 3], repetitions: 2}", // conditions
	} {
		other := seeds(mustParse(t, plan))
		for key, seed := range base {
			expect.That(t, other[key] == seed, "%s: %s has seed %d, not %d", plan, key, other[key], seed)
		}
	}
	for _, plan := range []string{
		"{factors: {a: [1, 2], b: [x, y], c: [1, 2, 3]}, repetitions: 2, seed: 2}",
		"{factors: {a: [1 us, 2 us], b: [x, y], c: [1, 2, 3]}, repetitions: 2}",
	} {
		for key, seed := range seeds(mustParse(t, plan)) {
			expect.That(t, base[key] != seed, "%s: %s has the same seed", plan, key)
		}
	}
}

func TestSharedSeeds(t *testing.T) {
	s := mustParse(t, "{factors: {a: [1, 2, 3]}, repetitions: 2, seeds: repetition}")
	byRepetition := map[int]int64{}
	for p := range points(s) {
		seed, ok := byRepetition[p.Repetition]
		expect.That(t, !ok || seed == p.Seed, "point %d has seed %d, others %d", p.Index, p.Seed, seed)
		byRepetition[p.Repetition] = p.Seed
	}
	expect.That(t, len(byRepetition) == 2 && byRepetition[1] != byRepetition[2],
		"seeds by repetition: %v", byRepetition)
}

func TestSeedRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := rapid.Int64Range(0, maxSeed).Draw(t, "seed")
		n := rapid.IntRange(-1000, 1000).Draw(t, "n")
		s := expect.Value(parse(fmt.Sprintf("{factors: {n: [%d, x]}, seed: %d}", n, plan), planLimits))(t)
		seed := s.Point(0).Seed
		expect.Need(t, seed >= 0 && seed <= maxSeed, "seed %d", seed)
	})
}

// Every stratum of every factor has one sample. The strata are recomputed here differently: linear ones from the
// value's place in the range, logarithmic ones from that of its logarithm.
func TestOneSamplePerStratum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		seed := rapid.IntRange(0, 1000).Draw(t, "seed")
		s, err := parse(fmt.Sprintf(`
factors:
  a: {linear: {from: -3, to: 7}}
  b: {log: {from: 1 us, to: 1 ms}}
  c: {from: 1, to: %d}
design: {latin_hypercube: %d}
seed: %d
`, n, n, seed), planLimits)
		expect.Success(t, err)
		expect.Need(t, s.Points() == n, "%d points", s.Points())
		var used [3][]bool
		for f := range used {
			used[f] = make([]bool, n)
		}
		for p := range points(s) {
			for f, share := range [3]float64{
				(p.Level(0).Value + 3) / 10,
				math.Log(p.Level(1).Value) / math.Log(1000),
				(p.Level(2).Value - 1) / float64(n),
			} {
				stratum := p.Levels[f]
				expect.Need(t, !used[f][stratum], "factor %d: a second sample in stratum %d of %d", f, stratum, n)
				used[f][stratum] = true
				// The rounding of this test may move a value at an edge.
				at := share * float64(n)
				expect.Need(t, at >= float64(stratum)-1e-6 && at <= float64(stratum+1)+1e-6,
					"factor %d: a sample of stratum %d is at %v of %d", f, stratum, at, n)
			}
		}
	})
}

// 10 samples of 4 listed levels: two or three of each.
func TestListedLevelsAreBalanced(t *testing.T) {
	s := mustParse(t, "factors: {a: [w, x, y, z], b: {powers_of_two: {from: 1, to: 1024}}}\ndesign: {latin_hypercube: 10}")
	uses := [2][]int{make([]int, 4), make([]int, 11)}
	for p := range points(s) {
		for f, level := range p.Levels {
			uses[f][level]++
		}
	}
	slices.Sort(uses[0])
	expect.That(t, slices.Equal(uses[0], []int{2, 2, 3, 3}), "uses of 4 levels by 10 samples: %v", uses[0])
	expect.That(t, slices.Max(uses[1]) == 1, "uses of 11 levels by 10 samples: %v", uses[1])
}

// Two samples of 1 to 100: one up to 50 and one above. Over 400 seeds the mean of both is 50.5, with the standard
// deviation of two uniform halves of 50 levels, 14.43/sqrt(800) = 0.51. Five of these are allowed.
func TestFewSamplesOfManyLevels(t *testing.T) {
	mean := 0.0
	for seed := range 400 {
		s := mustParse(t, fmt.Sprintf("{factors: {a: {from: 1, to: 100}}, design: {latin_hypercube: 2}, seed: %d}", seed))
		x, y := s.Point(0).Level(0).Value, s.Point(1).Level(0).Value
		expect.That(t, min(x, y) <= 50 && max(x, y) > 50, "seed %d: samples %v and %v", seed, x, y)
		mean += (x + y) / 800
	}
	expect.That(t, math.Abs(mean-50.5) <= 2.6, "mean of the samples: %v", mean)
}

// Samples lie anywhere in their strata, even where six digits are too few to say where. With these ends and this number
// of strata the edges are exact in floating point. 1024 uniform places have the mean 0.5 with the standard deviation
// 0.289/32 = 0.009; five of these are allowed.
func TestDrawnWithinStrata(t *testing.T) {
	s := mustParse(t, "{factors: {a: {linear: {from: 1048576, to: 1048577}}}, design: {latin_hypercube: 1024}}")
	mean := 0.0
	for p := range points(s) {
		x := (p.Level(0).Value - 1048576) * 1024
		mean += (x - math.Floor(x)) / 1024
	}
	expect.That(t, math.Abs(mean-0.5) <= 0.045, "mean place in the stratum: %v", mean)
}

// Six digits would put half of these samples on the edges of their strata, the multiples of 1e-6. With rounding to a
// hundredth of a stratum at worst, about 2 % come within 0.01e-6 of an edge, 20 of 1000; four standard deviations more
// are 38.
func TestSamplesAreNotRoundedToEdges(t *testing.T) {
	s := mustParse(t, "{factors: {a: {linear: {from: 0.5, to: 0.501}}}, design: {latin_hypercube: 1000}}")
	near := 0
	for p := range points(s) {
		if x := p.Level(0).Value * 1e6; math.Abs(x-math.Round(x)) < 0.01 {
			near++
		}
	}
	expect.That(t, near <= 38, "%d of 1000 samples are at an edge", near)
}

// hypercube returns by name what is drawn for each factor.
func hypercube(t *testing.T, plan string) map[string][]string {
	s := mustParse(t, plan)
	drawn := map[string][]string{}
	for p := range points(s) {
		for f := range s.Factors {
			name := s.Factors[f].Name
			drawn[name] = append(drawn[name], p.Level(f).Text)
		}
	}
	return drawn
}

// What is drawn for a factor depends only on its name and the seed.
func TestHypercubeIsReproducible(t *testing.T) {
	const a, b, c = "a: {linear: {from: 0, to: 1}}", "b: {from: 1, to: 50}", "c: {linear: {from: 0, to: 1}}"
	plan := func(factors, seed string) string {
		return "{factors: {" + factors + "}, design: {latin_hypercube: 50}, seed: " + seed + "}"
	}
	first := hypercube(t, plan(a+", "+b, "1"))
	more := hypercube(t, plan(c+", "+b+", "+a, "1"))
	for name, want := range first {
		expect.Same(t, more[name], want, "factor %s with another beside it", name)
	}
	expect.That(t, !slices.Equal(more["a"], more["c"]), "two factors with the same range have the same samples")
	other := hypercube(t, plan(a+", "+b, "2"))
	expect.That(t, !slices.Equal(first["a"], other["a"]) && !slices.Equal(first["b"], other["b"]),
		"another seed, the same samples")
}

// Factors must not be correlated. Of n independent pairs the correlation has
// the standard deviation 1/sqrt(n-1), here 0.032: five of these are allowed.
func TestFactorsAreIndependent(t *testing.T) {
	s := mustParse(t, "factors: {a: {linear: {from: -1, to: 1}}, b: {linear: {from: -1, to: 1}}, c: {from: 1, to: 1000}}\ndesign: {latin_hypercube: 1000}")
	var columns [3][]float64
	for p := range points(s) {
		for f := range columns {
			columns[f] = append(columns[f], p.Level(f).Value)
		}
	}
	for i := range columns {
		for j := range i {
			r := stat.Correlation(columns[i], columns[j], nil)
			expect.That(t, math.Abs(r) <= 0.16, "correlation of factors %d and %d: %v", j, i, r)
		}
	}
}

// Numbers below 6, 600 times each on average: chi-squared with 5 degrees of
// freedom exceeds 20.5 with probability 0.001. The seed is fixed.
func TestBelowIsUniform(t *testing.T) {
	g := generator(1)
	var counts [6]float64
	for range 3600 {
		counts[g.below(6)]++
	}
	chi := 0.0
	for _, c := range counts {
		chi += (c - 600) * (c - 600) / 600
	}
	expect.That(t, chi <= 20.5, "chi-squared %v of %v", chi, counts)
}

// Six configurations of a 6 x 6 grid are a Latin square: each level of each factor once.
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
		all := []int{0, 1, 2, 3, 4, 5}
		expect.That(t, slices.Equal(a, all) && slices.Equal(b, all), "seed %s: levels %v and %v; expected each once", seed, a, b)
	}
}

// Whatever the design, a start of all configurations has each of them once.
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
			expect.Need(t, c < len(got) && got[c] == c,
				"%s\nconfigurations %v; expected all %d", text, got, s.Configurations())
		}
		expect.List(t, s.Start(1), s.Start(1), "%s\na start, again", text)
	}
}
