package run

import (
	"cmp"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// Headline describes the run in one line.
func (r *Result) Headline() string {
	s := r.scenario
	return fmt.Sprintf("%s, n = %d, on %s of %s, network %s",
		s.Workload.Name, s.Workload.N, page.NodeSummary(r.sim.System.Placement), s.Machine.Name, s.Network.Model)
}

// IdleCores says how many cores of the nodes compute, if some do not, or "".
func (r *Result) IdleCores() string { return page.IdleCores(r.sim.System.Placement) }

// IdleDevices is [Result.IdleCores] for devices.
func (r *Result) IdleDevices() string { return page.IdleDevices(r.sim.System.Placement) }

// computing names what computes.
func (r *Result) computing() string {
	switch {
	case r.DevicesUsed == 0:
		return "cores"
	case r.CoresUsed == 0:
		return "devices"
	}
	return "cores and devices"
}

// Report returns the answer as a report.
func (r *Result) Report() *report.Document {
	s := r.scenario
	title := cmp.Or(s.Title, fmt.Sprintf("%s on %s", s.Workload.Name, s.Machine.Name))
	var busiest, idlest page.Rank
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
			fmt.Sprintf("The run takes %v. It performs %v and achieves %v, which is %.1f %% of the marked speed of the system, %v (the sum of the speeds that its %s sustain in benchmarks).",
				units.Seconds(r.Makespan), units.Flops(r.Work), units.FlopsPerSecond(r.AchievedSpeed), 100*r.SpeedEfficiency, units.FlopsPerSecond(r.MarkedSpeed), r.computing()),
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
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	if idle := r.IdleCores(); idle != "" {
		doc.Facts = append(doc.Facts, report.Fact{Label: "Cores", Value: idle, Note: "of the nodes that take part"})
	}
	if idle := r.IdleDevices(); idle != "" {
		doc.Facts = append(doc.Facts, report.Fact{Label: "Devices", Value: idle, Note: "of the nodes that take part"})
	}
	doc.Sections = append(doc.Sections, report.Section{
		Heading: "Where the time goes",
		Text:    []string{page.BreakdownText},
		Blocks:  []report.Block{page.RankChart(r.Ranks, r.Makespan), page.CauseTable(r.sim.Result), page.RankTable(r.Ranks)},
	})
	if f := r.sim.System.Transport.Last; f != nil {
		u := f.Usage(r.sim.Makespan)
		doc.Lead = append(doc.Lead, page.BottleneckLead(r.sim.System.Transport.Platform, u, len(r.Ranks))...)
		if u.Recorded {
			doc.Sections = append(doc.Sections, page.LinkSection(r.sim.System.Transport.Platform, u, len(r.Ranks)))
		}
	}
	doc.Sections = append(doc.Sections,
		report.Section{Heading: "Parameters", Text: []string{"All parameters that the result depends on."}, Blocks: []report.Block{page.ParameterTable(scenario.SettingFacts(s.Machine, s.Network, s.Workload), nil)}},
		page.WarningSection(r.Warnings))
	return doc
}
