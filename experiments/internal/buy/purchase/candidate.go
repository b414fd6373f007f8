package purchase

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// candidate describes a choice. REQUIRES: it has been simulated.
func (s *solver) candidate(c Choice) Candidate {
	p := s.Plan
	bill, _ := p.Price(c)
	power := p.Power(c)
	w, _ := p.Wiring(c)
	x := Candidate{
		Name: p.Name(c), Design: p.designName(c.design()), Nodes: []NodeCount{}, Network: p.Networks[c.Network].Name, Wiring: w.String(),
		Price: bill.Total(), Bill: bill, Power: float64(power), RackUnits: p.RackUnits(c), Fronts: []string{}, choice: c,
	}
	for t, count := range p.parts(c) {
		if count == 0 {
			continue
		}
		n := NodeCount{Type: p.Nodes[t].Name, Count: count}
		if p.Existing != nil && !c.Retired && p.Existing.Node == t {
			n.Existing = p.Existing.Count
		}
		x.Nodes = append(x.Nodes, n)
		x.MarkedSpeed += float64(float64(count) * float64(p.Nodes[t].used()))
		x.Processes += count * p.Nodes[t].Processes
	}
	works := s.usable(p, c)
	x.Score, x.load = p.score(c, works)
	x.Energy = p.Energy.runEnergy(power, units.Seconds(x.Score))
	life := p.lifeOf(c, x.load)
	x.IdlePower, x.Busy, x.LifeEnergy, x.draw = float64(life.idle), life.busy, life.energy(), float64(life.idle+life.extra)
	x.CashFlow = p.cashFlow(bill, life)
	x.LifeCost = netPresent(x.CashFlow)
	x.Annuity = annuity(x.LifeCost, p.Costs.Discount, p.Energy.Years)
	spread := p.spreadOf(x.CashFlow, life)
	x.Objective = p.goal(x.Score, p.costThatCounts(x.Price, x.LifeCost))
	if p.byRuns && x.load != nil {
		use, multiple := p.use(x.load.seconds), secondsPerYear/x.load.seconds
		x.Use, x.Throughput = &use, &multiple
		if use > 1 {
			x.Warnings = append(x.Warnings, fmt.Sprintf("%s: a year's work takes %.0f %% of the hours available in a year at a utilisation of %g", x.Name, 100*use, p.Energy.Utilisation))
		}
	}
	for w := range p.Workloads {
		y, warnings := s.workloadOn(c, w, works[w], x.load)
		if y == nil {
			x.Warnings = append(x.Warnings, p.Workloads[w].Name+": "+works[w].problem)
			continue
		}
		y.Capital = float64(life.perNodeHour(x.Price) * y.nodeTime / 3600)
		y.EnergyCost = float64(y.Energy * spread.kWh)
		y.Other = float64(life.perNodeHour(spread.other) * y.nodeTime / 3600)
		x.Workloads = append(x.Workloads, *y)
		for _, text := range warnings {
			if text = p.Workloads[w].Name + ": " + text; !slices.Contains(x.Warnings, text) {
				x.Warnings = append(x.Warnings, text)
			}
		}
	}
	x.shareIdle(life, spread.kWh)
	if p.byRuns {
		x.perJob(p)
	}
	return x
}

// shareIdle adds to the cost of runs their share of the energy that their own does not
// account for: that of idle nodes, and of the network while it waits.
func (x *Candidate) shareIdle(l life, price float64) {
	nodeTime, energy := 0.0, 0.0 // of the runs of a year
	for _, y := range x.Workloads {
		nodeTime += float64(y.perYear * y.nodeTime)
		energy += float64(y.perYear * y.Energy)
	}
	idle := l.idleOf(energy, nodeTime)
	for i := range x.Workloads {
		y := &x.Workloads[i]
		y.IdleCost = float64(l.perNodeHour(float64(idle*price)) * y.nodeTime / 3600)
		y.Cost = y.Capital + y.EnergyCost + y.IdleCost + y.Other
	}
}

// spread says how the present value of the life of a machine is shared by its runs.
type spread struct {
	kWh   float64 // of a kilowatt hour, mean over the years
	other float64 // but for the purchase and energy
}

func (p *Plan) spreadOf(flow []YearCost, l life) (s spread) {
	energy := 0.0
	for _, x := range flow {
		e := presentValue(x.Energy, p.Costs.Discount, x.Year)
		energy += e
		s.other += x.Present - e - x.Purchase
	}
	if kWh := l.energy(); kWh > 0 {
		s.kWh = energy / kWh
	}
	return s
}

// perJob fills in what a job costs, and how many the machine could do for its cost.
func (x *Candidate) perJob(p *Plan) {
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

// workloadOn describes a workload on a choice, and returns the warnings of its
// simulations. It is nil where it cannot run.
func (s *solver) workloadOn(c Choice, w int, x work, l *load) (*WorkloadResult, []string) {
	if x.problem != "" {
		return nil, nil
	}
	p := s.Plan
	y := &WorkloadResult{Name: p.Workloads[w].Name, perYear: p.Workloads[w].Weight}
	used := p.usedWays(c, w, x, l)
	most := mostRuns(used)
	var warnings []string
	all := 0.0
	for _, r := range used {
		all += r.runs
	}
	s.explore(p, c, w, func(run simulation, o outcome) {
		if o.problem() != "" {
			return
		}
		t := float64(o.run.Time)
		way := WayResult{Nodes: total(run.parts()), Time: t, Work: float64(o.run.Work), Efficiency: o.run.Efficiency, Compute: float64(o.run.Compute) / t, Source: o.source}
		way.Energy = p.runEnergy(c, run, o)
		if !run.on.whole() {
			way.Node = p.Nodes[run.on.node].Name
		}
		for _, r := range used {
			if r.way != run.on {
				continue
			}
			way.Share = r.runs / all
			y.Time += float64(way.Share * t)
			y.nodeTime += float64(way.Share * t * float64(way.Nodes))
			y.Energy += float64(way.Share * way.Energy)
			warnings = append(warnings, o.run.Warnings...)
			if r.way == most {
				y.N, y.Work, y.Efficiency, y.Compute, y.MemoryBound = o.run.N, way.Work, way.Efficiency, way.Compute, o.run.MemoryBound
				y.Nodes = way.Nodes
			}
		}
		y.Ways = append(y.Ways, way)
	})
	return y, warnings
}

// usedWays returns the ways in which the runs of a workload take place on a choice: with
// runs in a year those that carry most of the mix, else the one that gets most runs done
// or, with objective time, the fastest.
func (p *Plan) usedWays(c Choice, w int, x work, l *load) []wayRuns {
	var used []wayRuns
	if l != nil {
		for _, r := range l.runs {
			if r.workload == w {
				used = append(used, r)
			}
		}
	}
	if len(used) > 0 && p.Objective != (Objective{Name: objectiveTime, Workload: w}) {
		return used
	}
	nodes := func(y timedWay) float64 {
		if y.whole() || p.Objective.Name == objectiveTime {
			return 1
		}
		return float64(y.nodes)
	}
	best := x.ways[0]
	for _, y := range x.ways[1:] {
		if y.time*nodes(y) < best.time*nodes(best) {
			best = y
		}
	}
	return []wayRuns{{best.way, w, best.time, best.extra, 1}}
}

// mostRuns returns the way of most runs.
func mostRuns(used []wayRuns) way {
	return slices.MaxFunc(used, func(a, b wayRuns) int { return cmp.Compare(a.runs, b.runs) }).way
}
