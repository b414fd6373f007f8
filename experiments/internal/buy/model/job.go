package model

import (
	"cmp"
	"slices"
)

// ShareIdle adds to the cost of runs their share of the energy that their own does not
// account for: that of idle nodes, and of the network while it waits.
func (x *Candidate) ShareIdle(l life, price float64) {
	nodeTime, energy := 0.0, 0.0 // of the runs of a year
	for _, y := range x.Workloads {
		nodeTime += float64(y.PerYear * y.NodeTime)
		energy += float64(y.PerYear * y.Energy)
	}
	idle := l.idleOf(energy, nodeTime)
	for i := range x.Workloads {
		y := &x.Workloads[i]
		y.IdleCost = float64(l.PerNodeHour(float64(idle*price)) * y.NodeTime / 3600)
		y.Cost = y.Capital + y.EnergyCost + y.IdleCost + y.Other
	}
}

// spread says how the present value of the life of a machine is shared by its runs.
type spread struct {
	KWh   float64 // of a kilowatt hour, mean over the years
	Other float64 // but for the purchase and energy
}

func (p *Plan) SpreadOf(flow []YearCost, l life) (s spread) {
	energy := 0.0
	for _, x := range flow {
		e := presentValue(x.Energy, p.Costs.Discount, x.Year)
		energy += e
		s.Other += x.Present - e - x.Purchase
	}
	if kWh := l.KWh(); kWh > 0 {
		s.KWh = energy / kWh
	}
	return s
}

// PerJob fills in what a job costs, and how many the machine could do for its cost.
func (x *Candidate) PerJob(p *Plan) {
	runs := 0.0 // of a year
	for _, w := range p.Workloads {
		runs += w.Weight
	}
	done := runs * p.Energy.Years * min(1, 1 / *x.Use)
	cost := x.LifeCost / done
	x.JobCost = &cost
	if x.LifeCost > 0 {
		value := runs * *x.Throughput * p.Energy.Utilisation * p.Energy.Years / x.LifeCost
		x.LifeValue = &value
	}
}

// UsedWays returns the ways in which the runs of a workload take place on a choice: with
// runs in a year those that carry most of the mix, else the one that gets most runs done
// or, with objective time, the fastest.
func (p *Plan) UsedWays(c Choice, w int, x Work, l *Load) []wayRuns {
	var used []wayRuns
	if l != nil {
		for _, r := range l.runs {
			if r.workload == w {
				used = append(used, r)
			}
		}
	}
	if len(used) > 0 && p.Objective != (Objective{Name: ObjectiveTime, Workload: w}) {
		return used
	}
	nodes := func(y TimedWay) float64 {
		if y.Whole() || p.Objective.Name == ObjectiveTime {
			return 1
		}
		return float64(y.Nodes)
	}
	best := x.Ways[0]
	for _, y := range x.Ways[1:] {
		if y.Time*nodes(y) < best.Time*nodes(best) {
			best = y
		}
	}
	return []wayRuns{{best.Way, w, best.Time, best.Extra, 1}}
}

// MostRuns returns the way of most runs.
func MostRuns(used []wayRuns) Way {
	return slices.MaxFunc(used, func(a, b wayRuns) int { return cmp.Compare(a.Runs, b.Runs) }).Way
}
