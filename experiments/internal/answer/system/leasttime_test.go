package system

import (
	"context"
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/model/units"
)

// No run takes less time than its process 0 computes, or needs for its messages to other
// nodes one after the other. For some the bound is close: on one process, and where the
// processes have equal parts and hardly wait.
func TestLeastTimeIsABound(t *testing.T) {
	byNetwork := 0 // bounds that are those of the messages
	type row struct {
		workload string
		close    bool // on a fast network
	}
	for _, w := range []row{
		{"{name: matmul, n: 90, bytes_per_flop: 0.5}", false},
		{"{name: gauss, n: 60, sustained: 0.5}", false},
		{"{name: floyd, n: 64}", false},
		{"{name: lcs, n: 64}", false},
		{"{name: convolution, n: 64}", false},
		{"{name: pattern, n: 9, compute: 3 Mflop}", true},
		{"{name: cg, n: 24, iterations: 5}", true},
		{"{name: fft3d, n: 32, transforms: 2, sustained: 0.2}", true},
		{"{name: stencil3d, n: 32, steps: 5}", true},
		{"{name: taskfarm, n: 40}", false},
		{"{name: montecarlo, n: 100000}", true},
		{"{name: nbody, n: 64}", true},
		{"{name: samplesort, n: 4096}", false},
		{"{name: hpl, n: 400, nb: 32}", false},
	} {
		for _, network := range []string{"ideal", "hockney", "loggops", "flow"} {
			for _, nodes := range []int{1, 2, 4} {
				for _, fast := range []bool{false, true} {
					latency, bandwidth := "20 us", 1e7
					if fast {
						latency, bandwidth = "1 ns", 1e14
					}
					model := network
					if network == "loggops" {
						model = "{name: loggops, o: 1 ns, g: 1 ns}"
					}
					s, err := New(scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types: {n: {cores: 2, marked_speed: 1 Gflop/s, memory_bandwidth: 3 GB/s}}
  nodes: [{type: n, count: %d}]
  network: {latency: %s, bandwidth: %g B/s, on_node: {latency: 1 ns, bandwidth: 100 TB/s}}
network: %s
workload: %s
`, nodes, latency, bandwidth, model, w.workload)))
					if err != nil {
						t.Fatal(err)
					}
					n := s.Workload.N
					least, err := s.Least(n)
					if err != nil {
						t.Fatal(err)
					}
					run, err := s.Simulate(context.Background(), n)
					if err != nil {
						t.Fatal(err)
					}
					bound := least.Busy
					if network == "hockney" {
						if units.Seconds(float64(least.Sent)/bandwidth) > bound {
							byNetwork++
						}
						bound = max(bound, units.Seconds(float64(least.Sent)/bandwidth))
					}
					name := fmt.Sprintf("%s, %s, %d nodes, fast %v", w.workload, network, nodes, fast)
					if bound > run.Makespan*(1+1e-12) {
						t.Errorf("%s: %v, and at least %v", name, run.Makespan, bound)
					}
					if w.close && fast && network != "flow" && bound < 0.7*run.Makespan {
						t.Errorf("%s: %v, and only at least %v", name, run.Makespan, bound)
					}
				}
			}
		}
	}
	if byNetwork < 10 {
		t.Errorf("messages limit only %d runs", byNetwork)
	}
}
