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
	// seconds is the time of a year's work where it is known without a packing, else 0.
	seconds float64
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
		least, attained := q.leastScore(x, works)
		y := prospect{contender: contender, choice: x, works: works, bill: bill, bound: q.goal(closeToLeast*least, bill.Total())}
		if attained && !q.Budget.Life { // which needs to know the runs of each way
			y.seconds = rounded(least)
		}
		all = append(all, y)
	}
	return all
}

// closeToLeast leaves room for rounding.
const closeToLeast = 1 - 1e-9

// offers assesses prospects, those with the lowest bounds first, as long as one may be
// within the tolerance of the best. It returns the contender of each offer, too.
func (t *trials) offers(q *Plan, list []prospect) (offers []offer, of []int) {
	slices.SortStableFunc(list, func(a, b prospect) int { return cmp.Compare(a.bound, b.bound) })
	best := math.Inf(1)
	for _, x := range list {
		if x.bound > best*(1+t.tolerance()) {
			break
		}
		score, l := x.seconds, &load{seconds: x.seconds}
		if score == 0 {
			score, l = q.score(x.choice, x.works)
		}
		if math.IsInf(score, 1) || q.limitAt(x.choice, l) != "" || !t.carries(&t.contenders[x.contender], l) {
			continue
		}
		price := x.bill.Total()
		cost := price
		if q.Budget.Life {
			cost = q.lifeCost(x.bill, q.lifeOf(x.choice, l))
		}
		goal := q.goal(score, cost)
		best = min(best, goal)
		offers, of = append(offers, offer{goal, price}), append(of, x.contender)
	}
	return offers, of
}

// leastScore returns a time that a year's work takes at least, without solving a linear
// programme: that of its node time if no node is ever idle. Nodes of different types count
// by weights; the bound holds for any, and the largest is returned. attained says that some
// packing takes no longer: the nodes of each type hold a whole number of runs of each
// workload, each in the way that takes the least node time.
//
//	T >= sum_w r_w min_t (v_t a_wt) / sum_t v_t N_t
//
//	v_t   weight of type t
//	a_wt  least node time of a run of workload w on type t, n T_w
//	n     nodes of a way, N_t those of the machine
//
// It is 0 where runs take the whole machine, or where the score is no time of a year's work.
//
// Source: dual of the linear programme of package throughput for nodes that can be divided at
// will. With two types the bound is a ratio of linear functions of v_1/v_2 between the values
// at which a workload costs the same on both, so that it is largest at one of these, or
// where one type counts for nothing.
func (p *Plan) leastScore(c Choice, works []work) (least float64, attained bool) {
	if !p.byRuns || p.Objective.Name == objectiveTime {
		return 0, false
	}
	var types, counts []int
	for t, count := range p.parts(c) {
		if count > 0 {
			types, counts = append(types, t), append(counts, count)
		}
	}
	attained = len(types) <= 2             // with more, other weights may give a larger bound
	times := make([][]float64, len(works)) // a_wt, by place in types
	for w, x := range works {
		if x.problem != "" {
			return math.Inf(1), false
		}
		if x.ways[0].whole() {
			return 0, false
		}
		times[w] = make([]float64, len(types))
		for k, t := range types {
			y := leastNodeTime(x, t)
			times[w][k] = float64(y.nodes) * y.time
			attained = attained && (y.nodes == 0 || counts[k]%y.nodes == 0)
			if y.nodes == 0 {
				times[w][k] = math.Inf(1)
			}
		}
	}
	bound := func(weights ...float64) {
		need, capacity := 0.0, 0.0
		for k, v := range weights {
			capacity += float64(v * float64(counts[k]))
		}
		for w, of := range times {
			cheapest := math.Inf(1)
			for k, v := range weights {
				if !math.IsInf(of[k], 1) {
					cheapest = min(cheapest, float64(v*of[k]))
				}
			}
			need += float64(p.Workloads[w].Weight * cheapest)
		}
		least = max(least, need/capacity)
	}
	if len(types) != 2 {
		bound(balanced(p.Workloads, times)...)
		return least, attained
	}
	bound(1, 0)
	bound(0, 1)
	for _, of := range times {
		if !math.IsInf(of[0], 1) && !math.IsInf(of[1], 1) {
			bound(of[1], of[0])
		}
	}
	return least, attained
}

// balanced returns weights with which the work of a year costs the same on each type, all that
// runs there. A type on which nothing runs has the weight 0.
func balanced(workloads []Workload, times [][]float64) []float64 {
	weights := make([]float64, len(times[0]))
	for k := range weights {
		sum := 0.0
		for w, of := range times {
			if !math.IsInf(of[k], 1) {
				sum += float64(workloads[w].Weight * of[k])
			}
		}
		if sum > 0 {
			weights[k] = 1 / sum
		}
	}
	return weights
}

// leastNodeTime returns the way to run a workload on nodes of a type that takes the least
// node time, one without nodes if there is none.
func leastNodeTime(x work, node int) timedWay {
	var least timedWay
	for _, y := range x.ways {
		if y.node == node && (least.nodes == 0 || float64(y.nodes)*y.time < float64(least.nodes)*least.time) {
			least = y
		}
	}
	return least
}
