package design

// Configurations returns the number of combinations of levels that have points. The
// points of combination c are those from c*Repetitions on.
func (s *Design) Configurations() int { return s.Points() / s.Repetitions }

// Start returns n different configurations that are spread over the factors, for a
// study that simulates some of them first: the samples of a Latin hypercube, each moved
// to the nearest configuration that is left. It depends on the seed of the plan. n is
// at most the number of configurations.
//
// Distances are Euclidean, with levels at equal distances along a factor with numbers
// and all levels of another one as far from each other as its ends; of configurations as
// near, the first is taken.
func (s *Design) Start(n int) []int {
	samples := latinHypercube(s.Seed, s.Factors, n)
	configurations := make([][]int, s.Configurations())
	for c := range configurations {
		configurations[c] = s.Point(c * s.Repetitions).Levels
	}
	taken := make(map[int]bool, n)
	var start []int
	for k := range n {
		at, least := -1, 0.0
		for c, levels := range configurations {
			if taken[c] {
				continue
			}
			distance := 0.0
			for f, level := range levels {
				distance += s.Factors[f].distance(level, int(samples[f][k]))
			}
			if at < 0 || distance < least {
				at, least = c, distance
			}
		}
		taken[at] = true
		start = append(start, at)
	}
	return start
}

// distance of two levels, squared; 1 for the ends.
func (f *Factor) distance(a, b int) float64 {
	switch {
	case a == b:
		return 0
	case !f.Numeric:
		return 1
	}
	d := float64(a-b) / float64(f.Len()-1)
	return d * d
}
