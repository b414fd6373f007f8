package analysis_test

import (
	"math"
	"slices"
	"testing"

	. "github.com/isoscale/isoscale/experiments/internal/study/analysis"
	kit "github.com/isoscale/isoscale/experiments/internal/study/analysis/analysistest"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

// From (1,1) raising a gains 4 at a cost of 2, raising b gains 3 at 1: b comes first, although its gain is smaller.
// Then a gains 5 for 4. (2,1) is on the frontier but not on the walk: it costs 3 and is worth 4, while (1,2) is worth 3
// for 2.
func TestSpendByHand(t *testing.T) {
	//	      b=1  b=2
	//	a=1    0    3     costs 1, 2
	//	a=2    4    8     costs 3, 6
	table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2), kit.Numbers("b", 1, 2)}, 1, kit.Listed(0, 3, 4, 8), kit.Listed(1, 2, 3, 6))
	s := sized(t, table, Maximize, "size").Spend()
	var frontier, walk []float64
	for _, p := range s.Frontier {
		frontier = append(frontier, p.Cost, p.Value)
	}
	for _, p := range s.Walk {
		walk = append(walk, p.Cost, p.Value)
		if u := p.Update; u != nil {
			walk = append(walk, float64(u.Factor), u.Gain, float64(u.Added), float64(u.Efficiency))
		}
	}
	expect.List(t, frontier, []float64{1, 0, 2, 3, 3, 4, 6, 8}, "frontier")
	expect.List(t, walk, []float64{1, 0, 2, 3, 1, 3, 1, 3, 6, 8, 0, 5, 4, 1.25}, "walk")
	// Budgets 1, 2, 4 and 6: at 4 the walk still has (1,2), worth 3, where (2,1) is worth 4.
	want := []Budget{
		{Amount: 1, Move: First}, {Amount: 2, Move: Grow}, {Amount: 4, Move: Jump, Shortfall: Shortfall{By: 1}}, {Amount: 6, Move: Grow},
	}
	for i, b := range s.Budgets {
		expect.That(t, b.Amount == want[i].Amount && b.Move == want[i].Move && b.By == want[i].By,
			"%+v, want %+v", b, want[i])
	}
	expect.That(t, len(s.Budgets) == len(want), "%d budgets", len(s.Budgets))
}

// A step that costs nothing comes first if it gains, and last if it does not.
func TestSpendWithoutCost(t *testing.T) {
	for _, tt := range []struct {
		gain  float64
		order []int
	}{{0.1, []int{0, 1}}, {-0.1, []int{1, 0}}, {0, []int{1, 0}}} {
		table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2), kit.Numbers("b", 1, 2)}, 1, kit.Listed(0, 9, tt.gain, 9+tt.gain), kit.Listed(1, 2, 1, 2))
		var order []int
		for _, p := range sized(t, table, Maximize, "size").Spend().Walk[1:] {
			order = append(order, p.Update.Factor)
		}
		expect.That(t, slices.Equal(order, tt.order), "gain %g: factors %v, want %v", tt.gain, order, tt.order)
	}
}

// Levels 1, 2 and 4 are powers of two: their steps are doublings, of one unit each.
// Levels 1, 3 and 4 are not: the first step is two units.
func TestScalabilityOfUpdates(t *testing.T) {
	table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2, 4), kit.Numbers("b", 1, 3, 4)}, 1, kit.Listed(0, 6, 7, 5, 0, 0, 9, 0, 0), kit.Listed(0, 0, 0, 0, 0, 0, 0, 0, 0))
	c := sized(t, table, Maximize, "size")
	for i, want := range [][]float64{{0, 5, 5, 1, 6, 3}, {0, 4, 4, 1, -5, -2.5}, nil} {
		var got []float64
		for _, u := range c.Updates([][]int{{0, 0}, {1, 0}, {2, 2}}[i]) {
			got = append(got, float64(u.Factor), u.Gain, u.Scalability)
		}
		expect.That(t, slices.Equal(got, want), "%v, want %v", got, want)
	}
	// From (1,1) a is better by scalability, b by gain alone.
	u, ok := BestUpdate(c.Updates([]int{0, 0}), ByScalability)
	expect.That(t, ok && u.Factor == 0, "%+v", u)
	_, ok = BestUpdate(c.Updates([]int{2, 2}), ByScalability)
	expect.That(t, !ok, "there is no step from the largest")
}

// 10.05 s instead of 10 s is 0.5 %, 12 s instead of 10 s 20 %, and a logarithm to the
// base 2 of 3 instead of 4 half the speedup: 50 %.
func TestShortfallInPerCent(t *testing.T) {
	for _, tt := range []struct {
		walk, best, want float64 // NaN: none
		goal             Goal
		linear           func(float64) float64
	}{
		{10.05, 10, 0.5, Minimize, nil}, {12, 10, 20, Minimize, nil}, {3, 4, 50, Maximize, math.Exp2}, {0, 1, 50, Maximize, math.Exp2},
		{-1, 10, math.NaN(), Maximize, nil}, {0, 1, math.NaN(), Maximize, nil},
	} {
		// A change of a word is no step, so the walk has only the first.
		one := func([]float64, int) float64 { return 1 }
		c := sized(t, kit.Factorial([]Factor{kit.Words("a", "walked", "best")}, 1, kit.Listed(tt.walk, tt.best), one), tt.goal, "size")
		c.Linear = tt.linear
		misses := c.Ascend(c.Growth()).Misses
		got := misses[0].Percent
		expect.That(t, got.Exists() != math.IsNaN(tt.want) && (!got.Exists() || math.Abs(float64(got)-tt.want) <= 1e-9),
			"%g instead of %g: %v, want %g %%", tt.walk, tt.best, got, tt.want)
	}
}

// On random tables the frontier equals that found by comparing all pairs, and the walk is never better. With equal
// prices for all steps the walk is that of steepest ascent.
func TestSpendProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0, 3), rapid.SampledFrom([]float64{1, 2, math.NaN()}))
		cost := rapid.OneOf(rapid.Float64Range(0.5, 9), rapid.SampledFrom([]float64{1, 2}))
		goal := rapid.SampledFrom([]Goal{Maximize, Minimize}).Draw(t, "goal")
		alike := rapid.Bool().Draw(t, "alike")
		table := kit.Factorial([]Factor{kit.Numbers("a", 0, 1, 2), kit.Numbers("b", 2, 0, 1), kit.Words("c", "u", "v")}, 1,
			func([]float64, int) float64 { return value.Draw(t, "y") },
			func(x []float64, _ int) float64 {
				if alike {
					return 5 * (x[0] + x[1])
				}
				return cost.Draw(t, "cost")
			})
		table.Rows[0].Values[0] = 1
		cells := sized(t, table, goal, "size")
		s := cells.Spend()
		for _, p := range s.Frontier {
			for _, row := range table.Rows {
				y, c := row.Values[0], row.Values[1]
				expect.Need(t, math.IsNaN(y) || c > p.Cost || !goal.Better(y, p.Value), "%+v is on the frontier, but %+v is better", p, row)
			}
		}
		for _, row := range table.Rows {
			y, c := row.Values[0], row.Values[1]
			reached := func(p Priced) bool { return p.Cost <= c*(1+1e-9) && !goal.Better(y, p.Value) }
			expect.Need(t, math.IsNaN(y) || slices.ContainsFunc(s.Frontier, reached), "%+v is beyond the frontier", row)
		}
		for _, b := range s.Budgets {
			expect.Need(t, (!goal.Better(b.Walk.Value, b.Best.Value) || b.Walk.Cost > b.Amount) && b.By >= 0, "%+v", b)
		}
		if !alike {
			return
		}
		for i, step := range cells.Ascend(&Growth{}).Steps {
			expect.Need(t, slices.Equal(step.At, s.Walk[i].At) && (i <= 0 || step.Gain == s.Walk[i].Update.Gain),
				"step %d is %+v by gain, %+v by gain for cost", i, step, s.Walk[i])
		}
	})
}
