package findings

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
)

// At r1 + r2 = 6 one factor follows from the other: curves over one are drawn through all points, not as seven curves
// of one point each. A size that is a factor has one configuration, so nothing is said about growth, and nothing fails.
func TestFactorsThatFollowFromEachOther(t *testing.T) {
	const plan = `scenario: {workload: super-program, log2_levels: [2, 2], tasks: [128, 512], imbalance: [0.9, 0.7]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 6}
  r2: {path: "log2_levels[1]", from: 0, to: 6}
exclude: ["r1 + r2 != 6"]
objective: {maximize: log2_speedup, size: r1}
`
	r := finished(t, plan)
	expect.That(t, len(r.Warnings) == 0, "warnings %q", r.Warnings)
	expect.That(t, !strings.Contains(strings.Join(r.Summary(), " "), "single steps"), "%q", r.Summary())
	lines := 0
	for _, s := range r.Report().Sections {
		for _, b := range s.Blocks {
			c, ok := b.(*report.LineChart)
			if !ok || s.Heading != "Curves" {
				continue
			}
			lines++
			expect.That(t, len(c.Series) == 1 && len(c.Series[0].X) == 7, "%s: %d curves, the first of %d points", c.Title,
				len(c.Series), len(c.Series[0].X))
			expect.That(t, strings.Contains(c.Caption, "differs from point to point."), "caption %q", c.Caption)
		}
	}
	expect.Equal(t, lines, 2, "charts of curves")
}

// If there are several ways to grow, a size that is a factor is named with that factor.
func TestSizeIsAFactor(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, log2_levels: [2, 2], tasks: [128, 512], imbalance: [0.9, 0.7]}
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 4}
  r2: {path: "log2_levels[1]", from: 0, to: 4}
objective: {maximize: log2_speedup, size: r1}
`)
	expect.That(t, len(r.Warnings) == 0, "warnings %q", r.Warnings)
	text := strings.Join(r.Summary(), "\n")
	expect.That(t, strings.Contains(text, "Over 5 sizes, r1 = 0 to 4, the best configuration "), "%s", text)
}

// A factor that decides what fits has an effect, even if everything that fits takes equally long.
func TestMemoryThatDecidesWhatIsFeasible(t *testing.T) {
	r := finished(t, `scenario:
  machine:
    node_types: {n: {cores: 1, marked_speed: 1 Gflop/s, memory: 1 GB}}
    nodes: [{type: n, count: 4}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: matmul, n: 4000}
factors:
  mem: {path: machine.node_types.n.memory, values: [300 MB, 500 MB, 1000 MB]}
  nodes: {path: nodes.n, values: [2, 3, 4]}
`)
	all := strings.Join(r.Warnings, "\n")
	expect.That(t, strings.Contains(all, "nothing is feasible at mem = 300 MB; among its other levels mem has no effect"), "%s", all)
	expect.That(t, !strings.Contains(all, "check that the scenario uses it"), "%s", all)
}

// Machines are those of the levels: memory counts even if the scenario is complete only with the factors, and some
// levels state none.
func TestMemoryOfLevels(t *testing.T) {
	r := finished(t, `scenario:
  machine:
    node_types: {n: {cores: 1, marked_speed: 1 Gflop/s}}
    nodes: [{type: n, count: 4}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: matmul}
factors:
  workload.n: [1000, 4000]
  node:
    path: machine.node_types.n
    values: [{marked_speed: 1 Gflop/s}, {marked_speed: 2 Gflop/s, memory: 1 MB}]
    labels: [slow, fast]
`)
	text := strings.Join(append(r.Summary(), r.Warnings...), "\n")
	expect.That(t, r.Infeasible == 2, "%d infeasible", r.Infeasible)
	expect.That(t, !strings.Contains(text, "node = fast:"), "%s", text)
}

// Conditions on outcomes exclude points from being the best. Process 0 of matmul keeps all of three matrices of 128 MB,
// and 2, 4 and 8 nodes take slightly more than 64, 32 and 16 s for the 128 Gflop.
func TestConditionsOfFeasiblePoints(t *testing.T) {
	plan := func(conditions string) string {
		return `scenario:
  machine:
    node_types: {n: {cores: 1, marked_speed: 1 Gflop/s, memory: 1 GB}}
    nodes: [{type: n, count: 8}]
    network: {latency: 20 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: matmul, n: 4000}
factors:
  nodes: {path: nodes.n, values: [2, 4, 8]}
infeasible: ` + conditions + "\n"
	}
	r := finished(t, plan("[memory > 383 MB]"))
	expect.List(t, r.Summary(), []string{"No point is feasible."}, "summary")
	r = finished(t, plan("[memory > 385 MB and nodes > 1, time < 20 s or nodes > 9]"))
	text := strings.Join(append(r.Summary(), r.Warnings...), "\n")
	expect.That(t, r.Infeasible == 1 && r.Ranking[0].Levels[0] == 1, "%d infeasible, %v", r.Infeasible, r.Ranking)
	expect.That(t, strings.Contains(text, "1 of 3 points are infeasible, by their memory or the conditions of the plan"), "%s", text)
}

// Times that differ by less than the effect of small changes of the machine are not told apart; larger differences are.
func TestDifferencesWithinSmallChanges(t *testing.T) {
	plan := func(bandwidths string) string {
		return `scenario:
  machine:
    node_types: {n: {marked_speed: 1 Gflop/s}}
    nodes: [{type: n, count: 8}]
    network: {latency: 10 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: stencil3d, n: 60}
factors: {machine.network.bandwidth: [` + bandwidths + `]}
perturb: {fields: [machine.network.bandwidth], by: 0.001}
`
	}
	once, _, _ := strings.Cut(plan("0.9999 GB/s, 1 GB/s, 1.0001 GB/s], machine.network.latency: [9.999 us, 10 us"), "perturb")
	text := strings.Join(finished(t, once).Summary(), "\n")
	expect.That(t, strings.Contains(text, "all values are within 0.0") && !strings.Contains(text, "share"), "%s", text)
	text = strings.Join(finished(t, plan("0.9999 GB/s, 1 GB/s, 1.0001 GB/s")).Summary(), "\n")
	expect.That(t, strings.Contains(text, "2 other configurations may be as good"), "%s", text)
	expect.That(t, strings.Contains(text, "with changes of machine.network.bandwidth by up to 0.1 %"), "%s", text)
	expect.That(t, !strings.Contains(text, "share"), "%s", text)
	text = strings.Join(finished(t, plan("0.8 GB/s, 1 GB/s, 1.2 GB/s")).Summary(), "\n")
	expect.That(t, strings.Contains(text, "it is told apart from all others"), "%s", text)
}
