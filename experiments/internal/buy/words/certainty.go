package words

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
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

func (r Answer) certaintySection() report.Section {
	x := r.Robustness
	percent := fmt.Sprintf("%g %%", 100*x.Change)
	section := report.Section{Heading: "Robustness of the recommendation", Text: r.Certainty(), Blocks: r.rangeBlocks()}
	if r.Lead == nil || len(x.Parameters) == 0 {
		section.Text = append(section.Text, "There is no other design to compare it with.")
		return section
	}
	tornado := &report.Tornado{
		Title:     "Lead of the recommended design",
		Caption:   fmt.Sprintf("Lead: how much longer the best other design takes. Each bar shows the lead with one figure %s lower and higher; where it crosses 0, another design is first. Figures that make one of the two designs unaffordable are listed in the table only.", percent),
		Value:     report.Axis{Title: "lead", Unit: "%"},
		Base:      tenth(100 * *r.Lead),
		BaseLabel: "as planned", Low: "-" + percent, High: "+" + percent,
	}
	t := &report.Table{
		Title: "Lead with one figure changed",
		Columns: []report.Column{
			{Title: "figure"}, {Title: "value"}, {Title: "lead if lower", Numeric: true}, {Title: "lead if higher", Numeric: true}, {Title: "first if lower"}, {Title: "first if higher"}, {Title: "estimate"},
		},
	}
	without, design := 0, r.Recommendation().Design
	for _, s := range x.Parameters {
		if !s.Matters() {
			without++
			continue
		}
		if len(tornado.Swings) < reportSwings && s.Low != nil && s.High != nil {
			tornado.Swings = append(tornado.Swings, report.Swing{Parameter: s.Parameter, Low: tenth(100 * *s.Low), High: tenth(100 * *s.High)})
		}
		estimate := ""
		if s.Estimate {
			estimate = "yes"
		}
		t.Rows = append(t.Rows, []string{s.Parameter, s.Value, LowText(&s, design), HighText(&s, design), s.FirstLow, s.FirstHigh, estimate})
	}
	if without > 0 {
		t.Caption = fmt.Sprintf("%d other figures change the lead by less than 0.05 percentage points.", without)
	}
	if len(tornado.Swings) > 0 {
		section.Blocks = append(section.Blocks, tornado)
	}
	if len(t.Rows) > 0 {
		section.Blocks = append(section.Blocks, t)
	}
	if len(x.JointFirst) > 1 {
		first := &report.Table{Title: "Designs in first place", Columns: []report.Column{{Title: "design"}, {Title: "cases", Numeric: true}, {Title: "share", Unit: "%", Numeric: true}}}
		for _, f := range x.JointFirst {
			first.Rows = append(first.Rows, []string{f.Design, fmt.Sprint(f.Trials), fmt.Sprintf("%.1f", 100*float64(f.Trials)/float64(x.Joint.Trials))})
		}
		section.Blocks = append(section.Blocks, first)
	}
	return section
}

// tenth rounds to one place after the point.
func tenth(x float64) float64 { return math.Round(10*x) / 10 }

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
