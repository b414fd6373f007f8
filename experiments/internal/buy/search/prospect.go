package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/units"
)

// exactChoices is how many new numbers of nodes of one design are simulated
// because prices change, where runs take the whole machine; between them times are
// interpolated. Runs on some of the nodes take as long on machines of any size.
const exactChoices = 9

// A sizedChoice is a choice with what it does as the parameters are.
type sizedChoice struct {
	choice model.Choice
	speed  float64 // marked speed
	works  []model.Work
}

// simulateCounts simulates the numbers of nodes that changed prices make
// affordable.
func (t *trials) simulateCounts(ctx context.Context, changes []model.Factors) error {
	var list []model.Choice
	for i := range t.contenders {
		c := &t.contenders[i]
		seen := map[string]bool{}
		unseen := func(q *model.Plan) (fresh []model.Choice) {
			for _, x := range t.withinLimits(q, c.best.Design()) {
				if name := t.Name(x); !seen[name] {
					seen[name] = true
					fresh = append(fresh, x)
				}
			}
			return fresh
		}
		choices := unseen(t.Plan)
		var added []model.Choice
		for _, f := range changes {
			if !f.OnlyTimes() {
				added = append(added, unseen(t.With(f))...)
			}
		}
		if !t.SideBySide() {
			added = t.thin(added)
		}
		for _, x := range append(choices, added...) {
			c.known = append(c.known, sizedChoice{choice: x, speed: t.Speed(x)})
			list = append(list, x)
		}
		slices.SortStableFunc(c.known, func(a, b sizedChoice) int { return cmp.Compare(a.speed, b.speed) })
	}
	if err := t.needChoices(ctx, t.Plan, list, "robustness: numbers of nodes"); err != nil {
		return err
	}
	for _, c := range t.contenders {
		for k := range c.known {
			c.known[k].works = t.works(t.Plan, c.known[k].choice)
		}
	}
	return nil
}

// thin returns at most exactChoices of some choices, evenly spaced in their order
// of marked speed.
func (t *trials) thin(choices []model.Choice) []model.Choice {
	if len(choices) <= exactChoices {
		return choices
	}
	slices.SortStableFunc(choices, func(a, b model.Choice) int { return cmp.Compare(t.Speed(a), t.Speed(b)) })
	var some []model.Choice
	for k := range exactChoices {
		some = append(some, choices[k*(len(choices)-1)/(exactChoices-1)])
	}
	return some
}

// withinLimits returns the choices of a design that a variant of the plan allows: those
// of the plan as far as they are still within the limits, and those that it has
// itself. So a lower price never takes anything away.
func (t *trials) withinLimits(q *model.Plan, d model.Design) []model.Choice {
	all, _ := choicesOf(q, d)
	for _, c := range t.result.Ranking {
		if x := c.Choice; x.Design().Equal(d) && !slices.ContainsFunc(all, x.Equal) && q.Limit(x) == "" {
			all = append(all, x)
		}
	}
	return all
}

// worksOf returns how workloads run on a choice as the parameters are: simulated, or
// else interpolated, the logarithm of a time over that of the marked speed.
func (t *trials) worksOf(c *contender, x model.Choice) []model.Work {
	for _, k := range c.known {
		if k.choice.Equal(x) {
			return k.works
		}
	}
	speed := t.Speed(x)
	i, _ := slices.BinarySearchFunc(c.known, speed, func(k sizedChoice, speed float64) int { return cmp.Compare(k.speed, speed) })
	i = min(max(i, 1), len(c.known)-1)
	if len(c.known) == 1 {
		return c.known[0].works
	}
	a, b := c.known[i-1], c.known[i]
	part := 0.0
	if b.speed > a.speed {
		part = math.Log(speed/a.speed) / math.Log(b.speed/a.speed)
	}
	between := make([]model.Work, len(a.works))
	for w := range between {
		if between[w].Problem = cmp.Or(a.works[w].Problem, b.works[w].Problem); between[w].Problem == "" {
			time := math.Exp(float64((1-part)*math.Log(a.works[w].Ways[0].Time)) + float64(part*math.Log(b.works[w].Ways[0].Time)))
			between[w].Ways = []model.TimedWay{{Way: model.Way{}, Time: time, Run: units.Seconds(time), Extra: 0}}
		}
	}
	return between
}

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
