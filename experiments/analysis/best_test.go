package analysis

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

// The printed speedups of case 1 grow along a staircase: of r1 + r2 = r the best is
// r1 = r/2 rounded down, as a look along the diagonals of the table shows.
func TestJinCase1(t *testing.T) {
	table := jinTable1(t)
	g, err := Best(table, "y", Maximize, "size")
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Optima) != 19 || g.Jumps != 0 || g.Count.Configurations != 100 {
		t.Fatalf("%d optima, %d jumps, %+v", len(g.Optima), g.Jumps, g.Count)
	}
	for r, o := range g.Optima {
		kind := Step
		if r == 0 {
			kind = First
		}
		if !slices.Equal(o.Levels, []int{r / 2, r - r/2}) || o.Size != math.Exp2(float64(r)) || o.Move.Kind != kind || o.Tied != 0 || o.Of != min(r, 18-r)+1 {
			t.Errorf("%+v", o)
		}
	}
	for _, per := range []Per{{}, {Log2Size: true}} {
		a, err := Ascend(table, "y", Maximize, "size", per)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Misses) != 0 || a.Visited != 19 {
			t.Errorf("%d sizes, misses %+v", a.Visited, a.Misses)
		}
		for r, s := range a.Steps {
			if !slices.Equal(s.Levels, g.Optima[r].Levels) {
				t.Errorf("step %d: %+v", r, s)
			}
		}
	}
	// The formula has the same path as its print.
	formula, err := Best(jin(fixedWork, fixedWork), "y", Maximize, "size")
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
	g, err := Best(table, "y", Maximize, "size")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(g.Optima[3].Levels, []int{3, 0}) || !slices.Equal(g.Optima[4].Levels, []int{0, 4}) || g.Optima[4].Move != (Move{Jump, -1}) || g.Jumps == 0 {
		t.Errorf("%+v %+v", g.Optima[3], g.Optima[4])
	}
	a, err := Ascend(table, "y", Maximize, "size", Per{})
	if err != nil {
		t.Fatal(err)
	}
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
		closeTo(t, "best", m.BestValue, best)
		closeTo(t, "shortfall", m.Shortfall, best-m.Value)
		closeTo(t, "relative", m.Relative, (best-m.Value)/best)
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
	table := factorial([]Factor{numbers("a", 1, 2), words("b", "x", "y", "z")}, 1,
		listed(10, 8, 5, 8, nan, 5), listed(1, 2, 4, 2, 4, 4))
	g, err := Best(table, "y", Minimize, "size")
	if err != nil {
		t.Fatal(err)
	}
	want := []Optimum{
		{Size: 1, Levels: []int{0, 0}, Value: 10, Of: 1, Move: Move{First, -1}},
		// Both are a step away; the lower levels win. Any other level of b is a step.
		{Size: 2, Levels: []int{0, 1}, Value: 8, Tied: 1, Of: 2, Move: Move{Step, 1}},
		{Size: 4, Levels: []int{0, 2}, Value: 5, Tied: 1, Of: 2, Move: Move{Step, 1}},
	}
	for i := range g.Optima {
		if !math.IsNaN(g.Optima[i].StdErr) || g.Optima[i].Count != 1 || g.Optima[i].WithinNoise != g.Optima[i].Tied {
			t.Errorf("without repetitions %+v", g.Optima[i])
		}
		g.Optima[i].StdErr, g.Optima[i].Count, g.Optima[i].WithinNoise = 0, 0, 0
	}
	if !reflect.DeepEqual(g.Optima, want) {
		t.Errorf("%+v\nwant %+v", g.Optima, want)
	}
	if g.Count != (Count{6, 1, 5, 1}) {
		t.Errorf("%+v", g.Count)
	}
	// The size may be a factor, and larger may be better.
	g, err = Best(table, "y", Maximize, "a")
	if err != nil || len(g.Optima) != 2 || !slices.Equal(g.Optima[0].Levels, []int{0, 0}) || !slices.Equal(g.Optima[1].Levels, []int{1, 0}) {
		t.Errorf("%+v %v", g, err)
	}
	// Levels may stand in the plan in any order: 3, 1, 2 is a step from 1 to 2 only.
	table = factorial([]Factor{numbers("a", 3, 1, 2)}, 1, listed(3, 1, 2))
	g, err = Best(table, "y", Maximize, "a")
	if err != nil || g.Jumps != 0 || !slices.Equal(g.Optima[2].Levels, []int{0}) {
		t.Errorf("%+v %v", g, err)
	}
	// Of ties, one that makes a path: at size 2 both are best, but (1, 1) is a step from
	// (1, 0), and (0, 2) is not.
	table = factorial([]Factor{numbers("a", 0, 1), numbers("b", 0, 1, 2)}, 1,
		listed(nan, nan, 7, 5, 7, nan), listed(0, 0, 2, 1, 2, 0))
	g, err = Best(table, "y", Maximize, "size")
	if err != nil || !slices.Equal(g.Optima[1].Levels, []int{1, 1}) || g.Optima[1].Tied != 1 || g.Optima[1].Move != (Move{Step, 1}) {
		t.Errorf("%+v %v", g, err)
	}
}

// Raising a gains 2 for 4, raising b gains 1 for 1. By gain the walk goes over a, by
// gain per cost over b.
func TestAscendByHand(t *testing.T) {
	//	       b=1        b=2
	//	a=1  0 (0, 1)   1 (1, 2)
	//	a=2  2 (4, 2)   1.5 (5, 4)     response (cost, size)
	table := factorial([]Factor{numbers("a", 1, 2), numbers("b", 1, 2)}, 1, listed(0, 1, 2, 1.5), listed(1, 2, 2, 4), listed(0, 1, 4, 5))
	for _, tt := range []struct {
		per    Per
		middle AscentStep
		misses []Miss
	}{
		{Per{}, AscentStep{[]int{1, 0}, 0, 2, 2, 2, 2}, nil},
		{Per{Response: "cost"}, AscentStep{[]int{0, 1}, 1, 2, 1, 1, 1}, []Miss{{2, []int{0, 1}, []int{1, 0}, 1, 2, 1, 0.5}}},
		{Per{Log2Size: true}, AscentStep{[]int{1, 0}, 0, 2, 2, 2, 2}, nil},
	} {
		a, err := Ascend(table, "y", Maximize, "size", tt.per)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Steps) != 3 || !reflect.DeepEqual(a.Steps[1], tt.middle) || !reflect.DeepEqual(a.Misses, tt.misses) {
			t.Errorf("per %+v: %+v, misses %+v", tt.per, a.Steps, a.Misses)
		}
		// The last step is taken although it may lose.
		if last := a.Steps[2]; last.Value != 1.5 || last.Gain != 1.5-tt.middle.Value {
			t.Errorf("per %+v: %+v", tt.per, last)
		}
	}
	for _, tt := range []struct{ gain, cost, want float64 }{
		{2, 4, 0.5}, {-2, 4, -0.5}, {1, 0, math.Inf(1)}, {1, -1, math.Inf(1)}, {0, 0, 0}, {-1, 0, math.Inf(-1)},
	} {
		if got := rate(tt.gain, tt.cost); got != tt.want {
			t.Errorf("%v for %v is %v, want %v", tt.gain, tt.cost, got, tt.want)
		}
	}
}
