package analysis

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/isoscale/isoscale/internal/each"
)

// A Cell is a configuration with the mean of the response over its repetitions.
type Cell struct {
	Levels []int // of a row; not to be changed
	Mean   float64
	Within float64 // sum of squares around the mean
	Rows   []*Row  // its repetitions, by Point
	// Size is set by [Cells.By]: the mean of a second response, or the value of a factor; otherwise NaN.
	Size float64
}

// Cells are the configurations of a table whose response did not fail, in ascending order of levels.
type Cells struct {
	Table    *Table
	Response string
	Column   int // of the response
	Goal     Goal
	List     []Cell
	// Linear converts values of the response to the scale on which differences are given in per cent; nil for the
	// values themselves.
	Linear func(float64) float64

	// Least is the number of repetitions from which on configurations that could not be told apart were run again,
	// twice as many each time; 0: all repetitions were planned.
	Least int
}

// Gather averages a response over repetitions.
func (t *Table) Gather(response string, goal Goal) (*Cells, error) {
	y, err := t.ResponseIndex(response)
	if err != nil {
		return nil, err
	}
	rows := make([]*Row, 0, len(t.Rows))
	for i := range t.Rows {
		if Finite(t.Rows[i].Values[y]) {
			rows = append(rows, &t.Rows[i])
		}
	}
	if len(rows) == 0 {
		return nil, t.allFailed(response)
	}
	slices.SortStableFunc(rows, func(a, b *Row) int {
		return cmp.Or(slices.Compare(a.Levels, b.Levels), cmp.Compare(a.Point, b.Point))
	})
	c := &Cells{Table: t, Response: response, Goal: goal, Column: y}
	configurations := 0
	for i, r := range rows {
		if i == 0 || !slices.Equal(r.Levels, rows[i-1].Levels) {
			configurations++
		}
	}
	c.List = make([]Cell, 0, configurations)
	var memory []float64
	for same := range chunks(rows, func(a, b *Row) bool { return slices.Equal(a.Levels, b.Levels) }) {
		one := Cell{Levels: same[0].Levels, Rows: same, Size: math.NaN()}
		memory = one.values(memory, y)
		one.Mean, one.Within = meanAndSpread(memory)
		c.List = append(c.List, one)
	}
	return c, nil
}

// chunks yields the consecutive parts of a list whose elements are all the same as the first of the part.
func chunks[T any](list []T, same func(first, other T) bool) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for len(list) > 0 {
			n := slices.IndexFunc(list, func(x T) bool { return !same(list[0], x) })
			if n < 0 {
				n = len(list)
			}
			if !yield(list[:n:n]) {
				return
			}
			list = list[n:]
		}
	}
}

// Values returns the values of a response over the repetitions that have one, in ascending order, because sums must not
// depend on the order of rows.
func (one *Cell) Values(response int) []float64 {
	return one.values(make([]float64, 0, len(one.Rows)), response)
}

// values is Values, with memory to use.
func (one *Cell) values(memory []float64, response int) []float64 {
	values := memory[:0]
	for _, r := range one.Rows {
		if v := r.Values[response]; Finite(v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

// MeanOf returns the mean of a response over the repetitions that have one; NaN if none has.
func (one *Cell) MeanOf(response int) float64 {
	mean, _ := meanAndSpread(one.Values(response))
	return mean
}

// meanAndSpread takes ascending values; of none, the mean is NaN.
func meanAndSpread(values []float64) (mean, squares float64) {
	if len(values) == 0 {
		return math.NaN(), 0
	}
	if values[0] == values[len(values)-1] {
		return values[0], 0
	}
	mean = stat.Mean(values, nil)
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	return mean, squares
}

// By returns the configurations with a size, which is a numeric factor or another response, without those whose size is
// not a finite number.
func (c *Cells) By(size string) (*Cells, error) {
	t := c.Table
	factor, notFactor := t.FactorIndex(size)
	response, notResponse := t.ResponseIndex(size)
	switch {
	case notFactor == nil && !t.Factors[factor].Numeric:
		return nil, fmt.Errorf("analysis: factor %s cannot be a size: not all its levels are numbers", size)
	case notFactor != nil && notResponse != nil:
		return nil, fmt.Errorf("analysis: no factor or response %q to take as a size", size)
	}
	sized := *c
	sized.List = make([]Cell, 0, len(c.List))
	for _, one := range c.List {
		if notFactor == nil {
			one.Size = t.Factors[factor].Levels[one.Levels[factor]].Value
		} else {
			one.Size = one.MeanOf(response)
		}
		if Finite(one.Size) {
			sized.List = append(sized.List, one)
		}
	}
	if len(sized.List) == 0 {
		return nil, t.allFailed(size)
	}
	return &sized, nil
}

// Where returns the configurations that a condition admits.
func (c *Cells) Where(admits func(levels []int) bool) *Cells {
	some := *c
	some.List = slices.DeleteFunc(slices.Clone(c.List), func(one Cell) bool { return !admits(one.Levels) })
	return &some
}

// Find returns the number of the configuration with these levels, or -1.
func (c *Cells) Find(levels []int) int {
	by := func(a Cell, levels []int) int { return slices.Compare(a.Levels, levels) }
	i, ok := slices.BinarySearchFunc(c.List, levels, by)
	if !ok {
		return -1
	}
	return i
}

// StdErr returns the standard error of the mean over k repetitions with the standard
// deviation s, s/sqrt(k); NaN without repetitions.
func (one *Cell) StdErr() float64 {
	if len(one.Rows) < 2 {
		return math.NaN()
	}
	n := float64(len(one.Rows))
	return math.Sqrt(one.Within / (n - 1) / n)
}

// Configuration is a point of a study without its repetition.
type Configuration struct {
	Levels map[string]string `json:"levels"` // by factor, with the unit
	Value  float64           `json:"value"`  // of the objective; the mean over repetitions

	At []int `json:"-"` // the number of the level of each factor
}

// Configuration returns the configuration of some levels, which has that value.
func (c *Cells) Configuration(at []int, value float64) Configuration {
	return Configuration{Levels: c.Table.Levels(at), Value: value, At: slices.Clone(at)}
}

func (c *Cells) configuration(i int) Configuration {
	return c.Configuration(c.List[i].Levels, c.List[i].Mean)
}

// Ranked is a configuration with its place among all.
type Ranked struct {
	*Cell
	// Place is 1 for the best. Configurations that are equally good share a place,
	// and the places after it are left out: 1, 2, 2, 4.
	Place int
	Tied  int // other configurations that are as good
	// WithinNoise is true for the first and for all that may be as good.
	WithinNoise bool
	// Behind is by how much the first is better.
	Behind Contrast
	// Equal is true if the configuration equals the first in every repetition, so that more repetitions cannot tell
	// them apart.
	Equal bool
}

// Rank returns all configurations, the best first. Those with equal means, within a relative 1e-12, are ordered by
// their levels.
func (c *Cells) Rank() []Ranked {
	order := each.Ascending(len(c.List))
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(0, c.Goal.Gain(c.List[b].Mean, c.List[a].Mean))
	})
	ranked := make([]Ranked, 0, len(order))
	best := order[0]
	rivals := c.rivals(best, order)
	tied := func(first, i int) bool { return !c.Goal.Better(c.List[first].Mean, c.List[i].Mean) }
	for same := range chunks(order, tied) {
		slices.Sort(same)
		place := len(ranked) + 1
		for _, i := range same {
			x := c.contrast(&c.List[best], &c.List[i], pairsOf(len(order)))
			equal := i != best && max(math.Abs(x.Gain), x.Half) <= 1e-12*math.Abs(c.List[best].Mean)
			ranked = append(ranked, Ranked{&c.List[i], place, len(same) - 1, i == best || rivals[i], x, equal})
		}
	}
	return ranked
}

// significance is the probability that equally good configurations are told apart in any of a question's comparisons.
const significance = 0.05

// farApart is the ratio of means from which on repetitions are also compared by their ratios. The mean of ratios
// differs from the ratio of means by the noise.
const farApart = 2

// A Contrast says by how much one configuration is better than another. It uses differences within repetitions of the
// same number, so that what the draws of a repetition do to both cancels.
type Contrast struct {
	Gain float64 // mean of the differences
	// Half is half the 95 % interval. It holds for all pairs of the question together, because which pair is told
	// depends on the draws. NaN without two repetitions that both have.
	Half float64
	p    float64 // of Student's t; NaN like Half
}

// pairsOf returns the number of pairs of n configurations, at least 1.
func pairsOf(n int) float64 { return max(1, float64(n)*float64(n-1)/2) }

// contrast compares two of some configurations that have so many pairs. Source: the paired-t confidence interval of
// [Law2015] 10.2.1, with the inequality of Bonferroni for several intervals.
func (c *Cells) contrast(better, worse *Cell, pairs float64) Contrast {
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
	looks := c.looks(len(gains))
	x.Half *= t.Quantile(1 - significance/(2*pairs*looks))
	x.p = min(1, x.p*looks)
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
	pairs, apart := pairsOf(len(among)), true
	for _, i := range among {
		switch x := c.contrast(&c.List[best], &c.List[i], pairs); {
		case i == best:
		case !c.Goal.Better(c.List[best].Mean, c.List[i].Mean):
			rivals[i] = true
		case !math.IsNaN(x.p):
			tests = append(tests, test{i, x.p})
		}
	}
	slices.SortFunc(tests, func(a, b test) int { return cmp.Or(cmp.Compare(a.p, b.p), cmp.Compare(a.of, b.of)) })
	for r, x := range tests {
		if apart = apart && x.p <= significance/(pairs-float64(r)); !apart {
			rivals[x.of] = true
		}
	}
	return rivals
}
