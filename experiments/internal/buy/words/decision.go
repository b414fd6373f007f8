package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// At most so many items on the page for a committee:
const (
	decisionMachines = 5 // columns
	decisionNames    = 4 // of one kind
)

// facts answer what a committee asks first, each in a few words. The table of questions and answers says the same at
// length.
func (r Answer) facts() []report.Fact {
	p, c := r.Plan, r.Recommendation()
	buy := report.Fact{Label: "What to buy?", Value: c.Name,
		Note: "price " + p.Money(c.Price) + " of " + p.Money(p.Budget.Money.Amount)}
	if p.Budget.Life {
		buy.Note = fmt.Sprintf("price %s; %s of %s%s", p.Money(c.Price), p.Money(c.Cost), p.Money(p.Budget.Money.Amount), r.overLife())
	}
	if p.BuysNothing(c.Choice) {
		buy.Value, buy.Note = "nothing", "keep "+c.Name
	}
	limit := report.Fact{Label: "What limits it?", Value: "no limit is given"}
	most := -1.0
	for _, x := range r.usages() {
		if x.share > most {
			most = x.share
			limit.Value, limit.Note = fmt.Sprintf("%.0f\u00a0%% of the %s", 100*x.share, x.what), x.value+" of "+x.most
		}
	}
	if text := r.bindingInWords(); text != "" {
		limit.Note = clauses(text, limit.Note)
	} else if u := r.excludedStep(); u != nil {
		limit.Note = clauses(u.Change+": "+u.Beyond, limit.Note)
	} else if !p.Objective.ByPrice() {
		limit.Note = clauses(r.Unable, limit.Note)
	}
	cost := report.Fact{Label: "What does it cost?", Value: p.Money(c.Annuity) + " a year",
		Note: fmt.Sprintf("%s over %s years", p.Money(c.LifeCost), input.Number(p.Energy.Years))}
	if c.JobCost != nil {
		cost.Note += "; " + p.PerJob(*c.JobCost)
	}
	facts := []report.Fact{buy, r.whyFact(), r.elseFact(), r.sureFact(), limit, cost, {
		Label: "How much power?", Value: units.Watts(c.Power).String(),
		Note: fmt.Sprintf("under load, without cooling; %s kWh a year with it",
			input.Thousands(c.LifeEnergy/p.Energy.Years)),
	}}
	if c.Use == nil {
		return facts // without runs in a year it is not known when it is full
	}
	growth := report.Fact{Label: "What next year?", Value: "full at once",
		Note: "a year's work takes all hours available"}
	if *c.Use < 1 {
		growth.Value = fmt.Sprintf("full at %s times the work", model.Number(1 / *c.Use))
		growth.Note = fmt.Sprintf("in %.1f years if the work grows by 20 %% a year", yearsToFill(*c.Use, 0.2))
	}
	if u := r.addition(); u != nil {
		growth.Note += fmt.Sprintf("; add %s for %s: %.1f %% faster", u.Change, p.Money(u.Cost), model.Percent(u.Gain))
		if u.Beyond != "" {
			growth.Note += ", beyond a limit"
		}
	}
	return append(facts, growth)
}

// FirstScreen compares the machine with the runner-up in three bars each, and says how sure it is the best.
func (r Answer) FirstScreen() []report.Fact {
	p, machines := r.Plan, r.bestOfDesigns()
	machines = machines[:min(2, len(machines))]
	fact := func(label, note string, of func(c *model.Candidate) (value float64, text string)) report.Fact {
		f := report.Fact{Label: label, Note: note}
		longest := 0.0
		for i := range machines {
			value, _ := of(&machines[i])
			longest = max(longest, value)
		}
		for i := range machines {
			value, text := of(&machines[i])
			if value > 0 {
				value /= longest
			}
			f.Bars = append(f.Bars, report.Bar{Label: machines[i].Name, Value: text, Length: value})
		}
		return f
	}
	work := fact("Time", "less is better; "+r.Score.Meaning+"; "+r.because(),
		func(c *model.Candidate) (float64, string) { return c.Score, r.Plan.ScoreText(c.Score) })
	load := ""
	if r.SharesMachines() {
		work = fact("Work", fmt.Sprintf("more is better: times the runs of the plan, at %g %% utilisation; %s",
			100*p.Energy.Utilisation, r.because()), func(c *model.Candidate) (float64, string) {
			return *c.Throughput, model.Number(*c.Throughput) + " times"
		})
		load = ", for " + r.loadInWords(r.Recommendation())
	}
	paid, note := "Price", "less is better"
	if p.Budget.Life {
		paid, note = "Cost", note+";"+r.overLife()
	}
	var decides []report.Fact
	if p.Scoring != nil {
		decides = append(decides, fact("Points", "more is better; at most "+model.Number(p.Scoring.Most()), func(c *model.Candidate) (float64, string) {
			i := slices.IndexFunc(r.Points, func(x model.PointsResult) bool { return x.Name == c.Name })
			return r.Points[i].Points, points(r.Points[i].Points)
		}))
	}
	return append(decides,
		fact(paid, note+"; the budget is "+p.Money(p.Budget.Money.Amount),
			func(c *model.Candidate) (float64, string) { return c.Cost, p.Money(c.Cost) }),
		work,
		fact("Energy", "less is better; a year, with cooling and losses"+load, func(c *model.Candidate) (float64, string) {
			energy := c.LifeEnergy / p.Energy.Years
			return energy, input.Thousands(energy) + " kWh"
		}),
		r.sureFact(),
	)
}

func (r Answer) whyFact() report.Fact {
	c := r.Recommendation()
	f := report.Fact{Label: "Why?", Value: r.Plan.ScoreText(c.Score), Note: r.Score.Meaning}
	if r.SharesMachines() {
		f.Value, f.Note = model.Number(*c.Throughput)+" times the runs of the plan", "in the hours of a year"
	}
	f.Note += "; " + r.because()
	if text := r.impossibleInWords(c); text != "" {
		f.Note += "; " + text
	}
	if w := c.Wait; r.SharesMachines() && w != nil && w.Mean == nil {
		f.Note += "; how long jobs wait is not known: " + w.Reason
	} else if r.SharesMachines() && w != nil {
		few := ""
		if fewWaitLong(w) != "" {
			few = " due to few jobs"
		}
		f.Note += fmt.Sprintf("; mean wait %s%s, 95 %% wait at most %s", MeanText(w), few, waitText(w.P95))
	}
	return f
}

// because says in which respect the recommended machine is the first.
func (r Answer) because() string {
	switch {
	case r.Plan.Scoring != nil:
		return fmt.Sprintf("most points, %s of at most %s", points(r.Points[0].Points), model.Number(r.Plan.Scoring.Most()))
	case r.Gap > 0 && r.Plan.Objective.ByPrice():
		return "the cheapest found that carries the mix"
	case r.Gap > 0 && r.Ranking[0].Name == r.Recommended:
		return "no machine found does better"
	case r.Gap > 0:
		return fmt.Sprintf("the cheapest found%s within %g %% of the best found", r.overLife(), 100*r.Plan.Tolerance)
	case r.Plan.Objective.ByPrice():
		return "the cheapest that carries the mix"
	case r.Ranking[0].Name == r.Recommended:
		return "no other machine within the limits does better"
	}
	return fmt.Sprintf("the cheapest%s within %g %% of the best", r.overLife(), 100*r.Plan.Tolerance)
}

func (r Answer) elseFact() report.Fact {
	f := report.Fact{Label: "What else?", Value: "no other design"}
	if r.RunnerUp != "" {
		c, next := r.Recommendation(), r.Find(r.RunnerUp)
		ratio := next.Score / c.Score
		time := model.Signed(100*(ratio-1), 1) + " % time"
		if ratio >= manyTimes {
			time = model.Number(ratio) + " times the time"
		}
		f.Value, f.Note = next.Name, time+" for "+r.moreOrLess(next)
		if r.Plan.Scoring != nil {
			f.Note += fmt.Sprintf("; %s points", points(r.Points[1].Points))
			if even := r.evenInWords(r.Points[1]); even != "" {
				f.Note += ", as many as the first with " + even
			}
		}
	}
	return f
}

func (r Answer) sureFact() report.Fact {
	f := report.Fact{Label: "How sure?", Value: "not tested", Note: r.notCompared()}
	switch u, j, one := r.Uncertain, r.Robustness.Joint, r.Robustness.OneAtATime; {
	case u != nil:
		x := of(u, r.Recommendation().Design)
		to := "on average against the best of each case"
		if r.Plan.Scoring != nil {
			to = "of the points on average to the best" // as long, for a terminal
		}
		f.Value, f.Note = "best in "+chance(x), fmt.Sprintf("of %d cases within the ranges; it loses %.2g %% %s", u.Samples, 100*x.Regret, to)
	case j.Trials > 0 && r.Lead != nil:
		f.Value, f.Note = fmt.Sprintf("%d of %d", j.First, j.Trials), fmt.Sprintf("cases with all figures changed by "+
			"up to %g %% have this design first", 100*r.Robustness.Change)
	case one.Trials > 0 && r.Lead != nil:
		f.Value, f.Note = fmt.Sprintf("%d of %d", one.First, one.Trials), fmt.Sprintf("cases with one figure changed by "+
			"%g %% have this design first", 100*r.Robustness.Change)
	}
	return f
}

// Decision returns the page for a committee: what it asks, and the machines that it chooses among.
func (r Answer) Decision() (questions, machines *report.Table) {
	return r.decisionTable(), r.choiceTable()
}

func (r Answer) decisionTable() *report.Table {
	t := r.table("questions")
	p, c := r.Plan, r.Recommendation()
	firstYear := 0.0
	if len(c.CashFlow) > 1 {
		firstYear = c.CashFlow[1].Energy
	}
	for _, x := range []struct {
		question string
		lines    []string
	}{
		{"What to buy?", []string{fmt.Sprintf("%s; price %s.", r.toBuy(true), p.Money(c.Price))}},
		{"Why?", r.recommendationInWords()[1:]},
		{"What else?", r.elseInWords()},
		{"How sure?", r.Certainty()},
		{"What limits it?", r.limitsInWords()},
		{"What does it cost?", append([]string{fmt.Sprintf("%s for the purchase.", p.Money(c.Price))},
			r.moneyInWords()...)},
		{"How much energy?", []string{fmt.Sprintf("%s kWh a year with cooling and losses, %s in the first year. "+
			"Without these it draws %v under load and %v idle; nodes compute for %.2g %% of the time.",
			input.Thousands(c.LifeEnergy/p.Energy.Years), p.Money(firstYear), units.Watts(c.Power), units.Watts(c.IdlePower), 100*c.Busy)}},
		{"What next year?", r.growthInWords()},
		{"What was excluded, and why?", r.exclusionsInWords()},
		{"What would change the answer?", []string{r.changesInWords()}},
		{"What to ask for next?", r.questionsInWords()},
	} {
		add(t, x.question, strings.Join(x.lines, " "))
	}
	return t
}

// choiceTable has the recommended machine and the best of other designs as columns.
func (r Answer) choiceTable() *report.Table {
	p := r.Plan
	t := r.table("choice")
	designs := r.bestOfDesigns()
	designs = designs[:min(len(designs), decisionMachines)]
	t.Columns = each.Append(t.Columns, designs, func(c model.Candidate) report.Column {
		return report.Column{Title: c.Name, Numeric: true}
	})
	row := func(what string, of func(c *model.Candidate) string) {
		cells := []string{what}
		for i := range designs {
			cells = append(cells, of(&designs[i]))
		}
		add(t, cells...)
	}
	row(r.Score.Meaning, func(c *model.Candidate) string { return r.Plan.ScoreText(c.Score) })
	if r.SharesMachines() {
		row("mean wait of a job", func(c *model.Candidate) string { return MeanText(c.Wait) })
	}
	row("price", func(c *model.Candidate) string { return p.Money(c.Price) })
	row(fmt.Sprintf("cost over %s years", input.Number(p.Energy.Years)),
		func(c *model.Candidate) string { return p.Money(c.LifeCost) })
	row("cost of a year", func(c *model.Candidate) string { return p.Money(c.Annuity) })
	row("cost", func(c *model.Candidate) string { return known(c.JobCost, "-", p.PerJob) })
	row("energy of a year",
		func(c *model.Candidate) string { return input.Thousands(c.LifeEnergy/p.Energy.Years) + " kWh" })
	row("power under load", func(c *model.Candidate) string { return units.Watts(c.Power).String() })
	row("rack units", func(c *model.Candidate) string { return input.Number(c.RackUnits) })
	return t
}

// few joins the first of some names, and says how many more there are.
func few(names []string) string {
	if more := len(names) - decisionNames; more > 0 {
		return strings.Join(names[:decisionNames], "; ") + fmt.Sprintf("; and %d more", more)
	}
	return strings.Join(names, "; ")
}

// clauses joins the texts that are not empty.
func clauses(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(x string) bool { return x == "" }), "; ")
}

// elseInWords names the machines that are as good within the threshold, and a cheaper one
// that is nearly as good.
func (r Answer) elseInWords() []string {
	p, c := r.Plan, r.Recommendation()
	if p.Scoring != nil {
		return r.rivalsInWords()
	}
	var names []string
	for _, x := range r.Ranking {
		if x.Name != c.Name && x.Objective <= r.Ranking[0].Objective*(1+p.Tolerance) {
			names = append(names, fmt.Sprintf("%s for %s (%s %%)", x.Name, p.Money(x.Price),
				model.Signed(100*(*model.Relative(x.Objective, c.Objective)-1), 1)))
		}
	}
	text := []string{fmt.Sprintf("No other machine is within %g %% of the best.", 100*p.Tolerance)}
	if len(names) > 0 {
		text[0] = fmt.Sprintf("%s within %g %% of the best, by what decides: %s.",
			input.Capitalized(input.Plural(len(names), "other machine")), 100*p.Tolerance, few(names))
	}
	if v := r.value(); v != nil {
		text = append(text, fmt.Sprintf("For less money: %s for %s%s takes %.1f %% longer.", v.Name, p.Money(v.Cost), r.overLife(),
			100*(v.Score/c.Score-1)))
	}
	return text
}

// A usage is how much of a limit the recommended machine uses.
type usage struct {
	what, value, most string
	share             float64
}

func (r Answer) usages() (used []usage) {
	p, c := r.Plan, r.Recommendation()
	if most := p.Budget.Money.Amount; most > 0 {
		what := "money"
		if p.Budget.Life {
			what = "money over the years"
		}
		used = append(used, usage{what, input.Thousands(c.Cost), p.Money(most), c.Cost / most})
	}
	if most := p.Budget.Power; most > 0 {
		used = append(used, usage{"power", units.Watts(c.Power).String(), most.String(), c.Power / float64(most)})
	}
	if most := p.Budget.RackUnits; most > 0 {
		used = append(used, usage{"rack units", input.Number(c.RackUnits), input.Number(most), c.RackUnits / most})
	}
	return used
}

// limitsInWords says how much of each limit the recommended machine uses, and why it does not have one more node.
func (r Answer) limitsInWords() []string {
	used := each.Of(r.usages(), func(x usage) string {
		return fmt.Sprintf("%s %s of %s (%.0f %%)", x.what, x.value, x.most, 100*x.share)
	})
	text := []string{"It uses: " + strings.Join(used, ", ") + "."}
	if binding := r.bindingInWords(); binding != "" {
		text = append(text, input.Capitalized(binding)+".")
	}
	if u := r.excludedStep(); u != nil {
		text = append(text, fmt.Sprintf("The next step, %s, is beyond a limit: %s.", u.Change, u.Beyond))
	}
	if len(r.Causes) > 0 {
		text = append(text, "Runs are "+r.causesInWords()+".")
	}
	return text
}

func (r Answer) growthInWords() (text []string) {
	switch use := r.Recommendation().Use; {
	case use == nil:
		text = append(text, "The plan gives no runs in a year, so it is not known when the machine is full.")
	case *use >= 1:
		text = append(text, "The machine is full in the first year.")
	default:
		years := each.Of([]float64{0.1, 0.2, 0.4}, func(growth float64) string {
			return fmt.Sprintf("%.1f years if it grows by %g %% a year", yearsToFill(*use, growth), 100*growth)
		})
		text = append(text, fmt.Sprintf("The machine is full when the work is %s times that of the plan: after %s.",
			model.Number(1 / *use), input.Joined(years, "and")))
	}
	if u := r.addition(); u != nil {
		text = append(text, fmt.Sprintf("The most useful addition is %s for %s: %.1f %% faster.", u.Change,
			r.Plan.Money(u.Cost), model.Percent(u.Gain)))
	}
	return text
}

// yearsToFill returns the years after which a machine is full if its work grows by that fraction each year.
func yearsToFill(use, growth float64) float64 { return math.Log(1/use) / math.Log(1+growth) }

// addition returns the most useful addition to the recommended machine, or nil.
func (r Answer) addition() *model.Upgrade {
	return r.forSale(func(u model.Upgrade) bool { return u.Addition })
}

// excludedStep returns the most useful upgrade of the recommended machine that a limit excludes, or nil. With objective
// cheapest no limit matters: none keeps a machine from being cheaper.
func (r Answer) excludedStep() *model.Upgrade {
	if r.Plan.Objective.ByPrice() && r.Plan.Scoring == nil {
		return nil
	}
	return r.forSale(func(u model.Upgrade) bool { return u.Beyond != "" })
}

// forSale returns the most useful upgrade of the recommended machine among those for sale that suit, or nil.
func (r Answer) forSale(suits func(model.Upgrade) bool) *model.Upgrade {
	i := slices.IndexFunc(r.Upgrades, func(u model.Upgrade) bool {
		return u.From == r.Recommended && !u.Hypothetical && u.Gain > 0 && suits(u)
	})
	if i < 0 {
		return nil
	}
	return &r.Upgrades[i]
}

func (r Answer) exclusionsInWords() []string {
	if len(r.ExcludedBy) == 0 {
		return []string{"None."}
	}
	var text []string
	causes, of := grouped(r.ExcludedBy, func(x model.ExcludedDesign) string { return x.Cause })
	for _, cause := range causes {
		machines, designs := 0, []string(nil)
		for _, x := range of[cause] { // each stands for a design of its own
			machines, designs = machines+x.Machines, append(designs, x.Design)
		}
		why := cause + " cannot run"
		switch cause {
		case model.CauseBudget:
			why = "beyond the limits of the budget"
		case model.CauseRequired:
			why = "they do not meet a requirement"
		case model.CauseObjective:
			why = "they do not carry the mix"
		case model.CauseScreened:
			why = "worse than others whatever a simulation shows"
		}
		text = append(text, fmt.Sprintf("%s of %s: %s (%s).", input.Plural(machines, "machine"),
			input.Plural(len(designs), "design"), why, few(designs)))
	}
	return append(text, "The section "+headingExcluded+" lists all with their reasons.")
}

func (r Answer) changesInWords() string {
	x, design := r.Robustness, r.Recommendation().Design
	if !r.compared() {
		return input.Capitalized(r.notCompared()) + "."
	}
	var names []string
	for _, s := range x.Parameters {
		for i, first := range []string{s.FirstLow, s.FirstHigh} {
			if first != design && first != "" {
				names = append(names, fmt.Sprintf("%s %g %% %s (then %s)", s.Parameter, 100*x.Change,
					[]string{"lower", "higher"}[i], first))
			}
		}
	}
	if len(names) == 0 {
		return fmt.Sprintf("No single figure that is %g %% lower or higher.", 100*x.Change)
	}
	return input.Capitalized(few(names)) + "."
}

func (r Answer) questionsInWords() []string {
	var text, worth, estimates []string
	if u := r.Uncertain; u != nil {
		for _, f := range u.Figures {
			if worthAsking(f) {
				worth = append(worth, fmt.Sprintf("%s, worth %.2g %%", f.Figure, 100*f.Value))
			}
		}
	}
	if len(worth) > 0 {
		text = append(text, "By the worth of knowing them: "+few(worth)+".")
	}
	for _, s := range r.Robustness.Parameters {
		if s.Estimate && s.Matters() {
			estimates = append(estimates, s.Parameter)
		}
	}
	if len(estimates) > 0 {
		text = append(text, "Estimates on which the lead depends, for a quote or a benchmark: "+few(estimates)+".")
	}
	switch {
	case len(text) > 0:
		return text
	case !r.compared():
		return []string{input.Capitalized(r.notCompared()) + "."}
	}
	return []string{"No estimate changes the lead."}
}
