package sweep

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/report"
)

// effectSection says what the objective depends on.
func (r *Result) effectSection() *report.Section {
	if len(r.Sensitivity) == 0 || r.Effects == nil {
		return nil
	}
	tornado := &report.Tornado{
		Title:   "What " + r.response.Name + " depends on",
		Caption: "Mean over all points with the factor at the level, or in the range of its samples, where the mean is least, and where it is most.",
		Value:   report.Axis{Title: r.response.Name, Unit: unit(r.shown.unit)},
		Base:    r.Effects.Mean * r.shown.factor, BaseLabel: "mean",
		Low: "least", High: "most",
	}
	table := &report.Table{
		Title: "Sensitivity",
		Caption: "Share: of the variance of all points, by the factor alone; of that of the logarithm, where values span more than a decade; with all its interactions, where every combination was simulated. " +
			"Elasticity: per cent of change for a change of the factor by one per cent.",
		Columns: []report.Column{{Title: "factor"}, {Title: "least at"}, {Title: "mean there", Numeric: true}, {Title: "most at"}, {Title: "mean there", Numeric: true},
			{Title: "share alone", Unit: "%", Numeric: true}, {Title: "of the logarithm", Unit: "%", Numeric: true}, {Title: "with interactions", Unit: "%", Numeric: true}, {Title: "elasticity", Numeric: true}},
	}
	for _, s := range r.Sensitivity {
		tornado.Swings = append(tornado.Swings, report.Swing{Parameter: s.Factor, Low: s.Lowest * r.shown.factor, High: s.Highest * r.shown.factor, LowNote: s.LowestAt, HighNote: s.HighestAt})
		table.Rows = append(table.Rows, []string{s.Factor, s.LowestAt, r.value(s.Lowest), s.HighestAt, r.value(s.Highest),
			percent(&s.Share), percent(s.LogShare), percent(s.TotalShare), number(s.Elasticity)})
	}
	section := &report.Section{
		Heading: "What it depends on",
		Text:    []string{fmt.Sprintf("Main effects and interactions by %s. The mean of all points is %s.", r.Effects.Method, r.value(r.Effects.Mean))},
		Blocks:  []report.Block{tornado, table},
	}
	if len(r.Effects.Interactions) > 0 {
		t := &report.Table{
			Title:   "Interactions of two factors",
			Caption: "What two factors do together beyond the sum of what each does alone.",
			Columns: []report.Column{{Title: "factor"}, {Title: "with"}, {Title: "share", Unit: "%", Numeric: true}},
		}
		for _, i := range r.Effects.Interactions {
			t.Rows = append(t.Rows, []string{i.Factors[0], i.Factors[1], percent(&i.Share)})
		}
		section.Blocks = append(section.Blocks, t)
	}
	return section
}

func percent(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.2f", 100**x)
}

func number(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.3g", *x)
}
