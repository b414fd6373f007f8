package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// two is a choice between two nodes that carry the mix and differ only in price, with ranges of their prices.
const two = `budget: {money: 90000 EUR}
objective: cheapest
counts: [1]
nodes:
  a: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: PRICE-A}
  b: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: PRICE-B}
networks: {x: {latency: 1 us, bandwidth: 1 GB/s, price_per_port: 0 EUR, switch: {price: 0 EUR, ports: 8}}}
workloads: [{name: w, runs_per_year: 10, nodes: 1, run: {name: matmul, n: 100}}]
robustness: {samples: 0}
`

func choiceOfTwo(t *testing.T, a, b string, set ...string) *model.Result {
	t.Helper()
	return solveText(t, strings.NewReplacer("PRICE-A", a, "PRICE-B", b).Replace(two), set...)
}

// The difference of two normal prices is normal: the node that is cheaper on average is cheaper with probability
// Phi(d/s), d = 300 EUR and s^2 = (500^2 + 400^2)/1.96^2. The expected regret of choosing it, here in EUR, is E max(0,
// A - B) = s phi(d/s) - d Phi(-d/s).
func TestProbabilityOfTheCheaper(t *testing.T) {
	r := choiceOfTwo(t, "5000 EUR +- 10 %", "5300 EUR +- 400 EUR", "ranges.samples=4000")
	d, s := 300.0, math.Hypot(500, 400)/within95
	phi := math.Exp(-d*d/(2*s*s)) / math.Sqrt(2*math.Pi)
	below := 0.5 * math.Erfc(d/s/math.Sqrt2) // Phi(-d/s)
	u := r.Uncertain
	expect.Need(t, r.Recommendation().Design == "a, x" && u.Designs[0].Design == "a, x", "%+v", u)
	noise := 4 * math.Sqrt(below*(1-below)/4000) // four standard errors
	expect.Near(t, u.Designs[0].Probability, 1-below, noise, "probability")
	// Relative to the price paid, about 5150 EUR, and within four standard errors: the mean square of what is lost is
	// (s^2 + d^2) Phi(-d/s) - d s phi.
	square := (float64((s*s+d*d)*below) - float64(d*s*phi)) / (5150 * 5150)
	regret := (float64(s*phi) - d*below) / 5150
	expect.Near(t, u.Designs[0].Regret, regret, 0.07*regret+4*math.Sqrt(square/4000), "regret")
	// The price with the larger range is worth more, and knowing both would avoid all regret.
	expect.That(t, u.Figures[0].Figure == "price of a" && u.Figures[1].Figure == "price of b" && u.Figures[1].Value > 0,
		"%+v", u.Figures)
	for _, x := range u.Figures {
		expect.That(t, x.Value <= u.Designs[0].Regret && (!strings.HasPrefix(x.Figure, model.QuantityTimes) || x.Value == 0),
			"%s is worth %v of a regret of %v", x.Figure, x.Value, u.Designs[0].Regret)
	}
}

// Prices of offers have ranges like those of node types, in the plan or in a file of either form; groups name them by
// their places.
func TestRangesOfOfferedPrices(t *testing.T) {
	const group = "ranges={samples: 500, figures: [{of: \"%s\", group: vendor}]}"
	want := choiceOfTwo(t, "5000 EUR +- 10 %", "5300 EUR +- 400 EUR", fmt.Sprintf(group, "nodes.a.price")).Uncertain
	folder := t.TempDir()
	offers := "[{vendor: v, node: a, price: 5000 EUR +- 10 %}, {vendor: v, node: b, price: 5300 EUR +- 400 EUR}]"
	yaml, csv := filepath.Join(folder, "o.yaml"), filepath.Join(folder, "o.csv")
	for path, text := range map[string]string{yaml: "offers: " + offers + "\n",
		csv: "vendor,node,price\nv,a,5000 EUR +- 10 %\nv,b,5300 EUR +- 400 EUR\n"} {
		buytest.Write(t, path, text)
	}
	for _, from := range []string{offers, yaml, csv} {
		got := choiceOfTwo(t, "1 EUR", "1 EUR", "offers="+from, fmt.Sprintf(group, "offers[0].price")).Uncertain
		expect.Same(t, got, want, "%s", from)
	}
}

// Times to which vendors commit have their own ranges and no model error: which of two is shorter follows from the same
// formulas as which of two prices is lower.
func TestRangesOfCommittedTimes(t *testing.T) {
	u := choiceOfTwo(t, "5000 EUR", "5000 EUR", "objective=throughput", "tolerance=0",
		"ranges={samples: 4000, model: 0.5}",
		"offers=[{vendor: v, node: a, workload: w, nodes: 1, time: 50 s +- 10 %, source: s}, {vendor: v, node: b, workload: w, nodes: 1, time: 53 s +- 4 s, source: s}]").Uncertain
	below := 0.5 * math.Erfc(300/(math.Hypot(500, 400)/within95)/math.Sqrt2)
	expect.Equal(t, u.Designs[0].Design, "a, x", "best design")
	expect.Near(t, u.Designs[0].Probability, 1-below, 4*math.Sqrt(below*(1-below)/4000), "probability")
	figures := each.Of(u.Figures[:2], func(x model.FigureValue) string { return x.Figure })
	expect.List(t, figures, []string{"committed time of w on 1 a", "committed time of w on 1 b"}, "figures")
}

// Prices that move together keep their order, so no figure is worth knowing.
func TestPricesThatMoveTogether(t *testing.T) {
	const group = "ranges.figures=[{of: nodes.a.price, group: vendor}, {of: nodes.b.price, range: 10 %, group: vendor}]"
	u := choiceOfTwo(t, "5000 EUR +- 10 %", "5300 EUR", group).Uncertain
	expect.That(t, u.Designs[0].Probability == 1 && u.Designs[0].Regret == 0, "%+v", u.Designs[0])
	vendor := each.Where(nil, u.Figures, func(x model.FigureValue) bool { return x.Figure == "vendor" })
	expect.Same(t, vendor, []model.FigureValue{{Figure: "vendor", Members: []string{"price of a", "price of b"}, Range: 0.1}}, "figure")
}

// Two choices, in four equally probable cases of two figures that are 0 or 1. The first has regrets 0, 0, 0.4, 0.2 and
// the second 0.1, 0.3, 0, 0, where the first figure is 0, 0, 1, 1 and the second 0, 1, 0, 1. Without knowledge the
// second is chosen, with 0.1. With the first figure the choice is right in all cases: it is worth 0.1. With the second
// figure at 0 the regrets are 0, 0.4 and 0.1, 0: the second choice, 0.05; at 1 they are 0, 0.2 and 0.3, 0: the first,
// 0.1. Together (0.05 + 0.1)/2, worth 0.025.
func TestValueOfInformationByHand(t *testing.T) {
	var first, second []float64
	var regrets [][]float64
	for range 2000 { // a tenth of the cases has one value of a figure, and enough of each kind
		first = append(first, 0, 0, 1, 1)
		second = append(second, 0, 1, 0, 1)
		regrets = append(regrets, [][]float64{{0, 0.1}, {0, 0.3}, {0.4, 0}, {0.2, 0}}...)
	}
	value, _ := valueOfInformation(first, regrets)
	expect.Near(t, value, 0.1, 1e-12, "first figure")
	// Cases of one value are shuffled: in the order above two kinds alternate, and each half of a tenth would have only
	// one kind.
	random := rand.New(rand.NewPCG(1, 1))
	for i := range second {
		second[i] += 1e-9 * random.Float64()
	}
	value, _ = valueOfInformation(second, regrets)
	expect.Near(t, value, 0.025, 0.005, "second figure")
	constant := slices.Repeat([][]float64{{0.1, 0.2}}, len(regrets))
	value, _ = valueOfInformation(first, constant)
	expect.Near(t, value, 0, 1e-15, "of what never changes the choice")
}

// Ranges need no simulations beyond those of the tests of robustness with the same change, change nothing else in the
// answer, and depend only on the seed.
func TestRangesNeedNoSimulations(t *testing.T) {
	t.Parallel()
	expect.Long(t, "answers many plans")
	const ranges = "ranges={samples: 200, figures: [{of: nodes.fat.price, range: 5 %}, {of: networks.fast.bandwidth, range: 8 %}, {of: nodes.thin.marked_speed, range: 10 %}]}"
	a, b, c := solveText(t, buytest.Site), solveText(t, buytest.Site, ranges), solveText(t, buytest.Site, ranges)
	expect.Need(t, a.Uncertain == nil && b.Uncertain != nil, "uncertainty without ranges, or none with them")
	expect.That(t, cmp.Equal(b.Uncertain, c.Uncertain), "%+v and then %+v", b.Uncertain, c.Uncertain)
	sum := b.Uncertain.None
	for _, x := range b.Uncertain.Designs {
		sum += x.Probability
	}
	expect.That(t, math.Abs(sum-1) <= 1e-9, "probabilities add up to %v", sum)
	expect.That(t, a.Provenance.Simulations == b.Provenance.Simulations,
		"%d simulations, %d with ranges", a.Provenance.Simulations, b.Provenance.Simulations)
	expect.That(t, cmp.Equal(a.Robustness, b.Robustness) && a.Recommended == b.Recommended,
		"ranges change the rest of the answer")
}

// A node that is worse in every respect is never the best choice, whatever is drawn for the figures.
func TestWorseNodesAreNeverBest(t *testing.T) {
	const worse = "nodes.worse={cores: 4, marked_speed: 9 Gflop/s, memory: 64 GB, memory_bandwidth: 39 GB/s, power: 410 W, price: 4100 EUR, rack_units: 2}"
	var figures []string
	for _, name := range []string{"fat", "worse"} {
		for _, key := range []string{"price", "marked_speed", "memory_bandwidth", "power"} {
			figures = append(figures, fmt.Sprintf("{of: nodes.%s.%s, range: 10 %%, group: %s}", name, key, key))
		}
	}
	r := solveText(t, buytest.Site, worse, "ranges={samples: 100, model: 0, figures: ["+strings.Join(figures,
		", ")+"]}")
	for _, x := range r.Uncertain.Designs {
		expect.That(t, !strings.HasPrefix(x.Design, "worse,") || x.Probability <= 0, "%+v", x)
	}
}

func TestReadRanges(t *testing.T) {
	p := buytest.Read(t, buytest.PlanFile(t, two), "nodes.a.price=5000 EUR +- 250 EUR",
		"nodes.b.price=5300 EUR+-2.5%", "nodes.a.power=0.1 kW +- 20 W",
		"workloads[0].runs_per_year=2000 +- 10 %", "networks.x.latency=1 us +- 0.5 us", "ranges={model: 0.2, figures: [{of: nodes.b.marked_speed, range: 40 %}]}")
	want := map[string]float64{"nodes.a.price": 0.05, "nodes.b.price": 0.025, "nodes.a.power": 0.2,
		"workloads[0].runs_per_year": 0.1, "networks.x.latency": 0.5, "nodes.b.marked_speed": 0.4}
	got := map[string]float64{}
	for _, x := range p.Ranges.Figures {
		got[x.Of] = math.Round(1e12*x.Half) / 1e12
	}
	expect.Same(t, got, want, "ranges")
	expect.That(t, p.Ranges.Model == 0.2 && p.Ranges.Samples == 1000 && p.Nodes[0].Price.Amount == 5000 && p.Workloads[0].Weight == 2000,
		"%+v", p.Ranges)
}

func TestReadRangeErrors(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"nodes.a.price=5000 EUR +- 95 %", "a range of 95 % of the value"},
		{"nodes.a.price=5000 EUR +- 0 %", "a range of 0 % of the value"},
		{"nodes.a.price=5000 EUR +- 20 USD", `the range "20 USD" is not in the unit of "5000 EUR"`},
		{"nodes.a.price=5000 EUR +- 20 W", `the range "20 W" is not in the unit of "5000 EUR"`},
		{"offers=[{vendor: v, node: a, price: 9 EUR +- 91 %}]", "a range of 91 % of the value"},
		{"ranges={figures: [{of: nodes.a.marked_speed, range: 5 %}, {of: nodes.a.node_speed, range: 5 %}]}", "nodes.a.node_speed is the figure whose range stands at nodes.a.marked_speed; expected one range for each figure"},
		{"nodes.a.power=100 W +- ", `the range "" is not in the unit of "100 W"`},
		{"budget.money=5000 EUR +- 5 %", "budget.money"},
		{"ranges.figures=[{of: nodes.c.price, range: 5 %}]", "nodes.c.price is not a figure with a range"},
		{"ranges.figures=[{of: nodes.a.memory_bandwidth, range: 5 %}]", "nodes.a.memory_bandwidth is not a figure with a range"},
		{"ranges.figures=[{of: nodes.a.price, group: x}]", "no range, neither here nor with the value of nodes.a.price"},
		{"ranges.figures=[{of: nodes.a.price, range: 5}]", `"5" is no percentage`},
		{"ranges.figures=[{of: nodes.a.price, range: 5 %}, {of: nodes.a.price, range: 5 %}]", "duplicate range of nodes.a.price"},
		{"ranges.model=2", "2 is out of range"},
	} {
		set := buytest.Set("nodes.a.price=5000 EUR", "nodes.b.price=5300 EUR", c.set)
		expect.Refusal(model.Read(buytest.PlanFile(t, two), set))(t, c.want)
	}
}

// At the ends p of the interval, k of n cases are z standard deviations from what p predicts.
func TestIntervalOfAProbability(t *testing.T) {
	for _, k := range []float64{0, 1, 37, 100, 199, 200} {
		low, high := wilson(k, 200)
		for _, p := range []float64{low, high} {
			expect.Near(t, math.Abs(k/200-p), within95*math.Sqrt(p*(1-p)/200), 1e-12, "%v of 200: distance from %v", k, p)
		}
		expect.That(t, low <= k/200 && high >= k/200 && (k == 0) == (low == 0) && (k == 200) == (high == 1),
			"%v of 200: %v to %v", k, low, high)
	}
}

// The second choice loses 0.01 less on average. That counts if it does so in each case, or in 400 cases that vary by
// 0.1 up and down (an error of 0.005), but not in 100 of them (0.01).
func TestLessRegretIsBeyondChance(t *testing.T) {
	for _, x := range []struct {
		cases  int
		spread float64
		want   int
	}{{10, 0, 1}, {400, 0.1, 1}, {100, 0.1, 0}} {
		var regrets [][]float64
		for i := range x.cases {
			regrets = append(regrets, []float64{0.5 + x.spread*float64(1-i%2*2), 0.49})
		}
		expect.Equal(t, lessRegret(regrets, 1), x.want, "%d cases that spread by %v: choice", x.cases, x.spread)
	}
}
