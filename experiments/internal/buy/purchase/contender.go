package purchase

import "math"

// A contender is a design that may be first if parameters change.
type contender struct {
	best Choice // as the parameters are
	// response is, for each parameter that its times depend on, the relative
	// change of the time of each workload at the lower and the upper end.
	response map[parameter][2][]float64
	known    []sizedChoice // simulated, by increasing marked speed
	// mostLoad is the longest time of a year's work of a machine of the design that is
	// ranked.
	mostLoad float64
}

// noContender stands for the contender that is first where no design is within the
// limits.
const noContender = -1

// NoDesign stands for the design that is first where none is within the limits.
const NoDesign = "none"

func (t *trials) name(contender int) string {
	if contender == noContender {
		return NoDesign
	}
	return t.designName(t.contenders[contender].best.design())
}

// pickContenders finds the designs that can come first. A change of every parameter
// by the fraction d changes a time by no more than (1+d)/(1-d), because times are
// sums of terms in proportion to one parameter each, and it changes the number of
// nodes that a budget buys by as much; half as much again is left for numbers of
// nodes being whole. The bound is relative to the fastest machine that stays within
// the limits whatever changes, because the recommended one may not. The first two
// designs are always contenders.
func (t *trials) pickContenders() {
	q := t.dearest()
	safe := math.Inf(1)
	for _, c := range t.result.Ranking {
		if q.limitAt(c.choice, c.load) == "" {
			safe = c.Score
			break
		}
	}
	for i, c := range t.best {
		if i < 2 || t.isCompared(c, safe) {
			x := contender{best: c.choice, response: map[parameter][2][]float64{}}
			for _, k := range t.result.Ranking {
				if k.load != nil && k.Design == c.Design {
					x.mostLoad = max(x.mostLoad, k.load.seconds)
				}
			}
			t.contenders = append(t.contenders, x)
		}
	}
}

// isCompared reports whether the best machine of a design may come first.
func (t *trials) isCompared(c Candidate, safe float64) bool {
	if t.Objective.byPrice() {
		return c.Objective <= t.comparedUpToGoal(t.best[0].Objective)
	}
	return c.Score <= t.comparedUpTo(safe)
}

// comparedUpToGoal returns, with objective cheapest, the cost up to which designs are
// contenders, of the least.
func (p *Plan) comparedUpToGoal(least float64) float64 { return 1.5 * p.spread() * least }

// spread returns by how much times change at most, and numbers of nodes, if figures change.
func (p *Plan) spread() float64 {
	d := p.widest()
	return (1 + d) / (1 - d)
}

// comparedUpTo returns the score up to which designs are contenders, of that of the fastest
// machine that stays within the limits.
func (p *Plan) comparedUpTo(safe float64) float64 {
	spread := p.spread()
	return 1.5 * spread * spread * safe
}

// dearest returns the plan with all prices and powers at their upper ends.
func (p *Plan) dearest() *Plan {
	d := p.widest()
	f := factors{}
	for t := range p.Nodes {
		f[parameter{kindNode, t, quantityPrice}], f[parameter{kindNode, t, quantityPower}] = 1+d, 1+d
	}
	for n := range p.Networks {
		f[parameter{kindNetwork, n, quantityPrice}], f[parameter{kindNetwork, n, quantityPower}] = 1+d, 1+d
	}
	f[parameter{kindEnergy, 0, quantityPrice}] = 1 + d
	return p.with(f)
}
