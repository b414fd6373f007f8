package purchase

import (
	"slices"
	"strings"
)

// Front returns which points are on the Pareto front: those that no other point
// dominates, by being at least as small in every coordinate and smaller in one.
// Points are slices of equal length; equal points are on the front together or
// not at all. The time is quadratic in their number.
func Front(points [][]float64) []bool {
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

// paretoObjectives are the quantities of fronts. The names are those of the JSON.
var paretoObjectives = []struct {
	name string
	of   func(*Candidate) float64
}{
	{"time", func(c *Candidate) float64 { return c.Score }},
	{"price", func(c *Candidate) float64 { return c.Price }},
	{"energy", func(c *Candidate) float64 { return c.Energy }},
}

// fronts finds the Pareto fronts of each two quantities and of all three.
func (s *solver) fronts() {
	ranking := s.result.Ranking
	for _, which := range [][]int{{0, 1}, {0, 2}, {1, 2}, {0, 1, 2}} {
		var set ParetoSet
		for _, k := range which {
			set.Of = append(set.Of, paretoObjectives[k].name)
		}
		name := strings.Join(set.Of, "-")
		points := make([][]float64, len(ranking))
		for i := range ranking {
			for _, k := range which {
				points[i] = append(points[i], paretoObjectives[k].of(&ranking[i]))
			}
		}
		for i, on := range Front(points) {
			if on {
				set.Members = append(set.Members, ranking[i].Name)
				ranking[i].Fronts = append(ranking[i].Fronts, name)
			}
		}
		s.result.Fronts = append(s.result.Fronts, set)
	}
}

// onFront reports whether a candidate is on the front of that name.
func (c *Candidate) onFront(name string) bool { return slices.Contains(c.Fronts, name) }
