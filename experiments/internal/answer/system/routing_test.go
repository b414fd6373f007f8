package system

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
)

// sending is a program in which some ranks send 1 MB to another.
type sending struct {
	to   []int32 // by rank, -1 for none
	done []bool
}

func (p sending) Ranks() int { return len(p.to) }

func (p sending) Next(rank int, op *workloads.Op) bool {
	if p.done[rank] {
		return false
	}
	p.done[rank] = true
	from := slices.Index(p.to, int32(rank))
	switch {
	case p.to[rank] >= 0 && from >= 0:
		*op = workloads.Op{Kind: workloads.Sendrecv, Peer: p.to[rank], From: int32(from), Size: 1e6}
	case p.to[rank] >= 0:
		*op = workloads.Op{Kind: workloads.Send, Peer: p.to[rank], Size: 1e6}
	case from >= 0:
		*op = workloads.Op{Kind: workloads.Recv, Peer: int32(from)}
	default:
		return false
	}
	return true
}

// routed is the time of a program on 1 GB/s and 2 us, with a core each.
func routed(t *testing.T, topology, routing string, seed int64, nodes int, to func(rank int) int) float64 {
	t.Helper()
	s := scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types: {n: {marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: %d}]
  network: {latency: 2 us, bandwidth: 1 GB/s, topology: %s}
network: {name: flow, routing: %s, eager_limit: none} # messages start in the order of the ranks
workload: {name: pattern, n: 1, shape: ring, size: 1 B}
seed: %d
`, nodes, topology, routing, seed))
	sys := made(t, s)
	p := sending{make([]int32, nodes), make([]bool, nodes)}
	for rank := range p.to {
		p.to[rank] = int32(to(rank))
	}
	sys.Program = func(workloads.Program) workloads.Program { return p }
	return float64(ran(t, sys, 1).Makespan)
}

// TestSpreadHasFullBisection sends from the four hosts of a leaf to the first hosts of four others, all of
// which d-mod-k reaches by spine 0: four messages share its cable. In equal parts over the four
// spines each message has its host's bandwidth. A route has four cables of 1 us. With four
// times as many hosts as spines the cables are the limit: 2 of 1/2 the bandwidth each, for 4 MB.
func TestSpreadHasFullBisection(t *testing.T) {
	column := func(rank int) int {
		if rank < 4 {
			return 4 * (rank + 1)
		}
		return -1
	}
	shift := func(rank int) int { return (rank + 4) % 20 }
	const one, latency = 1e-3, 4e-6
	for _, tt := range []struct {
		name, topology, routing string
		to                      func(int) int
		want                    float64
	}{
		{"one column by one spine", "{name: fat-tree, hosts: 4, spines: 4}", "minimal", column, 4*one + latency},
		{"one column by all spines", "{name: fat-tree, hosts: 4, spines: 4}", "spread", column, one + latency},
		{"a shift, which parts by d-mod-k", "{name: fat-tree, hosts: 4, spines: 4}", "minimal", shift, one + latency},
		{"a shift by all spines", "{name: fat-tree, hosts: 4, spines: 4}", "spread", shift, one + latency},
		{"oversubscribed", "{name: fat-tree, hosts: 4, spines: 2, oversubscription: 4}", "spread", column, 4*one + latency},
		{"three levels", "{name: fat-tree, down: [2, 2, 5], up: [1, 2, 2], cables: [1, 1, 1]}", "spread", column, one + 1.5*latency},
	} {
		expect.Close(t, routed(t, tt.topology, tt.routing, 1, 20, tt.to), tt.want, 1e-9, "%s: time", tt.name)
	}
}

// TestValiantParts sends from the eight hosts of each of 9 groups to those of the next. The one cable between
// the two groups carries 8 MB on minimal routes. By random groups the link with most messages, k, has
// 1/k of its bandwidth for each at least and all of them to carry, so that the last ends after k ms
// and a latency. On average over seeds that is less than on minimal routes.
func TestValiantParts(t *testing.T) {
	fly := build.Dragonfly{Groups: 9, Chassis: 1, Routers: 8, Nodes: 1, GlobalCables: 1, ChassisCables: 1, RouterCables: 1}
	const text, latency = "{name: dragonfly, groups: 9, routers: 8, nodes: 1}", 10 * 2e-6
	c := build.Cluster{Network: build.Network{Bandwidth: 1}, Topology: fly}
	for i := range 72 {
		c.Nodes = append(c.Nodes, build.Node{Name: fmt.Sprint("n", i), Cores: 1, Speed: 1})
	}
	p := expect.Value(c.Platform())(t)
	next := func(rank int) int { return (rank + 8) % 72 }
	minimal := routed(t, text, "minimal", 1, 72, next)
	expect.That(t, minimal >= 8e-3 && minimal <= 8e-3+latency, "minimal routes take %v s; expected 8 ms", minimal)
	sum := 0.0
	for seed := range int64(8) {
		load := make([]float64, len(p.Links))
		for rank := range 72 {
			links, _ := build.Ways(p, build.Valiant, seed)(nil, nil, int32(rank), int32(next(rank)), uint64(rank))
			for _, l := range links {
				load[l]++
			}
		}
		want := slices.Max(load) * 1e-3
		got := routed(t, text, "valiant", seed, 72, next)
		expect.That(t, got >= want && got <= want+latency, "seed %d: %v s; expected %v and a latency", seed, got, want)
		sum += got
	}
	expect.That(t, sum/8 < minimal, "%v s on average, and %v on minimal routes", sum/8, minimal)
}

// TestRoutingOfScenarios: random ways depend on the seed, and a topology without a choice is refused.
func TestRoutingOfScenarios(t *testing.T) {
	const text = "{machine: {node_types: {n: {marked_speed: 1 Gflop/s}}, nodes: [{type: n, count: 8}], network: {latency: 2 us, bandwidth: 1 GB/s, topology: TOPOLOGY}}, " +
		"network: {name: flow, routing: ROUTING}, workload: {name: pattern, n: 1, shape: ring, size: 1 B}}"
	read := func(topology, routing string) (*scenario.Scenario, error) {
		d := scenario.Documents{"s.yaml": []byte(strings.NewReplacer("TOPOLOGY", topology, "ROUTING", routing).Replace(text))}
		return d.Read("s.yaml", nil)
	}
	s := expect.Value(read("{name: dragonfly, groups: 4, routers: 2, nodes: 1}", "valiant"))(t)
	expect.That(t, (&scenario.Case{Scenario: s}).Draws(), "random ways draw nothing")
	s = expect.Value(read("{name: dragonfly, groups: 4, routers: 2, nodes: 1}", "spread"))(t)
	expect.That(t, !(&scenario.Case{Scenario: s}).Draws(), "even parts draw")
	expect.Refusal(read("star", "spread"))(t, "network.routing: routing spread on a machine without a fat tree or a dragonfly; expected minimal")
}
