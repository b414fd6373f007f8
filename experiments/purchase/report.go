package purchase

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// What reports show of long lists.
const (
	reportDesigns = 40
	reportSwings  = 14
	reportRows    = 60
	chartedTimes  = 5    // of the best time
	labelRoom     = 0.22 // between labels of a chart, of the price or energy of the recommended machine
)

// Report returns the answer as a report, for those who decide: the recommendation in
// plain words, then what it rests on.
func (r *Result) Report() *report.Document {
	title := r.Title
	if title == "" {
		title = "Which cluster to buy"
	}
	doc := &report.Document{
		Title:      title,
		Subtitle:   r.subtitle(),
		Lead:       r.lead(),
		Facts:      r.facts(),
		Provenance: page.ProvenanceFacts(r.Provenance),
	}
	doc.Sections = []report.Section{
		{
			Heading: "Before you decide",
			Text:    []string{"What makes this answer doubtful:"},
			Blocks:  []report.Block{&report.Notes{Warning: true, Items: r.Warnings}},
		},
		{
			Heading: "What is bought",
			Text:    []string{"Capital of a run: the price of the machine, spread over the hours in which it computes. Energy of a run: with cooling and losses."},
			Blocks:  []report.Block{r.billTable(&r.Ranking[0]), r.workloadTable(&r.Ranking[0])},
		},
		{
			Heading: "Ranking",
			Text: []string{
				fmt.Sprintf("Machines are ranked by the %s: %s. Everything listed is within the budget. Each design, a choice of node types and network, is shown with the number of nodes at which it is fastest.", r.Score.Meaning, r.Score.Formula),
			},
			Blocks: []report.Block{r.rankingTable()},
		},
		{
			Heading: "What less money buys",
			Text: []string{
				"Each point is a machine. A machine on the line is worth considering: no other one is both cheaper and faster. All others are beaten by one on the line.",
			},
			Blocks: []report.Block{r.priceScatter(), r.frontTable()},
		},
		{
			Heading: "Energy and cost",
			Text: []string{
				fmt.Sprintf("Over %g years of operation, at %g %% utilisation, %s a kWh, and %g times the power of the machine drawn.", r.plan.Energy.Years, 100*r.plan.Energy.Utilisation, r.plan.money(r.plan.Energy.Price), r.plan.Energy.Overhead),
			},
			Blocks: []report.Block{r.energyScatter(), r.costTable()},
		},
		r.upgradeSection(),
		r.certaintySection(),
		{
			Heading: "Assumptions",
			Text:    []string{"Times are simulated: no machine was measured."},
			Blocks:  []report.Block{r.assumptionTable(), r.workTable()},
		},
		{
			Heading: "Figures and their sources",
			Text:    []string{"An estimate is a figure that nobody measured or quoted. Prices of the catalogue are orders of magnitude: replace them by quotes."},
			Blocks:  []report.Block{r.figureTable()},
		},
		{
			Heading: "What was not considered",
			Blocks:  r.notConsidered(),
		},
	}
	if len(r.Warnings) == 0 {
		doc.Sections = doc.Sections[1:]
	}
	return doc
}

func (r *Result) subtitle() string {
	p := r.plan
	var work []string
	for _, w := range p.Workloads {
		work = append(work, w.Name)
	}
	limits := []string{p.money(p.Budget.Money.Amount)}
	if p.Budget.Life {
		limits[0] += " with energy"
	}
	if p.Budget.Power > 0 {
		limits = append(limits, p.Budget.Power.String())
	}
	if p.Budget.RackUnits > 0 {
		limits = append(limits, input.Number(p.Budget.RackUnits)+" rack units")
	}
	return fmt.Sprintf("%d machines of %d node types and %d networks, for %s; at most %s",
		len(r.Ranking), len(p.Nodes), len(p.Networks), list(work), strings.Join(limits, ", "))
}

func (r *Result) lead() []string {
	answer := r.Answer()
	paragraphs := []string{strings.Join(answer[:2], " "), strings.Join(answer[2:], " ")}
	if c := r.Certainty(); len(c) > 0 {
		paragraphs = append(paragraphs, strings.Join(c, " "))
	}
	if r.plan.Description != "" {
		paragraphs = append(paragraphs, "The question: "+r.plan.Description)
	}
	return paragraphs
}

func (r *Result) facts() []report.Fact {
	c := r.Ranking[0]
	facts := []report.Fact{
		{Label: "Recommended", Value: c.Name, Note: c.Wiring},
		{Label: "Price", Value: r.plan.money(c.Price), Note: "of " + r.plan.money(r.plan.Budget.Money.Amount)},
		{Label: "Power", Value: units.Watts(c.Power).String(), Note: "under load, without cooling"},
		{Label: strings.ToUpper(r.Score.Meaning[:1]) + r.Score.Meaning[1:], Value: r.ScoreOf(c.Score)},
	}
	if r.Lead != nil {
		facts = append(facts, report.Fact{Label: "Lead", Value: fmt.Sprintf("%.1f %%", 100**r.Lead), Note: "over " + r.RunnerUp})
	}
	if j := r.Robustness.Joint; j.Trials > 0 && r.Lead != nil {
		facts = append(facts, report.Fact{Label: "Stays first", Value: fmt.Sprintf("%d of %d", j.First, j.Trials), Note: fmt.Sprintf("with all figures up to %g %% off", 100*r.Robustness.Change)})
	}
	return facts
}
