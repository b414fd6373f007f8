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

// drawnPlan returns a plan of three node types, their mixes, two networks of small switches and two or three
// workloads, on an ideal network or one with latencies.
func drawnPlan(rng *rand.Rand) string {
	var b strings.Builder
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	fmt.Fprintf(&b, "budget: {money: %d EUR, covers: %s", 3000+rng.IntN(9000), pick("purchase", "life"))
	if rng.IntN(2) == 0 {
		fmt.Fprintf(&b, ", power: %d W", 1500+rng.IntN(3000))
	}
	fmt.Fprintf(&b, "}\nenergy: {price_per_kwh: %.2f EUR, years: 4, utilisation: %.2f}\n", 0.1+0.4*rng.Float64(), 0.5+0.4*rng.Float64())
	fmt.Fprintf(&b, "model: %s\ncounts: %s\nobjective: %s\ntolerance: %s\nnodes:\n", pick("ideal", "hockney"),
		pick("affordable", "[1, 2, 3, 5, 8]"), pick("throughput", "cheapest", "throughput", "cheapest", "{name: time, workload: w1}"), pick("0", "0.02"))
	for i, name := range []string{"a", "b", "c"} {
		cores := fmt.Sprintf("cores: %d, marked_speed: %d Gflop/s, memory: %d GB", 1+rng.IntN(2), 1+rng.IntN(4)*(1+3*(i/2)), 16<<i)
		if i == 2 {
			cores = fmt.Sprintf("devices: {count: %d, speed: {fp64: %d Gflop/s}, memory: 32 GB}", 1+rng.IntN(3), 1+rng.IntN(8))
		}
		fmt.Fprintf(&b, "  %s: {%s, power: %d W, idle_power: %d W, price: %s, partition: %s}\n", name, cores,
			200+rng.IntN(300), 50+rng.IntN(100), price(rng, 700+rng.IntN(900)*(1+i/2)), []string{"cpu", pick("cpu", "gpu"), "gpu"}[i])
	}
	b.WriteString("networks:\n")
	for i, name := range []string{"x", "y"} {
		fmt.Fprintf(&b, "  %s: {latency: %d us, bandwidth: %d MB/s, price_per_port: %d EUR, hop_latency: 5 us, topology: fat-tree, "+
			"switch: {price: %d EUR, ports: %d, power: 30 W}}\n", name, 50-45*i, 100+900*i, 20+100*i, 100+200*i, 4+2*rng.IntN(2))
	}
	fmt.Fprintf(&b, "  z: {latency: 1 us, bandwidth: 2 GB/s, price_per_port: 10 EUR, nodes: [%s], switch: {price: 50 EUR, ports: 4}}\n", pick("a", "b, c", "a, c"))
	b.WriteString("mixes: [[a, b], [a, c], [b, c], [a, b, c]]\nworkloads:\n")
	for i := range 2 + rng.IntN(2) {
		place := ""
		if rng.IntN(3) == 0 {
			place = ", " + pick("partition: cpu", "partition: gpu", "memory_per_node: 32 GB", "devices: 1", "devices: 4")
		}
		run := func() string {
			return fmt.Sprintf("run: {name: pattern, shape: ring, n: 3, size: 10 kB, total_compute: %d Mflop}", 2000+rng.IntN(30000))
		}
		job := fmt.Sprintf("nodes: %s%s, %s", pick("1", "[1, 2]", "[2, 4]", "best"), place, run())
		if place == ", devices: 4" {
			job = "devices: 4, " + run()
		}
		if rng.IntN(3) == 0 {
			job = fmt.Sprintf("either: [{partition: cpu, nodes: %s, %s}, {devices: %s, %s}]", pick("1", "[2, 4]", "3"), run(), pick("1", "2", "5"), run())
		}
		if rng.IntN(4) == 0 {
			job += fmt.Sprintf(", if_impossible: %d s", 1+rng.IntN(5))
		}
		fmt.Fprintf(&b, "- {name: w%d, runs_per_year: %d, %s}\n", i, 100000+rng.IntN(900000), job)
	}
	b.WriteString(pick("", "", "require: [{nodes: gpu, at_least: 30 %}]\n", "require: [{nodes: cpu, at_least: 60 %}, {nodes: c, at_least: 1}]\n", "require: [{nodes: b, at_least: 3}]\n"))
	b.WriteString("robustness: {samples: 0}\nqueue: {submissions: 100}\nbids:\n")
	for _, vendor := range []string{"p", "q"} {
		fmt.Fprintf(&b, "- {vendor: %s, nodes: {a: %d, %s: %d}, network: %s, price: %d EUR, options: [{name: more, price: %d EUR, adds: {c: %d}}, "+
			"{name: wide, price: 200 EUR, network: y}, {name: few, price: 0, nodes: {b: %d}}]}\n", vendor, 1+rng.IntN(6), pick("b", "c"), 1+rng.IntN(4),
			pick("x", "y"), 3000+rng.IntN(9000), 500+rng.IntN(2000), 1+rng.IntN(3), 1+rng.IntN(4))
	}
	b.WriteString(pick("", "", "", "existing: {node: a, count: 2, network: x, retire: allowed}\n", "existing: {node: b, count: 3, network: y}\n"))
	if rng.IntN(5) > 0 {
		return b.String()
	}
	return regexp.MustCompile("objective: .*").ReplaceAllString(strings.ReplaceAll(b.String(), "runs_per_year", "weight"), "objective: mean")
}

// price returns a node price that may fall with the number of nodes.
func price(rng *rand.Rand, x int) string {
	y := x * (30 + rng.IntN(50)) / 100
	few, many := 2+rng.IntN(6), 8+rng.IntN(6)
	return []string{
		fmt.Sprintf("%d EUR", x), fmt.Sprintf("{1: %d EUR, %d: %d EUR}", x, few, y),
		fmt.Sprintf("{1: %d EUR, %d: %d EUR, %d: %d EUR}", x, few, y, many, y*9/10),
	}[rng.IntN(3)]
}

// The machine found by the search is the best when all are tried one by one.
func TestSearchAgainstEnumeration(t *testing.T) {
	t.Parallel()
	plans := expect.Often(40, 300)
	found, machines := 0, 0
	for seed := range plans {
		text := drawnPlan(rand.New(rand.NewPCG(uint64(seed), 7)))
		p := buytest.Read(t, buytest.PlanFile(t, text))
		s := newSolver(p, Options{Jobs: 1})
		if p.Existing == nil {
			expect.List(t, designNames(p), wantedDesigns(p), "plan %d: designs", seed)
		}
		for _, d := range designs(p) {
			f := s.field(t.Context(), d)
			got, least, ok := f.best(aim{most: math.Inf(1)}, mostTried)
			expect.Success(t, s.failed)
			var all []model.Choice
			enumerate(p, d, nil, func(c model.Choice) { all = append(all, c) })
			machines += len(all)
			fit := s.judged(t, slices.DeleteFunc(all, func(c model.Choice) bool { return listedElsewhere(p, c) || !meets(p, c) }))
			want := find{worth: worth{math.Inf(1), math.Inf(1)}}
			if len(fit) > 0 {
				want = slices.MinFunc(fit, find.order)
			}
			switch {
			case least != want.goal && !(ok && least == got.goal) || ok != !math.IsInf(want.goal, 1):
				t.Errorf("plan %d, %s: found: %v, least %v; want %+v\n%s", seed, p.DesignName(d), ok, least, want, text)
			case ok && (math.Abs(got.goal/want.goal-1) > 1e-9 || got.goal == want.goal && got.cost != want.cost):
				t.Errorf("plan %d, %s: found %s at %v for %v; the best is %s at %v for %v\n%s", seed, p.DesignName(d),
					p.Name(got.Choice), got.goal, got.cost, p.Name(want.Choice), want.goal, want.cost, text)
			}
			if !ok {
				continue
			}
			found++
			cheap := aim{cheapest: true, most: want.goal * (1 + p.Tolerance)}
			least, wantCost := math.Inf(1), math.Inf(1)
			if got, _, ok := f.best(cheap, mostTried); ok {
				least = got.cost
			}
			for _, x := range fit {
				if x.goal <= cheap.most {
					wantCost = min(wantCost, x.cost)
				}
			}
			expect.Close(t, least, wantCost, 1e-12, "plan %d, %s: what the cheapest as good costs\n%s", seed, p.DesignName(d), text)
		}
	}
	t.Logf("%d plans, %d designs with a machine, %d machines", plans, found, machines)
	expect.That(t, found >= 4*plans, "only %d designs of %d plans have a machine", found, plans)
}

// judged simulates machines and returns those that may be recommended, with what they are compared by.
func (s *solver) judged(t *testing.T, all []model.Choice) (fit []find) {
	t.Helper()
	expect.Success(t, s.needChoices(t.Context(), s.Plan, all, ""))
	for _, c := range all {
		m := s.machine(c)
		if _, why := s.outOfQuestion(m); why != "" || s.Objective.ByPrice() && s.Use(m.score) > 1 {
			continue
		}
		cost := m.bill.Total()
		if s.Budget.Life {
			cost = s.LifeCost(c, m.bill, m.load)
		}
		fit = append(fit, find{c, worth{s.Goal(m.score, cost), cost}})
	}
	return fit
}

func (x find) order(y find) int { return aim{}.order(x.worth, y.worth) }

// meets reports whether the nodes of a machine meet the requirements of the plan.
func meets(p *model.Plan, c model.Choice) bool {
	for _, x := range p.Require {
		all, those := 0., 0.
		for t, count := range p.Parts(c) {
			all += float64(count)
			if n := p.Nodes[t]; n.Name == x.Nodes || n.Partition == x.Nodes {
				those += float64(count)
			}
		}
		if those < float64(x.Count) || 10*those < math.Round(10*x.Part)*all {
			return false
		}
	}
	return true
}

func designNames(p *model.Plan) (all []string) {
	all = each.Append(all, designs(p), p.DesignName)
	slices.Sort(all)
	return all
}

// wantedDesigns lists the bids and all sets of node types with all networks that connect them, for plans whose mixes
// are all sets.
func wantedDesigns(p *model.Plan) (all []string) {
	for set := 1; set < 1<<len(p.Nodes); set++ {
		for _, x := range p.Networks {
			var types []string
			fits := true
			for t, n := range p.Nodes {
				if set>>t&1 == 1 {
					types = append(types, n.Name)
					fits = fits && (x.Name != "z" || slices.Contains(x.Nodes, t))
				}
			}
			if fits {
				all = append(all, strings.Join(types, " + ")+", "+x.Name)
			}
		}
	}
	for i := range p.Bids {
		all = append(all, p.DesignName(p.BidChoices(false)[i].Design))
	}
	slices.Sort(all)
	return all
}

// Complete answers to random plans, with ranges and all tests, rank first what the searches of all designs find.
func TestAnswersOfDrawnPlans(t *testing.T) {
	t.Parallel()
	plans := expect.Often(3, 40)
	answered := 0
	for seed := range plans {
		text := strings.Replace(drawnPlan(rand.New(rand.NewPCG(uint64(seed), 77))), "robustness: {samples: 0}",
			"robustness: {samples: 5}\nranges: {samples: 100, figures: [{of: 'bids[0].price', range: 10 %}]}", 1)
		p := buytest.Read(t, buytest.PlanFile(t, text))
		s := newSolver(p, Options{Jobs: 1})
		best := math.Inf(1)
		for _, d := range designs(p) {
			if x, _, ok := s.field(t.Context(), d).best(aim{most: math.Inf(1)}, mostTried); ok {
				best = min(best, x.goal)
			}
		}
		r, err := Solve(t.Context(), p, Options{Jobs: 1, Rough: rough})
		expect.Equal(t, err == nil, !math.IsInf(best, 1), "plan %d: whether there is a machine: %v\n%s", seed, err, text)
		if err == nil {
			answered++
			expect.Close(t, r.Ranking[0].Objective, best, 1e-9, "plan %d: the first of the ranking\n%s", seed, text)
		}
	}
	t.Logf("%d of %d plans have a machine", answered, plans)
}

// enumerate visits every machine of a design within the limits.
func enumerate(p *model.Plan, d model.Design, begun []int, visit func(model.Choice)) {
	if d.Bid > 0 {
		c := d.Of()
		c.Counts = each.Append(c.Counts, d.Types, func(t int) int { return p.Bids[d.Bid-1].Counts[t] })
		if p.Limit(c) == "" {
			visit(c)
		}
		return
	}
	if len(begun) == len(d.Types) {
		visit(d.Of(begun...))
		return
	}
	counts := p.Counts.List
	if p.Counts.Affordable {
		counts = nil
		for n := range 64 {
			counts = append(counts, n+1)
		}
	}
	for _, n := range counts {
		next := append(append([]int(nil), begun...), n)
		part := model.Design{Types: d.Types[:len(next)], Network: d.Network, Retired: d.Retired}
		nodes := 0.0 // at the price for very many
		for i, count := range next {
			nodes += p.Nodes[d.Types[i]].Cost(1000) / 1000 * float64(count)
		}
		if nodes <= p.Budget.Money.Amount && (len(next) < len(d.Types) || p.Limit(part.Of(next...)) == "") {
			enumerate(p, d, next, visit)
		}
	}
}
