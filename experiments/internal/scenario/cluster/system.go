package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
)

// System is a part of a machine prepared for programs: the processes, and what each computes and communicates with. Its
// simulations must not overlap.
type System struct {
	Placement *topology.Placement
	Speeds    []units.FlopsPerSecond // marked speed of each process
	Transport *Transport
	Rates     []units.FlopsPerSecond // of each process; at first Speeds
	Memory    []units.BytesPerSecond // see ShareMemory
	limit     units.Bytes            // of the memory for a simulation
	machine   *topology.Machine
	network   Network

	// How to simulate; none of it changes a result. New sets Ranks.
	Ranks    bool // report every process; without that there are no means over processes
	Workers  int  // cores for one simulation, 0 for all
	Observer sim.Observer
	// Program, if set, returns the program to run instead of each program.
	Program func(workloads.Program) workloads.Program

	// Processes run on the clock of the ranks; the ranks know the Events.
	Processes []sim.Process
	Events    []*sim.Event
}

// New places processes on a machine and connects them; limit bounds the memory of simulations.
func New(m *topology.Machine, part topology.Selection, n Network, limit units.Bytes) (*System, error) {
	p, err := m.Place(part)
	if err != nil {
		return nil, err
	}
	if err := checkMemory(p.Ranks(), false, limit); err != nil {
		return nil, err
	}
	if c := p.MarkedSpeed(); math.IsInf(float64(c), 1) {
		return nil, fault.Errorf("the sum of the marked speeds of %d processes is out of range (%.2g flop/s); expected smaller marked speeds", p.Ranks(), math.MaxFloat64)
	}
	t, err := newTransport(n, m, p)
	if err != nil {
		return nil, err
	}
	speeds := p.Speeds()
	return &System{Placement: p, Speeds: speeds, Rates: speeds, Transport: t, Ranks: true, limit: limit,
		machine: m, network: n}, nil
}

// ShareMemory gives each process its share of the memory bandwidth of its node, unless a fabric shares it or no node
// states any.
func (s *System) ShareMemory() {
	known := func(r topology.Block) bool { return r.Memory().Bandwidth > 0 }
	if s.Transport.Kind.SharesMemory || !slices.ContainsFunc(s.Placement.Blocks, known) {
		return
	}
	s.Memory = make([]units.BytesPerSecond, 0, len(s.Speeds))
	for r := range s.Placement.Each {
		m := r.Memory()
		s.Memory = append(s.Memory, compute.Share(m.Bandwidth, m.Processes))
	}
}

// Run runs a program with a rank on each process.
func (s *System) Run(ctx context.Context, p workloads.Program) (*sim.Result, error) {
	if err := checkMemory(len(s.Speeds), s.Ranks, s.limit); err != nil {
		return nil, err
	}
	if s.Program != nil {
		p = s.Program(p)
	}
	c, err := s.config(p)
	if err != nil {
		return nil, err
	}
	c.Ranks, c.Workers, c.Observer = s.Ranks, s.Workers, s.Observer
	c.Processes, c.Events = s.Processes, s.Events
	if len(s.Processes) > 0 {
		c.Site = s.site()
	}
	return sim.Run(ctx, c)
}

// Time returns how long a program takes whose ranks are the first processes of the system.
func (s *System) Time(ctx context.Context, p workloads.Program) (units.Seconds, error) {
	c, err := s.config(p)
	if err != nil {
		return 0, err
	}
	c.Workers = s.Workers
	r, err := sim.Run(ctx, c)
	if err != nil {
		return 0, err
	}
	return r.Makespan, nil
}

// config returns the simulation of a program whose ranks are the first processes.
func (s *System) config(p workloads.Program) (sim.Config, error) {
	n := p.Ranks()
	c := sim.Config{Program: p, Rates: s.Rates[:n], Budget: budget(n, s.limit)}
	if s.Memory != nil {
		c.Memory = s.Memory[:n]
	}
	return c, s.Transport.configure(&c)
}

// site returns what processes know about the machine. The nodes of a platform are all its hosts; otherwise they are
// those that take part.
func (s *System) site() sim.Site {
	if s.Transport.Network == nil {
		return siteOf(s.Transport.Platform)
	}
	var x sim.Site
	x.Place, _ = s.Placement.Locations()
	for _, b := range s.Placement.Blocks {
		for i := range b.Nodes {
			x.Nodes = append(x.Nodes, b.Group.NodeName(i))
		}
	}
	return x
}

// siteOf returns the names of hosts and links.
func siteOf(p *topology.Platform) sim.Site {
	var x sim.Site
	x.Nodes = each.Append(x.Nodes, p.Hosts, func(h topology.Host) string { return h.Name })
	x.Links = each.Append(x.Links, p.Links, func(l topology.Link) string { return l.Name })
	return x
}

// perProcess is the memory that a system takes for a process outside the engine: marked speed, speed and share of
// memory bandwidth with 8 bytes each, and about 16 for the state of the program.
const perProcess units.Bytes = 3*8 + 16

// NoLimit is the memory limit if only the memory of this computer counts.
var NoLimit = units.Bytes(math.Inf(1))

// checkMemory returns an error if a simulation of that many processes, with or without per-process reports, takes more
// memory than the limit or than this computer has. A simulation of few processes needs some 30 MB at most; asking the
// operating system would take longer than simulating it.
func checkMemory(processes int, ranks bool, limit units.Bytes) error {
	need := sim.Memory(processes, ranks) + perProcess*units.Bytes(processes)
	if need > limit {
		return limitError(processes, need, limit, "")
	}
	const few = 1 << 16
	if processes <= few {
		return nil
	}
	return fault.CheckMemory(runOf(processes), need, "fewer nodes or processes on a node")
}

func runOf(processes int) string { return fmt.Sprintf("a run of %d processes", processes) }

// limitError reports a simulation that takes more memory than a plan allows for a point.
func limitError(processes int, need, limit units.Bytes, uses string) error {
	return fmt.Errorf("%s needs about %v of memory, and the limit for a point is %v%s; expected fewer processes, "+
		"or a larger limits.memory in the plan", runOf(processes), need, limit, uses)
}

// budget returns what a simulation of that many processes asks as it proceeds: whether what it keeps exceeds the limit,
// or the budget of this process. See [sim.Config.Budget].
func budget(processes int, limit units.Bytes) func(sim.Usage) error {
	var growth fault.Growth
	return func(u sim.Usage) error {
		own := each.Sum(u.Stores, func(s sim.Store) units.Bytes { return s.Bytes })
		if own+u.Next > limit {
			return limitError(processes, own+u.Next, limit, ": "+usesOf(u))
		}
		err := growth.Exceeds(own, u.Next, func() string { return usesOf(u) })
		if err == nil {
			return nil
		}
		err.What = fmt.Sprintf("%s, at %v of simulated time,", runOf(processes), u.Time)
		err.Expected = "a smaller run, or one that receives its messages and waits for its requests as it goes on"
		return err
	}
}

// usesOf says for which purposes a simulation keeps a megabyte or more, the largest first.
func usesOf(u sim.Usage) string {
	slices.SortFunc(u.Stores, func(a, b sim.Store) int { return cmp.Compare(b.Bytes, a.Bytes) })
	var texts []string
	for _, s := range u.Stores {
		if size := fault.Rounded(s.Bytes); size > 0 {
			texts = append(texts, fmt.Sprintf("%v for %d %s,", size, s.Records, s.Name))
		}
	}
	return strings.Join(append(texts, "the rest for the processes, the network and what is recorded"), " ")
}

// OnPlatform returns a simulation of ranks on the hosts of a platform, rank r on host place[r], without its program.
// With a flow network it also returns the model that carries the messages, which serves for one simulation.
func OnPlatform(p *topology.Platform, place []int32, n Network) (sim.Config, *flow.Model, error) {
	if err := checkMemory(len(place), true, NoLimit); err != nil {
		return sim.Config{}, nil, err
	}
	if n.Flow == nil {
		c := sim.Config{Network: n.Own, Ranks: true, Site: siteOf(p), Budget: budget(len(place), NoLimit)}
		c.Rates = each.Of(place, func(host int32) units.FlopsPerSecond { return p.Hosts[host].Speed })
		c.Site.Place, c.Site.Links = place, nil
		return c, nil, nil
	}
	f, err := flow.New(n.Flow.change.on(FlowMachine(p, place), n.Flow.Parameters))
	if err != nil {
		return sim.Config{}, nil, fault.Errorf("%v", err)
	}
	return sim.Config{Fabric: f, Protocol: n.Flow.Protocol, Ranks: true, Site: siteOf(p),
		Budget: budget(len(place), NoLimit)}, f, nil
}
