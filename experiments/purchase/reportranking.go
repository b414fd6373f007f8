package purchase

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

func (r *Result) rankingTable() *report.Table {
	t := &report.Table{
		Title: "Best machine of each design",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "time", Numeric: true}, {Title: "relative", Numeric: true}, {Title: "price", Unit: r.Currency, Numeric: true},
			{Title: "power", Numeric: true}, {Title: "rack units", Numeric: true}, {Title: "wiring"}, {Title: "energy", Unit: "kWh", Numeric: true},
		},
		Caption: "Time: " + r.Score.Meaning + ". Energy: drawn in that time, with cooling and losses.",
	}
	designs := r.Designs()
	if x := r.Today; x != nil && !slices.ContainsFunc(designs, func(c Candidate) bool { return c.Name == x.Name }) {
		t.Rows = append(t.Rows, r.rankingRow(*x, "as it is: "+x.Name)) // beyond the power or the space
	}
	for i, c := range designs {
		if i == reportDesigns {
			t.Caption += fmt.Sprintf(" The first %d of %d.", i, len(designs))
			break
		}
		name := c.Name
		if r.plan.buysNothing(c.choice) {
			name = "as it is: " + name
		}
		t.Rows = append(t.Rows, r.rankingRow(c, name))
	}
	return t
}

func (r *Result) rankingRow(c Candidate, name string) []string {
	return []string{name, r.ScoreOf(c.Score), fmt.Sprintf("%.3f", c.Relative), thousands(c.Price),
		units.Watts(c.Power).String(), input.Number(c.RackUnits), c.Wiring, thousands(c.Energy)}
}
