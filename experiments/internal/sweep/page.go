package sweep

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// Report returns the answer as a report.
func (r *Result) Report() *report.Document {
	title := cmp.Or(r.Title, "Study of "+r.label(r.response.Name))
	doc := &report.Document{
		Title:      title,
		Subtitle:   r.extent(),
		Lead:       r.Summary(),
		Facts:      r.facts(),
		Provenance: append(page.ProvenanceFacts(r.Provenance), report.Fact{Label: "results", Value: r.Directory}),
	}
	if r.Description != "" {
		doc.Lead = append([]string{r.Description}, doc.Lead...)
	}
	if r.best != nil && r.table != nil {
		sections := []func() *report.Section{r.mapSection, r.differenceSection, r.lossSection, r.limitSection, r.growthSection, r.parallelSection, r.updateSection, r.spendingSection, r.timeSection, r.curveSection, r.effectSection, r.scalingSection, r.rankingSection}
		if r.Search != nil {
			sections = []func() *report.Section{r.searchSection, r.parallelSection, r.rankingSection}
		}
		for _, section := range sections {
			if s := section(); s != nil {
				doc.Sections = append(doc.Sections, *s)
			}
		}
	}
	if len(r.Warnings) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Heading: "Warnings", Blocks: []report.Block{&report.Notes{Warning: true, Items: r.Warnings}}})
	}
	doc.Sections = append(doc.Sections, r.planSection())
	return doc
}

func (r *Result) facts() []report.Fact {
	facts := []report.Fact{{Label: "Points", Value: fmt.Sprint(r.Points), Note: fmt.Sprintf("%d failed", r.Failed)}}
	if r.best == nil {
		return facts
	}
	if r.unequal == "" {
		facts = append(facts, report.Fact{Label: "Best " + r.label(r.response.Name), Value: r.value(r.best.Value), Note: r.describe(r.best.levels)})
	}
	if len(r.Sensitivity) > 1 && !r.confounded() {
		s := r.Sensitivity[0]
		facts = append(facts, report.Fact{Label: "Strongest factor", Value: s.Factor, Note: fmt.Sprintf("explains %.0f %% of the variance alone", 100*s.Share)})
	}
	if r.growth != nil {
		note := fmt.Sprintf("best configurations more than one step apart: %d", r.growth.Jumps)
		if r.upTo != nil {
			note = fmt.Sprintf("told by the best up to %d sizes", len(r.UpTo))
		}
		facts = append(facts, report.Fact{Label: "Sizes", Value: fmt.Sprint(len(r.Growth)), Note: note})
	}
	return facts
}

// rankingSection lists the best configurations.
func (r *Result) rankingSection() *report.Section {
	repeated := r.study.Design.Repetitions > 1
	t := &report.Table{Title: "The best configurations", Columns: []report.Column{{Title: "place", Numeric: true}, {Title: "point", Numeric: true}}}
	for i, f := range r.table.Factors {
		t.Columns = append(t.Columns, report.Column{Title: r.label(f.Name), Unit: f.Unit, Numeric: r.study.Design.Factors[i].Numeric})
	}
	if repeated {
		t.Columns = append(t.Columns, report.Column{Title: "standard error", Unit: page.Unit(r.response.Unit), Numeric: true})
		t.Columns[1].Title = "points"
	}
	// The outcomes of levels would make the table too wide; all rows have them.
	shown := make([]int, 0, len(r.table.Responses))
	for k, x := range r.table.Responses {
		if r.ofLevel(x.Name) && x.Name != r.response.Name {
			continue
		}
		shown = append(shown, k)
		t.Columns = append(t.Columns, report.Column{Title: r.label(x.Name), Unit: x.Unit, Numeric: true})
	}
	rows := map[int][]float64{}
	for _, x := range r.table.Rows {
		rows[x.Point] = x.Values
	}
	for _, x := range r.ranked {
		points := fmt.Sprint(x.Points[0])
		if n := len(x.Points); n > 1 {
			points += fmt.Sprintf(" to %d", x.Points[n-1])
		}
		cells := []string{fmt.Sprint(x.Place), points}
		for i, l := range x.Levels {
			cells = append(cells, r.table.Factors[i].Levels[l].Text)
		}
		if repeated {
			cells = append(cells, input.Optional(known(x.StdErr), "%.3g"))
		}
		for _, k := range shown {
			sum := 0.0
			for _, p := range x.Points {
				sum += rows[p][k]
			}
			cells = append(cells, fmt.Sprintf("%.6g", sum/float64(len(x.Points))))
		}
		t.Rows = append(t.Rows, cells)
	}
	text := fmt.Sprintf("The configurations with the %s %s.", r.wanted(), r.response.Name)
	if repeated {
		text += " All values are means over repetitions."
	}
	if r.File != "" {
		text += " All rows are in " + r.File + "."
	}
	return &report.Section{Heading: "The best configurations", Text: []string{text}, Blocks: []report.Block{t}}
}

// planSection says what was varied and what the outcomes mean.
func (r *Result) planSection() report.Section {
	factors := &report.Table{Title: "Factors", Columns: []report.Column{{Title: "factor"}, {Title: "sets"}, {Title: "levels", Numeric: true}, {Title: "from"}, {Title: "to"}},
		Rows: factorRows(r.study.Design, r.study.derived.free)}
	outcomes := &report.Table{Title: "Outcomes", Columns: []report.Column{{Title: "outcome"}, {Title: "unit"}, {Title: "meaning"}},
		Rows: outcomeRows(r.study.outcomes)}
	text := []string{fmt.Sprintf("Design: %s, %d points, %d repetitions of each configuration, seed %d.",
		strings.ReplaceAll(r.study.Design.Kind, "_", " "), r.study.Design.Points(), r.study.Design.Repetitions, r.study.Design.Seed)}
	if s := r.study.search; s != nil {
		text = append(text, fmt.Sprintf("Search: %s, %s.", input.Plural(s.Points, "configuration"), s.describe()))
	}
	for _, c := range r.study.Design.Conditions {
		text = append(text, "Excluded where "+c.Text+".")
	}
	return report.Section{Heading: "Design of the study", Text: text, Blocks: []report.Block{factors, outcomes}}
}
