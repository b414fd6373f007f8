package purchase

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
