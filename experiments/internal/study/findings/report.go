package findings

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// Report returns the answer as a report.
func (r *Result) Report() *report.Document {
	s := &sections{Result: r}
	doc := &report.Document{
		Title:      cmp.Or(r.Title, "Study of "+s.label(r.Response.Name)),
		Subtitle:   r.Study.Extent(),
		Lead:       r.Summary(),
		Facts:      s.facts(),
		Provenance: append(page.ProvenanceFacts(r.Provenance), report.Fact{Label: "results", Value: r.Directory}),
	}
	if r.Description != "" {
		doc.Lead = append([]string{r.Description}, doc.Lead...)
	}
	if r.Reference != nil && r.Table != nil {
		doc.Sections = sectionsOf(r).all()
	}
	if len(r.Warnings) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Heading: "Warnings", Blocks: []report.Block{&report.Notes{Warning: true, Items: r.Warnings}}})
	}
	doc.Sections = append(doc.Sections, s.planSection())
	return doc
}

// sections are the parts of a report.
type sections struct {
	*Result
	shown page.Scale // how charts show the objective
}

// sectionsOf returns those of a result with a table.
func sectionsOf(r *Result) *sections {
	s := &sections{Result: r}
	if response, err := r.Table.ResponseIndex(r.Response.Name); err == nil {
		values := make([]float64, len(r.Table.Rows))
		for i, row := range r.Table.Rows {
			values[i] = row.Values[response]
		}
		s.shown = page.Display(r.Response.Unit, values...)
	}
	return s
}

// all are the sections about what was found, in their order.
func (r *sections) all() []report.Section {
	list := []func() *report.Section{r.mapSection, r.differenceSection, r.lossSection, r.limitSection, r.growthSection, r.parallelSection, r.updateSection, r.spendingSection, r.timeSection, r.curveSection, r.effectSection, r.scalingSection, r.rankingSection}
	if r.Search != nil {
		list = []func() *report.Section{r.searchSection, r.parallelSection, r.rankingSection}
	}
	var all []report.Section
	for _, section := range list {
		if s := section(); s != nil {
			all = append(all, *s)
		}
	}
	return all
}

func (r *sections) facts() []report.Fact {
	facts := []report.Fact{{Label: "Points", Value: fmt.Sprint(r.Points), Note: fmt.Sprintf("%d failed", r.Failed)}}
	if r.Reference == nil {
		return facts
	}
	if r.Unequal == "" {
		facts = append(facts, report.Fact{Label: "Best " + r.label(r.Response.Name), Value: r.InUnit(r.Reference.Value), Note: r.Describe(r.Reference.At)})
	}
	if r.Effects != nil && len(r.Effects.Factors) > 1 {
		f := r.Effects.Factors[0]
		facts = append(facts, report.Fact{Label: "Strongest factor", Value: f.Factor, Note: fmt.Sprintf("has a share of %.0f %% of the variance", 100*f.Share)})
	}
	if r.Path != nil {
		note := fmt.Sprintf("best configurations more than one step apart: %d", r.Path.Jumps)
		if r.Envelope != nil {
			note = fmt.Sprintf("told by the best up to %d sizes", len(r.UpTo))
		}
		facts = append(facts, report.Fact{Label: "Sizes", Value: fmt.Sprint(len(r.Growth)), Note: note})
	}
	return facts
}

// rankingSection lists the best configurations.
func (r *sections) rankingSection() *report.Section {
	repeated := r.Study.Design.Repetitions > 1
	t := &report.Table{Title: "The best configurations", Columns: []report.Column{{Title: "place", Numeric: true}, {Title: "point", Numeric: true}}}
	for i, f := range r.Table.Factors {
		t.Columns = append(t.Columns, report.Column{Title: r.label(f.Name), Unit: f.Unit, Numeric: r.Study.Design.Factors[i].Numeric})
	}
	if repeated {
		t.Columns = append(t.Columns, report.Column{Title: "standard error", Unit: page.Unit(r.Response.Unit), Numeric: true})
		t.Columns[1].Title = "points"
	}
	// The outcomes of levels would make the table too wide; all rows have them.
	shown := make([]int, 0, len(r.Table.Responses))
	for k, x := range r.Table.Responses {
		if r.Study.Outcome(x.Name).Level > 0 && x.Name != r.Response.Name {
			continue
		}
		shown = append(shown, k)
		t.Columns = append(t.Columns, report.Column{Title: r.label(x.Name), Unit: x.Unit, Numeric: true})
	}
	rows := map[int][]float64{}
	for _, x := range r.Table.Rows {
		rows[x.Point] = x.Values
	}
	for _, x := range r.Leaders() {
		points := fmt.Sprint(x.Points[0])
		if n := len(x.Points); n > 1 {
			points += fmt.Sprintf(" to %d", x.Points[n-1])
		}
		cells := []string{fmt.Sprint(x.Place), points}
		for i, l := range x.Levels {
			cells = append(cells, r.Table.Factors[i].Levels[l].Text)
		}
		if repeated {
			cells = append(cells, optional(x.StdErr, "%.3g"))
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
	text := fmt.Sprintf("The configurations with the %s %s.", r.Wanted(), r.Response.Name)
	if repeated {
		text += " All values are means over repetitions."
	}
	if r.File != "" {
		text += " All rows are in " + r.File + "."
	}
	return &report.Section{Heading: "The best configurations", Text: []string{text}, Blocks: []report.Block{t}}
}

// planSection says what was varied and what the outcomes mean.
func (r *sections) planSection() report.Section {
	factors := &report.Table{Title: "Factors", Columns: []report.Column{{Title: "factor"}, {Title: "sets"}, {Title: "levels", Numeric: true}, {Title: "from"}, {Title: "to"}},
		Rows: r.Study.FactorRows()}
	outcomes := &report.Table{Title: "Outcomes", Columns: []report.Column{{Title: "outcome"}, {Title: "unit"}, {Title: "meaning"}},
		Rows: r.Study.OutcomeRows()}
	text := []string{fmt.Sprintf("Design: %s, %d points, %d repetitions of each configuration, seed %d.",
		strings.ReplaceAll(r.Study.Design.Kind, "_", " "), r.Study.Design.Points(), r.Study.Design.Repetitions, r.Study.Design.Seed)}
	if s := r.Study.Search; s != nil {
		text = append(text, fmt.Sprintf("Search: %s, %s.", input.Plural(s.Points, "configuration"), s.Describe()))
	}
	for _, c := range r.Study.Design.Conditions {
		text = append(text, "Excluded where "+c.Text+".")
	}
	return report.Section{Heading: "Design of the study", Text: text, Blocks: []report.Block{factors, outcomes}}
}

// optional writes a number that may not exist.
func optional(x float64, format string) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return input.None
	}
	return fmt.Sprintf(format, x)
}

// shortfall is by how much something is worse: in per cent, if that exists.
func (r *sections) shortfall(percent *float64, by float64) string {
	if percent != nil {
		return fmt.Sprintf("%.3g %%", *percent)
	}
	return r.InUnit(by)
}
