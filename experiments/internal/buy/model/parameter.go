package model

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
