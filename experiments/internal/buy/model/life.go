package model

import (
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
