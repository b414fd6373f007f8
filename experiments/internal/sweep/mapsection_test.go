package sweep

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
)

// Formula and dispatch beside two sizes. On 2 nodes the formula loses nothing with
// c = 0, and dispatch never does better, so the map is that of the formula; with ties
// the path stays there. The name of a factor is written as the user wrote it.
func TestCaptionNamesOtherFactors(t *testing.T) {
	s := create(t, `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [8, 8], imbalance: [0, 0]}
factors:
  how: {path: method, values: [formula, dispatch]}
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 3}
`, 0)
	run(t, s, 1)
	r, err := s.Finish(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	caption := r.mapSection().Blocks[0].(*report.Surface).Caption
	if !strings.Contains(caption, " Other factors: how fixed at ") || strings.Contains(caption, "not on this map") {
		t.Errorf("caption %q", caption)
	}
	for i := range r.growth.Optima[:3] {
		r.growth.Optima[i].Levels[0] = 1 - r.Best.levels[0]
	}
	caption = r.mapSection().Blocks[0].(*report.Surface).Caption
	if want := "The best configurations of 3 of 7 sizes are not on this map"; !strings.Contains(caption, want) {
		t.Errorf("%q is not in %q", want, caption)
	}
}
