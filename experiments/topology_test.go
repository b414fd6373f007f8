package experiments_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// The files of examples/topologies take the times that their comments derive.
func TestTopologyExamples(t *testing.T) {
	want := map[string]float64{ // s
		"backbone": 24.06e-3, "bus": 0.801, "graph": 2.02e-3 + 7.2e-3, "leaf-spine": 7.68e-3 + 2.4e-6,
		"star": 12.008e-3, "torus": 6 * 201e-6,
		// Messages start after 1 us on the shortest ways and keep the narrowest
		// link busy from then on.
		"fat-tree": 2.48e-3 + 1e-6, "levels": 358.4e-3 + 50e-6, "mesh": 3.2e-3 + 1e-6, "rails": 28e6/50e9 + 5e-6,
	}
	// Here the narrowest link is not busy from the first moment to the last.
	atLeast := map[string]float64{"dragonfly": 6.72e-3, "tree": 25.6e-3}
	// And here it is one part of many: the work over all speeds is only a bound.
	moreThan := map[string]float64{"levels-unequal": 2 * 512 * 512 * 512 / (4*1e9 + 8*2e9)}
	files := expect.Value(filepath.Glob("../examples/topologies/*.yaml"))(t)
	expect.That(t, len(files) == len(want)+len(atLeast)+len(moreThan),
		"%d files, want %d", len(files), len(want)+len(atLeast)+len(moreThan))
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		s, err := scenario.Disk.Read(file, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		r, err := run.Run(context.Background(), s, run.Options{})
		expect.Need(t, err == nil, "%s: %v", file, err)
		w, ok := want[name]
		expect.That(t, !ok || math.Abs(r.Makespan-w) <= 1e-9*w, "%s: %.9g s, want %.9g s", file, r.Makespan, w)
		w, ok = atLeast[name]
		expect.That(t, !ok || r.Makespan >= w && r.Makespan <= 1.01*w, "%s: %.9g s, want %.9g s and a little", file, r.Makespan, w)
		w = moreThan[name]
		expect.That(t, r.Makespan >= w, "%s: %.9g s, want more than %.9g s", file, r.Makespan, w)
		data, err := os.ReadFile(file)
		expect.That(t, err == nil && strings.HasPrefix(string(data), "# ") &&
			strings.Contains(string(data), "isoscale run "+strings.TrimPrefix(file, "../")),
			"%s does not begin with a comment that says how to run it (%v)", file, err)
	}
}
