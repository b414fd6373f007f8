package purchase

import (
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/model/units"
)

// A drawn is how long nodes of a type were in a state during a run: the sum over the nodes,
// in s, of the part of each whose processes were in it. Its fields are stored.
type drawn struct {
	Node              string
	Compute, Messages units.Seconds
}

// drawnBy returns the states of the nodes of a simulation by type.
func drawnBy(x *system.Simulation) []drawn {
	var all []drawn
	for _, b := range x.System.Placement.Blocks {
		compute, messages := energy.NodeTime(b, x.Result)
		all = append(all, drawn{b.Type.Name, compute, messages})
	}
	return all
}

// extra returns what the nodes of a run draw above what they draw without work, in J. Nodes
// compute all the time of a run whose time is committed.
func (p *Plan) extra(c Choice, run simulation, o outcome) float64 {
	sum := 0.0
	if o.source != "" {
		for t, count := range run.parts() {
			n := &p.Nodes[t]
			sum += float64(float64(count) * float64(n.Power-n.IdlePower) * float64(o.run.Time))
		}
		return sum
	}
	for _, d := range o.run.Drawn {
		for t := range p.Nodes {
			if n := &p.Nodes[t]; n.Name == d.Node {
				sum += float64(float64(n.Power-n.IdlePower)*float64(d.Compute)) + float64(float64(n.WaitPower-n.IdlePower)*float64(d.Messages))
			}
		}
	}
	return sum
}

// runEnergy returns the energy of a run in kWh, with the share of the network that its nodes
// have, and with cooling.
func (p *Plan) runEnergy(c Choice, run simulation, o outcome) float64 {
	all, idle := p.parts(c), p.IdlePower(c) // with the network
	for t, count := range all {
		idle -= units.Watts(units.Watts(count) * p.Nodes[t].IdlePower)
	}
	parts := run.parts()
	idle = units.Watts(float64(idle) * float64(total(parts)) / float64(total(all)))
	for t, count := range parts {
		idle += units.Watts(units.Watts(count) * p.Nodes[t].IdlePower)
	}
	return (float64(float64(idle)*float64(o.run.Time)) + p.extra(c, run, o)) / 3.6e6 * p.Energy.Overhead
}
