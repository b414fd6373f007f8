package search

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/units"
)

// candidate describes a choice. REQUIRES: it has been simulated.
func (s *solver) candidate(c model.Choice) model.Candidate {
	p := s.Plan
	bill, _ := p.Price(c)
	power := p.Power(c)
	w, _ := p.Wiring(c)
	x := model.Candidate{
		Name: p.Name(c), Design: p.DesignName(c.Design()), Nodes: []model.NodeCount{}, Network: p.Networks[c.Network].Name, Wiring: w.String(),
		Price: bill.Total(), Bill: bill, Power: float64(power), RackUnits: p.RackUnits(c), Fronts: []string{}, Choice: c,
	}
	for t, count := range p.Parts(c) {
		if count == 0 {
			continue
		}
		n := model.NodeCount{Type: p.Nodes[t].Name, Count: count}
		if p.Existing != nil && !c.Retired && p.Existing.Node == t {
			n.Existing = p.Existing.Count
		}
		x.Nodes = append(x.Nodes, n)
		x.MarkedSpeed += float64(float64(count) * float64(p.Nodes[t].Used()))
		x.Processes += count * p.Nodes[t].Processes
	}
	works := s.usable(p, c)
	x.Score, x.Load = p.Score(c, works)
	x.Energy = p.Energy.RunEnergy(power, units.Seconds(x.Score))
	life := p.LifeOf(c, x.Load)
	x.IdlePower, x.Busy, x.LifeEnergy, x.Draw = float64(life.Idle), life.Busy, life.KWh(), float64(life.Idle+life.Extra)
	x.CashFlow = p.CashFlow(bill, life)
	x.LifeCost = model.NetPresent(x.CashFlow)
	x.Annuity = model.Annuity(x.LifeCost, p.Costs.Discount, p.Energy.Years)
	spread := p.SpreadOf(x.CashFlow, life)
	x.Objective = p.Goal(x.Score, p.CostThatCounts(x.Price, x.LifeCost))
	if p.ByRuns && x.Load != nil {
		use, multiple := p.Use(x.Load.Seconds), model.SecondsPerYear/x.Load.Seconds
		x.Use, x.Throughput = &use, &multiple
		if use > 1 {
			x.Warnings = append(x.Warnings, fmt.Sprintf("%s: a year's work takes %.0f %% of the hours available in a year at a utilisation of %g", x.Name, 100*use, p.Energy.Utilisation))
		}
	}
	for w := range p.Workloads {
		y, warnings := s.workloadOn(c, w, works[w], x.Load)
		if y == nil {
			x.Warnings = append(x.Warnings, p.Workloads[w].Name+": "+works[w].Problem)
			continue
		}
		y.Capital = float64(life.PerNodeHour(x.Price) * y.NodeTime / 3600)
		y.EnergyCost = float64(y.Energy * spread.KWh)
		y.Other = float64(life.PerNodeHour(spread.Other) * y.NodeTime / 3600)
		x.Workloads = append(x.Workloads, *y)
		for _, text := range warnings {
			if text = p.Workloads[w].Name + ": " + text; !slices.Contains(x.Warnings, text) {
				x.Warnings = append(x.Warnings, text)
			}
		}
	}
	x.ShareIdle(life, spread.KWh)
	if p.ByRuns {
		x.PerJob(p)
	}
	return x
}

// workloadOn describes a workload on a choice, and returns the warnings of its
// simulations. It is nil where it cannot run.
func (s *solver) workloadOn(c model.Choice, w int, x model.Work, l *model.Load) (*model.WorkloadResult, []string) {
	if x.Problem != "" {
		return nil, nil
	}
	p := s.Plan
	y := &model.WorkloadResult{Name: p.Workloads[w].Name, PerYear: p.Workloads[w].Weight}
	used := p.UsedWays(c, w, x, l)
	most := model.MostRuns(used)
	var warnings []string
	all := 0.0
	for _, r := range used {
		all += r.Runs
	}
	s.explore(p, c, w, func(run simulation, o model.Outcome) {
		if o.Problem() != "" {
			return
		}
		t := float64(o.Run.Time)
		way := model.WayResult{Nodes: model.Total(run.parts()), Time: t, Work: float64(o.Run.Work), Efficiency: o.Run.Efficiency, Compute: float64(o.Run.Compute) / t, Source: o.Source}
		way.Energy = p.RunEnergy(c, run.parts(), o)
		if !run.on.Whole() {
			way.Node = p.Nodes[run.on.Node].Name
		}
		for _, r := range used {
			if r.Way != run.on {
				continue
			}
			way.Share = r.Runs / all
			y.Time += float64(way.Share * t)
			y.NodeTime += float64(way.Share * t * float64(way.Nodes))
			y.Energy += float64(way.Share * way.Energy)
			warnings = append(warnings, o.Run.Warnings...)
			if r.Way == most {
				y.N, y.Work, y.Efficiency, y.Compute, y.MemoryBound = o.Run.N, way.Work, way.Efficiency, way.Compute, o.Run.MemoryBound
				y.Nodes = way.Nodes
			}
		}
		y.Ways = append(y.Ways, way)
	})
	return y, warnings
}
