package purchase

import (
	"math"
	"testing"
	"time"
)

// Workload 0 takes 1 s a process, workload 1 3 s. On 1, 2 and 4 processes each, all
// takes 7 + 21 = 28 s.
func TestEstimate(t *testing.T) {
	p := &Plan{Nodes: []Node{{Processes: 1}}}
	var list []simulation
	for workload := range 2 {
		for _, n := range []int{1, 2, 4} {
			list = append(list, simulation{plan: p, workload: workload, choice: Choice{Types: []int{0}, Counts: []int{n}}})
		}
	}
	e := newEstimate(list)
	want := func(share float64) {
		t.Helper()
		if got := e.share(); math.Abs(got-share) > 1e-12 {
			t.Errorf("share %g, want %g", got, share)
		}
	}
	want(0)
	e.done(0, time.Second)
	want(1. / 14) // the other workload is taken to be like this one
	e.done(3, 3*time.Second)
	want(4. / 28)
	e.done(2, 4*time.Second)
	e.done(5, 12*time.Second)
	want(20. / 28)
	e.done(1, 2*time.Second)
	e.done(4, 6*time.Second)
	want(1)
}
