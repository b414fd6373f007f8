package run

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// Headline describes the run in one line.
func (r *Result) Headline() string {
	s := r.scenario
	return fmt.Sprintf("%s, n = %d, on %s%s, network %s",
		s.Workload.Name, s.Workload.N, watch.NodeSummary(r.sim.System.Placement),
		machines.After("of", s.Machine), s.Network.Kind.Name)
}

// Idle says how many of the cores and devices of the nodes that take part compute, "" if all do.
func (r *Result) Idle() (cores, devices string) {
	return watch.InUse(r.CoresUsed, r.Cores), watch.InUse(r.DevicesUsed, r.Devices)
}

// opening says how long the run takes and, if it computes, how fast it is.
func (r *Result) opening() []string {
	if r.Work == 0 {
		return []string{fmt.Sprintf("The run takes %v. It sends %d messages with %v, and computes nothing.",
			input.Rounded(r.Makespan), r.Messages, units.Bytes(input.Digits(r.Bytes, 3)))}
	}
	return []string{
		fmt.Sprintf("The run takes %v and achieves %v, %.1f %% of the marked speed.", input.Rounded(r.Makespan),
			units.FlopsPerSecond(input.Digits(r.AchievedSpeed, 3)), 100*r.SpeedEfficiency),
		fmt.Sprintf("It performs %v. The marked speed, %v, is the sum of the speeds that the %s of the system sustain in benchmarks.",
			units.Flops(input.Digits(r.Work, 3)), units.FlopsPerSecond(input.Digits(r.MarkedSpeed, 3)), system.Computing(r.CoresUsed, r.DevicesUsed)),
	}
}

// Helps says what would help, "" if that was not asked for.
func (r *Result) Helps() string { return efficiencies.Helps(r.WhatIf, r.Efficiencies) }

// given lists the number of processes and, unless all are used, the cores and devices that they use.
func (r *Result) given(processes int) []input.Parameter {
	list := []input.Parameter{{Name: "processes", Value: fmt.Sprint(processes)}}
	cores, devices := r.Idle()
	for _, x := range []input.Parameter{{Name: "cores of the nodes that take part", Value: cores}, {Name: "devices of these", Value: devices}} {
		if x.Value != "" {
			list = append(list, x)
		}
	}
	return list
}

const allParameters = "All parameters that the result depends on."

func (r *Result) Report() *report.Document {
	s := r.scenario
	ranks := watch.RanksOf(r.sim.Result, r.node)
	doc := &report.Document{
		Title:      cmp.Or(s.Title, s.Workload.Name+machines.After("on", s.Machine)),
		Subtitle:   r.Headline(),
		Lead:       r.opening(),
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	var facts input.Facts
	facts.Add("Time", input.Rounded(r.Makespan))
	if b := r.Baseline; b != nil {
		facts.Add("Speed-up", fmt.Sprintf("%.3g", b.Speedup),
			fmt.Sprintf("over %v, which takes %v; the marked speed is %.3g times as high",
				b, input.Rounded(b.Makespan), r.MarkedSpeed/b.MarkedSpeed))
		facts.Add("Efficiency", fmt.Sprintf("%.3f", b.Efficiency), "speed-up / ratio of the marked speeds")
	}
	if r.Work > 0 {
		facts.Add("Speed-efficiency", fmt.Sprintf("%.3f", r.SpeedEfficiency), "achieved speed / marked speed")
	}
	for _, f := range r.Efficiencies.Facts() {
		facts.Add(f.Label, f.Value, f.Note)
	}
	if e := r.Energy; e != nil {
		facts.Add("Energy", energy.Joules(input.Digits(float64(e.Total), 3)), e.MeanPower.String()+" on average")
	}
	facts.Add("Messages", r.Messages, units.Bytes(input.Digits(r.Bytes, 3)).String())
	doc.Facts = page.Facts(facts)
	if len(ranks) > 0 {
		byWait := func(a, b watch.Rank) int { return cmp.Compare(a.Wait, b.Wait) }
		if least, longest := slices.MinFunc(ranks, byWait), slices.MaxFunc(ranks, byWait); longest.Wait > least.Wait {
			doc.Lead = append(doc.Lead, fmt.Sprintf("Rank %d on %s waits longest, %v; rank %d on %s waits least, %v.",
				longest.Rank, longest.Node, input.Rounded(longest.Wait), least.Rank, least.Node, input.Rounded(least.Wait)))
		}
	}
	efficiencies.Show(doc, r.WhatIf, r.Efficiencies, r.Sensitivities, r.Makespan)
	r.Show(doc, ranks, watch.CauseTable(r.sim.Result))
	if r.Picture != nil && knowsMemory(r.sim.System.Placement) {
		doc.Sections = append(doc.Sections, r.rooflineSection())
	}
	r.ShowLinks(doc, s.Machine.Network.Topology)
	if r.Energy != nil {
		doc.Sections = append(doc.Sections, watch.EnergySection(r.Energy))
	}
	doc.Sections = append(doc.Sections,
		page.ParameterSection(append(s.Facts(), r.given(len(ranks))...), nil, allParameters),
		page.WarningSection(r.Warnings))
	efficiencies.Lead(doc, r.WhatIf, r.Efficiencies)
	return doc
}
