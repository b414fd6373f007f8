package purchase

import "github.com/isoscale/isoscale/model/units"

// hoursPerYear is the mean year of the Gregorian calendar.
const hoursPerYear = 365.2425 * 24

// A life is how a machine spends its years of operation: it computes for some of the
// time and is idle for the rest.
//
//	energy = overhead (b P + (1 - b) P_idle) years
//
//	b       fraction of the years in which it computes: the time of a year's work over
//	        a year, at most the utilisation; without runs in a year the utilisation
//	P       power under load, W
//	P_idle  power of the idle machine, W
type life struct {
	Energy
	load, idle units.Watts
	busy       float64 // b, above 0 but for a machine without work
}

// lifeOf returns the life of a choice with that score.
func (p *Plan) lifeOf(c Choice, score float64) life {
	l := life{Energy: p.Energy, load: p.Power(c), idle: p.IdlePower(c), busy: p.Energy.Utilisation}
	if p.byRuns {
		l.busy = min(score/3600/hoursPerYear, p.Energy.Utilisation)
	}
	return l
}

// hours returns the hours of computation over the years of operation.
func (l life) hours() float64 { return l.busy * l.Years * hoursPerYear }

// idleEnergy returns the energy drawn while the machine is idle over its years in kWh.
func (l life) idleEnergy() float64 {
	return float64(l.idle) / 1000 * l.Overhead * (1 - l.busy) * l.Years * hoursPerYear
}

// energy returns the energy drawn over the years of operation in kWh.
func (l life) energy() float64 {
	return float64(float64(l.load)/1000*l.Overhead*l.hours()) + l.idleEnergy()
}

// perHour spreads an amount over the hours of computation: what a run of an hour has to
// bear of it.
func (l life) perHour(amount float64) float64 { return amount / l.hours() }
