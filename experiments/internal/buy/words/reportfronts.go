package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

func (r Answer) priceScatter() *report.ScatterChart {
	const unit = 1000
	c := r.scatter(model.ByPrice, unit)
	c.Title, c.X = "Time and price", report.Axis{Title: "price", Unit: "1000 " + r.Currency}
	c.Lines = []report.ReferenceLine{{Label: "budget", At: r.Plan.Budget.Money.Amount / unit, Vertical: true}}
	return c
}

func (r Answer) energyScatter() *report.ScatterChart {
	c := r.scatter(model.ByEnergy, 1)
	c.Title, c.X = "Time and energy", report.Axis{Title: "energy used in that time", Unit: "kWh"}
	return c
}

// scatter shows the time over another quantity, which is divided by unit.
func (r Answer) scatter(x model.Axis, unit float64) *report.ScatterChart {
	y, scale := report.Axis{Title: r.Score.Meaning, Unit: "s"}, 1.0
	if r.Plan.ByRuns {
		y.Unit, scale = "h", 3600
	}
	c := &report.ScatterChart{Y: y, Height: 460, Caption: "Line: the Pareto front."}
	others := report.ScatterSeries{Name: "other machines", Faint: true}
	members := report.ScatterSeries{Name: "Pareto front", StepAfter: true}
	recommended := report.ScatterSeries{Name: "recommended"}
	charted := r.Ranking
	if i := slices.IndexFunc(charted, func(k model.Candidate) bool { return k.Relative > chartedTimes }); i >= 0 {
		c.Caption += fmt.Sprintf(" Not shown: %d machines that take more than %d times as long as the fastest.", len(charted)-i, chartedTimes)
		charted = charted[:i]
	}
	room := 0.0
	for i := range charted {
		room = max(room, labelRoom*x.Of(&charted[i]))
	}
	labelled := x.Of(&charted[0]) // where the last label is
	for i := range charted {
		k := &charted[i]
		at := x.Of(k)
		p := report.ScatterPoint{Name: k.Name, X: at / unit, Y: k.Score / scale,
			Notes: fmt.Sprintf("%s, %v, %s rack units, %.3g times the shortest time", r.Plan.Money(k.Price), units.Watts(k.Power), input.Number(k.RackUnits), k.Relative)}
		if i == 0 {
			best := p
			best.Label = k.Name
			recommended.Points = append(recommended.Points, best)
		}
		if !slices.Contains(k.Fronts, model.ByTime.Name+"-"+x.Name) {
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

func (r Answer) frontTable() *report.Table {
	t := &report.Table{
		Title: "Pareto fronts",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "time", Numeric: true}, {Title: "relative time", Numeric: true}, {Title: "price", Unit: r.Currency, Numeric: true},
			{Title: "energy", Unit: "kWh", Numeric: true}, {Title: "Pareto-optimal in"},
		},
		Caption: "All machines on a Pareto front. No other machine is better in one of the quantities without being worse in another.",
	}
	for i := range r.Ranking {
		c := &r.Ranking[i]
		if len(c.Fronts) == 0 {
			continue
		}
		if len(t.Rows) == reportRows {
			t.Caption += fmt.Sprintf(" Only the first %d are listed.", reportRows)
			break
		}
		t.Rows = append(t.Rows, []string{c.Name, r.ScoreOf(c.Score), fmt.Sprintf("%.3f", c.Relative), model.Thousands(c.Price),
			model.Thousands(c.Energy), strings.ReplaceAll(strings.Join(c.Fronts, ", "), "-", "/")})
	}
	return t
}
