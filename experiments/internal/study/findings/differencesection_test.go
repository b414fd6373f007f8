package findings

import (
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
)

// Three levels with r1 + r2 + r3 = 6 are shown on their plane, and the path of a cube
// is projected from the levels that are not on the map.
func TestPlane(t *testing.T) {
	const plan = `scenario: {workload: super-program, log2_levels: [0, 0, 0], tasks: [64, 64, 64], imbalance: [0.9, 0.7, 0.5]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 3}
  r3: {path: "log2_levels[2]", from: 0, to: 3}
`
	r := drawn(t, plan+"exclude: [r1 + r2 + r3 != 6]\n")
	if r.Relation == nil || r.Relation.Describe(r.Table) != "r1 + r2 + r3 = 6" {
		t.Fatalf("the relation is %+v", r.Relation)
	}
	surface := r.mapSection().Blocks[0].(*report.Surface)
	values := 0
	for _, row := range surface.Values {
		for _, v := range row {
			if v == v {
				values++
			}
		}
	}
	// r1, r2 and r3 of 0 to 3 that add up to 6: 3 - r_i add up to 3, in 10 ways.
	if values != 10 || !strings.Contains(surface.Caption, "on the plane r1 + r2 + r3 = 6") {
		t.Errorf("%d points on the map, want 10: %s", values, surface.Caption)
	}

	r = drawn(t, plan)
	surface = r.mapSection().Blocks[0].(*report.Surface)
	steps := 0
	for _, l := range surface.Layers {
		if l.Name == projectedName {
			steps = len(l.Traces)
		}
	}
	// Three of the nine steps between ten sizes raise the factor that is not on the map,
	// so at most six are lines in projection.
	if steps == 0 || steps > 6 || !strings.Contains(surface.Caption, "projected on the map") || !strings.Contains(surface.Caption, "of 10 sizes are not on this map") {
		t.Errorf("%d projected steps: %s", steps, surface.Caption)
	}
}

// The map of a ratio has the ratio of each configuration, and colours that are symmetrical
// about 1: w SIs on n nodes take ceil(w/n) n/w times as long by dispatch.
func TestMapOfRatios(t *testing.T) {
	r := drawn(t, sweeptest.Methods)
	ratio := func(n, w int) float64 { return math.Ceil(float64(w)/float64(n)) * float64(n) / float64(w) }
	section := r.differenceSection()
	if section == nil {
		t.Fatal("no map")
	}
	surface := section.Blocks[0].(*report.Surface)
	if !surface.Diverging || !surface.Value.Log || math.Abs(*surface.Value.Min**surface.Value.Max-1) > 1e-12 {
		t.Errorf("the scale is %v to %v, want it symmetrical about 1", *surface.Value.Min, *surface.Value.Max)
	}
	for j, w := range []int{6, 7, 9} {
		for i, n := range []int{1, 2, 3} {
			got := surface.Values[j][i]
			if strings.Contains(surface.X.Title, "w") {
				got = surface.Values[i][j]
			}
			if math.Abs(got-ratio(n, w)) > 1e-12 {
				t.Errorf("n = %d, w = %d: %v, want %v", n, w, got, ratio(n, w))
			}
		}
	}
}
