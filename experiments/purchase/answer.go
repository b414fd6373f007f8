package purchase

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/model/units"
)

// Percent returns by how much a gain of doublings makes a machine faster, in per
// cent.
func Percent(doublings float64) float64 { return 100 * (math.Exp2(doublings) - 1) }

// PerMoney returns by how much an upgrade makes a machine faster for an amount of
// money, in per cent, if more of it brought as much for as much.
func (u *Upgrade) PerMoney(amount float64) float64 { return Percent(u.Gain) * amount / u.Cost }

// ScoreOf prints a score with its unit: "512 h".
func (r *Result) ScoreOf(score float64) string { return r.plan.scoreText(score) }

// Designs returns the best candidate of each design, the fastest first.
func (r *Result) Designs() []Candidate {
	var best []Candidate
	seen := map[string]bool{}
	for _, c := range r.Ranking {
		if !seen[c.Design] {
			seen[c.Design] = true
			best = append(best, c)
		}
	}
	return best
}

// Answer returns the recommendation in plain words.
func (r *Result) Answer() []string {
	p, c := r.plan, r.Ranking[0]
	verb := "Buy"
	if p.Existing != nil {
		verb = "Extend to"
	}
	network := ""
	if w, _ := p.Wiring(c.choice); w.Leaves > 0 {
		network = ", connected by " + withTitle(c.Network, p.Networks[c.choice.Network].Title)
	}
	purchase := fmt.Sprintf("%s %s%s. That costs %s of %s, draws %v under load and takes %s rack units.",
		verb, p.nodesInWords(c.choice), network, p.money(c.Price), p.money(p.Budget.Money.Amount), units.Watts(c.Power), input.Number(c.RackUnits))
	if p.buysNothing(c.choice) {
		purchase = fmt.Sprintf("Buy nothing: of all that %s can buy, nothing makes the machine that exists, %s, faster.", p.money(p.Budget.Money.Amount), c.Name)
	}
	text := []string{purchase}
	work := fmt.Sprintf("The %s is %s.", r.Score.Meaning, r.ScoreOf(c.Score))
	if c.Use != nil {
		work = fmt.Sprintf("A year's work takes %s of computation, %s %% of what there is in a year.", r.ScoreOf(c.Score), atLeastOne(100**c.Use))
	}
	if t := r.Today; t != nil && t.Name != c.Name {
		work += fmt.Sprintf(" That is %.3g times as fast as the machine that exists.", t.Score/c.Score)
	}
	text = append(text, work)
	if r.Lead != nil {
		next := r.find(r.RunnerUp)
		equal := ""
		if *r.Lead < tooClose {
			equal = " In time the two are as good as equal: let price, power and offers decide."
		}
		text = append(text, fmt.Sprintf("The best other design, %s for %s, takes %.1f %% longer. It costs %s %s.",
			next.Name, p.money(next.Price), 100**r.Lead, p.money(math.Abs(c.Price-next.Price)), moreOrLess(next.Price > c.Price))+equal)
	} else {
		text = append(text, "No other design is within the budget and can run every workload.")
	}
	switch v := r.value(); {
	case v == nil || v.Name == r.RunnerUp:
	case v.Price == 0:
		text = append(text, fmt.Sprintf("The machine that exists, %s, costs nothing and takes %.1f %% longer.", v.Name, 100*(v.Relative-1)))
	default:
		text = append(text, fmt.Sprintf("For %.0f %% less money, %s, there is %s, which takes %.1f %% longer.",
			100*(1-v.Price/c.Price), p.money(v.Price), v.Name, 100*(v.Relative-1)))
	}
	return text
}

// tooClose is the lead below which simulated times and prices say nothing.
const tooClose = 0.05

// nearlyAsGood is how much longer a machine may take that is offered for its
// price.
const nearlyAsGood = 0.1

// value returns the cheapest candidate that is nearly as fast as the recommended
// one and costs at least a twentieth less, or nil.
func (r *Result) value() *Candidate {
	if r.Ranking[0].Price == 0 {
		return nil // nothing costs less
	}
	var best *Candidate
	for i := range r.Ranking {
		c := &r.Ranking[i]
		if c.Relative <= 1+nearlyAsGood && c.Price <= 0.95*r.Ranking[0].Price && (best == nil || c.Price < best.Price) {
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

// find returns the candidate of that name. REQUIRES: it is in the ranking.
func (r *Result) find(name string) *Candidate {
	for i := range r.Ranking {
		if r.Ranking[i].Name == name {
			return &r.Ranking[i]
		}
	}
	panic("purchase: no candidate " + name)
}

// Certainty says in plain words how sure the choice is.
func (r *Result) Certainty() []string {
	x := r.Robustness
	if len(x.Parameters) == 0 || r.Lead == nil {
		return nil
	}
	design := r.Ranking[0].Design
	text := []string{fmt.Sprintf("With one figure at a time %g %% lower or higher, %s stays first in %d of %d cases%s.", 100*x.Change, design, x.OneAtATime.First, x.OneAtATime.Trials, x.idle())}
	if x.Joint.Trials > 0 {
		line := fmt.Sprintf("With all figures off at once, each by a random amount up to that, it is first in %d of %d cases", x.Joint.First, x.Joint.Trials)
		for _, f := range x.JointFirst {
			if f.Design != design {
				other := f.Design
				if other == NoDesign {
					other = "nothing is affordable"
				}
				line += fmt.Sprintf(", %s in %d", other, f.Trials)
				break
			}
		}
		text = append(text, line+".")
	}
	switch w := x.PriceToWin; {
	case w == nil:
	case w.Reason != "":
		text = append(text, fmt.Sprintf("The price at which %s would be first: %s.", r.find(r.RunnerUp).Design, w.Reason))
	default:
		text = append(text, fmt.Sprintf("%s would be as fast as the recommended machine; for the budget to buy it, all its prices would have to fall by %.1f %%, from %s.",
			w.Name, 100*w.Fall, r.plan.money(w.Price)))
	}
	return text
}

// idle says how many figures do nothing to the lead.
func (x *Robust) idle() string {
	n := 0
	for i := range x.Parameters {
		if !x.Parameters[i].Matters() {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d of the %d figures hardly matter", n, len(x.Parameters))
}

func moreOrLess(more bool) string {
	if more {
		return "more"
	}
	return "less"
}

// nodesInWords names the nodes of a choice with their titles.
func (p *Plan) nodesInWords(c Choice) string {
	var parts []string
	if e := p.Existing; e != nil {
		parts = append(parts, fmt.Sprintf("%d %s that exist", e.Count, p.Nodes[e.Node].Name))
	}
	for i, t := range c.Types {
		parts = append(parts, fmt.Sprintf("%d %s", c.Counts[i], withTitle(p.Nodes[t].Name, p.Nodes[t].Title)))
	}
	return list(parts)
}

func withTitle(name, title string) string {
	if title == "" {
		return name
	}
	return name + " (" + title + ")"
}

// list joins names: "a, b and c".
func list(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
