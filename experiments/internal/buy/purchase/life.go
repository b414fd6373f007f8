package purchase

import "github.com/isoscale/isoscale/model/units"

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
	idle  units.Watts
	extra units.Watts // sum_t b_t (P_t - P_idle,t)
	busy  float64     // fraction of all node time that is used, above 0 but for a machine without work
	nodes float64
	kept  float64 // maintenance of existing nodes that are kept, a year
}

// lifeOf returns the life of a choice with that load, nil for no work.
func (p *Plan) lifeOf(c Choice, l *load) life {
	parts := p.parts(c)
	x := life{Energy: p.Energy, idle: p.IdlePower(c), nodes: float64(total(parts))}
	var used []float64
	if p.Existing != nil && !c.Retired {
		x.kept = p.Existing.Maintenance
	}
	most := 1.0 // of the work
	if l != nil {
		used = l.nodeSeconds(parts)
		if share := l.seconds / 3600 / hoursPerYear; share > p.Energy.Utilisation {
			most = p.Energy.Utilisation / share
		}
	}
	for t, count := range parts {
		if count == 0 {
			continue
		}
		b := p.Energy.Utilisation
		switch {
		case p.byRuns && l == nil:
			b = 0
		case p.byRuns:
			b = min(most*used[t]/3600/hoursPerYear/float64(count), p.Energy.Utilisation)
		}
		if !p.byRuns {
			x.extra += units.Watts(float64(float64(count)*b) * float64(p.Nodes[t].Power-p.Nodes[t].IdlePower))
		}
		x.busy += float64(float64(count)*b) / x.nodes
	}
	if p.byRuns && l != nil {
		for _, r := range l.runs {
			x.extra += units.Watts(most * r.runs * r.extra / secondsPerYear)
		}
	}
	return x
}

// nodeHours returns the hours of all nodes in which they compute over the years.
func (l life) nodeHours() float64 { return l.busy * l.nodes * l.Years * hoursPerYear }

// energy returns the energy drawn over the years of operation in kWh.
func (l life) energy() float64 {
	return float64(l.idle+l.extra) / 1000 * l.Overhead * l.Years * hoursPerYear
}

// idleOf returns the energy in kWh that the machine draws over its years beyond that of its
// runs, of which those of a year, or of any other time, take so much energy and node time
// in s.
func (l life) idleOf(energy, nodeTime float64) float64 {
	return l.energy() - float64(energy/(nodeTime/3600)*l.nodeHours())
}

// perNodeHour spreads an amount over the node hours of computation: what a run on one node
// that takes an hour has to bear of it.
func (l life) perNodeHour(amount float64) float64 { return amount / l.nodeHours() }
