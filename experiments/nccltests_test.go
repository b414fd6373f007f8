package experiments_test

import (
	"context"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// Ten calls of 48 MiB among the 8 accelerators of a node take times between those that nccl-tests printed, 183.0 us for
// 32 MiB and 313.6 us for 64. Among 16, for which there is no file, they take the times of rails: 31 hops of 2 us there
// and back, one of 5 us, and 15/16 of the data twice over 8 cards of 50 GB/s, as fast as a link.
func TestMeasuredTimesOfACall(t *testing.T) {
	text := strings.ReplaceAll(`
machine:
  node_types:
    gpu: {marked_speed: 1 Gflop/s, nics: 8, devices: {count: 8, speed: {fp64: 1 Tflop/s}, link: {latency: 2 us, bandwidth: 400 GB/s}}}
  nodes: [{type: gpu, count: 2}]
  network: {latency: 5 us, bandwidth: 50 GB/s}
nodes: {gpu: NODES}
placement: {gpu: {on: devices}}
network: NETWORK
workload: {name: collective, op: allreduce, algorithm: {measured: [node.txt], otherwise: rails}, size: 48 MiB, n: 10}
`, "NETWORK", "hockney")
	var output strings.Builder
	for rank := range 8 {
		output.WriteString("#  Rank  " + string(rune('0'+rank)) + " Group  0 Pid  41 on  node-1 device  0 [0x1b] NVIDIA H100 80GB HBM3\n")
	}
	output.WriteString("    33554432       8388608     float     sum      -1    183.0  183.36  320.87      0    182.8  183.56  321.23      0\n")
	output.WriteString("    67108864      16777216     float     sum      -1    313.6  213.99  374.49      0    313.5  214.06  374.61      0\n")
	const s = 48 << 20
	for nodes, want := range map[string]float64{"1": 10 * (183.0e-6 + 313.6e-6) / 2, "2": 10 * (2*(14*2e-6+5e-6) + 2*15./16*s/400e9)} {
		read := func(output string) (*scenario.Scenario, error) {
			return scenario.Documents{"test.yaml": []byte(strings.ReplaceAll(text, "NODES", nodes)), "node.txt": []byte(output)}.Read("test.yaml", nil)
		}
		r := expect.Value(run.Run(context.Background(), expect.Value(read(output.String()))(t), run.Options{}))(t)
		expect.Close(t, r.Makespan, want, 1e-9, "on %s nodes", nodes)
		expect.Refusal(read(strings.Replace(output.String(), "183.0", "18x.0", 1)))(t, `node.txt:9:5: time is "18x.0"; expected a number, at least 0`)
	}
}
