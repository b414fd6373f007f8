package iso

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/hold"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// otherTargets are further efficiencies at which work is read off the curves, as multiples of
// the target.
var otherTargets = []float64{0.5, 0.75, 1.25}

// isoefficiencyChart shows the work W that holds the target on each system over its marked speed C:
// the isoefficiency function of [Grama1993], with marked speed in place of the number of processors.
// It is nil unless systems have at least two marked speeds.
func (r *Result) isoefficiencyChart() *report.LineChart {
	order := r.byMarkedSpeed()
	first, last := r.Systems[order[0]], r.Systems[order[len(order)-1]]
	if first.MarkedSpeed == last.MarkedSpeed {
		return nil
	}
	const target = "target" // all work that holds the target has one colour, from whatever source
	simulated := report.Series{Name: fmt.Sprintf("%g simulated", r.TargetEfficiency), Colour: target}
	predicted := report.Series{Name: fmt.Sprintf("%g predicted", r.TargetEfficiency), Colour: target, Dashed: true,
		Plain: true}
	for _, i := range order {
		s := r.Systems[i]
		add(&simulated, s.MarkedSpeed, s.Work)
		if s.NPredicted != nil {
			add(&predicted, s.MarkedSpeed, r.workOf(i, *s.NPredicted))
		}
	}
	c := &report.LineChart{
		Title: "Isoefficiency: work over marked speed",
		X:     report.Axis{Title: "marked speed C", Unit: "Mflop/s", Log: true},
		Y:     report.Axis{Title: "work W", Unit: "flop", Log: true},
		Series: []report.Series{simulated, {
			Name: "W in proportion to C", Ideal: true, Plain: true,
			X: []float64{first.MarkedSpeed, last.MarkedSpeed},
			Y: []float64{first.Work, first.Work * (last.MarkedSpeed / first.MarkedSpeed)},
		}},
		Height: 460,
	}
	caption := []string{fmt.Sprintf("The work that holds a speed-efficiency of %g. The closer a curve stays to the "+
		"ideal line, psi = 1, the better the scalability.", r.TargetEfficiency)}
	if len(predicted.X) > 1 {
		c.Series = append(c.Series, predicted)
		caption = append(caption, "Predicted: from the overhead in closed form.")
	}
	if published, ok := r.comparedWork(order); ok {
		c.Series = append(c.Series, published)
		caption = append(caption, r.comparisonCaption())
	}
	others, missed := r.otherWork(order)
	c.Series = append(c.Series, others...)
	if len(others) > 0 {
		caption = append(caption, "Other speed-efficiencies: read off between simulated problem sizes.")
	}
	if len(missed) > 0 {
		caption = append(caption,
			"Not drawn, because fewer than two systems were simulated on both sides of them: "+strings.Join(missed,
				", ")+".")
	}
	c.Caption = strings.Join(caption, " ")
	return c
}

func add(s *report.Series, x, y float64) { s.X, s.Y = append(s.X, x), append(s.Y, y) }

// byMarkedSpeed lists the systems from the smallest marked speed to the largest.
func (r *Result) byMarkedSpeed() []int {
	order := each.Ascending(len(r.Systems))
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(r.Systems[a].MarkedSpeed, r.Systems[b].MarkedSpeed)
	})
	return order
}

// workOf is the work of problem size n on a system, in flop, scaled as random draws scale that of the solution.
func (r *Result) workOf(i, n int) float64 {
	d := &r.details[i]
	of := func(n int) float64 { return float64(d.curve.System.Algorithm(n).Work()) }
	return of(n) * (float64(d.solution.Work) / of(d.solution.N))
}

// comparedWork is the work at the problem sizes that the study is compared with.
func (r *Result) comparedWork(order []int) (report.Series, bool) {
	if r.study.Compare == nil {
		return report.Series{}, false
	}
	s := report.Series{Name: fmt.Sprintf("%g %s", r.TargetEfficiency, r.study.Compare.Label), Colour: "target",
		Points: true}
	for _, i := range order {
		if n := r.Systems[i].NCompared; n != nil {
			add(&s, r.Systems[i].MarkedSpeed, r.workOf(i, *n))
		}
	}
	return s, len(s.X) > 0
}

// otherWork returns the work at the other efficiencies that at least two systems rise through
// within the simulated sizes, and the efficiencies that fewer systems do.
func (r *Result) otherWork(order []int) (found []report.Series, missed []string) {
	for _, fraction := range otherTargets {
		e := r.TargetEfficiency * fraction
		s := report.Series{Name: fmt.Sprintf("%.3g", e)}
		for _, i := range order {
			if n := sizeAt(e, r.details[i].curve.Points()); n > 0 {
				add(&s, r.Systems[i].MarkedSpeed, r.workOf(i, n))
			}
		}
		if len(s.X) < 2 {
			missed = append(missed, s.Name)
			continue
		}
		found = append(found, s)
	}
	return found, missed
}

// sizeAt is the problem size at which a curve first rises through efficiency e, by
// interpolation between neighbouring simulated sizes; 0 if it does not.
func sizeAt(e float64, curve []*system.Simulation) int {
	a, b := firstRise(curve, e)
	if b == nil {
		return 0
	}
	known := []hold.Point{{N: a.N, Efficiency: a.SpeedEfficiency}, {N: b.N, Efficiency: b.SpeedEfficiency}}
	return hold.Likely(e, known, a.N, b.N)
}
