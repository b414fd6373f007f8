package words

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/report"
)

// jobCostText prints the mean cost of a job.
func jobCostText(cost *float64) string {
	if cost == nil {
		return ""
	}
	return fmt.Sprintf("%.3g", *cost)
}

// cashFlowTable shows what the recommended machine costs by year.
func (r Answer) cashFlowTable() *report.Table {
	c := r.Recommendation()
	t := &report.Table{Title: "Cash flow of " + c.Name, Caption: fmt.Sprintf("With value added tax. Year 0 is the purchase; all else is paid at the end of a year and discounted at %g %% a year.", 100*r.Plan.Costs.Discount)}
	for _, title := range []string{"year", "purchase", "energy", "maintenance", "staff", "fixed", "total", "present value"} {
		column := report.Column{Title: title, Unit: r.Currency, Numeric: true}
		if title == "year" {
			column.Unit = ""
		}
		t.Columns = append(t.Columns, column)
	}
	for _, x := range c.CashFlow {
		row := []string{fmt.Sprint(x.Year)}
		for _, amount := range []float64{x.Purchase, x.Energy, x.Maintenance, x.Staff, x.Fixed, x.Total, x.Present} {
			row = append(row, model.Thousands(amount))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// costBlocks are the tables of costs.
func (r Answer) costBlocks() []report.Block {
	return []report.Block{r.energyScatter(), r.costTable(), r.cashFlowTable()}
}

// costTable shows what machines cost over their years of operation, and what a run
// costs on them.
func (r Answer) costTable() *report.Table {
	t := &report.Table{
		Title: "Cost over the years of operation, and cost of a run",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "price", Unit: r.Currency, Numeric: true}, {Title: "later costs", Unit: r.Currency, Numeric: true}, {Title: "total", Unit: r.Currency, Numeric: true}, {Title: "per job", Unit: r.Currency, Numeric: true},
		},
		Caption: "Later costs: energy over the years of operation, computing and idle, and maintenance, staff and fixed costs where the plan has them, at present value. The cost of a run is its share of the price, its energy, and its share of all other costs.",
	}
	for _, w := range r.Plan.Workloads {
		t.Columns = append(t.Columns, report.Column{Title: "run of " + w.Name, Unit: r.Currency, Numeric: true})
	}
	for i, c := range r.Designs() {
		if i == reportDesigns/2 {
			t.Caption += fmt.Sprintf(" Only the %d fastest designs are listed.", i)
			break
		}
		row := []string{c.Name, model.Thousands(c.Price), model.Thousands(c.LifeCost - c.Price), model.Thousands(c.LifeCost), jobCostText(c.JobCost)}
		for _, w := range c.Workloads {
			row = append(row, fmt.Sprintf("%.3g", w.Cost))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
