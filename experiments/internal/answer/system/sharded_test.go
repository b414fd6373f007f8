package system_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// A model of 4 layers of 12 h^2 and two ends of V h parameters, 2 B each, on 8 devices of a node, 3 micro-batches each.
// Whole parameters: a reduce-scatter and an all-gather of all parameters at the end. Sharded: two all-gathers and a
// reduce-scatter of each quarter for each micro-batch, in turn with the layers or, but for the ends, beside them.
func TestShardedParametersByHand(t *testing.T) {
	const (
		micros, layers, h, vocabulary = 3, 4, 1024., 4096.
		bytes                         = 2 * (layers*12*h*h + 2*vocabulary*h)
	)
	ring := func(bytes float64) float64 { return 7*2e-6 + 7./8*bytes/400e9 }
	step := func(more string) float64 {
		s := scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types:
    gpu: {marked_speed: 1 Gflop/s, nics: 8, devices: {count: 8, speed: {bf16: 1 Tflop/s}, memory_bandwidth: 1 TB/s, link: {latency: 2 us, bandwidth: 400 GB/s}}}
  nodes: [{type: gpu, count: 1}]
  network: {latency: 5 us, bandwidth: 50 GB/s}
network: hockney
placement: {gpu: {on: devices, precision: bf16}}
workload: {name: transformer, n: %d, layers: %d, hidden: %g, heads: 8, ffn: %g, gated: false, vocabulary: %g, sequence: 64, %s}
`, 8*micros, layers, h, 4*h, vocabulary, more))
		return float64(expect.Value(expect.Value(system.New(s))(t).Simulate(context.Background(), s.Workload.N))(t).Makespan)
	}
	whole := step("sharded: false")
	alone := whole - 2*ring(bytes)
	expect.Close(t, step("sharded: true"), alone+micros*layers*3*ring(bytes/layers), 1e-9, "one after the other")
	expect.Close(t, step("sharded: true, overlap: all"), alone+2*ring(bytes/layers), 1e-9, "beside the layers")
}
