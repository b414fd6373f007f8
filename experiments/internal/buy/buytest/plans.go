package buytest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
)

// Small is a plan of two node types, two networks and two workloads.
const Small = "../buytest/small.yaml"

// Site is a question with jobs of two kinds, a mix of two node types and two networks.
const Site = `budget: {money: 30000 EUR}
nodes:
  fat: {cores: 4, marked_speed: 10 Gflop/s, memory: 64 GB, memory_bandwidth: 40 GB/s, power: 400 W, price: 4000 EUR}
  thin: {cores: 2, marked_speed: 8 Gflop/s, memory: 16 GB, memory_bandwidth: 12 GB/s, power: 150 W, price: 1500 EUR}
networks:
  slow: {latency: 50 us, bandwidth: 100 MB/s, price_per_port: 10 EUR, switch: {price: 200 EUR, ports: 8, power: 20 W}}
  fast: {latency: 2 us, bandwidth: 3 GB/s, price_per_port: 300 EUR, switch: {price: 2000 EUR, ports: 8, power: 80 W}}
mixes: [[fat, thin]]
workloads:
- {name: dense, runs_per_year: 2000000, nodes: best, run: {name: matmul, n: 500, bytes_per_flop: 0.1}}
- {name: paths, runs_per_year: 9000000, nodes: [1, 2], run: {name: floyd, n: 100, sustained: 0.5}}
robustness: {samples: 0}
queue: {submissions: 300}
`

// Ideal is one node type and a workload of 1e9 flop for each of n^3: matmul of
// order 240, 2*240^3 flop, that divides evenly among up to 12 nodes.
const Ideal = `budget: {money: 4000 EUR}
model: ideal
nodes: {a: {cores: 1, marked_speed: 1 Gflop/s, memory_bandwidth: 4 GB/s, power: 100 W, price: 900 EUR}}
networks: {x: {latency: 0 s, bandwidth: 1 GB/s, price_per_port: 100 EUR, switch: {price: 0 EUR, ports: 64}}}
counts: [4]
workloads: [{name: w, weight: 1, run: {name: matmul, n: 240}}]
`

// Jobs are nodes of one core of 1 Gflop/s for 1000 EUR with a port, on an ideal network: a
// run of 36 Gflop on n nodes takes 36/n s.
const Jobs = `budget: {money: 100000 EUR}
model: ideal
nodes: {a: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: 900 EUR}}
networks: {x: {latency: 0 s, bandwidth: 1 GB/s, price_per_port: 100 EUR, switch: {price: 0 EUR, ports: 64}}}
counts: [4]
robustness: {samples: 0}
workloads:
- {name: w, runs_per_year: 100, nodes: NODES, run: {name: reference, n: 1, total_compute: 36 Gflop}}
`

// Quarter makes the problems of small a quarter as long in each dimension, for tests
// of what does not depend on them: most of the time of a test goes into their
// simulations.
var Quarter = []string{"workloads[0].run.n=500", "workloads[1].run.n=250"}

// Read reads the plan at path with values set as in "budget.money=1 EUR".
func Read(t testing.TB, path string, set ...string) *model.Plan {
	t.Helper()
	var overrides []input.Override
	for _, s := range set {
		path, value, _ := strings.Cut(s, "=")
		overrides = append(overrides, input.Override{Path: path, Value: value})
	}
	p, err := model.Read(path, overrides)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// PlanFile writes a plan to a file of the test, and files beside it, each a name and a text.
func PlanFile(t testing.TB, text string, beside ...string) string {
	t.Helper()
	folder := t.TempDir()
	for i := 0; i < len(beside); i += 2 {
		Write(t, filepath.Join(folder, beside[i]), beside[i+1])
	}
	return Write(t, filepath.Join(folder, "plan.yaml"), text)
}

// Write writes a file and returns its path.
func Write(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// SmallText is the text of [Small].
func SmallText(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(Small)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Long leaves out, with -short, a test that answers many plans.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("answers many plans")
	}
}

// HandPlan has a node of 1000 EUR, 100 W and 2 rack units and a network of 8-port
// switches: 10 EUR and 1 W a port, 500 EUR, 50 W and one rack unit a switch, 7 EUR
// a cable.
func HandPlan() *model.Plan {
	eur := func(x float64) units.Money { return units.Money{Amount: x, Currency: "EUR"} }
	return &model.Plan{
		Budget: model.Budget{Money: eur(1e6)},
		Nodes: []model.Node{{Entry: model.Entry{Name: "a"}, Cores: 1, Processes: 1, Speed: 1e9, Price: eur(1000),
			Power: 100, RackUnits: 2}},
		Networks: []model.Network{{Entry: model.Entry{Name: "x"}, PortPrice: eur(10), PortPower: 1,
			CablePrice: eur(7), FatTree: true, Oversubscription: 1,
			Switch: model.Switch{Price: eur(500), Ports: 8, Power: 50, RackUnits: 1}}},
		Counts: model.Counts{Affordable: true},
		Energy: model.Energy{Price: 0.5, Years: 2, Utilisation: 0.5, Overhead: 2},
	}
}
