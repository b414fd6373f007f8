package system

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// A tree of 2 x 3 x 2 nodes, across which two groups of 5 and 7 nodes lie.
const levels = `
machine:
  node_types: {a: {cores: 2, marked_speed: 1 Gflop/s}, b: {cores: 2, marked_speed: 1 Gflop/s}}
  nodes: [{type: a, count: 5}, {type: b, count: 7}]
  network:
    latency: 10 us
    bandwidth: 1 GB/s
    on_node: {latency: 1 us, bandwidth: 10 GB/s}
    topology: {name: tree, levels: [2, 3, 2], uplinks: [{latency: 20 us, bandwidth: 100 MB/s}, {latency: 30 us, bandwidth: 200 MB/s}]}
workload: {name: matmul, n: 8}
`

// The switches have the nodes 0 1 | 2 3 | 4 5 || 6 7 | 8 9 | 10 11. Of group a, the
// nodes 0 and 1 take part with two processes each; group b has the nodes from 5 on. So
// rank 1 is on node 0, rank 2 on node 1, rank 4 on node 5 and rank 5 on node 6. A
// message crosses one uplink up and down to node 5, with 10 + 2 20 us, and two to node
// 6, with 10 + 2 (20 + 30) us; either way 100 MB/s is the least.
func TestMessagesBetweenLevels(t *testing.T) {
	for _, c := range []struct {
		name, network string
		// What 1000 bytes cost from rank 0 to ranks 1, 2, 4 and 5.
		want [4]network.Cost
	}{
		{"hockney", "network: hockney", [4]network.Cost{
			{Transmission: 100e-9, Latency: 1e-6},
			{Transmission: 1e-6, Latency: 10e-6},
			{Transmission: 10e-6, Latency: 50e-6},
			{Transmission: 10e-6, Latency: 110e-6},
		}},
		// The uplinks add to the latency of the scenario, and limit only what is faster.
		{"hockney of the scenario", "network: {name: hockney, latency: 5 us, bandwidth: 50 MB/s, send_overhead: 3 us}", [4]network.Cost{
			{SendOverhead: 3e-6, Transmission: 100e-9, Latency: 1e-6},
			{SendOverhead: 3e-6, Transmission: 20e-6, Latency: 5e-6},
			{SendOverhead: 3e-6, Transmission: 20e-6, Latency: 45e-6},
			{SendOverhead: 3e-6, Transmission: 20e-6, Latency: 105e-6},
		}},
		// G is 0.1, 1 and 10 ns per byte; 999 bytes after the first.
		{"loggops", "network: loggops", [4]network.Cost{
			{Transmission: 99.9e-9, Latency: 1e-6, RecvOverhead: 99.9e-9},
			{Transmission: 999e-9, Latency: 10e-6, RecvOverhead: 999e-9},
			{Transmission: 9.99e-6, Latency: 50e-6, RecvOverhead: 9.99e-6},
			{Transmission: 9.99e-6, Latency: 110e-6, RecvOverhead: 9.99e-6},
		}},
	} {
		s := scenariotest.Scenario(t, levels+"nodes: {a: 2, b: 7}\nplacement: {a: 2}\n"+c.network+"\n")
		sys, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		for i, to := range []int32{1, 2, 4, 5} {
			got := sys.Transport.Network.Message(0, to, 1000)
			if diff := cmp.Diff(c.want[i], got, cmp.Comparer(func(a, b units.Seconds) bool { return math.Abs(float64(a-b)) < 1e-15 })); diff != "" {
				t.Errorf("%s, to rank %d (-want +got):\n%s", c.name, to, diff)
			}
		}
	}
}

// On its own, a message of 1 MB takes as long on the links as under hockney. Two that
// leave a switch at once share its uplink; two that leave different switches of one
// half share nothing slower than 200 MB/s, which is enough for both.
func TestMessagesOnTheLinksOfLevels(t *testing.T) {
	send := func(pairs ...[2]int) func(r *sim.Rank) {
		return func(r *sim.Rank) {
			for _, p := range pairs {
				switch r.Rank() {
				case p[0]:
					r.Send(p[1], 0, 1e6)
				case p[1]:
					r.Recv(p[0], 0)
				}
			}
		}
	}
	one := [4]func(r *sim.Rank){send([2]int{0, 1}), send([2]int{0, 2}), send([2]int{0, 5}), send([2]int{0, 6})}
	alone := [4]float64{10e-6 + 1e-3, 50e-6 + 10e-3, 50e-6 + 10e-3, 110e-6 + 10e-3}
	flow := scenariotest.Scenario(t, levels+"network: flow\n")
	for _, s := range []*scenario.Scenario{flow, scenariotest.Scenario(t, levels+"network: hockney\n")} {
		for i, body := range one {
			if got := carried(t, s, 12, body); math.Abs(got-alone[i]) > 1e-12 {
				t.Errorf("%s, message %d: %.9g s, want %.9g s", s.Network.Kind.Name, i, got, alone[i])
			}
		}
	}
	for _, tt := range []struct {
		name string
		body func(r *sim.Rank)
		want float64
	}{
		{"one switch", send([2]int{0, 6}, [2]int{1, 8}), 110e-6 + 20e-3},
		{"two switches", send([2]int{0, 6}, [2]int{2, 8}), 110e-6 + 10e-3},
		{"three switches", send([2]int{0, 6}, [2]int{2, 8}, [2]int{4, 10}), 110e-6 + 15e-3}, // 200 MB/s for three
	} {
		if got := carried(t, flow, 12, tt.body); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%s: %.9g s, want %.9g s", tt.name, got, tt.want)
		}
	}
}

// Halves of one and two switches: the nodes 0 1 || 2 | 3 4 5, the first three of them of
// another type. To a node at the same switch it is 10 us and 1 GB/s, to one in the same
// half 2 x 20 us more, to the other half 2 x 30 us more again, at 100 MB/s.
func TestMessagesBetweenUnequalLevels(t *testing.T) {
	const machine = `
machine:
  node_types: {old: {cores: 1, marked_speed: 1 Gflop/s}, new: {cores: 1, marked_speed: 2 Gflop/s}}
  nodes: [{type: old, count: 3}, {type: new, count: 3}]
  network:
    latency: 10 us
    bandwidth: 1 GB/s
    topology: {name: tree, levels: [[2, 1, 3], [1, 2], 2], uplinks: [{latency: 20 us, bandwidth: 100 MB/s}, {latency: 30 us, bandwidth: 200 MB/s}]}
workload: {name: matmul, n: 8}
`
	for _, model := range []string{"hockney", "loggops", "flow"} {
		s := scenariotest.Scenario(t, machine+"network: "+model+"\n")
		for _, m := range []struct {
			from, to int
			want     float64
		}{{0, 1, 10e-6 + 1e-3}, {2, 3, 50e-6 + 10e-3}, {3, 5, 10e-6 + 1e-3}, {0, 2, 110e-6 + 10e-3}, {5, 1, 110e-6 + 10e-3}} {
			got := carried(t, s, 6, func(r *sim.Rank) {
				switch r.Rank() {
				case m.from:
					r.Send(m.to, 0, 1e6)
				case m.to:
					r.Recv(m.from, 0)
				}
			})
			// LogGOPS counts bytes after the first.
			if math.Abs(got-m.want) > 1e-12 && !(model == "loggops" && math.Abs(got-m.want) < 1e-5*m.want) {
				t.Errorf("%s, %d to %d: %.9g s, want %.9g s", model, m.from, m.to, got, m.want)
			}
		}
	}
}
