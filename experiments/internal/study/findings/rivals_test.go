package findings

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// Without costs 8 SIs of 8 on n1 x n2 nodes, all powers of two, take the same time
// however a size is divided: 1, 2, 4, 8, 16, 32 and 64 nodes have 1, 2, 3, 4, 3, 2 and
// 1 configurations, so the path is one of several at five of seven sizes.
func TestTiesOfGrowthAreTold(t *testing.T) {
	r := finished(t, sweeptest.Ties)
	for i, tied := range []int{0, 1, 2, 3, 2, 1, 0} {
		if o := r.Growth[i]; o.Tied != tied || o.WithinNoise != tied || o.StdErr != nil {
			t.Errorf("%+v, want %d tied", o, tied)
		}
	}
	const want = "The path is one of several: of 7 sizes, at 5 sizes others are as good."
	if text := strings.Join(r.GrowthInWords(), "\n"); !strings.Contains(text, want) {
		t.Errorf("%q is not in %q", want, text)
	}
}

// Six seeds: scatter decides which of the configurations of a size is first, and the
// text says that others are within the noise.
func TestNoiseOfGrowthIsTold(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, log2_levels: [0, 0], tasks: [16, 16], method: dispatch, scatter: 0.9}
repetitions: 6
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 2}
  r2: {path: "log2_levels[1]", from: 0, to: 2}
objective: {maximize: log2_speedup, size: nodes}
`)
	alike := 0
	for _, o := range r.Growth {
		if o.StdErr == nil || *o.StdErr < 0 {
			t.Errorf("no standard error: %+v", o)
		}
		alike += o.WithinNoise
	}
	if text := r.rivalsInWords(); alike == 0 || !strings.Contains(text, "within two standard errors of the best") {
		t.Errorf("%d within the noise: %q", alike, text)
	}
}
