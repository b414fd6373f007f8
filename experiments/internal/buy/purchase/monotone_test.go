package purchase

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/throughput"
	"github.com/isoscale/isoscale/model/units"
)

// site is a question with jobs of two kinds, a mix of two node types and two networks.
const site = `budget: {money: 30000 EUR}
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

func solveText(t *testing.T, text string, set ...string) *Result {
	t.Helper()
	return solve(t, read(t, planFile(t, text), set...), 2)
}

// order returns the names of the ranking that are in both.
func order(r *Result, in []Candidate) []string {
	var names []string
	for _, c := range r.Ranking {
		if slices.ContainsFunc(in, func(d Candidate) bool { return d.Name == c.Name }) {
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
	dear := site
	for _, x := range []int{4000, 1500, 10, 200, 300, 2000} {
		dear = strings.ReplaceAll(dear, fmt.Sprintf(": %d EUR", x), fmt.Sprintf(": %d EURO", 2*x))
	}
	dear = strings.ReplaceAll(dear, "EURO", "EUR")
	for _, objective := range []string{objectiveThroughput, objectiveCheapest} {
		a, b := solveText(t, site, "objective="+objective), solveText(t, dear, "objective="+objective)
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
	for _, objective := range []string{objectiveThroughput, objectiveCheapest, "{name: time, workload: dense}"} {
		r := solveText(t, site, worse, "objective="+objective)
		if strings.Contains(r.Recommended, "worse") {
			t.Errorf("%s: %s", objective, r.Recommended)
		}
		if len(order(r, r.Ranking)) == 0 || !slices.ContainsFunc(r.Ranking, func(c Candidate) bool { return strings.Contains(c.Name, "worse") }) {
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
	for _, objective := range []string{objectiveThroughput, objectiveCheapest, "{name: time, workload: paths}"} {
		before := solveText(t, site, "objective="+objective).Ranking[0].Objective
		for range others {
			other := fmt.Sprintf("nodes.other={cores: %d, marked_speed: %d Gflop/s, memory: 64 GB, power: 200 W, price: %d EUR}", 1+random.IntN(6), 1+random.IntN(20), 500+random.IntN(6000))
			if after := solveText(t, site, "objective="+objective, other).Ranking[0].Objective; after > before*(1+1e-12) {
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
	for _, objective := range []string{objectiveThroughput, objectiveCheapest} {
		last := math.Inf(1)
		for money := 9000; money <= 33000; money += 6000 {
			r := solveText(t, site, "objective="+objective, fmt.Sprintf("budget.money=%d EUR", money))
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
		"{cores: 1,", "{cores: 8, processes_per_node: 1,").Replace(jobs)
	r := solveText(t, text, "on_node={latency: 0 s, bandwidth: 1000 GB/s}")
	if len(r.Ranking) != 2 || math.Abs(r.Ranking[0].Score/r.Ranking[1].Score-1) > 1e-6 {
		t.Errorf("%d machines, %v and %v s", len(r.Ranking), r.Ranking[0].Score, r.Ranking[1].Score)
	}
}

// The time of a year's work is that of the linear programme over all ways, none left out,
// the bound is not above it, and equal where it is said to be attained.
func TestCarryAgainstAllWays(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	tight, attained := 0, 0
	for i := range 300 {
		p := &Plan{Nodes: make([]Node, 2), byRuns: true}
		c := Choice{Types: []int{0, 1}, Counts: []int{1 + random.IntN(7), 1 + random.IntN(7)}}
		var works []work
		var all []throughput.Job
		for range 1 + random.IntN(3) {
			p.Workloads = append(p.Workloads, Workload{Weight: 1 + random.Float64()})
			var x work
			for node := range 2 {
				for n := 1; n <= c.Counts[node]; n++ {
					if random.IntN(2) == 0 || node == 0 && n == 1 {
						x.ways = append(x.ways, timedWay{way{node, n}, 1 + 10*random.Float64(), 1, 0})
					}
				}
			}
			works = append(works, x)
			j := throughput.Job{Rate: p.Workloads[len(works)-1].Weight}
			for _, y := range x.ways {
				j.Ways = append(j.Ways, throughput.Way{Partition: y.node, Nodes: y.nodes, Time: units.Seconds(y.time)})
			}
			all = append(all, j)
		}
		plan, err := throughput.Solve(c.Counts, all)
		if err != nil {
			t.Fatal(err)
		}
		l := p.carry(c, works)
		if math.Abs(l.seconds*plan.Multiple-1) > 1e-8 {
			t.Fatalf("case %d: %v s, over all ways %v s", i, l.seconds, 1/plan.Multiple)
		}
		least, exact := p.leastScore(c, works)
		if least > l.seconds*(1+1e-9) {
			t.Fatalf("case %d: bound %v s above %v s", i, least, l.seconds)
		}
		if least > 0.9*l.seconds {
			tight++
		}
		if exact {
			attained++
			if math.Abs(least/l.seconds-1) > 1e-9 {
				t.Fatalf("case %d: %v s said to be attained, %v s are", i, least, l.seconds)
			}
		}
		for w := range works {
			sum := 0.0
			for _, r := range l.runs {
				if r.workload == w {
					sum += r.runs
				}
			}
			if math.Abs(sum/p.Workloads[w].Weight-1) > 1e-9 {
				t.Fatalf("case %d: %v runs of %v", i, sum, p.Workloads[w].Weight)
			}
		}
	}
	if tight < 200 || attained < 50 {
		t.Errorf("only %d bounds within a tenth, %d attained", tight, attained)
	}
}
