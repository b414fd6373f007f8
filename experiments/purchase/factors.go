package purchase

import (
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// The kinds of things that parameters belong to.
const (
	kindNode     = "node type"
	kindNetwork  = "network"
	kindOnNode   = "within nodes"
	kindWorkload = "workload"
	kindEnergy   = "energy"
)

// A parameter is a number of the plan that may be other than written.
type parameter struct {
	kind     string
	index    int // into the nodes, networks or workloads of the plan
	quantity string
}

// changesTimes reports whether simulated times depend on the parameter.
func (p parameter) changesTimes() bool {
	switch p.quantity {
	case quantitySpeed, quantityMemoryBandwidth, quantityLatency, quantityBandwidth:
		return true
	}
	return false
}

// reciprocal reports whether times go with the reciprocal of the parameter.
func (p parameter) reciprocal() bool { return p.quantity != quantityLatency }

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
	}
}

// scale changes all prices of a network together, and both powers.
func (n *Network) scale(quantity string, k float64) {
	switch quantity {
	case quantityPrice:
		n.PortPrice.Amount *= k
		n.Switch.Price.Amount *= k
		n.CablePrice.Amount *= k
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
