package words

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
)

// changed is an answer whose result was changed; the original answer stays as it is.
func changed(r Answer, change func(r Answer)) Answer {
	result := *r.Result
	result.Ranking = slices.Clone(result.Ranking)
	if change != nil {
		change(Answer{&result})
	}
	return Answer{&result}
}

// A sentence appears if its condition holds, with the numbers of the result, and not otherwise.
func TestSentencesFollowTheirConditions(t *testing.T) {
	expect.Long(t, "answers many plans")
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
			r.Upgrades = []model.Upgrade{{From: r.Recommended, Change: "x instead", Cost: 300, Gain: 1},
				{From: r.Recommended, Change: "1 more a", Cost: 500, Gain: math.Log2(1.25), Addition: true}}
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
			expect.Says(t, text, tt.says...)
			expect.Lacks(t, text, tt.not...)
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

// Ten a for 10 000 EUR do 0.5 % less than ten b for 10 050 EUR, and are recommended within the tolerance of 2 %,
// although b is first in the ranking. The chart marks them as recommended; the lead and the loss refer to what decides.
func TestWhatDecidesIsWhatIsSaid(t *testing.T) {
	set := []string{"nodes={a: {cores: 1, marked_speed: 1 Gflop/s, power: 100 W, price: 1000 EUR}, b: {cores: 1, marked_speed: 1.005 Gflop/s, power: 100 W, price: 1005 EUR}}",
		"networks.x.price_per_port=0 EUR", "budget.money=10060 EUR", "counts=affordable", "load=full", "costs={staff: 1000 EUR}", "ranges={samples: 100}"}
	answer := func(more ...string) Answer {
		file := buytest.PlanFile(t, strings.Replace(buytest.Jobs, "NODES", "1", 1))
		return solve(t, buytest.Read(t, file, append(set, more...)...))
	}
	for _, tt := range []struct {
		name, set, recommended, lead, lost string
		next                               bool // whether a limit excludes more nodes
	}{
		{"throughput", "objective=throughput", "10 a, x", "how much longer the best other design takes", " % on average", true},
		{"cheapest", "objective=cheapest", "1 a", "how much more the best other design costs", " % on average", false},
		{"scoring", "scoring=[{of: performance, points: 90}, {of: price, points: 10}]", "10 b, x", "how many more points", " % of the points on average", true},
	} {
		r := answer(tt.set)
		expect.Equal(t, r.Recommended, tt.recommended, "%s: recommended", tt.name)
		var drawn []string
		for _, s := range r.Report().Sections {
			for _, b := range s.Blocks {
				switch c := b.(type) {
				case *report.ScatterChart:
					drawn = append(drawn, c.Series[len(c.Series)-1].Points[0].Name)
				case *report.Tornado:
					expect.That(t, strings.HasPrefix(c.Caption, "Lead: "+tt.lead), "%s: %s", tt.name, c.Caption)
				}
			}
		}
		expect.List(t, drawn, []string{tt.recommended, tt.recommended}, "%s: drawn as recommended", tt.name)
		expect.That(t, strings.Contains(r.sureFact().Note, tt.lost), "%s: %s", tt.name, r.sureFact().Note)
		expect.That(t, slices.Contains(r.Warnings, "no energy price is given: no cost includes energy"), "%s: %q", tt.name, r.Warnings)
		expect.Equal(t, r.excludedStep() != nil, tt.next, "%s: a limit keeps out an addition", tt.name)
	}
	// Ten nodes fit and are affordable at any price drawn, and do 7.01 million runs in a year, 2 % less or more than
	// demanded: if nodes are slower none does the work, but all are within the budget.
	r := answer("objective=cheapest", "budget={money: 100000 EUR, rack_units: 11}", "workloads[0].runs_per_year=6870000", "robustness.samples=50")
	r.Robustness.JointFirst = slices.DeleteFunc(r.Robustness.JointFirst, func(x model.FirstCount) bool { return x.Design == "b, x" })
	expect.Says(t, strings.Join(r.robustInWords(), " "), "; no design within the budget does the work in ")
}

// If packed, four nodes carry 1.11 times these jobs of an hour on one or on all nodes; first come first served reaches
// 0.815 of the nodes' capacity (TestQueueThatGrowsBelowFullLoad of package queue), less than the 0.9 that arrive, so no
// mean wait is known. With one design nothing is tested, which answers the question how sure it is.
func TestUnknownWaitsAreSaid(t *testing.T) {
	text := strings.Replace(buytest.Jobs, "NODES", "1", 1) + "- {name: all, runs_per_year: 6311, nodes: 4, run: {name: reference, n: 1, total_compute: 14400 Gflop}}\n"
	file := buytest.PlanFile(t, text)
	set := []string{"energy={utilisation: 1}", "budget.money=5000 EUR", "workloads[0].runs_per_year=6311",
		"workloads[0].run.total_compute=3600 Gflop", "queue.policy=fcfs"}
	r := solve(t, buytest.Read(t, file, set...))
	const unknown = "how long jobs wait is not known: the later jobs are submitted, the longer they wait, and with policy fcfs the queue may grow without end"
	expect.That(t, strings.HasSuffix(r.whyFact().Note, unknown), "%s", r.whyFact().Note)
	questions := r.decisionTable().Rows
	i := slices.IndexFunc(questions, func(row []string) bool { return row[0] == "How sure?" })
	expect.Equal(t, questions[i][1], "There is no other design to compare it with.", "how sure")
	// A fifth node is within the budget, but not among the listed numbers of nodes.
	next := r.excludedStep()
	expect.That(t, next != nil && next.Change == "1 more a" && next.Beyond == "counts has no 5", "next: %+v", next)
	r = solve(t, buytest.Read(t, file, append(set, "queue.policy=easy")...))
	expect.Says(t, r.whyFact().Note, "; mean wait ")
}
