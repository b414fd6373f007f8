package model

import (
	"fmt"
	"strings"
)

// Ranges say how far the figures of a plan may be from their values.
type Ranges struct {
	Samples int
	Model   float64 // range of the simulated times on each node type, relative to them
	Figures []Range
}

// A Range is how far a figure may be from its value: it is normal with this value as its
// mean, and within the range in 95 % of the cases.
type Range struct {
	Of        string  // its place in the file: nodes.fat.price
	Half      float64 // half the width, relative to the value
	Group     string  // figures of a group move together; "" for none
	Parameter Parameter
}

// KindModel are the simulated times on a node type, by its index; kindCommitment is a time
// that a vendor commits to, by the index of the commitment.
const (
	KindModel         = "model"
	KindCommitment    = "commitment"
	QuantityTimes     = "simulated times"
	QuantityCommitted = "committed time"
)

// Widest returns the largest relative change that is tested.
func (p *Plan) Widest() float64 {
	most := p.Robustness.Change
	if p.Ranges == nil {
		return most
	}
	most = max(most, p.Ranges.Model)
	for _, x := range p.Ranges.Figures {
		most = max(most, x.Half)
	}
	return most
}

// parameterAt returns the parameter at a place of the file; known is false where the plan
// has no such figure.
func (p *Plan) parameterAt(path string) (x Parameter, known bool) {
	for i := range p.Nodes {
		n := &p.Nodes[i]
		key, here := strings.CutPrefix(path, "nodes."+n.Name+".")
		if !here {
			continue
		}
		x := Parameter{KindNode, i, nodeQuantities[key]}
		switch x.Quantity {
		case QuantityPrice:
			return x, n.ForSale
		case QuantityMemoryBandwidth:
			return x, n.MemoryBandwidth > 0
		case QuantityInsideLatency, QuantityInsideBandwidth:
			return x, n.OnNode != nil
		}
		return x, x.Quantity != ""
	}
	for i := range p.Networks {
		if key, here := strings.CutPrefix(path, "networks."+p.Networks[i].Name+"."); here {
			x := Parameter{KindNetwork, i, networkQuantities[key]}
			return x, x.Quantity != ""
		}
	}
	for i := range p.Workloads {
		key := "weight"
		if p.ByRuns {
			key = "runs_per_year"
		}
		if path == fmt.Sprintf("workloads[%d].%s", i, key) {
			return Parameter{KindWorkload, i, QuantityWeight}, true
		}
	}
	if x, offered := p.offered[path]; offered {
		return x, true
	}
	switch path {
	case "on_node.latency":
		return Parameter{KindOnNode, 0, QuantityLatency}, true
	case "on_node.bandwidth":
		return Parameter{KindOnNode, 0, QuantityBandwidth}, true
	case "energy.price_per_kwh":
		return Parameter{KindEnergy, 0, QuantityPrice}, p.Energy.Price > 0
	}
	return Parameter{}, false
}

// The quantities of the keys of nodes and networks.
var (
	nodeQuantities = map[string]string{
		"price": QuantityPrice, "marked_speed": QuantitySpeed, "node_speed": QuantitySpeed, "memory_bandwidth": QuantityMemoryBandwidth,
		"power": QuantityPower, "on_node.latency": QuantityInsideLatency, "on_node.bandwidth": QuantityInsideBandwidth,
	}
	networkQuantities = map[string]string{
		"latency": QuantityLatency, "bandwidth": QuantityBandwidth, "price_per_port": quantityPortPrice, "price_per_cable": quantityCablePrice,
		"power_per_port": quantityPortPower, "switch.price": quantitySwitchPrice, "switch.power": quantitySwitchPower,
	}
)
