package cluster_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// domains has entries of nodes with 2 devices each, a card of 50 GB/s for each device and domains of 2 nodes.
func domains(t *testing.T, nodes, domain, network string) *scenario.Scenario {
	t.Helper()
	return scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types:
    gpu:
      marked_speed: 1 Gflop/s
      nics: 2
      devices: {count: 2, speed: {fp64: 1 Tflop/s}, link: {latency: 2 us, bandwidth: 400 GB/s}, domain: {nodes: 2%s}}
  nodes: [%s]
  network: {latency: 5 us, bandwidth: 50 GB/s}
placement: {gpu: {on: devices}}
network: %s
workload: {name: matmul, n: 8}
`, domain, nodes, network))
}

const slower = ", link: {latency: 3 us, bandwidth: 100 GB/s}"

// Entries of 5 and 2 nodes: domains are the nodes 0 1, 2 3 and 4, and 5 6. Ranks 2i and 2i + 1 are on node i. A message
// of 1 GB takes the link of the devices, 2 us + 1 GB/(400 GB/s), inside a node, that of the domain between its nodes,
// and otherwise the cards, 5 us + 1 GB/(50 GB/s). With loggops the first byte is free.
func TestMessagesInDomains(t *testing.T) {
	const m = 1e9
	type cost struct{ latency, rest float64 }
	link, domain, between := cost{2e-6, m / 400e9}, cost{3e-6, m / 100e9}, cost{5e-6, m / 50e9}
	for _, tt := range []struct {
		name, domain string
		from, to     int
		want         cost
	}{
		{"inside a node", "", 0, 1, link},
		{"between nodes of a domain", "", 0, 3, link},
		{"the other way", "", 3, 0, link},
		{"of the second domain", "", 5, 6, link},
		{"next domain", "", 3, 4, between},
		{"domain of one node", "", 8, 9, link},
		{"next entry", "", 9, 10, between},
		{"domain of the next entry", "", 10, 13, link},
		{"inside a node, two links", slower, 0, 1, link},
		{"in a domain, two links", slower, 0, 3, domain},
		{"next domain, two links", slower, 3, 4, between},
	} {
		for network, part := range map[string]float64{"flow": 1, "hockney": 1, "loggops": 1 - 1/m} {
			s := domains(t, "{type: gpu, count: 5}, {type: gpu, count: 2}", tt.domain, network)
			got := expect.Value(made(t, s, s.Selection).Time(context.Background(), messages(14, m, [][2]int{{tt.from, tt.to}})))(t)
			expect.Near(t, got, units.Seconds(tt.want.latency+tt.want.rest*part), 1e-12, "%s, %s", tt.name, network)
		}
	}
}

// By recursive doubling, 16 devices in 4 domains exchange 1 GB once in their node, once in their domain and twice with
// other domains, where each has its own card.
func TestAllreduceOnThreeLevels(t *testing.T) {
	const m = 1e9
	for network, part := range map[string]float64{"flow": 1, "hockney": 1, "loggops": 1 - 1/m} {
		for domain, inDomain := range map[string][2]float64{"": {2e-6, m / 400e9}, slower: {3e-6, m / 100e9}} {
			s := domains(t, "{type: gpu, count: 8}", domain, network)
			got := called(t, made(t, s, s.Selection).Places(), workloads.Allreduce, "recursive-doubling", collective.Call{Size: 16}, m)
			want := 2e-6 + inDomain[0] + 2*5e-6 + part*(m/400e9+inDomain[1]+2*m/50e9)
			expect.Near(t, got, units.Seconds(want), 1e-12, "%s, %s", network, domain)
		}
	}
}

// A collective operation with leaders has leaders in each domain, between those of nodes and of the machine.
func TestPlacesInDomains(t *testing.T) {
	s := domains(t, "{type: gpu, count: 4}", "", "hockney")
	levels := made(t, s, s.Selection).Places().Levels()
	expect.Need(t, len(levels) == 4, "levels %v", levels)
	expect.List(t, levels[2], []int32{0, 0, 0, 0, 2, 2, 2, 2}, "domains")
	expect.List(t, levels[3], []int32{0, 0, 1, 1, 2, 2, 3, 3}, "nodes")
}
