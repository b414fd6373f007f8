package words

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/internal/expect"
)

// The first screen has the machine in one line and three pairs of bars, the longer bar of each pair at full length.
func TestFirstScreen(t *testing.T) {
	r := solve(t, buytest.Read(t, buytest.PlanFile(t, buytest.Site)))
	c, next := r.Recommendation(), r.Find(r.RunnerUp)
	doc := r.Report()
	expect.That(t, len(doc.Lead) == 1 && strings.HasPrefix(doc.Lead[0], "Buy ") && len(doc.Lead[0]) < 120 &&
		strings.HasSuffix(doc.Lead[0], ", for "+r.Plan.Money(c.Price)+"."), "lead %q", doc.Lead)
	years := r.Plan.Energy.Years
	values := [][2]float64{{c.Price, next.Price}, {1 / *c.Use, 1 / *next.Use}, {c.LifeEnergy / years, next.LifeEnergy / years}}
	expect.Need(t, len(doc.Facts) == 4, "%d facts", len(doc.Facts))
	for k, x := range values {
		f := doc.Facts[k]
		expect.Need(t, len(f.Bars) == 2 && f.Bars[0].Label == c.Name && f.Bars[1].Label == next.Name, "%+v", f)
		for i, b := range f.Bars {
			expect.That(t, math.Abs(b.Length-x[i]/max(x[0], x[1])) < 1e-9, "%s: bar %d is %v long", f.Label, i, b.Length)
		}
	}
	sure := doc.Facts[3]
	expect.That(t, sure.Label == "How sure?" && sure.Value != "" && len(sure.Bars) == 0, "%+v", sure)
}

func TestNumbersAsPeopleWriteThem(t *testing.T) {
	p := buytest.Read(t, buytest.PlanFile(t, buytest.Site))
	for cost, want := range map[float64]string{
		0: "0 EUR per job", 0.149: "0.149 EUR per job", 0.00213: "2.13 EUR per thousand jobs", 5.89e-05: "58.9 EUR per million jobs",
		4e-9: "4 EUR per billion jobs", 1234: "1 234 EUR per job",
	} {
		expect.Equal(t, p.PerJob(cost), want, "%v", cost)
	}
}

// Large ratios of times are not given in per cent.
func TestManyTimesAreNoPercentage(t *testing.T) {
	r := solve(t, buytest.Read(t, buytest.PlanFile(t, buytest.Site)))
	for ratio, want := range map[float64][2]string{15.5: {"15.5 times the time for ", "takes 15.5 times as long and costs"}, 1.25: {"+25.0 % time for ", "takes 25.0 % longer and costs"}} {
		x := changed(r, func(r Answer) {
			r.Find(r.RunnerUp).Score = ratio * r.Recommendation().Score
			r.Lead = new(ratio - 1)
		})
		expect.That(t, strings.HasPrefix(x.elseFact().Note, want[0]), "%q, want %q", x.elseFact().Note, want[0])
		expect.Says(t, strings.Join(x.Summary(), " "), want[1])
	}
}

// If the best machine costs nothing, because it exists, no other costs a multiple of it.
func TestNothingIsTimesNothing(t *testing.T) {
	r := solve(t, buytest.Read(t, buytest.PlanFile(t, buytest.Site), "existing={node: fat, count: 4, network: slow}", "objective=cheapest"))
	expect.Need(t, r.Ranking[0].Price == 0 && len(r.Ranking) > 1, "%+v", r.Ranking[0])
	doc := r.Report()
	expect.Success(t, doc.Check())
	expect.That(t, doc.Facts[0].Bars[0].Length == 0 && doc.Facts[0].Bars[1].Length == 1, "%+v", doc.Facts[0])
	expect.That(t, r.elseFact().Value == r.RunnerUp && strings.Contains(r.sureFact().Note, "is not tested"), "%+v, %+v", r.elseFact(), r.sureFact())
	for _, text := range texts(t, r) {
		expect.That(t, !regexp.MustCompile(`\d{20}`).MatchString(text) || strings.HasPrefix(text, "{"), "%s", text)
	}
}
