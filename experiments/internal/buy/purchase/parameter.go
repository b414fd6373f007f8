package purchase

// parameters lists the parameters that the ranking may depend on.
func (s *solver) parameters(choices []Choice) []parameter {
	nodes, networks := make([]bool, len(s.Nodes)), make([]bool, len(s.Networks))
	processes := false
	for _, c := range choices {
		networks[c.Network] = true
		for t, count := range s.parts(c) {
			nodes[t] = nodes[t] || count > 0
			processes = processes || count > 0 && s.Nodes[t].Processes > 1 && s.Nodes[t].OnNode == nil
		}
	}
	feeds := s.usesMemory()
	watts := s.Budget.Power > 0 || s.Budget.Life
	var list []parameter
	add := func(kind string, i int, quantity string, relevant bool) {
		if relevant {
			list = append(list, parameter{kind, i, quantity})
		}
	}
	for t, used := range nodes {
		add(kindNode, t, quantityPrice, used)
		add(kindNode, t, quantitySpeed, used)
		add(kindNode, t, quantityMemoryBandwidth, used && feeds && s.Nodes[t].MemoryBandwidth > 0)
		add(kindNode, t, quantityPower, used && watts)
		inside := used && s.Nodes[t].OnNode != nil && s.Nodes[t].Processes > 1
		add(kindNode, t, quantityInsideLatency, inside)
		add(kindNode, t, quantityInsideBandwidth, inside)
	}
	for n, used := range networks {
		add(kindNetwork, n, quantityPrice, used)
		add(kindNetwork, n, quantityLatency, used)
		add(kindNetwork, n, quantityBandwidth, used)
		add(kindNetwork, n, quantityPower, used && watts)
	}
	add(kindOnNode, 0, quantityLatency, processes)
	add(kindOnNode, 0, quantityBandwidth, processes)
	for w := range s.Workloads {
		add(kindWorkload, w, quantityWeight, len(s.Workloads) > 1)
	}
	add(kindEnergy, 0, quantityPrice, s.Budget.Life && s.Energy.Price > 0)
	return list
}

// The kinds of things that parameters belong to.
const (
	kindNode     = "node type"
	kindNetwork  = "network"
	kindOnNode   = "within nodes"
	kindWorkload = "workload"
	kindEnergy   = "energy"
)

// A parameter is a number of the plan that may be other than written.
type parameter struct {
	kind     string
	index    int // into the nodes, networks or workloads of the plan
	quantity string
}

// changesTimes reports whether simulated times depend on the parameter.
func (p parameter) changesTimes() bool {
	switch p.quantity {
	case quantitySpeed, quantityMemoryBandwidth, quantityLatency, quantityBandwidth, quantityInsideLatency, quantityInsideBandwidth:
		return true
	}
	return false
}

// reciprocal reports whether times go with the reciprocal of the parameter.
func (p parameter) reciprocal() bool {
	return p.quantity != quantityLatency && p.quantity != quantityInsideLatency
}
