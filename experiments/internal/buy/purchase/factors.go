package purchase

import (
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// factors are what parameters are multiplied by; those not mentioned are as
// written.
type factors map[parameter]float64

// with returns the plan with its parameters multiplied. The plan is not changed.
func (p *Plan) with(f factors) *Plan {
	q := *p
	q.Nodes, q.Networks, q.Workloads = slices.Clone(p.Nodes), slices.Clone(p.Networks), slices.Clone(p.Workloads)
	// The order does not matter: each factor has a number of its own.
	for x, k := range f {
		switch x.kind {
		case kindNode:
			q.Nodes[x.index].scale(x.quantity, k)
		case kindNetwork:
			q.Networks[x.index].scale(x.quantity, k)
		case kindOnNode:
			if x.quantity == quantityLatency {
				q.OnNode.Latency *= units.Seconds(k)
			} else {
				q.OnNode.Bandwidth *= units.BytesPerSecond(k)
			}
		case kindWorkload:
			q.Workloads[x.index].Weight *= k
		case kindEnergy:
			q.Energy.Price *= k
		}
	}
	return &q
}

func (n *Node) scale(quantity string, k float64) {
	switch quantity {
	case quantityPrice:
		n.Price.Amount *= k
	case quantitySpeed:
		n.Speed *= units.FlopsPerSecond(k)
	case quantityMemoryBandwidth:
		n.MemoryBandwidth *= units.BytesPerSecond(k)
	case quantityPower:
		n.Power *= units.Watts(k)
		n.IdlePower *= units.Watts(k)
		n.WaitPower *= units.Watts(k)
	case quantityInsideLatency, quantityInsideBandwidth:
		c := *n.OnNode // which other plans have too
		if quantity == quantityInsideLatency {
			c.Latency *= units.Seconds(k)
		} else {
			c.Bandwidth *= units.BytesPerSecond(k)
		}
		n.OnNode = &c
	}
}

// scale changes a figure of a network, or all its prices or both powers together.
func (n *Network) scale(quantity string, k float64) {
	switch quantity {
	case quantityPrice:
		n.PortPrice.Amount *= k
		n.Switch.Price.Amount *= k
		n.CablePrice.Amount *= k
	case quantityPortPrice:
		n.PortPrice.Amount *= k
	case quantitySwitchPrice:
		n.Switch.Price.Amount *= k
	case quantityCablePrice:
		n.CablePrice.Amount *= k
	case quantityPortPower:
		n.PortPower *= units.Watts(k)
	case quantitySwitchPower:
		n.Switch.Power *= units.Watts(k)
	case quantityLatency:
		n.Latency *= units.Seconds(k)
		n.HopLatency *= units.Seconds(k)
	case quantityBandwidth:
		n.Bandwidth *= units.BytesPerSecond(k)
	case quantityPower:
		n.PortPower *= units.Watts(k)
		n.Switch.Power *= units.Watts(k)
	}
}

// onlyTimes reports whether the changes leave prices and power as they are.
func (f factors) onlyTimes() bool {
	for x := range f {
		if !x.changesTimes() && x.kind != kindWorkload && x.kind != kindModel {
			return false
		}
	}
	return true
}
