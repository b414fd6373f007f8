package purchase

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/report"
)

func (r *Result) upgradeSection() report.Section {
	section := report.Section{
		Heading: "The next upgrade",
		Text: []string{
			"Each row is one step from the machine in the title, beyond the budget if need be. What counts is how much faster the mix runs for the money: the last column.",
			"Rows in brackets are not for sale: the part is taken to get a tenth better for a tenth of its price. Worth up to: the cost at which that would pay as well as the best step that is for sale; any price, where no step for sale pays.",
		},
	}
	for _, e := range r.Edges {
		text := fmt.Sprintf("If every part of %s could be bought in small steps at its present price, the next money would go into: %s.", e.From, list(e.Directions))
		if e.Efficiency <= 0 {
			text = "No small step makes " + e.From + " faster."
		}
		section.Text = append(section.Text, text)
	}
	var t *report.Table
	for i, u := range r.Upgrades {
		if i == 0 || u.From != r.Upgrades[i-1].From {
			t = &report.Table{
				Title: "Upgrades from " + u.From,
				Columns: []report.Column{
					{Title: "direction"}, {Title: "change"}, {Title: "cost", Unit: r.Currency, Numeric: true}, {Title: "faster by", Unit: "%", Numeric: true},
					{Title: "% faster for 10 000 " + r.Currency, Numeric: true}, {Title: "worth up to", Unit: r.Currency, Numeric: true}, {Title: "limit"},
				},
			}
			section.Blocks = append(section.Blocks, t)
		}
		direction, even := u.Direction, ""
		if u.Hypothetical {
			direction = "(" + direction + ")"
		}
		if u.BreakEven != nil {
			if even = thousands(*u.BreakEven); *u.BreakEven > r.Ranking[0].Price && u.From == r.Recommended {
				even = "any price"
			}
		}
		t.Rows = append(t.Rows, []string{direction, u.Change, thousands(u.Cost), fmt.Sprintf("%+.2f", Percent(u.Gain)),
			fmt.Sprintf("%+.2f", u.PerMoney(1e4)), even, u.Beyond})
	}
	return section
}
