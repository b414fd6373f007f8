package words

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/report"
)

func (r Answer) upgradeSection() report.Section {
	section := report.Section{
		Heading: "Upgrades",
		Text: []string{
			"Each row is one upgrade of the machine in the title of the table; it may exceed the budget. The upgrades are sorted by cost-effectiveness: how much faster the mix runs per unit of cost.",
			"Upgrades in brackets are hypothetical: they are not for sale, and the cost is assumed to be proportional, a tenth of the price for a part that is a tenth better. More cores share the same memory. \"Worth up to\" is the cost at which such an upgrade would be as cost-effective as the best one for sale; \"any price\" is more than the machine costs.",
		},
	}
	for _, e := range r.Edges {
		text := fmt.Sprintf("If each part of %s could be improved in small steps at proportional cost, the most cost-effective improvement would be: %s.", e.From, model.List(e.Directions))
		if e.Efficiency <= 0 {
			text = "No small improvement of a single part makes " + e.From + " faster."
		}
		section.Text = append(section.Text, text)
	}
	var t *report.Table
	for i, u := range r.Upgrades {
		if i == 0 || u.From != r.Upgrades[i-1].From {
			t = &report.Table{
				Title: "Upgrades of " + u.From,
				Columns: []report.Column{
					{Title: "upgrade"}, {Title: "change"}, {Title: "cost", Unit: r.Currency, Numeric: true}, {Title: "faster by", Unit: "%", Numeric: true},
					{Title: "% faster per 10 000 " + r.Currency, Numeric: true}, {Title: "worth up to", Unit: r.Currency, Numeric: true}, {Title: "limit exceeded"},
				},
			}
			section.Blocks = append(section.Blocks, t)
		}
		direction, even := u.Direction, ""
		if u.Hypothetical {
			direction = "(" + direction + ")"
		}
		if u.BreakEven != nil {
			if even = model.Thousands(*u.BreakEven); *u.BreakEven > r.Recommendation().Price && u.From == r.Recommended {
				even = "any price"
			}
		}
		t.Rows = append(t.Rows, []string{direction, u.Change, model.Thousands(u.Cost), fmt.Sprintf("%+.2f", model.Percent(u.Gain)),
			fmt.Sprintf("%+.2f", u.PerMoney(1e4)), even, u.Beyond})
	}
	return section
}
