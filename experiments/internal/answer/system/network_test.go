package system

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
)

// Two nodes with two processes each in group a, one in group b.
const hierarchical = `
machine:
  node_types: {w: {cores: 2, marked_speed: 1 Gflop/s}}
  nodes: [{type: w, count: 2, name: a}, {type: w, count: 1, name: b}]
  network:
    latency: 10 us
    bandwidth: 1 GB/s
    send_overhead: 3 us
    on_node: {latency: 1 us, bandwidth: 10 GB/s}
    between_groups: {latency: 50 us, bandwidth: 100 MB/s}
placement: {w: 2}
workload: {name: matmul, n: 8}
`

func TestNetworkOfAHierarchicalMachine(t *testing.T) {
	for _, c := range []struct {
		name, network string
		// What 1000 bytes cost from rank 0 to rank 1 (same node), 2 (same
		// group) and 4 (other group).
		want [3]network.Cost
	}{
		{"hockney", "network: hockney", [3]network.Cost{
			{SendOverhead: 3e-6, Transmission: 100e-9, Latency: 1e-6},
			{SendOverhead: 3e-6, Transmission: 1e-6, Latency: 10e-6},
			{SendOverhead: 3e-6, Transmission: 10e-6, Latency: 50e-6},
		}},
		{"a level overridden", "network: {name: hockney, send_overhead: 0 s, on_node: {latency: 2 us}}", [3]network.Cost{
			{Transmission: 100e-9, Latency: 2e-6},
			{Transmission: 1e-6, Latency: 10e-6},
			{Transmission: 10e-6, Latency: 50e-6},
		}},
		// o = 3 us, G = 1 ns, 0.1 ns and 10 ns per byte; 999 bytes after the first.
		{"loggops", "network: {name: loggops, g: 2 us}", [3]network.Cost{
			{SendOverhead: 3e-6, Transmission: 2.0999e-6, Latency: 4e-6, RecvOverhead: 3.0999e-6},
			{SendOverhead: 3e-6, Transmission: 2.999e-6, Latency: 13e-6, RecvOverhead: 3.999e-6},
			{SendOverhead: 3e-6, Transmission: 11.99e-6, Latency: 53e-6, RecvOverhead: 12.99e-6},
		}},
	} {
		s := scenariotest.Scenario(t, hierarchical+c.network+"\n")
		sys, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		for i, to := range []int32{1, 2, 4} {
			got := sys.Transport.Network.Message(0, to, 1000)
			if diff := cmp.Diff(c.want[i], got, cmp.Comparer(func(a, b units.Seconds) bool { return math.Abs(float64(a-b)) < 1e-15 })); diff != "" {
				t.Errorf("%s, to rank %d (-want +got):\n%s", c.name, to, diff)
			}
		}
	}
}

func TestLogGOPSParameters(t *testing.T) {
	s := scenariotest.Scenario(t, `
machine: sunwulf
nodes: {blade: 2}
network: {name: loggops, L: 2500 ns, o: 1500 ns, g: 1000 ns, G: 6 ns, O: 1 ns, S: 65535 B}
workload: {name: matmul, n: 8}
`)
	want := network.LogGOPS{Latency: 2500e-9, Overhead: 1500e-9, Gap: 1000e-9, GapPerByte: 6e-9, OverheadPerByte: 1e-9, Synchronous: 65535}
	if s.Network.Base != want {
		t.Errorf("%+v, want %+v", s.Network.Base, want)
	}
}
