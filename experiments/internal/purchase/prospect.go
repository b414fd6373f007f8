package purchase

import (
	"cmp"
	"math"
	"slices"
)

// A prospect is a machine with changed figures whose load is not known yet.
type prospect struct {
	contender int
	choice    Choice
	works     []work
	bill      Bill
	bound     float64 // not above what it is ranked by
}

// prospects returns the machines of a contender that the limits of q allow as far as these do not
// depend on the load. q is the plan with the changes f.
func (t *trials) prospects(q *Plan, contender int, f factors) []prospect {
	c := &t.contenders[contender]
	ratios := t.timeRatios(c, f)
	var all []prospect
	for _, x := range t.withinLimits(q, c.best.design()) {
		works := q.inTime(x, t.misjudged(x, slower(t.worksOf(c, x), ratios), f))
		bill, _ := q.Price(x)
		all = append(all, prospect{contender, x, works, bill, q.goal(q.leastScore(x, works), bill.Total())})
	}
	return all
}

// offers assesses prospects, those with the lowest bounds first, as long as one may be
// within the tolerance of the best. It returns the contender of each offer, too.
func (t *trials) offers(q *Plan, list []prospect) (offers []offer, of []int) {
	slices.SortStableFunc(list, func(a, b prospect) int { return cmp.Compare(a.bound, b.bound) })
	best := math.Inf(1)
	for _, x := range list {
		if x.bound > best*(1+t.tolerance()) {
			break
		}
		score, l := q.score(x.choice, x.works)
		if math.IsInf(score, 1) || q.limitAt(x.choice, l) != "" || !t.carries(&t.contenders[x.contender], l) {
			continue
		}
		price := x.bill.Total()
		goal := q.goal(score, q.costThatCounts(price, q.lifeCost(x.bill, q.lifeOf(x.choice, l))))
		best = min(best, goal)
		offers, of = append(offers, offer{goal, price}), append(of, x.contender)
	}
	return offers, of
}

// leastScore returns a time that a year's work takes at least, without solving a linear
// programme: that of its node time if no node is ever idle. Nodes of different types count
// by weights; the bound holds for any.
//
//	T >= sum_w r_w min over ways (v_t n T_w) / sum_t v_t N_t
//
//	v_t  weight of type t: 1/(sum_w r_w min over ways on t (n T_w))
//	n    nodes of a way, N_t those of the machine
//
// It is 0 where runs take the whole machine, or where the score is no time of a year's work.
func (p *Plan) leastScore(c Choice, works []work) float64 {
	if !p.byRuns || p.Objective.Name == objectiveTime {
		return 0
	}
	parts := p.parts(c)
	weights, capacity := make([]float64, len(parts)), 0.0
	for t, count := range parts {
		sum := 0.0
		for w, x := range works {
			if x.problem != "" {
				return math.Inf(1)
			}
			if x.ways[0].whole() {
				return 0
			}
			if least := leastNodeTime(x, func(y timedWay) float64 { return indicator(y.node == t) }); !math.IsInf(least, 1) {
				sum += float64(p.Workloads[w].Weight * least)
			}
		}
		if sum > 0 {
			weights[t] = 1 / sum
			capacity += float64(float64(count) * weights[t])
		}
	}
	need := 0.0
	for w, x := range works {
		need += float64(p.Workloads[w].Weight * leastNodeTime(x, func(y timedWay) float64 { return weights[y.node] }))
	}
	const slack = 1 - 1e-9 // for rounding
	return slack * need / capacity
}

// leastNodeTime returns the least weighted node time of a run; a weight of 0 leaves a way
// out.
func leastNodeTime(x work, weight func(timedWay) float64) float64 {
	least := math.Inf(1)
	for _, y := range x.ways {
		if v := weight(y); v > 0 {
			least = min(least, v*float64(y.nodes)*y.time)
		}
	}
	return least
}

func indicator(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
