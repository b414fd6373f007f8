package findings

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
)

// Formula and dispatch beside two sizes. On 2 nodes the formula loses nothing with
// c = 0, and dispatch never does better, so the map is that of the formula; with ties
// the path stays there. The name of a factor is written as the user wrote it.
func TestCaptionNamesOtherFactors(t *testing.T) {
	r := drawn(t, `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [8, 8], imbalance: [0, 0]}
factors:
  how: {path: method, values: [formula, dispatch]}
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 3}
`)
	caption := r.mapSection().Blocks[0].(*report.Surface).Caption
	if !strings.Contains(caption, " Other factors: how fixed at ") || strings.Contains(caption, "not on this map") {
		t.Errorf("caption %q", caption)
	}
	for i := range r.Path.Optima[:3] {
		r.Path.Optima[i].Levels[0] = 1 - r.Best.At[0]
	}
	caption = r.mapSection().Blocks[0].(*report.Surface).Caption
	if want := "The best configurations of 3 of 7 sizes are not on this map"; !strings.Contains(caption, want) {
		t.Errorf("%q is not in %q", want, caption)
	}
}

// A map with more levels than arrows are drawn for does not describe arrows, nor lines
// that it has not.
func TestCaptionDescribesWhatIsDrawn(t *testing.T) {
	r := drawn(t, `scenario: {workload: super-program, levels: [1, 1], tasks: [8, 8], imbalance: [1, 1]}
factors:
  n1: {path: "levels[0]", from: 1, to: 21}
  n2: {path: "levels[1]", from: 1, to: 4}
objective: {maximize: efficiency, size: nodes}
`)
	words := map[report.Mark]string{report.MarkContours: "Contour lines:", report.MarkArrows: "Arrows:", report.MarkPath: "Bold line:", report.MarkDashes: "Dashed line:", report.MarkPoints: "Rings"}
	surface := r.mapSection().Blocks[0].(*report.Surface)
	drawn := map[report.Mark]bool{}
	for _, l := range surface.Layers {
		drawn[l.Mark] = drawn[l.Mark] || len(l.Traces) > 0
	}
	if drawn[report.MarkArrows] {
		t.Error("a map of 21 levels has arrows")
	}
	for mark, text := range words {
		if strings.Contains(surface.Caption, text) != drawn[mark] {
			t.Errorf("mark %d is drawn: %v; caption %q", mark, drawn[mark], surface.Caption)
		}
	}
}

// Points on a line have no cell with four corners: the map shows them, and a chart in
// space would be empty.
func TestNoEmptyChartInSpace(t *testing.T) {
	const plan = `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [64, 64], imbalance: [1, 1]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 3}
`
	for exclude, want := range map[string]bool{"": true, "exclude: [r1 + r2 > 3]\n": true, "exclude: [(r1 + r2) % 2 == 1]\n": false} {
		inSpace := false
		for _, b := range drawn(t, plan+exclude).mapSection().Blocks {
			_, space := b.(*report.Surface3D)
			inSpace = inSpace || space
		}
		if inSpace != want {
			t.Errorf("%q: a chart in space: %v, want %v", exclude, inSpace, want)
		}
	}
}

func TestOver(t *testing.T) {
	s := drawn(t, sweeptest.Gauss).Study
	if err := s.Over("latency", "blades"); err != nil {
		t.Fatal(err)
	}
	found, err := Of(s, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := sectionsOf(found)
	if x, y, ok := r.Mapped(); !ok || r.Table.Factors[x].Name != "latency" || r.Table.Factors[y].Name != "blades" {
		t.Errorf("the map is over %d and %d", x, y)
	}
	if section := r.mapSection(); section == nil {
		t.Error("no map")
	}
	for _, bad := range [][2]string{{"latency", "latency"}, {"colour", "n"}, {"n", ""}} {
		if err := s.Over(bad[0], bad[1]); err == nil {
			t.Errorf("a map over %q is taken", bad)
		}
	}
}

// Of the sizes of the plan 2, 4, 8, 16 and 32 nodes have 1, 2, 3, 2 and 1 configurations
// that are as good as the best.
func TestRingsOfTies(t *testing.T) {
	r := drawn(t, sweeptest.Ties)
	rings := 0
	for _, b := range r.mapSection().Blocks[0].(*report.Surface).Layers {
		if b.Name == rivalsName {
			for _, trace := range b.Traces {
				rings += len(trace.X)
			}
		}
	}
	if rings != 1+2+3+2+1 {
		t.Errorf("%d rings, want one for each tied configuration", rings)
	}
}
