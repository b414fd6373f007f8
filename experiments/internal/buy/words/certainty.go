package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// Certainty says how far changed figures and those within their ranges leave the recommendation as it is.
func (r Answer) Certainty() []string {
	text := r.robustInWords()
	if u := r.Uncertain; u != nil {
		text = append(text, r.rangesInWords(u)...)
	}
	return text
}

func (r Answer) robustInWords() []string {
	x := r.Robustness
	if !r.compared() {
		return []string{input.Capitalized(r.notCompared()) + "."}
	}
	design := r.Recommendation().Design
	without := x.WithoutEffect()
	first := fmt.Sprintf("If one figure at a time is %g %% lower or higher, the design %s remains first in %d of %d "+
		"cases", 100*x.Change, design, x.OneAtATime.First, x.OneAtATime.Trials)
	if without > 0 {
		first += fmt.Sprintf("; %d of the %d figures have almost no effect", without, len(x.Parameters))
	}
	text := []string{first + "."}
	if x.Joint.Trials > 0 {
		line := fmt.Sprintf("If all figures change at once, each by a random amount of up to %g %%, it remains first "+
			"in %d of %d cases", 100*x.Change, x.Joint.First, x.Joint.Trials)
		if i := slices.IndexFunc(x.JointFirst, func(f model.FirstCount) bool { return f.Design != design }); i >= 0 {
			line += fmt.Sprintf("; %s in %d", isFirst(x.JointFirst[i].Design), x.JointFirst[i].Trials)
		}
		text = append(text, line+".")
	}
	switch w := x.PriceToWin; {
	case w == nil || r.Plan.Objective.ByPrice():
	case w.Reason != "":
		text = append(text, fmt.Sprintf("No break-even price is known for %s: %s.", r.Find(r.RunnerUp).Design,
			w.Reason))
	case slices.ContainsFunc(r.Ranking, func(c model.Candidate) bool { return c.Name == w.Name }):
		text = append(text, fmt.Sprintf("%s for %s does as much within the tolerance; it is first if its price falls by more than %.1f %%.",
			w.Name, r.Plan.Money(w.Price), 100*w.Fall))
	default:
		text = append(text, fmt.Sprintf("%s for %s is as fast as the recommended machine but beyond the budget; it "+
			"is within the budget if the prices of its nodes and network fall by %.1f %%.",
			w.Name, r.Plan.Money(w.Price), 100*w.Fall))
	}
	return text
}

// compared reports whether there is another design and its lead has been examined.
func (r Answer) compared() bool { return r.Lead != nil && len(r.Robustness.Parameters) > 0 }

// notCompared says why the lead has not been examined.
func (r Answer) notCompared() string {
	switch {
	case len(r.LeftOut) > 0:
		return "the answer ends with the ranking"
	case r.RunnerUp == "":
		return "there is no other design to compare it with"
	case r.Lead == nil:
		return "it costs nothing, and whether it carries the mix with other figures is not tested"
	}
	return "no figure was changed"
}

func isFirst(design string) string {
	if design == model.NoDesign {
		return "no design within the budget does the work"
	}
	return design + " is first"
}

// leastWorth is the least value of a figure that a summary mentions.
const leastWorth = 1e-4

// worthAsking reports whether a figure has a value, beyond chance.
func worthAsking(x model.FigureValue) bool { return x.Value >= leastWorth && x.Value > x.Error }

// of returns how good a design is. REQUIRES: it was compared.
func of(u *model.UncertainResult, design string) model.DesignChance {
	return u.Designs[slices.IndexFunc(u.Designs, func(x model.DesignChance) bool { return x.Design == design })]
}

// chance prints a probability with its interval.
func chance(x model.DesignChance) string {
	return fmt.Sprintf("%.0f %% (%.0f to %.0f %%)", 100*x.Probability, 100*x.Low, 100*x.High)
}

// ofPoints says that what is lost are points, if a scoring decides.
func (r Answer) ofPoints() string {
	if r.Plan.Scoring == nil {
		return ""
	}
	return " of the points"
}

func (r Answer) rangesInWords(u *model.UncertainResult) []string {
	design := r.Recommendation().Design
	x := of(u, design)
	text := fmt.Sprintf("With the ranges of the figures, and simulated times within %g %%, %s is the best choice in "+
		"%s of %d cases; choosing it loses %.2g %% (+- %.1g)%s on average against the best choice of each case.",
		100*u.Model, design, chance(x), u.Samples, 100*x.Regret, 100*x.RegretError, r.ofPoints())
	if u.LeastRegret != design {
		text += fmt.Sprintf(" %s loses less on average.", u.LeastRegret)
	}
	next := "No single figure is worth asking for: none would change the choice enough."
	if f := u.Figures; len(f) > 0 && worthAsking(f[0]) {
		next = fmt.Sprintf("Ask for or measure next: %s. Knowing it would save %.2g %% on average.", f[0].Figure,
			100*f[0].Value)
		if len(f) > 1 && worthAsking(f[1]) {
			next += fmt.Sprintf(" Then %s, %.2g %%.", f[1].Figure, 100*f[1].Value)
		}
	}
	return []string{text, next}
}

// Leads prints the leads with a figure lowered and raised: "+3.1 %", or why there is none.
func (r Answer) Leads(x *model.Sensitivity) (low, high string) {
	design := r.Recommendation().Design
	return leadText(x.Low, x.FirstLow, design), leadText(x.High, x.FirstHigh, design)
}

func leadText(lead *float64, first, design string) string {
	switch {
	case lead != nil:
		return model.Signed(100**lead, 1) + " %"
	case first == design:
		return "no other design"
	}
	return "beyond the limits"
}

func (r Answer) rangeBlocks() []report.Block {
	u := r.Uncertain
	if u == nil {
		return nil
	}
	designs := r.table("chances", u.Samples)
	for _, x := range u.Designs {
		add(designs, x.Design, fmt.Sprintf("%.1f", 100*x.Probability), fmt.Sprintf("%.1f", 100*x.Low),
			fmt.Sprintf("%.1f", 100*x.High), fmt.Sprintf("%.2f", 100*x.Regret), fmt.Sprintf("%.2f", 100*x.RegretError))
	}
	figures := r.table("figures to know")
	for _, x := range u.Figures {
		name := x.Figure
		if len(x.Members) > 0 {
			name += ": " + strings.Join(x.Members, ", ")
		}
		add(figures, name, model.Number(100*x.Range), fmt.Sprintf("%.2f", 100*x.Value), fmt.Sprintf("%.2f", 100*x.Error))
	}
	return []report.Block{designs, figures}
}

func (r Answer) certaintySection() report.Section {
	x := r.Robustness
	section := report.Section{Heading: "Robustness of the recommendation", Text: r.Certainty(), Blocks: r.rangeBlocks()}
	if !r.compared() {
		return section
	}
	percent := fmt.Sprintf("%g %%", 100*x.Change)
	tornado := &report.Tornado{
		Title:     "Lead of the recommended design",
		Caption:   text("swings", r.leadInWords(), percent)[0],
		Value:     report.Axis{Title: "lead", Unit: "%"},
		Base:      tenth(100 * *r.Lead),
		BaseLabel: "as planned", Low: "-" + percent, High: "+" + percent,
	}
	t := r.table("leads")
	without := x.WithoutEffect()
	for _, s := range x.Parameters[:len(x.Parameters)-without] {
		if len(tornado.Swings) < reportSwings && s.Low != nil && s.High != nil {
			tornado.Swings = append(tornado.Swings,
				report.Swing{Parameter: s.Parameter, Low: tenth(100 * *s.Low), High: tenth(100 * *s.High)})
		}
		low, high := r.Leads(&s)
		add(t, s.Parameter, s.Value, low, high, s.FirstLow, s.FirstHigh, yes(s.Estimate))
	}
	if without > 0 {
		t.Caption = fmt.Sprintf("%d other figures change the lead by less than 0.05 percentage points.", without)
	}
	if len(tornado.Swings) > 0 {
		section.Blocks = append(section.Blocks, tornado)
	}
	if len(t.Rows) > 0 {
		section.Blocks = append(section.Blocks, t)
	}
	if len(x.JointFirst) > 1 {
		first := r.table("first places")
		for _, f := range x.JointFirst {
			add(first, f.Design, fmt.Sprint(f.Trials),
				fmt.Sprintf("%.1f", 100*float64(f.Trials)/float64(x.Joint.Trials)))
		}
		section.Blocks = append(section.Blocks, first)
	}
	return section
}

// leadInWords says what the lead is a fraction of.
func (r Answer) leadInWords() string {
	switch {
	case r.Plan.Scoring != nil:
		return "how many more points the recommended design has than the best other one"
	case r.Plan.Objective.ByPrice():
		return "how much more the best other design costs"
	}
	return "how much longer the best other design takes"
}

// tenth rounds to one place after the point.
func tenth(x float64) float64 { return math.Round(10*x) / 10 }

func (r Answer) upgradeSection() report.Section {
	section := report.Section{Heading: "Upgrades", Text: text("upgrades")}
	for _, e := range r.Edges {
		text := fmt.Sprintf("If each part of %s could be improved in small steps at proportional cost, the most "+
			"cost-effective improvement would be: %s.", e.From, input.Joined(e.Directions, "and"))
		if e.Efficiency <= 0 {
			text = "No small improvement of a single part makes " + e.From + " faster."
		}
		section.Text = append(section.Text, text)
	}
	var t *report.Table
	for i, u := range r.Upgrades {
		if i == 0 || u.From != r.Upgrades[i-1].From {
			t = r.table("upgrades", u.From)
			section.Blocks = append(section.Blocks, t)
		}
		direction, even := u.Direction, ""
		if u.Hypothetical {
			direction = "(" + direction + ")"
		}
		if u.BreakEven != nil {
			if even = input.Thousands(*u.BreakEven); *u.BreakEven > r.Recommendation().Price &&
				u.From == r.Recommended {
				even = "any price"
			}
		}
		add(t, direction, u.Change, input.Thousands(u.Cost), model.Signed(model.Percent(u.Gain), 2),
			model.Signed(u.PerMoney(1e4), 2), even, u.Beyond)
	}
	return section
}
