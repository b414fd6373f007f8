package search

import (
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/internal/expect"
)

// limited is a plan of 8 nodes, each of 1 Gflop/s a core and 1 GB/s of memory, on links of 1 ms and 1 GB/s. A leaf of
// the fat tree has 4 ports for nodes, and UPLINKS of them for each cable upwards.
const limited = `
budget: {money: 1000000 EUR}
model: MODEL
nodes: {a: {cores: CORES, marked_speed: 1 Gflop/s, memory_bandwidth: 1 GB/s, power: 100 W, price: 900 EUR, on_node: {latency: 1 ms, bandwidth: 1 GB/s}}}
networks: {x: {latency: 1 ms, bandwidth: 1 GB/s, price_per_port: 100 EUR, oversubscription: UPLINKS, switch: {price: 10 EUR, ports: PORTS}}}
counts: [NODES]
robustness: {samples: 0}
workloads: [{name: w, weight: 1, nodes: all, run: {application: own.yaml}}]
`

// The causes for applications whose time is known term by term: each part's share of the time. With a part a tenth
// better the time is T (1 - share + share/1.1).
func TestCausesOfKnownApplications(t *testing.T) {
	const cores, memory, latency, links, cards, inside = 0, 1, 2, 3, 4, 5
	for _, c := range []struct {
		name, program string
		with          string          // instead of hockney, 1 core, 4 nodes and 8 ports
		time          map[int]float64 // for each part; -1 for no part
		even          float64         // time with even loads; 0: unchanged
		cause         string
	}{
		{"compute", "compute: 1 Gflop", "", map[int]float64{cores: 1}, 0, "cores"},
		{"memory", "compute: {flop: 10 Mflop, bytes: 1 GB}", "", map[int]float64{memory: 1}, 0, "memory bandwidth"},
		{"latency", "repeat: 1000\n    do: [{sendrecv: {to: (rank+1)%p, from: (rank+p-1)%p, size: 1 kB}}]", "", map[int]float64{latency: 1, links: 1e-3}, 0, "latency"},
		{"bandwidth", "sendrecv: {to: (rank+1)%p, from: (rank+p-1)%p, size: 1 GB}", "", map[int]float64{latency: 1e-3, links: 1}, 0, "link bandwidth"},
		{"compute and bandwidth", "compute: 0.6 Gflop\n  - sendrecv: {to: (rank+1)%p, from: (rank+p-1)%p, size: 400 MB}", "", map[int]float64{cores: 0.6, latency: 1e-3, links: 0.4}, 0, "cores"},
		{"memory and latency", "compute: {flop: 1 Mflop, bytes: 300 MB}\n  - repeat: 500\n    do: [{sendrecv: {to: (rank+1)%p, from: (rank+p-1)%p, size: 0 B}}]", "", map[int]float64{memory: 0.3, latency: 0.5}, 0, "latency"},
		// Process 0 computes for 1 s, the others for 0.1 s: 0.325 s each if they shared the work.
		{"imbalance", "compute: \"rank == 0 ? 1 Gflop : 100 Mflop\"", "", map[int]float64{cores: 1}, 0.325, system.Imbalance},
		// 1 s and 0.8 s: 0.85 s if shared. Even loads gain 18 %, but 85 % of the time is computation.
		{"little imbalance", "compute: \"rank == 0 ? 1 Gflop : 800 Mflop\"", "", map[int]float64{cores: 1}, 0.85, "cores"},
		{"within nodes", "sendrecv: {to: 1-rank, from: 1-rank, size: 1 GB}", "CORES=2 NODES=1", map[int]float64{inside: 1.001}, 0, "connections within nodes"},
		// Four processes of a node send 100 MB each to the next node, through one card.
		{"cards", "sendrecv: {to: (rank+4)%p, from: (rank+p-4)%p, size: 100 MB}", "MODEL=flow CORES=4", map[int]float64{latency: 1e-3, cards: 0.4}, 0, "network cards"},
		// All 4 nodes of a leaf send 100 MB to the other leaf through its 1 cable upwards. On the way are 4 cables of 0.5 ms.
		{"links between switches", "sendrecv: {to: (rank+4)%p, from: (rank+p-4)%p, size: 100 MB}", "MODEL=flow NODES=8 PORTS=5 UPLINKS=4", map[int]float64{latency: 2e-3, links: 0.4}, 0, "link bandwidth"},
		{"delay", "delay: 1 s\n  - compute: 50 Mflop", "", map[int]float64{-1: 1, cores: 0.05}, 0, system.NoPart},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := limited
			for _, set := range append(strings.Fields(c.with), "MODEL=hockney", "CORES=1", "NODES=4", "PORTS=8", "UPLINKS=1") {
				key, value, _ := strings.Cut(set, "=")
				text = strings.ReplaceAll(text, key, value)
			}
			own := "application: own\nwork: 1 Gflop\nmemory: 1 MB\nprogram:\n  - " + c.program + "\n"
			r := solve(t, buytest.Read(t, buytest.PlanFile(t, text, "own.yaml", own)), 1)
			expect.Need(t, len(r.Causes) == 1, "%+v", r.Causes)
			x := r.Causes[0]
			whole := 0.0
			for _, s := range c.time {
				whole += s
			}
			expect.Close(t, r.Ranking[0].Workloads[0].Time, whole, 1e-9, "time")
			for i, y := range x.Gains {
				expect.Near(t, y.Gain, whole/(whole-c.time[i]+c.time[i]/(1+system.Step))-1, 1e-9, "%s: gain", y.Part)
			}
			want := 0.0
			if c.even > 0 {
				want = whole/c.even - 1
			}
			expect.That(t, x.Cause == c.cause && math.Abs(x.Even-want) <= 1e-8,
				"limited by %s with even loads at %v, want %s at %v", x.Cause, x.Even, c.cause, want)
		})
	}
}
