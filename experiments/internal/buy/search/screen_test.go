package search

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// randomPlan is a question with node types of very different value.
func randomPlan(random *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintf(&b, "budget: {money: %d EUR}\nnodes:\n", 6000+random.IntN(9000))
	for i := range 3 + random.IntN(2) {
		fmt.Fprintf(&b, "  n%d: {cores: %d, marked_speed: %d Mflop/s, memory_bandwidth: %d MB/s, power: %d W, price: %d EUR}\n",
			i, 1+random.IntN(2), 50<<random.IntN(8), 200<<random.IntN(6), 50+random.IntN(500), 700+random.IntN(1500))
	}
	b.WriteString("networks:\n")
	for i := range 2 {
		fmt.Fprintf(&b, "  x%d: {latency: %d us, bandwidth: %d MB/s, price_per_port: %d EUR, switch: {price: %d EUR, ports: 8}}\n",
			i, 1+random.IntN(50), 100<<random.IntN(5), random.IntN(100), random.IntN(500))
	}
	if random.IntN(3) == 0 {
		b.WriteString("model: flow\n")
	}
	if random.IntN(3) == 0 {
		b.WriteString("mixes: [[n0, n1]]\n")
	}
	kind, nodes, unit := "runs_per_year", "all", 1
	switch random.IntN(6) {
	case 0:
		kind = "weight"
	case 1:
		nodes = "best"
	case 2, 3: // with so many runs that not all machines carry them
		b.WriteString("objective: cheapest\n")
		nodes = []string{"all", "best"}[random.IntN(2)]
		unit = []int{1e7, 1e8, 1e9}[random.IntN(3)]
	}
	fmt.Fprintf(&b, "counts: [1, 2, 3, 4]\nrobustness: {change: 0.02, samples: 2}\nqueue: {submissions: 100}\nworkloads:\n")
	for i, run := range []string{
		"{name: matmul, n: 60, bytes_per_flop: 0.2}", "{name: gauss, n: 40, sustained: 0.4}", "{name: floyd, n: 40}", "{name: lcs, n: 64}", "{name: convolution, n: 64}",
		"{name: stencil3d, n: 30, steps: 2}", "{name: cg, n: 20, iterations: 2}", "{name: fft3d, n: 24}",
	} {
		if i == random.IntN(3) || random.IntN(3) == 0 || i == 4 && !strings.Contains(b.String(), "run:") {
			fmt.Fprintf(&b, "- {name: w%d, %s: %d, nodes: %s, run: %s}\n", i, kind, unit*(1+random.IntN(9)), nodes, run)
		}
	}
	return b.String()
}

// Screening changes neither the recommendation nor the lead, nor any front, and machines
// that are left out take at least their bound.
func TestScreeningChangesNothing(t *testing.T) {
	plans := 20
	switch {
	case os.Getenv("ISOSCALE_LONG") != "":
		plans = 200
	case testing.Short():
		t.Skip("answers many plans")
	}
	random := rand.New(rand.NewPCG(16, 7))
	skipped, simulated, all, carried, slow := 0, 0, 0, 0, 0
	for i := range plans {
		p := buytest.Read(t, buytest.PlanFile(t, randomPlan(random)))
		with, failed := Solve(context.Background(), p, Options{Jobs: 1})
		without, err := Solve(context.Background(), p, Options{Jobs: 1, unscreened: true})
		if p.Objective.ByPrice() && err != nil && failed != nil {
			continue // no machine carries the mix
		}
		if err != nil || failed != nil {
			t.Fatalf("plan %d: %v with screening, %v without", i, failed, err)
		}
		if p.Objective.ByPrice() {
			carried++
			slow += strings.Count(fmt.Sprint(with.Excluded), "more than the hours available")
		}
		if with.Recommended != without.Recommended || !cmp.Equal(with.Lead, without.Lead) ||
			with.RunnerUp != without.RunnerUp {
			t.Fatalf("plan %d: %s with screening, %s without", i, with.Recommended, without.Recommended)
		}
		if diff := cmp.Diff(without.Fronts, with.Fronts); diff != "" {
			t.Fatalf("plan %d: %s", i, diff)
		}
		skipped += len(without.Ranking) - len(with.Ranking)
		simulated += with.Provenance.Simulations
		all += without.Provenance.Simulations
		for _, c := range without.Ranking {
			if bound := leastScoreOf(p, c.Choice, leastTimes{}); bound > c.Score || bound <= 0 {
				t.Fatalf("plan %d: %s takes %v s, its bound is %v s", i, c.Name, c.Score, bound)
			}
		}
	}
	t.Logf("%d machines left out; %d simulations of %d; %d plans by price, with %d machines too slow", skipped, simulated, all, carried, slow)
	if carried < plans/10 || slow == 0 {
		t.Errorf("%d of %d plans rank by price, with %d machines left out as too slow", carried, plans, slow)
	}
	if skipped < plans || simulated >= all {
		t.Errorf("only %d machines are left out of %d plans, with %d simulations of %d", skipped, plans, simulated, all)
	}
}

func solveText(t *testing.T, text string, set ...string) *model.Result {
	t.Helper()
	return solve(t, buytest.Read(t, buytest.PlanFile(t, text), set...), 2)
}

// order returns the names of the ranking that are in both.
func order(r *model.Result, in []model.Candidate) []string {
	var names []string
	for _, c := range r.Ranking {
		if slices.ContainsFunc(in, func(d model.Candidate) bool { return d.Name == c.Name }) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Twice the prices with the same budget cut machines, and change the order of no others.
func TestTwiceThePriceChangesNoOrder(t *testing.T) {
	buytest.Long(t)
	dear := buytest.Site
	for _, x := range []int{4000, 1500, 10, 200, 300, 2000} {
		dear = strings.ReplaceAll(dear, fmt.Sprintf(": %d EUR", x), fmt.Sprintf(": %d EURO", 2*x))
	}
	dear = strings.ReplaceAll(dear, "EURO", "EUR")
	for _, objective := range []string{"throughput", "cheapest"} {
		a, b := solveText(t, buytest.Site, "objective="+objective), solveText(t, dear, "objective="+objective)
		if len(b.Ranking) >= len(a.Ranking) {
			t.Fatalf("%d machines for the prices, %d for twice the prices", len(a.Ranking), len(b.Ranking))
		}
		if x, y := order(a, b.Ranking), order(b, a.Ranking); !slices.Equal(x, y) || len(x) == 0 {
			t.Errorf("%s: %v, for twice the prices %v", objective, x, y)
		}
	}
}

// A node that is slower, dearer, thirstier and larger than another is never recommended, nor on a front.
func TestWorseNodesNeverWin(t *testing.T) {
	buytest.Long(t)
	const worse = "nodes.worse={cores: 4, marked_speed: 9 Gflop/s, memory: 64 GB, memory_bandwidth: 39 GB/s, power: 410 W, price: 4100 EUR, rack_units: 2}"
	for _, objective := range []string{"throughput", "cheapest", "{name: time, workload: dense}"} {
		r := solveText(t, buytest.Site, worse, "objective="+objective)
		seen := false
		for _, c := range r.Ranking {
			if strings.Contains(c.Name, "worse") {
				seen = true
				if c.Rank == 1 || c.Name == r.Recommended || len(c.Fronts) > 0 && !strings.Contains(c.Name, "+") {
					t.Errorf("%s: %s has rank %d and is on fronts %v", objective, c.Name, c.Rank, c.Fronts)
				}
			}
		}
		if !seen {
			t.Errorf("%s: the node is not in the ranking", objective)
		}
	}
}

// Another candidate never makes the best worse, whatever it is.
func TestAnotherCandidateNeverHurts(t *testing.T) {
	buytest.Long(t)
	others := 2
	if os.Getenv("ISOSCALE_LONG") != "" {
		others = 10
	}
	random := rand.New(rand.NewPCG(7, 7))
	for _, objective := range []string{"throughput", "cheapest", "{name: time, workload: paths}"} {
		before := solveText(t, buytest.Site, "objective="+objective).Ranking[0].Objective
		for range others {
			other := fmt.Sprintf("nodes.other={cores: %d, marked_speed: %d Gflop/s, memory: 64 GB, power: 200 W, price: %d EUR}", 1+random.IntN(6), 1+random.IntN(20), 500+random.IntN(6000))
			after := solveText(t, buytest.Site, "objective="+objective, other).Ranking[0].Objective
			if after > before*(1+1e-12) {
				t.Errorf("%s: %v, and %v with %s", objective, before, after, other)
			}
		}
	}
}

// More money never buys less throughput, nor a dearer machine that carries the mix.
func TestMoreMoneyIsNeverWorse(t *testing.T) {
	buytest.Long(t)
	for _, objective := range []string{"throughput", "cheapest"} {
		last := math.Inf(1)
		for money := 9000; money <= 33000; money += 6000 {
			r := solveText(t, buytest.Site, "objective="+objective, fmt.Sprintf("budget.money=%d EUR", money))
			if now := r.Ranking[0].Objective; now > last*(1+1e-12) {
				t.Errorf("%s: %v for %d EUR, %v for less", objective, now, money, last)
			} else {
				last = now
			}
		}
	}
}
