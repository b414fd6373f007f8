package analysis

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// significance is the probability that equally good configurations are told apart in any of a question's comparisons.
const significance = 0.05

// farApart is the ratio of means from which on repetitions are also compared by their ratios. The mean of ratios
// differs from the ratio of means by the noise.
const farApart = 2

// A Contrast says by how much one configuration is better than another. It uses differences within repetitions of the
// same number, so that what the draws of a repetition do to both cancels.
type Contrast struct {
	Gain float64 // mean of the differences
	Half float64 // half the 95 % interval; NaN without two repetitions that both have
	p    float64 // of Student's t; NaN like Half
}

// contrast compares two configurations. Source: the paired-t confidence interval of
// [Law2015] 10.2.1.
func (c *Cells) contrast(better, worse *Cell) Contrast {
	gains := slices.Sorted(maps.Values(c.Within(worse, better, c.Goal.Gain))) // sums must not depend on the order of rows
	if len(gains) < 2 {
		return Contrast{c.Goal.Gain(worse.Mean, better.Mean), math.NaN(), math.NaN()}
	}
	mean, deviation := stat.MeanStdDev(gains, nil)
	n := float64(len(gains))
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}
	x := Contrast{mean, deviation / math.Sqrt(n), 0}
	rounded := 1e-12 * max(math.Abs(better.Mean), math.Abs(worse.Mean))
	level := func(mean, half float64) float64 { return 2 * t.Survival(math.Abs(mean)/half) }
	if x.Half > rounded {
		x.p = level(mean, x.Half)
	}
	// The larger one has the larger noise, so few repetitions do not resolve a difference, but they resolve a ratio.
	if ratio := better.Mean / worse.Mean; x.Half > rounded && max(ratio, 1/ratio) >= farApart {
		ratios := slices.Sorted(maps.Values(c.Within(worse, better, func(a, b float64) float64 { return math.Log(b / a) })))
		if mean, deviation := stat.MeanStdDev(ratios, nil); deviation >= 0 { // else some have no logarithm
			x.p = min(x.p, level(mean, deviation/math.Sqrt(n)))
		}
	}
	x.Half *= t.Quantile(0.975)
	x.p = min(1, x.p*c.looks(len(gains)))
	return x
}

// Within returns, by repetition, the differences of two configurations for the repetitions that both have.
func (c *Cells) Within(a, b *Cell, difference func(a, b float64) float64) map[int]float64 {
	of, all := map[int]float64{}, map[int]float64{}
	for _, r := range a.Rows {
		of[r.Repetition] = r.Values[c.Column]
	}
	for _, r := range b.Rows {
		if v, ok := of[r.Repetition]; ok {
			all[r.Repetition] = difference(v, r.Values[c.Column])
		}
	}
	return all
}

// looks returns the factor on p that corrects for repeated questions, which were asked at Least repetitions, at twice
// as many, and so on: k (k + 1) for the k-th. The reciprocals of these add up to 1.
func (c *Cells) looks(pairs int) float64 {
	if c.Least == 0 {
		return 1
	}
	k := 1 + math.Ceil(math.Log2(max(float64(pairs)/float64(c.Least), 1)))
	return k * (k + 1)
}

// Interval returns the 95 % interval of the mean over repetitions, by Student's t; NaN without two. Intervals of two
// configurations may overlap although paired differences tell them apart.
func (one *Cell) Interval() Interval {
	return IntervalOf(one.Mean, one.StdErr(), len(one.Rows))
}

// IntervalOf returns the 95 % interval of a mean of n values with a standard error.
func IntervalOf(mean, stdErr float64, n int) Interval {
	half := math.NaN()
	if n > 1 {
		half = stdErr * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile(0.975)
	}
	return Interval{Number(mean - half), Number(mean + half)}
}

// MeanInterval is [IntervalOf] of the mean of some values.
func MeanInterval(values []float64) Interval {
	mean, deviation := stat.MeanStdDev(slices.Sorted(slices.Values(values)), nil) // sums must not depend on the order
	return IntervalOf(mean, stat.StdErr(deviation, float64(len(values))), len(values))
}

// An Interval has a lower and an upper end, which do not exist without repetitions.
type Interval [2]Number

// Exists reports whether the interval exists and has a length above 0.
func (x Interval) Exists() bool { return x[1] > x[0] }

// IsZero reports whether JSON leaves it out, under omitzero.
func (x Interval) IsZero() bool { return !x.Exists() }

// rivals reports which of some configurations may be as good as the best of them: those equal to it, and those that
// paired differences do not tell apart from it at a level of 5 % for all pairs together. Configurations without
// repetitions have no noise.
//
// Source: the step-down method of [Holm1979]. Deviation: only the pairs with the best are computed; the others are only
// counted. The r-th smallest p of all pairs is at most the r-th smallest of these, so the full method would tell apart
// at least as much.
func (c *Cells) rivals(best int, among []int) map[int]bool {
	rivals := map[int]bool{}
	type test struct {
		of int
		p  float64
	}
	var tests []test
	for _, i := range among {
		switch x := c.contrast(&c.List[best], &c.List[i]); {
		case i == best:
		case !c.Goal.Better(c.List[best].Mean, c.List[i].Mean):
			rivals[i] = true
		case !math.IsNaN(x.p):
			tests = append(tests, test{i, x.p})
		}
	}
	slices.SortFunc(tests, func(a, b test) int { return cmp.Or(cmp.Compare(a.p, b.p), cmp.Compare(a.of, b.of)) })
	pairs, apart := float64(len(among))*float64(len(among)-1)/2, true
	for r, x := range tests {
		if apart = apart && x.p <= significance/(pairs-float64(r)); !apart {
			rivals[x.of] = true
		}
	}
	return rivals
}
