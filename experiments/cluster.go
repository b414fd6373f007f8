package experiments

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/isoscale/isoscale/experiments/internal/answer/hold"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Cluster is a machine: nodes, and the network between them. It does not change
// and may be used by several simulations at once.
type Cluster struct {
	Machine  *topology.Machine
	Platform *topology.Platform // of a SimGrid file; Machine is nil then
}

// Network is a network model with its parameters: [Hockney], [LogGOPS], [Flow] or what
// [Custom] returns. A [Cluster] makes the first three with its own figures; changed figures
// are used as they are, even if 0. Nil stands for the cluster's Hockney.
type Network interface {
	on(m topology.Network) cluster.Network
}

// Hockney is the model latency + size/bandwidth, with send and receive overhead;
// messages of one rank leave one after the other. See [Cluster.Hockney].
type Hockney struct {
	network.Hockney
	// How processes of one node, and nodes of different groups, are connected; nil: as
	// the cluster says.
	OnNode, BetweenGroups *topology.Connection
}

// LogGOPS is the model in which cores and interfaces are busy with every message
// at both ends. See [Cluster.LogGOPS].
type LogGOPS struct {
	network.LogGOPS
	// How processes of one node, and nodes of different groups, are connected; nil: as
	// the cluster says.
	OnNode, BetweenGroups *topology.Connection
}

// Flow is the model in which messages share the links of the cluster's topology,
// and computations the memory of their node, by max-min fairness. See [Cluster.Flow].
type Flow struct {
	flow.Parameters               // such as flow.SMPI()
	SendOverhead    units.Seconds // of the sending core for each message, at least 0
	RecvOverhead    units.Seconds // of the receiving core for each message, at least 0
	// EagerLimit is the largest size that is sent without waiting for the receiver: with
	// 0 all messages wait unless they are empty, with [network.NoLimit] none does.
	EagerLimit units.Bytes
}

// connections returns the network of the machine, for a platform an empty one.
func (c *Cluster) connections() topology.Network {
	if c.Machine == nil {
		return topology.Network{}
	}
	return c.Machine.Network
}

// Hockney returns the model with the figures of the cluster. No message waits for its
// receiver: EagerLimit is [network.NoLimit]. For a SimGrid platform, which has links but
// no figures between processes, all figures are 0.
func (c *Cluster) Hockney() Hockney { return Hockney{Hockney: cluster.HockneyOf(c.connections())} }

// LogGOPS returns the model with the figures of the cluster: its latency, its send overhead,
// and its bandwidth as gap per byte. The other parameters are 0, and no message waits for
// its receiver: Synchronous is [network.NoLimit].
func (c *Cluster) LogGOPS() LogGOPS { return LogGOPS{LogGOPS: cluster.LogGOPSOf(c.connections())} }

// Flow returns the model in which flows share the links of the cluster equally, with the
// overheads of the cluster. The sender of a message of more than 64 KiB waits for its
// receiver, as in SMPI.
func (c *Cluster) Flow() Flow {
	n := c.connections()
	return Flow{Parameters: flow.Plain(), SendOverhead: n.SendOverhead, RecvOverhead: n.RecvOverhead,
		EagerLimit: cluster.FlowEagerLimit}
}

// Custom is a model of one's own.
func Custom(n sim.Network) Network { return custom{n} }

type custom struct{ network sim.Network }

func (n Hockney) on(m topology.Network) cluster.Network {
	return cluster.PriceOn(&cluster.Hockney, n.Hockney, cluster.HockneyPricing, n.OnNode, n.BetweenGroups, m)
}

func (n LogGOPS) on(m topology.Network) cluster.Network {
	return cluster.PriceOn(&cluster.LogGOPS, n.LogGOPS, cluster.LogGOPSPricing, n.OnNode, n.BetweenGroups, m)
}

func (n Flow) on(topology.Network) cluster.Network {
	return cluster.NewFlow(n.Parameters, n.SendOverhead, n.RecvOverhead, n.EagerLimit)
}

func (n custom) on(topology.Network) cluster.Network { return cluster.Of(n.network) }

// System is a cluster with a network that fits, ready for programs.
type System struct {
	MarkedSpeed units.FlopsPerSecond // of all processes
	Processes   int
	Observer    sim.Observer
	// Beside run on the clock of the ranks, which share Events with them.
	Beside []sim.Process
	Events []*sim.Event
	// Places are the places of the processes, for collective operations; nil on a platform.
	Places *collective.Places
	run    func(ctx context.Context, s *System, p workloads.Program) (*sim.Result, error)
}

// Run simulates a program with as many ranks as processes. See [sim.Run] for the
// errors.
func (s *System) Run(ctx context.Context, p workloads.Program) (*sim.Result, error) {
	return s.run(ctx, s, p)
}

// Prepare checks the parts and combines them. processes is how many run on each node of a type,
// by default one on each core; nodes is how many of each type take part, nil for all.
func (c *Cluster) Prepare(model Network, processes, nodes map[string]int) (*System, error) {
	switch model {
	case nil:
		model = c.Hockney()
	case custom{}:
		return nil, &sim.ConfigError{Field: "Network", Err: errors.New("no network in Custom; expected a sim.Network")}
	}
	n := model.on(c.connections())
	if c.Machine == nil {
		if n.Own == nil && n.Flow == nil {
			return nil, fmt.Errorf("network %s on a platform file, which has links but no latency and bandwidth between processes; expected Flow or Custom", n.Kind.Name)
		}
		if processes != nil || nodes != nil {
			return nil, errors.New("nodes or processes of a node type on a platform file, which has hosts; expected neither")
		}
		return onPlatform(c.Platform, n), nil
	}
	part := topology.Selection{Nodes: nodes, Processes: map[string]int{}, Oversubscribe: n.SharesCores()}
	for _, t := range c.Machine.Types {
		part.Processes[t.Name] = t.Cores
	}
	maps.Copy(part.Processes, processes)
	sys, err := cluster.New(c.Machine, part, n, cluster.NoLimit)
	if err != nil {
		return nil, err
	}
	sys.ShareMemory()
	return &System{MarkedSpeed: sys.Placement.MarkedSpeed(), Processes: len(sys.Speeds), Places: sys.Places(),
		run: func(ctx context.Context, s *System, p workloads.Program) (*sim.Result, error) {
			sys.Observer, sys.Processes, sys.Events = s.Observer, s.Beside, s.Events
			return sys.Run(ctx, p)
		}}, nil
}

// onPlatform returns a system of the hosts of a platform file, with a rank on each core.
func onPlatform(p *topology.Platform, n cluster.Network) *System {
	var place []int32
	x := &System{}
	for h, host := range p.Hosts {
		for range host.Cores {
			place = append(place, int32(h))
			x.MarkedSpeed += host.Speed
		}
	}
	x.Processes = len(place)
	x.run = func(ctx context.Context, s *System, program workloads.Program) (*sim.Result, error) {
		c, _, err := cluster.OnPlatform(p, place, n)
		if err != nil {
			return nil, err
		}
		c.Program, c.Observer, c.Processes, c.Events = program, s.Observer, s.Beside, s.Events
		return sim.Run(ctx, c)
	}
	return x
}

// SmallestSize returns the smallest problem size from 1 to largest at which an
// efficiency that grows with the size reaches target. The error has the largest
// efficiency found.
func SmallestSize(target float64, largest int, efficiency func(n int) (float64, error)) (int, error) {
	n, err := hold.Search(target, 1, largest, efficiency)
	if x, ok := errors.AsType[*fault.UnattainableError](err); ok && x.TooEasy {
		return 1, nil
	} else if ok {
		return 0, fmt.Errorf("%s; expected a lower target or a largest size above %d", x.Reason(), largest)
	} else if err != nil {
		return 0, err
	}
	e, err := efficiency(n)
	if e < target { // the nearest size may be the one before
		_, err = efficiency(n + 1)
		n++
	}
	return n, err
}
