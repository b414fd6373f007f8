package words

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/expect"
)

// changed is an answer with a change of what it is made from, which leaves the answer itself as it is.
func changed(r Answer, change func(r Answer)) Answer {
	result := *r.Result
	result.Ranking = slices.Clone(result.Ranking)
	if change != nil {
		change(Answer{&result})
	}
	return Answer{&result}
}

// A sentence is said where its condition holds, with the numbers of the result, and not where it does not.
func TestSentencesFollowTheirConditions(t *testing.T) {
	buytest.Long(t)
	all := func(r Answer) string {
		return strings.Join(slices.Concat(r.Summary(), r.Certainty(), r.elseInWords(), r.limitsInWords(), r.growthInWords(),
			[]string{r.changesInWords(), r.useInWords()}, r.questionsInWords(), r.exclusionsInWords(), r.todayInWords()), " ")
	}
	answer := func(set ...string) Answer {
		return solve(t, buytest.Read(t, buytest.PlanFile(t, buytest.Site), set...))
	}
	site := answer()
	c := site.Recommendation()
	for _, tt := range []struct {
		name      string
		change    func(r Answer)
		set       []string
		says, not []string
	}{
		{"as it is", nil, nil, []string{
			"It can do " + model.Number(*c.Throughput) + " times the runs of the plan in the hours of a year at",
			"How long a machine computes follows from the runs of a year: " + c.Name, "It uses: money ",
			"The machine is full when the work is " + model.Number(1 / *c.Use) + " times that of the plan",
		}, []string{"The plan gives no runs in a year", "The machine is full in the first year", "Buy nothing", "Machines compute for"}},
		{"full", func(r Answer) { r.Recommendation().Use = new(1.0) }, nil,
			[]string{"The machine is full in the first year."}, []string{"The machine is full when"}},
		{"shares", func(r Answer) { r.Recommendation().Use = nil }, nil,
			[]string{"The plan gives no runs in a year, so it is not known when the machine is full.", "Machines compute for"},
			[]string{"The machine is full", "It can do"}},
		{"nothing excluded", func(r Answer) { r.ExcludedBy = nil }, nil, []string{"None."}, []string{"The section "}},
		{"an addition", func(r Answer) {
			r.Upgrades = []model.Upgrade{{From: r.Recommended, Change: "1 more a", Cost: 500, Gain: math.Log2(1.25)}}
		}, nil, []string{"The most useful addition is 1 more a for 500 EUR: 25.0 % faster."}, []string{"The next step"}},
		{"an addition beyond a limit", func(r Answer) {
			r.Upgrades = []model.Upgrade{{From: r.Recommended, Change: "1 more a", Cost: 500, Gain: 0.1, Beyond: "power 7 kW exceeds 6 kW"}}
		}, nil, []string{"The next step, 1 more a, is beyond a limit: power 7 kW exceeds 6 kW."}, nil},
		{"no addition", func(r Answer) {
			r.Upgrades = []model.Upgrade{{From: r.Recommended, Change: "1 more a", Gain: -0.1}, {From: r.Recommended, Hypothetical: true, Gain: 1}}
		}, nil, nil, []string{"The most useful addition", "The next step"}},
		{"no estimates", func(r Answer) {
			r.Robustness.Parameters = []model.Sensitivity{{FirstLow: c.Design, FirstHigh: c.Design}}
		}, nil,
			[]string{"No estimate changes the lead.", "No single figure that is 10 % lower or higher."}, []string{"Estimates on which the lead depends"}},
		{"an estimate", func(r Answer) {
			r.Robustness.Parameters = []model.Sensitivity{{Parameter: "price of a", Estimate: true, Low: new(-0.1), Base: new(0.1), High: new(0.2), FirstLow: "b, x", FirstHigh: c.Design}}
		}, nil, []string{"Estimates on which the lead depends, for a quote or a benchmark: price of a.", "Price of a 10 % lower (then b, x)."},
			[]string{"No estimate changes the lead", "No single figure"}},
		{"counted", func(r Answer) {
			r.Robustness.OneAtATime, r.Robustness.Joint = model.Share{First: 3, Trials: 4}, model.Share{First: 5, Trials: 9}
		}, nil, []string{"remains first in 3 of 4 cases", "it remains first in 5 of 9 cases"}, nil},
		{"none near", nil, []string{"tolerance=0"}, []string{"No other machine is within 0 % of the best."}, nil},
		{"life", nil, []string{"costs.staff=1000 EUR"}, []string{"Over "}, nil},
		{"existing beyond a limit", func(r Answer) {
			today := *c
			today.Name, today.Score = "9 old, x", 2*r.Ranking[0].Score
			r.Today, r.Excluded = &today, []model.Exclusion{{Name: today.Name, Reason: "power 7 kW exceeds 6 kW"}}
		}, nil, []string{"The existing machine, 9 old, x, is not in the ranking: power 7 kW exceeds 6 kW.", ", 2.000 times that of the first."}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := site
			if len(tt.set) > 0 {
				r = answer(tt.set...)
			}
			text := all(changed(r, tt.change))
			for _, x := range tt.says {
				expect.That(t, strings.Contains(text, x), "%q is not said: %s", x, text)
			}
			for _, x := range tt.not {
				expect.That(t, !strings.Contains(text, x), "%q is said: %s", x, text)
			}
		})
	}
}

// To buy nothing is recommended for one of four reasons, and the true one is told.
func TestWhyNothingIsBought(t *testing.T) {
	for _, tt := range []struct {
		name, first, objective string
		scoring                *model.Scoring
		want                   string
	}{
		{"it is the fastest", "4 old", "throughput", nil, "no purchase within the budget of 1 000 000 EUR makes the existing machine, 4 old, faster"},
		{"within the tolerance", "1 a", "throughput", nil, "no purchase within the budget of 1 000 000 EUR makes the existing machine, 4 old, faster by more than the tolerance of 5 %"},
		{"it carries the mix", "4 old", "cheapest", nil, "the existing machine, 4 old, carries the mix"},
		{"most points", "1 a", "throughput", &model.Scoring{}, "the existing machine, 4 old, gets most points"},
	} {
		p := buytest.HandPlan()
		p.Tolerance, p.Objective.Name, p.Scoring = 0.05, tt.objective, tt.scoring
		r := Answer{Result: &model.Result{Plan: p, Recommended: "4 old", Ranking: []model.Candidate{{Name: tt.first}}}}
		expect.That(t, r.nothingInWords("4 old") == tt.want, "%s: %q", tt.name, r.nothingInWords("4 old"))
	}
}
