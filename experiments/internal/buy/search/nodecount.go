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
