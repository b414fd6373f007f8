package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// Report returns the answer as a report.
func (r *Result) Report() *report.Document {
	s := &sections{Result: r}
	doc := &report.Document{
		Title:      cmp.Or(r.Title, "Study of "+s.label(r.Response.Name)),
		Subtitle:   r.Study.Extent(),
		Lead:       r.told(),
		Facts:      s.facts(),
		Provenance: append(page.ProvenanceFacts(r.Provenance), report.Fact{Label: "results", Value: r.Directory}),
	}
	if len(r.Findings) > 0 && r.Findings[0].Evidence == aboutProblems {
		doc.Lead = append(r.problemsHeadline(), doc.Lead[1:]...)
		steady, _ := r.steady(nil) // the answer, if the question is how much of a condition pays
		doc.Lead = slices.Concat(steady, slices.DeleteFunc(doc.Lead, func(s string) bool { return slices.Contains(steady, s) }))
	}
	if r.Description != "" {
		doc.Lead = append(doc.Lead, r.Description)
	}
	if r.Cells != nil {
		doc.Sections = sectionsOf(r).all()
		for _, x := range doc.Sections { // without repeating the first screen
			x.Text = slices.DeleteFunc(x.Text, func(text string) bool { return slices.Contains(doc.Lead, text) })
		}
	}
	if len(r.Warnings) > 0 {
		doc.Sections = append(doc.Sections, page.WarningSection(r.Warnings))
	}
	doc.Sections = append(doc.Sections, s.planSection())
	return doc
}

// sections are the parts of a report.
type sections struct {
	*Result
	shown page.Scale // how charts show the objective
}

// sectionsOf returns the sections of a result with a table.
func sectionsOf(r *Result) *sections {
	values := each.Of(r.Table.Rows, func(row analysis.Row) float64 { return row.Values[r.Cells.Column] })
	return &sections{r, page.Display(r.Response.Unit, values...)}
}

// all returns the sections about what was found, in order.
func (r *sections) all() []report.Section {
	list := []func() *report.Section{
		r.problemSection, r.crossingSection, r.mapSection, r.differenceSection, r.lossSection, r.limitSection, r.growthSection, r.parallelSection,
		r.updateSection, r.spendingSection, r.timeSection, r.curveSection, r.effectSection, r.scalingSection,
		r.rankingSection,
	}
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

// axis returns the axis of a quantity with a unit, titled by its label.
func (r *sections) axis(name, unit string) report.Axis {
	return report.Axis{Title: r.label(name), Unit: page.Unit(unit)}
}

// lines returns a chart of series, with logarithmic axes where they span more than a decade.
func lines(title string, x, y report.Axis, series ...report.Series) *report.LineChart {
	var xs, ys []float64
	for _, s := range series {
		xs, ys = append(xs, s.X...), append(ys, s.Y...)
	}
	x.Log, y.Log = page.Wide(xs), page.Wide(ys)
	return &report.LineChart{Title: title, X: x, Y: y, Series: series}
}

// point appends a value of the objective to a series.
func (r *sections) point(s *report.Series, x, value float64) {
	s.X, s.Y = append(s.X, x), append(s.Y, value*r.shown.Factor)
}

// whisker appends an interval of the objective to a series, or the value alone if there is none.
func (r *sections) whisker(s *report.Series, value float64, x analysis.Interval) {
	if !x.Exists() {
		x = analysis.Interval{analysis.Number(value), analysis.Number(value)}
	}
	s.Low, s.High = append(s.Low, float64(x[0])*r.shown.Factor), append(s.High, float64(x[1])*r.shown.Factor)
}

// objective is the axis of the objective as charts show it.
func (r *sections) objective() report.Axis { return r.axis(r.Response.Name, r.shown.Unit) }

// colours returns the axis of the colours of a map, from the lowest value to the highest.
func colours(values report.Axis, low, high float64) report.Axis {
	values.Min, values.Max, values.Log = &low, &high, low >= 1e-9 && high > 100*low
	return values
}

// over returns the title of a chart of something over one or more quantities.
func over(what string, of ...string) string {
	return input.Capitalized(what) + " over " + strings.Join(of, " and ")
}

// over returns the title of a map or chart over two factors.
func (r *sections) over(what string, x, y int) string {
	return over(what, r.label(r.Table.Factors[x].Name), r.label(r.Table.Factors[y].Name))
}

// text and number return columns of a table.
func text(title string) report.Column { return report.Column{Title: title} }
func number(title string, unit ...string) report.Column {
	return report.Column{Title: title, Unit: strings.Join(unit, ""), Numeric: true}
}

// factorColumns returns the columns of a table of configurations whose cells are levelTexts.
func (r *sections) factorColumns() []report.Column {
	return each.Of(r.Table.Factors, func(f analysis.Factor) report.Column {
		return report.Column{Title: r.label(f.Name), Unit: f.Unit, Numeric: f.Numeric}
	})
}

func (r *sections) levelTexts(levels []int) (cells []string) {
	for k, l := range levels {
		cells = append(cells, r.Table.Factors[k].Levels[l].Text)
	}
	return cells
}

func (r *sections) facts() []report.Fact {
	points := report.Fact{Label: "Points", Value: fmt.Sprint(r.looked), Note: fmt.Sprintf("%d failed", r.Failed)}
	if r.Infeasible > 0 {
		points.Note = fmt.Sprintf("%d do not fit their machine, %s", r.Infeasible, points.Note)
	}
	if r.Reference == nil {
		return []report.Fact{points}
	}
	var facts []report.Fact
	if r.Best != nil {
		facts = append(facts, report.Fact{Label: "Best " + r.label(r.Response.Name), Value: r.InUnit(input.Digits(r.Reference.Value, 3)), Note: r.Describe(r.Reference.At)})
	}
	if f := r.strongest(); f != nil {
		share := fmt.Sprintf("has a share of %.0f %% of the variance", 100*f.Share)
		facts = append(facts, report.Fact{Label: "Strongest factor", Value: f.Factor, Note: share})
	}
	if r.Path != nil {
		jumps := "none"
		if r.Path.Jumps > 0 {
			jumps = fmt.Sprint(r.Path.Jumps)
		}
		note := jumps + " whose best is more than one step from the last"
		if r.Envelope != nil {
			note = fmt.Sprintf("told by the best up to %d sizes", len(r.UpTo))
		}
		facts = append(facts, report.Fact{Label: "Sizes", Value: fmt.Sprint(len(r.Growth)), Note: note})
	}
	if r.Infeasible > 0 || r.Failed > 0 {
		facts = append(facts, points)
	}
	return facts
}

// strongest returns the factor whose share exceeds every other by more than the intervals of both; nil if none is known
// to.
func (r *Result) strongest() *effects.Factor {
	if r.Effects == nil || len(r.Effects.Factors) < 2 {
		return nil
	}
	f, next := &r.Effects.Factors[0], &r.Effects.Factors[1]
	low, high := f.Share-Rounding, next.Share
	if f.Low.Exists() && next.High.Exists() {
		low, high = float64(f.Low), float64(next.High)
	}
	if f.Share < worthNaming || low <= high || math.Round(100*f.Share) <= math.Round(100*next.Share) { // as printed
		return nil
	}
	return f
}

// rankingSection lists the best configurations, unless they cannot be compared.
func (r *sections) rankingSection() *report.Section {
	if r.Unequal != "" {
		return nil
	}
	repeated := r.Study.Design.Repetitions > 1
	points, outcomes := "point", []report.Column(nil)
	words := fmt.Sprintf("The configurations with the %s %s.", r.Wanted(), r.label(r.Response.Name))
	if n := len(r.Problems); n > 0 {
		words = fmt.Sprintf("The configurations with the %s %s for %s.", r.Wanted(), r.label(r.Response.Name), r.Describe(r.Problems[n-1].at))
	}
	if repeated {
		points = "points"
		outcomes = append(outcomes, text("95 % interval"))
		words += " All values are means over repetitions."
	}
	if r.File != "" {
		words += " All rows are in " + r.File + "."
	}
	t := &report.Table{Title: "The best configurations", Columns: []report.Column{number("place"), number(points)}}
	t.Columns = append(t.Columns, r.factorColumns()...)
	// Outcomes by level would make the table too wide; the rows have all of them.
	var shown []int
	for k, x := range r.Table.Responses {
		if r.Study.Outcome(x.Name).Level == 0 || x.Name == r.Response.Name {
			shown, outcomes = append(shown, k), append(outcomes, number(r.label(x.Name), x.Unit))
		}
	}
	t.Columns = append(t.Columns, outcomes...)
	for _, x := range r.Leaders() {
		points := fmt.Sprint(x.Rows[0].Point)
		if n := len(x.Rows); n > 1 {
			to := " to %d"
			if x.Rows[n-1].Point-x.Rows[0].Point >= n { // added repetitions come after those of all configurations
				to = ", ..., %d"
			}
			points += fmt.Sprintf(to, x.Rows[n-1].Point)
		}
		cells := append([]string{fmt.Sprint(x.Place), points}, r.levelTexts(x.Levels)...)
		if repeated {
			cells = append(cells, r.interval(x.Interval()))
		}
		cells = each.Append(cells, shown, func(k int) string { return input.Number(x.MeanOf(k)) })
		t.Rows = append(t.Rows, cells)
	}
	return &report.Section{Heading: t.Title, Text: []string{words}, Blocks: []report.Block{t}}
}

// planSection says what was varied and what the outcomes mean.
func (r *sections) planSection() report.Section {
	factors := &report.Table{
		Title:   "Factors",
		Columns: []report.Column{text("factor"), text("sets"), number("levels"), text("from"), text("to")},
		Rows:    r.Study.FactorRows(),
	}
	outcomes := &report.Table{
		Title:   "Outcomes",
		Columns: []report.Column{text("outcome"), text("unit"), text("meaning")},
		Rows:    r.Study.OutcomeRows(),
	}
	d := r.Study.Design
	words := []string{fmt.Sprintf("Design: %s, %s, %s of each configuration, seed %d.", strings.ReplaceAll(d.Kind, "_", " "),
		input.Plural(d.Points(), "point"), input.Plural(d.Repetitions, "repetition"), d.Seed)}
	if s := r.Study.Search; s != nil {
		words = append(words, fmt.Sprintf("Search: %s, %s.", input.Plural(s.Points, "configuration"), s.Describe()))
	}
	words = each.Append(words, d.Conditions, func(c design.Condition) string { return "Excluded where " + c.Text + "." })
	return report.Section{Heading: "Design of the study", Text: words, Blocks: []report.Block{factors, outcomes}}
}

// shortfall says by how much something is worse: in per cent, if that exists.
func (r *Result) shortfall(s analysis.Shortfall) string {
	return s.Percent.Text("%.3g %%", 1, r.InUnit(s.By))
}

// effectSection shows which factors matter.
func (r *sections) effectSection() *report.Section {
	s := &report.Section{Heading: "What matters", Text: r.EffectsInWords()}
	if r.Unknown != "" {
		return s
	}
	e := r.Effects
	if e == nil || len(e.Factors) == 0 {
		return nil
	}
	s.Text = append(s.Text, fmt.Sprintf("Shares of the variance are Shapley shares, %s. The mean of all configurations is %s.", e.Method, r.InUnit(input.Digits(e.Mean, 3))))
	tornado := &report.Tornado{
		Title:   "Main effects on " + r.label(r.Response.Name),
		Caption: "Each bar extends from the lowest to the highest mean with the factor at one level; the longest is first.",
		Value:   r.objective(),
		Base:    e.Mean * r.shown.Factor, BaseLabel: "mean",
		Low: "lowest", High: "highest",
	}
	if r.PureError != nil {
		tornado.Caption += " Whiskers: 95 % intervals of their differences from the mean of all, over repetitions."
	}
	table := &report.Table{
		Title: "Shares of the variance",
		Caption: "Share: the Shapley share; what factors explain together is divided equally. Alone: what the factor explains if nothing else is known." +
			" Of the logarithm: the share of values that span more than a decade. Elasticity: change in per cent for one per cent more of the factor.",
		Columns: []report.Column{
			text("factor"), number("share", "%"), number("95 % interval", "%"), number("alone", "%"),
			number("of the logarithm", "%"), text("lowest at"), number("lowest mean"),
			text("highest at"), number("highest mean"), number("elasticity"),
		},
	}
	percent := func(x analysis.Number) string { return x.Text("%.2f", 100, input.None) }
	for _, f := range e.Factors {
		tornado.Swings = append(tornado.Swings, report.Swing{
			Parameter: f.Factor, Low: f.Lowest * r.shown.Factor, High: f.Highest * r.shown.Factor,
			LowNote: f.LowestAt, HighNote: f.HighestAt,
			LowHalf: f.LowestHalf * r.shown.Factor, HighHalf: f.HighestHalf * r.shown.Factor,
		})
		interval := "exact"
		if f.Low.Exists() && f.High.Exists() {
			interval = fmt.Sprintf("%.1f to %.1f", 100*max(f.Low, 0), 100*min(f.High, 1))
		}
		table.Rows = append(table.Rows, []string{
			f.Factor, percent(analysis.Number(f.Share)), interval, percent(analysis.Number(f.Alone)),
			percent(f.LogShare), f.LowestAt, r.InUnit(f.Lowest),
			f.HighestAt, r.InUnit(f.Highest), f.Elasticity.Text("%.3g", 1, input.None),
		})
	}
	s.Blocks = []report.Block{tornado, table}
	if len(e.Pairs) > 0 {
		t := &report.Table{
			Title:   "Interactions of two factors",
			Caption: "Share of the variance that two factors explain together beyond what each does alone; it is in the shares of both.",
			Columns: []report.Column{text("factor"), text("with"), number("share", "%")},
		}
		for _, i := range e.Pairs {
			t.Rows = append(t.Rows, []string{i.Factors[0], i.Factors[1], percent(analysis.Number(i.Share))})
		}
		s.Blocks = append(s.Blocks, t)
	}
	return s
}
