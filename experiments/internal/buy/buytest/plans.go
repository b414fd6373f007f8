package buytest

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// The texts of plans.
var (
	//go:embed site.yaml
	Site string // a question with jobs of two kinds, a mix of two node types and two networks
	//go:embed tender.yaml
	Tender string // five applications, four offers, two networks, costs over life, ranges
	// Ideal is one node type and a workload of 1e9 flop for each of n^3: matmul of order 240, with 2*240^3 flop, which
	// divides evenly among up to 12 nodes.
	//go:embed ideal.yaml
	Ideal string
	// Jobs has nodes of one core of 1 Gflop/s and one port, for 1000 EUR each, on an ideal network: a run of 36 Gflop
	// takes 36/n s on n nodes. NODES stands for the number of nodes of a run.
	//go:embed jobs.yaml
	Jobs string
)

// Small is a plan of two node types, two networks and two workloads.
const Small = "../buytest/small.yaml"

// Quarter divides each dimension of the problems of [Small] by four, for tests that do not depend on the size:
// simulations take most of a test's time.
var Quarter = []string{"workloads[0].run.n=500", "workloads[1].run.n=250"}

// Read reads the plan at path with values set as in "budget.money=1 EUR".
func Read(t testing.TB, path string, set ...string) *model.Plan {
	t.Helper()
	return expect.Value(model.Read(path, Set(set...)))(t)
}

// Set sets values as in "budget.money=1 EUR".
func Set(values ...string) []input.Override {
	return each.Append(nil, values, func(s string) input.Override {
		path, value, _ := strings.Cut(s, "=")
		return input.Override{Path: path, Value: value}
	})
}

// PlanFile writes a plan into a folder of the test, with other files beside it, each given by name and text.
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
	expect.Success(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// SmallText is the text of [Small].
func SmallText(t testing.TB) string {
	t.Helper()
	return string(expect.Value(os.ReadFile(Small))(t))
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
