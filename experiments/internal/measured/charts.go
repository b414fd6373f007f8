package measured

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// mostCurves is how many curves a chart shows; more cannot be told apart.
const mostCurves = 8

// curves has the charts over processes and over size, as far as there is
// something to show.
func (r *Result) curves() []report.Section {
	processes := report.Axis{Title: "processes", Unit: report.Dimensionless, Log: true}
	speedups := &report.LineChart{Title: "Speedup over processes", X: processes, Y: report.Axis{Title: "speedup", Unit: report.Dimensionless, Log: true}}
	efficiencies := &report.LineChart{Title: "Efficiency over processes", X: processes, Y: report.Axis{Title: "efficiency", Unit: report.Dimensionless},
		Targets: []report.Target{{Label: "ideal", Y: 1}}}
	type key struct {
		system string
		size   float64
	}
	index := make(map[key]int)
	var series, shares []report.Series // of speed-ups and efficiencies
	var baselines []float64
	left := 0
	for s, p := range r.points() {
		speedup, efficiency := p.Value("speedup"), p.Value("efficiency")
		if !shown(speedup) || !shown(efficiency) {
			continue
		}
		id := key{s.System, p.size}
		n, ok := index[id]
		if !ok {
			if len(series) == mostCurves-1 { // one is the ideal
				left++
				continue
			}
			n = len(series)
			index[id] = n
			name := s.System
			if p.size > 0 {
				name = strings.TrimPrefix(name+", "+r.sizeName(p.size), ", ")
			}
			series = append(series, report.Series{Name: cmp.Or(name, "measured")})
			shares = append(shares, report.Series{Name: cmp.Or(name, "measured")})
		}
		baselines = append(baselines, float64(p.baseline.processes))
		shares[n].X, shares[n].Y = append(shares[n].X, float64(s.Processes)), append(shares[n].Y, *efficiency)
		series[n].X = append(series[n].X, float64(s.Processes))
		series[n].Y = append(series[n].Y, *speedup)
	}
	var sections []report.Section
	if len(series) > 0 {
		ideal := report.Series{Name: "ideal", Ideal: true, Plain: true}
		var ps []float64
		for _, s := range series {
			ps = append(ps, s.X...)
		}
		speedups.Series = series
		speedups.Square = true
		speedups.Caption = "Logarithmic on both axes: an ideal speedup is a straight line."
		if baselines = distinctSorted(baselines); len(baselines) == 1 {
			for _, p := range distinctSorted(ps) {
				ideal.X, ideal.Y = append(ideal.X, p), append(ideal.Y, p/baselines[0])
			}
			speedups.Series = append(speedups.Series, ideal)
		}
		efficiencies.Series = shares
		if left > 0 {
			speedups.Caption += fmt.Sprintf(" %s of further systems and sizes are only in the table.", input.Plural(left, "point"))
		}
		sections = append(sections, report.Section{
			Heading: "Speedup and efficiency",
			Text:    []string{cmp.Or(input.Capitalized(r.relative()), "Speedup is the sequential time of the same problem over the time in parallel, efficiency the speedup for each process") + "."},
			Blocks:  []report.Block{speedups, efficiencies},
		})
	}
	if c := r.speedEfficiencyChart(); c != nil {
		sections = append(sections, report.Section{
			Heading: "Speed-efficiency",
			Text:    []string{"The share of the marked speed that was achieved. Where two systems have the same, psi compares them."},
			Blocks:  []report.Block{c},
		})
	}
	return sections
}

// speedEfficiencyChart shows E_s over the size, a curve for each system; nil if
// there is nothing to show.
func (r *Result) speedEfficiencyChart() *report.LineChart {
	c := &report.LineChart{
		Title: "Speed-efficiency over problem size",
		X:     report.Axis{Title: "problem size n", Unit: report.Dimensionless, Log: true},
		Y:     report.Axis{Title: "speed-efficiency", Unit: report.Dimensionless},
	}
	if !r.hasN {
		c.X.Title, c.X.Unit = "work", "flop"
	}
	left := 0
	for _, s := range r.Systems {
		curve := report.Series{Name: s.Label}
		for i := range s.Points {
			p := &s.Points[i]
			if v := p.Value("speed_efficiency"); p.size >= 1e-9 && shown(v) {
				curve.X, curve.Y = append(curve.X, p.size), append(curve.Y, *v)
			}
		}
		switch {
		case len(curve.X) == 0:
		case len(c.Series) == mostCurves:
			left++
		default:
			c.Series = append(c.Series, curve)
		}
	}
	if len(c.Series) == 0 {
		return nil
	}
	if left > 0 {
		c.Caption = fmt.Sprintf("%s more are only in the table.", input.Plural(left, "system"))
	}
	return c
}

// shown reports whether a chart can show a value.
func shown(v *float64) bool { return v != nil && *v >= 1e-9 && *v <= 1e30 }

func distinctSorted(values []float64) []float64 {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}
