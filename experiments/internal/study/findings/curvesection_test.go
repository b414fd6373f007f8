package findings

import (
	"slices"
	"strings"
	"testing"
)

// Of 45 levels 40 are shown, which the caption says. With the best at the sixth level and the
// worst at the last, both are among them, wherever equal distances fall.
func TestThinnedLevelsKeepTheBestAndTheWorst(t *testing.T) {
	r := drawn(t, `scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [0]}
factors: {n: {path: "tasks[0]", from: 1, to: 45}}
derived: {bowl: "(n - 6)^2"}
objective: {minimize: bowl, size: nodes}
`)
	for _, most := range []int{8, 40} {
		levels, caption := r.levelsShown(0, most)
		if len(levels) > most || !slices.Contains(levels, 5) || !slices.Contains(levels, 44) || !slices.IsSorted(levels) {
			t.Errorf("at most %d: %v", most, levels)
		}
		if !strings.Contains(caption, "of the 45 levels of n are shown") {
			t.Errorf("caption %q", caption)
		}
	}
	if c := r.bars(0); len(c.Categories) < 36 || len(c.Categories) > 40 || !slices.Contains(c.Categories, "45") || !strings.Contains(c.Caption, "of the 45 levels") {
		t.Errorf("%d bars, want about 40 of the 45 with the worst: %q, %q", len(c.Categories), c.Categories, c.Caption)
	}
	if got, want := thinned(45, 5, 7, 6), []int{6, 7, 22, 33, 44}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if levels, caption := r.levelsShown(0, 45); len(levels) != 45 || caption != "" {
		t.Errorf("%v, %q", levels, caption)
	}
}
