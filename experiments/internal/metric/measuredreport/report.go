package measuredreport

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured/steps"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// Answer is a result as it is shown; its JSON is that of the result.
type Answer struct{ *measured.Result }

// Headline says in one line what was measured.
func (r Answer) Headline() string {
	points, runs, sizes := 0, 0, make(map[float64]bool)
	for _, s := range r.Systems {
		points += len(s.Points)
		for _, p := range s.Points {
			runs += p.Runs
			sizes[p.Size] = true
		}
	}
	for _, b := range r.Baselines {
		runs += b.Runs
		sizes[b.Size] = true
	}
	return fmt.Sprintf("%s: %s, %s, %s, %s", filepath.Base(r.File),
		input.Plural(len(r.Systems), "system"), input.Plural(len(sizes), "size"), input.Plural(points, "point"), input.Plural(runs, "measured time"))
}

// Report returns the answer as a report.
func (r Answer) Report() *report.Document {
	doc := &report.Document{
		Title:      "Scalability of measured times",
		Subtitle:   r.Headline(),
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	summary := report.Section{Heading: "What the metrics say"}
	missing := &report.Table{Title: "Not computed", Columns: []report.Column{{Title: "metrics"}, {Title: "needs"}}}
	for _, m := range r.Metrics {
		if m.Computed {
			summary.Text = append(summary.Text, m.Title+". "+m.Says+" It misleads when "+m.Misleads+".")
		}
		if _, entry := measured.FindMetric(m.Metric); m.Computed && entry.Leads {
			doc.Lead = append(doc.Lead, m.Title+". "+m.Says)
		}
	}
	for _, m := range measured.Missing(r.Metrics) {
		missing.Rows = append(missing.Rows, []string{strings.Join(m.Titles, "; "), m.Needs})
	}
	doc.Facts = r.facts()
	if len(missing.Rows) > 0 {
		summary.Blocks = append(summary.Blocks, missing)
	}
	points := r.PointTable()
	doc.Sections = append(doc.Sections, r.curves()...)
	doc.Sections = append(doc.Sections, summary,
		report.Section{Heading: "Points", Text: []string{fmt.Sprintf("Times are the %s of the runs; the spread is from the fastest to the slowest, relative to it.", r.Options.Average)}, Blocks: []report.Block{points.Report()}})
	if tables := r.scalingTables(); len(tables) > 0 {
		s := report.Section{Heading: "From system to system", Text: []string{"Each metric holds something while the system grows, and asks how the problem must grow for that. psi is 1 where work need only grow as the system does."}}
		for i := range tables {
			s.Blocks = append(s.Blocks, tables[i].Report())
		}
		doc.Sections = append(doc.Sections, s)
	}
	if len(r.Fits) > 0 {
		t := r.fitTable()
		doc.Sections = append(doc.Sections, report.Section{Heading: "Laws of speedup", Blocks: []report.Block{t.Report()}})
	}
	if len(r.Models) > 0 {
		table := r.modelTable()
		doc.Sections = append(doc.Sections, laws.Section(r.Models, table.Report(), mostCurves))
	}
	if len(r.Energies) > 0 {
		t := r.energyTable()
		doc.Sections = append(doc.Sections, report.Section{Heading: "Energy", Blocks: []report.Block{t.Report()}})
	}
	if len(r.Notes) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Heading: "Notes", Blocks: []report.Block{&report.Notes{Items: r.Notes}}})
	}
	doc.Sections = append(doc.Sections, page.WarningSection(r.Warnings))
	return doc
}

// facts are the numbers at the top of the report.
func (r Answer) facts() []report.Fact {
	var facts []report.Fact
	best := func(label, format, metric string) {
		if value, at, ok := r.Largest(metric); ok {
			facts = append(facts, report.Fact{Label: label, Value: fmt.Sprintf(format, value), Note: at})
		}
	}
	best("Largest speedup", "%.4g", "speedup")
	best("Best efficiency", "%.3f", "efficiency")
	best("Best speed-efficiency", "%.3f", "speed_efficiency")
	for _, s := range r.Scaling {
		var hardest *steps.Step
		for i := range s.Steps {
			if x := &s.Steps[i]; x.Psi != nil && (hardest == nil || *x.Psi < *hardest.Psi) {
				hardest = x
			}
		}
		if _, entry := measured.FindMetric(s.Metric); hardest != nil && entry.Steps {
			facts = append(facts, report.Fact{Label: s.Title + ", hardest step", Value: fmt.Sprintf("psi = %.3f", *hardest.Psi), Note: hardest.From + " to " + hardest.To})
		}
	}
	return facts
}
