package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
)

// The kinds of things that parameters belong to.
const (
	KindNode     = "node type"
	KindNetwork  = "network"
	KindOnNode   = "within nodes"
	KindWorkload = "workload"
	KindEnergy   = "energy"
)

// A Parameter is a number of the plan that may be other than written.
type Parameter struct {
	Kind     string
	Index    int // into the nodes, networks or workloads of the plan
	Quantity string
}

// ChangesTimes reports whether simulated times depend on the parameter.
func (p Parameter) ChangesTimes() bool {
	switch p.Quantity {
	case QuantitySpeed, QuantityMemoryBandwidth, QuantityLatency, QuantityBandwidth, QuantityInsideLatency, QuantityInsideBandwidth:
		return true
	}
	return false
}

// Reciprocal reports whether times go with the reciprocal of the parameter.
func (p Parameter) Reciprocal() bool {
	return p.Quantity != QuantityLatency && p.Quantity != QuantityInsideLatency
}

// Factors are what parameters are multiplied by; those not mentioned are as
// written.
type Factors map[Parameter]float64

// With returns the plan with its parameters multiplied. The plan is not changed.
func (p *Plan) With(f Factors) *Plan {
	q := *p
	q.Nodes, q.Networks, q.Workloads = slices.Clone(p.Nodes), slices.Clone(p.Networks), slices.Clone(p.Workloads)
	// The order does not matter: each factor has a number of its own.
	for x, k := range f {
		switch x.Kind {
		case KindNode:
			q.Nodes[x.Index].scale(x.Quantity, k)
		case KindNetwork:
			q.Networks[x.Index].scale(x.Quantity, k)
		case KindOnNode:
			if x.Quantity == QuantityLatency {
				q.OnNode.Latency *= units.Seconds(k)
			} else {
				q.OnNode.Bandwidth *= units.BytesPerSecond(k)
			}
		case KindWorkload:
			q.Workloads[x.Index].Weight *= k
		case KindEnergy:
			q.Energy.Price *= k
		}
	}
	return &q
}

func (n *Node) scale(quantity string, k float64) {
	switch quantity {
	case QuantityPrice:
		n.Price.Amount *= k
	case QuantitySpeed:
		n.Speed *= units.FlopsPerSecond(k)
	case QuantityMemoryBandwidth:
		n.MemoryBandwidth *= units.BytesPerSecond(k)
	case QuantityPower:
		n.Power *= units.Watts(k)
		n.IdlePower *= units.Watts(k)
		n.WaitPower *= units.Watts(k)
	case QuantityInsideLatency, QuantityInsideBandwidth:
		c := *n.OnNode // which other plans have too
		if quantity == QuantityInsideLatency {
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
	case QuantityPrice:
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
	case QuantityLatency:
		n.Latency *= units.Seconds(k)
		n.HopLatency *= units.Seconds(k)
	case QuantityBandwidth:
		n.Bandwidth *= units.BytesPerSecond(k)
	case QuantityPower:
		n.PortPower *= units.Watts(k)
		n.Switch.Power *= units.Watts(k)
	}
}

// OnlyTimes reports whether the changes leave prices and power as they are.
func (f Factors) OnlyTimes() bool {
	for x := range f {
		if !x.ChangesTimes() && x.Kind != KindWorkload && x.Kind != KindModel {
			return false
		}
	}
	return true
}

// SmallStep is the relative size of a small update.
const SmallStep = 0.1

// ExtraCores is about a tenth of the cores of a node: a tenth of the cores that each
// process has, at least one.
func (n *Node) ExtraCores() int {
	if n.Threads > 1 {
		return n.Processes * n.extraThreads()
	}
	return max(1, int(math.Round(SmallStep*float64(n.Cores))))
}

// extraThreads is a tenth of the threads of a process, at least one.
func (n *Node) extraThreads() int { return max(1, int(math.Round(SmallStep*float64(n.Threads)))) }

// AddCores gives the nodes of a machine a tenth more cores and as much more
// speed. Processes of several threads get more threads; where each core had a process
// the new ones get one too.
func (p *Plan) AddCores(parts []int) {
	for t := range p.Nodes {
		if parts[t] == 0 {
			continue
		}
		n := &p.Nodes[t]
		cores := n.Cores + n.ExtraCores()
		n.Speed *= units.FlopsPerSecond(cores) / units.FlopsPerSecond(n.Cores)
		switch {
		case n.Threads > 1:
			n.Threads += n.extraThreads()
		case n.Processes == n.Cores:
			n.Processes = cores
		}
		n.Cores = cores
	}
}

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

// Sensitivity describes a parameter.
func (p *Plan) Sensitivity(x Parameter) Sensitivity {
	row := Sensitivity{Of: x.Kind, Quantity: x.Quantity}
	listed := func(e *Entry) {
		row.Of = e.Name
		if f := e.Find(x.Quantity); f != nil {
			row.Value, row.Estimate = f.Value, f.Estimate
		}
	}
	switch x.Kind {
	case KindNode:
		listed(&p.Nodes[x.Index].Entry)
	case KindNetwork:
		n := &p.Networks[x.Index]
		listed(&n.Entry)
		if x.Quantity == QuantityPrice {
			row.Value = fmt.Sprintf("%s a port, %s a switch", p.Money(n.PortPrice.Amount), p.Money(n.Switch.Price.Amount))
			row.Estimate = n.Find(quantityPortPrice).Estimate || n.Find(quantitySwitchPrice).Estimate
		}
	case KindOnNode:
		row.Value, row.Estimate = p.OnNode.Bandwidth.String(), IsEstimate(p.OnNodeFrom)
		if x.Quantity == QuantityLatency {
			row.Value = p.OnNode.Latency.String()
		}
	case KindWorkload:
		row.Of, row.Quantity = p.Workloads[x.Index].Name, "share of the mix"
		row.Value = WeightText(p.Workloads[x.Index].Weight)
		if p.ByRuns {
			row.Quantity = "runs a year"
		}
	case KindCommitment:
		k := p.Commitments[x.Index]
		row.Of, row.Value = p.Workloads[k.Workload].Name+" on "+p.WayName(Choice{}, Way{k.Node, k.Nodes}), k.Time.String()
	case KindEnergy:
		row.Value = p.Money(p.Energy.Price)
	}
	of := " of "
	if x.Kind == KindOnNode {
		of = " " // "latency within nodes"
	}
	row.Parameter = row.Quantity + of + row.Of
	return row
}

// A Figure is one number that the answer depends on, and where it is from.
type Figure struct {
	Of       string `json:"of"`       // name of the node type or network
	Quantity string `json:"quantity"` // what the number is
	Value    string `json:"value"`    // with its unit; - if it is not known
	Source   string `json:"source"`
	Estimate bool   `json:"estimate"` // neither measured nor quoted
}

// The quantities of figures and of the parameters that are varied.
const (
	QuantityPrice           = "price"
	QuantitySpeed           = "marked speed"
	quantityMemory          = "memory"
	QuantityMemoryBandwidth = "memory bandwidth"
	QuantityPower           = "power"
	quantityIdlePower       = "idle power"
	quantityWaitPower       = "power in messages"
	quantitySpace           = "rack units"
	QuantityLatency         = "latency"
	QuantityBandwidth       = "bandwidth"
	quantityPortPrice       = "price of a port"
	quantitySwitchPrice     = "price of a switch"
	QuantityWeight          = "weight"
	quantityCablePrice      = "price of a cable"
	quantityPortPower       = "power of a port"
	quantitySwitchPower     = "power of a switch"
	quantityCards           = "network cards"
	QuantityInsideLatency   = "latency within the node"
	QuantityInsideBandwidth = "bandwidth within the node"
)

// IsEstimate reports whether a source says that the figure was neither measured nor
// quoted.
func IsEstimate(source string) bool {
	return strings.HasPrefix(strings.TrimPrefix(source, "catalogue: "), "estimate") || strings.Contains(source, "; latency: estimate")
}

// figure replaces the figure of that quantity, or adds it.
func (e *Entry) figure(quantity, value, source string) {
	f := Figure{e.Name, quantity, value, source, IsEstimate(source)}
	if old := e.Find(quantity); old != nil {
		*old = f
		return
	}
	e.Figures = append(e.Figures, f)
}

// Find returns the figure of a quantity, nil if there is none.
func (e *Entry) Find(quantity string) *Figure {
	for i := range e.Figures {
		if e.Figures[i].Quantity == quantity {
			return &e.Figures[i]
		}
	}
	return nil
}
