package model

import (
	"github.com/isoscale/isoscale/model/units"
)

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
