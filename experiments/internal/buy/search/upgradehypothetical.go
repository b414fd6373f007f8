package search

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// hypotheticalSteps make each part of the machine a tenth better, for a tenth of
// its price.
func (s *solver) hypotheticalSteps(c model.Candidate) []step {
	parts := s.Parts(c.Choice)
	nodes, network := 0.0, 0.0
	for t, count := range parts {
		nodes += float64(float64(count) * s.Nodes[t].Price.Amount)
	}
	// The price of the network of all nodes, including those that exist.
	if w, ok := s.Wiring(c.Choice); ok {
		network = s.Networks[c.Choice.Network].Bill(w).Total()
	}
	var steps []step
	add := func(direction, change string, whole, fraction float64, f model.Factors, cores bool) {
		cost, err := scalability.UpdateCost([]units.Money{{Amount: whole, Currency: s.result.Currency}}, []float64{fraction})
		if err != nil || cost.Amount == 0 {
			return
		}
		q := s.With(f)
		if cores {
			q.AddCores(parts)
		}
		steps = append(steps, step{
			plan: q, choice: c.Choice, change: fraction, whole: whole,
			Upgrade: model.Upgrade{Direction: direction, Change: change, Hypothetical: true, Cost: cost.Amount},
		})
	}
	speed, memory := model.Factors{}, model.Factors{}
	cores, more, known := 0.0, 0.0, true
	for t, count := range parts {
		if count == 0 {
			continue
		}
		speed[model.Parameter{Kind: model.KindNode, Index: t, Quantity: model.QuantitySpeed}] = 1 + model.SmallStep
		memory[model.Parameter{Kind: model.KindNode, Index: t, Quantity: model.QuantityMemoryBandwidth}] = 1 + model.SmallStep
		known = known && s.Nodes[t].MemoryBandwidth > 0
		cores += float64(count * s.Nodes[t].Cores)
		more += float64(count * s.Nodes[t].ExtraCores())
	}
	percent := fmt.Sprintf("%g %%", 100*model.SmallStep)
	add(moreCores, fmt.Sprintf("%.3g %% more cores", 100*more/cores), nodes, more/cores, nil, true)
	add(fasterCores, percent+" more marked speed", nodes, model.SmallStep, speed, false)
	if s.UsesMemory() && known {
		add(memoryBandwidth, percent+" more", nodes, model.SmallStep, memory, false)
	}
	add(lowerLatency, percent+" lower", network, model.SmallStep, model.Factors{{Kind: model.KindNetwork, Index: c.Choice.Network, Quantity: model.QuantityLatency}: 1 - model.SmallStep}, false)
	add(moreBandwidth, percent+" more", network, model.SmallStep, model.Factors{{Kind: model.KindNetwork, Index: c.Choice.Network, Quantity: model.QuantityBandwidth}: 1 + model.SmallStep}, false)
	return steps
}
