package purchase

import (
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
	x.Score = p.Score(s.measures(p, c))
	x.Energy = p.Energy.runEnergy(power, units.Seconds(x.Score))
	life := p.lifeOf(c, x.Score)
	x.IdlePower, x.Busy, x.LifeEnergy = float64(life.idle), life.busy, life.energy()
	x.LifeCost = x.Price + float64(x.LifeEnergy*p.Energy.Price)
	if p.byRuns {
		use := x.Score / 3600 / (p.Energy.Utilisation * hoursPerYear)
		x.Use = &use
		if use > 1 {
			x.Warnings = append(x.Warnings, fmt.Sprintf("%s: a year's work takes %.0f %% of the hours available in a year at a utilisation of %g", x.Name, 100*use, p.Energy.Utilisation))
		}
	}
	for i, work := range p.Workloads {
		o := s.of(simulation{p, c, i})
		if o.unattainable != "" {
			x.Warnings = append(x.Warnings, work.Name+": "+o.unattainable)
			continue
		}
		t := float64(o.run.Time)
		y := WorkloadResult{
			Name: work.Name, N: o.run.N, Time: t, Work: float64(o.run.Work), Efficiency: o.run.Efficiency,
			Compute: float64(o.run.Compute) / t, MemoryBound: o.run.MemoryBound,
			Energy:  p.Energy.runEnergy(power, o.run.Time),
			Capital: life.perHour(x.Price) * t / 3600,
		}
		y.EnergyCost = float64(y.Energy * p.Energy.Price)
		y.IdleCost = life.perHour(float64(life.idleEnergy()*p.Energy.Price)) * t / 3600
		y.Cost = y.Capital + y.EnergyCost + y.IdleCost
		x.Workloads = append(x.Workloads, y)
		for _, text := range slices.Concat(o.run.Memory, o.run.Warnings) {
			x.Warnings = append(x.Warnings, work.Name+": "+text)
		}
	}
	return x
}
