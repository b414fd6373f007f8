package search

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// A contender is a design that may be first if parameters change.
type contender struct {
	best model.Choice // as the parameters are
	// response is, for each parameter that its times depend on, the relative
	// change of the time of each workload at the lower and the upper end.
	response map[model.Parameter][2][]float64
	known    []sizedChoice // simulated, by increasing marked speed
	// mostLoad is the longest time of a year's work of a machine of the design that is
	// ranked.
	mostLoad float64
}

// noContender stands for the contender that is first where no design is within the
// limits.
const noContender = -1

func (t *trials) name(contender int) string {
	if contender == noContender {
		return model.NoDesign
	}
	return t.DesignName(t.contenders[contender].best.Design())
}

// pickContenders finds the designs that can come first. A change of every parameter
// by the fraction d changes a time by no more than (1+d)/(1-d), because times are
// sums of terms in proportion to one parameter each, and it changes the number of
// nodes that a budget buys by as much; half as much again is left for numbers of
// nodes being whole. The bound is relative to the fastest machine that stays within
// the limits whatever changes, because the recommended one may not. The first two
// designs are always contenders.
func (t *trials) pickContenders() {
	q := dearest(t.solver.Plan)
	safe := math.Inf(1)
	for _, c := range t.result.Ranking {
		if q.LimitWith(c.Choice, c.Load) == "" {
			safe = c.Score
			break
		}
	}
	for i, c := range t.best {
		if i < 2 || t.isCompared(c, safe) {
			x := contender{best: c.Choice, response: map[model.Parameter][2][]float64{}}
			for _, k := range t.result.Ranking {
				if k.Load != nil && k.Design == c.Design {
					x.mostLoad = max(x.mostLoad, k.Load.Seconds)
				}
			}
			t.contenders = append(t.contenders, x)
		}
	}
}

// isCompared reports whether the best machine of a design may come first.
func (t *trials) isCompared(c model.Candidate, safe float64) bool {
	if t.Objective.ByPrice() {
		return c.Objective <= comparedUpToGoal(t.solver.Plan, t.best[0].Objective)
	}
	return c.Score <= comparedUpTo(t.solver.Plan, safe)
}

// comparedUpToGoal returns, with objective cheapest, the cost up to which designs are
// contenders, of the least.
func comparedUpToGoal(p *model.Plan, least float64) float64 { return 1.5 * spread(p) * least }

// spread returns by how much times change at most, and numbers of nodes, if figures change.
func spread(p *model.Plan) float64 {
	d := p.Widest()
	return (1 + d) / (1 - d)
}

// comparedUpTo returns the score up to which designs are contenders, of that of the fastest
// machine that stays within the limits.
func comparedUpTo(p *model.Plan, safe float64) float64 {
	spread := spread(p)
	return 1.5 * spread * spread * safe
}

// dearest returns the plan with all prices and powers at their upper ends.
func dearest(p *model.Plan) *model.Plan {
	d := p.Widest()
	f := model.Factors{}
	for t := range p.Nodes {
		f[model.Parameter{Kind: model.KindNode, Index: t, Quantity: model.QuantityPrice}], f[model.Parameter{Kind: model.KindNode, Index: t, Quantity: model.QuantityPower}] = 1+d, 1+d
	}
	for n := range p.Networks {
		f[model.Parameter{Kind: model.KindNetwork, Index: n, Quantity: model.QuantityPrice}], f[model.Parameter{Kind: model.KindNetwork, Index: n, Quantity: model.QuantityPower}] = 1+d, 1+d
	}
	f[model.Parameter{Kind: model.KindEnergy, Index: 0, Quantity: model.QuantityPrice}] = 1 + d
	return p.With(f)
}
