package words

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

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
