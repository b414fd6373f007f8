package page

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// A Pair is one quantity from two sources, both above 0.
type Pair struct {
	Group               string // pairs of the same group share a colour
	Reference, Computed float64
}

// apart is the ratio of the larger to the smaller.
func (p Pair) apart() float64 { return max(p.Computed/p.Reference, p.Reference/p.Computed) }

// ParityChart shows computed values over those they are compared with, on equal
// logarithmic axes: what agrees lies on the diagonal. Reference and computed name the
// sources, as in "published" and "simulated"; unit is that of the quantity.
func ParityChart(quantity, unit, reference, computed string, pairs []Pair) *report.LineChart {
	c := &report.LineChart{
		Title:   fmt.Sprintf("%s over %s %s", input.Capitalized(computed), reference, quantity),
		X:       report.Axis{Title: reference + " " + quantity, Unit: unit, Log: true},
		Y:       report.Axis{Title: computed + " " + quantity, Unit: unit, Log: true},
		Square:  true,
		Caption: "Points on the dashed line agree; above it, the " + computed + " value is the larger one.",
	}
	index := make(map[string]int)
	var low, high float64
	worst := 0
	for i, p := range pairs {
		if p.apart() > pairs[worst].apart() {
			worst = i
		}
		if i == 0 {
			low, high = p.Reference, p.Reference
		}
		low, high = min(low, p.Reference, p.Computed), max(high, p.Reference, p.Computed)
		k, known := index[p.Group]
		if !known {
			k = len(c.Series)
			index[p.Group] = k
			c.Series = append(c.Series, report.Series{Name: p.Group, Points: true})
		}
		c.Series[k].X = append(c.Series[k].X, p.Reference)
		c.Series[k].Y = append(c.Series[k].Y, p.Computed)
	}
	if len(pairs) > 0 {
		p, behind := pairs[worst], ""
		if unit != report.Dimensionless {
			behind = " " + unit
		}
		c.Caption += fmt.Sprintf(" Farthest from it: %s, %s%s instead of %s%s.", p.Group, input.Number(p.Computed), behind, input.Number(p.Reference), behind)
		c.Series = append(c.Series, report.Series{Name: "equal", Ideal: true, Plain: true, X: []float64{low, high}, Y: []float64{low, high}})
	}
	return c
}
