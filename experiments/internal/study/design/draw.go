package design

import (
	"hash/fnv"
	"math/bits"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
)

// maxSeed is the largest seed: JSON and spreadsheets represent every integer up
// to it exactly.
const maxSeed = 1<<53 - 1

// pointSeed is the hash in the package comment.
func (s *Design) pointSeed(levels []int, repetition int, shared bool) int64 {
	var own uint64
	if !shared {
		s.hashed.Do(s.hash)
		for i, level := range levels {
			own += s.hashes[i][level]
		}
	}
	h := mix(uint64(s.Seed))
	h = mix(h + own)
	h = mix(h + uint64(repetition))
	return int64(h >> 11)
}

// hash hashes all levels.
func (s *Design) hash() {
	for i := range s.Factors {
		f := &s.Factors[i]
		hashes := make([]uint64, f.Len())
		for level := range hashes {
			hashes[level] = f.hash(level)
		}
		s.hashes = append(s.hashes, hashes)
	}
}

// OwnSeed returns a seed for this point alone, even where the points of a repetition share their seed.
func (p *Point) OwnSeed() int64 { return p.design.pointSeed(p.Levels, p.Repetition, false) }

// hash depends on the name of the factor and the value of the level, whatever unit it is
// written in.
func (f *Factor) hash(level int) uint64 {
	text, kind := f.levels.text(level), f.Unit // of money, its currency
	if d := formula.Dimension(f.Unit); d != "" {
		x := quantity{value: f.levels.value(level), unit: f.Unit}.base()
		if r, ok := terminates(x); ok { // 42 s in minutes may be off by a rounding error
			x = r
		}
		text, kind = numberText(x), d
	}
	if kind != "" {
		text += " " + kind
	}
	return mix(fnv1a(f.Name + "\x00" + text))
}

func fnv1a(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// mix is one step of splitmix64 from the state x: Steele, Lea, Flood: Fast
// splittable pseudorandom number generators, OOPSLA 2014, with the constants of
// Vigna's public domain version.
func mix(x uint64) uint64 {
	x += golden
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

const golden = 0x9e3779b97f4a7c15

// latinHypercube returns, by factor, the level of each of n samples. The
// samples of a factor are its n strata in an order shuffled for this factor, so
// each stratum has one sample [McKay1979].
// A stratum of a factor with listed levels is 1/n of the list: one level, or several from which one is drawn.
//
// The order depends on the seed and the name of the factor alone: other factors
// can be added or moved without changing it.
func latinHypercube(seed int64, factors []Factor, n int) [][]uint32 {
	samples := make([][]uint32, len(factors))
	for i := range factors {
		f := &factors[i]
		key := nameKey(seed, f.Name)
		strata := make([]uint32, n)
		for k := range strata {
			// Continuous factors have n levels: the strata themselves.
			first, end := k*f.Len()/n, (k+1)*f.Len()/n
			if end > first {
				first += int(jitter(mix(key), k) * float64(end-first))
			}
			strata[k] = uint32(first)
		}
		g := generator(key)
		// Fisher and Yates, in the form of Durstenfeld.
		for k := n - 1; k > 0; k-- {
			j := g.below(uint64(k + 1))
			strata[k], strata[j] = strata[j], strata[k]
		}
		samples[i] = strata
	}
	return samples
}

// nameKey starts the numbers drawn for one factor.
func nameKey(seed int64, name string) uint64 {
	return mix(mix(uint64(seed)) + fnv1a(name))
}

// generator is splitmix64. Its numbers determine the points of a plan, so they
// must not change with a release of Go.
type generator uint64

func (g *generator) next() uint64 {
	x := mix(uint64(*g))
	*g += golden
	return x
}

// below returns a number from 0 to n-1, all equally likely: Lemire, Fast random
// integer generation in an interval, ACM TOMACS 29(1), 2019.
func (g *generator) below(n uint64) uint64 {
	high, low := bits.Mul64(g.next(), n)
	for low < -n%n {
		high, low = bits.Mul64(g.next(), n)
	}
	return high
}

// jitter returns where in its stratum the sample of a factor lies, from 0 to 1,
// 1 excluded.
func jitter(key uint64, stratum int) float64 {
	return float64(mix(key+uint64(stratum))>>11) / (1 << 53)
}

// Configurations returns the number of combinations of levels that have points. The points of combination c begin at
// c*Repetitions.
func (s *Design) Configurations() int { return s.Points() / s.Repetitions }

// Start returns n different configurations spread over the factors, for a study that simulates some of them first: the
// samples of a Latin hypercube, each moved to the nearest configuration that is left. It depends on the seed of the
// plan. n is at most the number of configurations.
//
// Distances are Euclidean. The levels of a numeric factor are equidistant; any two levels of another factor are as far
// apart as the ends of a numeric one. Among configurations equally near, the first is taken.
func (s *Design) Start(n int) []int {
	samples := latinHypercube(s.Seed, s.Factors, n)
	configurations := make([][]int, s.Configurations())
	for c := range configurations {
		configurations[c] = s.Point(c * s.Repetitions).Levels
	}
	taken := make(map[int]bool, n)
	var start []int
	for k := range n {
		at, least := -1, 0.0
		for c, levels := range configurations {
			if taken[c] {
				continue
			}
			distance := 0.0
			for f, level := range levels {
				distance += s.Factors[f].distance(level, int(samples[f][k]))
			}
			if at < 0 || distance < least {
				at, least = c, distance
			}
		}
		taken[at] = true
		start = append(start, at)
	}
	return start
}

// distance returns the squared distance of two levels; 1 for the ends.
func (f *Factor) distance(a, b int) float64 {
	switch {
	case a == b:
		return 0
	case !f.Numeric:
		return 1
	}
	d := float64(a-b) / float64(f.Len()-1)
	return d * d
}
