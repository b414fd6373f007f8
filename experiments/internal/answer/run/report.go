package run

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/sections"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// Headline describes the run in one line.
func (r *Result) Headline() string {
	s := r.scenario
	return fmt.Sprintf("%s, n = %d, on %s%s, network %s",
		s.Workload.Name, s.Workload.N, sections.NodeSummary(r.sim.System.Placement), machines.After("of", s.Machine), s.Network.Model)
}

// IdleCores says how many cores of the nodes compute, if some do not, or "".
func (r *Result) IdleCores() string { return sections.IdleCores(r.sim.System.Placement) }

// IdleDevices is [Result.IdleCores] for devices.
func (r *Result) IdleDevices() string { return sections.IdleDevices(r.sim.System.Placement) }

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

// opening says how long the run takes and, if it computes, how fast that is.
func (r *Result) opening() string {
	if r.Work == 0 {
		return fmt.Sprintf("The run takes %v. It sends %d messages with %v, and computes nothing.", units.Seconds(r.Makespan), r.Messages, units.Bytes(r.Bytes))
	}
	return fmt.Sprintf("The run takes %v. It performs %v and achieves %v, which is %.1f %% of the marked speed of the system, %v (the sum of the speeds that its %s sustain in benchmarks).",
		units.Seconds(r.Makespan), units.Flops(r.Work), units.FlopsPerSecond(r.AchievedSpeed), 100*r.SpeedEfficiency, units.FlopsPerSecond(r.MarkedSpeed), r.computing())
}

// Report returns the answer as a report.
func (r *Result) Report() *report.Document {
	s := r.scenario
	title := cmp.Or(s.Title, s.Workload.Name+machines.After("on", s.Machine))
	var busiest, idlest sections.Rank
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
			r.opening(),
		},
		Facts: []report.Fact{
			{Label: "Time", Value: units.Seconds(r.Makespan).String()},
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
	if r.Work > 0 {
		doc.Facts = slices.Insert(doc.Facts, 1,
			report.Fact{Label: "Achieved speed", Value: units.FlopsPerSecond(r.AchievedSpeed).String()},
			report.Fact{Label: "Speed-efficiency", Value: fmt.Sprintf("%.4f", r.SpeedEfficiency), Note: "achieved speed / marked speed"})
	}
	if b := r.Baseline; b != nil {
		doc.Facts = append(doc.Facts,
			report.Fact{Label: "Speed-up", Value: fmt.Sprintf("%.4g", b.Speedup), Note: fmt.Sprintf("over %v, which takes %v; the marked speed is %.4g times as high", b, units.Seconds(b.Makespan), r.MarkedSpeed/b.MarkedSpeed)},
			report.Fact{Label: "Efficiency", Value: fmt.Sprintf("%.4f", b.Efficiency), Note: "speed-up / ratio of the marked speeds"})
	}
	if idlest.Wait > busiest.Wait {
		doc.Lead = append(doc.Lead, fmt.Sprintf("Rank %d on %s waits longest, %v; rank %d on %s waits least, %v.",
			idlest.Rank, idlest.Node, units.Seconds(idlest.Wait), busiest.Rank, busiest.Node, units.Seconds(busiest.Wait)))
	}
	limits := r.Causes()
	if cause := watch.Sentence(limits); cause != "" {
		doc.Lead = slices.Insert(doc.Lead, 1, cause)
	}
	if r.Picture() != nil {
		doc.Sections = append(doc.Sections, r.Picture().Section(limits))
	}
	if r.Energy != nil {
		doc.Facts = append(doc.Facts, report.Fact{Label: "Energy", Value: r.Energy.Total.String(), Note: r.Energy.MeanPower.String() + " on average"})
	}
	doc.Sections = append(doc.Sections, sections.RankSection(r.Ranks, r.Makespan, sections.CauseTable(r.sim.Result)))
	if p := r.Picture(); p != nil {
		doc.Sections = append(doc.Sections, p.Traffic.Section())
		if knowsMemory(r.sim.System.Placement) {
			doc.Sections = append(doc.Sections, r.rooflineSection())
		}
	}
	if f := r.sim.System.Transport.Last; f != nil {
		u := f.Usage(r.sim.Makespan)
		doc.Lead = append(doc.Lead, sections.BottleneckLead(r.sim.System.Transport.Platform, u, len(r.Ranks))...)
		if u.Recorded {
			links := sections.LinkSection(r.sim.System.Transport.Platform, u, len(r.Ranks))
			if n := watch.NetworkPicture(s.Machine.Network.Topology, r.sim.System.Transport.Platform, r.facts().Use); n != nil {
				links.Blocks = append([]report.Block{n}, links.Blocks...)
			}
			doc.Sections = append(doc.Sections, links)
		}
	}
	if r.Energy != nil {
		doc.Sections = append(doc.Sections, sections.EnergySection(r.Energy))
	}
	doc.Sections = append(doc.Sections,
		report.Section{Heading: "Parameters", Text: []string{"All parameters that the result depends on."}, Blocks: []report.Block{page.ParameterTable(scenario.SettingFacts(s.Machine, s.Network, s.Workload), nil)}},
		page.WarningSection(r.Warnings))
	return doc
}
