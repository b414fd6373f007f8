package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
)

// An Answer is the result of a plan with its words.
type Answer struct{ *model.Result }

// Of puts the warnings of a result, and what it does not consider, into words.
func Of(r *model.Result) Answer {
	a := Answer{r}
	r.Warnings = []string{}
	a.warn()
	r.NotModelled = notModelled(r.Plan)
	return a
}

// ScoreOf prints a score with its unit: "512 h".
func (r Answer) ScoreOf(score float64) string { return r.Plan.ScoreText(score) }

// Designs returns the best candidate of each design, the fastest first: of the
// recommended design the recommended machine.
func (r Answer) Designs() []model.Candidate {
	var best []model.Candidate
	seen := map[string]bool{}
	chosen := r.Recommendation()
	for _, c := range r.Ranking {
		if seen[c.Design] || c.Design == chosen.Design && c.Name != chosen.Name {
			continue
		}
		seen[c.Design] = true
		best = append(best, c)
	}
	return best
}

// Summary returns the recommendation in plain words, with what it costs over the years.
func (r Answer) Summary() []string { return append(r.recommendationInWords(), r.moneyInWords()...) }

// moneyInWords says what the recommended machine costs over the years.
func (r Answer) moneyInWords() []string {
	p, c := r.Plan, r.Recommendation()
	var text []string
	if p.Costs.Any() {
		line := fmt.Sprintf("Over %s years it costs %s at present value, %s a year", input.Number(p.Energy.Years), p.Money(c.LifeCost), p.Money(c.Annuity))
		if c.JobCost != nil {
			line += fmt.Sprintf(", %s per job", p.Money(*c.JobCost))
		}
		text = append(text, line+".")
	}
	return text
}

func (r Answer) recommendationInWords() []string {
	p, c := r.Plan, r.Recommendation()
	purchase := fmt.Sprintf("%s. This costs %s of the budget of %s, draws %v under load and occupies %s rack units.",
		purchaseInWords(p, c.Choice), p.Money(c.Price), p.Money(p.Budget.Money.Amount), units.Watts(c.Power), input.Number(c.RackUnits))
	switch {
	case !p.BuysNothing(c.Choice):
	case p.Objective.ByPrice():
		purchase = fmt.Sprintf("Buy nothing: the existing machine, %s, carries the mix.", c.Name)
	default:
		purchase = fmt.Sprintf("Buy nothing: no purchase within the budget of %s makes the existing machine, %s, faster.", p.Money(p.Budget.Money.Amount), c.Name)
	}
	text := []string{purchase}
	work := fmt.Sprintf("The %s is %s.", r.Score.Meaning, r.ScoreOf(c.Score))
	switch {
	case c.Use == nil:
	case p.SideBySide():
		work = r.throughputInWords(c)
	default:
		work = fmt.Sprintf("A year's work takes %s of computation, %s %% of the hours available in a year at %g %% utilisation.", r.ScoreOf(c.Score), atLeastOne(100**c.Use), 100*p.Energy.Utilisation)
	}
	if t := r.Today; t != nil && t.Name != c.Name {
		work += fmt.Sprintf(" This is %.3g times as fast as the existing machine.", t.Score/c.Score)
	}
	if p.Objective.ByPrice() {
		return append(text, work, r.nextCheapest())
	}
	if fastest := r.Ranking[0]; fastest.Name != c.Name && fastest.Name != r.RunnerUp {
		work += fmt.Sprintf(" The fastest machine, %s for %s, takes %.1f %% less time, within the tolerance of %g %%.", fastest.Name, p.Money(fastest.Price), 100*(1-1/c.Relative), 100*p.Tolerance)
	}
	text = append(text, work)
	if r.Lead != nil {
		next := r.Find(r.RunnerUp)
		longer := fmt.Sprintf("%.1f %% longer", 100**r.Lead)
		if *r.Lead < 0 {
			longer = fmt.Sprintf("%.1f %% less time, within the tolerance of %g %%,", -100**r.Lead, 100*p.Tolerance)
		}
		runnerUp := fmt.Sprintf("The best machine of another design, %s for %s, takes %s and costs %s %s.",
			next.Name, p.Money(next.Price), longer, p.Money(math.Abs(c.Price-next.Price)), moreOrLess(next.Price > c.Price))
		if *r.Lead < tooClose {
			runnerUp += " The difference in time is not significant: decide by price, power consumption and the quotes that you receive."
		}
		text = append(text, runnerUp)
	} else {
		text = append(text, "No other design is within the budget and can run every workload.")
	}
	switch v := r.value(); {
	case v == nil || v.Name == r.RunnerUp:
	case v.Price == 0:
		text = append(text, fmt.Sprintf("The existing machine, %s, costs nothing and takes %.1f %% longer.", v.Name, 100*(v.Score/c.Score-1)))
	default:
		text = append(text, fmt.Sprintf("A cheaper alternative is %s for %s: it costs %.0f %% less and takes %.1f %% longer.",
			v.Name, p.Money(v.Price), 100*(1-v.Price/c.Price), 100*(v.Score/c.Score-1)))
	}
	return text
}

// throughputInWords says how much of the mix a machine carries, and how long jobs wait.
func (r Answer) throughputInWords(c *model.Candidate) string {
	text := fmt.Sprintf("It carries %.3g times the mix, jobs side by side; a year's work takes %s %% of the hours available in a year at %g %% utilisation.", *c.Throughput, atLeastOne(100**c.Use), 100*r.Plan.Energy.Utilisation)
	if r.Plan.Objective.Name == model.ObjectiveTime {
		text = fmt.Sprintf("The %s is %s. ", r.Score.Meaning, r.ScoreOf(c.Score)) + text
	}
	switch w := c.Wait; {
	case w == nil:
	case w.Mean == nil:
		text += " How long jobs wait is not known: " + w.Reason + "."
	default:
		text += fmt.Sprintf(" With the jobs of the mix a job waits %s on average, and 95 %% of the jobs wait at most %s.", waitText(w.Mean), waitText(w.P95))
		if few := fewWaitLong(w); few != "" {
			text += " " + input.Capitalized(few) + "."
		}
	}
	return text
}

// SharesMachines reports whether the machines are compared by the work of a year with jobs
// side by side.
func (r Answer) SharesMachines() bool { return r.Plan.ByRuns && r.Plan.SideBySide() }

// MeanText prints the mean wait; "-" if it is not known.
func MeanText(w *model.WaitResult) string {
	if w == nil {
		return "-"
	}
	return waitText(w.Mean)
}

// fewWaitLong explains a mean wait above the wait of 95 % of the jobs; else it is "".
func fewWaitLong(w *model.WaitResult) string {
	if w.Mean == nil || *w.Mean <= *w.P95 {
		return ""
	}
	return queue.FewWaitLong(*w.Above, units.Seconds(*w.Most))
}

// RankedInWords says what the table of designs shows.
func (r Answer) RankedInWords() string {
	if r.Plan.Objective.ByPrice() {
		return "Cheapest machine of each design, a choice of node types and network, that carries the mix"
	}
	return "Fastest machine of each design, a choice of node types and network, by " + r.Score.Meaning
}

// waitText prints a wait for people; "-" if it is not known.
func waitText(wait *float64) string {
	if wait == nil {
		return "-"
	}
	return queue.Span(units.Seconds(*wait))
}

// nextCheapest compares the cheapest machine that carries the mix with those of other
// designs.
func (r Answer) nextCheapest() string {
	if r.RunnerUp == "" {
		return "No other design within the budget carries the mix."
	}
	c, next := r.Recommendation(), r.Find(r.RunnerUp)
	return fmt.Sprintf("The cheapest machine of another design that carries the mix, %s, costs %s, %s more.", next.Name, r.Plan.Money(next.Objective), r.Plan.Money(next.Objective-c.Objective))
}

// tooClose is the lead below which a difference between simulated times is not
// significant.
const tooClose = 0.05

// nearlyAsGood is how much longer a cheaper alternative may take.
const nearlyAsGood = 0.1

// value returns the cheapest candidate that is nearly as fast as the recommended
// one and costs at least a twentieth less, or nil.
func (r Answer) value() *model.Candidate {
	if r.Recommendation().Price == 0 {
		return nil // nothing costs less
	}
	var best *model.Candidate
	for i := range r.Ranking {
		c := &r.Ranking[i]
		if c.Score <= (1+nearlyAsGood)*r.Recommendation().Score && c.Price <= 0.95*r.Recommendation().Price && (best == nil || c.Price < best.Price) {
			best = c
		}
	}
	return best
}

// atLeastOne prints a percentage without places after the point.
func atLeastOne(percent float64) string {
	if percent < 1 {
		return "less than 1"
	}
	return fmt.Sprintf("%.0f", percent)
}

// Certainty says in plain words how sure the choice is.
func (r Answer) Certainty() []string {
	text := r.robustInWords()
	if u := r.Uncertain; u != nil {
		text = append(text, inWords(u, r.Recommendation().Design)...)
	}
	return text
}

// robustInWords says whether the choice depends on changes of figures.
func (r Answer) robustInWords() []string {
	x := r.Robustness
	if len(x.Parameters) == 0 || r.Lead == nil {
		return nil
	}
	design := r.Recommendation().Design
	text := []string{fmt.Sprintf("If one figure at a time is %g %% lower or higher, the design %s remains first in %d of %d cases%s.", 100*x.Change, design, x.OneAtATime.First, x.OneAtATime.Trials, withoutEffect(&x))}
	if x.Joint.Trials > 0 {
		line := fmt.Sprintf("If all figures change at once, each by a random amount of up to %g %%, it remains first in %d of %d cases", 100*x.Change, x.Joint.First, x.Joint.Trials)
		for _, f := range x.JointFirst {
			if f.Design != design {
				other := f.Design + " is first"
				if f.Design == model.NoDesign {
					other = "no design is within the budget"
				}
				line += fmt.Sprintf("; %s in %d", other, f.Trials)
				break
			}
		}
		text = append(text, line+".")
	}
	switch w := x.PriceToWin; {
	case w == nil || r.Plan.Objective.ByPrice():
	case w.Reason != "":
		text = append(text, fmt.Sprintf("No break-even price is known for %s: %s.", r.Find(r.RunnerUp).Design, w.Reason))
	default:
		text = append(text, fmt.Sprintf("%s for %s is as fast as the recommended machine but beyond the budget; it is within the budget if all its prices fall by %.1f %%.",
			w.Name, r.Plan.Money(w.Price), 100*w.Fall))
	}
	return text
}

// withoutEffect says how many figures have almost no effect on the lead.
func withoutEffect(x *model.Robust) string {
	n := 0
	for i := range x.Parameters {
		if !x.Parameters[i].Matters() {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d of the %d figures have almost no effect", n, len(x.Parameters))
}

func moreOrLess(more bool) string {
	if more {
		return "more"
	}
	return "less"
}

// purchaseInWords says what to buy, with the titles of nodes and network.
func purchaseInWords(p *model.Plan, c model.Choice) string {
	var nodes []string
	for i, t := range c.Types {
		nodes = append(nodes, fmt.Sprintf("%d %s", c.Counts[i], withTitle(p.Nodes[t].Name, p.Nodes[t].Title)))
	}
	network := ""
	if w, _ := p.Wiring(c); w.Leaves > 0 {
		network = "connected by " + withTitle(p.Networks[c.Network].Name, p.Networks[c.Network].Title)
	}
	e := p.Existing
	switch {
	case e == nil && network == "":
		return "Buy " + model.List(nodes)
	case e == nil:
		return "Buy " + model.List(nodes) + ", " + network
	}
	if c.Retired {
		return fmt.Sprintf("Retire the existing %d %s and buy ", e.Count, p.Nodes[e.Node].Name) + strings.TrimSuffix(model.List(nodes)+", "+network, ", ")
	}
	keep := fmt.Sprintf("Keep the existing %d %s and ", e.Count, p.Nodes[e.Node].Name)
	if len(nodes) == 0 {
		return keep + "buy a network for them, " + withTitle(p.Networks[c.Network].Name, p.Networks[c.Network].Title)
	}
	return keep + "buy " + model.List(nodes) + ", all " + network
}

func withTitle(name, title string) string {
	if title == "" {
		return name
	}
	return name + " (" + title + ")"
}

// LowText and HighText print the lead at both ends: "+3.1 %", or why there is none.
func LowText(x *model.Sensitivity, design string) string { return leadText(x.Low, x.FirstLow, design) }

// HighText is described at LowText.
func HighText(x *model.Sensitivity, design string) string {
	return leadText(x.High, x.FirstHigh, design)
}

func leadText(lead *float64, first, design string) string {
	switch {
	case lead != nil:
		return fmt.Sprintf("%+.1f %%", 100**lead)
	case first == design:
		return "no other design"
	}
	return "not affordable"
}

// worthKnowing is the least value of a figure that a summary names.
const worthKnowing = 1e-4

// of returns how good a design is. REQUIRES: it was compared.
func of(u *model.UncertainResult, design string) model.DesignChance {
	return u.Designs[slices.IndexFunc(u.Designs, func(x model.DesignChance) bool { return x.Design == design })]
}

// inWords says how sure the choice is.
func inWords(u *model.UncertainResult, design string) []string {
	x := of(u, design)
	text := fmt.Sprintf("With the ranges of the figures, and simulated times within %g %%, %s is the best choice in %.0f %% of %d cases; to choose it loses %.2g %% on average against the best choice of each case.",
		100*u.Model, design, 100*x.Probability, u.Samples, 100*x.Regret)
	if u.LeastRegret != design {
		text += fmt.Sprintf(" %s loses less on average.", u.LeastRegret)
	}
	next := "No single figure is worth asking for: none would change the choice enough."
	if f := u.Figures; len(f) > 0 && f[0].Value >= worthKnowing {
		next = fmt.Sprintf("To ask for or to measure next: %s. To know it would save %.2g %% on average.", f[0].Figure, 100*f[0].Value)
		if len(f) > 1 && f[1].Value >= worthKnowing {
			next += fmt.Sprintf(" Then %s, %.2g %%.", f[1].Figure, 100*f[1].Value)
		}
	}
	return []string{text, next}
}

// ExcludedInWords names every excluded design with the reason. Designs that are excluded for
// the same one share a line.
func (r Answer) ExcludedInWords() []string {
	type group struct {
		ranked bool
		reason string
	}
	var order []group
	designs, first := map[group][]string{}, map[group]string{}
	for _, x := range r.ExcludedBy {
		g := group{x.Ranked, x.Reason}
		if designs[g] == nil {
			order = append(order, g)
			if x.Machines > 1 && x.Name != x.Design {
				first[g] = ", such as " + x.Name
			}
		}
		designs[g] = append(designs[g], fmt.Sprintf("%s (%s)", x.Design, input.Plural(x.Machines, "machine")))
	}
	var lines []string
	for _, g := range order {
		text := strings.Join(designs[g], "; ") + first[g]
		if !g.ranked {
			text = "none ranked of " + text
		}
		lines = append(lines, text+": "+g.reason)
	}
	return lines
}
