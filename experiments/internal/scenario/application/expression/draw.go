package expression

import (
	"math"

	"github.com/isoscale/isoscale/workloads/algorithm"
)

// stream returns 64 random bits that depend on the seed, a place in the file, and on
// the task, or on the rank and the indices of the loops around the place.
func (f *Frame) stream(place int32, loops int) uint64 {
	h := algorithm.Mix(uint64(f.Values.seed), uint64(place))
	if f.InTask {
		return algorithm.Mix(h, uint64(f.Task))
	}
	h = algorithm.Mix(h, uint64(f.Rank))
	for _, i := range f.Index[:loops] {
		h = algorithm.Mix(h, uint64(i))
	}
	return h
}

// Uniform draws a number from 0 to 1 at a place in the file, for the indices of so many
// loops around it.
func (f *Frame) Uniform(place int32, loops int) float64 { return fraction(f.stream(place, loops)) }

// Exponential likewise draws one that is exponentially distributed with mean 1.
func (f *Frame) Exponential(place int32, loops int) float64 {
	return -math.Log(1 - fraction(f.stream(place, loops)))
}

// Normal likewise draws one that is normally distributed with mean 0 and deviation 1, by
// the method of Box and Muller.
func (f *Frame) Normal(place int32, loops int) float64 {
	h := f.stream(place, loops)
	return math.Sqrt(-2*math.Log(1-fraction(h))) * math.Cos(2*math.Pi*fraction(algorithm.Mix(h, 1)))
}

// fraction returns a number from [0, 1).
func fraction(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }
