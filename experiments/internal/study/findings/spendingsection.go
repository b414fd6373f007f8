package findings

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// spendingSection shows what budgets buy.
func (r *sections) spendingSection() *report.Section {
	if r.Spending == nil {
		return nil
	}
	cost := report.Axis{Title: r.label(r.Cost.Name), Unit: page.Unit(r.Cost.Unit)}
	chart := &report.LineChart{
		Title: r.label(r.Response.Name) + " over " + r.label(r.Cost.Name),
		X:     cost, Y: report.Axis{Title: r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit)},
		Caption: "Best for the cost: no other configuration is better at the same cost or a lower one.",
	}
	frontier := report.Series{Name: "best for the cost"}
	for _, p := range r.Spending.Frontier {
		frontier.X, frontier.Y = append(frontier.X, p.Cost), append(frontier.Y, p.Value*r.shown.Factor)
	}
	walk := report.Series{Name: "growth by gain for cost", Dashed: true}
	for _, p := range r.Spending.Walk {
		walk.X, walk.Y = append(walk.X, p.Cost), append(walk.Y, p.Value*r.shown.Factor)
	}
	chart.Series = []report.Series{frontier, walk}
	chart.X.Log, chart.Y.Log = page.Wide(append(frontier.X, walk.X...)), page.Wide(append(frontier.Y, walk.Y...))
	t := &report.Table{
		Title:   "What a budget buys",
		Caption: "Growth by steps: what growth by the largest gain for its cost has come to for the budget. Difference: in per cent of the best. Change: grow adds only; a jump takes something down.",
		Columns: []report.Column{{Title: "budget", Unit: page.Unit(r.Cost.Unit), Numeric: true}, {Title: "best"}, {Title: r.label(r.Response.Name), Numeric: true}, {Title: "change from previous budget"}, {Title: "growth by steps"}, {Title: r.label(r.Response.Name), Numeric: true}, {Title: "difference", Numeric: true}},
	}
	for _, b := range r.Spending.Budgets {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%.6g", b.Amount), r.Describe(b.Best.At), r.InUnit(b.Best.Value), b.Move, r.Describe(b.Walk.At), r.InUnit(b.Walk.Value), r.shortfall(b.Percent, b.Shortfall)})
	}
	return &report.Section{Heading: "Growth for a budget", Text: r.SpendingInWords(), Blocks: []report.Block{chart, t}}
}
