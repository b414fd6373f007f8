package search

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// Workload 0 takes 1 s a process, workload 1 3 s. On 1, 2 and 4 processes each, all
// takes 7 + 21 = 28 s.
func TestEstimate(t *testing.T) {
	p := &model.Plan{Nodes: []model.Node{{Processes: 1}}}
	var list []simulation
	for workload := range 2 {
		for _, n := range []int{1, 2, 4} {
			list = append(list, simulation{plan: p, workload: workload, choice: model.Choice{Types: []int{0}, Counts: []int{n}}})
		}
	}
	var e estimate
	e.expect(outlook{processes: map[int]int{0: 100, 1: 100}}) // replaced:
	e.expect(outlook{processes: map[int]int{0: 7, 1: 7}})
	e.begin(list[:4]) // all of workload 0, one of workload 1
	want := func(share float64) {
		t.Helper()
		if got := e.share(); math.Abs(got-share) > 1e-12 {
			t.Errorf("share %g, want %g", got, share)
		}
	}
	want(0)
	e.done(list[0], time.Second)
	want(1. / 14) // the other workload is taken to be like this one
	e.done(list[3], 3*time.Second)
	want(4. / 28)
	e.begin(list[4:])
	want(4. / 28) // they were expected
	e.done(list[2], 4*time.Second)
	e.done(list[5], 12*time.Second)
	want(20. / 28)
	e.done(list[1], 2*time.Second)
	e.done(list[4], 6*time.Second)
	want(1)
}

// Two node types a and b with one network, 2 and 3 nodes of either at most. Workload 0 takes 1
// or 2 nodes: runs on 1 a, 2 a, 1 b, 2 b. Workload 1 takes the whole machine: five machines,
// of which the largest of each design, 2 a and 3 b, is tested. The times of runs on one node
// depend on the speed of the nodes, and latency and bandwidth within them; of others, also on
// those of the network.
func TestOutlook(t *testing.T) {
	p := &model.Plan{
		Nodes:     []model.Node{{Processes: 1, Threads: 1, Cores: 1, Speed: 1}, {Processes: 10, Threads: 1, Cores: 10, Speed: 1}},
		Networks:  make([]model.Network, 1),
		Workloads: []model.Workload{{On: model.RunNodes{List: []int{1, 2}}}, {On: model.RunNodes{All: true}}},
	}
	var choices []model.Choice
	for node, most := range []int{2, 3} {
		for n := range most {
			choices = append(choices, model.Choice{Types: []int{node}, Counts: []int{n + 1}})
		}
	}
	s := &solver{Plan: p}
	ranking, robust := s.outlook(choices)
	for _, x := range []struct {
		what string
		got  outlook
		want outlook
	}{
		{"ranking", ranking, outlook{4 + 5, map[int]int{0: 1 + 2 + 10 + 20, 1: 1 + 2 + 10 + 20 + 30}}},
		// Lower and higher: three figures for 4 runs, two more for those on 2 nodes; all
		// five for both machines.
		{"robustness", robust, outlook{2*(3*4+2*2) + 2*(5*2), map[int]int{0: 2 * (3*33 + 2*22), 1: 2 * 5 * (2 + 30)}}},
	} {
		if !reflect.DeepEqual(x.got, x.want) {
			t.Errorf("%s: %v, want %v", x.what, x.got, x.want)
		}
	}
}
