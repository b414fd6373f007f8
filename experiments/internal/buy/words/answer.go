package words

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// An Answer is the result of a plan with its words.
type Answer struct{ *model.Result }

// Of puts the warnings of a result, and what it leaves out of account, into words.
func Of(r *model.Result) Answer {
	a := Answer{r}
	r.Warnings = []string{}
	a.warn()
	r.NotModelled = notModelled(r.Plan)
	return a
}

// Designs returns the best candidate of each design, the fastest first; for the recommended design it is the
// recommended machine.
func (r Answer) Designs() []model.Candidate {
	var best []model.Candidate
	seen := map[string]bool{}
	chosen := r.Recommendation()
	for _, c := range r.Ranking {
		if !seen[c.Design] && (c.Design != chosen.Design || c.Name == chosen.Name) {
			seen[c.Design] = true
			best = append(best, c)
		}
	}
	return best
}

// Summary returns the recommendation in plain words, with what it costs over the years.
func (r Answer) Summary() []string { return append(r.recommendationInWords(), r.moneyInWords()...) }

// Brief returns questions and answers, the most important ones first: what, why, how sure, what else, what to ask for.
func (r Answer) Brief() (rows [][]string) {
	row := func(question string, answers ...string) {
		if text := clauses(answers...); text != "" {
			rows = append(rows, []string{question, text})
		}
	}
	for _, f := range r.facts() {
		row(f.Label, f.Value, f.Note)
	}
	row("What limits runs?", input.Capitalized(r.causesInWords()))
	row("What to ask for?", strings.Join(r.questionsInWords(), " "))
	if n := len(r.Warnings); n > 0 {
		row("What to check?", input.Plural(n, "point")+": "+strings.Join(r.Warnings, "; "))
	}
	return rows
}

func (r Answer) moneyInWords() []string {
	p, c := r.Plan, r.Recommendation()
	if !p.Costs.Any() {
		return nil
	}
	line := fmt.Sprintf("Over %s years it costs %s at present value, %s a year", input.Number(p.Energy.Years),
		p.Money(c.LifeCost), p.Money(c.Annuity))
	if c.JobCost != nil {
		line += ", " + p.PerJob(*c.JobCost)
	}
	return []string{line + "."}
}

func (r Answer) recommendationInWords() []string {
	p, c := r.Plan, r.Recommendation()
	text := []string{r.toBuy(true) + "."}
	if !p.BuysNothing(c.Choice) {
		life := ""
		if p.Budget.Life {
			life = fmt.Sprintf(", over %s years %s in all,", input.Number(p.Energy.Years), p.Money(c.LifeCost))
		}
		text[0] += fmt.Sprintf(" This costs %s%s of the budget of %s, draws %v under load and occupies %s rack units.",
			p.Money(c.Price), life, p.Money(p.Budget.Money.Amount), units.Watts(c.Power), input.Number(c.RackUnits))
	}
	work := fmt.Sprintf("The %s is %s.", r.Score.Meaning, r.Plan.ScoreText(c.Score))
	switch {
	case c.Use == nil:
	case p.SideBySide():
		work = r.throughputInWords(c)
	default:
		work = fmt.Sprintf("A year's work takes %s of computation, %s.", r.Plan.ScoreText(c.Score), r.hoursInWords(*c.Use))
	}
	if text := r.impossibleInWords(c); text != "" {
		work += " " + input.Capitalized(text) + "."
	}
	if t := r.Today; t != nil && t.Name != c.Name {
		work += fmt.Sprintf(" This is %.3g times as fast as the existing machine.", t.Score/c.Score)
	}
	if p.Scoring != nil {
		return append(text, work, r.pointsInWords())
	}
	if p.Objective.ByPrice() {
		return append(text, work, r.nextCheapest())
	}
	within := fmt.Sprintf("within the tolerance of %g %%", 100*p.Tolerance)
	if fastest := r.Ranking[0]; fastest.Name != c.Name && fastest.Name != r.RunnerUp {
		work += fmt.Sprintf(" The fastest machine, %s for %s, takes %.1f %% less time, %s.", fastest.Name,
			p.Money(fastest.Price), 100*(1 - 1 / *c.Relative), within)
	}
	runnerUp := "No other design is within the budget and can run every workload."
	if r.Lead != nil {
		next := r.Find(r.RunnerUp)
		longer := fmt.Sprintf("%.1f %% longer", 100**r.Lead)
		switch {
		case *r.Lead >= manyTimes-1:
			longer = model.Number(1+*r.Lead) + " times as long"
		case *r.Lead < 0:
			longer = fmt.Sprintf("%.1f %% less time, %s,", -100**r.Lead, within)
		}
		runnerUp = fmt.Sprintf("The best machine of another design, %s for %s, takes %s and costs %s.",
			next.Name, p.Money(next.Price), longer, r.moreOrLess(next))
		if *r.Lead < tooClose {
			runnerUp += " The difference in time is not significant: decide by price, power consumption and the " +
				"quotes that you receive."
		}
	}
	text = append(text, work, runnerUp)
	switch v := r.value(); {
	case v == nil || v.Name == r.RunnerUp:
	case v.Price == 0:
		text = append(text, fmt.Sprintf("The existing machine, %s, costs nothing and takes %.1f %% longer.", v.Name,
			100*(v.Score/c.Score-1)))
	default:
		text = append(text, fmt.Sprintf("A cheaper alternative is %s for %s: it costs %.0f %% less%s and takes %.1f %% "+
			"longer.",
			v.Name, p.Money(v.Price), 100*(1-v.Cost/c.Cost), r.overLife(), 100*(v.Score/c.Score-1)))
	}
	return text
}

// moreOrLess says what a machine costs the budget compared with the recommended one.
func (r Answer) moreOrLess(c *model.Candidate) string {
	by := c.Cost - r.Recommendation().Cost
	switch {
	case by > 0:
		return r.Plan.Money(by) + " more" + r.overLife()
	case by < 0:
		return r.Plan.Money(-by) + " less" + r.overLife()
	}
	return "as much money" + r.overLife()
}

// overLife says for how long the budget pays, or "" where it pays only the purchase.
func (r Answer) overLife() string {
	if !r.Plan.Budget.Life {
		return ""
	}
	return fmt.Sprintf(" over %s years", input.Number(r.Plan.Energy.Years))
}

func (r Answer) hoursInWords(use float64) string {
	percent := "less than 1"
	if 100*use >= 1 {
		percent = fmt.Sprintf("%.0f", 100*use)
	}
	return fmt.Sprintf("%s %% of the hours available in a year at %g %% utilisation", percent,
		100*r.Plan.Energy.Utilisation)
}

func (r Answer) throughputInWords(c *model.Candidate) string {
	text := fmt.Sprintf("It can do %s times the runs of the plan in the hours of a year at %g %% utilisation, jobs side by side. "+
		"Energy, waits and costs are for %s.", model.Number(*c.Throughput), 100*r.Plan.Energy.Utilisation, r.loadInWords(c))
	if r.Plan.Objective.Name == model.ObjectiveTime {
		text = fmt.Sprintf("The %s is %s. ", r.Score.Meaning, r.Plan.ScoreText(c.Score)) + text
	}
	switch w := c.Wait; {
	case w == nil:
	case w.Mean == nil:
		text += " How long jobs wait is not known: " + w.Reason + "."
	default:
		text += fmt.Sprintf(" A job waits %s on average, and 95 %% of the jobs wait at most %s.", MeanText(w),
			waitText(w.P95))
		if !meanOf(w).Sharp() {
			text += fmt.Sprintf(" After %s the mean is not known any better.", input.Plural(w.Jobs, "submission"))
		}
		if few := fewWaitLong(w); few != "" {
			text += " " + input.Capitalized(few) + "."
		}
	}
	return text
}

// impossibleInWords says what the runs count as that a machine cannot do; "" for none.
func (r Answer) impossibleInWords(c *model.Candidate) string {
	var all []string
	for _, w := range c.Workloads {
		if w.Impossible != "" {
			all = append(all, fmt.Sprintf("runs of %s, which it cannot do, count as %s each", w.Name, queue.Span(units.Seconds(w.CountsAs))))
		}
	}
	return strings.Join(all, "; ")
}

// loadInWords says what a machine does in a year.
func (r Answer) loadInWords(c *model.Candidate) string {
	switch {
	case r.Plan.Load == model.LoadFull:
		return "all that it can do"
	case *c.Done < 1:
		return "the part of these runs that it can do"
	}
	return "the runs of the plan"
}

// SharesMachines reports whether the machines are compared by the work of a year with jobs side by side.
func (r Answer) SharesMachines() bool { return r.Plan.ByRuns && r.Plan.SideBySide() }

// MeanText prints a mean wait with its interval; "-" if it is not known.
func MeanText(w *model.WaitResult) string {
	if w == nil || w.Mean == nil {
		return "-"
	}
	return meanOf(w).Text()
}

// meanOf returns the mean wait. REQUIRES: it is known.
func meanOf(w *model.WaitResult) queue.MeanWait {
	return queue.MeanWait{Mean: units.Seconds(*w.Mean), Low: units.Seconds(*w.Low), High: units.Seconds(*w.High)}
}

// waitText prints a wait for people; "-" if it is not known.
func waitText(wait *float64) string {
	return known(wait, "-", func(t float64) string { return queue.Span(units.Seconds(t)) })
}

// fewWaitLong explains a mean wait above the wait of 95 % of the jobs; else it is "".
func fewWaitLong(w *model.WaitResult) string {
	if w.Mean == nil || *w.Mean <= *w.P95 {
		return ""
	}
	return queue.FewWaitLong(*w.Above, units.Seconds(*w.Most))
}

func (r Answer) nextCheapest() string {
	if r.RunnerUp == "" {
		return "No other design within the budget carries the mix."
	}
	next := r.Find(r.RunnerUp)
	return fmt.Sprintf("The cheapest machine of another design that carries the mix, %s, costs %s, %s more.",
		next.Name, r.Plan.Money(next.Objective), r.Plan.Money(next.Objective-r.Recommendation().Objective))
}

const (
	tooClose     = 0.05 // the lead below which a difference between simulated times is not significant
	manyTimes    = 2    // from which on a ratio is not given as a percentage
	nearlyAsGood = 0.1  // how much longer a cheaper alternative may take
)

// value returns the cheapest candidate that is nearly as fast as the recommended one and costs at least a twentieth
// less, or nil.
func (r Answer) value() *model.Candidate {
	c := r.Recommendation()
	if c.Cost == 0 {
		return nil // nothing costs less
	}
	var best *model.Candidate
	for i := range r.Ranking {
		x := &r.Ranking[i]
		if x.Score <= (1+nearlyAsGood)*c.Score && x.Cost <= 0.95*c.Cost && (best == nil || x.Cost < best.Cost) {
			best = x
		}
	}
	return best
}

// InOneLine names the machine without the titles of its parts, and its price.
func (r Answer) InOneLine() string {
	c := r.Recommendation()
	if r.Plan.BuysNothing(c.Choice) {
		return r.toBuy(false) + "."
	}
	return fmt.Sprintf("%s, for %s.", r.toBuy(false), r.Plan.Money(c.Price))
}

// nothingInWords says why the existing machine is recommended unchanged.
func (r Answer) nothingInWords(name string) string {
	switch p := r.Plan; {
	case p.Scoring != nil:
		return fmt.Sprintf("the existing machine, %s, gets most points", name)
	case p.Objective.ByPrice():
		return fmt.Sprintf("the existing machine, %s, carries the mix", name)
	case r.Ranking[0].Name != r.Recommended:
		return fmt.Sprintf("no purchase within the budget of %s makes the existing machine, %s, faster by more than the tolerance of %g %%",
			p.Money(p.Budget.Money.Amount), name, 100*p.Tolerance)
	default:
		return fmt.Sprintf("no purchase within the budget of %s makes the existing machine, %s, faster",
			p.Money(p.Budget.Money.Amount), name)
	}
}

// toBuy says what to buy, with the titles of the parts or their names alone.
func (r Answer) toBuy(titles bool) string {
	named := func(name, title string) string {
		if !titles {
			return name
		}
		return withTitle(name, title)
	}
	p, c := r.Plan, r.Recommendation().Choice
	if p.BuysNothing(c) {
		return "Buy nothing: " + r.nothingInWords(p.Name(c))
	}
	var nodes []string
	for i, t := range c.Types {
		nodes = append(nodes, fmt.Sprintf("%d %s", c.Counts[i], named(p.Nodes[t].Name, p.Nodes[t].Title)))
	}
	bought, network := input.Joined(nodes, "and"), named(p.Networks[c.Network].Name, p.Networks[c.Network].Title)
	if bid := p.BidOf(c.Design); bid != nil {
		bought = "the " + bid.Name + ": " + bought
	}
	connected := ""
	if w, _ := p.Wiring(c); w.Leaves > 0 {
		connected = "connected by " + network
	}
	e := p.Existing
	switch {
	case e != nil && !c.Retired && len(nodes) == 0:
		return fmt.Sprintf("Keep the existing %d %s and buy a network for them, %s", e.Count, p.Nodes[e.Node].Name,
			network)
	case e != nil && !c.Retired:
		return fmt.Sprintf("Keep the existing %d %s and buy %s, all %s", e.Count, p.Nodes[e.Node].Name, bought,
			connected)
	}
	text := strings.TrimSuffix(bought+", "+connected, ", ")
	if c.Retired {
		return fmt.Sprintf("Retire the existing %d %s and buy %s", e.Count, p.Nodes[e.Node].Name, text)
	}
	return "Buy " + text
}

func withTitle(name, title string) string {
	if title == "" {
		return name
	}
	return name + " (" + title + ")"
}

// ExcludedInWords names every excluded design with the reason. Designs excluded for the same reason share a line.
func (r Answer) ExcludedInWords() []string {
	type group struct {
		ranked bool
		reason string
	}
	var lines []string
	groups, of := grouped(r.ExcludedBy, func(x model.ExcludedDesign) group { return group{x.Ranked, x.Reason} })
	for _, g := range groups {
		designs := each.Of(of[g], func(x model.ExcludedDesign) string {
			return fmt.Sprintf("%s (%s)", x.Design, input.Plural(x.Machines, "machine"))
		})
		text := strings.Join(designs, "; ")
		if x := of[g][0]; x.Machines > 1 && x.Name != x.Design {
			text += ", such as " + x.Name
		}
		if !g.ranked {
			text = "none ranked of " + text
		}
		lines = append(lines, text+": "+g.reason)
	}
	return lines
}

// grouped divides a list by a key, with the keys in order of appearance.
func grouped[X any, K comparable](list []X, key func(X) K) (keys []K, of map[K][]X) {
	of = map[K][]X{}
	for _, x := range list {
		k := key(x)
		if of[k] == nil {
			keys = append(keys, k)
		}
		of[k] = append(of[k], x)
	}
	return keys, of
}
