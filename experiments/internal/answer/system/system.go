package system

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// System is a scenario's machine made ready, with the workload.
type System struct {
	cluster.System
	Workload workload.Workload
	Laws     bool // keep what [Simulation.Sensitivities] must know of collective operations
	places   *collective.Places
	seed     int64
	power    units.Watts // of the network for each node
	made     *scenario.Scenario
	memory   units.Bytes // that a simulation may take
}

// New places the processes of a scenario on its machine and connects them. The
// scenario's problem size is not looked at.
func New(s *scenario.Scenario) (*System, error) { return newWithin(s, cluster.NoLimit) }

// newWithin is New for simulations that may take an amount of memory.
func newWithin(s *scenario.Scenario, limit units.Bytes) (*System, error) {
	c, err := cluster.New(s.Machine, s.Selection, s.Network.Network, limit)
	if err != nil {
		return nil, err
	}
	c.Transport.Seed = s.Seed
	places := c.Places()
	placed := s.Workload.Choosing(func(ch collective.Choice) collective.Choice { return ch.On(places) })
	sys := &System{System: *c, Workload: placed, places: places, seed: s.Seed, power: s.Machine.Network.Power, made: s, memory: limit}
	sys.sustain()
	if s.Workload.MovesMemory() {
		sys.ShareMemory()
	}
	return sys, nil
}

// Algorithm returns the workload at problem size n on this system.
func (s *System) Algorithm(n int) algorithm.Algorithm { return s.Workload.Build(n, s.Speeds, s.seed) }

// Simulate runs the workload at problem size n.
func (s *System) Simulate(ctx context.Context, n int) (*Simulation, error) {
	s, err := s.At(ctx, n)
	if err != nil {
		return nil, err
	}
	if s.Laws {
		s.places.Record()
	}
	a := s.Algorithm(n)
	if err := a.Validate(); err != nil {
		return nil, err
	}
	p := s.Workload.Program(a, s.Placement)
	run, cores := p, (*inCores)(nil)
	if s.Workload.MovesMemory() {
		cores = &inCores{p, make([]inCore, p.Ranks()), s.Rates}
		run = cores
	}
	r, err := s.Run(ctx, run)
	if failed := applicationError(p); failed != nil {
		return nil, failed // which may be why others wait for ever
	}
	if err != nil {
		return nil, err
	}
	if err := s.timeless(a, r); err != nil {
		return nil, err
	}
	if w := s.workWarning(p, a.Work()); w != "" {
		r.Warnings = append(r.Warnings, w)
	}
	r.Warnings = append(r.Warnings, s.places.Rough()...)
	work := a.Work()
	if p, ok := p.(interface{ Drawn() units.Flops }); ok {
		work = p.Drawn() // at random, which is known now that the run has ended
	}
	x, err := measure(s, n, work, r)
	if err == nil && cores != nil && !s.sharesCores() {
		x.inCores = cores.mean()
	}
	return x, err
}

// inCores is a program that adds up for how long computations of another one would last if no memory limited them.
type inCores struct {
	workloads.Program
	ranks []inCore // each writes its own, whatever others do at the same time
	rates []units.FlopsPerSecond
}

type inCore struct {
	time   units.Seconds
	memory bool // some computation moves memory
}

func (c *inCores) Unwrap() workloads.Program { return c.Program }

func (c *inCores) Next(rank int, op *workloads.Op) bool {
	ok := c.Program.Next(rank, op)
	if ok && op.Kind == workloads.Compute && (rank < len(c.ranks) || op.Collective == 0) { // else beside the core
		x := &c.ranks[rank%len(c.ranks)]
		x.time += op.Work.At(c.rates[rank%len(c.ranks)])
		x.memory = x.memory || op.Size > 0
	}
	return ok
}

// mean is 0 if no computation moves memory.
func (c *inCores) mean() units.Seconds {
	if !slices.ContainsFunc(c.ranks, func(x inCore) bool { return x.memory }) {
		return 0
	}
	return each.Sum(c.ranks, func(x inCore) units.Seconds { return x.time }) / units.Seconds(len(c.ranks))
}

// How fast processes compute. A process has a core, or as many as it has threads, of which the
// workload sustains a fraction s of the marked speed c, and shares the memory bandwidth B of its
// node with the other q-1 processes there: its computations follow the roofline of
// [compute.Process]. A process on a device has the device and its memory for itself: q = 1. Under a
// network model that shares what there is (flow), the fabric divides B among those that use it at
// the moment, and the cores too. Elsewhere each process has the equal share B/q at all times.

// sustain sets the speed of each process's cores where it is not the marked speed.
func (s *System) sustain() {
	k := s.Workload.SustainedOn
	if !slices.ContainsFunc(s.Placement.Blocks, func(r topology.Block) bool { return k(r) != 1 }) {
		return
	}
	s.Rates = make([]units.FlopsPerSecond, 0, len(s.Speeds))
	for r := range s.Placement.Each {
		s.Rates = append(s.Rates, units.FlopsPerSecond(k(*r))*r.Speed())
	}
}

// Process returns what a rank computes with. Where a fabric shares memory, there is no limit to it.
func (s *System) Process(rank int) compute.Process {
	p := compute.Process{Speed: s.Rates[rank], Memory: compute.Unlimited}
	if s.Memory != nil {
		p.Memory = s.Memory[rank]
	}
	return p
}

// sharesCores reports whether some processes share cores, so that what computations take in these depends on others.
func (s *System) sharesCores() bool {
	return slices.ContainsFunc(s.Placement.Blocks, func(r topology.Block) bool { return s.sustained(r) < s.Workload.SustainedOn(r) })
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

// process returns what a process of r computes with when all processes of its node compute at once.
func (s *System) process(r topology.Block) compute.Process {
	m := r.Memory()
	return compute.Process{
		Speed:  units.FlopsPerSecond(s.sustained(r)) * r.Speed(),
		Memory: compute.Share(m.Bandwidth, m.Processes),
	}
}

// processes returns what each rank computes with when all compute at once.
func (s *System) processes() []compute.Process {
	all := make([]compute.Process, 0, len(s.Speeds))
	for b := range s.Placement.Each {
		all = append(all, s.process(*b))
	}
	return all
}

// MemoryBound reports whether memory slows down the computations of some process
// when all processes of its node compute at once.
func (s *System) MemoryBound() bool {
	return slices.ContainsFunc(s.Placement.Blocks, func(r topology.Block) bool {
		p := s.process(r)
		return p.Rate(s.Workload.BytesPerFlop) < p.Speed
	})
}

// BalancedTime returns how long all processes together take for a computation that is dealt out in
// proportion to their marked speeds, as the workloads do, if it can be divided at will,
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
	r := s.Placement.BlockOf(0)
	if s.Transport.Kind.SharesMemory {
		r.Processes = 1 // its threads are its own
	}
	return s.process(r).Time(w, units.Bytes(float64(w)*s.Workload.BytesPerFlop))
}

// partDomains names entries of a machine whose last domain is not full, so that its devices reach fewer others by links.
func partDomains(p *topology.Placement) (warnings []string) {
	for _, b := range p.Blocks {
		if d := b.Type.Devices; b.OnDevices() && d.Across() != nil && b.Nodes > d.DomainNodes && b.Nodes%d.DomainNodes > 0 {
			part := b.Nodes % d.DomainNodes
			warnings = append(warnings, fmt.Sprintf("the last domain has %d of %d devices: %s of type %s are no multiple of %d",
				part*b.Processes, d.DomainNodes*b.Processes, input.Plural(b.Nodes, "node"), b.Type.Name, d.DomainNodes))
		}
	}
	return warnings
}

// MachineWarnings are those of last domains, and name the node types whose devices have to share network cards where
// the network model does not know that: its messages have a card each.
func MachineWarnings(p *topology.Placement, network *cluster.Kind) []string {
	warnings := partDomains(p)
	first := p.Blocks[0]
	alone := 1
	if first.OnDevices() && first.Type.Devices.Across() != nil {
		alone = first.Type.Devices.DomainNodes
	}
	if network.SharesMemory || network.Free || len(p.Blocks) == 1 && first.Nodes <= alone {
		return warnings
	}
	seen := map[string]bool{}
	for _, r := range p.Blocks {
		if !r.OnDevices() || seen[r.Type.Name] {
			continue
		}
		if _, _, own := r.Type.Card(0, r.Processes); own {
			continue
		}
		if cards := max(1, r.Type.NICs); r.Processes > cards {
			seen[r.Type.Name] = true
			warnings = append(warnings, fmt.Sprintf("the processes on the %d devices of a %s node share %s, which "+
				"network %s does not include: between nodes, each message has the bandwidth of the network to "+
				"itself; network flow includes it",
				r.Processes, r.Type.Name, input.Plural(cards, "network card"), network.Name))
		}
	}
	return warnings
}
