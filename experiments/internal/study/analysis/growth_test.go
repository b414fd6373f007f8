package analysis_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	. "github.com/isoscale/isoscale/experiments/internal/study/analysis"
	kit "github.com/isoscale/isoscale/experiments/internal/study/analysis/analysistest"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

// The printed speedups of case 1 grow along a staircase: among r1 + r2 = r the best has r1 = r/2 rounded down, as the
// diagonals of the table show.
func TestJinCase1(t *testing.T) {
	c := sized(t, jinTable1(t), Maximize, "size")
	g := c.Growth()
	expect.Need(t, len(g.Optima) == 19 && g.Jumps == 0, "%d optima, %d jumps", len(g.Optima), g.Jumps)
	for r, o := range g.Optima {
		move := Step
		if r == 0 {
			move = First
		}
		expect.That(t, slices.Equal(o.At, []int{r / 2, r - r/2}) && o.Size == math.Exp2(float64(r)) &&
			o.Move == move && o.Tied == 0 && o.Of == min(r, 18-r)+1,
			"%+v", o)
	}
	a := c.Ascend(g)
	expect.That(t, len(a.Steps) == 19 && len(a.Misses) == 0, "%d sizes, misses %+v", len(a.Steps), a.Misses)
	for r, s := range a.Steps {
		expect.That(t, slices.Equal(s.At, g.Optima[r].At), "step %d: %+v", r, s)
	}
	// The formula has the same path as its print.
	for i, o := range sized(t, jin(fixedWork, fixedWork), Maximize, "size").Growth().Optima {
		expect.That(t, slices.Equal(o.At, g.Optima[i].At) && math.Abs(o.Value-g.Optima[i].Value) <= 0.0006,
			"%+v, printed %+v", o, g.Optima[i])
	}
}

// [Jin] 5.3 about case 3: for 8 nodes (3, 0) is best, for 16 it is (0, 4), which no single step reaches.
func TestJinCase3Jumps(t *testing.T) {
	table := jin(fixedWork, func(_, n2 float64) float64 { return 8 * math.Pow(n2, 1.5) })
	c := sized(t, table, Maximize, "size")
	g := c.Growth()
	expect.That(t, slices.Equal(g.Optima[3].At, []int{3, 0}) && slices.Equal(g.Optima[4].At, []int{0, 4}) &&
		g.Optima[4].Move == Jump && g.Jumps != 0,
		"%+v %+v", g.Optima[3], g.Optima[4])
	a := c.Ascend(g)
	expect.Need(t, len(a.Misses) != 0 && a.Misses[0].Size == 16 && slices.Equal(a.Misses[0].Best.At, []int{0, 4}),
		"%+v", a.Misses)
	// Each miss by brute force, from the table.
	for _, m := range a.Misses {
		best := math.Inf(-1)
		for _, row := range table.Rows {
			if row.Values[1] == m.Size {
				best = max(best, row.Values[0])
			}
		}
		expect.Near(t, m.Best.Value, best, 1e-9, "best")
		expect.Near(t, m.By, best-m.Walk.Value, 1e-9, "shortfall")
		expect.Near(t, float64(m.Percent), 100*(best-m.Walk.Value)/best, 1e-9, "shortfall in per cent")
		expect.That(t, m.By > 0, "%+v", m)
	}
}

// alike treats an absent standard error as 0.
var alike = cmp.Comparer(func(a, b Number) bool { return a == b || !a.Exists() && b == 0 || a == 0 && !b.Exists() })

func TestBestByHand(t *testing.T) {
	nan := math.NaN()
	// Sizes 1, 2, 4; times, of which less is better.
	//	a\b      x       y       z
	//	1     (1) 10  (2) 8   (4) 5
	//	2     (2) 8   (4) nan (4) 5
	table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2), kit.Words("b", "x", "y", "z")}, 1,
		kit.Listed(10, 8, 5, 8, nan, 5), kit.Listed(1, 2, 4, 2, 4, 4))
	c := sized(t, table, Minimize, "size")
	want := []Optimum{
		{Configuration: c.Configuration([]int{0, 0}, 10), Size: 1, Of: 1, Move: First},
		// a = 2 is a step; another level of b, which has no order, is none. At size 4, z with a = 2 is a switch from
		// there, and so is z with a = 1; the lower levels win.
		{Configuration: c.Configuration([]int{1, 0}, 8), Size: 2, Tied: 1, WithinNoise: 1, Rivals: [][]int{{0, 1}}, Of: 2, Move: Step},
		{Configuration: c.Configuration([]int{0, 2}, 5), Size: 4, Tied: 1, WithinNoise: 1, Rivals: [][]int{{1, 2}}, Of: 2, Move: Switch},
	}
	expect.Equal(t, cmp.Diff(want, c.Growth().Optima, alike), "", "difference from the optima")
	// The size may be a factor, and larger may be better.
	g := sized(t, table, Maximize, "a").Growth()
	expect.That(t, len(g.Optima) == 2 && slices.Equal(g.Optima[0].At, []int{0, 0}) &&
		slices.Equal(g.Optima[1].At, []int{1, 0}),
		"%+v", g)
	// Levels may be in any order in the plan: 3, 1, 2 give a path of steps.
	table = kit.Factorial([]Factor{kit.Numbers("a", 3, 1, 2)}, 1, kit.Listed(3, 1, 2))
	g = sized(t, table, Maximize, "a").Growth()
	expect.That(t, g.Jumps == 0 && slices.Equal(g.Optima[2].At, []int{0}), "%+v", g)
	// Among ties, one that makes a path: at size 2 both are best, but only (1, 1) is a step from (1, 0).
	table = kit.Factorial([]Factor{kit.Numbers("a", 0, 1), kit.Numbers("b", 0, 1, 2)}, 1,
		kit.Listed(nan, nan, 7, 5, 7, nan), kit.Listed(0, 0, 2, 1, 2, 0))
	g = sized(t, table, Maximize, "size").Growth()
	expect.That(t, slices.Equal(g.Optima[1].At, []int{1, 1}) && g.Optima[1].Tied == 1 && g.Optima[1].Move == Step,
		"%+v", g)
}

// Steps of the steepest ascent, by hand.
func TestAscendByHand(t *testing.T) {
	b := kit.Numbers("b", 1, 2)
	for name, tt := range map[string]struct {
		first        Factor
		values, size []float64
		want         []float64 // factor, size, value, gain of each step
	}{
		// Raising a gains 2, raising b gains 1: the walk raises a first, and takes the last step although it loses.
		//	      b=1  b=2
		//	a=1    0    1
		//	a=2    2    1.5    sizes 1, 2, 2, 4
		"a loss": {kit.Numbers("a", 1, 2), []float64{0, 1, 2, 1.5}, []float64{1, 2, 2, 4}, []float64{0, 1, 0, 0, 1, 2, 2, 2, 2, 4, 1.5, -0.5}},
		// A method has no order: raising a and then the method would be better than raising b,
		// but no step of growth chooses a method.
		//	         b=1  b=2
		//	slow     1    2
		//	fast     9    10   sizes 1, 2, 1, 2
		"without order": {kit.Words("method", "slow", "fast"), []float64{1, 2, 9, 10}, []float64{1, 2, 1, 2}, []float64{0, 1, 1, 0, 2, 2, 2, 1}},
	} {
		c := sized(t, kit.Factorial([]Factor{tt.first, b}, 1, kit.Listed(tt.values...), kit.Listed(tt.size...)), Maximize, "size")
		var got []float64
		a := c.Ascend(c.Growth())
		for _, s := range a.Steps {
			raised := slices.Index([]string{"", "a", "b"}, s.Raised)
			got = append(got, float64(raised), s.Size, s.Value, s.Gain)
		}
		expect.That(t, slices.Equal(got, tt.want) && (name != "a loss" || len(a.Misses) <= 0),
			"%s: %v, want %v; misses %+v", name, got, tt.want, a.Misses)
	}
}

// One step of a numeric factor with another method is a switch; two steps are a jump, whatever the method. On the way
// up to a size, raising several levels at once is growth, another word a switch, lowering a jump.
func TestMoves(t *testing.T) {
	one := func([]float64, int) float64 { return 1 }
	c := sized(t, kit.Factorial([]Factor{kit.Numbers("a", 4, 1, 2), kit.Words("b", "u", "v", "w"), kit.Numbers("c", 1, 2, 3)}, 1, one, one), Maximize, "size")
	for _, tt := range []struct {
		from, to         []int
		between, upwards Move
	}{ // the levels of a are 1, 2, 0 in ascending order
		{[]int{1, 0, 0}, []int{2, 0, 0}, Step, Grow},
		{[]int{1, 0, 0}, []int{1, 2, 0}, Switch, Switch},
		{[]int{1, 0, 0}, []int{2, 2, 0}, Switch, Switch},
		{[]int{1, 0, 0}, []int{0, 0, 0}, Jump, Grow},
		{[]int{1, 0, 0}, []int{2, 0, 1}, Jump, Grow},
		{[]int{1, 0, 0}, []int{0, 1, 2}, Jump, Switch},
		{[]int{0, 0, 0}, []int{2, 0, 0}, Step, Jump},
		{[]int{0, 0, 0}, []int{2, 1, 2}, Jump, Jump},
	} {
		between, upwards := Between(c, tt.from, tt.to), Upwards(c, tt.from, tt.to)
		expect.That(t, between == tt.between && upwards == tt.upwards,
			"from %v to %v: %v and %v, want %v and %v", tt.from, tt.to, between, upwards, tt.between, tt.upwards)
	}
	expect.Equal(t, Upwards(c, []int{1, 0, 0}, []int{1, 0, 0}), Stay, "move to the same configuration")
}

// The path through ties has the fewest jumps of all choices, and among equals the lowest levels: checked by trying all.
func TestFewestJumps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]float64{1, 1, 1, 2, math.NaN()})
		size := rapid.IntRange(1, rapid.IntRange(2, 6).Draw(t, "sizes"))
		table := kit.Factorial([]Factor{kit.Numbers("a", 3, 1, 2, 4), kit.Words("b", "u", "v"), kit.Numbers("c", 1, 2)}, 1,
			func([]float64, int) float64 { return value.Draw(t, "y") }, func([]float64, int) float64 { return float64(size.Draw(t, "size")) })
		table.Rows[0].Values[0] = 1
		c := sized(t, table, Maximize, "size")
		g := c.Growth()
		var sets [][][]int // levels of those that are best, by size
		for _, o := range g.Optima {
			var set [][]int
			best := math.Inf(-1)
			for _, row := range table.Rows {
				if row.Values[1] != o.Size || math.IsNaN(row.Values[0]) {
					continue
				}
				if row.Values[0] > best {
					best, set = row.Values[0], nil
				}
				if row.Values[0] == best {
					set = append(set, row.Levels)
				}
			}
			expect.Need(t, o.Value == best && o.Tied == len(set)-1, "%+v, want %v of %v", o, best, set)
			sets = append(sets, set)
		}
		// Rows are ordered by levels, so the first choice found is the lowest.
		fewest := math.MaxInt
		var chosen, path [][]int
		var try func(jumps int)
		try = func(jumps int) {
			if jumps >= fewest {
				return
			}
			if len(path) == len(sets) {
				fewest, chosen = jumps, slices.Clone(path)
				return
			}
			for _, levels := range sets[len(path)] {
				more := jumps
				if n := len(path); n > 0 && Between(c, path[n-1], levels) != Step {
					more++
				}
				path = append(path, levels)
				try(more)
				path = path[:len(path)-1]
			}
		}
		try(0)
		expect.Need(t, g.Jumps+g.Switches == fewest, "%d jumps and %d switches, want %d", g.Jumps, g.Switches, fewest)
		for i, o := range g.Optima {
			expect.Need(t, slices.Equal(o.At, chosen[i]), "%v of size %v, want %v", o.At, o.Size, chosen[i])
		}
	})
}

// Large sets of ties are searched by their steps, with the same answer as going through all.
func TestReached(t *testing.T) {
	table := kit.Factorial([]Factor{kit.Numbers("a", kit.Linspace(1, 9, 9)...), kit.Words("b", "u", "v", "w"), kit.Numbers("c", kit.Linspace(1, 9, 9)...)}, 1,
		func([]float64, int) float64 { return 1 }, func(x []float64, _ int) float64 { return math.Mod(x[0]+x[1]+x[2], 2) })
	c := sized(t, table, Maximize, "size")
	even, odd := BySize(c)[0], BySize(c)[1]
	expect.Need(t, len(odd) > 9+3+9, "only %d", len(odd))
	total := 0
	for _, i := range even {
		var got, want []int
		StepsTo(c, i, odd, func(place int) { got = append(got, place) })
		for place, j := range odd {
			if Between(c, c.List[i].Levels, c.List[j].Levels) == Step {
				want = append(want, place)
			}
		}
		slices.Sort(got)
		expect.Need(t, slices.Equal(got, want), "%v, want %v", got, want)
		total += len(want)
	}
	expect.That(t, total != 0, "no steps")
}

// Sizes 1, 3, 6 and 7, so bounds 1, 2, 4 and 7. Up to 2 there is only size 1. Size 3 is best up to 4; up to 7 the best
// is the one with less a. Size 6 is worse than 3, which the best of each size does not reveal.
func TestUpToByHand(t *testing.T) {
	//	      b=1  b=2
	//	a=1    1    9     sizes 1, 7
	//	a=2    5    4     sizes 3, 6
	table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2), kit.Numbers("b", 1, 2)}, 1, kit.Listed(1, 9, 5, 4), kit.Listed(1, 7, 3, 6))
	c := sized(t, table, Maximize, "size")
	e := c.UpTo()
	want := []Optimum{
		{Configuration: c.Configuration([]int{0, 0}, 1), Size: 1, Of: 1, Move: First, Bound: 1},
		{Configuration: c.Configuration([]int{0, 0}, 1), Size: 1, Of: 1, Move: Stay, Bound: 2},
		{Configuration: c.Configuration([]int{1, 0}, 5), Size: 3, Of: 2, Move: Grow, Bound: 4},
		{Configuration: c.Configuration([]int{0, 1}, 9), Size: 7, Of: 4, Move: Jump, Bound: 7},
	}
	d := cmp.Diff(&Growth{Optima: want, Jumps: 1}, e, alike)
	expect.That(t, d == "", "(-want +got):\n%s", d)
}

// On random tables each bound has a best value that no configuration up to it beats,
// the smallest size that has it, and values never get worse. On sizes that are all
// powers of two from 1, the bounds are these sizes.
func TestUpToProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{1, 2, math.NaN()}))
		size := rapid.SampledFrom([]float64{1, 2, 4, 8, 16})
		if rapid.Bool().Draw(t, "any") {
			size = rapid.OneOf(rapid.Float64Range(-5, 1e12), rapid.Just(0.0))
		}
		goal := rapid.SampledFrom([]Goal{Maximize, Minimize}).Draw(t, "goal")
		table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2, 3), kit.Words("b", "u", "v"), kit.Numbers("c", 2, 1)}, 1,
			func([]float64, int) float64 { return value.Draw(t, "y") }, func([]float64, int) float64 { return size.Draw(t, "size") })
		table.Rows[0].Values[0] = 1
		e := sized(t, table, goal, "size").UpTo()
		expect.Need(t, len(e.Optima) <= MaxBounds, "bounds %v", e.Optima)
		jumps, largest := 0, math.Inf(-1)
		for i, o := range e.Optima {
			for _, row := range table.Rows {
				y, s := row.Values[0], row.Values[1]
				if math.IsNaN(y) {
					continue
				}
				largest = max(largest, s)
				expect.Need(t, s > o.Bound || !goal.Better(y, o.Value) && (y != o.Value ||
					s >= o.Size-1e-8*math.Abs(o.Size)),
					"%+v, but %+v is up to %v", o, row, o.Bound)
			}
			before := e.Optima[max(i-1, 0)]
			expect.Need(t, !goal.Better(before.Value, o.Value) && before.Bound <= o.Bound, "%+v after %+v", o, before)
			if o.Move == Jump {
				jumps++
			}
		}
		last := e.Optima[len(e.Optima)-1].Bound
		expect.Need(t, jumps == e.Jumps && last == largest,
			"%d jumps of %d, last bound %v of %v", jumps, e.Jumps, last, largest)
	})
}

// [Jin] case 2 leaves the diagonal at 4 nodes: (2,0) beats (1,1) with log2 S of 1.99999 against 1.95604, both by the
// formula. Case 1 never does, as the diagonals of Table I show.
func TestLeavesDiagonal(t *testing.T) {
	for _, tt := range []struct {
		table *Table
		want  int
	}{
		{jinTable1(t), 19},
		{jin(func(_, n2 float64) float64 { return 1 << 18 / math.Pow(n2, 1.5) }, func(_, n2 float64) float64 { return 8 * math.Pow(n2, 1.5) }), 2},
	} {
		c := sized(t, tt.table, Maximize, "size")
		at, ok := c.LeavesDiagonal(c.Growth(), 0, 1)
		expect.That(t, at == tt.want && ok, "%d %v, want %d", at, ok, tt.want)
	}
	// With log2 S = r1 + r2 all configurations of a size are equally good, including those on the diagonal.
	alike := func(better float64) *Table {
		return kit.Factorial([]Factor{r("r1"), r("r2")}, 1, func(x []float64, _ int) float64 {
			if x[0] == 3 && x[1] == 0 {
				return 3 + better
			}
			return x[0] + x[1]
		}, nodes)
	}
	c := sized(t, alike(0), Maximize, "size")
	at, ok := c.LeavesDiagonal(c.Growth(), 0, 1)
	expect.That(t, !ok, "ties leave the diagonal at %d", at)
	// (3,0) is better than all others of 8 nodes; at 4 nodes (1,1) is as good as (2,0).
	c = sized(t, alike(0.5), Maximize, "size")
	at, ok = c.LeavesDiagonal(c.Growth(), 0, 1)
	expect.That(t, at == 3 && ok, "%d %v, want 3", at, ok)
	table := kit.Factorial([]Factor{kit.Numbers("a", 1, 2), kit.Numbers("b", 1, 3)}, 1, kit.Listed(1, 2, 3, 4), kit.Listed(1, 2, 3, 4))
	_, ok = sized(t, table, Maximize, "size").LeavesDiagonal(&Growth{}, 0, 1)
	expect.That(t, !ok, "factors of different values have no diagonal")
}
