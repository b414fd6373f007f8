package cluster

import (
	"cmp"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Ideal is the model in which messages cost nothing.
var Ideal = Kind{Name: "ideal", Title: "messages cost nothing: the upper bound", Free: true}

var own = Kind{Name: "custom"} // of a library user

func perByte(b units.BytesPerSecond) units.Seconds {
	if b == 0 { // the machine could not be read
		return 0
	}
	return units.Seconds(1 / float64(b))
}

// PriceOn is [Price] on a machine, whose own connections apply where none is given.
func PriceOn[M network.Model](kind *Kind, base M, p *Pricing[M], onNode, betweenGroups *topology.Connection,
	m topology.Network,
) Network {
	model := func(c *topology.Connection) *M {
		if c == nil {
			return nil
		}
		return new(p.Of(base, *c))
	}
	return Price(kind, base, p, m.Topology,
		model(cmp.Or(onNode, m.OnNode)), model(cmp.Or(betweenGroups, m.BetweenGroups)), onNode != nil)
}

// Of returns the network of a library user.
func Of(n sim.Network) Network { return Network{Kind: &own, Own: n} }
