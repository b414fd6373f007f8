package isoscale

import (
	"context"
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Quantities in base units: s, B, flop. Package model/units has the others, and parses
// and prints them.
type (
	Seconds = units.Seconds
	Bytes   = units.Bytes
	Flops   = units.Flops
)

// Rank has the methods that a Body calls: computing, sending, receiving, collective
// operations.
type Rank = sim.Rank

// Result is the result of a simulation: the makespan, messages, bytes, work, and how
// each rank spent its time.
type Result = sim.Result

// Simulation is a program on a cluster.
type Simulation struct {
	Cluster *Cluster
	Network Network // nil: the cluster's Hockney
	// Every rank executes Body. Ranks must not share variables that one of them writes;
	// see [sim.NewProgram].
	Body func(r *Rank)
	// Program is a state machine in place of a Body, for very many ranks. It must have
	// as many ranks as the simulation has processes.
	Program func(ranks int) workloads.Program
	// Collectives says how collective operations of a Body are carried out, in place of
	// [collective.Default]. Of several choices for one operation the last counts.
	Collectives []collective.Choice
	// Streams is how many streams each rank of a Body has for [sim.Rank.Beside], at most 1000.
	Streams int
	// PerNode is how many processes run on each node of a type; by default one on each
	// core. With Flow there may be more processes than cores.
	PerNode map[string]int
	// Nodes is how many nodes of each type take part; nil means all.
	Nodes map[string]int
	// Observer, if not nil, gets the spans and messages of the run.
	Observer sim.Observer
	// Processes are Go code that runs in simulated time beside the ranks: they send
	// messages, stop nodes, change speeds. See docs/models/processes.md.
	Processes []sim.Process
	// Events are the events that ranks trigger and wait for, for one run; see
	// [sim.NewEvent].
	Events []*sim.Event
}

// Run simulates until every rank has finished. The error is a [*sim.DeadlockError] if
// some cannot, a [*sim.ProgramError] or [*sim.BodyError] if the program is at fault,
// one that says which collective calls of ranks differ, or that of the context if it
// ends first. A [*sim.ConfigError] has the field that cannot be used, and says what was
// expected.
func Run(ctx context.Context, s Simulation) (*Result, error) {
	system, err := s.prepare()
	if err != nil {
		return nil, fmt.Errorf("isoscale: %w", err)
	}
	return s.run(ctx, system)
}

// run simulates s on a system that was prepared for it.
func (s Simulation) run(ctx context.Context, system *experiments.System) (*Result, error) {
	if s.Body == nil {
		p := s.Program(system.Processes)
		if p == nil {
			return nil, &sim.ConfigError{Field: "Program", Err: errors.New("the function Program returned nil; expected a program")}
		}
		if n := p.Ranks(); n != system.Processes {
			return nil, &sim.ConfigError{Field: "Program", Err: fmt.Errorf("a program of %d ranks for %d processes; expected as many", n, system.Processes)}
		}
		return system.Run(ctx, p)
	}
	p := sim.NewProgram(system.Processes, s.Body)
	p.SetStreams(s.Streams)
	for _, c := range s.Collectives {
		if err := p.Choose(c.On(system.Places)); err != nil {
			return nil, &sim.ConfigError{Field: "Collectives", Err: err}
		}
	}
	return system.Run(ctx, p)
}

// prepare checks the parts and combines them.
func (s Simulation) prepare() (*experiments.System, error) {
	switch {
	case s.Cluster == nil || *s.Cluster == (Cluster{}):
		return nil, &sim.ConfigError{Field: "Cluster", Err: errors.New("no cluster; expected that of NewCluster, or of machinefile.Load or Read")}
	case s.Body == nil && s.Program == nil:
		return nil, &sim.ConfigError{Field: "Body", Err: errors.New("no program; expected a Body or a Program")}
	case s.Body != nil && s.Program != nil:
		return nil, &sim.ConfigError{Field: "Program", Err: errors.New("both a Body and a Program; expected one of them")}
	case s.Streams < 0 || s.Streams > 1000:
		return nil, &sim.ConfigError{Field: "Streams", Err: fmt.Errorf("%d streams; expected 0 to 1000", s.Streams)}
	case s.Body == nil && s.Streams > 0:
		return nil, &sim.ConfigError{Field: "Streams", Err: fmt.Errorf("%d streams without a Body; expected 0, for a Program has its own", s.Streams)}
	case s.Body == nil && s.Collectives != nil:
		return nil, &sim.ConfigError{Field: "Collectives", Err: errors.New("choices of collective operations without a Body; expected none, for a Program says itself what its ranks do")}
	}
	system, err := s.Cluster.Prepare(s.Network, s.PerNode, s.Nodes)
	if err != nil {
		return nil, err
	}
	system.Observer, system.Beside, system.Events = s.Observer, s.Processes, s.Events
	return system, nil
}
