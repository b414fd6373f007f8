package system_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// pipeline runs a model of 64 layers on 8 devices of 1 Pflop/s, a stage each, with free messages. The logits have
// a vocabulary of 1.
func pipeline(t *testing.T, micros int, with string) *system.Simulation {
	t.Helper()
	s := scenariotest.Scenario(t, fmt.Sprintf(`
machine: {node_types: {d: {marked_speed: 1 Pflop/s}}, nodes: [{type: d, count: 8}], network: {latency: 0 s, bandwidth: 1 GB/s}}
network: ideal
workload: {name: transformer, n: %d, layers: 64, vocabulary: 1, pp: 8, flash: false, %s}
`, micros, with))
	return expect.Value(expect.Value(system.New(s))(t).Simulate(context.Background(), micros))(t)
}

// Interleaved 1F1B takes (m + (pp-1)/vp) slots [Narayanan2021]: a slot is the work of a micro-batch on a stage, of
// which W is 8 m.
func TestTransformerPipeline(t *testing.T) {
	for _, vp := range []int{1, 2, 4, 8} {
		for _, micros := range []int{8, 16, 64} {
			x := pipeline(t, micros, fmt.Sprintf("vp: %d", vp))
			slot := float64(x.Work) / float64(8*micros) / 1e15
			expect.Close(t, float64(x.Makespan), (float64(micros)+7/float64(vp))*slot, 1e-5, "vp %d, %d micro-batches", vp, micros)
		}
	}
}

// ZB-H1 [Qi2023] has a bubble of (pp-1) (F + B - W). With almost no attention F = B = W, and it is a third of
// that of 1F1B.
func TestTransformerZeroBubble(t *testing.T) {
	for _, micros := range []int{8, 16, 64} {
		x := pipeline(t, micros, "sequence: 1, schedule: zero-bubble")
		slot := float64(x.Work) / float64(8*micros) / 1e15
		expect.Close(t, float64(x.Makespan), (float64(micros)+7.0/3)*slot, 1e-4, "%d micro-batches", micros)
	}
}

// Stages end whatever the schedule, also where every message waits for its receiver.
func TestTransformerEndsWhereMessagesWait(t *testing.T) {
	for _, pp := range []int{2, 3, 5, 8, 13} {
		for vp := 1; vp <= 6; vp++ {
			for _, groups := range []int{1, 2, 7} {
				for _, schedule := range []string{"1f1b", "zero-bubble"} {
					if schedule != "1f1b" && vp > 1 {
						continue
					}
					s := scenariotest.Scenario(t, fmt.Sprintf(`
machine: {node_types: {d: {marked_speed: 1 Pflop/s}}, nodes: [{type: d, count: %d}], network: {latency: 5 us, bandwidth: 1 GB/s}}
network: {name: hockney, eager_limit: 0 B}
workload: {name: transformer, n: %d, layers: %d, pp: %d, vp: %d, schedule: %s}
`, pp, groups*pp, pp*vp, pp, vp, schedule))
					_, err := expect.Value(system.New(s))(t).Simulate(context.Background(), groups*pp)
					expect.That(t, err == nil, "pp %d, vp %d, %d micro-batches, %s: %v", pp, vp, groups*pp, schedule, err)
				}
			}
		}
	}
}
