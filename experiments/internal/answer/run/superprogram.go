package run

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/report"
)

// SuperResult is the outcome of a super-program; its JSON form is that of
// [system.SuperProgramResult].
type SuperResult struct {
	*system.SuperProgramResult

	scenario *scenario.SuperProgram
}

// SuperProgram carries out a super-program; overrides are those with which it was read.
func SuperProgram(ctx context.Context, s *scenario.SuperProgram, overrides []input.Override) (*SuperResult, error) {
	r, err := system.RunSuperProgram(ctx, s, overrides)
	if err != nil {
		return nil, err
	}
	return &SuperResult{r, s}, nil
}

func (r *SuperResult) Report() *report.Document {
	doc := &report.Document{
		Title:    cmp.Or(r.scenario.Title, "Super-program"),
		Subtitle: r.Headline(),
		Lead: []string{
			fmt.Sprintf("The program takes %v on %.0f nodes, a speedup of %.3g over one node without dispatch. The "+
				"efficiency is %.1f %%.", input.Rounded(r.Time), r.Nodes, r.Speedup, 100*r.Efficiency),
			r.Why(),
		},
		Facts: []report.Fact{
			{Label: "Time", Value: input.Rounded(r.Time).String(), Note: fmt.Sprintf("for a work of %v on one node", input.Rounded(r.Work))},
			{Label: "Speedup", Value: fmt.Sprintf("%.3g", r.Speedup), Note: fmt.Sprintf("log2: %.6g", r.Log2Speedup)},
			{Label: "Efficiency", Value: fmt.Sprintf("%.3f", r.Efficiency), Note: r.efficiencyOf()},
		},
		Sections:   []report.Section{r.lossSection(), r.parameterSection()},
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	doc.Sections = append(doc.Sections, page.WarningSection(r.Warnings))
	return doc
}

func (r *SuperResult) efficiencyOf() string {
	for _, l := range r.Levels {
		if l.Speeds != nil {
			return "speedup / speed of all nodes"
		}
	}
	return "speedup / nodes"
}

// lossSection shows what each level loses.
func (r *SuperResult) lossSection() report.Section {
	chart := &report.BarChart{
		Title:      "What each level loses",
		Caption:    "Share of the time of all processors.",
		X:          report.Axis{Title: "level, outermost first", Unit: report.Dimensionless},
		Y:          report.Axis{Title: "share of the time", Unit: "%"},
		Horizontal: true,
	}
	for k, cause := range system.Losses {
		s := report.BarSeries{Name: "lost to " + strings.TrimSuffix(cause, ","), Stack: "lost"}
		for _, l := range r.Levels {
			s.Values = append(s.Values, 100*l.Lost.Shares()[k])
		}
		chart.Series = append(chart.Series, s)
	}
	equal := true
	for i, l := range r.Levels {
		nodes := input.Plural(l.Nodes, "node")
		if l.Counts != nil {
			nodes, equal = l.NodesText()+" nodes", false
		}
		chart.Categories = append(chart.Categories, fmt.Sprintf("level %d: %s", i+1, nodes))
	}
	if equal {
		chart.Caption += " The bars of all levels and the time in which the nodes of the last level execute SIs add " +
			"up to 100 %."
	}
	titles, rows := r.LevelTable()
	table := &report.Table{Title: "Levels", Rows: rows}
	for _, title := range titles {
		table.Columns = append(table.Columns, report.Column{Title: title, Numeric: true})
	}
	text := "A node that executes nothing while its group has work waits for transfers of its SIs, for the dispatch " +
		"unit, or, with no SI left for it, for the end. Transfers and dispatching that go on while the node " +
		"executes cost nothing."
	if r.Method == scenario.Formula {
		text = "The formula knows one loss: nodes idle at the end. With method dispatch, transfers and dispatching " +
			"have shares, too."
	}
	return report.Section{Heading: "Where the time goes", Text: []string{text}, Blocks: []report.Block{chart, table}}
}

// parameterSection lists all parameters that the result depends on.
func (r *SuperResult) parameterSection() report.Section {
	d := r.scenario.Description()
	section := page.ParameterSection(d.Facts, nil, allParameters)
	for _, t := range d.Tables {
		shown := &report.Table{Title: t.Title, Rows: t.Rows}
		for _, title := range t.Columns {
			shown.Columns = append(shown.Columns, report.Column{Title: title})
		}
		section.Blocks = append(section.Blocks, shown)
	}
	return section
}
