package cluster_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// Two nodes of three devices, of which the first two share a card of 40 GB/s and the last has one: ranks 0 to 2 and 3
// to 5. Messages of 1 GB between the nodes take 5 us and what the cards at both ends let through, 25 ms for one on a
// card. On links they share what they have in common; otherwise each device has its part, 50 ms for the first two of a
// node. A card that is faster than the network changes nothing except on links, where it is the cable. With loggops the
// first byte is free, and messages to one process follow each other.
func TestThreeDevicesOnTwoCards(t *testing.T) {
	const m, latency, inside = 1e9, 5e-6, 2e-6
	const shared = "rails: [[0, 1], [2]], nic: 40 GB/s"
	for _, tt := range []struct {
		name, cards         string
		messages            [][2]int
		flow, hockney, more float64 // without the latency
	}{
		{"alone on a shared card", shared, [][2]int{{0, 3}}, m / 40e9, m / 20e9, latency},
		{"alone on its card", shared, [][2]int{{2, 5}}, m / 40e9, m / 40e9, latency},
		{"two on a card", shared, [][2]int{{0, 3}, {1, 4}}, 2 * m / 40e9, m / 20e9, latency},
		{"two on two cards", shared, [][2]int{{1, 3}, {2, 5}}, m / 40e9, m / 20e9, latency},
		{"from two cards to one", shared, [][2]int{{1, 3}, {2, 4}}, 2 * m / 40e9, m / 20e9, latency},
		{"from one card to two", shared, [][2]int{{0, 3}, {1, 5}}, 2 * m / 40e9, m / 20e9, latency},
		{"both ways", shared, [][2]int{{2, 5}, {5, 2}}, m / 40e9, m / 40e9, latency},
		{"inside a node", shared, [][2]int{{0, 1}}, m / 400e9, m / 400e9, inside},
		{"a card each by default", "nics: 3, nic: 40 GB/s", [][2]int{{0, 3}, {1, 4}, {2, 5}}, m / 40e9, m / 40e9, latency},
		{"to one of three cards", "nics: 3, nic: 40 GB/s", [][2]int{{0, 3}, {1, 3}}, 2 * m / 40e9, m / 40e9, latency},
		{"all share all by default", "nics: 2, nic: 40 GB/s", [][2]int{{0, 3}, {1, 3}}, m / 40e9, m / 50e9, latency},
		{"faster than the network", "rails: [[0], [1], [2]], nic: 100 GB/s", [][2]int{{0, 3}}, m / 100e9, m / 50e9, latency},
		{"as the network", "rails: [[0, 1], [2]]", [][2]int{{0, 3}, {2, 5}}, m / 50e9, m / 25e9, latency},
		{"one card for all", "rails: [[0, 1, 2]]", [][2]int{{0, 3}, {2, 5}}, 2 * m / 50e9, m * 3 / 50e9, latency},
	} {
		loggops, last := tt.hockney*(1-1/m), tt.messages[len(tt.messages)-1]
		if len(tt.messages) > 1 && tt.messages[0][1] == last[1] {
			loggops *= 2
		}
		for network, want := range map[string]float64{"flow": tt.flow, "hockney": tt.hockney, "loggops": loggops, "ideal": -tt.more} {
			s := scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types:
    gpu: {marked_speed: 1 Gflop/s, %s, devices: {count: 3, speed: {fp64: 1 Tflop/s}, link: {latency: 2 us, bandwidth: 400 GB/s}}}
  nodes: [{type: gpu, count: 2}]
  network: {latency: 5 us, bandwidth: 50 GB/s}
placement: {gpu: {on: devices}}
network: %s
workload: {name: matmul, n: 8}
`, tt.cards, network))
			got := expect.Value(made(t, s, s.Selection).Time(context.Background(), messages(6, m, tt.messages)))(t)
			expect.Near(t, got, units.Seconds(want+tt.more), 1e-11, "%s, %s", tt.name, network)
		}
	}
}
