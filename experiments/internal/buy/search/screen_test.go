package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
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
		if with.Recommended != without.Recommended || !cmp.Equal(with.Lead, without.Lead) || with.RunnerUp != without.RunnerUp {
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
