package purchase

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

func (r *Result) priceScatter() *report.ScatterChart {
	const unit = 1000
	c := r.scatter(byPrice, unit)
	c.Title, c.X = "Time over price", report.Axis{Title: "price", Unit: "1000 " + r.Currency}
	c.Lines = []report.ReferenceLine{{Label: "budget", At: r.plan.Budget.Money.Amount / unit, Vertical: true}}
	return c
}

func (r *Result) energyScatter() *report.ScatterChart {
	c := r.scatter(byEnergy, 1)
	c.Title, c.X = "Time over energy", report.Axis{Title: "energy in that time", Unit: "kWh"}
	return c
}

// scatter shows the time over an objective, which is divided by unit.
func (r *Result) scatter(x objective, unit float64) *report.ScatterChart {
	y, scale := report.Axis{Title: r.Score.Meaning, Unit: "s"}, 1.0
	if r.plan.byRuns {
		y.Unit, scale = "h", 3600
	}
	c := &report.ScatterChart{Y: y, Height: 460, Caption: "The line is the front: below and left of it there is nothing."}
	others := report.ScatterSeries{Name: "other machines", Faint: true}
	members := report.ScatterSeries{Name: "on the front", Step: report.StepAfter}
	recommended := report.ScatterSeries{Name: "recommended"}
	room := labelRoom * x.of(&r.Ranking[0])
	labelled := x.of(&r.Ranking[0]) // where the last label is
	for i := range r.Ranking {
		k := &r.Ranking[i]
		if k.Relative > chartedTimes {
			c.Caption += fmt.Sprintf(" %d machines that take more than %d times the best time are not shown.", len(r.Ranking)-i, chartedTimes)
			break
		}
		at := x.of(k)
		p := report.ScatterPoint{Name: k.Name, X: at / unit, Y: k.Score / scale,
			Notes: fmt.Sprintf("%s, %v, %s rack units, %.3g times the best time", r.plan.money(k.Price), units.Watts(k.Power), input.Number(k.RackUnits), k.Relative)}
		if i == 0 {
			best := p
			best.Label = k.Name
			recommended.Points = append(recommended.Points, best)
		}
		if !slices.Contains(k.Fronts, byTime.name+"-"+x.name) {
			others.Points = append(others.Points, p)
			continue
		}
		if labelled-at > room {
			p.Label, labelled = k.Name, at
		}
		members.Points = append(members.Points, p)
	}
	c.Series = []report.ScatterSeries{others, members, recommended}
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
