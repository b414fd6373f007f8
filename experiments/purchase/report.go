package purchase

import (
	"fmt"
	"math"
	"slices"
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
	labelRoom     = 0.22 // between labels, of the price or energy of the recommended machine
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
			Blocks: []report.Block{r.scatter(1), r.frontTable()},
		},
		{
			Heading: "Energy and cost",
			Text: []string{
				fmt.Sprintf("Over %g years of operation, at %g %% utilisation, %s a kWh, and %g times the power of the machine drawn.", r.plan.Energy.Years, 100*r.plan.Energy.Utilisation, r.plan.money(r.plan.Energy.Price), r.plan.Energy.Overhead),
			},
			Blocks: []report.Block{r.scatter(2), r.costTable()},
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
		limits = append(limits, number(p.Budget.RackUnits)+" rack units")
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

func (r *Result) billTable(c *Candidate) *report.Table {
	t := &report.Table{Title: "Bill of " + c.Name, Columns: []report.Column{{Title: "what"}, {Title: "number", Numeric: true}, {Title: "price", Unit: r.Currency, Numeric: true}}}
	add := func(what string, count int, price float64) {
		if count > 0 {
			t.Rows = append(t.Rows, []string{what, fmt.Sprint(count), thousands(price)})
		}
	}
	p := r.plan
	for i, n := range c.choice.Types {
		x := &p.Nodes[n]
		add(strings.TrimSuffix(fmt.Sprintf("nodes %s (%s)", x.Name, x.Title), " ()"), c.choice.Counts[i], float64(c.choice.Counts[i])*x.Price.Amount)
	}
	w, _ := p.Wiring(c.choice)
	has := Wiring{}
	if e := p.Existing; e != nil && e.Network == c.choice.Network {
		has, _ = p.Networks[e.Network].Wire(e.Count)
	}
	name := p.Networks[c.choice.Network].Name
	add("ports of "+name+", with cables", w.Nodes-has.Nodes, c.Bill.Ports)
	add("switches of "+name, max(0, w.Switches()-has.Switches()), c.Bill.Switches)
	add("cables between switches", max(0, w.Uplinks-has.Uplinks), c.Bill.Cables)
	t.Rows = append(t.Rows, []string{"sum", "", thousands(c.Price)})
	return t
}

func (r *Result) workloadTable(c *Candidate) *report.Table {
	t := &report.Table{
		Title: "Workloads on " + c.Name,
		Columns: []report.Column{
			{Title: "workload"}, {Title: "size n", Numeric: true}, {Title: "time of a run", Numeric: true}, {Title: "speed-efficiency", Numeric: true},
			{Title: "computing", Unit: "%", Numeric: true}, {Title: "limited by"},
			{Title: "energy", Unit: "kWh", Numeric: true}, {Title: "capital", Unit: r.Currency, Numeric: true}, {Title: "energy", Unit: r.Currency, Numeric: true}, {Title: "cost of a run", Unit: r.Currency, Numeric: true},
		},
		Caption: "Computing: share of the time in which a mean process computes; the rest is messages and waiting.",
	}
	for _, w := range c.Workloads {
		limit := "speed of the cores"
		switch {
		case w.Compute < 0.5:
			limit = "network and waiting"
		case w.MemoryBound:
			limit = "memory bandwidth"
		}
		t.Rows = append(t.Rows, []string{w.Name, fmt.Sprint(w.N), fmt.Sprintf("%.4g s", w.Time), fmt.Sprintf("%.3f", w.Efficiency),
			fmt.Sprintf("%.0f", 100*w.Compute), limit, fmt.Sprintf("%.3g", w.Energy), fmt.Sprintf("%.3g", w.Capital), fmt.Sprintf("%.3g", w.EnergyCost), fmt.Sprintf("%.3g", w.Cost)})
	}
	return t
}

func (r *Result) rankingTable() *report.Table {
	t := &report.Table{
		Title: "Best machine of each design",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "time", Numeric: true}, {Title: "relative", Numeric: true}, {Title: "price", Unit: r.Currency, Numeric: true},
			{Title: "power", Numeric: true}, {Title: "rack units", Numeric: true}, {Title: "wiring"}, {Title: "energy", Unit: "kWh", Numeric: true},
		},
		Caption: "Time: " + r.Score.Meaning + ". Energy: drawn in that time, with cooling and losses.",
	}
	designs := r.Designs()
	if x := r.Today; x != nil && !slices.ContainsFunc(designs, func(c Candidate) bool { return c.Name == x.Name }) {
		t.Rows = append(t.Rows, r.rankingRow(*x, "as it is: "+x.Name)) // beyond the power or the space
	}
	for i, c := range designs {
		if i == reportDesigns {
			t.Caption += fmt.Sprintf(" The first %d of %d.", i, len(designs))
			break
		}
		name := c.Name
		if r.plan.buysNothing(c.choice) {
			name = "as it is: " + name
		}
		t.Rows = append(t.Rows, r.rankingRow(c, name))
	}
	return t
}

func (r *Result) rankingRow(c Candidate, name string) []string {
	return []string{name, r.ScoreOf(c.Score), fmt.Sprintf("%.3f", c.Relative), thousands(c.Price),
		units.Watts(c.Power).String(), number(c.RackUnits), c.Wiring, thousands(c.Energy)}
}

// scoreAxis is the axis of times, and what a score is divided by on it.
func (r *Result) scoreAxis() (report.Axis, float64) {
	a, scale := report.Axis{Title: r.Score.Meaning, Unit: "s"}, 1.0
	if r.plan.byRuns {
		a.Unit, scale = "h", 3600
	}
	return a, scale
}

// scatter shows the time over the price or over the energy, which are numbers 1
// and 2 of the objectives.
func (r *Result) scatter(objective int) *report.ScatterChart {
	x, unit := paretoObjectives[objective], 1000.0
	front := "time-" + x.name
	y, scale := r.scoreAxis()
	c := &report.ScatterChart{Title: "Time over price", X: report.Axis{Title: "price", Unit: "1000 " + r.Currency}, Y: y, Height: 460}
	c.Caption = "The line is the front: below and left of it there is nothing."
	if objective == 2 {
		c.Title, unit = "Time over energy", 1
		c.X = report.Axis{Title: "energy in that time", Unit: "kWh"}
	} else {
		c.Lines = []report.ReferenceLine{{Label: "budget", At: r.plan.Budget.Money.Amount / unit, Vertical: true}}
	}
	others := report.ScatterSeries{Name: "other machines", Faint: true}
	members := report.ScatterSeries{Name: "on the front", Step: report.StepAfter}
	best := report.ScatterSeries{Name: "recommended"}
	labelled := x.of(&r.Ranking[0]) // where the last label is
	for i := range r.Ranking {
		k := &r.Ranking[i]
		if k.Relative > chartedTimes {
			c.Caption += fmt.Sprintf(" %d machines that take more than %d times the best time are not shown.", len(r.Ranking)-i, chartedTimes)
			break
		}
		p := report.ScatterPoint{Name: k.Name, X: x.of(k) / unit, Y: k.Score / scale,
			Notes: fmt.Sprintf("%s, %v, %s rack units, %.3g times the best time", r.plan.money(k.Price), units.Watts(k.Power), number(k.RackUnits), k.Relative)}
		switch {
		case k.onFront(front):
			// The first is the recommended one, which has a label of its own. A label
			// takes a fifth of the width.
			if at := x.of(k); labelled-at > labelRoom*x.of(&r.Ranking[0]) {
				p.Label, labelled = k.Name, at
			}
			members.Points = append(members.Points, p)
		default:
			others.Points = append(others.Points, p)
		}
		if i == 0 {
			p.Label = k.Name
			best.Points = append(best.Points, p)
		}
	}
	c.Series = []report.ScatterSeries{others, members, best}
	return c
}

func (r *Result) frontTable() *report.Table {
	t := &report.Table{
		Title: "Pareto fronts",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "time", Numeric: true}, {Title: "relative", Numeric: true}, {Title: "price", Unit: r.Currency, Numeric: true},
			{Title: "energy", Unit: "kWh", Numeric: true}, {Title: "on the fronts of"},
		},
		Caption: "All machines that are on a front. On a front, no other machine is better in one of the quantities and as good in the rest.",
	}
	for i := range r.Ranking {
		c := &r.Ranking[i]
		if len(c.Fronts) == 0 {
			continue
		}
		if len(t.Rows) == reportRows {
			t.Caption += fmt.Sprintf(" The first %d.", reportRows)
			break
		}
		t.Rows = append(t.Rows, []string{c.Name, r.ScoreOf(c.Score), fmt.Sprintf("%.3f", c.Relative), thousands(c.Price),
			thousands(c.Energy), strings.ReplaceAll(strings.Join(c.Fronts, ", "), "-", "/")})
	}
	return t
}

// costTable shows what machines cost over their life and what a run costs on
// them.
func (r *Result) costTable() *report.Table {
	t := &report.Table{
		Title: "Cost over the years and of a run",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "price", Unit: r.Currency, Numeric: true}, {Title: "energy", Unit: r.Currency, Numeric: true}, {Title: "sum", Unit: r.Currency, Numeric: true},
		},
		Caption: "Energy: if the machine computes for the stated part of the time. A run costs its share of the price and its energy.",
	}
	for _, w := range r.plan.Workloads {
		t.Columns = append(t.Columns, report.Column{Title: "a run of " + w.Name, Unit: r.Currency, Numeric: true})
	}
	for i, c := range r.Designs() {
		if i == reportDesigns/2 {
			break
		}
		row := []string{c.Name, thousands(c.Price), thousands(c.LifeCost - c.Price), thousands(c.LifeCost)}
		for _, w := range c.Workloads {
			row = append(row, fmt.Sprintf("%.3g", w.Cost))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (r *Result) upgradeSection() report.Section {
	section := report.Section{
		Heading: "The next upgrade",
		Text: []string{
			"Each row is one step from the machine in the title, beyond the budget if need be. What counts is how much faster the mix runs for the money: the last column.",
			"Rows in brackets are not for sale: the part is taken to get a tenth better for a tenth of its price. Worth up to: the cost at which that would pay as well as the best step that is for sale; any price, where no step for sale pays.",
		},
	}
	for _, e := range r.Edges {
		text := fmt.Sprintf("If every part of %s could be bought in small steps at its present price, the next money would go into: %s.", e.From, list(e.Directions))
		if e.Efficiency <= 0 {
			text = "No small step makes " + e.From + " faster."
		}
		section.Text = append(section.Text, text)
	}
	var t *report.Table
	for i, u := range r.Upgrades {
		if i == 0 || u.From != r.Upgrades[i-1].From {
			t = &report.Table{
				Title: "Upgrades from " + u.From,
				Columns: []report.Column{
					{Title: "direction"}, {Title: "change"}, {Title: "cost", Unit: r.Currency, Numeric: true}, {Title: "faster by", Unit: "%", Numeric: true},
					{Title: "% faster for 10 000 " + r.Currency, Numeric: true}, {Title: "worth up to", Unit: r.Currency, Numeric: true}, {Title: "limit"},
				},
			}
			section.Blocks = append(section.Blocks, t)
		}
		direction, even := u.Direction, ""
		if u.Hypothetical {
			direction = "(" + direction + ")"
		}
		if u.BreakEven != nil {
			if even = thousands(*u.BreakEven); *u.BreakEven > r.Ranking[0].Price && u.From == r.Recommended {
				even = "any price"
			}
		}
		t.Rows = append(t.Rows, []string{direction, u.Change, thousands(u.Cost), fmt.Sprintf("%+.2f", Percent(u.Gain)),
			fmt.Sprintf("%+.2f", u.PerMoney(1e4)), even, u.Beyond})
	}
	return section
}

func (r *Result) certaintySection() report.Section {
	x := r.Robustness
	percent := fmt.Sprintf("%g %%", 100*x.Change)
	section := report.Section{Heading: "How sure the choice is", Text: r.Certainty()}
	if r.Lead == nil || len(x.Parameters) == 0 {
		section.Text = append(section.Text, "There is no other design to compare with.")
		return section
	}
	tornado := &report.Tornado{
		Title:     "Lead of the recommended design",
		Caption:   fmt.Sprintf("How much longer the best other design takes, if one figure is %s lower or higher. Where a bar crosses 0, another design is first. Figures at which there is no lead, because one of the two is not affordable, are in the table only.", percent),
		Value:     report.Axis{Title: "lead", Unit: "%"},
		Base:      tenth(100 * *r.Lead),
		BaseLabel: "as planned", Low: "-" + percent, High: "+" + percent,
	}
	t := &report.Table{
		Title: "Lead with one figure changed",
		Columns: []report.Column{
			{Title: "figure"}, {Title: "value"}, {Title: "lead if lower", Numeric: true}, {Title: "lead if higher", Numeric: true}, {Title: "first if lower"}, {Title: "first if higher"}, {Title: "estimate"},
		},
	}
	without, design := 0, r.Ranking[0].Design
	for _, s := range x.Parameters {
		if !s.Matters() {
			without++
			continue
		}
		if len(tornado.Swings) < reportSwings && s.Low != nil && s.High != nil {
			tornado.Swings = append(tornado.Swings, report.Swing{Parameter: s.Parameter, Low: tenth(100 * *s.Low), High: tenth(100 * *s.High)})
		}
		estimate := ""
		if s.Estimate {
			estimate = "yes"
		}
		t.Rows = append(t.Rows, []string{s.Parameter, s.Value, s.LowText(design), s.HighText(design), s.FirstLow, s.FirstHigh, estimate})
	}
	if without > 0 {
		t.Caption = fmt.Sprintf("%d more figures move the lead by less than 0.05 %%.", without)
	}
	if len(tornado.Swings) > 0 {
		section.Blocks = append(section.Blocks, tornado)
	}
	if len(t.Rows) > 0 {
		section.Blocks = append(section.Blocks, t)
	}
	if len(x.JointFirst) > 1 {
		first := &report.Table{Title: "First with all figures changed", Columns: []report.Column{{Title: "design"}, {Title: "first in cases", Numeric: true}, {Title: "share", Unit: "%", Numeric: true}}}
		for _, f := range x.JointFirst {
			first.Rows = append(first.Rows, []string{f.Design, fmt.Sprint(f.Trials), fmt.Sprintf("%.1f", 100*float64(f.Trials)/float64(x.Joint.Trials))})
		}
		section.Blocks = append(section.Blocks, first)
	}
	return section
}

func (r *Result) assumptionTable() *report.Table {
	p := r.plan
	t := &report.Table{Title: "Assumptions", Columns: []report.Column{{Title: "what"}, {Title: "value"}}}
	add := func(what, value string) { t.Rows = append(t.Rows, []string{what, value}) }
	counts := "up to as many as the budget buys"
	if !p.Counts.Affordable {
		counts = ""
		for i, n := range p.Counts.List {
			if i == 20 {
				counts += fmt.Sprintf(" ... %d", p.Counts.List[len(p.Counts.List)-1])
				break
			}
			counts += fmt.Sprintf(" %d", n)
		}
	}
	add("numbers of nodes", strings.TrimSpace(counts))
	for _, m := range p.Mixes {
		add("mix of node types", p.Nodes[m[0]].Name+" and "+p.Nodes[m[1]].Name)
	}
	if e := p.Existing; e != nil {
		add("existing machine", fmt.Sprintf("%d %s, %s; kept", e.Count, p.Nodes[e.Node].Name, p.Networks[e.Network].Name))
	}
	add("network model", p.Model.Name)
	for _, x := range p.Exchange {
		add("exchange rate", fmt.Sprintf("1 %s = %g %s", x.Currency, x.Worth, p.Budget.Money.Currency))
	}
	for _, n := range p.Nodes {
		if n.Processes != n.Cores {
			add("processes on a "+n.Name, fmt.Sprintf("%d, each with the speed of %.4g cores", n.Processes, float64(n.Cores)/float64(n.Processes)))
		} else {
			add("processes on a "+n.Name, fmt.Sprintf("%d, one for each core", n.Processes))
		}
	}
	return t
}

func (r *Result) workTable() *report.Table {
	p := r.plan
	weight := "share"
	if p.byRuns {
		weight = "runs a year"
	}
	t := &report.Table{Title: "Workloads", Columns: []report.Column{{Title: "name"}, {Title: "program"}, {Title: weight, Numeric: true}, {Title: "problem size"}, {Title: "parameters"}}}
	for _, w := range p.Workloads {
		size := fmt.Sprint(w.Run.N)
		if w.Target > 0 {
			size = fmt.Sprintf("such that the speed-efficiency is %g", w.Target)
		}
		t.Rows = append(t.Rows, []string{w.Name, w.Run.Name, weightText(w.Weight), size, input.ParameterText(w.Run.Parameters)})
	}
	return t
}

func (r *Result) figureTable() *report.Table {
	t := &report.Table{Title: "Figures", Columns: []report.Column{{Title: "of"}, {Title: "quantity"}, {Title: "value"}, {Title: "source"}, {Title: "estimate"}}}
	for _, f := range r.Figures {
		estimate := ""
		if f.Estimate {
			estimate = "yes"
		}
		t.Rows = append(t.Rows, []string{f.Of, f.Quantity, f.Value, f.Source, estimate})
	}
	return t
}

func (r *Result) notConsidered() []report.Block {
	blocks := []report.Block{&report.Notes{Items: r.NotModelled}}
	if len(r.Excluded) == 0 {
		return blocks
	}
	t := &report.Table{Title: "Left out", Columns: []report.Column{{Title: "machine or design"}, {Title: "why"}}}
	for i, e := range r.Excluded {
		if i == reportRows {
			t.Caption = fmt.Sprintf("The first %d of %d.", i, len(r.Excluded))
			break
		}
		t.Rows = append(t.Rows, []string{e.Name, e.Reason})
	}
	return append(slices.Clip(blocks), t)
}

// tenth rounds to one place after the point.
func tenth(x float64) float64 { return math.Round(10*x) / 10 }
