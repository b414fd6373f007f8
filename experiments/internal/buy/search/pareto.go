package search

import (
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// nonDominated returns which points are on the Pareto front: those that no other point
// dominates, by being at least as small in every coordinate and smaller in one.
// Points are slices of equal length; equal points are on the front together or
// not at all. The time is quadratic in their number.
func nonDominated(points [][]float64) []bool {
	front := make([]bool, len(points))
	for i, p := range points {
		front[i] = true
		for _, q := range points {
			if dominates(q, p) {
				front[i] = false
				break
			}
		}
	}
	return front
}

// dominates reports whether q is at least as small as p in every coordinate and
// smaller in one.
func dominates(q, p []float64) bool {
	smaller := false
	for k := range p {
		if q[k] > p[k] {
			return false
		}
		smaller = smaller || q[k] < p[k]
	}
	return smaller
}

// fronts finds the Pareto fronts of each two quantities and of all three.
func (s *solver) fronts() {
	ranking := s.result.Ranking
	for _, axes := range [][]model.Axis{{model.ByTime, model.ByPrice}, {model.ByTime, model.ByEnergy}, {model.ByPrice, model.ByEnergy}, {model.ByTime, model.ByPrice, model.ByEnergy}} {
		var set model.ParetoSet
		points := make([][]float64, len(ranking))
		for _, x := range axes {
			set.Of = append(set.Of, x.Name)
			for i := range ranking {
				points[i] = append(points[i], x.Of(&ranking[i]))
			}
		}
		name := strings.Join(set.Of, "-")
		for i, on := range nonDominated(points) {
			if on {
				set.Members = append(set.Members, ranking[i].Name)
				ranking[i].Fronts = append(ranking[i].Fronts, name)
			}
		}
		s.result.Fronts = append(s.result.Fronts, set)
	}
}
