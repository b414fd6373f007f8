package system

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Data are what the processes of a run keep in memory.
type Data struct {
	Known   bool        // the memory of some node, or device, is known; else there is nothing else
	Process units.Bytes // the most that one has
	Node    units.Bytes // the most in the memory of a node, or of a device
	Use     float64     // of the memory that is fullest: a fraction, above 1 where data do not fit
	// Problems name the first node of each type whose memory, or the memory of one of whose
	// devices, the data of its processes do not fit into.
	Problems []string
}

// statesMemory reports whether the memory of some nodes of a placement, or of their devices, is known.
func statesMemory(blocks []topology.Block) bool {
	return slices.ContainsFunc(blocks, func(r topology.Block) bool { return r.Memory().Size > 0 })
}

// Data returns what the processes keep at problem size n, nothing if no memory is known.
func (s *System) Data(n int) Data {
	var x Data
	blocks := s.Placement.Blocks
	if !statesMemory(blocks) {
		return x
	}
	x.Known = true
	need := s.Algorithm(n).Footprints()
	x.Process = slices.Max(need)
	seen := map[string]bool{}
	for _, r := range blocks {
		memory := r.Memory()
		for first := 0; first < r.Nodes*r.Processes; first += memory.Processes {
			var sum units.Bytes
			for i := range memory.Processes {
				sum += need[s.Placement.Rank(r.FirstSlot+first+i)]
			}
			x.Node = max(x.Node, sum)
			if memory.Size > 0 {
				x.Use = max(x.Use, float64(sum/memory.Size))
			}
			if memory.Size > 0 && sum > memory.Size && !seen[r.Type.Name] {
				seen[r.Type.Name] = true
				x.Problems = append(x.Problems,
					fmt.Sprintf("the data of %s (%s) need %v and its memory is %v; a real run would page or fail",
						memoryOwner(r, first), r.Type.Name, sum, memory.Size))
			}
		}
	}
	return x
}

// memoryOwner names what has the memory of a process of r, counted from its first.
func memoryOwner(r topology.Block, process int) string {
	node := "node " + r.Group.NodeName(process/r.Processes)
	if r.OnDevices() {
		return fmt.Sprintf("device %d of %s", process%r.Processes, node)
	}
	return node
}

// An InfeasibleError says why a machine cannot run a case: data do not fit into memory.
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
