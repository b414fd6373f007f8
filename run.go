package isoscale

import (
	"context"
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/experiments/scenario"
	"github.com/isoscale/isoscale/experiments/system"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
)

// Quantities, in base units: s, B, flop. Package model/units has the others, and
// reads and prints them.
type (
	Seconds = units.Seconds
	Bytes   = units.Bytes
	Flops   = units.Flops
)

// Rank is what a Body sees of its process: computing, sending, receiving,
// collective operations.
type Rank = sim.Rank

// Result is what a simulation gives: the makespan, messages, bytes, work, and how
// each rank spent its time.
type Result = sim.Result

// Simulation is a program on a cluster.
type Simulation struct {
	Cluster *Cluster
	Network Network
	// Body is executed by every rank. It must not share variables with other ranks
	// that one of them writes; see [sim.NewProgram].
	Body func(r *Rank)
	// Program is a state machine in the place of a Body, for very many ranks. It
	// says itself how many there are: as many as the simulation has processes.
	Program func(ranks int) workloads.Program
	// PerNode is how many processes run on each node of a type; by default one on
	// each core. With Flow there may be more than cores.
	PerNode map[string]int
	// Nodes is how many nodes of each type take part; nil means all.
	Nodes map[string]int
	// Observer, if not nil, is told what happens.
	Observer sim.Observer
}

// Run simulates until every rank has finished. The error is a
// [*sim.DeadlockError] if some cannot, a [*sim.ProgramError] or [*sim.BodyError]
// if the program is at fault, and the context's if that ends first. All other
// errors say which part of the simulation cannot be used and what was expected.
func Run(ctx context.Context, s Simulation) (*Result, error) {
	r, err := s.ready()
	if err != nil {
		return nil, fmt.Errorf("isoscale: %w", err)
	}
	return r.run(ctx)
}

// ready is a simulation whose parts fit.
type ready struct {
	run         func(ctx context.Context) (*Result, error)
	markedSpeed units.FlopsPerSecond
}

// program returns a fresh run of the program.
func (s Simulation) program(ranks int) workloads.Program {
	if s.Body != nil {
		return sim.NewProgram(ranks, s.Body)
	}
	return s.Program(ranks)
}

// ready checks the parts and brings them together.
func (s Simulation) ready() (ready, error) {
	switch {
	case s.Cluster == nil:
		return ready{}, errNoCluster
	case s.Body == nil && s.Program == nil:
		return ready{}, errors.New("no program; expected a Body or a Program")
	case s.Body != nil && s.Program != nil:
		return ready{}, errors.New("both a Body and a Program; expected one of them")
	}
	c := s.Cluster
	n, err := s.Network.on(c)
	if err != nil {
		return ready{}, err
	}
	if c.machine == nil {
		return s.onPlatform(n)
	}
	part := topology.Selection{Nodes: s.Nodes, Processes: map[string]int{}, Oversubscribe: n.SharesCores()}
	for _, t := range c.machine.Types {
		part.Processes[t.Name] = t.Cores
	}
	for name, k := range s.PerNode {
		part.Processes[name] = k
	}
	sys, err := system.ForPrograms(c.machine, part, n)
	if err != nil {
		return ready{}, err
	}
	sys.Observer = s.Observer
	return ready{
		run:         func(ctx context.Context) (*Result, error) { return sys.Run(ctx, s.program(len(sys.Speeds))) },
		markedSpeed: sys.Placement.MarkedSpeed(),
	}, nil
}

// onPlatform is ready for the hosts of a platform file, with a rank on each core.
func (s Simulation) onPlatform(n scenario.Network) (ready, error) {
	if s.PerNode != nil || s.Nodes != nil {
		return ready{}, errors.New("nodes or processes of a node type on a platform file, which has hosts; expected neither")
	}
	p := s.Cluster.platform
	var place []int32
	var x ready
	c := sim.Config{Network: n.Own, Ranks: true, Observer: s.Observer}
	for h, host := range p.Hosts {
		for range host.Cores {
			place = append(place, int32(h))
			c.Rates = append(c.Rates, host.Speed)
			x.markedSpeed += host.Speed
		}
	}
	x.run = func(ctx context.Context) (*Result, error) {
		c := c
		c.Program = s.program(len(place))
		if n.Flow != nil {
			f, err := flow.New(system.FlowMachine(p, place), n.Flow.Parameters)
			if err != nil {
				return nil, err
			}
			c.Fabric, c.Protocol = f, n.Flow.Protocol
		}
		return sim.Run(ctx, c)
	}
	return x, nil
}
