package model

import (
	"fmt"
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
