package system

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/expect"
)

// Process 0 computes for 3 ms and sends 1 MB, which takes 1.01 ms, to process 1, which waits for it and computes for 1 ms.
// Process 0 then has nothing to do. The time is 5.01 ms under each network, on which there is one message.
func TestOutcomesThatExplain(t *testing.T) {
	const machine = `
machine:
  node_types: {n: {marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: 2}]
  network: {latency: 10 us, bandwidth: 1 GB/s, topology: star}
workload: {application: a.yaml}
network: `
	const application = `
application: pass
work: 4 Mflop
program:
  - when: rank == 0
    do: [{compute: 3 Mflop}, {send: {to: 1, size: 1 MB}}]
    else: [{recv: {from: 0}}, {compute: 1 Mflop}]
`
	const T = 5.01
	want := map[string]float64{
		"wait_late_sender": 3.0 / 2 / T, "wait_transfer": 1.01 / 2 / T, "wait_idle_at_the_end": 2.01 / 2 / T,
		"share_of_speed": 4 / T, "share_of_latency": 0.01 / T, "share_of_bandwidth": 1 / T,
	}
	for _, network := range []string{"hockney", "{name: flow, eager_limit: none}"} {
		s := expect.Value(scenario.Documents{"s.yaml": []byte(machine + network), "a.yaml": []byte(application)}.Read("s.yaml", nil))(t)
		more := More{Explained: Explained{Waits: true, Sensitivities: true}}
		values := expect.Value(RunCaseWithin(t.Context(), &scenario.Case{Scenario: s}, more, cluster.NoLimit))(t)
		for i, o := range outcomesOf(more)[len(outcomes):] {
			x := values[len(outcomes)+i]
			if network != "hockney" && o.Lacking != "" {
				expect.That(t, math.IsNaN(x), "%s under flow: %v", o.Name, x)
				continue
			}
			expect.That(t, math.Abs(x-want[o.Name]) < 1e-9, "%s: %s is %v, want %v", network, o.Name, x, want[o.Name])
		}
	}
}
