package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// A prospect is a machine with changed figures whose load is not known yet.
type prospect struct {
	contender int
	choice    model.Choice
	works     []model.Work
	bill      model.Bill
	bound     float64 // not above what it is ranked by
	// seconds is the time of a year's work where it is known without a packing, else 0.
	seconds float64
}

// prospects returns the machines of a contender that the limits of q allow as far as these do not
// depend on the load. q is the plan with the changes f.
func (t *trials) prospects(q *model.Plan, contender int, f model.Factors) []prospect {
	c := &t.contenders[contender]
	ratios := t.timeRatios(c, f)
	var all []prospect
	for _, x := range t.withinLimits(q, c.best.Design()) {
		works := q.InTime(x, t.misjudged(x, slower(t.worksOf(c, x), ratios), f))
		bill, _ := q.Price(x)
		least, attained := q.LeastScore(x, works)
		y := prospect{contender: contender, choice: x, works: works, bill: bill, bound: q.Goal(closeToLeast*least, bill.Total())}
		if attained && !q.Budget.Life { // which needs to know the runs of each way
			y.seconds = model.Rounded(least)
		}
		all = append(all, y)
	}
	return all
}

// closeToLeast leaves room for rounding.
const closeToLeast = 1 - 1e-9

// offers assesses prospects, those with the lowest bounds first, as long as one may be
// within the tolerance of the best. It returns the contender of each offer, too.
func (t *trials) offers(q *model.Plan, list []prospect) (offers []offer, of []int) {
	slices.SortStableFunc(list, func(a, b prospect) int { return cmp.Compare(a.bound, b.bound) })
	best := math.Inf(1)
	for _, x := range list {
		if x.bound > best*(1+t.GoalTolerance()) {
			break
		}
		score, l := x.seconds, &model.Load{Seconds: x.seconds}
		if score == 0 {
			score, l = q.Score(x.choice, x.works)
		}
		if math.IsInf(score, 1) || q.LimitWith(x.choice, l) != "" || !t.carries(&t.contenders[x.contender], l) {
			continue
		}
		price := x.bill.Total()
		cost := price
		if q.Budget.Life {
			cost = q.LifeCost(x.bill, q.LifeOf(x.choice, l))
		}
		goal := q.Goal(score, cost)
		best = min(best, goal)
		offers, of = append(offers, offer{goal, price}), append(of, x.contender)
	}
	return offers, of
}
