package iso

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/hold"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// Headline says in one line what was studied.
func (r *Result) Headline() string {
	s := r.study
	return fmt.Sprintf("%s%s, network %s: target speed-efficiency %g", s.Workload.Name, machines.After("on", s.Machine),
		s.Network.Kind.Name, s.Target)
}

// Idle says which systems leave cores or devices of their nodes idle, "" if none does.
func (r *Result) Idle() string {
	var sentences []string
	add := func(what string, of func(s *System) (used, all int)) {
		var idle []string
		for i := range r.Systems {
			if used, all := of(&r.Systems[i]); used < all {
				idle = append(idle, fmt.Sprintf("%s %d of %d", r.Systems[i].Name, used, all))
			}
		}
		if len(idle) > 0 {
			sentences = append(sentences, what+" in use on systems that leave some idle: "+strings.Join(idle, ", ")+".")
		}
	}
	add("Cores", func(s *System) (used, all int) { return s.CoresUsed, s.Cores })
	add("Devices", func(s *System) (used, all int) { return s.DevicesUsed, s.Devices })
	return strings.Join(sentences, " ")
}

func (r *Result) Report() *report.Document {
	s := r.study
	title := cmp.Or(s.Title, s.Workload.Name+machines.After("on", s.Machine))
	doc := &report.Document{
		Title:      title,
		Subtitle:   r.Headline(),
		Lead:       r.lead(),
		Facts:      r.facts(),
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	if s.Description != "" {
		doc.Lead = append(doc.Lead, s.Description)
	}
	doc.Sections = []report.Section{
		{
			Heading: "Speed-efficiency over problem size",
			Text: []string{
				"Speed-efficiency is the speed that a run achieves divided by the marked speed of its system, the sum of what the processors sustain in benchmarks. It grows with the problem, because computation grows faster than communication.",
				fmt.Sprintf("A curve crosses the target of %g at the problem size that holds the target on that system.", s.Target),
			},
			Blocks: []report.Block{r.curves(), r.systemTable()},
		},
		r.stepSection(),
		{
			Heading: "Where the time goes",
			Text: []string{"Means over the ranks of each system at its problem size. At equal speed-efficiency the " +
				"share of computation is the same everywhere, E_s over the sustained fraction of the marked speed, " +
				"and so is the share of all the rest; only the time of a run changes, and psi is the ratio of the " +
				"times of two systems."},
			Blocks: append(append(r.timeCharts(), r.efficiencies()), system.Blocks(r.Explanations())...),
		},
	}
	if section := r.energySection(); section != nil {
		doc.Sections = append(doc.Sections, *section)
	}
	if chart := r.isoefficiencyChart(); chart != nil {
		doc.Sections = slices.Insert(doc.Sections, 1, report.Section{
			Heading: "Isoefficiency",
			Text: append([]string{"The isoefficiency function: how much work a system of a given marked speed needs " +
				"to keep a speed-efficiency. Psi of a step is the growth of the marked speed over that of the work."},
				r.Function.Says()...),
			Blocks: []report.Block{chart},
		})
	}
	if c := r.Comparison; c != nil && len(c.Times) > 0 {
		doc.Sections = append(doc.Sections, r.timesSection())
	}
	var fitted, text []string
	if c := s.Calibration; c != nil {
		fitted = c.Parameters
		were := "were"
		if len(c.Parameters) == 1 {
			were = "was"
		}
		text = []string{fmt.Sprintf("%s %s fitted to %s. %s", input.Plural(len(c.Parameters), "parameter"), were, c.Against, c.Method)}
	}
	doc.Sections = append(doc.Sections,
		page.ParameterSection(s.Facts(), fitted, text...),
		page.WarningSection(r.Warnings))
	return doc
}

// Explanations are what explains the time of each system at its problem size.
func (r *Result) Explanations() []system.Named {
	var all []system.Named
	for i, s := range r.Systems {
		all = append(all, system.Named{Name: s.Name, Why: &r.Systems[i].Why})
	}
	return all
}

// efficiencies shows where the time of each system goes at its problem size, and how computation scales: whether it is
// as fast on each system as on the first, relative to work and marked speed.
func (r *Result) efficiencies() *report.Table {
	var all []efficiencies.Named
	for _, s := range r.Systems {
		if s.Efficiencies != nil {
			all = append(all, efficiencies.Named{Name: s.Name, Efficiencies: s.Efficiencies})
		}
	}
	t := efficiencies.Table(all...)
	if len(all) < 2 || all[0].Computation == 0 {
		return t
	}
	cell := func(x efficiencies.Named) string { return efficiencies.Cell(x.Computation / all[0].Computation) }
	t.Rows = append(t.Rows, each.Append([]string{"computation scalability"}, all, cell))
	t.Caption = "Computation scalability: computation over that of the first system."
	return t
}

// held is the speed-efficiency of two systems as text: the target, if both hold it.
func (r *Result) held(a, b System) string {
	off := max(math.Abs(a.SpeedEfficiency-r.TargetEfficiency), math.Abs(b.SpeedEfficiency-r.TargetEfficiency))
	if off > hold.Tolerance(r.TargetEfficiency) {
		return fmt.Sprintf("%.3g and %.3g, as near to %g as problem sizes allow", a.SpeedEfficiency, b.SpeedEfficiency, r.TargetEfficiency)
	}
	return fmt.Sprint(r.TargetEfficiency)
}

// lead gives the answer in plain words, comparing the smallest system with the largest.
func (r *Result) lead() []string {
	if len(r.Systems) == 1 {
		s := r.Systems[0]
		return []string{fmt.Sprintf("%s runs at a speed-efficiency of %.3f with a problem of size %d, in %v.",
			s.Name, s.SpeedEfficiency, s.N, input.Rounded(s.Time))}
	}
	ends, grows := r.ends()
	if !grows {
		return []string{"All systems have the same marked speed, so none has grown from another, and psi is not a " +
			"scalability. The times at equal problem size tell which is faster."}
	}
	small, large := r.Systems[ends.from], r.Systems[ends.to]
	speed, work := input.Figure(large.MarkedSpeed/small.MarkedSpeed, 3), input.Figure(large.Work/small.Work, 3)
	text := "From %s, the smallest system, to %s, the largest, the marked speed becomes %s times as high. To keep " +
		"the system as busy, at a speed-efficiency of %s, the problem size must grow from %d to %d: %s times the " +
		"work, psi = %.3g. A run then takes %v instead of %v."
	if large.Work < small.Work {
		text = "%[2]s, the largest system, has %[3]s times the marked speed of %[1]s, the smallest. At a " +
			"speed-efficiency of %[4]s its problem size is %[6]d instead of %[5]d: %[7]s times the work, psi = " +
			"%.3[8]g. A run takes %[9]v instead of %[10]v."
	}
	lead := []string{fmt.Sprintf("psi = %.3g from %s to %s: %s times the work for %s times the marked speed.", r.Ends.Psi,
		small.Name, large.Name, work, speed), fmt.Sprintf(text, small.Name, large.Name, speed, r.held(small, large),
		small.N, large.N, work, r.Ends.Psi, input.Rounded(large.Time), input.Rounded(small.Time))}
	var equal []string
	for _, e := range r.Ends.EqualN {
		if q := e.ratio(); q != nil {
			equal = append(equal, fmt.Sprintf("For N = %d, %s takes %v and %s %v: the largest system is %s.",
				e.N, small.Name, input.Rounded(*e.From), large.Name, input.Rounded(*e.To), faster(*q)))
		}
	}
	if len(equal) > 0 {
		lead = append(lead, "The same problem on both. "+strings.Join(equal, " "))
	}
	return lead
}

// faster says how much faster a run is that takes 1/q of the time of another.
func faster(q float64) string {
	switch {
	case q >= 1.005:
		return input.Figure(q, 3) + " times as fast"
	case q <= 1/1.005:
		return "slower and takes " + input.Figure(1/q, 3) + " times as long"
	}
	return "equally fast"
}

func (r *Result) facts() []report.Fact {
	var facts []report.Fact
	step := func(label string, p Psi) {
		facts = append(facts, report.Fact{Label: label, Value: fmt.Sprintf("psi = %.3g", p.Psi),
			Note: p.From + " to " + p.To})
	}
	growing := r.Growing()
	if r.Ends != nil {
		step("Smallest to largest", *r.Ends)
		if e := r.Ends.EqualN[len(r.Ends.EqualN)-1]; e.ratio() != nil {
			facts = append(facts, report.Fact{Label: fmt.Sprintf("Same problem, N = %d", e.N),
				Value: faster(*e.ratio()), Note: r.Ends.To + " against " + r.Ends.From})
		}
	}
	if len(growing) > 1 {
		byPsi := func(a, b Psi) int { return cmp.Compare(a.Psi, b.Psi) }
		step("Highest psi of a step", slices.MaxFunc(growing, byPsi))
		step("Lowest psi of a step", slices.MinFunc(growing, byPsi))
	}
	if c := r.Comparison; c != nil && len(c.Times) > 0 {
		facts = append(facts,
			report.Fact{Label: "Against " + r.study.Compare.Label + " times", Value: fmt.Sprintf("%.1f %% rms",
				100*c.RMS), Note: fmt.Sprintf("worst %.1f %% of %d", 100*c.Worst, len(c.Times))})
	}
	return facts
}

func (r *Result) curves() *report.LineChart {
	c := &report.LineChart{
		Title:   "Speed-efficiency over problem size",
		X:       report.Axis{Title: "problem size N", Unit: report.Dimensionless, Log: true},
		Y:       report.Axis{Title: "speed-efficiency", Unit: report.Dimensionless},
		Targets: []report.Target{{Label: fmt.Sprintf("target %g", r.TargetEfficiency), Y: r.TargetEfficiency}},
		Caption: "Each point is a simulation. The marked points are at the target.",
		Height:  460,
	}
	for i, s := range r.Systems {
		series := report.Series{Name: s.Name}
		for _, p := range r.details[i].curve.Points() {
			// The search starts far below the solution: leave these sizes out.
			if p.N >= s.N/10 && p.N <= 2*s.N {
				series.X = append(series.X, float64(p.N))
				series.Y = append(series.Y, p.SpeedEfficiency)
			}
		}
		c.Series = append(c.Series, series)
		c.Points = append(c.Points, report.MarkedPoint{Series: i, X: float64(s.N), Y: s.SpeedEfficiency,
			Label: fmt.Sprintf("N = %d", s.N)})
	}
	return c
}

func (r *Result) systemTable() *report.Table {
	t := page.NewTable("Systems at the target", 1)
	t.Caption = "E_s: speed-efficiency."
	if slices.ContainsFunc(r.Systems, func(s System) bool { return s.NTrend != nil }) {
		t.Caption += " N trend line: N from a polynomial fitted to sampled sizes, as in the papers."
	}
	if slices.ContainsFunc(r.Systems, func(s System) bool { return s.NPredicted != nil }) {
		t.Caption += " N predicted: N from the overhead in closed form."
	}
	if r.Comparison != nil && len(r.study.Compare.N) > 0 {
		t.Caption += " " + r.comparisonCaption()
	}
	t.Columns = page.Columns("system", "#N", "nodes", "#processes", "#marked speed C [Mflop/s]", "#N trend line",
		"#N predicted", "#work W [flop]", "#time [s]", "#E_s", "#N "+r.comparedWith())
	for i, s := range r.Systems {
		t.Rows = append(t.Rows, []string{s.Name, fmt.Sprint(s.N), watch.NodeSummary(r.details[i].curve.System.Placement),
			fmt.Sprint(s.Processes), fmt.Sprintf("%.6g", s.MarkedSpeed), input.Optional(s.NTrend, "%.0f"),
			input.Optional(s.NPredicted, "%d"), fmt.Sprintf("%.4g", s.Work), fmt.Sprintf("%.4g", s.Time),
			fmt.Sprintf("%.4f", s.SpeedEfficiency), input.Optional(s.NCompared, "%d")})
	}
	c := t.Compact()
	return c.Report()
}

// comparedWith is the label of what the study is compared with, "" if there is none.
func (r *Result) comparedWith() string {
	if r.Comparison == nil {
		return ""
	}
	return r.study.Compare.Label
}

// comparisonCaption gives the source of the values that the study is compared with.
func (r *Result) comparisonCaption() string {
	return input.Capitalized(r.study.Compare.Label) + ": " + r.Comparison.Source + "."
}

// timeCharts split the mean time of a rank on each system at the target, as times and as shares.
func (r *Result) timeCharts() []report.Block {
	var runs []page.Parts
	for _, s := range r.Systems {
		runs = append(runs, page.Parts{Name: s.Name, Compute: s.Compute, Overhead: s.Overhead, Wait: s.Wait})
	}
	shares := page.ShareBars("Mean time per rank at the target", "system", runs)
	for i, s := range r.Systems {
		runs[i].Name = fmt.Sprintf("%s (p = %d)", s.Name, s.Processes)
	}
	return []report.Block{page.TimeBars("Time at the target by what ranks do", "system and its processes p", runs),
		shares}
}

func (r *Result) timesSection() report.Section {
	c, label := r.Comparison, r.study.Compare.Label
	var pairs []page.Pair
	chart := &report.LineChart{
		Title:   "Simulated and " + label + " times",
		Caption: "Lines: simulated. Points: " + c.Source + ".",
		X:       report.Axis{Title: "problem size N", Unit: report.Dimensionless},
		Y:       report.Axis{Title: "time", Unit: "s"},
	}
	t := &report.Table{Title: "Times", Columns: page.Columns("system", "#N", "#"+label+" [s]", "#simulated [s]", "#deviation [%]")}
	for _, d := range r.details {
		if len(d.times) == 0 {
			continue
		}
		ours := report.Series{Name: d.times[0].System + " simulated", Colour: d.times[0].System}
		theirs := report.Series{Name: d.times[0].System + " " + label, Points: true, Colour: d.times[0].System}
		for _, x := range d.times {
			add(&ours, float64(x.N), x.Simulated)
			add(&theirs, float64(x.N), x.Compared)
			pairs = append(pairs, page.Pair{Group: x.System, Reference: x.Compared, Computed: x.Simulated})
			t.Rows = append(t.Rows, []string{x.System, fmt.Sprint(x.N), fmt.Sprintf("%.4g", x.Compared),
				fmt.Sprintf("%.4g", x.Simulated), fmt.Sprintf("%+.1f", 100*x.RelativeDeviation)})
		}
		chart.Series = append(chart.Series, ours, theirs)
	}
	return report.Section{
		Heading: "Against " + label + " times",
		Text: []string{fmt.Sprintf("Root mean square deviation %.1f %%, worst %.1f %%, over %d times. Simulations "+
			"use these times at most through fitted parameters.", 100*c.RMS, 100*c.Worst, len(c.Times))},
		Blocks: []report.Block{chart, page.ParityChart("time", "s", label, "simulated", pairs), t},
	}
}

// energySection has the energy of a run on each system at the target, and the work per joule,
// which compares runs of different work. It is nil unless the energy is known on all systems.
func (r *Result) energySection() *report.Section {
	var names []string
	var energies, works []float64
	var assumed []string
	for i, s := range r.Systems {
		if s.Energy == nil {
			return nil
		}
		names = append(names, fmt.Sprintf("%s (p = %d)", s.Name, s.Processes))
		energies = append(energies, *s.Energy)
		works = append(works, s.Work / *s.Energy)
		for _, text := range r.details[i].solution.Energy.Assumed {
			if !slices.Contains(assumed, text) {
				assumed = append(assumed, text)
			}
		}
	}
	section := &report.Section{
		Heading: "Energy",
		Text: []string{"Energy of the nodes that take part, from the start to the end of a run at the target, " +
			"without cooling. Where systems do different work, the work per joule tells which needs the least " +
			"energy for its work."},
		Blocks: []report.Block{
			energyBars("Energy of a run at the target", "energy of a run", "J", "least", names, energies,
				slices.Min(energies)),
			energyBars("Work per joule at the target", "work per joule", "flop/J", "most", names, works,
				slices.Max(works)),
		},
	}
	if len(assumed) > 0 {
		section.Blocks = append(section.Blocks, &report.Notes{Items: assumed})
	}
	return section
}

// energyBars is a chart of a value on each system, which says which system has the best one.
func energyBars(title, quantity, unit, extreme string, names []string, values []float64,
	best float64) *report.BarChart {
	shown := page.Display(unit, values...)
	var on []string
	for i, v := range values {
		if math.Abs(v-best) <= 1e-9*best {
			on = append(on, names[i])
		}
	}
	return &report.BarChart{
		Title:      title,
		Caption:    fmt.Sprintf("The %s is %.4g %s, on %s.", extreme, best*shown.Factor, shown.Unit, strings.Join(on, ", ")),
		X:          report.Axis{Title: "system and its processes p", Unit: report.Dimensionless},
		Y:          report.Axis{Title: quantity, Unit: shown.Unit},
		Categories: names,
		Series:     []report.BarSeries{{Name: quantity, Values: shown.All(values)}},
	}
}
