package batchqueue_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/model/units"
)

// On 4 nodes jobs are submitted at 10, 20 and 20 and start at 10, 110 and 150. They run
// for 100, 40 and 2 s on 2, 4 and 1 nodes. The last end is 152, so
//
//	makespan     152 - 10 = 142
//	utilisation  (2*100 + 4*40 + 1*2) / (4*142) = 362/568
//	waits        0, 90, 130; mean 220/3; 95 %: the third
//	slow-downs   100/100, 130/40 = 3.25, (130+2)/10 = 13.2; mean 17.45/3
func TestSummarize(t *testing.T) {
	jobs := []batchqueue.Job{{10, 2, 100, 100}, {20, 4, 40, 50}, {20, 1, 2, 9}}
	got := batchqueue.Summarize(4, jobs, []units.Seconds{10, 110, 150})
	want := batchqueue.Summary{Jobs: 3, Utilisation: 362.0 / 568, MeanWait: 220.0 / 3, P95Wait: 130, MeanBoundedSlowdown: 17.45 / 3, Makespan: 142}
	near := cmp.Comparer(func(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 })
	if d := cmp.Diff(want, got, near); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(batchqueue.Summary{}, batchqueue.Summarize(4, nil, nil)); d != "" {
		t.Errorf("no jobs: %s", d)
	}
}

// A job of 1 s that waits for 5 s was done in less than the threshold.
func TestBoundedSlowdownIsAtLeastOne(t *testing.T) {
	if got := batchqueue.BoundedSlowdown(5, 1); got != 1 {
		t.Errorf("%v, want 1", got)
	}
}

func TestAbove(t *testing.T) {
	part, longest := batchqueue.Above(2, []units.Seconds{0, 2, 3, 10})
	if part != 0.5 || longest != 10 {
		t.Errorf("%v of the waits above 2 s, the longest %v; want half, 10 s", part, longest)
	}
	if part, longest = batchqueue.Above(2, nil); part != 0 || longest != 0 {
		t.Errorf("without jobs: %v, %v", part, longest)
	}
}
