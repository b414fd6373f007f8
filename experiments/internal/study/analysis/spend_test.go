package analysis

import (
	"math"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
	"pgregory.net/rapid"
)

// From (1,1) raising a gains 4 for 2, raising b gains 3 for 1: b comes first, although
// its gain is smaller. Then a gains 5 for 4. (2,1) is on no frontier but the second: it
// costs 3 and is worth 4, while (1,2) is worth 3 for 2.
func TestSpendByHand(t *testing.T) {
	//	      b=1  b=2
	//	a=1    0    3     costs 1, 2
	//	a=2    4    8     costs 3, 6
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Numbers("b", 1, 2)}, 1, studytabletest.Listed(0, 3, 4, 8), studytabletest.Listed(1, 2, 3, 6))
	s, err := Spend(table, "y", studytable.Maximize, "size")
	if err != nil {
		t.Fatal(err)
	}
	var frontier, walk []float64
	for _, p := range s.Frontier {
		frontier = append(frontier, p.Cost, p.Value)
	}
	for _, p := range s.Walk {
		walk = append(walk, p.Cost, p.Value, float64(p.Factor), p.Gain, p.Added, p.Efficiency)
	}
	if want := []float64{1, 0, 2, 3, 3, 4, 6, 8}; !slices.Equal(frontier, want) {
		t.Errorf("frontier %v, want %v", frontier, want)
	}
	if want := []float64{1, 0, -1, 0, 0, 0, 2, 3, 1, 3, 1, 3, 6, 8, 0, 5, 4, 1.25}; !slices.Equal(walk, want) {
		t.Errorf("walk %v, want %v", walk, want)
	}
	// Budgets 1, 2, 4 and 6: at 4 the walk still has (1,2), worth 3 where (2,1) is worth 4.
	want := []Budget{
		{Amount: 1, FromBest: First}, {Amount: 2, FromBest: Grow}, {Amount: 4, FromBest: Jump, Worse: 1}, {Amount: 6, FromBest: Grow},
	}
	for i, b := range s.Budgets {
		if b.Amount != want[i].Amount || b.FromBest != want[i].FromBest || b.Worse != want[i].Worse {
			t.Errorf("%+v, want %+v", b, want[i])
		}
	}
	if len(s.Budgets) != len(want) {
		t.Errorf("%d budgets", len(s.Budgets))
	}
}

// A step that costs nothing comes first if it gains, and last if it does not.
func TestSpendWithoutCost(t *testing.T) {
	for _, tt := range []struct {
		gain  float64
		order []int
	}{{0.1, []int{-1, 0, 1}}, {-0.1, []int{-1, 1, 0}}, {0, []int{-1, 1, 0}}} {
		table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Numbers("b", 1, 2)}, 1, studytabletest.Listed(0, 9, tt.gain, 9+tt.gain), studytabletest.Listed(1, 2, 1, 2))
		s, err := Spend(table, "y", studytable.Maximize, "size")
		if err != nil {
			t.Fatal(err)
		}
		var order []int
		for _, p := range s.Walk {
			order = append(order, p.Factor)
		}
		if !slices.Equal(order, tt.order) {
			t.Errorf("gain %g: factors %v, want %v", tt.gain, order, tt.order)
		}
	}
}

// Levels 1, 2 and 4 are powers of two: their steps are doublings, of one unit each.
// Levels 1, 3 and 4 are not: the first step is two units.
func TestScalabilityOfUpdates(t *testing.T) {
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2, 4), studytabletest.Numbers("b", 1, 3, 4)}, 1, studytabletest.Listed(0, 6, 7, 5, 0, 0, 9, 0, 0), studytabletest.Listed(0, 0, 0, 0, 0, 0, 0, 0, 0))
	all, err := Updates(table, "y", studytable.Maximize, "", [][]int{{0, 0}, {1, 0}, {2, 2}})
	if err != nil {
		t.Fatal(err)
	}
	var got [][]float64
	for _, steps := range all {
		var row []float64
		for _, u := range steps {
			row = append(row, float64(u.Factor), u.Gain, u.Change, u.Scalability())
		}
		got = append(got, row)
	}
	for i, want := range [][]float64{{0, 5, 1, 5, 1, 6, 2, 3}, {0, 4, 1, 4, 1, -5, 2, -2.5}, nil} {
		if !slices.Equal(got[i], want) {
			t.Errorf("%v, want %v", got[i], want)
		}
	}
	// By scalability a is better from (1,1), by gain alone b would be.
	if u, ok := BestUpdate(all[0], false); !ok || u.Factor != 0 {
		t.Errorf("%+v", u)
	}
	if _, ok := BestUpdate(all[2], false); ok {
		t.Error("there is no step from the largest")
	}
}

// On random tables the frontier is what a look at all pairs finds, and the walk is
// never better than it. Prices that are the same for every step give the walk of
// steepest ascent.
func TestSpendProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0, 3), rapid.SampledFrom([]float64{1, 2, math.NaN()}))
		cost := rapid.OneOf(rapid.Float64Range(0.5, 9), rapid.SampledFrom([]float64{1, 2}))
		goal := rapid.SampledFrom([]studytable.Goal{studytable.Maximize, studytable.Minimize}).Draw(t, "goal")
		alike := rapid.Bool().Draw(t, "alike")
		table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 0, 1, 2), studytabletest.Numbers("b", 2, 0, 1), studytabletest.Words("c", "u", "v")}, 1,
			func([]float64, int) float64 { return value.Draw(t, "y") },
			func(x []float64, _ int) float64 {
				if alike {
					return 5 * (x[0] + x[1])
				}
				return cost.Draw(t, "cost")
			})
		table.Rows[0].Values[0] = 1
		s, err := Spend(table, "y", goal, "size")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Frontier {
			for _, row := range table.Rows {
				if y, c := row.Values[0], row.Values[1]; !math.IsNaN(y) && c <= p.Cost && goal.Better(y, p.Value) {
					t.Fatalf("%+v is on the frontier, but %+v is better", p, row)
				}
			}
		}
		for _, row := range table.Rows {
			y, c := row.Values[0], row.Values[1]
			reached := func(p Priced) bool { return p.Cost <= c*(1+1e-9) && !goal.Better(y, p.Value) }
			if !math.IsNaN(y) && !slices.ContainsFunc(s.Frontier, reached) {
				t.Fatalf("%+v is beyond the frontier", row)
			}
		}
		for _, b := range s.Budgets {
			if goal.Better(b.Walk.Value, b.Best.Value) && b.Walk.Cost <= b.Amount || b.Worse < 0 {
				t.Fatalf("%+v", b)
			}
		}
		if !alike {
			return
		}
		a, err := Ascend(table, "y", goal, "size", &Growth{})
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range a.Steps {
			if !slices.Equal(step.Levels, s.Walk[i].Levels) || step.Gain != s.Walk[i].Gain {
				t.Fatalf("step %d is %+v by gain, %+v by gain for cost", i, step, s.Walk[i])
			}
		}
	})
}
