package system

import (
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Data returns what the processes keep in memory at problem size n, nothing if no size of a memory is known.
func (s *System) Data(n int) scenario.Data {
	return scenario.DataOn(s.Placement, func() []units.Bytes { return s.Algorithm(n).Footprints() })
}

// An InfeasibleError says that a machine cannot run a case because data do not fit into memory.
type InfeasibleError struct{ Problems []string }

func (e *InfeasibleError) Error() string { return strings.Join(e.Problems, "; ") }

// StatesMemory reports whether a node type of a machine states its memory, or that of its devices.
func StatesMemory(m *topology.Machine) bool {
	return slices.ContainsFunc(m.Types, func(n topology.NodeType) bool {
		return n.Memory > 0 || n.Devices != nil && n.Devices.Memory > 0
	})
}

// StatesPower reports whether all node types of a machine state their power.
func StatesPower(m *topology.Machine) bool {
	return !slices.ContainsFunc(m.Types, func(n topology.NodeType) bool { return n.Power == 0 })
}
