package scenario

import (
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/topology"
)

// SettingFacts lists the machine, the network and the workload with all their
// parameters.
func SettingFacts(m *topology.Machine, n networks.Network, w workload.Workload) []input.Parameter {
	facts := []input.Parameter{{Name: "machine", Value: m.Name}, {Name: "network", Value: n.Kind.Name}}
	for _, p := range n.Parameters {
		facts = append(facts, input.Parameter{Name: "network." + p.Name, Value: p.Value, Note: p.Note})
	}
	facts = append(facts, input.Parameter{Name: "workload", Value: w.Name})
	for _, p := range w.Parameters {
		facts = append(facts, input.Parameter{Name: "workload." + p.Name, Value: p.Value, Note: p.Note})
	}
	return facts
}
