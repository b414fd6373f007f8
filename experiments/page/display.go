package sweep

import "math"

// scale is how a chart shows a quantity: value times factor, in unit.
type scale struct {
	factor float64
	unit   string
}

// prefixes of units, from the largest.
var prefixes = []struct {
	name  string
	value float64
}{{"E", 1e18}, {"P", 1e15}, {"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}, {"m", 1e-3}, {"u", 1e-6}, {"n", 1e-9}}

// display chooses the prefix with which the largest of some values is at least 1.
// Times have none above seconds, and numbers without a unit none at all.
func display(unit string, values ...float64) scale {
	largest := 0.0
	for _, v := range values {
		if a := math.Abs(v); a <= math.MaxFloat64 { // false for NaN
			largest = max(largest, a)
		}
	}
	for _, p := range prefixes {
		switch {
		case largest < p.value:
			continue
		case unit == "s" && p.value > 1, unit != "s" && p.value < 1:
			continue
		case unit != "s" && unit != "B" && unit != "flop" && unit != "flop/s":
			continue
		}
		return scale{1 / p.value, p.name + unit}
	}
	return scale{1, unit}
}

// all returns the values as shown.
func (s scale) all(values []float64) []float64 {
	scaled := make([]float64, len(values))
	for i, v := range values {
		scaled[i] = v * s.factor
	}
	return scaled
}
