package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// Data are what the processes of a run keep in memory.
type Data struct {
	Known   bool        // the memory of some node, or device, is known; otherwise nothing else is set
	Process units.Bytes // of the process with the most
	Node    units.Bytes // the most in the memory of one node, or device
	Use     float64     // fraction of the fullest memory in use, above 1 where data do not fit
	// Problems name, for each node type, the first node whose memory, or a device's memory, is too small for the data
	// of its processes.
	Problems []string
}

// statesMemory reports whether the memory of some nodes of a placement, or of their devices, is known.
func statesMemory(blocks []topology.Block) bool {
	return slices.ContainsFunc(blocks, func(r topology.Block) bool { return r.Memory().Size > 0 })
}

// DataOn returns what the processes of a placement keep, given the footprint of each; nothing if no memory is known.
func DataOn(p *topology.Placement, footprints func() []units.Bytes) Data {
	var x Data
	if !statesMemory(p.Blocks) {
		return x
	}
	x.Known = true
	need := footprints()
	x.Process = slices.Max(need)
	seen := map[string]bool{}
	for _, r := range p.Blocks {
		memory := r.Memory()
		for first := 0; first < r.Nodes*r.Processes; first += memory.Processes {
			var sum units.Bytes
			for i := range memory.Processes {
				sum += need[p.Rank(r.FirstSlot+first+i)]
			}
			x.Node = max(x.Node, sum)
			if memory.Size > 0 {
				x.Use = max(x.Use, float64(sum/memory.Size))
			}
			if memory.Size > 0 && sum > memory.Size && !seen[r.Type.Name] {
				seen[r.Type.Name] = true
				x.Problems = append(x.Problems,
					fmt.Sprintf("the data of %s (%s) need %v, but its memory is %v; a real run would page or fail",
						memoryOwner(r, first), r.Type.Name, sum, memory.Size))
			}
		}
	}
	return x
}

// memoryOwner names the owner of the memory used by a process of r, counted from the first of r.
func memoryOwner(r topology.Block, process int) string {
	node := "node " + r.Group.NodeName(process/r.Processes)
	if r.OnDevices() {
		return fmt.Sprintf("device %d of %s", process%r.Processes, node)
	}
	return node
}

// fillMemory sets the problem size to the largest that fits, if the scenario asks for that.
func (r reader) fillMemory(n *yamldoc.Node, s *Scenario) {
	if s.Workload.MemoryUse == 0 || r.ProblemCount() > 0 {
		return
	}
	p, err := s.Machine.Place(s.Selection)
	if err != nil {
		return // reported already
	}
	size, problem, expected := s.filling(p)
	if problem != "" {
		r.Fail(n, problem, expected)
	}
	s.Workload.N = size
}

// filling returns the largest problem size whose data take at most a given share of the fullest memory of a placement,
// or why there is none. Data grow with n; sizes at which the workload cannot run are skipped.
func (s *Scenario) filling(p *topology.Placement) (n int, problem, expected string) {
	if !statesMemory(p.Blocks) {
		return 0, "no node that takes part states its memory", "a problem size, or memory under the node types"
	}
	speeds := p.Speeds()
	step := 1
	if a, ok := s.Workload.Build(1, speeds, s.Seed).(interface{ Step() int }); ok {
		step = a.Step()
	}
	valid, least, exceeds := 0, 0.0, false // the largest n found, the use at the smallest, whether any size used more
	tooLarge := func(n int) bool {
		a := s.Workload.Build(n, speeds, s.Seed)
		if a.Validate() != nil {
			return valid > 0 // below, it is too small
		}
		use := DataOn(p, a.Footprints).Use
		if least == 0 || use < least {
			least = use
		}
		if use > s.Workload.MemoryUse {
			exceeds = true
			return true
		}
		valid = max(valid, n)
		return false
	}
	most := algorithm.MaxOrder / step
	below, above := 0, 1 // counted in steps
	for above <= most && !tooLarge(above*step) {
		below, above = above, 2*above
	}
	sort.Search(min(above, most+1)-below-1, func(i int) bool { return tooLarge((below + 1 + i) * step) })
	switch {
	case !exceeds && valid > 0:
		return 0, fmt.Sprintf("no problem size up to %d has so much data", valid), "a problem size, or a workload whose data grow with it"
	case valid == 0:
		return 0, fmt.Sprintf("no problem size fits: the smallest found takes %.3g of the fullest memory", least), "a larger share, or more memory"
	}
	return valid, "", ""
}

// Alone returns the scenario with one process at a problem size, alone on a node of the fastest kind; if the scenario
// fills memory, at the size that fills its memory. It is nil if one process cannot run the problem.
func (s Scenario) Alone(n int) *Scenario {
	p, err := s.Machine.Place(s.Selection)
	if err != nil {
		return nil
	}
	speed := func(b topology.Block) float64 { return s.Workload.SustainedOn(b) * float64(b.Speed()) }
	of := slices.MaxFunc(p.Blocks, func(a, b topology.Block) int { return cmp.Compare(speed(a), speed(b)) })
	only := map[string]int{of.Type.Name: 1}
	s.Selection.Nodes, s.Selection.Processes = only, only
	s.Selection.Order, s.RankOrder = nil, RankOrder{}
	if p, err = s.Machine.Place(s.Selection); err != nil {
		return nil
	}
	if s.Workload.N = n; s.Workload.MemoryUse > 0 {
		s.Workload.N, _, _ = s.filling(p)
	}
	a := s.Workload.Build(s.Workload.N, p.Speeds(), s.Seed)
	if a.Validate() != nil || len(DataOn(p, a.Footprints).Problems) > 0 {
		return nil
	}
	return &s
}
