package findings

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// effectSection shows which factors matter.
func (r *sections) effectSection() *report.Section {
	s := &report.Section{Heading: "What matters", Text: r.EffectsInWords()}
	if r.Unknown != "" {
		return s
	}
	if r.Effects == nil || len(r.Effects.Factors) == 0 {
		return nil
	}
	s.Text = append(s.Text, fmt.Sprintf("Shares of the variance are Shapley shares, %s. The mean of all points is %s.", r.Effects.Method, r.InUnit(r.Effects.Mean)))
	tornado := &report.Tornado{
		Title:   "Main effects on " + r.label(r.Response.Name),
		Caption: "Each bar extends from the lowest to the highest mean with the factor at one level; factors are in the order of their shares.",
		Value:   report.Axis{Title: r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit)},
		Base:    r.Effects.Mean * r.shown.Factor, BaseLabel: "mean",
		Low: "lowest", High: "highest",
	}
	table := &report.Table{
		Title: "Shares of the variance",
		Caption: "Share: the Shapley share; what factors explain together is divided equally. Alone: what the factor explains if nothing else is known." +
			" Of the logarithm: the share of values that span more than a decade. Elasticity: change in per cent for one per cent more of the factor.",
		Columns: []report.Column{{Title: "factor"}, {Title: "share", Unit: "%", Numeric: true}, {Title: "95 % interval", Unit: "%", Numeric: true}, {Title: "alone", Unit: "%", Numeric: true},
			{Title: "of the logarithm", Unit: "%", Numeric: true}, {Title: "lowest at"}, {Title: "lowest mean", Numeric: true}, {Title: "highest at"}, {Title: "highest mean", Numeric: true}, {Title: "elasticity", Numeric: true}},
	}
	for _, f := range r.Effects.Factors {
		tornado.Swings = append(tornado.Swings, report.Swing{Parameter: f.Factor, Low: f.Lowest * r.shown.Factor, High: f.Highest * r.shown.Factor, LowNote: f.LowestAt, HighNote: f.HighestAt})
		table.Rows = append(table.Rows, []string{f.Factor, percent(&f.Share), interval(f), percent(&f.Alone), percent(f.LogShare),
			f.LowestAt, r.InUnit(f.Lowest), f.HighestAt, r.InUnit(f.Highest), input.Optional(f.Elasticity, "%.3g")})
	}
	s.Blocks = []report.Block{tornado, table}
	if len(r.Effects.Interactions) > 0 {
		t := &report.Table{
			Title:   "Interactions of two factors",
			Caption: "Share of the variance that two factors explain together beyond what each does alone; it is in the shares of both.",
			Columns: []report.Column{{Title: "factor"}, {Title: "with"}, {Title: "share", Unit: "%", Numeric: true}},
		}
		for _, i := range r.Effects.Interactions {
			t.Rows = append(t.Rows, []string{i.Factors[0], i.Factors[1], percent(&i.Share)})
		}
		s.Blocks = append(s.Blocks, t)
	}
	return s
}

func percent(x *float64) string { return input.Optional(scaled(x), "%.2f") }

// scaled is a share in per cent.
func scaled(x *float64) *float64 {
	if x == nil {
		return nil
	}
	v := 100 * *x
	return &v
}

// interval is that of a share.
func interval(f Effect) string {
	if f.ShareLow == nil || f.ShareHigh == nil {
		return "exact"
	}
	return fmt.Sprintf("%.1f to %.1f", 100**f.ShareLow, 100**f.ShareHigh)
}
