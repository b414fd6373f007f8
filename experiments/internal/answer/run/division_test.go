package run

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// However nodes of a type are divided among the entries of a machine, the answer is the same to
// the last bit and name under every network, unless between_groups makes the entries groups.
func TestDivisionOfNodesIntoEntries(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 25))
	models := append(networks.Names(), "{name: hockney, eager_limit: 1 kB}")
	for round := range 60 {
		n := []int{2, 4, 6, 8}[random.IntN(4)]
		topologies := []string{"", ", topology: star", ", topology: bus", ", topology: backbone, half_duplex: true",
			fmt.Sprintf(", topology: {name: torus, dimensions: [%d, 2]}", n/2),
			fmt.Sprintf(", topology: {name: fat-tree, hosts: %d, spines: 2}", n/2),
			fmt.Sprintf(", topology: {name: tree, levels: [2, %d], uplinks: [{latency: 5 us, bandwidth: 1 GB/s}]}", n/2),
			fmt.Sprintf(", topology: {name: tree, subclusters: [{nodes: 1, uplink: {latency: 1 us, bandwidth: 2 GB/s}}, {nodes: %d, uplink: {latency: 1 us, bandwidth: 2 GB/s}}]}", n-1),
			", topology: {name: graph, switches: [s], links: [" + cables(n) + "]}"}
		onNode := []string{"", ", on_node: {latency: 0.1 us, bandwidth: 10 GB/s}"}[random.IntN(2)]
		text := func(nodes string) string {
			return fmt.Sprintf(`machine:
  node_types: {w: {cores: 2, marked_speed: 1 Gflop/s}, a: {marked_speed: 2 Gflop/s}}
  nodes: [%s]
  network: {latency: 1 us, bandwidth: 1 GB/s%s%s}
placement: {w: 2}
nodes: {w: %d}
network: %s
workload: {name: collective, op: alltoall, n: 1, size: 100 kB}
`, nodes, onNode, topologies[round%len(topologies)], n, models[round%len(models)])
		}
		var entries []string
		for left := n; left > 0; {
			k := 1 + random.IntN(left)
			if left == n {
				k = 1 + random.IntN(n-1)
			}
			entries = append(entries, fmt.Sprintf("{type: w, count: %d}", k))
			left -= k
		}
		whole, divided := text(fmt.Sprintf("{type: w, count: %d}", n)), text(strings.Join(entries, ", "))
		expect.Equal(t, answerOf(t, divided), answerOf(t, whole), "%s", divided)
	}
}

// The same holds if the engine divides the ranks into shards, on one core and on all.
func TestDivisionOfNodesIntoEntriesInShards(t *testing.T) {
	expect.Long(t, "runs 4096 ranks again and again")
	for _, model := range networks.Names() {
		for _, inside := range []string{"", ", on_node: {latency: 0.1 us, bandwidth: 10 GB/s}"} {
			for _, workload := range []string{"{name: pattern, shape: ring, n: 3, size: 100 kB, imbalance: 0.3}", "{name: collective, op: allreduce, n: 1, size: 1 kB}"} {
				text := func(nodes string) string {
					return fmt.Sprintf(`machine:
  node_types: {w: {cores: 1024, marked_speed: 1 Tflop/s}}
  nodes: [%s]
  network: {latency: 1 us, bandwidth: 1 GB/s%s}
placement: {w: 1024}
network: %s
workload: %s
`, nodes, inside, model, workload)
				}
				const whole, divided = "{type: w, count: 4}", "{type: w, count: 1}, {type: w, count: 3}"
				want := answerOf(t, text(whole))
				for _, cores := range []int{1, 4} {
					old := runtime.GOMAXPROCS(cores)
					got := answerOf(t, text(divided))
					runtime.GOMAXPROCS(old)
					expect.That(t, got == want, "%s on %d cores: %.300s\ninstead of\n%.300s", text(divided), cores, got, want)
				}
			}
		}
	}
}

// cables connects n nodes to a switch.
func cables(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("{from: w-%d, to: s}", i+1)
	}
	return strings.Join(all, ", ")
}

// answerOf returns the answer to a scenario without its provenance.
func answerOf(t *testing.T, text string) string {
	t.Helper()
	s := scenariotest.Scenario(t, text)
	r := expect.Value(Run(context.Background(), s, Options{AllRanks: true, Links: s.HasLinks(), Matrix: true, CriticalPath: true}))(t)
	r.Provenance = input.Provenance{}
	return string(expect.Value(json.Marshal(r))(t))
}
