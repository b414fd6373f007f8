package system

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// transport is what carries the messages of a system: a network that prices them,
// or links on which they flow.
type transport struct {
	kind    *networks.Kind
	Network sim.Network // nil with flow
	*networks.Flow
	Platform *topology.Platform
	place    []int32 // host of each rank
	threads  []int   // of the processes of each host; 0 where there are none
	Record   bool    // what links do
	Last     *flow.Model
}

// newTransport returns what carries messages between the processes of a placement.
func newTransport(n networks.Network, m *topology.Machine, p *topology.Placement) (*transport, error) {
	if n.Flow == nil {
		return &transport{kind: n.Kind(), Network: n.On(m, p)}, nil
	}
	platform, err := machines.Platform(m)
	if err != nil {
		return nil, err
	}
	hosts := machines.Hosts(m, p)
	threads := threadsOf(m, p, hosts)
	if used, _ := p.Devices(); used > 0 {
		platform, hosts = withDevices(platform, p, hosts)
		threads = append(threads, slices.Repeat([]int{1}, used)...)
	}
	return &transport{kind: n.Kind(), Flow: n.Flow, Platform: platform, place: hosts, threads: threads}, nil
}

// sharesMemory reports whether computations share the memory of their node as they
// go on.
func (c *transport) sharesMemory() bool { return c.kind.SharesMemory }

// Place returns the host of each rank, on the platform. There is none on a network.
func (c *transport) Place() []int32 { return c.place }

// configure completes the configuration of a simulation in which rank r computes at
// rates[r].
func (c *transport) configure(s *sim.Config) error {
	if c.Network != nil {
		s.Network = c.Network
		return nil
	}
	m := c.machine(s.Rates)
	f, err := flow.New(m, c.Parameters)
	if err != nil {
		return input.Errorf("%v", err)
	}
	if c.Record {
		f.Record()
	}
	s.Rates, s.Fabric, s.Protocol, c.Last = nil, f, c.Protocol, f
	return nil
}

// machine returns what messages flow on, and where the ranks compute at the given
// rates.
func (c *transport) machine(rates []units.FlopsPerSecond) flow.Machine {
	m := flowMachine(c.Platform, c.place[:len(rates)])
	// What processes of a node sustain is the same for all of them.
	for r, h := range m.Place {
		m.Hosts[h].Speed = rates[r]
		// A process takes the place of as many cores as it has threads.
		m.Hosts[h].Cores = c.Platform.Hosts[h].Cores / c.threads[h]
	}
	return m
}

// FlowMachine returns the machine of a system on network flow: hosts with the cores
// and the speed that its processes see, links, and the host of each process.
func (s *System) FlowMachine() flow.Machine { return s.Transport.machine(s.rates) }

// threadsOf returns the threads that each process of a node has, for all nodes of a
// machine; 0 where there are none. hosts is where the ranks are.
func threadsOf(m *topology.Machine, p *topology.Placement, hosts []int32) []int {
	threads := make([]int, machines.Nodes(m))
	for _, b := range p.Blocks {
		for r := range b.Nodes * b.Processes {
			threads[hosts[b.FirstRank+r]] = b.Threads
		}
	}
	return threads
}

// flowMachine returns a platform as the flow model wants it.
func flowMachine(p *topology.Platform, place []int32) flow.Machine {
	m := flow.Machine{Links: make([]flow.Link, len(p.Links)), Hosts: make([]flow.Host, len(p.Hosts)), Router: p, Place: place}
	for i, l := range p.Links {
		m.Links[i] = flow.Link{Bandwidth: l.Bandwidth, Latency: l.Latency, FatPipe: l.FatPipe}
	}
	for i, h := range p.Hosts {
		m.Hosts[i] = flow.Host{Cores: h.Cores, Speed: h.Speed, Memory: h.Memory}
	}
	return m
}
