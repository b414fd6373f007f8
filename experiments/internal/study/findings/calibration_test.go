package findings

import (
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Two equal machines are falsely told apart in at most 5 % of 200 studies, although each study asks up to seven times;
// two that differ by 1 % are told apart in at least 80 %, within the runs that the plan allows. Each point has its own
// seed, so that nothing cancels.
func TestMachinesAreToldApart(t *testing.T) {
	expect.Long(t, "runs 400 studies")
	const studies, mostFalse, leastFound = 200, 10, 160
	wrong, found, right, runs := 0, 0, 0, 0
	for seed := range studies {
		plan := fmt.Sprintf(`scenario:
  machine:
    node_types: {n: {cores: 1, marked_speed: 1 Gflop/s}}
    nodes: [{type: n, count: 4}]
    network: {latency: 1 us, bandwidth: 1 GB/s}
  network: hockney
  workload: {name: pattern, n: 200, size: 8 B, compute: 1 Mflop, imbalance: 0.5}
repetitions: {least: 5, more: 600}
seeds: point
seed: %d
objective: {minimize: time, size: processes}
`, seed+1)
		equal := finished(t, plan+"factors: {machine: {path: title, values: [first, second]}}\n")
		expect.Need(t, len(equal.Ranking) == 2 && equal.Study.Design.More == 600, "%d configurations", len(equal.Ranking))
		if !equal.Ranking[1].WithinNoise {
			wrong++
		}
		differ := finished(t, plan+"factors: {speed: {path: machine.node_types.n.marked_speed, values: [1 Gflop/s, 1.01 Gflop/s]}}\n")
		if !differ.Ranking[1].WithinNoise {
			found++
			right += differ.Ranking[0].Levels[0]
		}
		rows := len(differ.Table.Rows)
		runs += rows
		expect.That(t, rows >= 10 && rows <= 610, "%d runs", rows)
	}
	t.Logf("of %d studies %d are false, %d of 1 %% are found, %d rightly, with %d runs each in the mean", studies, wrong, found, right, runs/studies)
	expect.That(t, wrong <= mostFalse && found >= leastFound && right >= found-mostFalse,
		"of %d studies %d are false, %d of 1 %% are found, %d rightly", studies, wrong, found, right)
}
