package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// Three offers by hand: prices 100, 125 and 200, performances 50, 40 and 100, energies 10, 20 and 30.
func TestPointsByHand(t *testing.T) {
	machines := []Measures{{Price: 100, Performance: 50, Energy: 10}, {Price: 125, Performance: 40, Energy: 20}, {Price: 200, Performance: 100, Energy: 30}}
	s := &Scoring{Criteria: []Criterion{{Of: "price", Points: 40, Most: 40}, {Of: "performance", Points: 50, To: ToReference, Most: 60}, {Of: "energy", Points: 10, To: toMean, Most: 20}}}
	compared := s.Compared(machines, &Measures{Performance: 80})
	for i, want := range [][]float64{{40, 31.25, 20}, {32, 25, 10}, {20, 60, 20.0 / 3}} { // 50 100/80 exceeds 60
		for k, got := range s.Points(machines[i], compared) {
			expect.That(t, math.Abs(got-want[k]) < 1e-12, "machine %d, criterion %d: %v, want %v", i, k, got, want[k])
		}
	}
	// 91.25, 67 and 86.67 points. The third ties with the first if its price gives 24.58 points, 40 100/x: its
	// performance already gives the most.
	x := s.BreakEven(machines[2], compared, 91.25, 0)
	want := 100 * 40 / (91.25 - 60 - 20.0/3)
	expect.Need(t, x != nil, "no price is enough")
	expect.That(t, math.Abs(*x/want-1) < 1e-9, "price %v, want %v", *x, want)
	expect.That(t, s.BreakEven(machines[2], compared, 91.25, 1) == nil, "more than the most for its performance")
	free := s.Compared([]Measures{{Performance: 1, Energy: 1}, {Price: 5, Performance: 1, Energy: 1}}, &Measures{Performance: 1})
	expect.That(t, s.Points(Measures{}, free)[0] == 40 && s.Points(Measures{Price: 5}, free)[0] == 0, "what is there costs nothing")
}

// At a break-even a machine has as many points as the best one, and slightly less just before it; where there is none,
// no value in the range is enough. Everything is recomputed by other code.
func TestBreakEvensOfRandomOffers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	found, none := 0, 0
	for range 2000 {
		n := 2 + random.IntN(4)
		low, least, most, works, energies := math.Inf(1), math.Inf(1), 0.0, 0.0, 0.0
		var machines []Measures
		for range n {
			m := Measures{Price: 50 + 100*random.Float64(), Performance: 10 + 90*random.Float64(), Energy: 5 + 20*random.Float64()}
			low, least, most = min(low, m.Price), min(least, m.Energy), max(most, m.Performance)
			works, energies, machines = works+m.Performance/float64(n), energies+m.Energy/float64(n), append(machines, m)
		}
		to := []comparison{toBest, toMean}[random.IntN(2)]
		if to == toBest {
			works, energies = most, least
		}
		s := &Scoring{Criteria: []Criterion{{Of: "price", Points: 40, Most: 40}, {Of: "performance", Points: 50, To: to, Most: 70}, {Of: "energy", Points: 10, To: to, Most: 15}}}
		compared := s.Compared(machines, nil)
		total := func(m Measures) float64 {
			return min(40, 40*low/m.Price) + min(70, 50*m.Performance/works) + min(15, 10*energies/m.Energy)
		}
		best := 0.0
		for _, m := range machines {
			expect.That(t, math.Abs(each.Total(s.Points(m, compared))-total(m)) < 1e-9, "%+v: %v points, want %v", m, s.Points(m, compared), total(m))
			best = max(best, total(m))
		}
		for _, m := range machines {
			if total(m) >= best-1e-9 {
				continue
			}
			for k := range s.Criteria {
				with := func(x float64) Measures {
					changed := m
					*[]*float64{&changed.Price, &changed.Performance, &changed.Energy}[k] = x
					return changed
				}
				was := []float64{m.Price, m.Performance, m.Energy}[k]
				if x := s.BreakEven(m, compared, best, k); x == nil {
					expect.That(t, total(with(was*1000)) < best && total(with(was/1000)) < best, "criterion %d of %+v is enough", k, m)
					none++
				} else {
					expect.That(t, total(with(*x)) >= best-1e-9 && total(with(*x+(was-*x)*1e-6)) < best, "criterion %d of %+v: %v", k, m, *x)
					found++
				}
			}
		}
	}
	expect.That(t, found > 1000 && none > 100, "%d break-evens, %d without", found, none)
}

// First performance within a tenth of 100, then energy within half of 20, the least of those that pass, then the price.
// The fourth passes both and is cheaper than the third, with which it is compared; the others fail earlier.
func TestCriteriaInTheirOrderByHand(t *testing.T) {
	machines := []Measures{{Price: 100, Performance: 50, Energy: 10}, {Price: 125, Performance: 95, Energy: 31}, {Price: 200, Performance: 100, Energy: 20},
		{Price: 160, Performance: 90, Energy: 30}}
	s := &Scoring{InOrder: true, Criteria: []Criterion{{Of: "performance", Points: 1, Most: 2, Within: 0.1}, {Of: "energy", Points: 1, Most: 2, Within: 0.5}, {Of: "price", Points: 1, Most: 2}}}
	compared := s.Compared(machines, nil)
	expect.That(t, slices.Equal(compared, []float64{100, 20, 160}), "%v", compared)
	for i, want := range [][]float64{{0.5, 0, 0}, {1, 20.0 / 31, 0}, {1, 1, 0.8}, {1, 1, 1}} {
		expect.List(t, s.Points(machines[i], compared), want, "machine %d", i)
	}
	// The first needs a performance of 90: its energy and price are better than those compared with.
	x := s.BreakEven(machines[0], compared, 3, 0)
	expect.That(t, x != nil && math.Abs(*x-90) < 1e-9, "%v", x)
	expect.That(t, s.BreakEven(machines[0], compared, 3, 2) == nil, "a price that makes up for its performance")
}
