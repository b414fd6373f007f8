package system

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// How fast processes compute. A process has a core, or as many as it has
// threads, of which the workload sustains a fraction s of the marked speed c, and
// shares the memory bandwidth B of its node with the other q-1 processes there:
// its computations follow the roofline of [compute.Process]. A process on a device
// has the device and its memory for itself: q = 1. Under a network model that shares
// what there is (flow), the fabric divides B among those that use it at the moment,
// and the cores too. Elsewhere each process has the equal share B/q at all times.

// computing returns the speed of each process's cores and its share of memory
// bandwidth, nil if a fabric shares it or no process can wait for it.
func (s *System) computing() (rates []units.FlopsPerSecond, memory []units.BytesPerSecond) {
	rates = s.Speeds
	if k := s.Workload.SustainedOn; slices.ContainsFunc(s.Placement.Blocks, func(r topology.Block) bool { return k(r) != 1 }) {
		rates = make([]units.FlopsPerSecond, 0, len(s.Speeds))
		for _, r := range s.Placement.Blocks {
			rate := units.FlopsPerSecond(k(r)) * r.Speed()
			for range r.Nodes * r.Processes {
				rates = append(rates, rate)
			}
		}
	}
	known := func(r topology.Block) bool { return r.Memory().Bandwidth > 0 }
	if s.Transport.sharesMemory() || !s.Workload.MovesMemory() || !slices.ContainsFunc(s.Placement.Blocks, known) {
		return rates, nil
	}
	memory = make([]units.BytesPerSecond, 0, len(s.Speeds))
	for _, r := range s.Placement.Blocks {
		m := r.Memory()
		share := compute.Share(m.Bandwidth, m.Processes)
		for range r.Nodes * r.Processes {
			memory = append(memory, share)
		}
	}
	return rates, memory
}

// Process returns what a rank computes with. Where a fabric shares memory, there is
// no limit to it.
func (s *System) Process(rank int) compute.Process {
	p := compute.Process{Speed: s.rates[rank], Memory: compute.Unlimited}
	if s.memory != nil {
		p.Memory = s.memory[rank]
	}
	return p
}

// sustained returns the fraction of the marked speed that a process of r sustains,
// apart from memory: less where processes share cores.
func (s *System) sustained(r topology.Block) float64 {
	k := s.Workload.SustainedOn(r)
	if r.OnDevices() {
		return k
	}
	return k * min(1, float64(r.Type.Cores)/float64(r.Processes*r.Threads))
}

// process returns what a process of r computes with when all processes of its node
// compute at once.
func (s *System) process(r topology.Block) compute.Process {
	m := r.Memory()
	return compute.Process{
		Speed:  units.FlopsPerSecond(s.sustained(r)) * r.Speed(),
		Memory: compute.Share(m.Bandwidth, m.Processes),
	}
}

// MemoryBound reports whether memory slows down the computations of some process
// when all processes of its node compute at once.
func (s *System) MemoryBound() bool {
	return slices.ContainsFunc(s.Placement.Blocks, func(r topology.Block) bool {
		p := s.process(r)
		return p.Rate(s.Workload.BytesPerFlop) < p.Speed
	})
}

// BalancedTime returns how long all processes together take for a computation that
// is dealt out in proportion to their marked speeds, as the workloads do, if it can
// be divided at will,
//
//	T = max_r (W c_r/C)/rate_r = W/(k C)        k = min_r rate_r/c_r
//
//	W       work, flop
//	c_r     marked speed of process r, flop/s; C is their sum
//	rate_r  speed of process r when all compute at once, flop/s
//	k       fraction of its marked speed at which the process computes that is
//	        slowed down most: the others wait for it
//
// Source: [Chen2008] 4.5 has W/C. Deviation: k, which is 1 there.
func (s *System) BalancedTime(w units.Flops) units.Seconds {
	k, c := math.Inf(1), 0.0
	for _, r := range s.Placement.Blocks {
		p := s.process(r)
		// The quotient is exactly 1 where memory keeps up.
		k = min(k, s.sustained(r)*float64(p.Rate(s.Workload.BytesPerFlop)/p.Speed))
		c += float64(float64(r.Nodes*r.Processes) * float64(r.Speed()))
	}
	return units.Seconds(float64(w) / (k * c))
}

// SequentialTime returns how long process 0 takes for a computation that it performs
// while the others wait. Where a fabric shares what there is, it then has a core and
// the memory of its node for itself.
func (s *System) SequentialTime(w units.Flops) units.Seconds {
	r := s.Placement.Blocks[0]
	if s.Transport.sharesMemory() {
		r.Processes = 1 // its threads are its own
	}
	return s.process(r).Time(w, units.Bytes(float64(w)*s.Workload.BytesPerFlop))
}
