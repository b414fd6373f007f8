package queue

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

const (
	// mostBars is the most jobs that a Gantt chart shows, mostFirst the most that fit on a screen.
	mostBars, mostFirst = 60, 16

	// chartParts is the number of parts into which charts divide the time.
	chartParts = 300
)

func (r *Result) Report() *report.Document {
	title := "Waiting in the queue of " + r.name
	if r.mix != nil {
		title = cmp.Or(r.mix.Title, title)
	}
	doc := &report.Document{Title: title, Subtitle: r.studied(), Lead: r.lead(),
		Provenance: page.ProvenanceFacts(r.Provenance)}
	doc.Facts = page.Facts(r.Facts()[1:]) // the number of jobs is in the lead
	doc.Sections = append(doc.Sections, r.timeSection(), r.groupSection())
	var rows [][]string
	for _, l := range r.LeftOut {
		first := "-"
		if l.Line > 0 {
			first = fmt.Sprint(l.Line)
		}
		rows = append(rows, []string{l.Reason, fmt.Sprint(l.Jobs), first})
	}
	if len(rows) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Heading: "Jobs left out",
			Blocks: []report.Block{&report.Table{
				Title: "Jobs of the log that are not simulated", Rows: rows,
				Columns: page.Columns("reason", "#jobs", "#first line"),
			}}})
	}
	if r.mix != nil {
		d := r.mix.Describe()
		doc.Sections = append(doc.Sections, report.Section{Heading: "The mix",
			Blocks: []report.Block{tableOf(d.Tables[0].Columns, d.Tables[0].Rows)}})
	}
	doc.Sections = append(doc.Sections, report.Section{Heading: "How the queue works",
		Text: []string{policies[r.Policy].text, overrunText}})
	if len(r.Notes) > 0 {
		doc.Sections = append(doc.Sections, report.Section{Heading: "Notes",
			Blocks: []report.Block{&report.Notes{Items: r.Notes}}})
	}
	doc.Sections = append(doc.Sections, page.WarningSection(r.Warnings))
	return doc
}

const overrunText = "The queue knows only the estimates of run times. Jobs that run longer than estimated are not " +
	"ended."

func (r *Result) lead() []string {
	waits := fmt.Sprintf("%d jobs wait %s on average, and 95 %% of them at most %s.", r.Jobs-r.warm, r.meanText(), Span(units.Seconds(r.P95Wait)))
	if r.Jobs-r.warm == 1 {
		waits = "The only job waits " + Span(units.Seconds(r.P95Wait)) + "."
	}
	lead := []string{fmt.Sprintf("%s The utilisation of the machine is %s.", waits, percent(r.Utilisation))}
	longer := func(a, b Group) int { return cmp.Compare(b.MeanWait, a.MeanWait) }
	groups := slices.SortedStableFunc(slices.Values(r.Groups), longer)
	wait := func(g Group) string { return Span(units.Seconds(g.MeanWait)) }
	if len(groups) > 1 && wait(groups[0]) != wait(groups[1]) { // otherwise two waits are printed alike
		longest, what := groups[0], "of "+groups[0].Name+" nodes"
		if r.mix != nil {
			what = "of kind " + longest.Name
		} else if longest.Name == sizeName(0) {
			what = "of one node"
		}
		lead = append(lead, fmt.Sprintf("Of these jobs, those %s wait longest: %s on average.", what, wait(longest)))
	}
	return lead
}

// timeSection shows the jobs or, if there are many, what the machine and the queue do over time.
func (r *Result) timeSection() report.Section {
	s := report.Section{Heading: "Over time"}
	if len(r.jobs) <= mostFirst {
		s.Blocks = append(s.Blocks, r.gantt())
		return s
	}
	first, last := r.extent()
	busy, waiting := page.NewMeans(first, last, chartParts), page.NewMeans(first, last, chartParts)
	for i, j := range r.jobs {
		busy.Add(r.starts[i], r.starts[i]+j.Run, 100*float64(j.Nodes)/float64(r.Nodes))
		waiting.Add(j.Submit, r.starts[i], 1)
	}
	unit, use := unitFor(last-first), busy.Values()
	var middles []float64
	width := float64(last-first) / chartParts // of a part
	for k := range chartParts {
		middles = append(middles, (float64(k)+0.5)*width/unit.seconds)
		use[k] = min(use[k], 100) // against rounding errors
	}
	x := report.Axis{Title: "time since the first submission", Unit: unit.name, Min: new(0.0)}
	chart := func(title string, y report.Axis, values []float64) *report.LineChart {
		return &report.LineChart{Title: title, X: x, Y: y, Height: 300,
			Caption: fmt.Sprintf("Means over each 1/%d of the time.", chartParts),
			Series:  []report.Series{{Name: y.Title, X: middles, Y: values, Plain: true}}}
	}
	s.Blocks = append(s.Blocks,
		chart("Use of the machine", report.Axis{Title: "nodes in use", Unit: "%", Min: new(0.0), Max: new(100.0)}, use),
		chart("Length of the queue", report.Axis{Title: "waiting jobs", Unit: report.Dimensionless}, waiting.Values()))
	if len(r.jobs) <= mostBars {
		s.Blocks = append(s.Blocks, r.gantt())
	} else {
		s.Text = []string{fmt.Sprintf("With up to %d jobs each is shown by itself.", mostBars)}
	}
	return s
}

// extent returns the first submission and the last end.
func (r *Result) extent() (first, last units.Seconds) {
	first = r.jobs[0].Submit
	for i, j := range r.jobs {
		first, last = min(first, j.Submit), max(last, r.starts[i]+j.Run)
	}
	return first, last
}

// gantt shows when each job waits and runs.
func (r *Result) gantt() *report.BarChart {
	first, last := r.extent()
	unit := unitFor(last - first)
	c := &report.BarChart{Title: "Jobs over time", Horizontal: true,
		Caption: "A bar is a job: from its submission to its start it waits, then it runs.",
		X:       report.Axis{Title: "job", Unit: report.Dimensionless},
		Y:       report.Axis{Title: "time since the first submission", Unit: unit.name, Min: new(0.0)},
		Series: []report.BarSeries{
			{Name: "submitted", Stack: "job", Offset: true},
			{Name: "waits", Stack: "job"},
			{Name: "runs", Stack: "job"},
		}}
	for i, j := range r.jobs {
		name := fmt.Sprint(i + 1)
		if r.mix != nil {
			name += " " + r.mix.Kinds[r.kinds[i]].Name
		} else {
			name = fmt.Sprint(r.numbers[i])
		}
		c.Categories = append(c.Categories, fmt.Sprintf("%s (%d)", name, j.Nodes))
		for k, t := range []units.Seconds{j.Submit - first, r.starts[i] - j.Submit, j.Run} {
			c.Series[k].Values = append(c.Series[k].Values, float64(t)/unit.seconds)
		}
	}
	c.Caption += " Its number of nodes is in parentheses."
	return c
}

// groupSection compares the kinds of a mix, or the sizes of the jobs of a log.
func (r *Result) groupSection() report.Section {
	heading, what := "Waits by size", "Waits by number of nodes"
	if r.mix != nil {
		heading, what = "Waits by kind", "Waits by kind of job"
	}
	longest := units.Seconds(0)
	for _, g := range r.Groups {
		longest = max(longest, units.Seconds(g.P95Wait), units.Seconds(g.MeanWait))
	}
	unit := unitFor(longest)
	c := &report.BarChart{Title: what, Horizontal: true,
		X:      report.Axis{Title: r.GroupTitle(), Unit: report.Dimensionless},
		Y:      report.Axis{Title: "wait", Unit: unit.name},
		Series: []report.BarSeries{{Name: "mean"}, {Name: "95 % of the jobs wait at most"}}}
	var rows [][]string
	for _, g := range r.Groups {
		c.Categories = append(c.Categories, g.Name)
		c.Series[0].Values = append(c.Series[0].Values, g.MeanWait/unit.seconds)
		c.Series[1].Values = append(c.Series[1].Values, g.P95Wait/unit.seconds)
		rows = append(rows, append([]string{g.Name}, g.Cells()...))
	}
	table := tableOf(append([]string{r.GroupTitle()}, GroupColumns...), rows)
	table.Title = what
	table.Caption = fmt.Sprintf("Work is the share of the node time of all jobs. The slow-down is the mean of (wait + run) / "+
		"max(run, %v), each at least 1.", batchqueue.SlowdownThreshold)
	return report.Section{Heading: heading, Blocks: []report.Block{c, table}}
}

// tableOf is a table whose first column is a name and whose others are numbers.
func tableOf(columns []string, rows [][]string) *report.Table {
	t := &report.Table{Title: "Jobs", Rows: rows}
	for i, c := range columns {
		t.Columns = append(t.Columns, report.Column{Title: c, Numeric: i > 0})
	}
	return t
}

// timeUnit is a unit in which people state the times of jobs.
type timeUnit struct {
	name    string
	seconds float64
}

var timeUnits = []timeUnit{{"d", 86400}, {"h", 3600}, {"min", 60}}

// unitFor returns the largest unit of which t has at least two.
func unitFor(t units.Seconds) timeUnit {
	for _, u := range timeUnits {
		if float64(t) >= 2*u.seconds {
			return u
		}
	}
	return timeUnit{"s", 1}
}

// Span prints a time for people: three digits or, if it is long, whole units.
func Span(t units.Seconds) string { return spanIn(unitFor(t), t) }

// spanIn prints a time with three digits or, if it is long, in whole units.
func spanIn(u timeUnit, t units.Seconds) string {
	if u.seconds == 1 {
		return input.Rounded(float64(t)).String()
	}
	x := float64(t) / u.seconds
	return fmt.Sprintf("%.*f %s", max(0, 2-int(math.Log10(max(x, 1)))), x, u.name)
}
