package search

import (
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// parameters lists the parameters that the ranking may depend on.
func (s *solver) parameters(choices []model.Choice) []model.Parameter {
	nodes, networks := make([]bool, len(s.Nodes)), make([]bool, len(s.Networks))
	processes := false
	for _, c := range choices {
		networks[c.Network] = true
		for t, count := range s.Parts(c) {
			nodes[t] = nodes[t] || count > 0
			processes = processes || count > 0 && s.Nodes[t].Processes > 1 && s.Nodes[t].OnNode == nil
		}
	}
	feeds := s.UsesMemory()
	watts := s.Budget.Power > 0 || s.Budget.Life
	var list []model.Parameter
	add := func(kind string, i int, quantity string, relevant bool) {
		if relevant {
			list = append(list, model.Parameter{Kind: kind, Index: i, Quantity: quantity})
		}
	}
	for t, used := range nodes {
		add(model.KindNode, t, model.QuantityPrice, used)
		add(model.KindNode, t, model.QuantitySpeed, used)
		add(model.KindNode, t, model.QuantityMemoryBandwidth, used && feeds && s.Nodes[t].MemoryBandwidth > 0)
		add(model.KindNode, t, model.QuantityPower, used && watts)
		inside := used && s.Nodes[t].OnNode != nil && s.Nodes[t].Processes > 1
		add(model.KindNode, t, model.QuantityInsideLatency, inside)
		add(model.KindNode, t, model.QuantityInsideBandwidth, inside)
	}
	for n, used := range networks {
		add(model.KindNetwork, n, model.QuantityPrice, used)
		add(model.KindNetwork, n, model.QuantityLatency, used)
		add(model.KindNetwork, n, model.QuantityBandwidth, used)
		add(model.KindNetwork, n, model.QuantityPower, used && watts)
	}
	add(model.KindOnNode, 0, model.QuantityLatency, processes)
	add(model.KindOnNode, 0, model.QuantityBandwidth, processes)
	for w := range s.Workloads {
		add(model.KindWorkload, w, model.QuantityWeight, len(s.Workloads) > 1)
	}
	add(model.KindEnergy, 0, model.QuantityPrice, s.Budget.Life && s.Energy.Price > 0)
	return list
}
