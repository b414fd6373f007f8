package page

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// A Scale is how a chart shows a quantity: value times Factor, in Unit.
type Scale struct {
	Factor float64
	Unit   string
}

// prefixes of units, from the largest.
var prefixes = []struct {
	name  string
	value float64
}{{"E", 1e18}, {"P", 1e15}, {"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"", 1}, {"m", 1e-3}, {"u", 1e-6},
	{"n", 1e-9}}

// prefixed are the units that take a prefix, also as rates per something else.
var prefixed = []string{"s", "B", "flop", "flop/s", "J", "J s", "flop/J"}

// Display chooses the prefix with which the largest of some values is at least 1. Times get no prefix above seconds,
// and numbers without a unit get none at all.
func Display(unit string, values ...float64) Scale {
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
		case !slices.Contains(prefixed, unit) && !slices.Contains(prefixed, unit[:max(0, strings.LastIndex(unit, "/"))]):
			continue
		}
		return Scale{1 / p.value, p.name + unit}
	}
	return Scale{1, unit}
}

// All returns the values as shown.
func (s Scale) All(values []float64) []float64 {
	return each.Of(values, func(v float64) float64 { return v * s.Factor })
}

// Unit returns a unit as axes name it.
func Unit(u string) string { return cmp.Or(u, report.Dimensionless) }

// ByRatio reports whether values span more than a decade and are spaced by ratios rather than by distances: the middle
// value decides.
func ByRatio(values []float64) bool {
	if !Wide(values) {
		return false
	}
	sorted := slices.Compact(slices.Sorted(slices.Values(values)))
	low, middle, high := sorted[0], sorted[len(sorted)/2], sorted[len(sorted)-1]
	return math.Abs(math.Log(middle/math.Sqrt(low*high))) < math.Abs(math.Log(middle/((low+high)/2)))
}

// Wide reports whether values are positive and span more than a decade, so that
// a logarithmic axis shows them better.
func Wide(values []float64) bool {
	low, high := slices.Min(values), slices.Max(values)
	return low >= 1e-9 && high > 10*low
}
