package experiments

import (
	"context"
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
)

// Machine is a machine file, or a SimGrid platform.
type Machine struct {
	machine  *topology.Machine
	platform *topology.Platform // of a SimGrid file, which has no machine
}

// LoadMachine reads a machine file (.yaml), a SimGrid platform (.xml), or a machine
// of the catalogue. The error names the file, the line and what was expected.
func LoadMachine(name string) (*Machine, error) {
	if machines.IsPlatformFile(name) {
		data, err := input.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return ParseMachine(name, data)
	}
	m, err := machines.Open(name)
	if err != nil {
		return nil, err
	}
	return &Machine{machine: m}, nil
}

// ParseMachine reads a machine from the content of a file of that name.
func ParseMachine(name string, data []byte) (*Machine, error) {
	if machines.IsPlatformFile(name) {
		p, err := machines.ParsePlatform(name, data)
		if err != nil {
			return nil, err
		}
		return &Machine{platform: p}, nil
	}
	m, err := machines.Parse(name, data)
	if err != nil {
		return nil, err
	}
	return &Machine{machine: m}, nil
}

// NewMachine is a machine that was built in code.
func NewMachine(m *topology.Machine) *Machine { return &Machine{machine: m} }

// Network is a network model on a machine.
type Network struct{ network networks.Network }

// Connections returns what the machine says of its network: nothing for a platform.
func (m *Machine) Connections() topology.Network {
	if m.machine == nil {
		return topology.Network{}
	}
	return m.machine.Network
}

// Hockney returns that model with the figures of the machine, without an eager limit.
func (m *Machine) Hockney() network.Hockney { return networks.HockneyOf(m.Connections()) }

// LogGOPS returns that model with the figures of the machine, without an eager limit.
func (m *Machine) LogGOPS() network.LogGOPS { return networks.LogGOPSOf(m.Connections()) }

// OnHockney returns a network of that model. Processes of one node, and nodes of different
// groups, are connected as the machine says where no connection is given.
func (m *Machine) OnHockney(h network.Hockney, onNode, betweenGroups *topology.Connection) Network {
	return Network{networks.NewHockney(h, networks.Levels{OnNode: onNode, BetweenGroups: betweenGroups}, m.Connections())}
}

// OnLogGOPS is OnHockney for that model.
func (m *Machine) OnLogGOPS(l network.LogGOPS, onNode, betweenGroups *topology.Connection) Network {
	return Network{networks.NewLogGOPS(l, networks.Levels{OnNode: onNode, BetweenGroups: betweenGroups}, m.Connections())}
}

// OnFlow returns a network whose messages share the links of the machine. Processes spend
// send and recv on each message; the sender of one of more than limit waits.
func (m *Machine) OnFlow(p flow.Parameters, send, recv units.Seconds, limit units.Bytes) Network {
	return Network{networks.NewFlow(p, send, recv, limit)}
}

// OnOwn returns a network of a model of one's own.
func (m *Machine) OnOwn(n sim.Network) Network { return Network{networks.Of(n)} }

// Setup is a network model on a machine, and where the processes run.
type Setup struct {
	Machine *Machine
	Network Network
	// Processes is how many run on each node of a type; by default one on each core.
	Processes map[string]int
	Nodes     map[string]int // how many nodes of each type take part; nil: all
	Observer  sim.Observer
	// Beside run on the clock of the ranks, which know of Events.
	Beside []sim.Process
	Events []*sim.Event
}

// System is a setup whose parts fit, ready for programs.
type System struct {
	MarkedSpeed units.FlopsPerSecond // of all processes
	Processes   int
	run         func(ctx context.Context, p workloads.Program) (*sim.Result, error)
}

// Run simulates a program of as many ranks as there are processes. See [sim.Run]
// for the errors.
func (s System) Run(ctx context.Context, p workloads.Program) (*sim.Result, error) {
	return s.run(ctx, p)
}

// Prepare checks the parts and brings them together.
func (s Setup) Prepare() (System, error) {
	n := s.Network.network
	if s.Machine.machine == nil {
		if n.Own == nil && n.Flow == nil {
			return System{}, fmt.Errorf("network %s on a platform file, which has links but no latency and bandwidth between processes; expected Flow or Custom", n.Model)
		}
		return s.onPlatform(n)
	}
	m := s.Machine.machine
	part := topology.Selection{Nodes: s.Nodes, Processes: map[string]int{}, Oversubscribe: n.SharesCores()}
	for _, t := range m.Types {
		part.Processes[t.Name] = t.Cores
	}
	for name, k := range s.Processes {
		part.Processes[name] = k
	}
	sys, err := system.ForPrograms(m, part, n)
	if err != nil {
		return System{}, err
	}
	sys.Observer, sys.Processes, sys.Events = s.Observer, s.Beside, s.Events
	return System{MarkedSpeed: sys.Placement.MarkedSpeed(), Processes: len(sys.Speeds), run: sys.Run}, nil
}

// onPlatform is a system of the hosts of a platform file, with a rank on each core.
func (s Setup) onPlatform(n networks.Network) (System, error) {
	if s.Processes != nil || s.Nodes != nil {
		return System{}, errors.New("nodes or processes of a node type on a platform file, which has hosts; expected neither")
	}
	p := s.Machine.platform
	var place []int32
	var x System
	for h, host := range p.Hosts {
		for range host.Cores {
			place = append(place, int32(h))
			x.MarkedSpeed += host.Speed
		}
	}
	x.Processes = len(place)
	x.run = func(ctx context.Context, program workloads.Program) (*sim.Result, error) {
		c, _, err := system.OnPlatform(p, place, n)
		if err != nil {
			return nil, err
		}
		c.Program, c.Observer, c.Processes, c.Events = program, s.Observer, s.Beside, s.Events
		return sim.Run(ctx, c)
	}
	return x, nil
}

// SmallestSize returns the smallest problem size from 1 to largest at which an
// efficiency that grows with the size reaches target. The error says what the
// largest efficiency found is.
func SmallestSize(target float64, largest int, efficiency func(n int) (float64, error)) (int, error) {
	return system.Search(target, scenario.SizeRange{From: 1, To: largest}, efficiency)
}
