package purchase

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
	parameter parameter
}

// kindModel are the simulated times on a node type, by its index; kindCommitment is a time
// that a vendor commits to, by the index of the commitment.
const (
	kindModel         = "model"
	kindCommitment    = "commitment"
	quantityTimes     = "simulated times"
	quantityCommitted = "committed time"
)

// widest returns the largest relative change that is tested.
func (p *Plan) widest() float64 {
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
func (p *Plan) parameterAt(path string) (x parameter, known bool) {
	for i := range p.Nodes {
		n := &p.Nodes[i]
		key, here := strings.CutPrefix(path, "nodes."+n.Name+".")
		if !here {
			continue
		}
		x := parameter{kindNode, i, nodeQuantities[key]}
		switch x.quantity {
		case quantityPrice:
			return x, n.ForSale
		case quantityMemoryBandwidth:
			return x, n.MemoryBandwidth > 0
		case quantityInsideLatency, quantityInsideBandwidth:
			return x, n.OnNode != nil
		}
		return x, x.quantity != ""
	}
	for i := range p.Networks {
		if key, here := strings.CutPrefix(path, "networks."+p.Networks[i].Name+"."); here {
			x := parameter{kindNetwork, i, networkQuantities[key]}
			return x, x.quantity != ""
		}
	}
	for i := range p.Workloads {
		key := "weight"
		if p.byRuns {
			key = "runs_per_year"
		}
		if path == fmt.Sprintf("workloads[%d].%s", i, key) {
			return parameter{kindWorkload, i, quantityWeight}, true
		}
	}
	if x, offered := p.offered[path]; offered {
		return x, true
	}
	switch path {
	case "on_node.latency":
		return parameter{kindOnNode, 0, quantityLatency}, true
	case "on_node.bandwidth":
		return parameter{kindOnNode, 0, quantityBandwidth}, true
	case "energy.price_per_kwh":
		return parameter{kindEnergy, 0, quantityPrice}, p.Energy.Price > 0
	}
	return parameter{}, false
}

// The quantities of the keys of nodes and networks.
var (
	nodeQuantities = map[string]string{
		"price": quantityPrice, "marked_speed": quantitySpeed, "node_speed": quantitySpeed, "memory_bandwidth": quantityMemoryBandwidth,
		"power": quantityPower, "on_node.latency": quantityInsideLatency, "on_node.bandwidth": quantityInsideBandwidth,
	}
	networkQuantities = map[string]string{
		"latency": quantityLatency, "bandwidth": quantityBandwidth, "price_per_port": quantityPortPrice, "price_per_cable": quantityCablePrice,
		"power_per_port": quantityPortPower, "switch.price": quantitySwitchPrice, "switch.power": quantitySwitchPower,
	}
)
