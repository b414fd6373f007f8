package system

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// Collectives on 64 nodes of a star, with l = 2 us and a block that takes b = 1 MB/(12.5 GB/s)
// = 80 us. By default the sender of a block under flow waits for its receiver, so that it has
// its cable for itself, as in the closed forms: 492 us for a broadcast, and not the 1692 us of
// blocks that a process sends side by side. The table of docs/models/flow.md has the times,
// without a limit, by default and under hockney.
func TestCollectivesByTheDefaultOfFlow(t *testing.T) {
	const l, b = 2.0, 80.0 // us
	page := string(expect.Value(os.ReadFile("../../../../docs/models/flow.md"))(t))
	for _, tt := range []struct {
		op, algorithm string
		want          float64 // by default, us; 0 where there is no closed form
	}{
		{"bcast", "binomial", 6 * (l + b)},
		{"bcast", "scatter-allgather", 0},
		{"scatter", "binomial", 6*l + 63*b}, // the root sends 32, 16, ... blocks
		{"gather", "flat", 63 * (l + b)},
		{"scan", "recursive-doubling", 6 * (l + b)},
		{"allreduce", "ring", 126 * (l + b/64)},
	} {
		row := fmt.Sprintf("| %s, %s |", tt.op, strings.ReplaceAll(tt.algorithm, "recursive-", "recursive "))
		for _, network := range []string{"{name: flow, eager_limit: none}", "flow", "hockney"} {
			got := 1e6 * float64(simulated(t, scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types: {n: {marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: 64}]
  network: {latency: 2 us, bandwidth: 12.5 GB/s, topology: star}
network: %s
workload: {name: collective, op: %s, algorithm: %s, n: 1, size: 1 MB}
`, network, tt.op, tt.algorithm))).Makespan)
			expect.That(t, network != "flow" || tt.want == 0 || near(got, tt.want), "%s takes %v us, want %v", row, got, tt.want)
			row += fmt.Sprintf(" %.4g |", got)
		}
		expect.That(t, strings.Contains(page, "\n"+row+"\n"), "docs/models/flow.md has no row %s", row)
	}
}
