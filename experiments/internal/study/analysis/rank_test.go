package analysis

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
	"pgregory.net/rapid"
)

// Repetitions 4 6, 7 7, 5 5, 9 nan: means 5, 7, 5, 9; standard errors sqrt(2)/sqrt(2) = 1
// and 0.
func TestRank(t *testing.T) {
	nan := math.NaN()
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Words("b", "u", "v")}, 2, studytabletest.Listed(4, 6, 7, 7, 5, 5, 9, nan))
	// Points need not be in the order of rows.
	slices.Reverse(table.Rows)
	want := []Ranked{
		{Levels: []int{0, 0}, Mean: 5, StdErr: 1, Points: []int{0, 1}, Place: 1, Tied: 1, WithinNoise: true},
		{Levels: []int{1, 0}, Mean: 5, StdErr: 0, Points: []int{4, 5}, Place: 1, Tied: 1, WithinNoise: true},
		// Two standard errors of the difference are 2, and so is the difference.
		{Levels: []int{0, 1}, Mean: 7, StdErr: 0, Points: []int{2, 3}, Place: 3, WithinNoise: true},
		{Levels: []int{1, 1}, Mean: 9, StdErr: -1, Points: []int{6}, Place: 4},
	}
	for n := 1; n <= 5; n++ {
		got, err := Rank(table, "y", studytable.Minimize, n)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if len(got[i].Points) == 1 && math.IsNaN(got[i].StdErr) {
				got[i].StdErr = -1
			}
		}
		if !reflect.DeepEqual(got, want[:min(n, 4)]) {
			t.Errorf("the best %d: %+v", n, got)
		}
	}
	got, err := Rank(table, "y", studytable.Maximize, 2)
	if err != nil || got[0].Mean != 9 || got[1].Mean != 7 || got[1].WithinNoise || got[0].Place != 1 || got[1].Place != 2 {
		t.Errorf("%+v %v", got, err)
	}
	for _, err := range []error{failure(Rank(table, "y", studytable.Maximize, 0)), failure(Rank(table, "x", studytable.Maximize, 1))} {
		if err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%v", err)
		}
	}
}

// The path through ties has the fewest jumps of all choices, and of those with as
// few the lowest levels: by trying them all.
func TestFewestJumps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]float64{1, 1, 1, 2, math.NaN()})
		size := rapid.IntRange(1, rapid.IntRange(2, 6).Draw(t, "sizes"))
		table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 3, 1, 2, 4), studytabletest.Words("b", "u", "v"), studytabletest.Numbers("c", 1, 2)}, 1,
			func([]float64, int) float64 { return value.Draw(t, "y") }, func([]float64, int) float64 { return float64(size.Draw(t, "size")) })
		table.Rows[0].Values[0] = 1
		g, err := Best(table, "y", studytable.Maximize, "size")
		if err != nil {
			t.Fatal(err)
		}
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
			if o.Value != best || o.Tied != len(set)-1 {
				t.Fatalf("%+v, want %v of %v", o, best, set)
			}
			sets = append(sets, set)
		}
		// Rows are in the order of levels, so the first choice that is found is lowest.
		steps := movesOf(table)
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
				if n := len(path); n > 0 && steps.between(path[n-1], levels) != Step {
					more++
				}
				path = append(path, levels)
				try(more)
				path = path[:len(path)-1]
			}
		}
		try(0)
		if g.Jumps+g.Switches != fewest {
			t.Fatalf("%d jumps and %d switches, want %d", g.Jumps, g.Switches, fewest)
		}
		for i, o := range g.Optima {
			if !slices.Equal(o.Levels, chosen[i]) {
				t.Fatalf("%v of size %v, want %v", o.Levels, o.Size, chosen[i])
			}
		}
	})
}

// Large sets of ties are looked up by their steps: the answer is that of going
// through all.
func TestReached(t *testing.T) {
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", studytabletest.Linspace(1, 9, 9)...), studytabletest.Words("b", "u", "v", "w"), studytabletest.Numbers("c", studytabletest.Linspace(1, 9, 9)...)}, 1,
		func([]float64, int) float64 { return 1 }, func(x []float64, _ int) float64 { return math.Mod(x[0]+x[1]+x[2], 2) })
	c, err := sized(table, "y", "size")
	if err != nil {
		t.Fatal(err)
	}
	steps := movesOf(table)
	even, odd := bySize(c)[0], bySize(c)[1]
	if len(odd) <= 9+3+9 {
		t.Fatalf("only %d", len(odd))
	}
	total := 0
	for _, i := range even {
		var got, want []int
		reachedFrom(c, steps, i, odd, func(place int) { got = append(got, place) })
		for place, j := range odd {
			if steps.between(c.List[i].Levels, c.List[j].Levels) == Step {
				want = append(want, place)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		total += len(want)
	}
	if total == 0 {
		t.Error("no steps")
	}
}

// An error says once what was expected.
func TestErrorsExpectOnce(t *testing.T) {
	table := studytabletest.Factorial([]studytable.Factor{studytabletest.Numbers("a", 1, 2), studytabletest.Words("b", "u", "v")}, 1, studytabletest.Listed(1, 2, 3, 4), studytabletest.Listed(0, 1, 1, 2))
	for _, err := range []error{
		failure(Best(table, "y", studytable.Minimize, "z")), failure(Best(table, "y", studytable.Minimize, "b")), failure(Best(table, "z", studytable.Minimize, "a")),
		failure(Ascend(table, "y", studytable.Minimize, "z", nil)),
		failure(NewGrid(table, "y", GridOptions{X: "a", Y: "a"})), failure(NewGrid(table, "y", GridOptions{X: "a", Y: "b", At: []int{0, 0}})),
		failure(Rank(table, "y", studytable.Minimize, -1)),
	} {
		if err == nil {
			t.Error("no error")
			continue
		}
		for line := range strings.Lines(err.Error()) {
			if strings.Count(line, "expected") > 1 {
				t.Error(line)
			}
		}
	}
}
