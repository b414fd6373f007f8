package sweepreport

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/findings"
	"github.com/isoscale/isoscale/experiments/report"
)

// effectSection shows main effects and interactions.
func (r *sections) effectSection() *report.Section {
	if len(r.Sensitivity) == 0 || r.Effects == nil {
		return nil
	}
	tornado := &report.Tornado{
		Title:   "Main effects on " + r.label(r.Response.Name),
		Caption: "Each bar extends from the lowest to the highest mean over all points with the factor at one level, or in one range of its samples.",
		Value:   report.Axis{Title: r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit)},
		Base:    r.Effects.Mean * r.shown.Factor, BaseLabel: "mean",
		Low: "lowest", High: "highest",
	}
	table := &report.Table{
		Title:   "Sensitivity",
		Caption: "Share alone: share of the variance of all points that the main effect of the factor explains.",
		Columns: []report.Column{{Title: "factor"}, {Title: "lowest at"}, {Title: "lowest mean", Numeric: true}, {Title: "highest at"}, {Title: "highest mean", Numeric: true},
			{Title: "share alone", Unit: "%", Numeric: true}, {Title: "of the logarithm", Unit: "%", Numeric: true}, {Title: "with interactions", Unit: "%", Numeric: true}, {Title: "elasticity", Numeric: true}},
	}
	for _, s := range r.Sensitivity {
		tornado.Swings = append(tornado.Swings, report.Swing{Parameter: s.Factor, Low: s.Lowest * r.shown.Factor, High: s.Highest * r.shown.Factor, LowNote: s.LowestAt, HighNote: s.HighestAt})
		table.Rows = append(table.Rows, []string{s.Factor, s.LowestAt, r.InUnit(s.Lowest), s.HighestAt, r.InUnit(s.Highest),
			percent(&s.Share), percent(s.LogShare), interval(s), input.Optional(s.Elasticity, "%.3g")})
	}
	has := func(value func(findings.Sensitivity) *float64) bool {
		return slices.ContainsFunc(r.Sensitivity, func(s findings.Sensitivity) bool { return value(s) != nil })
	}
	if has(func(s findings.Sensitivity) *float64 { return s.LogShare }) {
		table.Caption += " Of the logarithm: the same for the logarithm of the values, which span more than a decade."
	}
	if has(func(s findings.Sensitivity) *float64 { return s.TotalShare }) {
		table.Caption += " With interactions: the main effect and all interactions of the factor, the total Sobol index."
	}
	if has(func(s findings.Sensitivity) *float64 { return s.TotalLow }) {
		table.Caption += " In brackets: its 95 % interval by the bootstrap."
	}
	if has(func(s findings.Sensitivity) *float64 { return s.Elasticity }) {
		table.Caption += " Elasticity: change in per cent for a change of the factor by one per cent."
	}
	section := &report.Section{
		Heading: "Main effects and interactions",
		Text:    []string{fmt.Sprintf("Method: %s. The mean of all points is %s.", r.Effects.Method, r.InUnit(r.Effects.Mean))},
		Blocks:  []report.Block{tornado, table},
	}
	if r.Totals != "" {
		section.Text = append(section.Text, sentence(r.Totals))
	}
	if len(r.Effects.Interactions) > 0 {
		t := &report.Table{
			Title:   "Interactions of two factors",
			Caption: "Share of the variance that two factors explain together beyond their main effects.",
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

// interval is a total index with its interval, in per cent.
func interval(s findings.Sensitivity) string {
	text := percent(s.TotalShare)
	if s.TotalLow != nil && s.TotalHigh != nil {
		text += fmt.Sprintf(" (%.1f to %.1f)", 100**s.TotalLow, 100**s.TotalHigh)
	}
	return text
}

// sentence makes an error a sentence.
func sentence(text string) string {
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}
