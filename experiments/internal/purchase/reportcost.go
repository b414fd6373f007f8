package purchase

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/report"
)

// costTable shows what machines cost over their years of operation, and what a run
// costs on them.
func (r *Result) costTable() *report.Table {
	t := &report.Table{
		Title: "Cost over the years of operation, and cost of a run",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "price", Unit: r.Currency, Numeric: true}, {Title: "energy", Unit: r.Currency, Numeric: true}, {Title: "total", Unit: r.Currency, Numeric: true},
		},
		Caption: "Energy: over the years of operation, computing and idle. The cost of a run is its share of the price, its energy and its share of the energy of the idle machine.",
	}
	for _, w := range r.plan.Workloads {
		t.Columns = append(t.Columns, report.Column{Title: "run of " + w.Name, Unit: r.Currency, Numeric: true})
	}
	for i, c := range r.Designs() {
		if i == reportDesigns/2 {
			t.Caption += fmt.Sprintf(" Only the %d fastest designs are listed.", i)
			break
		}
		row := []string{c.Name, thousands(c.Price), thousands(c.LifeCost - c.Price), thousands(c.LifeCost)}
		for _, w := range c.Workloads {
			row = append(row, fmt.Sprintf("%.3g", w.Cost))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
