package model

import (
	"cmp"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// hoursPerYear is the mean year of the Gregorian calendar.
const hoursPerYear = 365.2425 * 24

// A life is how a machine spends its years of operation: its nodes compute for some of the
// time and are idle for the rest.
//
//	energy = overhead (P_idle + sum_t b_t (P_t - P_idle,t)) years
//
//	P_idle    power of the idle machine, W
//	P_t       mean power of all nodes of type t during runs, W; P_idle,t when they are
//	          idle. Without runs in a year, the power under load
//	b_t       fraction of the years in which they compute: the node time of a year's work
//	          over that of a year, less if the machine is full before; without runs in a
//	          year the utilisation
type life struct {
	Energy
	Idle  units.Watts
	Extra units.Watts // sum_t b_t (P_t - P_idle,t)
	Busy  float64     // fraction of all node time that is used, above 0 but for a machine without work
	nodes float64
	kept  float64 // maintenance of existing nodes that are kept, a year
}

// LifeOf returns the life of a choice with that load, nil for no work.
func (p *Plan) LifeOf(c Choice, l *Load) life {
	parts := p.Parts(c)
	x := life{Energy: p.Energy, Idle: p.IdlePower(c), nodes: float64(Total(parts))}
	var used []float64
	if p.Existing != nil && !c.Retired {
		x.kept = p.Existing.Maintenance
	}
	most := 1.0 // of the work
	if l != nil {
		used = l.nodeSeconds(parts)
		if share := l.Seconds / 3600 / hoursPerYear; share > p.Energy.Utilisation {
			most = p.Energy.Utilisation / share
		}
	}
	for t, count := range parts {
		if count == 0 {
			continue
		}
		b := p.Energy.Utilisation
		switch {
		case p.ByRuns && l == nil:
			b = 0
		case p.ByRuns:
			b = min(most*used[t]/3600/hoursPerYear/float64(count), p.Energy.Utilisation)
		}
		if !p.ByRuns {
			x.Extra += units.Watts(float64(float64(count)*b) * float64(p.Nodes[t].Power-p.Nodes[t].IdlePower))
		}
		x.Busy += float64(float64(count)*b) / x.nodes
	}
	if p.ByRuns && l != nil {
		for _, r := range l.runs {
			x.Extra += units.Watts(most * r.Runs * r.extra / SecondsPerYear)
		}
	}
	return x
}

// nodeHours returns the hours of all nodes in which they compute over the years.
func (l life) nodeHours() float64 { return l.Busy * l.nodes * l.Years * hoursPerYear }

// KWh returns the energy drawn over the years of operation in kWh.
func (l life) KWh() float64 {
	return float64(l.Idle+l.Extra) / 1000 * l.Overhead * l.Years * hoursPerYear
}

// idleOf returns the energy in kWh that the machine draws over its years beyond that of its
// runs, of which those of a year, or of any other time, take so much energy and node time
// in s.
func (l life) idleOf(energy, nodeTime float64) float64 {
	return l.KWh() - float64(energy/(nodeTime/3600)*l.nodeHours())
}

// PerNodeHour spreads an amount over the node hours of computation: what a run on one node
// that takes an hour has to bear of it.
func (l life) PerNodeHour(amount float64) float64 { return amount / l.nodeHours() }

// Extra returns what the nodes of a run draw above what they draw without work, in J. Nodes
// compute all the time of a run whose time is committed.
func (p *Plan) Extra(parts []int, o Outcome) float64 {
	sum := 0.0
	if o.Source != "" {
		for t, count := range parts {
			n := &p.Nodes[t]
			sum += float64(float64(count) * float64(n.Power-n.IdlePower) * float64(o.Run.Time))
		}
		return sum
	}
	for _, d := range o.Run.Drawn {
		for t := range p.Nodes {
			if n := &p.Nodes[t]; n.Name == d.Node {
				sum += float64(float64(n.Power-n.IdlePower)*float64(d.Compute)) + float64(float64(n.WaitPower-n.IdlePower)*float64(d.Messages))
			}
		}
	}
	return sum
}

// RunEnergy returns the energy of a run in kWh, with the share of the network that its nodes
// have, and with cooling.
func (p *Plan) RunEnergy(c Choice, parts []int, o Outcome) float64 {
	all, idle := p.Parts(c), p.IdlePower(c) // with the network
	for t, count := range all {
		idle -= units.Watts(units.Watts(count) * p.Nodes[t].IdlePower)
	}
	idle = units.Watts(float64(idle) * float64(Total(parts)) / float64(Total(all)))
	for t, count := range parts {
		idle += units.Watts(units.Watts(count) * p.Nodes[t].IdlePower)
	}
	return (float64(float64(idle)*float64(o.Run.Time)) + p.Extra(parts, o)) / 3.6e6 * p.Energy.Overhead
}

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
