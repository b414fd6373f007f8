package experiments

import (
	"fmt"
	"io"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Headline says in one line what was run.
func (r *RunResult) Headline() string {
	s := r.scenario
	return fmt.Sprintf("%s, n = %d, on %s of %s, network %s",
		s.Workload.Name, s.Workload.N, nodeSummary(r.system.placement), s.Machine.Name, s.Network.Model)
}

// chartedRanks is how many ranks a chart shows one by one.
const chartedRanks = 64

// WriteReport writes the HTML report.
func (r *RunResult) WriteReport(w io.Writer) error {
	s := r.scenario
	title := s.Title
	if title == "" {
		title = fmt.Sprintf("%s on %s", s.Workload.Name, s.Machine.Name)
	}
	var busiest, idlest RankResult
	for i, x := range r.Ranks {
		if i == 0 || x.Wait < busiest.Wait {
			busiest = x
		}
		if i == 0 || x.Wait > idlest.Wait {
			idlest = x
		}
	}
	doc := &report.Document{
		Title:    title,
		Subtitle: r.Headline(),
		Lead: []string{
			fmt.Sprintf("The run takes %v. It performs %v, so it achieves %v: %.1f %% of the system's marked speed of %v, the sum of what its cores sustain in benchmarks.",
				units.Seconds(r.Makespan), units.Flops(r.Work), units.FlopsPerSecond(r.AchievedSpeed), 100*r.SpeedEfficiency, units.FlopsPerSecond(r.MarkedSpeed)),
			fmt.Sprintf("Rank %d on %s waits longest, %v; rank %d on %s waits least, %v.",
				idlest.Rank, idlest.Node, units.Seconds(idlest.Wait), busiest.Rank, busiest.Node, units.Seconds(busiest.Wait)),
		},
		Facts: []report.Fact{
			{Label: "Time", Value: units.Seconds(r.Makespan).String()},
			{Label: "Achieved speed", Value: units.FlopsPerSecond(r.AchievedSpeed).String()},
			{Label: "Speed-efficiency", Value: fmt.Sprintf("%.4f", r.SpeedEfficiency), Note: "achieved speed / marked speed"},
			{Label: "Processes", Value: fmt.Sprint(len(r.Ranks))},
			{Label: "Messages", Value: fmt.Sprintf("%d", r.Messages), Note: units.Bytes(r.Bytes).String()},
		},
		Provenance: ProvenanceFacts(r.Provenance),
	}
	doc.Sections = append(doc.Sections, report.Section{
		Heading: "Where the time goes",
		Text:    []string{breakdownText},
		Blocks:  []report.Block{rankChart(r.Ranks, r.Makespan), causeTable(r.sim), rankTable(r.Ranks)},
	})
	if f := r.system.carriage.last; f != nil {
		u := f.Usage(r.sim.Makespan)
		doc.Lead = append(doc.Lead, bottleneckLead(r.system.carriage.platform, u, len(r.Ranks))...)
		if u.Recorded {
			doc.Sections = append(doc.Sections, linkSection(r.system.carriage.platform, u, len(r.Ranks)))
		}
	}
	doc.Sections = append(doc.Sections,
		report.Section{Heading: "Parameters", Text: []string{"Everything that the result depends on."}, Blocks: []report.Block{parameterTable(settingFacts(s.Machine, s.Network, s.Workload), nil)}},
		warningSection(r.Warnings))
	return report.Write(w, doc)
}

// breakdownText explains the three parts of a rank's time.
const breakdownText = "Each bar is one rank, from the start to the end of the whole run. Compute is work on the algorithm; " +
	"overhead is time in which the core is busy starting the program, sending, receiving or in a collective operation of given cost; " +
	"wait is time in which it can do nothing but wait for others, in the chart also what is left of the run after the rank's own end."

// rankChart shows where the time of each rank went.
func rankChart(ranks []RankResult, makespan float64) *report.BarChart {
	n := min(len(ranks), chartedRanks)
	c := &report.BarChart{
		Title:      "Time of each rank",
		X:          report.Axis{Title: "rank", Unit: report.Dimensionless},
		Y:          report.Axis{Title: "time", Unit: "s"},
		Categories: make([]string, n),
	}
	parts := breakdownSeries(n)
	for i, x := range ranks[:n] {
		c.Categories[i] = fmt.Sprint(x.Rank)
		parts[0].Values[i], parts[1].Values[i], parts[2].Values[i] = x.Compute, x.Overhead, x.Wait+makespan-x.Finish
	}
	c.Series = parts
	if n < len(ranks) {
		c.Caption = fmt.Sprintf("The first %d of %d ranks.", n, len(ranks))
	}
	return c
}

// breakdownSeries returns the empty stacked series compute, overhead, wait.
func breakdownSeries(n int) []report.BarSeries {
	const pile = "time"
	return []report.BarSeries{
		{Name: "compute", Values: make([]float64, n), Stack: pile},
		{Name: "overhead", Values: make([]float64, n), Stack: pile},
		{Name: "wait", Values: make([]float64, n), Stack: pile},
	}
}

// causeTable splits the time of a mean rank by what it went into.
func causeTable(r *sim.Result) *report.Table {
	var sum sim.Breakdown
	var after units.Seconds
	for _, x := range r.Ranks {
		sum.Compute += x.Compute
		sum.Delay += x.Delay
		sum.SendOverhead += x.SendOverhead
		sum.RecvOverhead += x.RecvOverhead
		sum.CollectiveCost += x.CollectiveCost
		sum.WaitMessage += x.WaitMessage
		sum.WaitSend += x.WaitSend
		sum.WaitCollective += x.WaitCollective
		after += r.Makespan - x.Finish
	}
	t := &report.Table{
		Title:   "A mean rank's time by cause",
		Columns: []report.Column{{Title: "kind"}, {Title: "cause"}, {Title: "time", Numeric: true}, {Title: "share", Unit: "%", Numeric: true}},
	}
	n := units.Seconds(len(r.Ranks))
	for _, c := range []struct {
		kind, cause string
		time        units.Seconds
	}{
		{"compute", "the algorithm's work", sum.Compute},
		{"overhead", "delays of given length, such as starting the program", sum.Delay},
		{"overhead", "sending", sum.SendOverhead},
		{"overhead", "receiving", sum.RecvOverhead},
		{"overhead", "collective operations of given cost", sum.CollectiveCost},
		{"wait", "for a message to arrive", sum.WaitMessage},
		{"wait", "for a rendezvous message to leave", sum.WaitSend},
		{"wait", "for others to enter a collective operation", sum.WaitCollective},
		{"wait", "for the end of the run", after},
	} {
		t.Rows = append(t.Rows, []string{c.kind, c.cause, (c.time / n).String(), fmt.Sprintf("%.1f", float64(100*c.time/(n*r.Makespan)))})
	}
	return t
}

// rankTable lists the first ranks with what rankChart shows.
func rankTable(ranks []RankResult) *report.Table {
	t := &report.Table{
		Title: "Ranks",
		Columns: []report.Column{
			{Title: "rank", Numeric: true}, {Title: "node"}, {Title: "finish", Numeric: true},
			{Title: "compute", Numeric: true}, {Title: "overhead", Numeric: true}, {Title: "wait", Numeric: true},
		},
	}
	for i, x := range ranks {
		if i == 4*chartedRanks {
			t.Caption = fmt.Sprintf("The first %d of %d ranks.", i, len(ranks))
			break
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(x.Rank), x.Node, units.Seconds(x.Finish).String(),
			units.Seconds(x.Compute).String(), units.Seconds(x.Overhead).String(), units.Seconds(x.Wait).String()})
	}
	return t
}

// parameterTable lists parameters; those in fitted are marked.
func parameterTable(facts []Parameter, fitted []string) *report.Table {
	t := &report.Table{Title: "Parameters", Columns: []report.Column{{Title: "parameter"}, {Title: "value"}, {Title: "from"}}}
	for _, f := range facts {
		note := f.Note
		for _, p := range fitted {
			if p == f.Name || len(p) > len(f.Name) && p[:len(f.Name)+1] == f.Name+"." {
				note = "fitted"
			}
		}
		t.Rows = append(t.Rows, []string{f.Name, f.Value, note})
	}
	return t
}

func warningSection(warnings []string) report.Section {
	if len(warnings) == 0 {
		return report.Section{Heading: "Warnings", Text: []string{"None."}}
	}
	return report.Section{Heading: "Warnings", Blocks: []report.Block{&report.Notes{Warning: true, Items: warnings}}}
}

// ProvenanceFacts returns a provenance as the table at the end of a report.
func ProvenanceFacts(p Provenance) []report.Fact {
	facts := []report.Fact{
		{Label: "isoscale", Value: p.Version, Note: p.Revision},
		{Label: "command", Value: p.Command},
	}
	for _, in := range p.Inputs {
		facts = append(facts, report.Fact{Label: "input", Value: in.File, Note: "SHA-256 " + in.SHA256})
	}
	for _, o := range p.Overrides {
		facts = append(facts, report.Fact{Label: "--set", Value: o.Path + "=" + o.Value})
	}
	return append(facts,
		report.Fact{Label: "seed", Value: fmt.Sprint(p.Seed)},
		report.Fact{Label: "simulations", Value: fmt.Sprint(p.Simulations)},
		report.Fact{Label: "events", Value: fmt.Sprint(p.Events)},
		report.Fact{Label: "wall time", Value: units.Seconds(p.WallSeconds).String()})
}
