package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

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
	if testing.Short() {
		t.Skip("answers many plans")
	}
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

// A node that is slower, dearer, thirstier and larger than another is never recommended.
func TestWorseNodesNeverWin(t *testing.T) {
	if testing.Short() {
		t.Skip("answers many plans")
	}
	const worse = "nodes.worse={cores: 4, marked_speed: 9 Gflop/s, memory: 64 GB, memory_bandwidth: 39 GB/s, power: 410 W, price: 4100 EUR, rack_units: 2}"
	for _, objective := range []string{"throughput", "cheapest", "{name: time, workload: dense}"} {
		r := solveText(t, buytest.Site, worse, "objective="+objective)
		if strings.Contains(r.Recommended, "worse") {
			t.Errorf("%s: %s", objective, r.Recommended)
		}
		if len(order(r, r.Ranking)) == 0 || !slices.ContainsFunc(r.Ranking, func(c model.Candidate) bool { return strings.Contains(c.Name, "worse") }) {
			t.Errorf("%s: the node is not in the ranking", objective)
		}
	}
}

// Another candidate never makes the best worse, whatever it is.
func TestAnotherCandidateNeverHurts(t *testing.T) {
	if testing.Short() {
		t.Skip("answers many plans")
	}
	others := 2
	if os.Getenv("ISOSCALE_LONG") != "" {
		others = 10
	}
	random := rand.New(rand.NewPCG(7, 7))
	for _, objective := range []string{"throughput", "cheapest", "{name: time, workload: paths}"} {
		before := solveText(t, buytest.Site, "objective="+objective).Ranking[0].Objective
		for range others {
			other := fmt.Sprintf("nodes.other={cores: %d, marked_speed: %d Gflop/s, memory: 64 GB, power: 200 W, price: %d EUR}", 1+random.IntN(6), 1+random.IntN(20), 500+random.IntN(6000))
			if after := solveText(t, buytest.Site, "objective="+objective, other).Ranking[0].Objective; after > before*(1+1e-12) {
				t.Errorf("%s: %v, and %v with %s", objective, before, after, other)
			}
		}
	}
}

// More money never buys less throughput, nor a dearer machine that carries the mix.
func TestMoreMoneyIsNeverWorse(t *testing.T) {
	if testing.Short() {
		t.Skip("answers many plans")
	}
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

// Nodes that differ in the number of their processes alone carry as much of the mix.
func TestProcessesAreNoAdvantageToJobs(t *testing.T) {
	text := strings.NewReplacer("NODES", "[1, 2]", "nodes: {a:", "nodes: {b: {cores: 8, processes_per_node: 8, marked_speed: 1 Gflop/s, power: 100 W, price: 900 EUR}, a:",
		"{cores: 1,", "{cores: 8, processes_per_node: 1,").Replace(buytest.Jobs)
	r := solveText(t, text, "on_node={latency: 0 s, bandwidth: 1000 GB/s}")
	if len(r.Ranking) != 2 || math.Abs(r.Ranking[0].Score/r.Ranking[1].Score-1) > 1e-6 {
		t.Errorf("%d machines, %v and %v s", len(r.Ranking), r.Ranking[0].Score, r.Ranking[1].Score)
	}
}
