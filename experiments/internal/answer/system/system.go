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

// System is a scenario's machine, ready to run the workload.
type System struct {
	cluster.System
	Workload workload.Workload
	Laws     bool // record what [Simulation.Sensitivities] must know about collective operations
	places   *collective.Places
	seed     int64
	power    units.Watts // of the network, per node
	made     *scenario.Scenario
	memory   units.Bytes // that a simulation may take
}

// New places the processes of a scenario on its machine and connects them. It does not
// depend on the scenario's problem size.
func New(s *scenario.Scenario) (*System, error) { return newWithin(s, cluster.NoLimit) }

// newWithin is New for simulations that may take at most limit bytes of memory.
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
		return nil, failed // first: it may be the reason of a deadlock in err
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
		work = p.Drawn() // random work is known when the run has ended
	}
	x, err := measure(s, n, work, r)
	if err == nil && cores != nil && !s.sharesCores() {
		x.inCores = cores.mean()
	}
	return x, err
}

// inCores is a program that adds up how long the computations of another one would take if memory did not limit them.
type inCores struct {
	workloads.Program
	ranks []inCore // each rank writes only its own, so that ranks can run at the same time
	rates []units.FlopsPerSecond
}

type inCore struct {
	time   units.Seconds
	memory bool // some computation moves memory
}

func (c *inCores) Unwrap() workloads.Program { return c.Program }

func (c *inCores) Next(rank int, op *workloads.Op) bool {
	ok := c.Program.Next(rank, op)
	if ok && op.Kind == workloads.Compute && (rank < len(c.ranks) || op.Collective == 0) { // others take no core
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

// How fast processes compute. A process has a core for each of its threads, on which the workload
// sustains a fraction s of the marked speed c. It shares the memory bandwidth B of its node with the
// other q-1 processes there, and its computations follow the roofline of [compute.Process]. A process
// on a device has the device and its memory to itself: q = 1. Under a network model that shares
// resources (flow), the fabric divides B and the cores among the processes that use them at the
// moment. Under others each process has the equal share B/q at all times.

// sustain sets the speeds of processes if these are not all the marked speeds.
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

// Process returns the core and memory that a rank computes with. If a fabric shares memory, there is no limit here.
func (s *System) Process(rank int) compute.Process {
	p := compute.Process{Speed: s.Rates[rank], Memory: compute.Unlimited}
	if s.Memory != nil {
		p.Memory = s.Memory[rank]
	}
	return p
}

// sharesCores reports whether some processes share cores, so that the times of their computations depend on others.
func (s *System) sharesCores() bool {
	return slices.ContainsFunc(s.Placement.Blocks, func(r topology.Block) bool { return s.sustained(r) < s.Workload.SustainedOn(r) })
}

// sustained returns the fraction of the marked speed that a process of r sustains if
// memory does not limit it: less where processes share cores.
func (s *System) sustained(r topology.Block) float64 {
	k := s.Workload.SustainedOn(r)
	if r.OnDevices() {
		return k
	}
	return k * min(1, float64(r.Type.Cores)/float64(r.Processes*r.Threads))
}

// process returns the speed and memory bandwidth of a process of r when all processes of its node compute at once.
func (s *System) process(r topology.Block) compute.Process {
	m := r.Memory()
	return compute.Process{
		Speed:  units.FlopsPerSecond(s.sustained(r)) * r.Speed(),
		Memory: compute.Share(m.Bandwidth, m.Processes),
	}
}

// processes returns process for each rank.
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

// BalancedTime returns how long all processes together take for a computation that is divided in
// proportion to their marked speeds, as workloads do, if it can be divided arbitrarily:
//
//	T = max_r (W c_r/C)/rate_r = W/(k C)        k = min_r rate_r/c_r
//
//	W       work, flop
//	c_r     marked speed of process r, flop/s; C is their sum
//	rate_r  speed of process r when all compute at once, flop/s
//	k       fraction of the marked speed of the process that is slowed down most,
//	        for which the others wait
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

// SequentialTime returns how long process 0 takes for a computation while the others
// wait. Where a fabric shares resources, it then has a core and the memory of its node
// to itself.
func (s *System) SequentialTime(w units.Flops) units.Seconds {
	r := s.Placement.BlockOf(0)
	if s.Transport.Kind.SharesMemory {
		r.Processes = 1 // with all of its threads
	}
	return s.process(r).Time(w, units.Bytes(float64(w)*s.Workload.BytesPerFlop))
}

// partDomains warns of node types whose last domain is not full, so that its devices reach fewer others by links.
func partDomains(p *topology.Placement) (warnings []string) {
	for _, b := range p.Blocks {
		if d := b.Type.Devices; b.OnDevices() && d.Across() != nil && b.Nodes > d.DomainNodes && b.Nodes%d.DomainNodes > 0 {
			part := b.Nodes % d.DomainNodes
			warnings = append(warnings, fmt.Sprintf("the last domain has %d of %d devices: %s of type %s are not a multiple of %d",
				part*b.Processes, d.DomainNodes*b.Processes, input.Plural(b.Nodes, "node"), b.Type.Name, d.DomainNodes))
		}
	}
	return warnings
}

// MachineWarnings has the warnings of partDomains, and names the node types whose devices share network cards although
// the network model gives each message a card of its own.
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
				"itself; laws of collective operations and network flow include it",
				r.Processes, r.Type.Name, input.Plural(cards, "network card"), network.Name))
		}
	}
	return warnings
}
