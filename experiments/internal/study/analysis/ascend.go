package analysis

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// Ascent is a walk of steepest ascent, with the sizes at which it misses the
// optimum.
type Ascent struct {
	Steps []AscentStep // the first is the start
	// Misses are the sizes at which the walk is worse than the best configuration
	// of that size, in ascending order.
	Misses []Miss
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
}

// A Miss is a size at which the walk is worse than it could be.
type Miss struct {
	Size      float64
	Walk      []int // the best configuration of this size on the walk
	Best      []int
	Value     float64 // of the response on the walk
	BestValue float64
	Shortfall float64 // by how much the walk is worse, in the unit of the response, > 0
}

// Ascend walks from the smallest configuration, always raising by one level the one
// factor by which the response gains most, until none can be raised. It continues
// if even the best step is a loss, because the walk is compared at every size; the
// Gain of such a step is negative. Then it compares the walk with growth, which
// [Best] found in the same table or in one of which this is a part.
//
// The smallest configuration has all factors at their lowest level, or if that is
// not in the table the smallest size, and of those the lowest levels. A factor that is
// not numeric has no order, so no step raises it; use [studytable.Table.Fix] to hold it at another
// level than its first. A step into a configuration that is missing or failed is not
// taken. Among equally good steps, that of the first factor is taken.
//
// Source: [Jin] 5.3 for what steepest ascent misses. Deviations: any number of
// factors, any grid.
func Ascend(t *studytable.Table, response string, goal studytable.Goal, size string, growth *Growth) (*Ascent, error) {
	c, err := sized(t, response, size)
	if err != nil {
		return nil, err
	}
	a := &Ascent{}
	here := smallestOf(c)
	a.Steps = []AscentStep{{Levels: slices.Clone(c.List[here].Levels), Factor: -1, Size: c.List[here].Other, Value: c.List[here].Mean}}
	raised := raisesOf(c)
	for {
		best := AscentStep{Factor: -1}
		var to int
		raised(here, func(k, i int) {
			next := AscentStep{Levels: c.List[i].Levels, Factor: k, Size: c.List[i].Other, Value: c.List[i].Mean, Gain: goal.Gain(c.List[here].Mean, c.List[i].Mean)}
			if best.Factor < 0 || next.Gain > best.Gain {
				best, to = next, i
			}
		})
		if best.Factor < 0 {
			break
		}
		best.Levels = slices.Clone(best.Levels)
		a.Steps = append(a.Steps, best)
		here = to
	}
	a.against(growth, goal)
	return a, nil
}

// raisesOf returns a function that visits the configurations to which a system can grow
// in a step: one numeric factor is at its next level. It gives the factor and the
// number of the configuration.
func raisesOf(c *studytable.Cells) func(from int, visit func(factor, to int)) {
	factors := c.Table.Factors
	orders, ranks := make([][]int, len(factors)), make([][]int, len(factors))
	for k := range factors {
		if factors[k].Numeric() {
			orders[k], ranks[k] = factors[k].Order(), factors[k].Ranks()
		}
	}
	return func(from int, visit func(factor, to int)) {
		levels := slices.Clone(c.List[from].Levels)
		for k, here := range levels {
			if orders[k] == nil || ranks[k][here]+1 == len(orders[k]) {
				continue
			}
			levels[k] = orders[k][ranks[k][here]+1]
			if i := c.Find(levels); i >= 0 {
				visit(k, i)
			}
			levels[k] = here
		}
	}
}

// smallestOf returns the number of the configuration from which to start.
func smallestOf(c *studytable.Cells) int {
	lowest := make([]int, len(c.Table.Factors))
	for k := range lowest {
		lowest[k] = c.Table.Factors[k].Order()[0]
	}
	if i := c.Find(lowest); i >= 0 {
		return i
	}
	return bySize(c)[0][0]
}

// against finds the sizes of the walk at which another configuration is better.
func (a *Ascent) against(growth *Growth, goal studytable.Goal) {
	for _, o := range growth.Optima {
		var best *AscentStep
		for i := range a.Steps {
			s := &a.Steps[i]
			if math.Abs(s.Size-o.Size) > sameSize*math.Max(math.Abs(s.Size), math.Abs(o.Size)) {
				continue
			}
			if best == nil || goal.Better(s.Value, best.Value) {
				best = s
			}
		}
		if best != nil && goal.Better(o.Value, best.Value) {
			a.Misses = append(a.Misses, Miss{
				Size: o.Size, Walk: best.Levels, Best: o.Levels, Value: best.Value, BestValue: o.Value,
				Shortfall: goal.Gain(best.Value, o.Value),
			})
		}
	}
}
