package search

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// allOf returns all machines of a design within the limits.
func allOf(p *model.Plan, d model.Design) []model.Choice {
	f := &field{Plan: p, design: d, axes: axesOf(p, d)}
	if len(f.axes) < len(d.Types) {
		return nil
	}
	return slices.DeleteFunc(f.all(), func(c model.Choice) bool { return p.Limit(c) != "" || listedElsewhere(p, c) })
}

// wholePlan is a question with runs on the whole machine, beside others on some nodes, with node types of very
// different value and their mixes.
func wholePlan(random *rand.Rand, counts string, money int) string {
	var b strings.Builder
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	fmt.Fprintf(&b, "budget: {money: %d EUR, covers: %s}\ncounts: %s\n", money+random.IntN(money), pick("purchase", "life"), counts)
	fmt.Fprintf(&b, "energy: {price_per_kwh: 0.%d EUR, years: 4}\nrobustness: {change: 0.02, samples: 2}\nqueue: {submissions: 100}\nnodes:\n", 1+random.IntN(4))
	for i := range 3 {
		fmt.Fprintf(&b, "  n%d: {cores: %d, marked_speed: %d Mflop/s, memory_bandwidth: %d MB/s, power: %d W, price: %s}\n",
			i, 1+random.IntN(2), 50<<random.IntN(6), 200<<random.IntN(6), 50+random.IntN(300), price(random, 700+random.IntN(1500)))
	}
	b.WriteString("networks:\n")
	for i := range 2 {
		fmt.Fprintf(&b, "  x%d: {latency: %d us, bandwidth: %d MB/s, price_per_port: %d EUR, switch: {price: %d EUR, ports: 8}}\n",
			i, 1+random.IntN(50), 100<<random.IntN(5), random.IntN(100), random.IntN(500))
	}
	fmt.Fprintf(&b, "model: %s\nmixes: %s\n", pick("hockney", "hockney", "flow"), pick("[]", "[[n0, n1]]", "[[n0, n2], [n1, n2]]"))
	kind, unit := "runs_per_year", 1
	switch random.IntN(4) {
	case 0:
		kind = "weight"
	case 1: // so many runs that not all machines carry them
		b.WriteString("objective: cheapest\n")
		unit = []int{1e7, 1e8, 1e9}[random.IntN(3)]
	}
	b.WriteString("workloads:\n")
	runs := []string{
		"{name: matmul, n: 60, bytes_per_flop: 0.2}", "{name: gauss, n: 40, sustained: 0.4}", "{name: floyd, n: 40}", "{name: lcs, n: 64}",
		"{name: stencil3d, n: 30, steps: 2}", "{name: cg, n: 20, iterations: 2}", "{name: fft3d, n: 24}", "{name: pattern, shape: ring, n: 3, size: 1 kB, total_compute: 20 Mflop}",
	}
	for i := range 1 + random.IntN(2) {
		fmt.Fprintf(&b, "- {name: w%d, %s: %d, nodes: %s, run: %s}\n", i, kind, unit*(1+random.IntN(9)), []string{"all", pick("all", "best", "1")}[i], pick(runs...))
	}
	return b.String()
}

// enumerated returns the least value that the ranking compares over all machines of a plan, each simulated, and their
// number. No bound exceeds the true value.
func enumerated(t *testing.T, p *model.Plan, designs []model.Design, allOf func(*model.Plan, model.Design) []model.Choice) (best float64, machines int) {
	t.Helper()
	s := newSolver(p, Options{Jobs: 1, Rough: rough})
	best = math.Inf(1)
	takes := func(c model.Choice) (sum float64) { // at least, until it is simulated
		for w, x := range p.Workloads {
			if x.On.All {
				sum += s.whole(c, c, w).Time
			}
		}
		return sum
	}
	for _, d := range designs {
		all := allOf(p, d)
		bounds, least := each.Of(all, takes), s.leastOf(d)
		for _, x := range s.judged(t, all) {
			machines++
			bound, time := bounds[slices.IndexFunc(all, x.Equal)], takes(x.Choice)
			expect.That(t, bound <= time && least <= x.goal, "%s takes %v s, at least %v s; goal %v, at least %v", p.Name(x.Choice), time, bound, x.goal, least)
			best = min(best, x.goal)
		}
	}
	return best, machines
}

// The best machine of plans with runs on the whole machine is the best of all when each is simulated.
func TestWholeMachinesAgainstEnumeration(t *testing.T) {
	t.Parallel()
	plans, most := 10, 8
	if expect.IsLong() {
		plans, most = 100, 12
	}
	answered, all, simulated, searched := 0, 0, 0, 0
	for seed := range plans {
		random := rand.New(rand.NewPCG(uint64(seed), 16))
		text := wholePlan(random, []string{"affordable", fmt.Sprintf("{from: 1, to: %d}", most)}[seed%2], 800*most)
		if seed%5 == 4 {
			text += fmt.Sprintf("existing: {node: n%d, count: %d, network: x0, retire: %s}\n", random.IntN(3), 1+random.IntN(4),
				[]string{"never", "allowed", "required"}[random.IntN(3)])
		}
		text += []string{"", "", "require: [{nodes: n0, at_least: 30 %}]\n", "bids: [{vendor: v, nodes: {n1: 3, n2: 2}, network: x1, price: 3000 EUR, " +
			"options: [{name: o, price: 500 EUR, adds: {n0: 2}}]}]\n"}[random.IntN(4)]
		p := buytest.Read(t, buytest.PlanFile(t, text))
		want, machines := enumerated(t, p, designs(p), allOf)
		s := newSolver(p, Options{Jobs: 1, Rough: rough})
		err := s.rank(t.Context())
		expect.That(t, (err == nil) == (machines > 0), "plan %d: %d machines, %v", seed, machines, err)
		if err != nil {
			continue
		}
		got := s.result.Ranking[0].Objective
		expect.That(t, math.Abs(got-want) <= 1e-9*want && s.result.Gap == 0, "plan %d: %s with %v, gap %v; the best has %v\n%s", seed,
			s.result.Ranking[0].Name, got, s.result.Gap, want, text)
		answered++
		all += machines
		simulated += s.simulations
		for _, d := range designs(p) {
			if len(allOf(p, d)) > mostListed {
				searched++
			}
		}
	}
	t.Logf("%d of %d plans with %d machines, %d simulations, %d designs with more than %d machines", answered, plans, all, simulated, searched, mostListed)
	expect.That(t, answered > plans/2 && searched > plans/10, "%d plans answered, %d designs searched", answered, searched)
}

// On plans of hundreds of nodes no machine with listed numbers of nodes is better than the one found, beyond the stated
// gap.
func TestNeverWorseThanListedNumbers(t *testing.T) {
	t.Parallel()
	plans := expect.Often(2, 50)
	listed := func(p *model.Plan, d model.Design) (all []model.Choice) {
		for _, n := range []int{1, 10, 32, 64, 100, 150, 200, 256, 300, 400} {
			if len(d.Types) == 1 {
				all = append(all, d.Of(n))
				continue
			}
			for _, m := range []int{2, 16, 48, 90, 160, 250} {
				all = append(all, d.Of(n, m))
			}
		}
		return slices.DeleteFunc(all, func(c model.Choice) bool { return p.Limit(c) != "" })
	}
	all, complete, worst := 0, 0, 0.0
	for seed := range plans {
		random := rand.New(rand.NewPCG(uint64(seed), 61))
		text := wholePlan(random, "affordable", 120000)
		if rough { // the same machines in a quarter of the time
			text = strings.Replace(text, "model: flow", "model: hockney", 1)
		}
		if seed%2 == 1 {
			text = strings.ReplaceAll(text, "nodes: all", "nodes: best")
		}
		p := buytest.Read(t, buytest.PlanFile(t, text))
		want, machines := enumerated(t, p, designs(p), listed)
		s := newSolver(p, Options{Jobs: 2, Rough: rough})
		err := s.rank(t.Context())
		if machines == 0 && err != nil {
			continue
		}
		expect.Need(t, err == nil, "plan %d: %v\n%s", seed, err, text)
		got := s.result.Ranking[0]
		expect.That(t, got.Objective <= want*(1+1e-9), "plan %d: %s with %v, gap %v; of the list the best has %v\n%s", seed, got.Name,
			got.Objective, s.result.Gap, want, text)
		all += machines
		worst = max(worst, s.result.Gap)
		if s.result.Gap == 0 {
			complete++
		}
	}
	t.Logf("%d plans, %d machines of lists, %d searches complete, the largest gap is %v", plans, all, complete, worst)
}

// An answer about whole machines depends neither on how many runs are simulated at a time, nor on which are known.
func TestWholeAnswerDependsOnTheFileAlone(t *testing.T) {
	expect.Long(t, "answers plans again and again")
	t.Parallel()
	folder := t.TempDir()
	for seed := range 2 {
		p := buytest.Read(t, buytest.PlanFile(t, wholePlan(rand.New(rand.NewPCG(uint64(seed), 5)), "affordable", 6000)))
		answer := func(o Options) string {
			o.Rough = true
			r, err := Solve(t.Context(), p, o)
			if err != nil {
				return err.Error()
			}
			r.Provenance.WallSeconds = 0
			return string(expect.Value(json.Marshal(r))(t))
		}
		want := answer(Options{Jobs: 1})
		for _, o := range []Options{{Jobs: 3}, {Jobs: 2, Out: folder}, {Jobs: 1, Out: folder}} {
			expect.Equal(t, answer(o), want, "plan %d, %+v", seed, o)
		}
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

// Doubling the prices with the same budget removes machines, but changes the order of no others.
func TestTwiceThePriceChangesNoOrder(t *testing.T) {
	dear := buytest.Site
	for _, x := range []int{4000, 1500, 10, 200, 300, 2000} {
		dear = strings.ReplaceAll(dear, fmt.Sprintf(": %d EUR", x), fmt.Sprintf(": %d EURO", 2*x))
	}
	dear = strings.ReplaceAll(dear, "EURO", "EUR")
	for _, objective := range []string{"throughput", "cheapest"} {
		a, b := solveText(t, buytest.Site, "objective="+objective), solveText(t, dear, "objective="+objective)
		expect.Need(t, len(b.Ranking) < len(a.Ranking),
			"%d machines for the prices, %d for twice the prices", len(a.Ranking), len(b.Ranking))
		dearer := order(b, a.Ranking)
		expect.Need(t, len(dearer) > 0, "%s: no machine for both prices", objective)
		expect.List(t, order(a, b.Ranking), dearer, "%s: order of those for both prices", objective)
	}
}

// A node that is slower, dearer, thirstier and larger than another is never recommended, nor on a front.
func TestWorseNodesNeverWin(t *testing.T) {
	const worse = "nodes.worse={cores: 4, marked_speed: 9 Gflop/s, memory: 64 GB, memory_bandwidth: 39 GB/s, power: 410 W, price: 4100 EUR, rack_units: 2}"
	for _, objective := range []string{"throughput", "cheapest", "{name: time, workload: dense}"} {
		r := solveText(t, buytest.Site, worse, "objective="+objective)
		seen := false
		for _, c := range r.Ranking {
			if strings.Contains(c.Name, "worse") {
				seen = true
				expect.That(t, c.Rank != 1 && c.Name != r.Recommended && (len(c.Fronts) <= 0 || strings.Contains(c.Name, "+")),
					"%s: %s has rank %d and is on fronts %v", objective, c.Name, c.Rank, c.Fronts)
			}
		}
		expect.That(t, seen, "%s: the node is not in the ranking", objective)
	}
}

// Runs with many events are simulated on fewer machines than others, which rule machines out first.
func TestRunsOfManyEventsAreSimulatedLast(t *testing.T) {
	expect.Long(t, "simulates many events")
	t.Parallel()
	text := "budget: {money: 80000 EUR}\nnodes: {a: {marked_speed: 1 Gflop/s, power: 100 W, price: 1000 EUR}, b: {marked_speed: 2 Gflop/s, power: 100 W, price: 2100 EUR}}\n" +
		"networks: {x: {latency: 1 us, bandwidth: 1 GB/s, price_per_port: 10 EUR, switch: {price: 100 EUR, ports: 100}}}\nmixes: [[a, b]]\n" +
		"workloads:\n- {name: few, runs_per_year: 1000, run: {name: matmul, n: 6000}}\n- {name: many, runs_per_year: 1, run: {name: stencil3d, n: 60, steps: 50}}\n"
	p := buytest.Read(t, buytest.PlanFile(t, text))
	s := newSolver(p, Options{Jobs: 1})
	_, err := s.simulated(t.Context())
	expect.Success(t, err)
	few, many := s.taken[0], s.taken[1]
	expect.That(t, many.mean() > 5*few.mean() && 2*many.runs < few.runs, "%d runs of %v events, %d of %v", few.runs, few.mean(), many.runs, many.mean())
}
