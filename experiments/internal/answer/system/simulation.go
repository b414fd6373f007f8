package system

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Simulation is a finished simulation of a system and what it is measured by.
type Simulation struct {
	*sim.Result
	System *System
	N      int // problem size

	Work            units.Flops          // W of the algorithm
	MarkedSpeed     units.FlopsPerSecond // C of the system
	AchievedSpeed   units.FlopsPerSecond // W/T; 0 without work, as in a barrier
	SpeedEfficiency float64              // W/(T C); 0 without work

	// Means over the processes, which add up to the makespan; 0 if the system does
	// not report them. A process that has finished waits for the end of the run.
	Compute, Overhead, Wait units.Seconds

	Energy *energy.Account // nil if the system does not report its processes, or a power is not known
}

// measure returns the measures of a simulation.
func measure(s *System, n int, w units.Flops, r *sim.Result) (*Simulation, error) {
	x := &Simulation{Result: r, System: s, N: n, Work: w, MarkedSpeed: s.Placement.MarkedSpeed()}
	if w > 0 {
		var err error
		if x.AchievedSpeed, err = scalability.AchievedSpeed(w, r.Makespan); err != nil {
			return nil, err
		}
		if x.SpeedEfficiency, err = scalability.SpeedEfficiency(w, r.Makespan, x.MarkedSpeed); err != nil {
			return nil, err
		}
	}
	if len(r.Ranks) > 0 {
		for i := range r.Ranks {
			x.Compute += r.Ranks[i].Compute
			x.Overhead += r.Ranks[i].Overhead()
			// The rest of the makespan, but without the error of a difference.
			x.Wait += r.Ranks[i].Wait() + (r.Makespan - r.Ranks[i].Finish)
		}
		p := units.Seconds(len(r.Ranks))
		x.Compute /= p
		x.Overhead /= p
		x.Wait /= p
		x.Energy = energy.Of(s.Placement, s.power, r)
	}
	return x, nil
}

// MemoryWarnings names the first node of each type whose memory, or the memory of
// one of whose devices, the data of its processes do not fit into.
func (x *Simulation) MemoryWarnings() []string {
	known := func(r topology.Block) bool { return r.Memory().Size > 0 }
	runs := x.System.Placement.Blocks
	if !slices.ContainsFunc(runs, known) {
		return nil
	}
	var warnings []string
	need := x.System.Algorithm(x.N).Footprints()
	seen := map[string]bool{}
	for _, r := range runs {
		if !known(r) || seen[r.Type.Name] {
			continue
		}
		memory := r.Memory()
		for first := 0; first < r.Nodes*r.Processes; first += memory.Processes {
			var sum units.Bytes
			for _, size := range need[r.FirstRank+first:][:memory.Processes] {
				sum += size
			}
			if sum > memory.Size {
				seen[r.Type.Name] = true
				warnings = append(warnings, fmt.Sprintf("the data of %s (%s) need %v and its memory is %v; a real run would page or fail",
					memoryOwner(r, first), r.Type.Name, sum, memory.Size))
				break
			}
		}
	}
	return warnings
}

// memoryOwner names what has the memory of a process of r, counted from its first.
func memoryOwner(r topology.Block, process int) string {
	node := "node " + r.Group.NodeName(process/r.Processes)
	if r.OnDevices() {
		return fmt.Sprintf("device %d of %s", process%r.Processes, node)
	}
	return node
}
