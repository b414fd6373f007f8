package search

import (
	"context"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/units"
)

// looser is the fraction by which limits are loosened to find what they hold back: as much as parts are improved.
const looser = system.Step

// agree is the factor within which the value of a limit at the margin must agree with what the search finds.
const agree = 2

// binding finds what each limit and each deadline holds back: all designs are searched again with it loosened. Its
// value at the margin, by the linear program of the recommended machine, is added where it roughly agrees with the
// search; it may not, because nodes are whole and another limit may exclude the nodes that the looser one buys. With
// objective cheapest, limits of the budget hold nothing back. Runs on whole machines are left out: each machine would
// take new simulations.
func (s *solver) binding(ctx context.Context) error {
	if !s.OnSome() || s.Objective.MeanWait > 0 || s.Scoring != nil {
		return nil
	}
	again := func(limit string, q *model.Plan, used, margin float64) {
		x := model.LimitResult{Limit: limit, Used: used}
		least := s.result.Ranking[0].Objective
		for _, d := range designs(s.Plan) {
			f := s.field(ctx, d)
			f.Plan, f.axes = q, axesOf(q, d)
			if y, _, ok := f.best(aim{most: least}, mostTriedAgain); ok {
				least = min(least, y.goal)
			}
		}
		if least > 0 {
			x.Gain = model.Rounded(s.result.Ranking[0].Objective/least) - 1
		}
		if margin > 0 && x.Gain > 0 && margin <= agree*x.Gain && x.Gain <= agree*margin {
			x.Margin = &margin
		}
		s.result.Limits = append(s.result.Limits, x)
	}
	c := s.result.Recommendation()
	if b := &s.Budget; !s.Objective.ByPrice() {
		money := func(c model.Choice, l *model.Load) float64 {
			bill, _ := s.Price(c)
			return s.Cost(c, bill, l)
		}
		for _, x := range []struct {
			name   string
			most   float64
			of     func(model.Choice, *model.Load) float64
			loosen func(b *model.Budget, factor float64) // factor 0: no limit
		}{
			{"money", b.Money.Amount, money, func(b *model.Budget, factor float64) { b.Money.Amount *= factor }},
			{"power", float64(b.Power), func(c model.Choice, _ *model.Load) float64 { return float64(s.Power(c)) },
				func(b *model.Budget, factor float64) { b.Power *= units.Watts(factor) }},
			{"rack units", b.RackUnits, func(c model.Choice, _ *model.Load) float64 { return s.RackUnits(c) },
				func(b *model.Budget, factor float64) { b.RackUnits *= factor }},
		} {
			if x.most == 0 {
				continue
			}
			q, others := *s.Plan, *s.Plan
			x.loosen(&q.Budget, 1+looser)
			x.loosen(&others.Budget, 0)
			has, margin := x.of(c.Choice, c.Load), 0.0
			for t, worth := range s.worthOfNodes(c) {
				if !s.Nodes[t].ForSale || c.Choice.Bid > 0 || worth == 0 {
					continue
				}
				if cost := x.of(plus(c.Choice, t, 1), c.Load) - has; cost > 0 {
					more := plus(c.Choice, t, max(1, int(looser*x.most/cost)))
					if others.LimitWith(more, c.Load) == "" && others.Unmet(more, more) == "" {
						margin = max(margin, worth/cost*looser*x.most)
					}
				}
			}
			again(x.name, &q, has/x.most, margin)
		}
	}
	for w, x := range s.Workloads {
		if x.Deadline == 0 && x.Batch == 0 {
			continue
		}
		q := *s.Plan
		q.Workloads = slices.Clone(q.Workloads)
		q.Workloads[w].Deadline *= units.Seconds(1 + looser)
		q.Workloads[w].Within *= units.Seconds(1 + looser)
		again("deadline of "+x.Name, &q, 0, 0)
	}
	return s.failed
}

// worthOfNodes returns, by node type, the marginal relative gain in the mix done per additional node.
func (s *solver) worthOfNodes(c *model.Candidate) []float64 {
	worth := make([]float64, len(s.Nodes))
	if c.Load != nil && s.Objective.Name != model.ObjectiveTime {
		for t, count := range s.Parts(c.Choice) {
			if count > 0 {
				worth[t] = c.Load.Prices[t] / float64(count)
			}
		}
	}
	return worth
}
