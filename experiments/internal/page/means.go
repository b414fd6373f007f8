package page

import "github.com/isoscale/isoscale/model/units"

// Means are the means of a quantity over equal parts of a span of time.
type Means struct {
	from, width units.Seconds
	sums        []float64 // of pieces that cover a part only partially: value times duration
	steps       []float64 // by how much the value rises at each part, for pieces that cover whole parts
}

// NewMeans returns means over n parts between two times.
func NewMeans(from, to units.Seconds, n int) *Means {
	return &Means{from, (to - from) / units.Seconds(n), make([]float64, n), make([]float64, n+1)}
}

// border returns where a part begins.
func (m *Means) border(part int) units.Seconds {
	return m.from + units.Seconds(units.Seconds(part)*m.width)
}

// part returns the part that contains a time.
func (m *Means) part(t units.Seconds) int {
	return min(max(int((t-m.from)/m.width), 0), len(m.sums)-1)
}

// Add adds a value between two times.
func (m *Means) Add(from, to units.Seconds, value float64) {
	first, last := m.part(from), m.part(to)
	if first == last {
		m.sums[first] += float64(value * float64(to-from))
		return
	}
	m.sums[first] += float64(value * float64(m.border(first+1)-from))
	m.sums[last] += float64(value * float64(to-m.border(last)))
	m.steps[first+1] += value
	m.steps[last] -= value
}

// Values returns the means.
func (m *Means) Values() []float64 {
	all, level := make([]float64, len(m.sums)), 0.0
	for k := range all {
		level += m.steps[k]
		all[k] = max(level+m.sums[k]/float64(m.width), 0) // below 0 by rounding
	}
	return all
}
