package effects

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Bin is a range of a factor that has many levels, with the mean response of
// the configurations in it.
type Bin struct {
	LowLevel, HighLevel int     // indices of its lowest and its highest level that occur
	Low, High           float64 // their values, in the unit of the factor
	Mean                float64 // of the response
}

// Limits that decide which factors count as sampled, and into how many bins they are
// divided.
const (
	// Factors with at most fewLevels are never divided: the plan chose those levels.
	fewLevels = 5
	// manyLevels are divided if there are not perBin configurations for each; fewer
	// only if hardly any level occurs twice. So a grid with holes keeps its levels.
	manyLevels = 20
	perBin     = 10
	onceEach   = 1.5
	// mostBins is the number of bins that are reported: fifths.
	mostBins = 5
)

// sampled reports whether a varied factor has too many levels for the number of
// configurations to analyse single levels, as in a Latin hypercube.
func (v *variation) sampled(a int) bool {
	n, levels := float64(len(v.List)), float64(len(v.levels[a]))
	return !v.full && v.Table.Factors[v.factors[a]].Numeric() && levels > fewLevels &&
		(n < onceEach*levels || levels > manyLevels && n < perBin*levels)
}

// anySampled reports whether some factor is sampled.
func (v *variation) anySampled() bool {
	for a := range v.factors {
		if v.sampled(a) {
			return true
		}
	}
	return false
}

// division is a factor cut into ranges.
type division struct {
	of     []int // bin of each place among the levels that occur
	counts []int // configurations in each bin
}

// divide cuts a factor into about equally many configurations, without cutting
// through a level. There may be fewer bins than requested.
func (v *variation) divide(a, bins int) division {
	counts := make([]int, len(v.levels[a]))
	for _, one := range v.List {
		counts[v.place[a][one.Levels[v.factors[a]]]]++
	}
	d := division{of: make([]int, len(counts))}
	before, last := 0, -1
	for l, count := range counts {
		middle := float64(before) + float64(count)/2
		if bin := int(middle * float64(bins) / float64(len(v.List))); bin != last {
			d.counts = append(d.counts, 0)
			last = bin
		}
		d.of[l] = len(d.counts) - 1
		d.counts[d.of[l]] += count
		before += count
	}
	return d
}

// groups are the sums over the configurations of each bin or level.
type groups struct {
	weights, means, squares []float64 // squares are around the mean
	between                 float64   // sum of squares of the means
}

// group averages deviations from the mean of all over the bins of a division.
func (v *variation) group(a int, d division, deviations, weights []float64) groups {
	g := groups{weights: make([]float64, len(d.counts)), means: make([]float64, len(d.counts)), squares: make([]float64, len(d.counts))}
	bin := func(one *studytable.Cell) int { return d.of[v.place[a][one.Levels[v.factors[a]]]] }
	for i := range v.List {
		b := bin(&v.List[i])
		g.weights[b] += weights[i]
		g.means[b] += float64(weights[i] * deviations[i])
	}
	for b := range g.means {
		g.means[b] /= g.weights[b]
		g.between += float64(g.weights[b] * g.means[b] * g.means[b])
	}
	for i := range v.List {
		b := bin(&v.List[i])
		g.squares[b] += float64(weights[i] * (deviations[i] - g.means[b]) * (deviations[i] - g.means[b]))
	}
	return g
}

// single is the division in which each level is a bin.
func (v *variation) single(a int) division { return v.divide(a, len(v.List)*len(v.levels[a])) }

// observe sets the effects at the levels of a factor, or in the bins of a sampled
// factor, to the means of the data. With inBins, the sum of squares of a sampled
// factor is that of its bins too.
func (v *variation) observe(m *MainEffect, a int, inBins bool, mean float64, deviations, weights []float64) {
	d := v.single(a)
	sampled := v.sampled(a)
	if sampled {
		d = v.divide(a, min(max(len(v.List)/perBin, 2), mostBins))
	}
	g := v.group(a, d, deviations, weights)
	for l, level := range v.levels[a] {
		m.Levels = append(m.Levels, LevelEffect{level, g.means[d.of[l]]})
	}
	if !sampled {
		return
	}
	value := func(level int) float64 { return v.Table.Factors[v.factors[a]].Levels[level].Value }
	for l, level := range v.levels[a] {
		b := d.of[l]
		if b == len(m.Bins) {
			m.Bins = append(m.Bins, Bin{LowLevel: level, Low: value(level), Mean: mean + g.means[b]})
		}
		m.Bins[b].HighLevel, m.Bins[b].High = level, value(level)
	}
	var among Source
	if among, m.Chance = v.ratio(a, deviations, weights); inBins {
		m.Source = among
	}
}

// ratio returns the variation among finer bins of a sampled factor, less the part
// expected from the scatter of single configurations, and the probability of such a
// variation if the factor has no effect.
//
// sqrt(n/2) bins of sqrt(2 n) configurations keep both errors of the share small: a straight line loses 1/bins^2 of its variance within the bins, while the
// chance in the variation among them has a standard deviation of sqrt(2 bins)/n.
func (v *variation) ratio(a int, deviations, weights []float64) (Source, float64) {
	n := len(v.List)
	g := v.group(a, v.divide(a, max(2, int(math.Round(math.Sqrt(float64(n)/2))))), deviations, weights)
	var within float64
	for _, s := range g.squares {
		within += s
	}
	df, rest := len(g.means)-1, n-len(g.means)
	s := Source{SumOfSquares: g.between, DF: df}
	switch {
	case df == 0 || rest == 0:
		return s, math.NaN()
	case within == 0 && g.between == 0:
		return s, 1
	case within == 0:
		return s, 0
	}
	scatter := within / float64(rest)
	s.SumOfSquares = max(0, g.between-float64(float64(df)*scatter))
	return s, distuv.F{D1: float64(df), D2: float64(rest)}.Survival(g.between / float64(df) / scatter)
}
