package analysis

import (
	"fmt"
	"math"
	"slices"
)

// Ascent is a walk of steepest ascent, with the sizes at which it misses the
// optimum.
type Ascent struct {
	Steps []AscentStep // the first is the start
	// Misses are the sizes at which the walk is worse than the best configuration
	// of that size, in ascending order.
	Misses  []Miss
	Visited int // number of sizes that the walk visited
	Count   Count
}

// An AscentStep is a configuration of the walk.
type AscentStep struct {
	Levels []int
	Factor int     // that was raised to come here; -1 at the start
	Size   float64 // in the unit of the size
	Value  float64 // of the response
	// Gain is how much better the response is than a step before, in its unit:
	// negative for a loss, 0 at the start.
	Gain float64
	// Rate is Gain, or Gain per cost if there is one. The walk takes the step with
	// the largest Rate. +Inf for a gain without cost, -Inf for a loss without cost.
	Rate float64
}

// A Miss is a size at which the walk is worse than it could be.
type Miss struct {
	Size      float64
	Walk      []int // the best configuration of this size on the walk
	Best      []int
	Value     float64 // of the response on the walk
	BestValue float64
	Shortfall float64 // by how much the walk is worse, in the unit of the response, > 0
	Relative  float64 // Shortfall/|BestValue|
}

// Per is what the gain of a step is divided by.
type Per struct {
	// Response is the name of a response or of a numeric factor that is the cost of
	// a configuration; a step costs the difference. Empty for none.
	Response string
	// Log2Size divides by the growth in log2 of the size, which must be positive.
	Log2Size bool
}

// Ascend walks from the smallest configuration, always raising by one level the one
// factor by which the response gains most, or gains most per cost, until none can be
// raised. It continues if even the best step is a loss, because the walk is
// compared at every size; the Gain of such a step is negative. Then it compares the
// walk with [Best].
//
// The smallest configuration has all factors at their lowest level, or if that is
// not in the table the smallest size, and of those the lowest levels. Levels of a
// factor that is not numeric are raised in the order of the plan; use [Table.Fix] to
// hold such a factor. A step into a configuration that is missing or failed is not
// taken. Among equally good steps, that of the first factor is taken.
//
// Source: [Jin] 3.3 for the efficiency of an update, gain/cost, and 5.3 for what
// steepest ascent misses. Deviations: any number of factors, any grid.
func Ascend(t *Table, response string, goal Goal, size string, per Per) (*Ascent, error) {
	if per.Response != "" && per.Log2Size {
		return nil, fmt.Errorf("analysis: a gain can be per %s or per log2 of the size; expected one of them", per.Response)
	}
	growth, err := Best(t, response, goal, size)
	if err != nil {
		return nil, err
	}
	c, err := t.sized(response, size)
	if err != nil {
		return nil, err
	}
	cost := func(int) float64 { return 0 }
	switch {
	case per.Log2Size:
		if i := slices.IndexFunc(c.list, func(a cell) bool { return a.other <= 0 }); i >= 0 {
			return nil, fmt.Errorf("analysis: the size of %s is %g; expected more than 0 for its log2", t.Describe(c.list[i].levels), c.list[i].other)
		}
		cost = func(i int) float64 { return math.Log2(c.list[i].other) }
	case per.Response != "":
		priced, err := t.sized(response, per.Response)
		if err != nil {
			return nil, err
		}
		cost = func(i int) float64 {
			if k := priced.find(c.list[i].levels); k >= 0 {
				return priced.list[k].other
			}
			return math.NaN()
		}
	}

	a := &Ascent{Count: c.count}
	here := c.smallest()
	a.Steps = []AscentStep{{Levels: slices.Clone(c.list[here].levels), Factor: -1, Size: c.list[here].other, Value: c.list[here].mean}}
	orders, ranks := make([][]int, len(t.Factors)), make([][]int, len(t.Factors))
	for k := range t.Factors {
		orders[k], ranks[k] = t.Factors[k].order(), t.Factors[k].ranks()
	}
	for {
		best := AscentStep{Factor: -1}
		var to int
		for k := range t.Factors {
			levels := slices.Clone(c.list[here].levels)
			up := ranks[k][levels[k]] + 1
			if up == len(orders[k]) {
				continue
			}
			levels[k] = orders[k][up]
			i := c.find(levels)
			if i < 0 {
				continue
			}
			next := AscentStep{Levels: levels, Factor: k, Size: c.list[i].other, Value: c.list[i].mean, Gain: goal.gain(c.list[here].mean, c.list[i].mean)}
			next.Rate = next.Gain
			if per != (Per{}) {
				next.Rate = rate(next.Gain, cost(i)-cost(here))
			}
			if math.IsNaN(next.Rate) { // no cost is known
				continue
			}
			if best.Factor < 0 || next.Rate > best.Rate || next.Rate == best.Rate && next.Gain > best.Gain {
				best, to = next, i
			}
		}
		if best.Factor < 0 {
			break
		}
		a.Steps = append(a.Steps, best)
		here = to
	}
	a.Against(growth, goal)
	return a, nil
}

// rate is gain per cost: +Inf for a gain at no cost or at a saving, -Inf for a loss
// at no cost.
func rate(gain, cost float64) float64 {
	switch {
	case cost > 0 || math.IsNaN(cost):
		return gain / cost
	case gain > 0:
		return math.Inf(1)
	case gain < 0:
		return math.Inf(-1)
	}
	return 0
}

// smallest returns the number of the configuration from which to start.
func (c *cells) smallest() int {
	lowest := make([]int, len(c.table.Factors))
	for k := range lowest {
		lowest[k] = c.table.Factors[k].order()[0]
	}
	if i := c.find(lowest); i >= 0 {
		return i
	}
	return c.bySize()[0][0]
}

// Against repeats the comparison with the growth of another table, such as the full
// table if the walk used a part of it.
func (a *Ascent) Against(growth *Growth, goal Goal) {
	a.Misses, a.Visited = nil, 0
	for _, o := range growth.Optima {
		var best *AscentStep
		for i := range a.Steps {
			s := &a.Steps[i]
			if math.Abs(s.Size-o.Size) > sameSize*math.Max(math.Abs(s.Size), math.Abs(o.Size)) {
				continue
			}
			if best == nil || goal.better(s.Value, best.Value) {
				best = s
			}
		}
		if best == nil {
			continue
		}
		a.Visited++
		if goal.better(o.Value, best.Value) {
			shortfall := goal.gain(best.Value, o.Value)
			a.Misses = append(a.Misses, Miss{
				Size: o.Size, Walk: best.Levels, Best: o.Levels, Value: best.Value, BestValue: o.Value,
				Shortfall: shortfall, Relative: shortfall / math.Abs(o.Value),
			})
		}
	}
}
