package purchase

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

func (r *Result) rankingTable() *report.Table {
	t := &report.Table{
		Title: "Fastest machine of each design",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "time", Numeric: true}, {Title: "relative time", Numeric: true}, {Title: "price", Unit: r.Currency, Numeric: true},
			{Title: "power", Numeric: true}, {Title: "rack units", Numeric: true}, {Title: "wiring"}, {Title: "energy", Unit: "kWh", Numeric: true},
		},
		Caption: "Time: " + r.Score.Meaning + ". Energy: used in that time, including cooling and losses.",
	}
	if r.SharesMachines() {
		t.Columns = append(t.Columns, report.Column{Title: "throughput", Numeric: true}, report.Column{Title: "mean wait", Numeric: true}, report.Column{Title: "95 % wait", Numeric: true})
		t.Caption += " Throughput: the multiple of a year's work that is done in a year, jobs side by side. Waits: of the jobs of the mix, by simulation of the queue."
	}
	if r.plan.Objective.Name == objectiveCheapest {
		t.Title, t.Columns[2].Title = "Cheapest machine of each design", "relative price"
	}
	designs := r.Designs()
	if x := r.Today; x != nil && !slices.ContainsFunc(designs, func(c Candidate) bool { return c.Name == x.Name }) {
		t.Rows = append(t.Rows, r.rankingRow(*x, "existing machine: "+x.Name)) // it exceeds the limit of power or space
	}
	for i, c := range designs {
		if i == reportDesigns {
			t.Caption += fmt.Sprintf(" Only the first %d of %d designs are listed.", i, len(designs))
			break
		}
		name := c.Name
		if r.plan.buysNothing(c.choice) {
			name = "existing machine: " + name
		}
		t.Rows = append(t.Rows, r.rankingRow(c, name))
	}
	return t
}

func (r *Result) rankingRow(c Candidate, name string) []string {
	row := []string{name, r.ScoreOf(c.Score), fmt.Sprintf("%.3f", c.Relative), thousands(c.Price),
		units.Watts(c.Power).String(), input.Number(c.RackUnits), c.Wiring, thousands(c.Energy)}
	if r.SharesMachines() {
		throughput, mean, p95 := "-", "-", "-"
		if c.Throughput != nil {
			throughput = fmt.Sprintf("%.3g", *c.Throughput)
		}
		if c.Wait != nil {
			mean, p95 = waitText(c.Wait.Mean), waitText(c.Wait.P95)
		}
		row = append(row, throughput, mean, p95)
	}
	return row
}
