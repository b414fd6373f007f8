package analysis

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
)

// mustAscend walks a table and holds the walk against the best of each size in it.
func mustAscend(t *testing.T, table *studytable.Table, goal studytable.Goal) *Ascent {
	t.Helper()
	g, err := Best(table, "y", goal, "size")
	if err != nil {
		t.Fatal(err)
	}
	a, err := Ascend(table, "y", goal, "size", g)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The printed speedups of case 1 grow along a staircase: of r1 + r2 = r the best is
// r1 = r/2 rounded down, as a look along the diagonals of the table shows.
func TestJinCase1(t *testing.T) {
	table := jinTable1(t)
	g, err := Best(table, "y", studytable.Maximize, "size")
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Optima) != 19 || g.Jumps != 0 {
		t.Fatalf("%d optima, %d jumps", len(g.Optima), g.Jumps)
	}
	for r, o := range g.Optima {
		move := Step
		if r == 0 {
			move = First
		}
		if !slices.Equal(o.Levels, []int{r / 2, r - r/2}) || o.Size != math.Exp2(float64(r)) || o.Move != move || o.Tied != 0 || o.Of != min(r, 18-r)+1 {
			t.Errorf("%+v", o)
		}
	}
	a := mustAscend(t, table, studytable.Maximize)
	if len(a.Steps) != 19 || len(a.Misses) != 0 {
		t.Errorf("%d sizes, misses %+v", len(a.Steps), a.Misses)
	}
	for r, s := range a.Steps {
		if !slices.Equal(s.Levels, g.Optima[r].Levels) {
			t.Errorf("step %d: %+v", r, s)
		}
	}
	// The formula has the same path as its print.
	formula, err := Best(jin(fixedWork, fixedWork), "y", studytable.Maximize, "size")
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range formula.Optima {
		if !slices.Equal(o.Levels, g.Optima[i].Levels) || math.Abs(o.Value-g.Optima[i].Value) > 0.0006 {
			t.Errorf("%+v, printed %+v", o, g.Optima[i])
		}
	}
}

// [Jin] 5.3 of case 3: of 8 nodes (3, 0) is best, of 16 it is (0, 4), which no
// single step reaches.
func TestJinCase3Jumps(t *testing.T) {
	table := jin(fixedWork, func(_, n2 float64) float64 { return 8 * math.Pow(n2, 1.5) })
	g, err := Best(table, "y", studytable.Maximize, "size")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Optima[3].Levels, []int{3, 0}) || !slices.Equal(g.Optima[4].Levels, []int{0, 4}) || g.Optima[4].Move != Jump || g.Jumps == 0 {
		t.Errorf("%+v %+v", g.Optima[3], g.Optima[4])
	}
	a := mustAscend(t, table, studytable.Maximize)
	if len(a.Misses) == 0 || a.Misses[0].Size != 16 || !slices.Equal(a.Misses[0].Best, []int{0, 4}) {
		t.Fatalf("%+v", a.Misses)
	}
	// Each miss by brute force, from the table.
	for _, m := range a.Misses {
		best := math.Inf(-1)
		for _, row := range table.Rows {
			if row.Values[1] == m.Size {
				best = max(best, row.Values[0])
			}
		}
		studytabletest.CloseTo(t, "best", m.BestValue, best)
		studytabletest.CloseTo(t, "shortfall", m.Shortfall, best-m.Value)
		if m.Shortfall <= 0 {
			t.Errorf("%+v", m)
		}
	}
}

func TestBestByHand(t *testing.T) {
	nan := math.NaN()
	// Sizes 1, 2, 4; times, of which less is better.
	//	a\b      x       y       z
	//	1     (1) 10  (2) 8   (4) 5
	//	2     (2) 8   (4) nan (4) 5
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Words("b", "x", "y", "z")}, 1,
		studytabletest.Listed(10, 8, 5, 8, nan, 5), studytabletest.Listed(1, 2, 4, 2, 4, 4))
	g, err := Best(table, "y", studytable.Minimize, "size")
	if err != nil {
		t.Fatal(err)
	}
	want := []Optimum{
		{Size: 1, Levels: []int{0, 0}, Value: 10, StdErr: nan, Of: 1, Move: First},
		// a = 2 is a step, and another level of b, which has no order, none. At size 4
		// z with a = 2 is a switch from there, as is z with a = 1; the lower levels win.
		{Size: 2, Levels: []int{1, 0}, Value: 8, StdErr: nan, Tied: 1, Rivals: [][]int{{0, 1}}, Of: 2, Move: Step},
		{Size: 4, Levels: []int{0, 2}, Value: 5, StdErr: nan, Tied: 1, Rivals: [][]int{{1, 2}}, Of: 2, Move: Switch},
	}
	if d := cmp.Diff(want, g.Optima, cmpopts.EquateNaNs()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	// The size may be a factor, and larger may be better.
	g, err = Best(table, "y", studytable.Maximize, "a")
	if err != nil || len(g.Optima) != 2 || !slices.Equal(g.Optima[0].Levels, []int{0, 0}) || !slices.Equal(g.Optima[1].Levels, []int{1, 0}) {
		t.Errorf("%+v %v", g, err)
	}
	// Levels may stand in the plan in any order: 3, 1, 2 is a step from 1 to 2 only.
	table = studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 3, 1, 2)}, 1, studytabletest.Listed(3, 1, 2))
	g, err = Best(table, "y", studytable.Maximize, "a")
	if err != nil || g.Jumps != 0 || !slices.Equal(g.Optima[2].Levels, []int{0}) {
		t.Errorf("%+v %v", g, err)
	}
	// Of ties, one that makes a path: at size 2 both are best, but (1, 1) is a step from
	// (1, 0), and (0, 2) is not.
	table = studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 0, 1), studytabletest.Numbers("b", 0, 1, 2)}, 1,
		studytabletest.Listed(nan, nan, 7, 5, 7, nan), studytabletest.Listed(0, 0, 2, 1, 2, 0))
	g, err = Best(table, "y", studytable.Maximize, "size")
	if err != nil || !slices.Equal(g.Optima[1].Levels, []int{1, 1}) || g.Optima[1].Tied != 1 || g.Optima[1].Move != Step {
		t.Errorf("%+v %v", g, err)
	}
}

// Raising a gains 2, raising b gains 1: the walk goes over a, and the last step is
// taken although it loses.
func TestAscendByHand(t *testing.T) {
	//	      b=1  b=2
	//	a=1    0    1
	//	a=2    2    1.5    sizes 1, 2, 2, 4
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Numbers("b", 1, 2)}, 1, studytabletest.Listed(0, 1, 2, 1.5), studytabletest.Listed(1, 2, 2, 4))
	want := []AscentStep{{[]int{0, 0}, -1, 1, 0, 0}, {[]int{1, 0}, 0, 2, 2, 2}, {[]int{1, 1}, 1, 4, 1.5, -0.5}}
	if a := mustAscend(t, table, studytable.Maximize); !reflect.DeepEqual(a.Steps, want) || a.Misses != nil {
		t.Errorf("%+v, misses %+v", a.Steps, a.Misses)
	}
}

// A method has no order: raising a and then the method would be better than raising b,
// but no step of growth chooses a method.
func TestAscendRaisesNoFactorWithoutOrder(t *testing.T) {
	//	         b=1  b=2
	//	slow     1    2
	//	fast     9    10   sizes 1, 2, 1, 2
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Words("method", "slow", "fast"), studytabletest.Numbers("b", 1, 2)}, 1, studytabletest.Listed(1, 2, 9, 10), studytabletest.Listed(1, 2, 1, 2))
	want := []AscentStep{{[]int{0, 0}, -1, 1, 1, 0}, {[]int{0, 1}, 1, 2, 2, 1}}
	if a := mustAscend(t, table, studytable.Maximize); !reflect.DeepEqual(a.Steps, want) {
		t.Errorf("%+v", a.Steps)
	}
}

// One step of a numeric factor with another method is a switch; two steps are a jump,
// whatever the method does.
func TestMovesOfFactorsWithoutOrder(t *testing.T) {
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2, 4), studytabletest.Words("method", "u", "v", "w"), studytabletest.Numbers("c", 1, 2)}, 1,
		func([]float64, int) float64 { return 1 }, func([]float64, int) float64 { return 1 })
	moves := movesOf(table)
	for _, tt := range []struct {
		to   []int
		want Move
	}{
		{[]int{1, 0, 0}, Step}, {[]int{0, 2, 0}, Switch}, {[]int{1, 2, 0}, Switch},
		{[]int{2, 0, 0}, Jump}, {[]int{1, 0, 1}, Jump}, {[]int{2, 1, 0}, Jump},
	} {
		if got := moves.between([]int{0, 0, 0}, tt.to); got != tt.want {
			t.Errorf("to %v: %v, want %v", tt.to, got, tt.want)
		}
	}
}
