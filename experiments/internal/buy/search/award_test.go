package search

import (
	"cmp"
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

// For random plans with a scoring the machine with most points is recommended. Here it is found by trying all machines,
// with points computed here, relative to the best machine of each design by the objective.
func TestMostPointsAgainstEnumeration(t *testing.T) {
	scored, others := 0, 0
	for seed := range expect.Often[uint64](30, 200) {
		d := draw(rand.New(rand.NewPCG(seed, 17)))
		d.objective, d.tolerance = "throughput", "0"
		d.more = []string{"scoring: [{of: life_cost, points: 40}, {of: performance, points: 40}, {of: energy, points: 10}, {of: power, points: 10, relative_to: mean}]"}
		inOrder := seed%2 == 1
		if inOrder {
			d.more = []string{"scoring: [{of: performance, within: 0.2}, {of: life_cost}]"}
		}
		p := buytest.Read(t, buytest.PlanFile(t, d.String()))
		s := newSolver(p, Options{Jobs: 1, Rough: true})
		type tried struct {
			name                      string
			cost, work, energy, power float64
		}
		of := func(x find) tried {
			c := s.candidate(s.machine(x.Choice))
			return tried{c.Name, c.LifeCost, 1 / c.Score, c.LifeEnergy, c.Power}
		}
		var all, best []tried // best: by the objective, for each design
		for _, design := range designs(p) {
			var list []model.Choice
			enumerate(p, design, nil, func(c model.Choice) { list = append(list, c) })
			fit := s.judged(t, slices.DeleteFunc(list, func(c model.Choice) bool { return listedElsewhere(p, c) }))
			if all = each.Append(all, fit, of); len(fit) > 0 {
				best = append(best, of(slices.MinFunc(fit, find.order)))
			}
		}
		if len(best) < 2 {
			continue
		}
		low, most, little, mean := math.Inf(1), 0.0, math.Inf(1), 0.0
		for _, x := range best {
			low, most, little, mean = min(low, x.cost), max(most, x.work), min(little, x.energy), mean+x.power/float64(len(best))
		}
		cheap := math.Inf(1) // among those that meet the first criterion
		for _, x := range best {
			if x.work >= 0.8*most {
				cheap = min(cheap, x.cost)
			}
		}
		points := func(x tried) float64 {
			if inOrder && x.work < 0.8*most {
				return x.work / most
			}
			if inOrder {
				return 1 + min(2, cheap/x.cost)
			}
			return min(40, 40*low/x.cost) + min(40, 40*x.work/most) + min(10, 10*little/x.energy) + min(20, 10*mean/x.power)
		}
		first := slices.MaxFunc(all, func(a, b tried) int { return cmp.Compare(points(a), points(b)) })
		if !slices.Contains(best, first) {
			others++
		}
		r := newSolver(p, Options{Jobs: 1, Rough: true})
		expect.Need(t, r.rank(t.Context()) == nil, "%s", d)
		got := r.result.Points[0]
		expect.That(t, len(r.result.Points) == len(best) && math.Abs(got.Points/points(first)-1) < 1e-9 && r.result.Recommended == got.Name,
			"plan %d: %+v, want %s with %v of %d\n%s", seed, got, first.name, points(first), len(best), d)
		scored++
	}
	t.Logf("%d plans; in %d the machine with the most points is not the best of its design by the objective", scored, others)
	expect.That(t, scored > 10 && others > 3, "%d plans, %d", scored, others)
}

// A rival whose price falls gets the points that decide, by hand.
func TestPointsWithChangedFigures(t *testing.T) {
	// 4 a cost 4 000 EUR, 4 b 8 000 for twice the work: 50 + 25 and 25 + 50 points, and the cheaper is first.
	r := solveText(t, jobs("1")+"scoring: [{of: price, points: 50}, {of: performance, points: 50}]\n",
		"nodes.b={cores: 1, marked_speed: 2 Gflop/s, power: 100 W, price: 1900 EUR}", "robustness={samples: 20, change: 0.1}")
	expect.That(t, r.Recommendation().Design == "a, x" && math.Abs(*r.Lead) < 1e-9, "%+v", r.Points)
	i := slices.IndexFunc(r.Robustness.Parameters, func(s model.Sensitivity) bool { return s.Parameter == "price of b" })
	s := r.Robustness.Parameters[i] // for 1 710 EUR: 50 + 25, and 50 4/7.24 + 50
	expect.That(t, s.FirstLow == "b, x" && s.FirstHigh == "a, x" &&
		math.Abs(*s.Low-(75/(50*4000.0/7240+50)-1)) < 1e-9, "%+v", s)
}

// The machine with most points has a sharp wait like the others, whether or not it is best by the objective.
func TestWaitsWithPointsAreSharp(t *testing.T) {
	for _, price := range []string{"1", "1000"} {
		text := strings.NewReplacer("counts: [4]", "counts: [1, 2, 3, 4]", "load: runs", "load: full").Replace(jobs("1")) + "scoring: [{of: price, relative_to: mean, points: " + price + "}, {of: performance, points: 50}]\n"
		r := expect.Value(Solve(t.Context(), buytest.Read(t, buytest.PlanFile(t, text)), Options{Jobs: 1}))(t)
		w := r.Recommendation().Wait
		expect.That(t, *w.High-*w.Mean <= 0.11**w.Mean && *w.Mean-*w.Low <= 0.11**w.Mean, "%s with %s points for the price: %v (%v to %v)",
			r.Recommended, price, *w.Mean, *w.Low, *w.High)
	}
}
