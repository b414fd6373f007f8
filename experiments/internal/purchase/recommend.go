package purchase

import (
	"math"
	"slices"
)

// recommend picks the recommended machine and puts its design first: of all machines
// whose score is within the tolerance of the best, the cheapest, for a smaller difference
// of simulated times is not worth money. REQUIRES: the ranking is in order.
func (s *solver) recommend() {
	r := s.result
	var fast []offer
	for _, c := range r.Ranking {
		fast = append(fast, offer{c.Score, c.Price})
	}
	chosen := r.Ranking[cheapestOf(fast, s.Tolerance)]
	r.Recommended = chosen.Name
	i := slices.IndexFunc(s.best, func(c Candidate) bool { return c.choice.design().equal(chosen.choice.design()) })
	s.best = slices.Insert(slices.Delete(s.best, i, i+1), 0, chosen)
	if len(s.best) > 1 {
		lead := s.best[1].Score/chosen.Score - 1
		r.Lead, r.RunnerUp = &lead, s.best[1].Name
	}
}

// An offer is a machine by what decides: its score and its price.
type offer struct{ score, price float64 }

// cheapestOf returns the index of the cheapest offer whose score is within the tolerance
// of the best; of equal prices the better score, then the first. There must be one.
func cheapestOf(offers []offer, tolerance float64) int {
	least := math.Inf(1)
	for _, x := range offers {
		least = min(least, x.score)
	}
	best := -1
	for i, x := range offers {
		if x.score > least*(1+tolerance) {
			continue
		}
		if best < 0 || x.price < offers[best].price || x.price == offers[best].price && x.score < offers[best].score {
			best = i
		}
	}
	return best
}
