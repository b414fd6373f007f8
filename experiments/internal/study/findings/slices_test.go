package findings

import (
	"math"
	"testing"
)

// Two further factors make 2 x 3 maps; each has the values of its own levels. With
// c = 0 and tasks that are multiples, log2 of the speedup is r1 + r2 + r3.
func TestSlicesOfFurtherFactors(t *testing.T) {
	r := drawn(t, `scenario: {workload: super-program, log2_levels: [0, 0, 0], tasks: [64, 64, 64], imbalance: [0, 0, 0]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 3}
  r2: {path: "log2_levels[1]", from: 0, to: 4}
  r3: {path: "log2_levels[2]", values: [2, 0, 1]}
  method: [formula, dispatch]
`)
	b := r.slicesBlock(r.objective())
	if b == nil || len(b.Variables) != 2 || len(b.Surfaces) != 6 {
		t.Fatalf("%+v, want 6 maps of 2 variables", b)
	}
	if b.Variables[0].Name != "r3" || b.Variables[0].Levels[0] != "0" || b.Variables[1].Levels[1] != "dispatch" {
		t.Errorf("variables %+v, want r3 from 0 to 2 and method", b.Variables)
	}
	for i, s := range b.Surfaces {
		r3 := float64(i / 2)
		for y, row := range s.Values {
			for x, v := range row {
				if math.Abs(v-(float64(x+y)+r3)) > 1e-12 {
					t.Errorf("%s: %v at (%d, %d), want %v", s.Title, v, x, y, float64(x+y)+r3)
				}
			}
		}
		if *s.Value.Min != 0 || math.Abs(*s.Value.Max-9) > 1e-12 {
			t.Errorf("%s: colours from %v to %v, want 0 to 9 on all maps", s.Title, *s.Value.Min, *s.Value.Max)
		}
	}
	if r3 := b.Start[0]; r3 != 2 {
		t.Errorf("starts at level %d of r3, want that of the best point, 2", r3)
	}
}
