package measuredreport

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// curves has the charts over processes and over size, and of repeated runs, as far as
// there is something to show.
func (r Answer) curves() []report.Section {
	sections := append(r.strongScaling(), r.weakScaling()...)
	if c := r.speedEfficiencyChart(); c != nil {
		sections = append(sections, report.Section{
			Heading: "Speed-efficiency",
			Text:    []string{"The share of the marked speed that was achieved. Where two systems have the same, psi compares them."},
			Blocks:  []report.Block{c},
		})
	}
	return slices.Concat(sections, r.bills(), r.repetitions())
}

// speedEfficiencyChart shows E_s over the size, a curve for each system, or over the
// processes where no system has two sizes; nil if there is nothing to show.
func (r Answer) speedEfficiencyChart() *report.LineChart {
	c := &report.LineChart{
		Title: "Speed-efficiency over problem size",
		X:     report.Axis{Title: "problem size n", Unit: report.Dimensionless, Log: true},
		Y:     report.Axis{Title: "speed-efficiency", Unit: report.Dimensionless},
	}
	if !r.HasN {
		c.X.Title, c.X.Unit = "work", "flop"
	}
	left, alone := 0, 0
	for _, s := range r.Systems {
		series := report.Series{Name: s.Label}
		for i := range s.Points {
			p := &s.Points[i]
			if v := p.Value("speed_efficiency"); p.Size >= 1e-9 && shown(v) {
				series.X, series.Y = append(series.X, p.Size), append(series.Y, *v)
			}
		}
		switch {
		case len(series.X) == 0:
		case len(series.X) == 1:
			alone++
		case len(c.Series) == mostCurves:
			left++
		default:
			c.Series = append(c.Series, series)
		}
	}
	if len(c.Series) == 0 {
		return r.speedEfficiencyOverProcesses()
	}
	if left+alone > 0 {
		c.Caption = fmt.Sprintf("%s more are only in the table of points", input.Plural(left+alone, "system"))
		if alone > 0 {
			c.Caption += fmt.Sprintf(", %d of them because they have one size", alone)
		}
		c.Caption += "."
	}
	return c
}

// speedEfficiencyOverProcesses shows E_s of systems with one size each, a curve for each
// name; nil if no name has two.
func (r Answer) speedEfficiencyOverProcesses() *report.LineChart {
	var curves []curve
	for i := range r.Systems {
		s := &r.Systems[i]
		if i == 0 || s.System != r.Systems[i-1].System {
			curves = append(curves, curve{name: cmp.Or(s.System, "measured")})
		}
		if len(s.Points) == 1 && shown(s.Points[0].Value("speed_efficiency")) {
			c := &curves[len(curves)-1]
			c.points = append(c.points, measurement{s, &s.Points[0]})
		}
	}
	c := over("Speed-efficiency over processes", "speed-efficiency", report.Dimensionless, curves, func(at measurement) (reading, bool) {
		e := *at.point.Value("speed_efficiency")
		return ofTime(at, func(t float64) float64 { return e * at.point.Time / t }), true
	})
	if len(c.Series) == 0 {
		return nil
	}
	return c
}

// shown reports whether a chart can show a value.
func shown(v *float64) bool { return v != nil && *v >= leastShown && *v <= 1e30 }

// leastShown is the least value of a logarithmic axis.
const leastShown = 1e-9

func distinctSorted(values []float64) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}
