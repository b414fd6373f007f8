package search

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// recommend picks the recommended machine and puts its design first: of all machines
// whose score is within the tolerance of the best, the cheapest, for a smaller difference
// of simulated times is not worth money. REQUIRES: the ranking is in order.
func (s *solver) recommend() {
	r := s.result
	var fast []offer
	for _, c := range r.Ranking {
		fast = append(fast, offer{c.Objective, c.Price})
	}
	chosen := r.Ranking[cheapestOf(fast, s.GoalTolerance())]
	r.Recommended = chosen.Name
	i := slices.IndexFunc(s.best, func(c model.Candidate) bool { return c.Choice.Design().Equal(chosen.Choice.Design()) })
	s.best = slices.Insert(slices.Delete(s.best, i, i+1), 0, chosen)
	if len(s.best) > 1 {
		r.RunnerUp = s.best[1].Name
		if chosen.Objective > 0 {
			lead := s.best[1].Objective/chosen.Objective - 1
			r.Lead = &lead
		}
	}
}

// An offer is a machine by what decides: the quantity that machines are ranked by, and its
// price.
type offer struct{ goal, price float64 }

// cheapestOf returns the index of the cheapest offer whose score is within the tolerance
// of the best; of equal prices the better one, then the first. There must be one.
func cheapestOf(offers []offer, tolerance float64) int {
	least := math.Inf(1)
	for _, x := range offers {
		least = min(least, x.goal)
	}
	best := -1
	for i, x := range offers {
		if x.goal > least*(1+tolerance) {
			continue
		}
		if best < 0 || x.price < offers[best].price || x.price == offers[best].price && x.goal < offers[best].goal {
			best = i
		}
	}
	return best
}
