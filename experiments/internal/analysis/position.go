package analysis

import (
	"math"
	"slices"
)

// Positions are the places of the levels along the axis of a numeric factor, from 0 for
// the smallest to 1 for the largest: their values, or the logarithms where the levels
// are spaced by ratio. A factor without differences has zeros.
func (f *Factor) Positions() []float64 {
	values := make([]float64, len(f.Levels))
	for i, l := range f.Levels {
		values[i] = l.Value
	}
	if spacedByRatio(slices.Sorted(slices.Values(values))) {
		for i, v := range values {
			values[i] = math.Log(v)
		}
	}
	low, high := slices.Min(values), slices.Max(values)
	for i, v := range values {
		if values[i] = 0; low < high {
			values[i] = (v - low) / (high - low)
		}
	}
	return values
}
