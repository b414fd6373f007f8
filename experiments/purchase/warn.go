package purchase

import (
	"fmt"
	"slices"
)

// warn says what a reader must not miss.
func (s *solver) warn() {
	r := s.result
	add := func(format string, args ...any) { r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...)) }
	first := r.Ranking[0]
	if s.buysNothing(first.choice) {
		add("nothing within the budget makes the existing machine faster")
	}
	r.Warnings = append(r.Warnings, first.Warnings...)
	for _, n := range first.choice.Types {
		for _, f := range s.Nodes[n].Figures {
			if f.Estimate && (f.Quantity == quantityPrice || f.Quantity == quantitySpeed) {
				add("the %s of the recommended %s, %s, is an estimate: ask for a quote or a measurement before buying", f.Quantity, f.Of, f.Value)
			}
		}
	}
	for _, x := range r.Robustness.Parameters {
		if x.Estimate && (x.FirstLow != first.Design || x.FirstHigh != first.Design) {
			other, way := x.FirstLow, "lower"
			if other == first.Design {
				other, way = x.FirstHigh, "higher"
			}
			if other == NoDesign {
				add("an estimate decides: with a %s %.0f %% %s, nothing is within the budget", x.Parameter, 100*r.Robustness.Change, way)
				continue
			}
			add("an estimate decides: with a %s %.0f %% %s, %s is first", x.Parameter, 100*r.Robustness.Change, way, other)
		}
	}
	if r.Lead != nil && *r.Lead < tooClose {
		add("the lead over %s is only %.1f %%: less than what simulations and prices are worth", r.RunnerUp, 100**r.Lead)
	}
	if x := s.unknownMemory(); len(x) > 0 {
		add("the memory of %s is not known, so nobody checked that the problems fit", list(x))
	}
	for _, c := range s.best {
		for _, t := range c.choice.Types {
			if s.Nodes[t].Accelerator && !slices.Contains(r.Warnings, acceleratorWarning(s.Nodes[t].Name)) {
				r.Warnings = append(r.Warnings, acceleratorWarning(s.Nodes[t].Name))
			}
		}
	}
	if s.Energy.Price == 0 {
		add("no price of energy is given: costs of runs are the price of the machine alone")
	}
	if !s.usesMemory() {
		add("no workload has bytes_per_flop: memory bandwidth has no effect on this answer")
	}
	if n := len(r.Ranking); n > 1 && s.Model.Name != "flow" {
		for _, w := range s.Workloads {
			if w.Run.Name == "convolution" || w.Run.Name == "matmul" {
				add("workload %s sends from many processes of a node at once, which network model %s does not slow down: set model: flow to see how much that matters", w.Name, s.Model.Name)
			}
		}
	}
}

func acceleratorWarning(name string) string {
	return name + " has accelerators: each is taken as one process at its marked speed, with its transfers to the host for free, which is outside what the model knows"
}

func (s *solver) unknownMemory() []string {
	var names []string
	for _, c := range s.best {
		for _, t := range c.choice.Types {
			if n := s.Nodes[t]; n.Memory == 0 && !slices.Contains(names, n.Name) {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

// notModelled lists what the answer leaves out.
func (p *Plan) notModelled() []string {
	items := []string{
		"Storage, login and service nodes, racks, power distribution, installation, support contracts, staff, taxes and discounts.",
		"Queues and the number of jobs at a time: each run has the whole machine to itself.",
		"Idle power: energy is counted while the machine computes, at its power under load, whatever the workload.",
		"Failures, and the price of a node some years on.",
	}
	if p.Model.Name != "flow" {
		items = append(items, "Contention: with network model "+p.Model.Name+" messages never slow each other down, neither on the adapter of a node nor on switches; oversubscription counts in the price only.")
	}
	if !p.Model.SharesMemory() {
		items = append(items, "Cores of a node that wait for each other's memory traffic: each process has an equal share of the memory bandwidth at all times.")
	}
	return append(items,
		"Programs other than the stated workloads: the ranking is theirs. Sustained fractions of the marked speed are taken to be the same on every node type.",
		"Processes that are fewer than the cores of a node are taken to use all of them perfectly.")
}
