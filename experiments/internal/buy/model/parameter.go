package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// The kinds of things that parameters belong to.
const (
	KindNode       = "node type"
	KindNetwork    = "network"
	KindOnNode     = "within nodes"
	KindWorkload   = "workload"
	KindEnergy     = "energy"
	KindBid        = "bid"
	KindModel      = "model"      // the simulated times on a node type
	KindCommitment = "commitment" // a time that a vendor commits to
)

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
	QuantityTimes           = "simulated times"
	QuantityCommitted       = "committed time"
)

func speedOfDevice(precision string) string { return "speed of a device at " + precision }

// A Parameter is a number of the plan that may differ from what is written.
type Parameter struct {
	Kind     string
	Index    int // into the nodes, networks, workloads or commitments of the plan, or the place of a bid in the file
	Quantity string
}

func TimesOn(node int) Parameter { return Parameter{KindModel, node, QuantityTimes} }

// ChangesTimes reports whether simulated times depend on the parameter.
func (p Parameter) ChangesTimes() bool {
	switch p.Quantity {
	case QuantitySpeed, QuantityMemoryBandwidth, QuantityLatency, QuantityBandwidth, QuantityInsideLatency,
		QuantityInsideBandwidth:
		return true
	}
	return false
}

// Reciprocal reports whether times are proportional to the reciprocal of the parameter.
func (p Parameter) Reciprocal() bool {
	return p.Quantity != QuantityLatency && p.Quantity != QuantityInsideLatency
}

// A variable is a quantity of a plan that may be multiplied.
type variable struct {
	kind, quantity string
	key            string // in the file, or two with a bar between; "" for several together
	scale          func(p *Plan, i int, k float64)
	there          func(p *Plan, i int) bool // nil: all plans have it
}

// multiply scales quantities that change together.
func multiply[T ~float64](k float64, all ...*T) {
	for _, x := range all {
		*x *= T(k)
	}
}

var variables = []variable{
	{KindNode, QuantityPrice, "price", ofNode(scalePrice), func(p *Plan, i int) bool { return p.Nodes[i].ForSale }},
	{KindNode, QuantitySpeed, "marked_speed|node_speed", ofNode(func(n *Node, k float64) { multiply(k, &n.Speed) }), nil},
	{KindNode, QuantityMemoryBandwidth, "memory_bandwidth", ofNode(func(n *Node, k float64) { multiply(k, &n.MemoryBandwidth) }), func(p *Plan, i int) bool { return p.Nodes[i].MemoryBandwidth > 0 }},
	{KindNode, QuantityPower, "power", ofNode(func(n *Node, k float64) { multiply(k, &n.Power, &n.IdlePower, &n.WaitPower) }), nil},
	{KindNode, QuantityInsideLatency, "on_node.latency", ofNode(func(n *Node, k float64) { multiply(k, &n.ownInside().Latency) }), hasInside},
	{KindNode, QuantityInsideBandwidth, "on_node.bandwidth", ofNode(func(n *Node, k float64) { multiply(k, &n.ownInside().Bandwidth) }), hasInside},
	{KindNetwork, QuantityPrice, "", ofNetwork(func(n *Network, k float64) {
		multiply(k, &n.PortPrice.Amount, &n.Switch.Price.Amount, &n.CablePrice.Amount)
	}), nil},
	{KindNetwork, quantityPortPrice, "price_per_port", ofNetwork(func(n *Network, k float64) { multiply(k, &n.PortPrice.Amount) }), nil},
	{KindNetwork, quantitySwitchPrice, "switch.price", ofNetwork(func(n *Network, k float64) { multiply(k, &n.Switch.Price.Amount) }), nil},
	{KindNetwork, quantityCablePrice, "price_per_cable", ofNetwork(func(n *Network, k float64) { multiply(k, &n.CablePrice.Amount) }), nil},
	{KindNetwork, QuantityPower, "", ofNetwork(func(n *Network, k float64) { multiply(k, &n.PortPower, &n.Switch.Power) }), nil},
	{KindNetwork, quantityPortPower, "power_per_port", ofNetwork(func(n *Network, k float64) { multiply(k, &n.PortPower) }), nil},
	{KindNetwork, quantitySwitchPower, "switch.power", ofNetwork(func(n *Network, k float64) { multiply(k, &n.Switch.Power) }), nil},
	{KindNetwork, QuantityLatency, "latency", ofNetwork(func(n *Network, k float64) { multiply(k, &n.Latency, &n.HopLatency) }), nil},
	{KindNetwork, QuantityBandwidth, "bandwidth", ofNetwork(func(n *Network, k float64) { multiply(k, &n.Bandwidth) }), nil},
	{KindBid, QuantityPrice, "price", scaleBid, nil},
	{KindOnNode, QuantityLatency, "latency", func(p *Plan, _ int, k float64) { multiply(k, &p.OnNode.Latency) }, nil},
	{KindOnNode, QuantityBandwidth, "bandwidth", func(p *Plan, _ int, k float64) { multiply(k, &p.OnNode.Bandwidth) }, nil},
	{KindWorkload, QuantityWeight, "runs_per_year", scaleWeight, func(p *Plan, _ int) bool { return p.ByRuns }},
	{KindWorkload, QuantityWeight, "weight", scaleWeight, func(p *Plan, _ int) bool { return !p.ByRuns }},
	{KindEnergy, QuantityPrice, "price_per_kwh", func(p *Plan, _ int, k float64) { multiply(k, &p.Energy.Price) }, func(p *Plan, _ int) bool { return p.Energy.Price > 0 }},
}

func ofNode(scale func(*Node, float64)) func(*Plan, int, float64) {
	return func(p *Plan, i int, k float64) { scale(&p.Nodes[i], k) }
}

func ofNetwork(scale func(*Network, float64)) func(*Plan, int, float64) {
	return func(p *Plan, i int, k float64) { scale(&p.Networks[i], k) }
}

func scaleWeight(p *Plan, i int, k float64) { multiply(k, &p.Workloads[i].Weight) }

func scalePrice(n *Node, k float64) {
	multiply(k, &n.Price.Amount)
	n.Discounts = slices.Clone(n.Discounts)
	for i := range n.Discounts {
		multiply(k, &n.Discounts[i].Price)
	}
}

// scaleBid scales the price of a bid with its options.
func scaleBid(p *Plan, i int, k float64) {
	for b := range p.Bids {
		if x := &p.Bids[b]; x.Place == i {
			multiply(k, &x.Price)
		}
	}
}

func hasInside(p *Plan, i int) bool { return p.Nodes[i].OnNode != nil }

// ownInside gives the node its own copy of the connection within it, shared with no other plan.
func (n *Node) ownInside() *topology.Connection {
	n.OnNode = new(*n.OnNode)
	return n.OnNode
}

// Factors are what parameters are multiplied by; those not mentioned are as written.
type Factors map[Parameter]float64

// Of returns the factor of a parameter.
func (f Factors) Of(x Parameter) float64 {
	if k, changed := f[x]; changed {
		return k
	}
	return 1
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

// With returns the plan with its parameters multiplied. The plan is not changed.
func (p *Plan) With(f Factors) *Plan {
	q := *p
	q.Nodes, q.Networks, q.Workloads = slices.Clone(p.Nodes), slices.Clone(p.Networks), slices.Clone(p.Workloads)
	q.Bids = slices.Clone(p.Bids)
	// The order does not matter: each factor changes its own number.
	for x, k := range f {
		i := slices.IndexFunc(variables, func(v variable) bool { return v.kind == x.Kind && v.quantity == x.Quantity })
		if i >= 0 { // model errors are no figures of the plan
			variables[i].scale(&q, x.Index, k)
		}
	}
	return &q
}

// places returns the keys of the file for the things of a kind, by their index.
func (p *Plan) places(kind string) (all []string) {
	switch kind {
	case KindNode:
		all = each.Append(all, p.Nodes, func(n Node) string { return "nodes." + n.Name + "." })
	case KindNetwork:
		all = each.Append(all, p.Networks, func(n Network) string { return "networks." + n.Name + "." })
	case KindWorkload:
		for i := range p.Workloads {
			all = append(all, fmt.Sprintf("workloads[%d].", i))
		}
	case KindBid:
		for i := range p.bidPlaces() {
			all = append(all, fmt.Sprintf("bids[%d].", i))
		}
	case KindOnNode:
		all = []string{"on_node."}
	case KindEnergy:
		all = []string{"energy."}
	}
	return all
}

// parameterAt returns the parameter at a place of the file; known is false where the plan has no such figure.
func (p *Plan) parameterAt(path string) (x Parameter, known bool) {
	if x, offered := p.offered[path]; offered {
		return x, true
	}
	for _, v := range variables {
		for i, place := range p.places(v.kind) {
			key, here := strings.CutPrefix(path, place)
			if here && slices.Contains(strings.Split(v.key, "|"), key) && (v.there == nil || v.there(p, i)) {
				return Parameter{v.kind, i, v.quantity}, true
			}
		}
	}
	return Parameter{}, false
}

// mayHaveRange matches the places of figures with ranges: those that [Plan.parameterAt] knows.
var mayHaveRange = sync.OnceValue(func() *regexp.Regexp {
	places := map[string]string{
		KindNode: `nodes\.[^.]+\.`, KindNetwork: `networks\.[^.]+\.`, KindWorkload: `workloads\[[0-9]+\]\.`, KindBid: `bids\[[0-9]+\]\.`, KindOnNode: `on_node\.`, KindEnergy: `energy\.`,
	}
	all := []string{`offers\[[0-9]+\]\.(price|time)`}
	for _, v := range variables {
		if v.key != "" {
			all = append(all, places[v.kind]+"("+strings.ReplaceAll(v.key, ".", `\.`)+")")
		}
	}
	return regexp.MustCompile("^(" + strings.Join(all, "|") + ")$")
})

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
			row.Value = fmt.Sprintf("%s a port, %s a switch", p.Money(n.PortPrice.Amount),
				p.Money(n.Switch.Price.Amount))
			row.Estimate = n.Find(quantityPortPrice).Estimate || n.Find(quantitySwitchPrice).Estimate
		}
	case KindBid:
		b := p.Bids[slices.IndexFunc(p.Bids, func(b Bid) bool { return b.Place == x.Index })]
		row.Of, row.Value = b.Name, p.Money(b.Price)
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
		row.Of = p.Workloads[k.Workload].Name + " on " + p.WayName(Choice{}, Way{k.Node, k.Nodes})
		row.Value = k.Time.String()
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

// Ranges say how far the figures of a plan may be from their values.
type Ranges struct {
	Samples int
	Model   float64 // range of the simulated times on each node type, relative to them
	Figures []Range
}

// A Range is how far a figure may be from its value: it is normally distributed with the value as mean, and within the
// range in 95 % of the cases.
type Range struct {
	Of        string  // the figure's place in the file: nodes.fat.price
	Half      float64 // half the width, relative to the value
	Group     string  // figures of a group move together; "" for none
	Parameter Parameter
}

// Widest returns the largest relative change that is tested.
func (p *Plan) Widest() float64 {
	most := p.Robustness.Change
	if p.Ranges == nil {
		return most
	}
	most = max(most, p.Ranges.Model)
	return each.Max(most, p.Ranges.Figures, func(x Range) float64 { return x.Half })
}

// A Figure is one number that the answer depends on, with its source.
type Figure struct {
	Of       string `json:"of"`              // name of the node type or network
	Quantity string `json:"quantity"`        // what the number is
	Value    string `json:"value"`           // with its unit; - if it is not known
	Range    string `json:"range,omitempty"` // of the catalogue: the lowest and highest price found, in the currency of the source
	Date     string `json:"date,omitempty"`  // of a price of the catalogue
	Source   string `json:"source"`
	Estimate bool   `json:"estimate"` // neither measured nor quoted
}

// IsEstimate reports whether a source says that the figure is an estimate, neither measured nor quoted.
func IsEstimate(source string) bool {
	return strings.HasPrefix(strings.TrimPrefix(source, "catalogue: "), "estimate") ||
		strings.Contains(source, "; latency: estimate")
}

// figure sets the figure of that quantity, or adds it.
func (e *Entry) figure(quantity, value, source string) {
	f := Figure{Of: e.Name, Quantity: quantity, Value: value, Source: source, Estimate: IsEstimate(source)}
	if old := e.Find(quantity); old != nil {
		*old = f
		return
	}
	e.Figures = append(e.Figures, f)
}

// Find returns the figure of a quantity, nil if there is none.
func (e *Entry) Find(quantity string) *Figure {
	if i := slices.IndexFunc(e.Figures, func(f Figure) bool { return f.Quantity == quantity }); i >= 0 {
		return &e.Figures[i]
	}
	return nil
}
