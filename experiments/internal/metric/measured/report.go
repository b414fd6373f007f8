package measured

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// Headline says in one line what was measured.
func (r *Result) Headline() string {
	points, runs, sizes := 0, 0, make(map[float64]bool)
	for _, at := range r.places() {
		points++
		runs += at.point.Runs
		sizes[at.point.Size] = true
	}
	for _, b := range r.Baselines {
		runs += b.Runs
		sizes[b.Size] = true
	}
	names, numbers := map[string]bool{}, map[int]bool{}
	for _, s := range r.Systems {
		names[s.System], numbers[s.Processes] = true, true
	}
	systems := input.Plural(len(names), "system")
	if len(names) < len(r.Systems) {
		systems += fmt.Sprintf(" on %d numbers of processes", len(numbers))
	}
	return fmt.Sprintf("%s: %s, %s, %s, %s", filepath.Base(r.File), systems, input.Plural(len(sizes), "size"), input.Plural(points, "point"), input.Plural(runs, "measured time"))
}

// Report returns the result as a report.
func (r *Result) Report() *report.Document {
	doc := &report.Document{
		Title: "Scalability of measured times", Subtitle: r.Headline(), Facts: r.facts(), Sections: r.charts(),
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	section := func(heading string, text []string, tables ...page.Table) {
		s := report.Section{Heading: heading, Text: text}
		for i := range tables {
			if t := &tables[i]; len(t.Rows) > 0 {
				s.Blocks = append(s.Blocks, t.Report())
			}
		}
		if len(s.Blocks) > 0 {
			doc.Sections = append(doc.Sections, s)
		}
	}
	summary := report.Section{Heading: "What the metrics say"}
	for _, m := range r.Metrics {
		if !m.Computed {
			continue
		}
		says := m.Title + ". " + m.Says
		summary.Text = append(summary.Text, says+" It misleads when "+m.Misleads+".")
		if _, entry := FindMetric(m.Metric); entry.Leads {
			if len(doc.Lead) == 0 { // the headline
				says = m.Says
			}
			doc.Lead = append(doc.Lead, says)
		}
	}
	missing := &report.Table{Title: "Not computed", Columns: page.Columns("metrics", "needs")}
	for _, m := range Missing(r.Metrics) {
		missing.Rows = append(missing.Rows, []string{strings.Join(m.Titles, "; "), m.Needs})
	}
	if len(missing.Rows) > 0 {
		summary.Blocks = append(summary.Blocks, missing)
	}
	doc.Sections = append(doc.Sections, summary)
	section("Points", []string{fmt.Sprintf(
		"Times are the %s of the runs; the spread is from the fastest to the slowest, relative to it.", r.Options.Average)}, r.PointTable())
	section("From system to system", []string{"Each metric holds something constant while the system grows, and " +
		"says how the problem must grow for that. psi is 1 where the work need only grow as the system does."}, r.scalingTables()...)
	section("Laws of speedup", nil, r.fitTable())
	if t := r.modelTable(); len(t.Rows) > 0 {
		doc.Sections = append(doc.Sections, laws.Section(r.Models, t.Report(), mostCurves))
	}
	section("Energy", nil, r.energyTable())
	if len(r.Notes) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Heading: "Notes", Blocks: []report.Block{&report.Notes{Items: r.Notes}}})
	}
	doc.Sections = append(doc.Sections, page.WarningSection(r.Warnings))
	return doc
}

// facts returns the numbers at the top of the report.
func (r *Result) facts() []report.Fact {
	var facts []report.Fact
	best := func(label, format string, value func(place) float64) {
		if e, ok := r.extremes(value); ok {
			facts = append(facts, report.Fact{Label: label, Value: fmt.Sprintf(format, e.high), Note: e.atHigh})
		}
	}
	best("Largest speedup", "%.3g", inParallel("speedup"))
	best("Best efficiency", "%.3f", inParallel("efficiency"))
	best("Best speed-efficiency", "%.3f", valueOf("speed_efficiency"))
	for _, s := range r.Scaling {
		found := ranked(s.Steps)
		if _, entry := FindMetric(s.Metric); !entry.Steps || len(found) == 0 || found[0].Psi == 0 {
			continue
		}
		hardest := found[0]
		note := hardest.From + " to " + hardest.To
		switch all := len(s.Steps); {
		case len(found) == all && all > 1:
			note += fmt.Sprintf(", of %d steps", all)
		case len(found) == 1 && all > 1:
			note += fmt.Sprintf(", the only one of %d steps that has a result", all)
		case len(found) < all:
			note += fmt.Sprintf(", of the %d of %d steps that have a result", len(found), all)
		}
		label := s.Title + ", hardest step"
		if len(found) > 1 && alike(found) {
			label = s.Title + ", all alike"
		}
		facts = append(facts, report.Fact{Label: label,
			Value: fmt.Sprintf("psi = %.3g", hardest.Psi), Note: note})
	}
	return facts
}

// Summary describes one metric: what it says about these measurements and when it misleads, or what it needs.
type Summary struct {
	Metric   string `json:"metric"`
	Title    string `json:"title"`
	Computed bool   `json:"computed"`
	Says     string `json:"says,omitempty"`
	Misleads string `json:"misleads"`        // when
	Needs    string `json:"needs,omitempty"` // what is missing in the file
}

// summaries describes all metrics for which times may suffice, in the order of the documentation.
func (r *Result) summaries() []Summary {
	var all []Summary
	for _, m := range Metrics() {
		if m.InTimes == "" {
			continue
		}
		s := Summary{Metric: m.Name, Title: input.Capitalized(m.Label()), Misleads: m.Misleads, Says: r.says(m)}
		switch s.Computed = s.Says != ""; {
		case s.Computed:
		case r.oneSize[m.Name]:
			s.Needs = "several sizes on each system, so that neighbouring systems can have the same " + m.Holds.Symbol
		case m.Holds != nil && r.scaling(m.Name) != nil:
			s.Needs = "sizes at which neighbouring systems reach the same value: larger ones on the larger system"
		default:
			s.Needs = m.InTimes
		}
		all = append(all, s)
	}
	return all
}

// Lacking is a group of metrics that could not be computed for the same reason.
type Lacking struct {
	Titles []string
	Needs  string
}

// Missing groups the metrics that were not computed by what they need, so that it is said only once.
func Missing(all []Summary) []Lacking {
	var groups []Lacking
	for _, s := range all {
		if s.Computed {
			continue
		}
		i := slices.IndexFunc(groups, func(g Lacking) bool { return g.Needs == s.Needs })
		if i < 0 {
			i, groups = len(groups), append(groups, Lacking{Needs: s.Needs})
		}
		groups[i].Titles = append(groups[i].Titles, s.Title)
	}
	return groups
}

// says describes the values of a metric in a sentence; "" if it could not be computed.
func (r *Result) says(m *Metric) string {
	switch {
	case m.says != nil:
		return m.says(r)
	case m.Holds != nil:
		if s := r.scaling(m.Name); s != nil {
			return saySteps(s.Steps)
		}
	default:
		if e, ok := r.extremes(valueOf(m.Name)); ok {
			return e.span(m.format) + m.Phrase + "."
		}
	}
	return ""
}

// extremes are the smallest and the largest value of a metric and where they are.
type extremes struct {
	low, high     float64
	atLow, atHigh string
}

// extremes returns the extremes of a value over the points; false if no point has it.
func (r *Result) extremes(of func(place) float64) (e extremes, ok bool) {
	e.low, e.high = math.Inf(1), math.Inf(-1)
	for _, at := range r.places() {
		v := of(at)
		if v < e.low {
			e.low, e.atLow = v, at.name(" at ")
		}
		if v > e.high {
			e.high, e.atHigh = v, at.name(" at ")
		}
	}
	return e, e.low <= e.high
}

// span names the smallest and the largest value, and where they are.
func (e extremes) span(format func(float64) string) string {
	if e.atLow == e.atHigh {
		return fmt.Sprintf("%s (%s)", format(e.low), e.atLow)
	}
	return fmt.Sprintf("From %s (%s) to %s (%s)", format(e.low), e.atLow, format(e.high), e.atHigh)
}
