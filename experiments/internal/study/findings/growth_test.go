package findings

import (
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// 10.05 s instead of 10 s is 0.5 %, 12 s instead of 10 s 20 %, and a logarithm to the
// base 2 of 3 instead of 4 half the speedup: 50 %.
func TestShortfallInPerCent(t *testing.T) {
	s := created(t, sweeptest.Jin, 1)
	for _, tt := range []struct {
		response    string
		value, best float64
		want        float64 // NaN: none
	}{
		{"time", 10.05, 10, 0.5},
		{"time", 12, 10, 20},
		{"efficiency", 0.6, 0.8, 25},
		{"log2_speedup", 3, 4, 50},
		{"log2_speedup", -1, 1, 75},
		{"x", -1, 1, math.NaN()},
		{"x", 0, 1, math.NaN()},
	} {
		r := &Result{Evidence: Evidence{Study: s, Response: store.Column{Name: tt.response}}}
		got := r.shortfall(tt.value, tt.best)
		if math.IsNaN(tt.want) != (got == nil) || got != nil && math.Abs(*got-tt.want) > 1e-9 {
			t.Errorf("%s of %g instead of %g: %v, want %g %%", tt.response, tt.value, tt.best, got, tt.want)
		}
	}
}

// Of misses of 0.5, 20 and 3 % the first is not told, and the worst is named.
func TestSmallMissesAreNotTold(t *testing.T) {
	miss := func(size, percent float64) Miss { return Miss{Size: size, Percent: &percent, Shortfall: percent} }
	r := &Result{
		Evidence: Evidence{Study: &sweep.Study{Design: &design.Design{}}, Response: store.Column{Name: "time", Unit: "s"}, Size: store.Column{Name: "nodes"}, Path: &analysis.Growth{}},
		Growth:   []Optimum{{Size: 1}, {Size: 8}},
		Ascent:   &Ascent{Steps: make([]AscentStep, 3), Misses: []Miss{miss(2, 0.5), miss(4, 20), miss(8, 3)}},
	}
	told := r.ToldMisses()
	if len(told) != 2 || told[0].Size != 4 || told[1].Size != 8 {
		t.Errorf("told %+v", told)
	}
	text := strings.Join(r.GrowthInWords(), "\n")
	if !strings.Contains(text, "misses the optimum by 1 % or more at 2 sizes, most at 4 nodes, by 20 %") {
		t.Error(text)
	}
	r.Ascent.Misses = r.Ascent.Misses[:1]
	if text := strings.Join(r.GrowthInWords(), "\n"); !strings.Contains(text, "within 1 % of the optimum") {
		t.Error(text)
	}
}
