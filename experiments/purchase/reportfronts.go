package purchase

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// scoreAxis is the axis of times, and what a score is divided by on it.
func (r *Result) scoreAxis() (report.Axis, float64) {
	a, scale := report.Axis{Title: r.Score.Meaning, Unit: "s"}, 1.0
	if r.plan.byRuns {
		a.Unit, scale = "h", 3600
	}
	return a, scale
}

// scatter shows the time over the price or over the energy, which are numbers 1
// and 2 of the objectives.
func (r *Result) scatter(objective int) *report.ScatterChart {
	x, unit := paretoObjectives[objective], 1000.0
	front := "time-" + x.name
	y, scale := r.scoreAxis()
	c := &report.ScatterChart{Title: "Time over price", X: report.Axis{Title: "price", Unit: "1000 " + r.Currency}, Y: y, Height: 460}
	c.Caption = "The line is the front: below and left of it there is nothing."
	if objective == 2 {
		c.Title, unit = "Time over energy", 1
		c.X = report.Axis{Title: "energy in that time", Unit: "kWh"}
	} else {
		c.Lines = []report.ReferenceLine{{Label: "budget", At: r.plan.Budget.Money.Amount / unit, Vertical: true}}
	}
	others := report.ScatterSeries{Name: "other machines", Faint: true}
	members := report.ScatterSeries{Name: "on the front", Step: report.StepAfter}
	best := report.ScatterSeries{Name: "recommended"}
	labelled := x.of(&r.Ranking[0]) // where the last label is
	for i := range r.Ranking {
		k := &r.Ranking[i]
		if k.Relative > chartedTimes {
			c.Caption += fmt.Sprintf(" %d machines that take more than %d times the best time are not shown.", len(r.Ranking)-i, chartedTimes)
			break
		}
		p := report.ScatterPoint{Name: k.Name, X: x.of(k) / unit, Y: k.Score / scale,
			Notes: fmt.Sprintf("%s, %v, %s rack units, %.3g times the best time", r.plan.money(k.Price), units.Watts(k.Power), number(k.RackUnits), k.Relative)}
		switch {
		case k.onFront(front):
			// The first is the recommended one, which has a label of its own. A label
			// takes a fifth of the width.
			if at := x.of(k); labelled-at > labelRoom*x.of(&r.Ranking[0]) {
				p.Label, labelled = k.Name, at
			}
			members.Points = append(members.Points, p)
		default:
			others.Points = append(others.Points, p)
		}
		if i == 0 {
			p.Label = k.Name
			best.Points = append(best.Points, p)
		}
	}
	c.Series = []report.ScatterSeries{others, members, best}
	return c
}

func (r *Result) frontTable() *report.Table {
	t := &report.Table{
		Title: "Pareto fronts",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "time", Numeric: true}, {Title: "relative", Numeric: true}, {Title: "price", Unit: r.Currency, Numeric: true},
			{Title: "energy", Unit: "kWh", Numeric: true}, {Title: "on the fronts of"},
		},
		Caption: "All machines that are on a front. On a front, no other machine is better in one of the quantities and as good in the rest.",
	}
	for i := range r.Ranking {
		c := &r.Ranking[i]
		if len(c.Fronts) == 0 {
			continue
		}
		if len(t.Rows) == reportRows {
			t.Caption += fmt.Sprintf(" The first %d.", reportRows)
			break
		}
		t.Rows = append(t.Rows, []string{c.Name, r.ScoreOf(c.Score), fmt.Sprintf("%.3f", c.Relative), thousands(c.Price),
			thousands(c.Energy), strings.ReplaceAll(strings.Join(c.Fronts, ", "), "-", "/")})
	}
	return t
}
