package findings

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
)

// Of the 18 configurations of the plan, w SIs on n nodes take w/n rounds by formula and
// ceil(w/n) by dispatch. The fewest rounds of n = 1, 2, 3 nodes are 6, 3 and 2, with
// w = 6.
func TestParallelAxes(t *testing.T) {
	r := drawn(t, sweeptest.Methods)
	section := r.parallelSection()
	if section == nil {
		t.Fatal("three factors have no parallel axes")
	}
	c := section.Blocks[0].(*report.Parallel)
	if !c.Least || len(c.Axes) != 3 || c.Axes[0].Name != "n" || !slices.Equal(c.Axes[1].Levels, []string{"6", "7", "9"}) || !slices.Equal(c.Axes[2].Levels, []string{"formula", "dispatch"}) {
		t.Errorf("axes are %+v", c.Axes)
	}
	round := *c.Value.Max / 9 // the most: 9 SIs on one node
	seen := map[[3]int]bool{}
	var best []float64
	last := math.Inf(1)
	for _, l := range c.Lines {
		at := [3]int(l.At)
		w, n := []float64{6, 7, 9}[at[1]], float64(at[0]+1)
		rounds := w / n
		if at[2] == 1 {
			rounds = math.Ceil(rounds)
		}
		if seen[at] || math.Abs(l.Value/round-rounds) > 1e-9 {
			t.Errorf("line %v is %v rounds, want %v, once", at, l.Value/round, rounds)
		}
		seen[at] = true
		if l.Marked {
			best = append(best, math.Round(l.Value/round))
			if w != 6 {
				t.Errorf("w = %v is the best of %v nodes", w, n)
			}
			continue
		}
		if l.Value > last {
			t.Errorf("%v is in front of the better %v", l.Value, last)
		}
		last = l.Value
	}
	if len(seen) != 18 || !slices.Equal(best, []float64{6, 3, 2}) {
		t.Errorf("%d lines, the best of the sizes with %v rounds, want 18 and 6, 3, 2", len(seen), best)
	}
	if strings.Contains(c.Caption, "are drawn") {
		t.Error(c.Caption)
	}
}

// Two factors have a map in place of parallel axes; of very many configurations a part
// is drawn, the best and the worst among them.
func TestParallelAxesOfFewAndMany(t *testing.T) {
	if r := drawn(t, strings.Replace(sweeptest.Methods, "  method: [formula, dispatch]\n", "", 1)); r.parallelSection() != nil {
		t.Error("two factors have parallel axes")
	}
	part := drawn(t, sweeptest.Methods)
	part.Ranking = slices.DeleteFunc(part.Ranking, func(x analysis.Ranked) bool { return x.Levels[2] == 0 })
	if part.parallelSection() != nil {
		t.Error("with one method, two factors have parallel axes")
	}
	r := drawn(t, strings.NewReplacer("values: [1, 2, 3]", "from: 1, to: 20", "values: [6, 7, 9]", "from: 1, to: 20").Replace(sweeptest.Methods))
	c := r.parallelSection().Blocks[0].(*report.Parallel)
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range c.Lines {
		low, high = min(low, l.Value), max(high, l.Value)
	}
	if n := len(c.Lines); n > mostLines || n < mostLines/2 || low != *c.Value.Min || high != *c.Value.Max {
		t.Errorf("%d lines from %v to %v of %v to %v", n, low, high, *c.Value.Min, *c.Value.Max)
	}
	if !strings.Contains(c.Caption, "Of 800 configurations, ") {
		t.Error(c.Caption)
	}
}
