package cluster_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
)

// A message of 10 MB from a process to itself, on two nodes with two processes or devices each, takes l + m/b under
// every network, by the on_node of its type, of the machine, or by the link of its device. Where none of these is
// given, it takes a copy that reads and writes the memory of the device or the node, 2 m/M, or m over SimGrid's 10
// GB/s.
func TestMessageToOneself(t *testing.T) {
	const (
		m       = 10e6
		onNode  = ", on_node: {latency: 2 us, bandwidth: 2 GB/s}"
		devices = "devices: {count: 2, speed: {fp64: 1 Gflop/s}"
		link    = ", link: {latency: 5 us, bandwidth: 5 GB/s}"
		memory  = ", memory_bandwidth: 100 GB/s"
		levels  = ", topology: {name: tree, levels: [1, 2], uplinks: [{latency: 1 us, bandwidth: 1 GB/s}]}"
	)
	for _, tt := range []struct {
		node, network string
		want          float64
	}{
		{"", "", m / 10e9},
		{"", levels, m / 10e9},
		{"memory_bandwidth: 100 GB/s", "", 2 * m / 100e9},
		{"", onNode, 2e-6 + m/2e9},
		{"", onNode + levels, 2e-6 + m/2e9},
		{"memory_bandwidth: 100 GB/s", onNode, 2e-6 + m/2e9},
		{"on_node: {latency: 3 us, bandwidth: 4 GB/s}", "", 3e-6 + m/4e9},
		{"on_node: {latency: 3 us, bandwidth: 4 GB/s}", onNode, 3e-6 + m/4e9},
		{devices + "}", "", m / 10e9},
		{devices + "}, memory_bandwidth: 50 GB/s", "", 2 * m / 50e9},
		{devices + memory + "}", "", 2 * m / 100e9},
		{devices + memory + "}", onNode, 2e-6 + m/2e9},
		{devices + link + "}", "", 5e-6 + m/5e9},
		{devices + link + memory + "}", onNode, 5e-6 + m/5e9},
	} {
		for network, n := range map[string]float64{"hockney": 1, "loggops": 1 - 1/m, "flow": 1, "ideal": 0} {
			on := "2"
			if strings.HasPrefix(tt.node, devices) {
				on = "{on: devices}"
			}
			s := scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types: {w: {cores: 2, marked_speed: 1 Gflop/s, %s}}
  nodes: [{type: w, count: 2}]
  network: {latency: 1 us, bandwidth: 1 GB/s%s}
placement: {w: %s}
network: %s
workload: {name: matmul, n: 8}
`, tt.node, tt.network, on, network))
			program := sim.NewProgram(4, func(r *sim.Rank) {
				if r.Rank() == 2 {
					r.Sendrecv(2, 0, m, 2)
				}
			})
			got := float64(expect.Value(made(t, s, s.Selection).Time(context.Background(), program))(t))
			// LogGOPS counts bytes after the first.
			expect.Near(t, got, tt.want*n, 1e-8*tt.want, "%s {%s} {%s}", network, tt.node, tt.network)
		}
	}
}
