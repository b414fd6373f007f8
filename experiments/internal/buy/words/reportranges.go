package words

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
)

// rangeBlocks are the tables of how sure the choice is with the ranges of the plan, none
// without ranges.
func (r Answer) rangeBlocks() []report.Block {
	u := r.Uncertain
	if u == nil {
		return nil
	}
	designs := &report.Table{
		Title:   "How likely each design is the best choice",
		Caption: fmt.Sprintf("Of %d cases, in which each figure is normal, within its range in 95 %% of the cases. Expected loss: the part of the work, or with objective cheapest of the price, that is lost on average by the choice of this design; a design that is beyond the limits loses all.", u.Samples),
		Columns: []report.Column{{Title: "design"}, {Title: "best choice", Unit: "%", Numeric: true}, {Title: "expected loss", Unit: "%", Numeric: true}},
	}
	for _, x := range u.Designs {
		designs.Rows = append(designs.Rows, []string{x.Design, fmt.Sprintf("%.1f", 100*x.Probability), fmt.Sprintf("%.2f", 100*x.Regret)})
	}
	figures := &report.Table{
		Title:   "What to ask for or to measure next",
		Caption: "Worth: how much less is lost on average if the figure is known before the choice.",
		Columns: []report.Column{{Title: "figure"}, {Title: "range", Unit: "%", Numeric: true}, {Title: "worth", Unit: "%", Numeric: true}},
	}
	for _, x := range u.Figures {
		name := x.Figure
		if len(x.Members) > 0 {
			name += ": " + strings.Join(x.Members, ", ")
		}
		figures.Rows = append(figures.Rows, []string{name, fmt.Sprintf("%.3g", 100*x.Range), fmt.Sprintf("%.2f", 100*x.Value)})
	}
	return []report.Block{designs, figures}
}
