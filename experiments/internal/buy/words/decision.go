package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// What the page for a committee names at most.
const (
	decisionMachines = 5 // columns
	decisionNames    = 4 // of one kind
)

// decisionSection is the page for a committee: what it asks, and the machines that it
// chooses among.
func (r Answer) decisionSection() report.Section {
	return report.Section{Heading: "The decision on one page", Blocks: []report.Block{r.decisionTable(), r.choiceTable()}}
}

// decisionTable answers the questions of a committee.
func (r Answer) decisionTable() *report.Table {
	t := &report.Table{Title: "Questions and answers", Columns: []report.Column{{Title: "question"}, {Title: "answer"}}}
	p, c := r.Plan, r.Recommendation()
	answer, money := r.recommendationInWords(), r.moneyInWords()
	cost := []string{fmt.Sprintf("%s for the purchase.", p.Money(c.Price))}
	if p.Costs.Any() {
		cost, money = append(cost, money[0]), money[1:]
	}
	for _, x := range []struct {
		question string
		lines    []string
	}{
		{"What to buy?", []string{fmt.Sprintf("%s; price %s.", c.Name, p.Money(c.Price))}},
		{"Why?", answer[1:]},
		{"What else?", append(r.elseInWords(), money...)},
		{"How sure?", r.Certainty()},
		{"What limits it?", r.limitsInWords()},
		{"What does it cost?", cost},
		{"How much energy?", r.energyInWords()},
		{"What next year?", r.growthInWords()},
		{"What was excluded, and why?", r.exclusionsInWords()},
		{"What would change the answer?", r.changesInWords()},
		{"What to ask for next?", r.questionsInWords()},
	} {
		t.Rows = append(t.Rows, []string{x.question, strings.Join(x.lines, " ")})
	}
	return t
}

// choiceTable has the recommended machine and the best of other designs as columns.
func (r Answer) choiceTable() *report.Table {
	p := r.Plan
	t := &report.Table{Title: "The recommended machine and the best of other designs", Columns: []report.Column{{Title: "machine"}}}
	rows := []struct {
		what string
		of   func(c *model.Candidate) string
	}{
		{r.Score.Meaning, func(c *model.Candidate) string { return r.ScoreOf(c.Score) }},
		{"price", func(c *model.Candidate) string { return p.Money(c.Price) }},
		{fmt.Sprintf("cost over %s years", input.Number(p.Energy.Years)), func(c *model.Candidate) string { return p.Money(c.LifeCost) }},
		{"cost of a year", func(c *model.Candidate) string { return p.Money(c.Annuity) }},
		{"cost of a job", func(c *model.Candidate) string {
			if c.JobCost == nil {
				return "-"
			}
			return p.Money(*c.JobCost)
		}},
		{"energy of a year", func(c *model.Candidate) string { return model.Thousands(c.LifeEnergy/p.Energy.Years) + " kWh" }},
		{"power under load", func(c *model.Candidate) string { return units.Watts(c.Power).String() }},
		{"rack units", func(c *model.Candidate) string { return input.Number(c.RackUnits) }},
	}
	if r.SharesMachines() {
		rows = slices.Insert(rows, 1, struct {
			what string
			of   func(c *model.Candidate) string
		}{"mean wait of a job", func(c *model.Candidate) string { return MeanText(c.Wait) }})
	}
	designs := []model.Candidate{*r.Recommendation()}
	for _, c := range r.Designs() {
		if c.Name != r.Recommended && len(designs) < decisionMachines {
			designs = append(designs, c)
		}
	}
	for i := range designs {
		t.Columns = append(t.Columns, report.Column{Title: designs[i].Name, Numeric: true})
	}
	for _, x := range rows {
		row := []string{x.what}
		for i := range designs {
			row = append(row, x.of(&designs[i]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// few joins the first names of a list, and says how many more there are.
func few(names []string) string {
	if more := len(names) - decisionNames; more > 0 {
		return strings.Join(names[:decisionNames], "; ") + fmt.Sprintf("; and %d more", more)
	}
	return strings.Join(names, "; ")
}

// elseInWords names the machines that are as good within the threshold, and a cheaper one
// that is nearly as good.
func (r Answer) elseInWords() []string {
	p, c := r.Plan, r.Recommendation()
	least := r.Ranking[0].Objective
	var names []string
	for i := range r.Ranking {
		x := &r.Ranking[i]
		if x.Name == c.Name || x.Objective > least*(1+p.Tolerance) {
			continue
		}
		names = append(names, fmt.Sprintf("%s for %s (%+.1f %%)", x.Name, p.Money(x.Price), 100*(model.Relative(x.Objective, c.Objective)-1)))
	}
	text := []string{fmt.Sprintf("No other machine is within %g %% of the best.", 100*p.Tolerance)}
	if len(names) > 0 {
		text[0] = fmt.Sprintf("%s within %g %% of the best, by what decides: %s.", input.Capitalized(input.Plural(len(names), "other machine")), 100*p.Tolerance, few(names))
	}
	if v := r.value(); v != nil {
		text = append(text, fmt.Sprintf("For less money: %s for %s takes %.1f %% longer.", v.Name, p.Money(v.Price), 100*(v.Score/c.Score-1)))
	}
	return text
}

// A usage is how much of a limit the recommended machine uses.
type usage struct {
	what, value, most string
	share             float64
}

// usages are those of each limit of the plan.
func (r Answer) usages() []usage {
	p, c := r.Plan, r.Recommendation()
	var used []usage
	if most := p.Budget.Money.Amount; most > 0 {
		money, what := c.Price, "money"
		if p.Budget.Life {
			money, what = c.LifeCost, "money over the years"
		}
		used = append(used, usage{what, model.Thousands(money), p.Money(most), money / most})
	}
	if most := p.Budget.Power; most > 0 {
		used = append(used, usage{"power", units.Watts(c.Power).String(), most.String(), c.Power / float64(most)})
	}
	if most := p.Budget.RackUnits; most > 0 {
		used = append(used, usage{"rack units", input.Number(c.RackUnits), input.Number(most), c.RackUnits / most})
	}
	return used
}

// limitsInWords says how much of each limit the recommended machine uses, and why it has
// not one node more.
func (r Answer) limitsInWords() []string {
	c := r.Recommendation()
	var used []string
	for _, x := range r.usages() {
		used = append(used, fmt.Sprintf("%s %s of %s (%.0f %%)", x.what, x.value, x.most, 100*x.share))
	}
	text := []string{"It uses: " + strings.Join(used, ", ") + "."}
	if u := r.nextAddition(func(u *model.Upgrade) bool { return u.Beyond != "" }); u != nil {
		text = append(text, fmt.Sprintf("The next step, %s, is beyond a limit: %s.", u.Change, u.Beyond))
	}
	var low []string
	for i := range c.Workloads {
		if w := &c.Workloads[i]; w.Work > 0 && w.Efficiency < model.LowEfficiency {
			low = append(low, fmt.Sprintf("%s (%s)", w.Name, limitedBy(w)))
		}
	}
	if len(low) > 0 {
		text = append(text, fmt.Sprintf("Below %g %% of the marked speed run: %s.", 100*model.LowEfficiency, strings.Join(low, ", ")))
	}
	return text
}

// energyInWords says what the recommended machine draws and what that costs.
func (r Answer) energyInWords() []string {
	p, c := r.Plan, r.Recommendation()
	first := 0.0
	if len(c.CashFlow) > 1 {
		first = c.CashFlow[1].Energy
	}
	return []string{fmt.Sprintf("%s kWh a year with cooling and losses, %s in the first year. Without these it draws %v under load and %v idle; nodes compute for %.2g %% of the time.",
		model.Thousands(c.LifeEnergy/p.Energy.Years), p.Money(first), units.Watts(c.Power), units.Watts(c.IdlePower), 100*c.Busy)}
}

// growthInWords says for how long the machine is large enough, and what to add to it.
func (r Answer) growthInWords() []string {
	c := r.Recommendation()
	var text []string
	switch {
	case c.Use == nil:
		text = append(text, "The plan gives no runs in a year, so it is not known when the machine is full.")
	case *c.Use >= 1:
		text = append(text, "The machine is full in the first year.")
	default:
		var years []string
		for _, growth := range []float64{0.1, 0.2, 0.4} {
			years = append(years, fmt.Sprintf("%.1f years if it grows by %g %% a year", yearsToFill(*c.Use, growth), 100*growth))
		}
		text = append(text, fmt.Sprintf("The machine is full when the work is %.3g times that of the plan: after %s.", 1 / *c.Use, model.List(years)))
	}
	if u := r.nextAddition(func(*model.Upgrade) bool { return true }); u != nil {
		text = append(text, fmt.Sprintf("The most useful addition is %s for %s: %.1f %% faster.", u.Change, r.Plan.Money(u.Cost), model.Percent(u.Gain)))
	}
	return text
}

// exclusionsInWords says how many machines are excluded for which cause.
func (r Answer) exclusionsInWords() []string {
	if len(r.ExcludedBy) == 0 {
		return []string{"None."}
	}
	type count struct {
		cause    string
		machines int
		designs  []string
	}
	var counts []count
	for _, x := range r.ExcludedBy {
		i := slices.IndexFunc(counts, func(c count) bool { return c.cause == x.Cause })
		if i < 0 {
			i = len(counts)
			counts = append(counts, count{cause: x.Cause})
		}
		counts[i].machines += x.Machines
		if !slices.Contains(counts[i].designs, x.Design) {
			counts[i].designs = append(counts[i].designs, x.Design)
		}
	}
	var text []string
	for _, c := range counts {
		why := c.cause + " cannot run"
		switch c.cause {
		case model.CauseBudget:
			why = "beyond the limits of the budget"
		case model.CauseObjective:
			why = "they do not carry the mix"
		case model.CauseScreened:
			why = "worse than others whatever a simulation shows"
		}
		text = append(text, fmt.Sprintf("%s of %s: %s (%s).", input.Plural(c.machines, "machine"), input.Plural(len(c.designs), "design"), why, few(c.designs)))
	}
	return append(text, "The section "+headingExcluded+" has them all with the reason.")
}

// changesInWords names the figures that put another design first.
func (r Answer) changesInWords() []string {
	x, design := r.Robustness, r.Recommendation().Design
	if len(x.Parameters) == 0 || r.Lead == nil {
		return []string{"There is no other design to compare it with."}
	}
	var names []string
	for _, s := range x.Parameters {
		add := func(first, direction string) {
			if first != design && first != "" {
				names = append(names, fmt.Sprintf("%s %g %% %s (then %s)", s.Parameter, 100*x.Change, direction, first))
			}
		}
		add(s.FirstLow, "lower")
		add(s.FirstHigh, "higher")
	}
	if len(names) == 0 {
		return []string{fmt.Sprintf("No single figure that is %g %% lower or higher.", 100*x.Change)}
	}
	return []string{input.Capitalized(few(names)) + "."}
}

// questionsInWords says which figures to ask for.
func (r Answer) questionsInWords() []string {
	var text, names []string
	if u := r.Uncertain; u != nil {
		for _, f := range u.Figures {
			if f.Value >= worthKnowing {
				names = append(names, fmt.Sprintf("%s, worth %.2g %%", f.Figure, 100*f.Value))
			}
		}
	}
	if len(names) > 0 {
		text = append(text, "By what it is worth to know them: "+few(names)+".")
	}
	names = nil
	for _, s := range r.Robustness.Parameters {
		if s.Estimate && s.Matters() {
			names = append(names, s.Parameter)
		}
	}
	if len(names) > 0 {
		text = append(text, "Estimates on which the lead depends, for a quote or a benchmark: "+few(names)+".")
	}
	if len(text) == 0 {
		return []string{"No estimate changes the lead."}
	}
	return text
}

// facts answer what a committee asks first, each in a few words. The table of questions and
// answers has the same at length.
func (r Answer) facts() []report.Fact {
	p, c := r.Plan, r.Recommendation()
	facts := []report.Fact{
		{Label: "What to buy?", Value: c.Name, Note: "price " + p.Money(c.Price) + " of " + p.Money(p.Budget.Money.Amount)},
		r.whyFact(),
		r.elseFact(),
		r.sureFact(),
		r.limitFact(),
		r.costFact(),
		{Label: "How much power?", Value: units.Watts(c.Power).String(), Note: fmt.Sprintf("under load, without cooling; %s kWh a year with it", model.Thousands(c.LifeEnergy/p.Energy.Years))},
	}
	if p.BuysNothing(c.Choice) {
		facts[0] = report.Fact{Label: "What to buy?", Value: "nothing", Note: "keep " + c.Name}
	}
	if f, known := r.growthFact(); known {
		facts = append(facts, f)
	}
	return facts
}

// whyFact says what the recommended machine is good at.
func (r Answer) whyFact() report.Fact {
	c := r.Recommendation()
	f := report.Fact{Label: "Why?", Value: r.ScoreOf(c.Score), Note: r.Score.Meaning}
	if r.SharesMachines() {
		f = report.Fact{Label: "Why?", Value: fmt.Sprintf("%.3g times the mix", *c.Throughput), Note: "in a year"}
		if w := c.Wait; w != nil && w.Mean != nil {
			few := ""
			if fewWaitLong(w) != "" {
				few = " by few jobs"
			}
			f.Note += fmt.Sprintf("; mean wait %s%s, 95 %% wait at most %s", waitText(w.Mean), few, waitText(w.P95))
		}
	}
	switch {
	case r.Plan.Objective.ByPrice():
		f.Note += "; the cheapest that carries the mix"
	case r.Ranking[0].Name == c.Name:
		f.Note += "; no other machine within the limits does better"
	default:
		f.Note += fmt.Sprintf("; the cheapest within %g %% of the best", 100*r.Plan.Tolerance)
	}
	return f
}

// elseFact names the best machine of another design.
func (r Answer) elseFact() report.Fact {
	f := report.Fact{Label: "What else?", Value: "no other design"}
	if r.Lead == nil {
		return f
	}
	c, next := r.Recommendation(), r.Find(r.RunnerUp)
	f.Value, f.Note = next.Name, fmt.Sprintf("%+.1f %% time for ", 100*(next.Score/c.Score-1))
	if by := next.Price - c.Price; by != 0 {
		f.Note += fmt.Sprintf("%s %s", r.Plan.Money(math.Abs(by)), moreOrLess(by > 0))
	} else {
		f.Note += "the same price"
	}
	return f
}

// sureFact says how often the recommended design is the best choice if figures are others.
func (r Answer) sureFact() report.Fact {
	f := report.Fact{Label: "How sure?", Value: "not tested", Note: "there is no other design to compare it with"}
	design := r.Recommendation().Design
	switch u, j := r.Uncertain, r.Robustness.Joint; {
	case u != nil:
		x := of(u, design)
		f.Value, f.Note = fmt.Sprintf("%.0f %%", 100*x.Probability), fmt.Sprintf("of %d cases within the ranges have this design first; to choose it loses %.2g %% on average", u.Samples, 100*x.Regret)
	case j.Trials > 0 && r.Lead != nil:
		f.Value, f.Note = fmt.Sprintf("%d of %d", j.First, j.Trials), fmt.Sprintf("cases with all figures changed by up to %g %% have this design first", 100*r.Robustness.Change)
	}
	return f
}

// limitFact names the limit of which the recommended machine uses most, and the addition that
// would exceed a limit.
func (r Answer) limitFact() report.Fact {
	f := report.Fact{Label: "What limits it?", Value: "no limit is given"}
	most := -1.0
	for _, x := range r.usages() {
		if x.share > most {
			most = x.share
			f.Value, f.Note = fmt.Sprintf("%.0f\u00a0%% of the %s", 100*x.share, x.what), x.value+" of "+x.most
		}
	}
	if u := r.nextAddition(func(u *model.Upgrade) bool { return u.Beyond != "" }); u != nil {
		f.Note += fmt.Sprintf("; %s: %s", u.Change, u.Beyond)
	}
	return f
}

// costFact says what the machine costs over its years.
func (r Answer) costFact() report.Fact {
	p, c := r.Plan, r.Recommendation()
	f := report.Fact{Label: "What does it cost?", Value: p.Money(c.Annuity) + " a year", Note: fmt.Sprintf("%s over %s years", p.Money(c.LifeCost), input.Number(p.Energy.Years))}
	if c.JobCost != nil {
		f.Note += fmt.Sprintf("; %s per job", p.Money(*c.JobCost))
	}
	return f
}

// growthFact says when the machine is full, and what to add to it then. It is not known
// without runs in a year.
func (r Answer) growthFact() (report.Fact, bool) {
	c := r.Recommendation()
	if c.Use == nil {
		return report.Fact{}, false
	}
	f := report.Fact{Label: "What next year?", Value: "full at once", Note: "a year's work takes all hours available"}
	if *c.Use < 1 {
		f.Value = fmt.Sprintf("full at %.3g times the work", 1 / *c.Use)
		f.Note = fmt.Sprintf("in %.1f years if the work grows by 20 %% a year", yearsToFill(*c.Use, 0.2))
	}
	if u := r.nextAddition(func(*model.Upgrade) bool { return true }); u != nil {
		f.Note += fmt.Sprintf("; add %s for %s: %.1f %% faster", u.Change, r.Plan.Money(u.Cost), model.Percent(u.Gain))
	}
	return f, true
}

// yearsToFill returns after how many years a machine is full if its work grows by a part in
// each.
func yearsToFill(use, growth float64) float64 { return math.Log(1/use) / math.Log(1+growth) }

// nextAddition returns the most useful addition to the recommended machine that is for sale
// and that a condition allows, or nil.
func (r Answer) nextAddition(allowed func(*model.Upgrade) bool) *model.Upgrade {
	for i := range r.Upgrades {
		if u := &r.Upgrades[i]; u.From == r.Recommended && !u.Hypothetical && u.Gain > 0 && allowed(u) {
			return u
		}
	}
	return nil
}
