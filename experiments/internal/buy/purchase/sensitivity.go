package purchase

import (
	"fmt"
	"math"
)

// swing is the range of the lead, infinite where there is no lead at one end.
func (x *Sensitivity) swing() float64 {
	switch {
	case x.Low == nil && x.Base == nil && x.High == nil:
		return 0
	case x.Low == nil || x.Base == nil || x.High == nil:
		return math.Inf(1)
	}
	return max(*x.Low, *x.Base, *x.High) - min(*x.Low, *x.Base, *x.High)
}

// Matters reports whether the parameter changes the lead by at least 0.05 percentage
// points.
func (x *Sensitivity) Matters() bool { return x.swing() >= 5e-4 }

// LowText and HighText print the lead at both ends: "+3.1 %", or why there is none.
func (x *Sensitivity) LowText(design string) string { return leadText(x.Low, x.FirstLow, design) }

// HighText is described at LowText.
func (x *Sensitivity) HighText(design string) string { return leadText(x.High, x.FirstHigh, design) }

func leadText(lead *float64, first, design string) string {
	switch {
	case lead != nil:
		return fmt.Sprintf("%+.1f %%", 100**lead)
	case first == design:
		return "no other design"
	}
	return "not affordable"
}

// sensitivity describes a parameter.
func (s *solver) sensitivity(x parameter) Sensitivity {
	row := Sensitivity{Of: x.kind, Quantity: x.quantity}
	listed := func(e *Entry) {
		row.Of = e.Name
		if f := e.find(x.quantity); f != nil {
			row.Value, row.Estimate = f.Value, f.Estimate
		}
	}
	switch x.kind {
	case kindNode:
		listed(&s.Nodes[x.index].Entry)
	case kindNetwork:
		n := &s.Networks[x.index]
		listed(&n.Entry)
		if x.quantity == quantityPrice {
			row.Value = fmt.Sprintf("%s a port, %s a switch", s.money(n.PortPrice.Amount), s.money(n.Switch.Price.Amount))
			row.Estimate = n.find(quantityPortPrice).Estimate || n.find(quantitySwitchPrice).Estimate
		}
	case kindOnNode:
		row.Value, row.Estimate = s.OnNode.Bandwidth.String(), isEstimate(s.OnNodeFrom)
		if x.quantity == quantityLatency {
			row.Value = s.OnNode.Latency.String()
		}
	case kindWorkload:
		row.Of, row.Quantity = s.Workloads[x.index].Name, "share of the mix"
		row.Value = weightText(s.Workloads[x.index].Weight)
		if s.byRuns {
			row.Quantity = "runs a year"
		}
	case kindCommitment:
		k := s.Commitments[x.index]
		row.Of, row.Value = s.Workloads[k.Workload].Name+" on "+s.wayName(Choice{}, way{k.Node, k.Nodes}), k.Time.String()
	case kindEnergy:
		row.Value = s.money(s.Energy.Price)
	}
	of := " of "
	if x.kind == kindOnNode {
		of = " " // "latency within nodes"
	}
	row.Parameter = row.Quantity + of + row.Of
	return row
}
