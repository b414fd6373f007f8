package application

import (
	"math"

	"github.com/isoscale/isoscale/workloads/algorithm"
)

// stream returns 64 random bits that depend on the seed, a place in the file, and on
// the task, or on the rank and the indices of the loops around the place.
func (f *frame) stream(place int32, loops int) uint64 {
	h := algorithm.Mix(uint64(f.x.c.Seed), uint64(place))
	if f.inTask {
		return algorithm.Mix(h, uint64(f.task))
	}
	h = algorithm.Mix(h, uint64(f.rank))
	for _, i := range f.index[:loops] {
		h = algorithm.Mix(h, uint64(i))
	}
	return h
}

// draw returns a random number for an instruction.
func (f *frame) draw(s *step) float64 {
	h := f.stream(s.a, int(s.v))
	u := fraction(h)
	switch s.op {
	case exponent:
		return -math.Log(1 - u)
	case gaussian: // the method of Box and Muller
		return math.Sqrt(-2*math.Log(1-u)) * math.Cos(2*math.Pi*fraction(algorithm.Mix(h, 1)))
	}
	return u
}

// fraction returns a number from [0, 1).
func fraction(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }
