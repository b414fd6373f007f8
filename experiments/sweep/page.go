package sweep

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/experiments/analysis"
	"github.com/isoscale/isoscale/experiments/report"
)

// WriteReport writes the HTML report.
func (r *Result) WriteReport(w io.Writer) error {
	title := r.Title
	if title == "" {
		title = "Study of " + r.response.Name
	}
	doc := &report.Document{
		Title:      title,
		Subtitle:   r.extent(),
		Lead:       r.Summary(),
		Facts:      r.facts(),
		Provenance: append(experiments.ProvenanceFacts(r.Provenance), report.Fact{Label: "results", Value: r.File}),
	}
	if r.Description != "" {
		doc.Lead = append([]string{r.Description}, doc.Lead...)
	}
	if r.Best != nil && r.table != nil {
		for _, section := range []func() *report.Section{r.mapSection, r.growthSection, r.curveSection, r.effectSection, r.scalingSection, r.rankingSection} {
			if s := section(); s != nil {
				doc.Sections = append(doc.Sections, *s)
			}
		}
	}
	if len(r.Warnings) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Heading: "Warnings", Blocks: []report.Block{&report.Notes{Warning: true, Items: r.Warnings}}})
	}
	doc.Sections = append(doc.Sections, r.planSection())
	return report.Write(w, doc)
}

func (r *Result) facts() []report.Fact {
	facts := []report.Fact{{Label: "Points", Value: fmt.Sprint(r.Points), Note: fmt.Sprintf("%d failed", r.Failed)}}
	if r.Best == nil {
		return facts
	}
	facts = append(facts, report.Fact{Label: "Best " + r.response.Name, Value: r.value(r.Best.Value), Note: r.describe(r.Best.levels)})
	if len(r.Sensitivity) > 1 && r.effects != nil && r.effects.Method != analysis.OneAtATime {
		s := r.Sensitivity[0]
		facts = append(facts, report.Fact{Label: "Matters most", Value: s.Factor, Note: fmt.Sprintf("%.0f %% of the variance, alone", 100*s.Share)})
	}
	if r.growth != nil {
		facts = append(facts, report.Fact{Label: "Sizes", Value: fmt.Sprint(len(r.Growth)), Note: fmt.Sprintf("best configurations more than a step apart: %d", r.growth.Jumps)})
	}
	return facts
}

// ranked is how many configurations the table of the best has.
const ranked = 20

// rankingSection lists the best points.
func (r *Result) rankingSection() *report.Section {
	response, err := r.table.ResponseIndex(r.response.Name)
	if err != nil {
		return nil
	}
	rows := slices.Clone(r.table.Rows)
	rows = slices.DeleteFunc(rows, func(x analysis.Row) bool { return math.IsNaN(x.Values[response]) })
	slices.SortStableFunc(rows, func(a, b analysis.Row) int {
		return r.better(a.Values[response], b.Values[response])
	})
	t := &report.Table{Title: "The best points", Columns: []report.Column{{Title: "point", Numeric: true}}}
	for i, f := range r.table.Factors {
		t.Columns = append(t.Columns, report.Column{Title: f.Name, Unit: f.Unit, Numeric: r.study.Design.Factors[i].Numeric})
	}
	for _, x := range r.table.Responses {
		t.Columns = append(t.Columns, report.Column{Title: x.Name, Unit: x.Unit, Numeric: true})
	}
	for _, x := range rows[:min(ranked, len(rows))] {
		cells := []string{fmt.Sprint(x.Point)}
		for i, l := range x.Levels {
			cells = append(cells, r.table.Factors[i].Levels[l].Text)
		}
		for _, v := range x.Values {
			cells = append(cells, fmt.Sprintf("%.6g", v))
		}
		t.Rows = append(t.Rows, cells)
	}
	return &report.Section{
		Heading: "The best points",
		Text:    []string{fmt.Sprintf("Those with the %s %s, of %d. All rows are in %s.", r.wanted(), r.response.Name, r.Points, r.File)},
		Blocks:  []report.Block{t},
	}
}

// planSection says what was varied and what the outcomes mean.
func (r *Result) planSection() report.Section {
	factors := &report.Table{Title: "Factors", Columns: []report.Column{{Title: "factor"}, {Title: "sets"}, {Title: "levels", Numeric: true}, {Title: "from"}, {Title: "to"}}}
	for i := range r.study.Design.Factors {
		f := &r.study.Design.Factors[i]
		factors.Rows = append(factors.Rows, []string{f.Name, strings.Join(f.Paths, ", "), fmt.Sprint(f.Len()), r.levelText(i, 0), r.levelText(i, f.Len()-1)})
	}
	outcomes := &report.Table{Title: "Outcomes", Columns: []report.Column{{Title: "outcome"}, {Title: "unit"}, {Title: "meaning"}}}
	for i, c := range r.study.responses() {
		unit := c.Unit
		if unit == "" {
			unit = "1"
		}
		outcomes.Rows = append(outcomes.Rows, []string{c.Name, unit, r.study.outcomes[i].Meaning})
	}
	text := []string{fmt.Sprintf("Design: %s, %d points, %d repetitions of each configuration, seed %d.",
		strings.ReplaceAll(r.study.Design.Kind, "_", " "), r.Points, r.study.Design.Repetitions, r.study.Design.Seed)}
	for _, c := range r.study.Design.Conditions {
		text = append(text, "Excluded where "+c.Text+".")
	}
	return report.Section{Heading: "What was varied", Text: text, Blocks: []report.Block{factors, outcomes}}
}

// better orders values from the best to the worst.
func (r *Result) better(a, b float64) int {
	if r.Objective.Maximize {
		return cmp.Compare(b, a)
	}
	return cmp.Compare(a, b)
}

// unit is what an axis has as its unit.
func unit(u string) string {
	if u == "" {
		return report.Dimensionless
	}
	return u
}
