package model

import (
	"cmp"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// hoursPerYear is the mean year of the Gregorian calendar.
const (
	hoursPerYear   = 365.2425 * 24
	SecondsPerYear = hoursPerYear * 3600
)

// A life is how a machine spends its years of operation: its nodes compute part of the time and idle the rest.
//
//	energy = overhead (P_idle + sum_t b_t (P_t - P_idle,t)) years
//
//	P_idle    power of the idle machine, W
//	P_t       mean power of all nodes of type t during runs, W, or under load without runs in a
//	          year; P_idle,t their power when idle
//	b_t       fraction of the years in which they compute: the node time of the runs of a
//	          year that are done over that of a year; without runs in a year the utilisation
type life struct {
	Energy
	idle  units.Watts
	extra units.Watts // sum_t b_t (P_t - P_idle,t)
	busy  float64     // fraction of all node time that is used, above 0 unless the machine has no work
	nodes float64
	kept  float64 // a year: maintenance of existing nodes that are kept, and what a bid costs
	// maintenance of what is bought, a year, as a fraction of its price.
	maintenance float64
}

// lifeOf returns the life of a choice with that load; nil stands for no work.
func (p *Plan) lifeOf(c Choice, l *Load) life {
	parts := p.Parts(c)
	x := life{Energy: p.Energy, idle: p.IdlePower(c), nodes: float64(each.Total(parts)), maintenance: p.Costs.Maintenance}
	var used []float64
	if p.Existing != nil && !c.Retired {
		x.kept = p.Existing.Maintenance
	}
	if b := p.BidOf(c.Design); b != nil && b.Yearly > 0 {
		x.kept, x.maintenance = x.kept+b.Yearly, 0
	}
	if l != nil {
		used = l.nodeSeconds(parts)
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
			b = min(l.Done*used[t]/3600/hoursPerYear/float64(count), p.Energy.Utilisation)
		default:
			x.extra += units.Watts(float64(float64(count)*b) * float64(p.Nodes[t].Power-p.Nodes[t].IdlePower))
		}
		x.busy += float64(float64(count)*b) / x.nodes
	}
	if p.ByRuns && l != nil {
		for _, r := range l.runs {
			x.extra += units.Watts(l.Done * r.Runs * r.Extra / SecondsPerYear)
		}
	}
	return x
}

// nodeHours returns the hours, summed over all nodes, in which they compute during the years of operation.
func (l life) nodeHours() float64 { return l.busy * l.nodes * l.Years * hoursPerYear }

// kWh returns the energy drawn over the years of operation in kWh.
func (l life) kWh() float64 {
	return float64(l.idle+l.extra) / 1000 * l.Overhead * l.Years * hoursPerYear
}

// Account fills in what a machine costs over its years of operation, and what each run bears of that: its own energy
// and, in proportion to its node time, a share of the price, of the energy that no run accounts for (idle nodes, and
// the network while it waits), and of all other costs. REQUIRES: its bill, load and workloads are known.
func (x *Candidate) Account(p *Plan) {
	l := p.lifeOf(x.Choice, x.Load)
	kWh := l.kWh()
	x.IdlePower, x.Busy, x.LifeEnergy, x.Draw = float64(l.idle), l.busy, kWh, float64(l.idle+l.extra)
	x.CashFlow = p.cashFlow(x.Bill, l)
	x.LifeCost = netPresent(x.CashFlow)
	x.Annuity = Annuity(x.LifeCost, p.Costs.Discount, p.Energy.Years)
	x.Cost = x.Price
	if p.Budget.Life {
		x.Cost = x.LifeCost
	}
	x.Objective = p.Goal(x.Score, x.Cost)
	energy, other, price := 0.0, 0.0, 0.0 // price: of a kilowatt hour, averaged over the years
	for _, y := range x.CashFlow {
		e := presentValue(y.Energy, p.Costs.Discount, y.Year)
		energy += e
		other += y.Present - e - y.Purchase
	}
	if kWh > 0 {
		price = energy / kWh
	}
	nodeTime, drawn := 0.0, 0.0 // of the runs of a year
	for _, y := range x.Workloads {
		nodeTime += float64(y.PerYear * y.NodeTime)
		drawn += float64(y.PerYear * y.Energy)
	}
	idle := kWh
	if nodeTime > 0 {
		idle -= float64(drawn / (nodeTime / 3600) * l.nodeHours())
	}
	for i := range x.Workloads {
		y := &x.Workloads[i]
		if y.Impossible != "" {
			continue // it takes no part
		}
		share := func(amount float64) float64 { return float64(amount / l.nodeHours() * y.NodeTime / 3600) }
		y.Capital, y.EnergyCost, y.IdleCost, y.Other = share(x.Price), float64(y.Energy*price),
			share(float64(idle*price)), share(other)
		y.Cost = y.Capital + y.EnergyCost + y.IdleCost + y.Other
	}
	if runs := p.RunsOfYear(); p.ByRuns && runs > x.Load.Impossible {
		runs -= x.Load.Impossible
		x.JobCost = new(x.LifeCost / (runs * x.Load.Done * p.Energy.Years))
		if x.LifeCost > 0 {
			x.LifeValue = new(runs * x.Load.Done * p.Energy.Years / x.LifeCost)
		}
	}
}

func (p *Plan) RunsOfYear() float64 {
	return each.Sum(p.Workloads, func(w Workload) float64 { return w.Weight })
}

// UsedWays returns the ways in which the runs of a workload take place on a choice: with runs in a year the ways that
// carry most of the mix, else the one that gets most runs done or, with objective time, the fastest.
func (p *Plan) UsedWays(w int, x Work, l *Load) []wayRuns {
	var used []wayRuns
	if l != nil {
		used = each.Where(used, l.runs, func(r wayRuns) bool { return r.workload == w })
	}
	if len(used) > 0 && p.Objective != (Objective{Name: ObjectiveTime, Workload: w}) {
		return used
	}
	cost := func(y TimedWay) float64 {
		if y.Whole() || p.Objective.Name == ObjectiveTime {
			return y.Time
		}
		return y.Time * float64(y.Nodes)
	}
	best := slices.MinFunc(x.Ways, func(a, b TimedWay) int { return cmp.Compare(cost(a), cost(b)) })
	return []wayRuns{{best, w, 1}}
}

func MostRuns(used []wayRuns) Way {
	return slices.MaxFunc(used, func(a, b wayRuns) int { return cmp.Compare(a.Runs, b.Runs) }).Way
}

// Extra returns the energy in J that the nodes of a run draw above what they draw without work. In a run whose time is
// committed, nodes compute all the time.
func (p *Plan) Extra(parts []int, o Outcome) float64 {
	sum := 0.0
	if o.Source != "" {
		for t, count := range parts {
			n := &p.Nodes[t]
			sum += float64(float64(count) * float64(n.Power-n.IdlePower) * float64(o.Run.Time))
		}
		return sum
	}
	drawn := o.Run.Drawn
	for t, count := range parts {
		if count == 0 || len(drawn) == 0 { // the run was not possible
			continue
		}
		n, d := &p.Nodes[t], drawn[0]
		sum += float64(float64(n.Power-n.IdlePower)*float64(d.Compute)) +
			float64(float64(n.WaitPower-n.IdlePower)*float64(d.Messages))
		drawn = drawn[1:]
	}
	return sum
}

// RunEnergy returns the energy of a run in kWh, including cooling and its nodes' share of the network.
func (p *Plan) RunEnergy(c Choice, parts []int, o Outcome) float64 {
	all, idle := p.Parts(c), p.IdlePower(c) // with the network
	for t, count := range all {
		idle -= units.Watts(units.Watts(count) * p.Nodes[t].IdlePower)
	}
	idle = units.Watts(float64(idle) * float64(each.Total(parts)) / float64(each.Total(all)))
	for t, count := range parts {
		idle += units.Watts(units.Watts(count) * p.Nodes[t].IdlePower)
	}
	return (float64(float64(idle)*float64(o.Run.Time)) + p.Extra(parts, o)) / 3.6e6 * p.Energy.Overhead
}
