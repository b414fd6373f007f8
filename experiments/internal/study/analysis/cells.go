package analysis

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"gonum.org/v1/gonum/stat"
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
	case notFactor == nil && !t.Factors[factor].Numeric():
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
			x := c.contrast(&c.List[best], &c.List[i])
			equal := i != best && max(math.Abs(x.Gain), x.Half) <= 1e-12*math.Abs(c.List[best].Mean)
			ranked = append(ranked, Ranked{&c.List[i], place, len(same) - 1, i == best || rivals[i], x, equal})
		}
	}
	return ranked
}
