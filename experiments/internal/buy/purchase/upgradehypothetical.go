package purchase

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// hypotheticalSteps make each part of the machine a tenth better, for a tenth of
// its price.
func (s *solver) hypotheticalSteps(c Candidate) []step {
	parts := s.parts(c.choice)
	nodes, network := 0.0, 0.0
	for t, count := range parts {
		nodes += float64(float64(count) * s.Nodes[t].Price.Amount)
	}
	// The price of the network of all nodes, including those that exist.
	if w, ok := s.Wiring(c.choice); ok {
		network = s.Networks[c.choice.Network].bill(w).Total()
	}
	var steps []step
	add := func(direction, change string, whole, fraction float64, f factors, cores bool) {
		cost, err := scalability.UpdateCost([]units.Money{{Amount: whole, Currency: s.result.Currency}}, []float64{fraction})
		if err != nil || cost.Amount == 0 {
			return
		}
		q := s.with(f)
		if cores {
			q.addCores(parts)
		}
		steps = append(steps, step{
			plan: q, choice: c.choice, change: fraction, whole: whole,
			Upgrade: Upgrade{Direction: direction, Change: change, Hypothetical: true, Cost: cost.Amount},
		})
	}
	speed, memory := factors{}, factors{}
	cores, more, known := 0.0, 0.0, true
	for t, count := range parts {
		if count == 0 {
			continue
		}
		speed[parameter{kindNode, t, quantitySpeed}] = 1 + smallStep
		memory[parameter{kindNode, t, quantityMemoryBandwidth}] = 1 + smallStep
		known = known && s.Nodes[t].MemoryBandwidth > 0
		cores += float64(count * s.Nodes[t].Cores)
		more += float64(count * s.Nodes[t].extraCores())
	}
	percent := fmt.Sprintf("%g %%", 100*smallStep)
	add(moreCores, fmt.Sprintf("%.3g %% more cores", 100*more/cores), nodes, more/cores, nil, true)
	add(fasterCores, percent+" more marked speed", nodes, smallStep, speed, false)
	if s.usesMemory() && known {
		add(memoryBandwidth, percent+" more", nodes, smallStep, memory, false)
	}
	add(lowerLatency, percent+" lower", network, smallStep, factors{{kindNetwork, c.choice.Network, quantityLatency}: 1 - smallStep}, false)
	add(moreBandwidth, percent+" more", network, smallStep, factors{{kindNetwork, c.choice.Network, quantityBandwidth}: 1 + smallStep}, false)
	return steps
}

// extraCores is about a tenth of the cores of a node: a tenth of the cores that each
// process has, at least one.
func (n *Node) extraCores() int {
	if n.Threads > 1 {
		return n.Processes * n.extraThreads()
	}
	return max(1, int(math.Round(smallStep*float64(n.Cores))))
}

// extraThreads is a tenth of the threads of a process, at least one.
func (n *Node) extraThreads() int { return max(1, int(math.Round(smallStep*float64(n.Threads)))) }

// addCores gives the nodes of a machine a tenth more cores and as much more
// speed. Processes of several threads get more threads; where each core had a process
// the new ones get one too.
func (p *Plan) addCores(parts []int) {
	for t := range p.Nodes {
		if parts[t] == 0 {
			continue
		}
		n := &p.Nodes[t]
		cores := n.Cores + n.extraCores()
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
