package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Three offers by hand: prices 100, 125 and 200, performances 50, 40 and 100, energies 10, 20 and 30.
func TestPointsByHand(t *testing.T) {
	machines := []Measures{{Price: 100, Performance: 50, Energy: 10}, {Price: 125, Performance: 40, Energy: 20}, {Price: 200, Performance: 100, Energy: 30}}
	s := &Scoring{Criteria: []Criterion{{"price", 40, toBest, 40}, {"performance", 50, ToReference, 60}, {"energy", 10, toMean, 20}}}
	got := s.Points(machines, &Measures{Performance: 80})
	for i, want := range [][]float64{{40, 31.25, 20}, {32, 25, 10}, {20, 60, 20.0 / 3}} { // 50 100/80 is more than 60
		for k := range want {
			expect.That(t, math.Abs(got[i][k]-want[k]) < 1e-12, "machine %d, criterion %d: %v, want %v", i, k, got[i][k], want[k])
		}
	}
	// 91.25, 67 and 86.67 points. The third has as many as the first with 24.58 points for its price, 40 100/x: its
	// performance gives all it can already.
	x := s.BreakEven(machines, &Measures{Performance: 80}, 2, 0)
	want := 100 * 40 / (91.25 - 60 - 20.0/3)
	expect.Need(t, x != nil, "no price is enough")
	expect.That(t, math.Abs(*x/want-1) < 1e-9, "price %v, want %v", *x, want)
	expect.That(t, s.BreakEven(machines, &Measures{Performance: 80}, 2, 1) == nil, "more than the most for its performance")
	free := s.Points([]Measures{{Performance: 1, Energy: 1}, {Price: 5, Performance: 1, Energy: 1}}, &Measures{Performance: 1})
	expect.That(t, free[0][0] == 40 && free[1][0] == 0, "what is there costs nothing: %v", free)
}

// At a break-even a machine has as many points as the best of the others, and a little beyond it more; where there is
// none, no value in the range is enough. All is computed by other code.
func TestBreakEvensOfRandomOffers(t *testing.T) {
	const mostBetter = 1000.0
	random := rand.New(rand.NewPCG(1, 2))
	found, none := 0, 0
	for range 2000 {
		n := 2 + random.IntN(4)
		var prices, works, energies []float64
		var machines []Measures
		for i := range n {
			prices, works, energies = append(prices, 50+100*random.Float64()), append(works, 10+90*random.Float64()), append(energies, 5+20*random.Float64())
			machines = append(machines, Measures{Price: prices[i], Performance: works[i], Energy: energies[i]})
		}
		compared := []comparison{toBest, toMean}[random.IntN(2)]
		s := &Scoring{Criteria: []Criterion{{"price", 40, toBest, 40}, {"performance", 50, compared, 70}, {"energy", 10, compared, 15}}}
		total := func(i int) float64 {
			low, high, mean, most, sum := math.Inf(1), math.Inf(1), 0.0, 0.0, 0.0
			for j := range n {
				low, high, most = min(low, prices[j]), min(high, energies[j]), max(most, works[j])
				mean, sum = mean+works[j]/float64(n), sum+energies[j]/float64(n)
			}
			if compared == toBest {
				mean, sum = most, high
			}
			return 40*low/prices[i] + min(70, 50*works[i]/mean) + min(15, 10*sum/energies[i])
		}
		lead := func(i int) float64 { // of machine i over the best of the others
			best := math.Inf(-1)
			for j := range n {
				if j != i {
					best = max(best, total(j))
				}
			}
			return total(i) - best
		}
		for i := range n {
			if got, want := Sum(s.Points(machines, nil)[i]), total(i); math.Abs(got-want) > 1e-9 {
				t.Fatalf("machine %d of %+v: %v points, want %v", i, machines, got, want)
			}
			if lead(i) >= 0 {
				continue
			}
			for k, values := range [][]float64{prices, works, energies} {
				x := s.BreakEven(machines, nil, i, k)
				was, better := values[i], 0.5
				if k == 1 {
					better = 2
				}
				if x == nil {
					for f := 1.0; f <= mostBetter; f *= 1.3 {
						values[i] = was * math.Pow(f, math.Copysign(1, better-1))
						expect.That(t, lead(i) < 0, "machine %d has most with %v of criterion %d", i, values[i], k)
					}
					none++
				} else {
					values[i] = *x
					even := lead(i)
					values[i] = *x + (*x-was)*1e-6
					expect.That(t, math.Abs(even) < 1e-6 && lead(i) >= -1e-9, "machine %d, criterion %d: lead %v at %v, then %v", i, k, even, *x, lead(i))
					found++
				}
				values[i] = was
			}
		}
	}
	expect.That(t, found > 1000 && none > 100, "%d break-evens, %d without", found, none)
}
