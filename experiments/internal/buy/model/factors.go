package model

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

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
