package studytable

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Positions are the places of the levels along the axis of a numeric factor, from 0 for
// the smallest to 1 for the largest: their values, or the logarithms where the levels
// are spaced by ratio. A factor without differences has zeros.
func (f *Factor) Positions() []float64 {
	values := make([]float64, len(f.Levels))
	for i, l := range f.Levels {
		values[i] = l.Value
	}
	if SpacedByRatio(slices.Sorted(slices.Values(values))) {
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

// SpacedByRatio reports whether ascending values are spaced by equal ratios rather
// than by equal distances: whether logarithms or the values themselves are better
// correlated with their places. That does not depend on the smallest of them alone, as the
// ratio of the last to the first does. Values of 0 or below have no ratios. Two values
// fit both; then the answer is equal distances.
func SpacedByRatio(values []float64) bool {
	if values[0] <= 0 {
		return false
	}
	places, scaled, logs := make([]float64, len(values)), make([]float64, len(values)), make([]float64, len(values))
	for i, v := range values {
		places[i], scaled[i], logs[i] = float64(i), v/values[len(values)-1], math.Log(v)
	}
	return stat.Correlation(places, logs, nil) > stat.Correlation(places, scaled, nil)+1e-9
}
