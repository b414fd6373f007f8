package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// bidPlan has nodes of 1 Gflop/s for 1000 EUR with a port, nodes of 4 Gflop/s only in bids, and runs of 36 Gflop on one
// node.
const bidPlan = `load: runs
budget: {money: 10000 EUR, covers: life}
energy: {years: 4, utilisation: 0.8}
costs: {maintenance: 0.05, vat: 0.2, racks: {price: 300 EUR, units: 4}}
model: ideal
nodes:
  a: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: 900 EUR}
  g: {cores: 1, marked_speed: 4 Gflop/s, power: 300 W, for_sale: false}
networks:
  x: {latency: 0 s, bandwidth: 1 GB/s, price_per_port: 100 EUR, switch: {price: 0 EUR, ports: 64}}
  y: {latency: 0 s, bandwidth: 1 GB/s, for_sale: false, switch: {ports: 64}}
robustness: {samples: 20}
workloads: [{name: w, runs_per_year: 100, nodes: 1, run: {name: reference, n: 1, total_compute: 36 Gflop}}]
bids:
- {vendor: alpha, nodes: {a: 6, g: 1}, network: y, price: 7000 EUR +- 5 %, yearly: 100 EUR, source: letter of 3 March}
- vendor: beta
  nodes: {a: 5}
  network: x
  price: 5000 EUR
  options: [{name: more, price: 1500 EUR, adds: {a: 2}}, {name: switch y, price: 200 EUR, network: y}]
`

// What bids cost, by hand: 1.2 times the price, the racks of 300 EUR for 4 units of nodes and a switch, and, in each of
// 4 years, 5 % of the price or the amount that the bid states. A node sold by itself costs 1000 EUR with its port. The
// machine that does most within 10000 EUR has 6 + 4 Gflop/s: 100 runs take 360 s.
func TestBids(t *testing.T) {
	r := solveText(t, bidPlan)
	for name, want := range map[string]struct{ purchase, life, score float64 }{
		"6 a + 1 g, y, bid of alpha":        {1.2 * (7000 + 600), 1.2 * (7000 + 600 + 400), 360},
		"5 a, x, bid of beta":               {1.2 * (5000 + 600), 1.2 * (5000 + 600 + 1000), 720},
		"5 a, y, bid of beta with switch y": {1.2 * (5200 + 600), 1.2 * (5200 + 600 + 1040), 720},
		"6 a, x":                            {1.2 * (6000 + 600), 1.2 * (6000 + 600 + 1200), 600},
	} {
		c := r.Find(name)
		expect.Close(t, c.Price, want.purchase, 1e-12, "price of %s", name)
		expect.Close(t, c.LifeCost, want.life, 1e-12, "life cost of %s", name)
		expect.Close(t, c.Score, want.score, 1e-9, "score of %s", name)
	}
	expect.Equal(t, r.Recommended, "6 a + 1 g, y, bid of alpha", "recommended")
	expect.Equal(t, r.Gap, 0, "gap")
	var reasons, figures []string
	for _, x := range r.Excluded {
		reasons = append(reasons, x.Name+": "+x.Reason)
	}
	beyond := "7 a, x, bid of beta with more: cost over the years 10 080 EUR exceeds 10 000 EUR" // 1.2 (6500 + 600 + 1300)
	expect.Says(t, strings.Join(reasons, "\n"), beyond)
	for _, x := range r.Robustness.Parameters {
		figures = append(figures, x.Parameter)
	}
	expect.That(t, slices.Contains(figures, "price of bid of alpha"), "figures that are changed: %v", figures)
	expect.That(t, !slices.Contains(figures, "price of g"), "g has no price, but it is changed")
	expect.Equal(t, len(r.Plan.Ranges.Figures), 1, "ranges")
	i := slices.IndexFunc(r.Figures, func(f model.Figure) bool { return f.Of == "bid of alpha" })
	expect.Need(t, i >= 0, "the price of the bid is no figure")
	expect.Equal(t, r.Figures[i].Value+", "+r.Figures[i].Source, "7000 EUR, letter of 3 March", "figure")
}

// A time to which a vendor with bids commits holds in these bids: 6/36 + 1/6 runs a second with 6 s on g instead of 9;
// 4/30 + 1/9 with 30 s on a instead of 36, from another vendor for its own bid. A third vendor's 24 s on a hold where
// nodes are bought one by one.
func TestCommittedTimeInABid(t *testing.T) {
	r := solveText(t, bidPlan+`offers:
- {vendor: alpha, node: g, workload: w, nodes: 1, time: 6 s, source: letter}
- {vendor: gamma, node: a, workload: w, nodes: 1, time: 30 s, tolerance: 0.2, source: letter}
- {vendor: delta, node: a, workload: w, nodes: 1, time: 24 s, source: letter}
`, "bids[1]={vendor: gamma, nodes: {a: 4, g: 1}, network: y, price: 100 EUR}")
	for name, want := range map[string]float64{"6 a + 1 g, y, bid of alpha": 6/36. + 1/6., "4 a + 1 g, y, bid of gamma": 4/30. + 1/9., "6 a, x": 6 / 24.} {
		expect.Close(t, r.Find(name).Score, 100/want, 1e-9, "score of %s", name)
	}
	expect.Equal(t, r.Recommended, "6 a + 1 g, y, bid of alpha", "recommended")
	expect.Equal(t, len(r.Acceptance), 2, "acceptance values")
}

// The compatible sets of a bid's options, with their prices and nodes.
func TestOptionsOfABid(t *testing.T) {
	p := buytest.Read(t, buytest.PlanFile(t, strings.Replace(bidPlan, "options: [", "options: [{name: two, price: 0, nodes: {a: 1, g: 1}}, {name: three, price: 400 EUR, nodes: {g: 3}}, ", 1)))
	var got []string
	for _, c := range p.BidChoices(false)[1:] {
		b, _ := p.Price(c)
		got = append(got, p.Name(c)+": "+p.Money(b.Bid))
	}
	expect.List(t, got, []string{
		"5 a, x, bid of beta: 5 000 EUR",
		"1 a + 1 g, x, bid of beta with two: 5 000 EUR",
		"3 g, x, bid of beta with three: 5 400 EUR",
		"7 a, x, bid of beta with more: 6 500 EUR",
		"3 a + 1 g, x, bid of beta with two and more: 6 500 EUR",
		"2 a + 3 g, x, bid of beta with three and more: 6 900 EUR",
		"5 a, y, bid of beta with switch y: 5 200 EUR",
		"1 a + 1 g, y, bid of beta with two and switch y: 5 200 EUR",
		"3 g, y, bid of beta with three and switch y: 5 600 EUR",
		"7 a, y, bid of beta with more and switch y: 6 700 EUR",
		"3 a + 1 g, y, bid of beta with two, more and switch y: 6 700 EUR",
		"2 a + 3 g, y, bid of beta with three, more and switch y: 7 100 EUR",
	}, "options")
}

// The next step from a recommended bid is its cheaper option: 2 Gflop/s more for 1500 EUR and tax, log2(7/5) doublings.
func TestOptionsAreUpgrades(t *testing.T) {
	set := []string{"costs={vat: 0.2}", "nodes.a.price=2000 EUR", "budget={money: 7000 EUR}", "bids[0]={vendor: alpha, nodes: {a: 1}, network: y, price: 5000 EUR}"}
	r := solveText(t, bidPlan, set...)
	expect.Equal(t, r.Recommended, "5 a, x, bid of beta", "recommended")
	expect.Need(t, len(r.Upgrades) == 2, "upgrades %+v", r.Upgrades)
	u := r.Upgrades[0]
	expect.Equal(t, u.Change+", "+u.Beyond, "bid of beta with more instead, price 7 800 EUR exceeds 7 000 EUR", "upgrade")
	expect.Close(t, u.Cost, 1800, 1e-12, "cost")
	expect.Close(t, u.Gain, math.Log2(7./5), 1e-9, "gain")
	// With 10 % more money nothing affordable does more; with 12 % something would.
	expect.Equal(t, r.Limits[0].Gain, 0, "gain of 700 EUR more")
	r = solveText(t, bidPlan, append(set, "budget={money: 7200 EUR}")...)
	expect.Close(t, r.Limits[0].Gain, 7./5-1, 1e-9, "gain of 720 EUR more")
}

// Bids can do runs on the whole machine, too: 36 Gflop on 6 a and 1 g, 1 Gflop/s of each with work in proportion, take
// 3.6 s; and a bid may add to existing nodes.
func TestBidsOfWholeMachines(t *testing.T) {
	r := solveText(t, bidPlan, "workloads[0].nodes=all", "counts=[2]")
	expect.Equal(t, r.Recommended, "6 a + 1 g, y, bid of alpha", "recommended")
	expect.Close(t, r.Recommendation().Score, 360, 1e-9, "score")
	r = solveText(t, bidPlan, "existing={node: a, count: 3, network: x}")
	expect.Equal(t, r.Recommended, "3 a and 6 a + 1 g, y, bid of alpha", "recommended")
	expect.Close(t, r.Recommendation().Score, 3600./13, 1e-9, "score with 3 Gflop/s more")
	expect.Close(t, r.Recommendation().Bill.Bid, 7000, 0, "price of the bid")
}

// A network for some node types connects no others; a single node, which needs none, is listed with one that fits.
func TestBoundNetwork(t *testing.T) {
	r := solveText(t, bidPlan, "bids=[]", "nodes.b={cores: 1, marked_speed: 2 Gflop/s, power: 100 W, price: 900 EUR}",
		"networks.x.nodes=[b]", "networks.w={latency: 0 s, bandwidth: 1 GB/s, price_per_port: 100 EUR, nodes: [a], switch: {price: 0 EUR, ports: 64}}", "counts=[1, 2]")
	got := each.Append(nil, r.Ranking, func(c model.Candidate) string { return c.Design + ": " + c.Name })
	expect.List(t, got, []string{"b, x: 2 b, x", "b, x: 1 b", "a, w: 2 a, w", "a, w: 1 a"}, "ranking")
	for _, u := range r.Upgrades {
		expect.Lacks(t, u.Change, "a nodes", "w instead")
	}
}

// At 2000 EUR a node, 1000 from 6 up, 7000 EUR buy 6 or 7 nodes, or 3 at the higher price, but neither 4 nor 5. The
// same with runs on the whole machine; and if nothing is within the budget the cheapest candidate has the lower price.
func TestDiscountsInTheSearch(t *testing.T) {
	set := []string{"bids=[]", "costs={}", "nodes.a.price={1: 1900 EUR, 6: 900 EUR}", "budget={money: 7000 EUR}"}
	for _, more := range []string{"load=runs", "workloads[0].nodes=all"} {
		r := solveText(t, bidPlan, append(set, more)...)
		got := each.Append(nil, r.Ranking, func(c model.Candidate) string { return c.Name })
		expect.List(t, got, []string{"7 a, x", "6 a, x", "3 a, x", "2 a, x", "1 a"}, "ranking")
		expect.Equal(t, r.Recommendation().Price, 7000, "price")
	}
	r := solveText(t, bidPlan, append(set, "budget={money: 6000 EUR}", "counts=[4, 5, 6, 7]")...)
	expect.Equal(t, r.Recommended, "6 a, x", "recommended of a list of counts")
	p := buytest.Read(t, buytest.PlanFile(t, bidPlan), append(set, "nodes.a.price={1: 1900 EUR, 3: 100 EUR}", "budget={money: 500 EUR}")...)
	_, err := Solve(t.Context(), p, Options{Jobs: 1})
	expect.Failure(t, err, "no candidate is within the budget; expected a larger one: the cheapest candidate is 3 a, x for 600 EUR")
	// Runs need at least 2 nodes, 4000 EUR; 6 cost 2400.
	p = buytest.Read(t, buytest.PlanFile(t, bidPlan), append(set, "nodes.a.price={1: 1900 EUR, 6: 300 EUR}", "budget={money: 1950 EUR}", "workloads[0].nodes=2")...)
	_, err = Solve(t.Context(), p, Options{Jobs: 1})
	expect.Failure(t, err, "the cheapest candidate is 6 a, x for 2 400 EUR")
	expect.Failure(t, err, "price excludes 1 (6 a, x: price 2 400 EUR exceeds 1 950 EUR)")
}

// placePlan has 4 nodes each of 1 and 2 Gflop/s and of 4 devices of 1 Gflop/s, on an ideal network.
const placePlan = `load: runs
budget: {money: 100000 EUR}
model: ideal
nodes:
  a: {cores: 1, marked_speed: 1 Gflop/s, memory: 16 GB, power: 100 W, price: 900 EUR}
  b: {cores: 1, marked_speed: 2 Gflop/s, memory: 64 GB, power: 100 W, price: 900 EUR}
  g: {devices: {count: 4, speed: {fp64: 1 Gflop/s}, memory: 8 GB}, power: 100 W, price: 900 EUR}
networks: {x: {latency: 0 s, bandwidth: 1 GB/s, price_per_port: 100 EUR, switch: {price: 0 EUR, ports: 64}}}
counts: [4]
mixes: [[a, b, g]]
robustness: {samples: 0}
workloads: [{name: w, runs_per_year: 100, nodes: 1, run: {name: reference, n: 1, total_compute: 36 Gflop}}]
`

// Where a run takes place, judged by its time: 36 Gflop over the speed of its nodes.
func TestWhereRunsTakePlace(t *testing.T) {
	const run = "run: {name: reference, n: 1, total_compute: %d Gflop}"
	for _, tt := range []struct {
		job  string
		want string  // on the machine with all types
		year float64 // time of a year's 100 runs there
	}{
		{"nodes: 1, " + run, "1 a 36 s, 1 b 18 s, 1 g 9 s", 100 * 36 / (4. + 8 + 16)},
		{"nodes: 1, memory_per_node: 32 GB, " + run, "1 b 18 s, 1 g 9 s", 100 * 36 / (8. + 16)},
		{"nodes: 1, memory_per_node: 33 GB, " + run, "1 b 18 s", 100 * 36 / 8.},
		{"nodes: 1, partition: cpu, memory_per_node: 16 GB, " + run, "1 a 36 s, 1 b 18 s", 100 * 36 / (4. + 8)},
		{"devices: 6, " + run, "2 g 4.5 s, 3 g 3 s, 4 g 2.25 s", 100 * 36 / 16.},
		{"devices: 13, " + run, "4 g 2.25 s", 100 * 36 / 16.},
		{"nodes: [1, 3], devices: 6, " + run, "3 g 3 s", 100 * 3},
		{"either: [{partition: cpu, nodes: 4, " + run + "}, {devices: 4, nodes: 1, run: {name: reference, n: 1, total_compute: 12 Gflop}}]", "4 a 9 s, 4 b 4.5 s, 1 g 3 s", 100 / (1/9. + 1/4.5 + 4/3.)},
		{"either: [{memory_per_node: 64 GB, nodes: 2, " + run + "}, {nodes: [1, 4], run: {name: reference, n: 1, total_compute: 4 Gflop}}]", "1 a 4 s, 4 a 1 s, 2 b 9 s, 1 g 1 s, 4 g 0.25 s", 100 / (1. + 2/9. + 4)},
	} {
		text := strings.Replace(placePlan, "nodes: 1, run: {name: reference, n: 1, total_compute: 36 Gflop}", strings.ReplaceAll(tt.job, "%d", "36"), 1)
		r := solveText(t, text)
		c := r.Find("4 a + 4 b + 4 g, x")
		var got []string
		for _, y := range c.Workloads[0].Ways {
			got = append(got, fmt.Sprintf("%d %s %v s", y.Nodes, y.Node, y.Time))
		}
		expect.Equal(t, strings.Join(got, ", "), tt.want, "ways of %s", tt.job)
		expect.Close(t, c.Score, tt.year, 1e-9, "%s: time of a year's work", tt.job)
	}
}

// A workload that cannot run says what it needs.
func TestNoPlaceForARun(t *testing.T) {
	set := []string{"mixes=[]", "workloads[0].nodes=best", "workloads[0].devices=20"}
	_, err := Solve(t.Context(), buytest.Read(t, buytest.PlanFile(t, placePlan), set...), Options{Jobs: 1})
	expect.Failure(t, err, "workload w excludes 3 designs (4 a, x: w: no nodes with devices)")
	set = append(set, "nodes.a.for_sale=false", "nodes.b.for_sale=false")
	_, err = Solve(t.Context(), buytest.Read(t, buytest.PlanFile(t, placePlan), set...), Options{Jobs: 1})
	expect.Failure(t, err, "workload w excludes 1 design (4 g, x: w: too few nodes: a run takes at least 5)")
}

// Machines of a, b and g at 1000 EUR a node, within 20 000 EUR, with at least 20 % of the nodes with devices, and at
// least 3 b: where any number may be bought, all nodes are g except 3 b, with 16 Gflop/s for each 4 g. Designs and bids
// that miss the requirements are excluded.
func TestRequirements(t *testing.T) {
	set := []string{"require=[{nodes: gpu, at_least: 20 %}, {nodes: b, at_least: 3}]", "budget.money=20000 EUR", "counts=affordable", "mixes=[[a, b], [a, g], [b, g], [a, b, g]]",
		"bids=[{vendor: p, nodes: {b: 12, g: 3}, network: x, price: 100 EUR}, {vendor: q, nodes: {b: 12, g: 2}, network: x, price: 100 EUR}]"}
	r := solveText(t, placePlan, set...)
	expect.Equal(t, r.Recommended, "3 b + 17 g, x", "recommended")
	expect.Close(t, r.Recommendation().Score, 3600/(6.+68), 1e-9, "score")
	for _, c := range r.Ranking {
		nodes := map[string]int{}
		for _, n := range c.Nodes {
			nodes[n.Type] += n.Count
			nodes[""] += n.Count
		}
		expect.That(t, nodes["b"] >= 3 && 5*nodes["g"] >= nodes[""], "ranked: %s", c.Name)
	}
	want := []string{"14.3 % of the nodes are gpu, 20 % of the nodes required", "0 % of the nodes are gpu, 20 % of the nodes required", "0 are b, 3 nodes required"}
	reasons := map[string]string{}
	for _, x := range r.Excluded {
		reasons[x.Name] = x.Reason
	}
	expect.List(t, []string{reasons["12 b + 2 g, x, bid of q"], reasons["a, x"], reasons["a + g, x"]}, want, "reasons")
	// With runs on the whole machine, in proportion to speed.
	r = solveText(t, placePlan, append(set, "workloads[0].nodes=all", "require=[{nodes: gpu, at_least: 20 %}, {nodes: b, at_least: 40 %}]", "nodes.g.price=99900 EUR", "budget.money=320000 EUR", "bids=[]")...)
	expect.Equal(t, r.Recommended, "12 b + 3 g, x", "recommended with g for 100 000 EUR")
	// Nothing meets the requirements.
	p := buytest.Read(t, buytest.PlanFile(t, placePlan), append(set, "mixes=[]", "bids=[]")...)
	_, err := Solve(t.Context(), p, Options{Jobs: 1})
	expect.Failure(t, err, "no candidate can run every workload and meets the requirements: of 3 designs a requirement excludes 3 (a, x: 0 % of the nodes are gpu, 20 % of the nodes required)")
}

// A node type that differs from another only in its name is a different one if a requirement names it.
func TestRequiredTwin(t *testing.T) {
	r := solveText(t, placePlan, "nodes.b={cores: 1, marked_speed: 1 Gflop/s, memory: 16 GB, power: 100 W, price: 900 EUR}", "require=[{nodes: b, at_least: 4}]")
	expect.Equal(t, r.Recommended, "4 a + 4 b + 4 g, x", "recommended")
	r.Find("4 b, x")
}

// A run of v counts as 5 s of the whole machine where there are no devices. For a year's 100 runs of 36 Gflop of each
// workload, 4 nodes of 1 Gflop/s take 900 s and 500 s, 4 of 2 Gflop/s 450 s and 500 s, 4 with 4 devices 225 s twice.
// Runs that are not done draw no power and bear no cost.
func TestPartialCredit(t *testing.T) {
	text := strings.Replace(placePlan, "Gflop}}]", "Gflop}}, {name: v, runs_per_year: 100, devices: 4, if_impossible: 5 s, run: {name: reference, n: 1, total_compute: 36 Gflop}}]", 1)
	r := solveText(t, text, "mixes=[]")
	for name, want := range map[string]struct{ score, jobs float64 }{"4 a, x": {1400, 100}, "4 b, x": {950, 100}, "4 g, x": {450, 200}} {
		c := r.Find(name)
		expect.Close(t, c.Score, want.score, 1e-9, "score of %s", name)
		expect.Close(t, *c.JobCost, 4000/(5*want.jobs), 1e-9, "cost per job of %s", name)
		expect.Equal(t, c.Workloads[1].Impossible, map[bool]string{true: "no nodes with devices"}[want.jobs == 100], "why %s cannot", name)
		sum := each.Sum(c.Workloads, func(w model.WorkloadResult) float64 { return w.Cost * w.PerYear * 5 })
		expect.Close(t, sum, c.LifeCost, 1e-9, "costs of all runs of %s", name)
	}
	r = solveText(t, strings.NewReplacer("runs_per_year: 100", "weight: 1", "load: runs\n", "").Replace(text), "mixes=[]")
	expect.Close(t, r.Find("4 a, x").Score, math.Sqrt(9*5), 1e-9, "mean time of 4 a")
	expect.Close(t, r.Find("4 g, x").Score, 9./4, 1e-9, "mean time of 4 g")
	// A machine that can do nothing is ranked, too, with 500 s.
	text = strings.Replace(text, "{name: w, runs_per_year: 100, nodes: 1, run: {name: reference, n: 1, total_compute: 36 Gflop}}, ", "", 1)
	r = solveText(t, text, "mixes=[]", "nodes.g.for_sale=false")
	expect.Equal(t, len(r.Ranking), 2, "machines")
	expect.Close(t, r.Recommendation().Score, 500, 1e-9, "score of a machine that can do nothing")
	expect.That(t, r.Recommendation().JobCost == nil, "it has a cost per job")
	// Of 36 s, 18 s and 9 s the first misses a deadline of 20 s: it counts as 3 s, or else its machine is excluded.
	set := []string{"mixes=[]", "workloads[0].deadline=20 s"}
	expect.Equal(t, len(solveText(t, placePlan, set...).Ranking), 2, "ranked")
	r = solveText(t, placePlan, append(set, "workloads[0].if_impossible=3 s", "objective={name: time}", "tolerance=0")...)
	expect.Equal(t, r.Recommended, "4 a, x", "recommended")
	expect.Equal(t, r.Recommendation().Score, 3, "score")
}

// The options of a bid are one design. With 7 Gflop/s for 6500 EUR it leads another bid of 4 Gflop/s by 75 %; at a
// tenth more, when 7000 EUR do not pay for the option, it leads with 5 Gflop/s by 25 % and remains first.
func TestOptionsAreOneDesign(t *testing.T) {
	r := solveText(t, bidPlan, "costs={}", "budget={money: 7000 EUR}", "nodes.a={cores: 1, marked_speed: 1 Gflop/s, power: 100 W, for_sale: false}",
		"bids[0]={vendor: alpha, nodes: {a: 4}, network: y, price: 4000 EUR}")
	expect.Equal(t, r.Recommended, "7 a, x, bid of beta with more", "recommended")
	expect.Equal(t, r.Recommendation().Design+" before "+r.RunnerUp, "bid of beta before 4 a, y, bid of alpha", "designs")
	expect.Close(t, *r.Lead, 7./4-1, 1e-9, "lead")
	expect.Equal(t, r.Robustness.OneAtATime.First, r.Robustness.OneAtATime.Trials, "first, one figure at a time")
	expect.Equal(t, r.Robustness.Joint.First, r.Robustness.Joint.Trials, "first, all figures at once")
	i := slices.IndexFunc(r.Robustness.Parameters, func(x model.Sensitivity) bool { return x.Parameter == "price of bid of beta" })
	expect.Need(t, i >= 0, "the price is not changed")
	x := r.Robustness.Parameters[i]
	expect.Close(t, *x.Low, 7./4-1, 1e-9, "lead at a tenth less")
	expect.Close(t, *x.High, 5./4-1, 1e-9, "lead at a tenth more")
}

// With a scoring, each set of options gets its own points: half of 100 by price, least 4000 EUR, half by performance,
// most 7 Gflop/s. The bid of 5 Gflop/s for 5000 EUR gets 40 + 35.7, with its option 25 + 50, the other 50 + 21.4.
func TestPointsOfOptions(t *testing.T) {
	r := solveText(t, bidPlan+"scoring: [{of: price, points: 50}, {of: performance, points: 50}]\n", "costs={}", "budget={money: 8000 EUR}",
		"nodes.a={cores: 1, marked_speed: 1 Gflop/s, power: 100 W, for_sale: false}", "bids[1].options[0].price=3000 EUR", "bids[1].options[1].price=3100 EUR",
		"bids[0]={vendor: alpha, nodes: {a: 3}, network: y, price: 4000 EUR}")
	got := map[string]float64{}
	for _, x := range r.Points {
		got[x.Design] = x.Points
	}
	for design, want := range map[string]float64{"bid of alpha": 50 + 50*3/7., "bid of beta": 40 + 50*5/7., "bid of beta with more": 75} {
		expect.Close(t, got[design], want, 1e-9, "points of %s", design)
	}
	expect.Equal(t, r.Recommended, "5 a, x, bid of beta", "recommended")
}

// Rewording a random plan, or adding what cannot matter, does not change the answer.
func TestRelationsOfTenders(t *testing.T) {
	expect.Long(t, "answers tenders")
	t.Parallel()
	const plans = 12
	price := regexp.MustCompile(`price: (\d+) EUR, partition`)
	answer := func(text string) (*model.Result, error) {
		return Solve(t.Context(), buytest.Read(t, buytest.PlanFile(t, text)), Options{Jobs: 1, Rough: rough})
	}
	answered, held := 0, map[string]int{}
	for seed := 0; answered < plans; seed++ {
		text := drawnPlan(rand.New(rand.NewPCG(uint64(seed), 21)))
		r, err := answer(text)
		if err != nil {
			continue
		}
		answered++
		lines := strings.SplitAfter(text, "\n")
		p := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "- {vendor: p") })
		bids := lines[p] + lines[p+1]
		has := r.Recommendation().Nodes[0].Type
		for _, x := range []struct{ relation, text string }{
			{"a network for all node types", strings.ReplaceAll(text, "hop_latency: 5 us", "hop_latency: 5 us, nodes: [c, a, b]")},
			{"a vendor of another name", strings.ReplaceAll(text, "vendor: p", "vendor: zeta")},
			{"bids in another order", strings.Replace(text, bids, lines[p+1]+lines[p], 1)},
			{"bids in another currency", strings.Replace(text, bids, strings.ReplaceAll(bids, " EUR", " USD"), 1) + "exchange: {USD: 1 EUR}\n"},
			{"a bid in addition that costs more", strings.Replace(text, bids, bids+strings.NewReplacer("vendor: q", "vendor: r", " EUR, options", "0 EUR, options").Replace(lines[p+1]), 1)},
			{"discounts of nothing", price.ReplaceAllString(text, "price: {1: $1 EUR, 3: $1 EUR}, partition")},
			{"a requirement that is met", strings.Replace(text, "robustness:", "require: [{nodes: "+has+", at_least: 1}]\nrobustness:", 1)},
			{"memory that all have", strings.ReplaceAll(text, ", run: ", ", memory_per_node: 1 GB, run: ")},
			{"another network that only bids may have", strings.Replace(text, "mixes:", "  w: {latency: 0 s, bandwidth: 1 GB/s, for_sale: false, switch: {ports: 8}}\nmixes:", 1)},
		} {
			if strings.Contains(text, "require:") && strings.Contains(x.relation, "requirement") || strings.Contains(x.text, "memory_per_node: 1 GB") && strings.Contains(text, "memory_per_node") {
				continue // a duplicate key
			}
			if x.text == text { // of discounts, where each node type has some
				continue
			}
			held[x.relation]++
			y := expect.Value(answer(x.text))(t)
			got := strings.ReplaceAll(y.Recommended, "bid of zeta", "bid of p")
			expect.Equal(t, got, r.Recommended, "plan %d, %s: recommended\n%s", seed, x.relation, x.text)
			a, b := y.Recommendation(), r.Recommendation()
			expect.Close(t, a.Objective, b.Objective, 1e-12, "plan %d, %s: what it is ranked by", seed, x.relation)
			expect.Close(t, a.LifeCost, b.LifeCost, 1e-12, "plan %d, %s: life cost", seed, x.relation)
		}
	}
	expect.Equal(t, len(held), 9, "relations that were compared: %v", held)
}
