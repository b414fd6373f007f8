package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// How much of long lists reports show:
const (
	reportDesigns  = 40
	reportSwings   = 14
	reportRows     = 60
	reportExcluded = 4    // machines excluded for one reason
	reportCounts   = 20   // numbers of nodes
	chartedTimes   = 2    // of the best time
	labelRoom      = 0.15 // between labels of a chart, as a fraction of its width
)

// The headings of sections that may be empty, and of the first of the appendix.
const (
	headingAppendix = "Recommended machine"
	headingWarnings = "Check before you decide"
	headingExcluded = "Excluded"
)

// Report returns the answer as a report for a purchasing committee: the
// recommendation in plain words, then what it is based on.
func (r Answer) Report() *report.Document {
	p := r.Plan
	prices := r.scatter("Time and price", model.ByPrice, report.Axis{Title: "price", Unit: "1000 " + r.Currency}, 1000)
	prices.Lines = []report.ReferenceLine{{Label: "budget", At: p.Budget.Money.Amount / 1000, Vertical: true}}
	var purpose []string
	if p.Description != "" {
		purpose = []string{"Purpose: " + p.Description}
	}
	times := "All times are simulated; no machine was measured."
	if n := len(p.Commitments); n > 0 {
		times = fmt.Sprintf("%s are committed by vendors; all others are simulated, no machine was measured.",
			input.Capitalized(input.Plural(n, "time")))
	}
	questions, machines := r.Decision()
	doc := &report.Document{
		Title:      cmp.Or(r.Title, "Which cluster to buy"),
		Subtitle:   r.subtitle(),
		Lead:       []string{r.InOneLine()},
		Facts:      r.FirstScreen(),
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	doc.Sections = []report.Section{
		{Heading: "The decision on one page", Blocks: []report.Block{questions, machines}},
		{
			Heading: "Ranking",
			Text:    slices.Concat([]string{r.rankedBy()}, text("other machines"), r.todayInWords()),
			Blocks:  append(r.pointsBlocks(), r.machines()),
		},
		{
			Heading: headingWarnings,
			Text:    []string{"The recommendation is subject to these points:"},
			Blocks:  []report.Block{&report.Notes{Warning: true, Items: r.Warnings}},
		},
		{
			Heading: headingAppendix,
			Text:    text("recommended machine"),
			Blocks: append([]report.Block{r.billTable(), r.workloadTable(), r.causeTable(), r.efficiencyTable(), r.acceptanceTable()},
				system.Blocks(r.Explanations())...),
		},
		{
			Heading: "Price and performance",
			Text:    text("price and performance"),
			Blocks:  []report.Block{prices, r.frontTable()},
		},
		{
			Heading: "Energy and cost",
			Text: append([]string{r.useInWords()}, text("assumed costs", p.Energy.Years, 100*p.Energy.Utilisation,
				p.Money(p.Energy.Price), p.Energy.Overhead)...),
			Blocks: []report.Block{
				r.scatter("Time and energy", model.ByEnergy,
					report.Axis{Title: "energy used in that time", Unit: "kWh"}, 1),
				r.costTable(), r.cashFlowTable(),
			},
		},
		r.upgradeSection(),
		r.certaintySection(),
		{
			Heading: "Assumptions",
			Text:    append(purpose, times),
			Blocks:  []report.Block{r.assumptionTable(), r.workTable()},
		},
		{
			Heading: "Figures and their sources",
			Text:    text("sources"),
			Blocks:  []report.Block{r.figureTable()},
		},
		{
			Heading: headingExcluded,
			Text:    []string{"These designs, or some machines of them, are not in the ranking:"},
			Blocks:  []report.Block{&report.Notes{Items: r.ExcludedInWords()}},
		},
		{
			Heading: "What was not considered",
			Blocks:  r.notConsidered(),
		},
	}
	first := slices.IndexFunc(doc.Sections, func(s report.Section) bool { return s.Heading == headingAppendix })
	for i := first; i < len(doc.Sections); i++ {
		doc.Sections[i].Part = "Appendix: each figure with its source, each packing, each exclusion"
	}
	doc.Sections = slices.DeleteFunc(doc.Sections, func(s report.Section) bool {
		return s.Heading == headingWarnings && len(r.Warnings) == 0 ||
			s.Heading == headingExcluded && len(r.Excluded) == 0
	})
	return doc
}

func (r Answer) subtitle() string {
	p := r.Plan
	work := each.Append(nil, p.Workloads, func(w model.Workload) string { return w.Name })
	limits := []string{p.Money(p.Budget.Money.Amount)}
	if p.Budget.Life {
		limits[0] += " including energy"
	}
	if p.Budget.Power > 0 {
		limits = append(limits, p.Budget.Power.String())
	}
	if p.Budget.RackUnits > 0 {
		limits = append(limits, input.Number(p.Budget.RackUnits)+" rack units")
	}
	return fmt.Sprintf("%s of %s and %s, compared for %s; limits: %s",
		input.Plural(len(r.Ranking), "machine"), input.Plural(len(p.Nodes), "node type"),
		input.Plural(len(p.Networks), "network"), input.Joined(work, "and"), strings.Join(limits, ", "))
}

func (r Answer) rankedBy() string {
	const design = "A design is a choice of node types and network; the table shows each design with the number of " +
		"nodes at which it is "
	if r.Plan.Objective.ByPrice() {
		return fmt.Sprintf("Machines are ranked by %s. Of all of them this holds: %s. The time in the table is the "+
			"%s, computed as %s. %scheapest.", r.Goal.Meaning, r.Goal.Condition, r.Score.Meaning, r.Score.Formula, design)
	}
	return fmt.Sprintf("Machines are ranked by the %s, computed as %s. All of them are within the budget. %sfastest.",
		r.Score.Meaning, r.Score.Formula, design)
}

// todayInWords describes an existing machine that is not in the ranking, and why.
func (r Answer) todayInWords() []string {
	x := r.Today
	i := slices.IndexFunc(r.Excluded, func(e model.Exclusion) bool { return x != nil && e.Name == x.Name })
	if i < 0 {
		return nil
	}
	return []string{fmt.Sprintf("The existing machine, %s, is not in the ranking: %s. Its %s is %s, %.3f times that of the first.",
		x.Name, r.Excluded[i].Reason, r.Score.Meaning, r.Plan.ScoreText(x.Score), x.Score/r.Ranking[0].Score)}
}

// useInWords says for how much of the time the recommended machine computes.
func (r Answer) useInWords() string {
	c := r.Recommendation()
	if c.Use == nil {
		return fmt.Sprintf("Machines compute for %g %% of the time and are idle for the rest.", 100*c.Busy)
	}
	return fmt.Sprintf("How long a machine computes follows from the runs of a year: %s for %.2g %% of the time. It "+
		"is idle for the rest.", c.Name, 100*c.Busy)
}

// machines is the ranking, which the page can sort and filter.
func (r Answer) machines() *report.Table {
	p := r.Plan
	ranking := &chart.Ranking{
		Currency: p.Budget.Money.Currency, Score: p.ScoreMeaning(),
		Recommended: r.Recommendation().Rank - 1,
	}
	ranking.ScoreUnit, ranking.Scale = r.scoreUnit()
	ranking.Types = each.Append(nil, p.Nodes, func(n model.Node) string { return n.Name })
	ranking.Networks = each.Append(nil, p.Networks, func(n model.Network) string { return n.Name })
	more := []any{"", ""}
	if r.SharesMachines() {
		beside := text("side by side")
		more = []any{beside[0], beside[1]}
	}
	m := r.table("machines", more...)
	m.Ranking = ranking
	for i := range r.Ranking {
		ranking.Machines = append(ranking.Machines, r.machine(&r.Ranking[i]))
	}
	for i, c := range r.Designs() {
		if i == reportDesigns {
			m.Caption += fmt.Sprintf(" Only the first %d of %d designs are listed.", i, len(r.Designs()))
			break
		}
		ranking.Listed = append(ranking.Listed, c.Rank-1)
	}
	return m
}

func (r Answer) machine(c *model.Candidate) chart.RankedMachine {
	m := chart.RankedMachine{
		Name: c.Name, Design: c.Design, Types: append([]int{}, c.Choice.Types...), Network: c.Choice.Network,
		Score: c.Score, Relative: c.Relative, Price: c.Price, Life: c.LifeCost, Year: c.Annuity, Job: c.JobCost,
		Energy: c.LifeEnergy / r.Plan.Energy.Years,
		Cells:  []string{fmt.Sprintf("%.4g", c.Power/1000), fmt.Sprintf("%g", c.RackUnits), c.Wiring},
	}
	if r.SharesMachines() {
		var wait model.WaitResult
		if c.Wait != nil {
			wait = *c.Wait
		}
		m.Cells = append(m.Cells, known(c.Throughput, "-", model.Number), known(wait.Mean, "-", seconds), known(wait.P95, "-",
			seconds))
	}
	return m
}

func seconds(wait float64) string {
	if wait < 100 {
		return model.Number(wait)
	}
	return input.Thousands(wait)
}
