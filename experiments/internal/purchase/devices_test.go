package purchase

import (
	"context"
	"math"
	"strings"
	"testing"
)

// accelerators is a plan of one node type with 4 devices and 2 network cards, and one
// of cores that are connected in their own way.
const accelerators = `
budget: {money: 1000000000 EUR}
nodes:
  gpu:
    nics: 2
    power: 1 kW
    idle_power: 400 W
    price: 100000 EUR
    devices:
      count: 4
      speed: {fp64: 10 Tflop/s, bf16: 200 Tflop/s}
      memory: 80 GB
      memory_bandwidth: 2 TB/s
      link: {latency: 2 us, bandwidth: 100 GB/s}
      power: 500 W
      idle_power: 50 W
  cpu: {cores: 4, marked_speed: 100 Gflop/s, power: 500 W, price: 10000 EUR, on_node: {latency: 1 us, bandwidth: 20 GB/s}}
networks:
  fast: {latency: 5 us, bandwidth: 10 GB/s, price_per_port: 1000 EUR, power_per_port: 10 W, switch: {price: 20000 EUR, ports: 8, power: 100 W}}
counts: [1, 2, 4, 8]
model: hockney
workloads:
  - {name: step, weight: 1, run: {name: pattern, n: 1, shape: ring, size: 1 GB, total_compute: 160 Tflop}}
robustness: {samples: 0}
`

// on reads the plan with a change and returns the times of its only workload on a
// number of nodes of a type.
func timeOn(t *testing.T, text string, node string, count int) float64 {
	t.Helper()
	p := read(t, planFile(t, text))
	for i := range p.Nodes {
		if p.Nodes[i].Name != node {
			continue
		}
		o, err := simulation{p, Choice{Types: []int{i}, Counts: []int{count}}, 0}.run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return float64(o.run.Time)
	}
	t.Fatalf("no node type %s", node)
	return 0
}

// On a node of 4 devices each computes 40 Tflop, 4 s in fp64 and 0.2 s in bf16, and
// sends 1 GB to the next over the link: 2 us + 10 ms. On two nodes each computes half
// of that; a message to the other node takes 5 us + 100 ms, or where it shares 2 cards
// with nobody the same. On 4 cores of 100 Gflop/s: 400 s, and 1 us + 50 ms.
func TestTimesOnDevices(t *testing.T) {
	for _, tt := range []struct {
		name, text, node string
		count            int
		want             float64
	}{
		{"fp64", accelerators, "gpu", 1, 4 + 2e-6 + 0.01},
		{"bf16", strings.Replace(accelerators, "nics: 2", "nics: 2\n    precision: bf16", 1), "gpu", 1, 0.2 + 2e-6 + 0.01},
		{"two nodes", accelerators, "gpu", 2, 2 + 5e-6 + 0.1},
		{"two nodes, flow", strings.Replace(accelerators, "model: hockney", "model: flow", 1), "gpu", 2, 2 + 5e-6 + 0.1},
		{"cores", accelerators, "cpu", 1, 400 + 1e-6 + 0.05},
		{"half of the devices", strings.Replace(accelerators, "nics: 2", "nics: 2\n    processes_per_node: 2", 1), "gpu", 1, 8 + 2e-6 + 0.01},
	} {
		if got := timeOn(t, tt.text, tt.node, tt.count); math.Abs(got-tt.want) > 1e-12*tt.want {
			t.Errorf("%s: %v s, want %v", tt.name, got, tt.want)
		}
	}
}

// Two nodes take 4 ports and a switch: 200 000 + 4 000 + 20 000 EUR; 2 (1 kW + 4 x 500
// W) + 4 x 10 W + 100 W, idle 2 (400 W + 4 x 50 W) in the place of the nodes' power.
// Eight nodes take 16 ports, which are two levels: 4 leaves of 4 ports down with 4 up,
// 16 uplinks, 2 spines. A single node takes none.
func TestPortsOfCards(t *testing.T) {
	p := read(t, planFile(t, accelerators))
	two := Choice{Types: []int{0}, Counts: []int{2}}
	if b, ok := p.Price(two); !ok || b != (Bill{Nodes: 200000, Ports: 4000, Switches: 20000}) {
		t.Errorf("%+v, %v", b, ok)
	}
	if load, idle := p.Power(two), p.IdlePower(two); load != 6140 || idle != 1340 {
		t.Errorf("%v and %v, want 6.14 kW and 1.34 kW", load, idle)
	}
	w, ok := p.Wiring(Choice{Types: []int{0}, Counts: []int{8}})
	if want := (Wiring{Ports: 16, Leaves: 4, Spines: 2, Uplinks: 16, Down: 4}); !ok || w != want {
		t.Errorf("%+v, %v; want %+v", w, ok, want)
	}
	if w, ok := p.Wiring(Choice{Types: []int{0}, Counts: []int{1}}); !ok || w != (Wiring{}) {
		t.Errorf("a single node: %+v, %v", w, ok)
	}
}

// The catalogue's nodes of 2024 and later, by the precision that a plan chooses.
func TestCatalogueOfAccelerators(t *testing.T) {
	for _, tt := range []struct {
		entry   string
		devices int
		speed   float64 // of the node
		memory  float64
		cards   int
	}{
		{"{catalogue: dgx-h200, price: 1 EUR}", 8, 380e12, 8 * 141e9, 8},
		{"{catalogue: dgx-h200, precision: bf16, price: 1 EUR}", 8, 8 * 989e12, 8 * 141e9, 8},
		{"{catalogue: mi300x, nics: 4, price: 1 EUR}", 8, 432e12, 8 * 192e9, 4},
	} {
		text := strings.Replace(accelerators, "  cpu: {cores: 4, marked_speed: 100 Gflop/s, power: 500 W, price: 10000 EUR, on_node: {latency: 1 us, bandwidth: 20 GB/s}}", "  new: "+tt.entry, 1)
		n := read(t, planFile(t, text)).Nodes[1]
		if n.Cores != tt.devices || n.Processes != tt.devices || float64(n.Speed) != tt.speed || float64(n.Memory) != tt.memory || n.Cards != tt.cards {
			t.Errorf("%s: %+v", tt.entry, n)
		}
	}
}
