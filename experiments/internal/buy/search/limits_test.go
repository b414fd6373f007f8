package search

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/words"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/expect"
)

// Nodes of 1000 EUR and 100 W. The gain from a limit a tenth looser follows from the whole nodes that it buys.
func TestWhatLimitsHoldBack(t *testing.T) {
	// 36 s on one node, 27 s on two: 54 s of node time instead of 36.
	own := "application: own\nwork: 36 Gflop\nmemory: 1 MB\nprogram:\n  - compute: 18 Gflop + 18 Gflop/p\n"
	for _, c := range []struct {
		name, nodes string
		set         []string
		want        map[string][2]float64 // gain, and that at the margin or -1
	}{
		{"money", "1", []string{"budget={money: 10000 EUR, power: 5 kW}"}, map[string][2]float64{"money": {0.1, 0.1}, "power": {0, -1}}},
		// 10 nodes of one core for 10 000 EUR, and one of 20 cores for 10 900 EUR, which needs no network.
		{"money for another design", "1", []string{"budget={money: 10000 EUR}", "nodes.b={cores: 20, marked_speed: 1 Gflop/s, power: 100 W, price: 10900 EUR}"},
			map[string][2]float64{"money": {1, -1}}},
		{"power", "1", []string{"budget={money: 100000 EUR, power: 2 kW, rack_units: 50}"}, map[string][2]float64{"money": {0, -1}, "power": {0.1, 0.1}, "rack units": {0, -1}}},
		// At the margin a tenth more money is a tenth more work, but runs take 4 nodes, and 8.8 nodes are not 12.
		{"whole numbers", "4", []string{"budget={money: 8000 EUR}"}, map[string][2]float64{"money": {0, -1}}},
		// 15 nodes are three runs at a time with 3 nodes idle, and 16 are four: more than the margin says.
		{"one node more", "4", []string{"budget={money: 15000 EUR}"}, map[string][2]float64{"money": {1. / 3, -1}}},
		// 50 a + 10 b do 80 within 8.5 kW and, beside the switch, 70 units: of a + 3 b with 100 a + 350 b <= 8500 and
		// a + 2 b <= 70. 9.35 kW allow 40 a + 15 b, 77.1 units 67 a + 5 b: 85 and 82. More of either type takes both.
		{"power and space", "1", []string{"budget={money: 1000000 EUR, power: 8.5 kW, rack_units: 71}", "mixes=[[a, b]]", "networks.x.switch.ports=128",
			"nodes.b={cores: 1, marked_speed: 3 Gflop/s, power: 350 W, rack_units: 2, price: 900 EUR}"}, map[string][2]float64{"money": {0, -1}, "power": {5. / 80, -1}, "rack units": {2. / 80, -1}}},
		{"deadline", "[1, 2], deadline: 33 s", []string{"budget={money: 10000 EUR}", "workloads[0].run={application: own.yaml}"}, map[string][2]float64{"money": {0, -1}, "deadline of w": {0.5, -1}}},
		{"cheapest", "1", []string{"budget={money: 10000 EUR}", "objective=cheapest"}, map[string][2]float64{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(strings.Replace(buytest.Jobs, "NODES", c.nodes, 1), "load: runs", "load: full", 1)
			r := solve(t, buytest.Read(t, buytest.PlanFile(t, text, "own.yaml", own), append(c.set, "counts=affordable")...), 1)
			for _, x := range r.Limits {
				want, asked := c.want[x.Limit]
				margin := -1.0
				if x.Margin != nil {
					margin = *x.Margin
				}
				expect.That(t, asked && math.Abs(x.Gain-want[0]) <= 1e-9 && math.Abs(margin-want[1]) <= 1e-9,
					"%+v at %v, want %v", x, margin, want)
			}
			expect.That(t, len(r.Limits) == len(c.want), "%+v, want %v", r.Limits, c.want)
		})
	}
}

// Every limit that excludes machines is named, and each workload without nodes, before anything is simulated.
func TestAllThatExcludesIsNamed(t *testing.T) {
	text := strings.Replace(buytest.Jobs, "counts: [4]", "counts: affordable", 1)
	two := strings.Replace(text, "nodes: {a:", "nodes: {b: {cores: 1, marked_speed: 1 Gflop/s, memory: 1 MB, power: 20 W, price: 400 EUR}, a:", 1)
	for _, c := range []struct {
		text string
		set  []string
		want string
	}{
		// About more than 256 nodes only the price is known.
		{strings.Replace(two, "NODES", "[8, 300], partition: cpu", 1), []string{"budget.money=3000 EUR", "nodes.a.memory=1 B", "nodes.b.memory=1 B", "workloads[0].run={name: matmul, n: 100}",
			"networks.x.switch.ports=512"}, "the cheapest candidate is 300 b, x for 150 000 EUR"},
		// 12 nodes for 900 EUR with a port for 100 EUR.
		{strings.Replace(text, "NODES", "[12, 16]", 1), []string{"budget={money: 3000 EUR, power: 500 W, rack_units: 12}"},
			"no candidate is within the budget; expected a larger one: the cheapest candidate is 12 a, x for 12 000 EUR, of which the workloads need as many nodes at least; of 1 design " +
				"price excludes 1 (12 a, x: price 12 000 EUR exceeds 3 000 EUR), power excludes 1 (12 a, x: power 1.2 kW exceeds 500 W), space excludes 1 (12 a, x: 13 rack units exceed 12)"},
		// More money does not buy power.
		{strings.Replace(text, "NODES", "12", 1), []string{"budget={money: 30000 EUR, power: 500 W}"},
			"budget: no candidate is within the budget; expected wider limits other than the money: the cheapest candidate is 12 a, x for 12 000 EUR"},
		{strings.Replace(two, "NODES", "8", 1), []string{"budget.money=3000 EUR"}, "the cheapest candidate is 8 b, x for 4 000 EUR, of which the workloads need as many nodes at least; of 2 designs price excludes 2 (8 b, x: price 4 000 EUR exceeds 3 000 EUR)"},
		{strings.Replace(two, "NODES", "[1, 2], deadline: 17 s", 1), nil, "no candidate can run every workload: of 2 designs workload w excludes 2 (b, x: a run takes at least 17.82 s on 2 b; its deadline is 17 s)"},
		// b is the first design, and a, twice as fast, is the nearest miss, with its larger number of nodes.
		{strings.Replace(two, "NODES", "[1, 2], deadline: 17 s", 1), []string{"nodes.b.marked_speed=0.5 Gflop/s"}, "of 2 designs workload w excludes 2 (a, x: a run takes at least 17.82 s on 2 a; its deadline is 17 s)"},
	} {
		p := buytest.Read(t, buytest.PlanFile(t, c.text), c.set...)
		_, err := Solve(t.Context(), p, Options{Jobs: 1, Progress: func(x input.Step) { t.Errorf("simulates: %+v", x) }})
		expect.Failure(t, err, c.want)
	}
}

// If only simulations show that everything is excluded, the nearest miss is named, too: 2 a take 18 s, 2 b 36, and one
// node twice that.
func TestNearestMissIsNamed(t *testing.T) {
	text := strings.NewReplacer("counts: [4]", "counts: [2]", "NODES", "[1, 2], deadline: 17.9 s", "nodes: {a:",
		"nodes: {b: {cores: 1, marked_speed: 0.5 Gflop/s, power: 20 W, price: 400 EUR}, a:").Replace(buytest.Jobs)
	_, err := Solve(t.Context(), buytest.Read(t, buytest.PlanFile(t, text)), Options{Jobs: 1})
	const want = "workload w excludes 2 designs (2 a, x: w: a run takes 18 s on 2 a; its deadline is 17.9 s)"
	expect.Failure(t, err, want)
}

// If jobs wait too long on all machines, the nearest miss is the one with the shortest wait: that with most nodes.
func TestNearestWaitIsNamed(t *testing.T) {
	text := strings.NewReplacer("NODES", "1", "runs_per_year: 100", "runs_per_year: "+trim(math.Round(1.5*yearInSeconds/36)), "counts: [4]",
		"counts: [2, 3]\nenergy: {utilisation: 1}\nobjective: {name: cheapest, mean_wait: 1 ms}").Replace(buytest.Jobs)
	_, err := Solve(t.Context(), buytest.Read(t, buytest.PlanFile(t, text)), Options{Jobs: 1})
	expect.Failure(t, err, "the objective excludes 1 design (3 a, x: the mean wait is ")
}

// Plans called impossible are: no machine of up to 8 nodes of each type within the limits runs every workload. Most
// plans are possible.
func TestImpossibleIsImpossible(t *testing.T) {
	impossible := 0
	rapid.Check(t, func(r *rapid.T) {
		of := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(r, name) }
		node := func(name string) string {
			return fmt.Sprintf("%s: {cores: 1, marked_speed: 1 Gflop/s, memory: %s, power: %s, price: %s, partition: %s}", name,
				of("memory", "1 MB", "200 kB", "90 kB"), of("power", "100 W", "300 W"), of("price", "900 EUR", "400 EUR"), of("partition", "x", "y"))
		}
		job := func(name string) string {
			return fmt.Sprintf("- {name: %s, runs_per_year: 10, nodes: %s, run: {name: matmul, n: %s}}\n", name,
				of("nodes", "1", "best", "[2, 4]", "[3]", "6", "1, partition: x", "best, deadline: 1.5 ms", "[2, 4], deadline: 600 us", "all"), of("n", "60", "100", "140"))
		}
		text := "model: ideal\nrobustness: {samples: 0}\ncounts: " + of("counts", "{from: 1, to: 8}", "[2, 4, 8]") +
			"\nmixes: [[a, b]]\nqueue: {submissions: 100}\nbudget: {money: " + of("money", "2000 EUR", "4000 EUR", "8000 EUR") + ", power: " + of("limit", "400 W", "1 kW") + "}\n" +
			"nodes: {" + node("a") + ", " + node("b") + "}\n" +
			"networks: {x: {latency: 0 s, bandwidth: 1 GB/s, price_per_port: 100 EUR, switch: {price: 0 EUR, ports: 64}}}\nworkloads:\n" + job("v") + job("w")
		p, err := model.Read(buytest.PlanFile(t, text), nil)
		if err != nil {
			return // of a partition that no node has
		}
		s := newSolver(p, Options{Jobs: 1, unscreened: true})
		why := s.impossible()
		if why == nil {
			return
		}
		impossible++
		for _, d := range designs(p) {
			within := allOf(p, d)
			if err := s.needChoices(t.Context(), p, within, ""); err != nil {
				r.Fatal(err)
			}
			for _, c := range within {
				cause, _ := s.outOfQuestion(s.machine(c))
				expect.Need(r, cause != model.CauseBudget || s.LimitWith(c, nil) != "", "%s is possible, and said is %v of\n%s", p.Name(c), why, text)
			}
		}
	})
	expect.That(t, impossible >= 5, "only %d plans were impossible", impossible)
}

// Nodes of 1000 EUR. A grid of 8 rows takes 8 or 16 processes, so 5000 of 13 000 EUR remain.
func TestMachinesThatCannotUseTheMoneyAreNamed(t *testing.T) {
	grid := "application: grid\nwork: 64 Gflop\nmemory: 1 MB\ngrid: {x: auto, y: ROWS}\nprogram:\n  - compute: 64 Gflop/p\n"
	for _, c := range []struct{ rows, money, want string }{
		{"8", "13000 EUR", "62\u00a0% of the money; 13 a, x cannot run w; 8 000 of 13 000 EUR"},
		{"1", "13000 EUR", "100\u00a0% of the money; 1 more a: price 14 000 EUR exceeds 13 000 EUR; 13 000 of 13 000 EUR"},
		{"8", "16500 EUR", "97\u00a0% of the money; 16 000 of 16 500 EUR"},
	} {
		text := strings.NewReplacer("{name: matmul, n: 240}", "{application: own.yaml}", "counts: [4]", "counts: affordable").Replace(buytest.Ideal)
		path := buytest.PlanFile(t, text, "own.yaml", strings.Replace(grid, "ROWS", c.rows, 1))
		for _, f := range words.Of(solve(t, buytest.Read(t, path, "budget.money="+c.money), 1)).FirstScreen() {
			if f.Label == "What limits it?" {
				expect.Equal(t, f.Value+"; "+f.Note, c.want, "%s rows", c.rows)
			}
		}
	}
}
