package cluster_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
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

// costs compares the costs of 1000 bytes from rank 0 to others.
func costs(t *testing.T, name, text string, to []int32, want []network.Cost) {
	t.Helper()
	s := scenariotest.Scenario(t, text)
	n := made(t, s, s.Selection).Transport.Network
	for i, rank := range to {
		diff := cmp.Diff(want[i], n.Message(0, rank, 1000), cmp.Comparer(func(a, b units.Seconds) bool { return math.Abs(float64(a-b)) < 1e-15 }))
		expect.That(t, diff == "", "%s, to rank %d (-want +got):\n%s", name, rank, diff)
	}
}

func TestNetworkOfAHierarchicalMachine(t *testing.T) {
	for _, c := range []struct {
		name, network string
		// The costs of 1000 bytes from rank 0 to rank 1 (same node), 2 (same group) and 4 (other group).
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
		costs(t, c.name, hierarchical+c.network+"\n", []int32{1, 2, 4}, c.want[:])
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
	expect.That(t, s.Network.Base == want, "%+v, want %+v", s.Network.Base, want)
}

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
		// The costs of 1000 bytes from rank 0 to ranks 1, 2, 4 and 5.
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
		costs(t, c.name, levels+"nodes: {a: 2, b: 7}\nplacement: {a: 2}\n"+c.network+"\n", []int32{1, 2, 4, 5}, c.want[:])
	}
}

// A message of 1 MB on its own takes as long on the links as under hockney. Two that leave a switch at once share its
// uplink; two that leave different switches of one half share no link below 200 MB/s, which is enough for both.
func TestMessagesOnTheLinksOfLevels(t *testing.T) {
	one := [4]func(r *sim.Rank){scenariotest.Sends([2]int{0, 1}), scenariotest.Sends([2]int{0, 2}), scenariotest.Sends([2]int{0, 5}), scenariotest.Sends([2]int{0, 6})}
	alone := [4]float64{10e-6 + 1e-3, 50e-6 + 10e-3, 50e-6 + 10e-3, 110e-6 + 10e-3}
	flow := scenariotest.Scenario(t, levels+"network: flow\n")
	for _, s := range []*scenario.Scenario{flow, scenariotest.Scenario(t, levels+"network: hockney\n")} {
		for i, body := range one {
			expect.Near(t, carried(t, s, 12, body), alone[i], 1e-12, "%s, message %d", s.Network.Kind.Name, i)
		}
	}
	for _, tt := range []struct {
		name string
		body func(r *sim.Rank)
		want float64
	}{
		{"one switch", scenariotest.Sends([2]int{0, 6}, [2]int{1, 8}), 110e-6 + 20e-3},
		{"two switches", scenariotest.Sends([2]int{0, 6}, [2]int{2, 8}), 110e-6 + 10e-3},
		{"three switches", scenariotest.Sends([2]int{0, 6}, [2]int{2, 8}, [2]int{4, 10}), 110e-6 + 15e-3}, // 200 MB/s for three
	} {
		expect.Near(t, carried(t, flow, 12, tt.body), tt.want, 1e-12, "%s", tt.name)
	}
}

// Halves of one and two switches: the nodes 0 1 || 2 | 3 4 5, the first three of which have another type. A message to
// a node at the same switch takes 10 us and 1 GB/s, to one in the same half 2 x 20 us more, to the other half another 2
// x 30 us more, at 100 MB/s.
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
			got := carried(t, s, 6, scenariotest.Sends([2]int{m.from, m.to}))
			// LogGOPS counts bytes after the first.
			expect.That(t, math.Abs(got-m.want) <= 1e-12 || model == "loggops" && math.Abs(got-m.want) < 1e-5*m.want,
				"%s, %d to %d: %.9g s, want %.9g s", model, m.from, m.to, got, m.want)
		}
	}
}

// made prepares a part of the machine of a scenario.
func made(t *testing.T, s *scenario.Scenario, part topology.Selection) *cluster.System {
	t.Helper()
	return expect.Value(cluster.New(s.Machine, part, s.Network.Network, cluster.NoLimit))(t)
}

// carried returns how long a program takes on the links of a machine, with one rank on each of the first nodes.
func carried(t *testing.T, s *scenario.Scenario, ranks int, body func(r *sim.Rank)) float64 {
	t.Helper()
	makespan := expect.Value(made(t, s, topology.Selection{}).Time(context.Background(), sim.NewProgram(ranks, body)))(t)
	return float64(makespan)
}

// wired is a machine of 8 nodes, n-1 to n-8, with 4 us and 1 GB/s. more is what else its network has.
func wired(t *testing.T, more string) *scenario.Scenario {
	t.Helper()
	return scenariotest.Scenario(t, `
machine:
  node_types: {n: {cores: 2, marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: 8}]
  network:
    latency: 4 us
    bandwidth: 1 GB/s
  `+more+`
network: flow
workload: {name: pattern, n: 1}
`)
}

// Two pairs on 4 us and 1 GB/s, with messages of 1 MB: a millisecond if the message has the link to itself.
func TestPairsOnABusAndAStar(t *testing.T) {
	oneWay := func(r *sim.Rank) {
		if me := r.Rank(); me%2 == 0 {
			r.Send(me+1, 0, 1e6)
		} else {
			r.Recv(me-1, 0)
		}
	}
	exchange := func(r *sim.Rank) { r.Sendrecv(r.Rank()^1, 0, 1e6, r.Rank()^1) }
	for _, tt := range []struct {
		name, network string
		body          func(r *sim.Rank)
		want          float64
	}{
		{"one way, star", "  topology: star", oneWay, 1.004e-3},
		{"one way, bus", "  topology: bus", oneWay, 2.004e-3},
		{"exchange, star", "", exchange, 1.004e-3},
		{"exchange, half-duplex star", "  half_duplex: true", exchange, 2.004e-3},
		{"exchange, bus", "  topology: bus", exchange, 4.004e-3},
		// 2 us on each of the cables and 4 us on the backbone, which has 4 MB.
		{"exchange, backbone", "  topology: backbone", exchange, 4.008e-3},
		// n-1 and n-2 are neighbours on the grid, and n-3 and n-4.
		{"exchange, mesh", "  topology: {name: mesh, dimensions: [4, 2]}", exchange, 1.004e-3},
	} {
		expect.Near(t, carried(t, wired(t, tt.network), 4, tt.body), tt.want, 1e-12, "%s", tt.name)
	}
}

// Without a topology, groups with other connections than the nodes in them become subclusters. A message on its own
// takes what between_groups says; two share the uplink.
func TestGroupsBecomeSubclusters(t *testing.T) {
	s := scenariotest.Scenario(t, hierarchical+"network: {name: flow, send_overhead: 0 s}\n")
	s.Machine.Groups[1].Count = 2 // one more, so that two can be reached
	for _, tt := range []struct {
		name string
		body func(r *sim.Rank)
		want float64
	}{
		{"in a group", scenariotest.Sends([2]int{0, 1}), 10e-6 + 1e6/1e9},
		{"between groups", scenariotest.Sends([2]int{0, 2}), 50e-6 + 1e6/100e6},
		{"between groups, two at once", scenariotest.Sends([2]int{0, 2}, [2]int{1, 3}), 50e-6 + 2e6/100e6},
	} {
		expect.Near(t, carried(t, s, 4, tt.body), tt.want, 1e-12, "%s", tt.name)
	}
	p, err := build.Platform(s.Machine)
	expect.Success(t, err)
	want := []string{"no topology is given: between_groups becomes one uplink of 100 MB/s for each group of nodes, which all messages that leave or enter the group share"}
	expect.Same(t, p.Notes, want, "what was read")
	s.Machine.Network.BetweenGroups.Latency = 1e-6
	expect.Near(t, carried(t, s, 4, scenariotest.Sends([2]int{0, 2})), 10e-6+1e6/100e6, 1e-12, "the cables alone have 10 us")
	p, err = build.Platform(s.Machine)
	expect.That(t, err == nil && len(p.Notes) == 2 && strings.Contains(p.Notes[1], "between_groups has less latency than the network, 1 us"),
		"%v, %q", err, p.Notes)
	s.Machine.Network.Topology = build.Star{}
	expect.Near(t, carried(t, s, 4, scenariotest.Sends([2]int{0, 2})), 10e-6+1e6/1e9, 1e-12,
		"with a topology between_groups is not used")
}

// One message between two devices takes the same time in all models that have times:
// by the link inside a node, by one card between nodes.
func TestMessagesOfDevices(t *testing.T) {
	const machine = `
machine:
  node_types:
    gpu:
      marked_speed: 10 Gflop/s
      nics: 8
      nic: 50 GB/s
      devices: {count: 8, speed: {fp64: 30 Tflop/s}, memory_bandwidth: 3 TB/s, link: {latency: 2 us, bandwidth: 400 GB/s}}
  nodes: [{type: gpu, count: 2}]
  network: {latency: 5 us, bandwidth: 50 GB/s}
placement: {gpu: {on: devices}}
workload: {name: pattern, n: 1}
`
	for _, network := range []string{"hockney", "loggops", "flow"} {
		bytes := 1e6
		if network == "loggops" {
			bytes-- // G (m - 1)
		}
		for to, want := range map[int]float64{3: 2e-6 + bytes/400e9, 8: 5e-6 + bytes/50e9} {
			s := scenariotest.Scenario(t, machine+"network: "+network+"\n")
			got, err := made(t, s, s.Selection).Time(context.Background(), sim.NewProgram(16, scenariotest.Sends([2]int{0, to})))
			expect.That(t, err == nil && math.Abs(float64(got)-want) <= 1e-12*want,
				"%s, 0 to %d: %v, %v; want %v s", network, to, got, err, want)
		}
	}
}

// The node type says how its cores are connected, unless the scenario does; the others take what the machine says.
func TestOnNodeByNodeType(t *testing.T) {
	const text = `
machine:
  node_types:
    own: {cores: 2, marked_speed: 1 Gflop/s, on_node: {latency: 3 us, bandwidth: 4 GB/s}}
    plain: {cores: 2, marked_speed: 1 Gflop/s}
  nodes: [{type: own, count: 1}, {type: plain, count: 1}]
  network: {latency: 9 us, bandwidth: 1 GB/s, on_node: {latency: 1 us, bandwidth: 2 GB/s}}
network: NETWORK
placement: {own: 2, plain: 2}
workload: {name: pattern, n: 1}
`
	for _, tt := range []struct {
		network string
		want    [2]float64 // of 1 MB inside own and inside plain
	}{
		{"hockney", [2]float64{3e-6 + 0.25e-3, 1e-6 + 0.5e-3}},
		{"loggops", [2]float64{3e-6 + 0.25e-3 - 1/4e9, 1e-6 + 0.5e-3 - 1/2e9}}, // G (m - 1)
		{"flow", [2]float64{3e-6 + 0.25e-3, 1e-6 + 0.5e-3}},
		{"{name: hockney, on_node: {latency: 0 s, bandwidth: 1 GB/s}}", [2]float64{1e-3, 1e-3}},
	} {
		s := scenariotest.Scenario(t, strings.Replace(text, "NETWORK", tt.network, 1))
		sys := made(t, s, s.Selection)
		for i, want := range tt.want {
			got, err := sys.Time(context.Background(), sim.NewProgram(4, scenariotest.Sends([2]int{2 * i, 2*i + 1})))
			expect.That(t, err == nil && math.Abs(float64(got)-want) <= 1e-12*want,
				"%s, node %d: %v, %v; want %v s", tt.network, i, got, err, want)
		}
	}
}
