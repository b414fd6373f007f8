package page

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart/quantile"
	"github.com/isoscale/isoscale/experiments/report"
)

// A Sample is values of one kind, such as the waits of all ranks.
type Sample struct {
	Name   string
	Values []float64 // at least one
}

// steppedValues is up to how many values a distribution has a step for each; beyond it,
// there is a point for each per cent.
const steppedValues = 100

// DistributionChart shows for each value the share of the values of its sample that are
// at most as large, in per cent of what of names: the empirical distribution function.
// The values are drawn in a unit that suits them.
func DistributionChart(title, quantity, unit, of string, samples []Sample) *report.LineChart {
	var all []float64
	for _, s := range samples {
		all = append(all, s.Values...)
	}
	shown := Display(unit, all...)
	none, whole := 0.0, 100.0
	c := &report.LineChart{
		Title: title,
		X:     report.Axis{Title: quantity, Unit: shown.Unit},
		Y:     report.Axis{Title: "share of " + of, Unit: "%", Min: &none, Max: &whole},
	}
	for _, s := range samples {
		sorted := slices.Sorted(slices.Values(s.Values))
		curve := report.Series{Name: s.Name, Plain: true}
		add := func(value, percent float64) {
			curve.X, curve.Y = append(curve.X, value*shown.Factor), append(curve.Y, percent)
		}
		if len(sorted) > steppedValues {
			for percent := range 101 {
				add(quantile.Of(sorted, percent), float64(percent))
			}
		} else {
			below := 0.0 // per cent of the values that are smaller
			for i, v := range sorted {
				if i+1 < len(sorted) && sorted[i+1] == v {
					continue
				}
				add(v, below)
				below = 100 * float64(i+1) / float64(len(sorted))
				add(v, below)
			}
		}
		c.Series = append(c.Series, curve)
	}
	return c
}
