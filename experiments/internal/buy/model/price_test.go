package model_test

import (
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// Switches counted by hand. With 8 ports and no oversubscription a leaf has 4 nodes and 4 uplinks; two spines
// of 8 ports take the 12 uplinks of three leaves. With oversubscription 3 a leaf has 6 nodes and 2 uplinks,
// so three leaves have 6, which one spine takes. More than 8 leaves take a third level: a spine has 4 ports
// downwards, and each of its 4 cables upwards ends at one of the top switches of 8 ports. The full tree of
// [AlFares2008] with k = 8 has k^3/4 = 128 nodes, k^2/2 = 32 leaves and as many spines, k^2/4 = 16 tops, and 128
// cables of each layer.
func TestWire(t *testing.T) {
	for _, tt := range []struct {
		name             string
		nodes            int
		fatTree          bool
		oversubscription float64
		want             model.Wiring
		ok               bool
	}{
		{"one node", 1, true, 1, model.Wiring{}, true},
		{"two nodes", 2, true, 1, model.Wiring{Ports: 2, Leaves: 1, Down: 8}, true},
		{"full switch", 8, false, 1, model.Wiring{Ports: 8, Leaves: 1, Down: 8}, true},
		{"no second level", 9, false, 1, model.Wiring{}, false},
		{"three leaves", 9, true, 1, model.Wiring{Ports: 9, Leaves: 3, Spines: 2, Uplinks: 12, Down: 4}, true},
		{"full tree", 32, true, 1, model.Wiring{Ports: 32, Leaves: 8, Spines: 4, Uplinks: 32, Down: 4}, true},
		{"three levels", 33, true, 1, model.Wiring{Ports: 33, Leaves: 9, Spines: 9, Tops: 5, Uplinks: 36, Upper: 36, Down: 4}, true},
		{"full tree of three levels", 128, true, 1, model.Wiring{Ports: 128, Leaves: 32, Spines: 32, Tops: 16, Uplinks: 128, Upper: 128, Down: 4}, true},
		{"beyond it", 129, true, 1, model.Wiring{Ports: 129, Leaves: 33, Spines: 33, Tops: 17, Uplinks: 132, Upper: 132, Down: 4}, false},
		{"oversubscribed", 13, true, 3, model.Wiring{Ports: 13, Leaves: 3, Spines: 1, Uplinks: 6, Down: 6}, true},
		{"very oversubscribed", 9, true, 100, model.Wiring{Ports: 9, Leaves: 2, Spines: 1, Uplinks: 2, Down: 7}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := model.Network{Switch: model.Switch{Ports: 8}, FatTree: tt.fatTree,
				Oversubscription: tt.oversubscription}
			w, ok := n.Wire(tt.nodes)
			expect.That(t, w == tt.want && ok == tt.ok, "%+v, %v, want %+v, %v", w, ok, tt.want, tt.ok)
		})
	}
}

// A message between leaves passes 2 more switches in a tree of two levels, and 4 in one of three, where all 4 cables of
// a leaf lead to the next level.
func TestLevelsOfAMachine(t *testing.T) {
	for nodes, want := range map[int]struct {
		latency units.Seconds
		spines  int
	}{8: {1, 0}, 9: {21, 2}, 33: {41, 4}} {
		p := buytest.HandPlan()
		p.Networks[0].Latency, p.Networks[0].HopLatency = 1, 10
		c := model.Design{Types: []int{0}}.Of(nodes)
		m, _ := p.Machine(c, p.Parts(c))
		tree, _ := m.Network.Topology.(build.LeafSpine)
		expect.That(t, m.Network.Latency == want.latency && tree.Spines == want.spines,
			"%d nodes: %v, %+v; want %+v", nodes, m.Network.Latency, tree, want)
	}
}

func TestPrice(t *testing.T) {
	for _, tt := range []struct {
		name      string
		existing  int
		bought    int
		want      model.Bill
		power     units.Watts
		rackUnits float64
		retired   bool
	}{
		{"one node", 0, 1, model.Bill{Nodes: 1000, Ports: 0, Switches: 0, Cables: 0}, 100, 2, false},
		// 1 switch; 800 + 8 + 50 W.
		{"one switch", 0, 8, model.Bill{Nodes: 8000, Ports: 80, Switches: 500, Cables: 0}, 858, 17, false},
		// 3 + 2 switches and 12 cables; 900 + 9 + 250 W.
		{"fat tree", 0, 9, model.Bill{Nodes: 9000, Ports: 90, Switches: 2500, Cables: 84}, 1159, 23, false},
		// 9 + 9 + 5 switches and 36 + 36 cables; 3300 + 33 + 1150 W.
		{"fat tree of three levels", 0, 33, model.Bill{Nodes: 33000, Ports: 330, Switches: 11500, Cables: 504}, 4483, 89, false},
		// 4 more nodes where a switch and 4 ports exist.
		{"extension on the switch", 4, 4, model.Bill{Nodes: 4000, Ports: 40, Switches: 0, Cables: 0}, 858, 17, false},
		// From one switch to 3 + 2, with all 12 cables.
		{"extension to a tree", 8, 1, model.Bill{Nodes: 1000, Ports: 10, Switches: 2000, Cables: 84}, 1159, 23, false},
		// 8 + 4 switches and 32 cables exist.
		{"extension to three levels", 32, 1, model.Bill{Nodes: 1000, Ports: 10, Switches: 5500, Cables: 280}, 4483, 89, false},
		// A single node had no port.
		{"extension of one node", 1, 1, model.Bill{Nodes: 1000, Ports: 20, Switches: 500, Cables: 0}, 252, 5, false},
		// The switch of 4 retired nodes stays; 8 new ones need their own ports.
		{"in the place of retired nodes", 4, 8, model.Bill{Nodes: 8000, Ports: 80, Switches: 0, Cables: 0}, 858, 17, true},
		// One switch of 3 + 2 exists, and none of 12 cables.
		{"a tree in the place of retired nodes", 8, 9, model.Bill{Nodes: 9000, Ports: 90, Switches: 2000, Cables: 84}, 1159, 23, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := buytest.HandPlan()
			if tt.existing > 0 {
				p.Existing = &model.Existing{Count: tt.existing}
			}
			c := model.Design{Types: []int{0}, Retired: tt.retired}.Of(tt.bought)
			b, ok := p.Price(c)
			expect.That(t, b == tt.want && ok, "%+v, %v, want %+v", b, ok, tt.want)
			expect.Equal(t, p.Power(c), tt.power, "power")
			expect.Equal(t, p.RackUnits(c), tt.rackUnits, "rack units")
		})
	}
}

// solved answers the plan of a text.
func solved(t *testing.T, text string) *model.Result {
	t.Helper()
	return expect.Value(search.Solve(t.Context(), buytest.Read(t, buytest.PlanFile(t, text)), search.Options{Jobs: 2}))(t)
}

const yearInSeconds = 365.2425 * 86400

// spreadsheetNPV is NPV of spreadsheets, written with powers: the sum of amounts over
// (1 + rate)^i from i = 1.
func spreadsheetNPV(rate float64, amounts ...float64) float64 {
	sum := 0.0
	for i, x := range amounts {
		sum += x / math.Pow(1+rate, float64(i+1))
	}
	return sum
}

// spreadsheetPMT is PMT of spreadsheets: amount rate/(1 - (1 + rate)^-n).
func spreadsheetPMT(rate float64, n int, amount float64) float64 {
	return amount * rate / (1 - math.Pow(1+rate, -float64(n)))
}

// costly has two nodes of 1000 EUR with ports of 100 EUR, 200 W each, in a rack of 500 EUR. Busy or idle they draw 0.4
// kW, times 1.5, in 8765.82 h a year.
const costly = `load: runs
budget: {money: 10000 EUR}
energy: {price_per_kwh: PRICE, years: 4, utilisation: 0.8, overhead: 1.5}
costs:
  racks: {price: 500 EUR, units: 10}
  maintenance: 0.1
  staff: 3000 EUR
  fixed: [{name: move, once: 200 EUR}, {name: licences, yearly: 80 EUR}]
  vat: 0.2
  discount_rate: 0.05
model: ideal
nodes: {a: {cores: 1, marked_speed: 1 Gflop/s, power: 200 W, idle_power: 200 W, price: 1000 EUR}}
networks: {x: {latency: 0 s, bandwidth: 1 GB/s, price_per_port: 100 EUR, switch: {price: 0 EUR, ports: 64}}}
counts: [2]
robustness: {samples: 0}
workloads: [{name: w, runs_per_year: 1000, nodes: 1, run: {name: reference, n: 1, total_compute: 36 Gflop}}]
`

func TestCashFlowAgainstSpreadsheets(t *testing.T) {
	kWh := 0.4 * 1.5 * 8765.82
	for price, path := range map[string][4]float64{
		"0.3 EUR":                     {0.3, 0.3, 0.3, 0.3},
		"0.3 EUR, price_growth: 0.1":  {0.3, 0.33, 0.363, 0.3993},
		"[0.3 EUR, 0.4 EUR, 0.2 EUR]": {0.3, 0.4, 0.2, 0.2},
	} {
		// Idle nodes draw as much, so only the cost of a run depends on the load: 1000 runs a year, or one for each 36
		// s of one of two nodes in 0.8 of a year.
		load, runs := "runs", 4000.0
		if price == "0.3 EUR" {
			load, runs = "full", 0.8*4*2*yearInSeconds/36
		}
		c := solved(t, strings.NewReplacer("PRICE", price, "load: runs", "load: "+load).Replace(costly)).Ranking[0]
		purchase := 1.2 * (2*1000 + 2*100 + 500 + 200)
		var years []float64
		for _, p := range path {
			years = append(years, 1.2*kWh*p+1.2*0.1*2200+3000+1.2*80)
		}
		npv := purchase + spreadsheetNPV(0.05, years...)
		for _, x := range []struct {
			name      string
			got, want float64
		}{
			{"price", c.Price, purchase},
			{"first year", c.CashFlow[1].Total, years[0]},
			{"present value", c.LifeCost, npv},
			{"annuity", c.Annuity, spreadsheetPMT(0.05, 4, npv)},
			{"cost of a job", *c.JobCost, npv / runs},
			{"cost of a run", c.Workloads[0].Cost, npv / runs},
			{"life-time value", *c.LifeValue, runs / npv},
		} {
			expect.Close(t, x.got, x.want, 1e-9, "%s: %s", price, x.name)
		}
		expect.Equal(t, len(c.CashFlow), 5, "years")
	}
}

// Two and a half years are two years and half a year; without interest a cost of 3000 EUR a year adds up to 7500 EUR,
// and equal payments are again 3000 EUR.
func TestPartOfAYear(t *testing.T) {
	text := strings.NewReplacer("PRICE", "0", "years: 4", "years: 2.5", "discount_rate: 0.05", "discount_rate: 0",
		"maintenance: 0.1", "maintenance: 0", "yearly: 80 EUR", "yearly: 0 EUR").Replace(costly)
	c := solved(t, text).Ranking[0]
	expect.Close(t, c.LifeCost-c.Price, 7500, 1e-9, "cost beside the price")
	expect.Close(t, model.Annuity(7500, 0, 2.5), 3000, 1e-9, "annuity")
	expect.Equal(t, len(c.CashFlow), 4, "years")
}

// The budget pays tax and racks: 3480 EUR for two nodes.
func TestBudgetPaysTaxAndRacks(t *testing.T) {
	for money, fits := range map[string]bool{"3480 EUR": true, "3479 EUR": false} {
		_, err := search.Solve(t.Context(), buytest.Read(t, buytest.PlanFile(t, strings.Replace(costly, "PRICE", "0", 1)), "budget.money="+money), search.Options{Jobs: 1})
		expect.That(t, (err == nil) == fits, "%s: %v", money, err)
	}
}

// The costs over the years of two old nodes plus a new one, of 200 W each and 150 EUR of maintenance a year, and of
// three new nodes instead.
func TestExistingMachineAgainstSpreadsheets(t *testing.T) {
	const kWh = 3 * 0.2 * 1.5 * 8765.82
	year := func(maintenance float64) float64 { return 1.2*kWh*0.3 + 1.2*maintenance + 3000 + 1.2*80 }
	for _, x := range []struct {
		name, count, more string
		purchase, year    float64
	}{
		{"kept", "1", "maintenance: 150 EUR", 1.2 * (1000 + 100 + 200), year(0.1*1100 + 150)},
		{"kept, maintenance not known", "1", "retire: never", 1.2 * (1000 + 100 + 200), year(0.1 * 1100)},
		{"retired", "3", "maintenance: 150 EUR, retire: required", 1.2 * (3000 + 300 + 200), year(0.1 * 3300)},
	} {
		text := strings.NewReplacer("PRICE", "0.3 EUR", "counts: [2]",
			"counts: ["+x.count+"]\nexisting: {node: old, count: 2, network: x, "+x.more+"}",
			"nodes: {a:", "nodes: {old: {cores: 1, marked_speed: 0.1 Gflop/s, power: 200 W, idle_power: 200 W, for_sale: false}, a:").Replace(costly)
		c := solved(t, text).Recommendation()
		expect.Close(t, c.Price, x.purchase, 1e-9, "%s: price of %s", x.name, c.Name)
		expect.Close(t, c.CashFlow[1].Total, x.year, 1e-9, "%s: first year", x.name)
		all := x.purchase + spreadsheetNPV(0.05, x.year, x.year, x.year, x.year)
		expect.Close(t, c.LifeCost, all, 1e-9, "%s: cost over the years", x.name)
	}
}

// Nodes of 1000 EUR, 800 EUR from 10: 9 cost 9000 and 10 cost 8000 EUR. Each has a port of 10 EUR; up to 8 take a switch of 500,
// 9 to 12 three leaves, two spines and 12 cables of 7. A tenth of the hardware is maintained in each of two years.
func TestPriceWithDiscounts(t *testing.T) {
	p := buytest.HandPlan()
	p.Nodes[0].Discounts = []model.Discount{{From: 10, Price: 800}}
	p.Energy.Price, p.Costs.Maintenance, p.Budget.Life = 0, 0.1, true
	a := model.Design{Types: []int{0}}
	price := map[int]float64{8: 8000 + 80 + 500, 9: 9000 + 90 + 5*500 + 84, 10: 8000 + 100 + 5*500 + 84, 12: 9600 + 120 + 5*500 + 84}
	for n, want := range price {
		b, _ := p.Price(a.Of(n))
		expect.Equal(t, b.Total(), want, "price of %d", n)
		expect.Close(t, p.LifeCost(a.Of(n), b, nil), 1.2*want, 1e-12, "life cost of %d", n)
	}
	// Between 9 and 12 nodes none cost less than 10 nodes with the network of 9.
	b, _ := p.LeastPrice(a.Of(9), a.Of(12))
	expect.Equal(t, b.Total(), 8000+90+5*500+84, "least price of 9 to 12")
	b, _ = p.LeastPrice(a.Of(8), a.Of(9))
	expect.Equal(t, b.Total(), price[8], "least price of 8 and 9")
	// 12 900 EUR over its life buy 10 nodes, 12 820 EUR, but not 9, 14 009 EUR: 9 exceed it, but not all from 9 up.
	p.Budget.Money.Amount = 12900
	for n, want := range map[int]struct{ exceeds, allExceed bool }{8: {false, false}, 9: {true, false}, 10: {false, false}, 11: {true, true}} {
		expect.Equal(t, p.Limit(a.Of(n)) != "", want.exceeds, "whether %d exceed", n)
		expect.Equal(t, p.LimitFrom(a.Of(n)) != "", want.allExceed, "whether all from %d exceed", n)
	}
}
