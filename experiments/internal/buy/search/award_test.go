package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/expect"
)

// Of drawn plans with a scoring the machine with the most points is recommended: each design takes part with its best
// machine, found here by trying all, and points are computed here.
func TestMostPointsAgainstEnumeration(t *testing.T) {
	scored := 0
	for seed := range uint64(12) {
		d := draw(rand.New(rand.NewPCG(seed, 17)))
		d.objective, d.tolerance = "throughput", "0"
		d.more = []string{"scoring: [{of: price, points: 40}, {of: performance, points: 50}, {of: power, points: 10, relative_to: mean}]"}
		p := buytest.Read(t, buytest.PlanFile(t, d.String()))
		s := newSolver(p, Options{Jobs: 1, Rough: true})
		var prices, works, powers []float64
		var names []string
		for _, design := range designs(p) {
			least, price, power, name := math.Inf(1), 0.0, 0.0, ""
			enumerate(p, design, nil, func(c model.Choice) {
				if p.Limit(c) != "" || listedElsewhere(p, c) {
					return
				}
				expect.Need(t, s.needChoices(context.Background(), p, []model.Choice{c}, "") == nil, "%s", p.Name(c))
				m := s.machine(c)
				if _, why := s.outOfQuestion(m); why != "" {
					return
				}
				if m.score < least || m.score == least && m.bill.Total() < price {
					least, price, power, name = m.score, m.bill.Total(), float64(p.Power(c)), p.Name(c)
				}
			})
			if name != "" {
				prices, works, powers, names = append(prices, price), append(works, 1/least), append(powers, power), append(names, name)
			}
		}
		if len(names) < 2 {
			continue
		}
		low, most, mean := math.Inf(1), 0.0, 0.0
		for i := range names {
			low, most, mean = min(low, prices[i]), max(most, works[i]), mean+powers[i]/float64(len(names))
		}
		best, points := "", 0.0
		for i := range names {
			if sum := 40*low/prices[i] + 50*works[i]/most + min(20, 10*mean/powers[i]); sum > points+1e-9 {
				best, points = names[i], sum
			}
		}
		r := newSolver(p, Options{Jobs: 1, Rough: true})
		expect.Need(t, r.rank(context.Background()) == nil, "%s", d)
		got := r.result.Points[0]
		expect.That(t, len(r.result.Points) == len(names) && got.Name == best && math.Abs(got.Points-points) < 1e-9 && r.result.Recommended == best,
			"plan %d: %+v, want %s with %v of %d\n%s", seed, got, best, points, len(names), d)
		scored++
	}
	expect.That(t, scored > 6, "%d plans", scored)
}

// A rival whose price falls gets the points that decide, by hand.
func TestPointsWithChangedFigures(t *testing.T) {
	text := `budget: {money: 100000 EUR}
model: ideal
nodes:
  a: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: 900 EUR}
  b: {cores: 1, marked_speed: 2 Gflop/s, power: 100 W, price: 1900 EUR}
networks: {x: {latency: 0 s, bandwidth: 1 GB/s, price_per_port: 100 EUR, switch: {price: 0 EUR, ports: 64}}}
counts: [4]
robustness: {samples: 20, change: 0.1}
scoring: [{of: price, points: 50}, {of: performance, points: 50}]
workloads:
- {name: w, runs_per_year: 100, nodes: 1, run: {name: reference, n: 1, total_compute: 36 Gflop}}
`
	// 4 a cost 4 000 EUR, 4 b 8 000 for twice the work: 50 + 25 and 25 + 50 points, and the cheaper is first.
	p := buytest.Read(t, buytest.PlanFile(t, text))
	r, err := Solve(context.Background(), p, Options{Jobs: 1, Rough: true})
	expect.Need(t, err == nil, "%v", err)
	expect.That(t, r.Recommendation().Design == "a, x" && math.Abs(*r.Lead) < 1e-9, "%+v", r.Points)
	i := slices.IndexFunc(r.Robustness.Parameters, func(s model.Sensitivity) bool { return s.Parameter == "price of b" })
	s := r.Robustness.Parameters[i] // at 1 710 EUR: 50 + 25, and 50 4/7.24 + 50
	expect.That(t, s.FirstLow == "b, x" && s.FirstHigh == "a, x" &&
		math.Abs(*s.Low-(75/(50*4000.0/7240+50)-1)) < 1e-9, "%+v", s)
}
