package model

import (
	"math"
)

// LeastScore returns a time that a year's work takes at least, without solving a linear
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
func (p *Plan) LeastScore(c Choice, works []Work) (least float64, attained bool) {
	if !p.ByRuns || p.Objective.Name == ObjectiveTime {
		return 0, false
	}
	var types, counts []int
	for t, count := range p.Parts(c) {
		if count > 0 {
			types, counts = append(types, t), append(counts, count)
		}
	}
	attained = len(types) <= 2             // with more, other weights may give a larger bound
	times := make([][]float64, len(works)) // a_wt, by place in types
	for w, x := range works {
		if x.Problem != "" {
			return math.Inf(1), false
		}
		if x.Ways[0].Whole() {
			return 0, false
		}
		times[w] = make([]float64, len(types))
		for k, t := range types {
			y := leastNodeTime(x, t)
			times[w][k] = float64(y.Nodes) * y.Time
			attained = attained && (y.Nodes == 0 || counts[k]%y.Nodes == 0)
			if y.Nodes == 0 {
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
func leastNodeTime(x Work, node int) TimedWay {
	var least TimedWay
	for _, y := range x.Ways {
		if y.Node == node && (least.Nodes == 0 || float64(y.Nodes)*y.Time < float64(least.Nodes)*least.Time) {
			least = y
		}
	}
	return least
}
