package cluster

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Transport carries the messages of a system: by a network that prices them, or on links over which they flow.
type Transport struct {
	Kind    *Kind
	Network sim.Network // nil with flow
	*Flow
	Platform *topology.Platform
	Place    []int32            // host of each rank on the platform; none on a network
	threads  []int              // per process, by host; 0 where there are no processes
	nodes    *topology.Platform // without devices
	Seed     int64              // of random ways
	Record   bool               // record what links do
	Last     *flow.Model
}

// newTransport returns what carries messages between the processes of a placement.
func newTransport(n Network, m *topology.Machine, p *topology.Placement) (*Transport, error) {
	if err := separated(m, p); err != nil && !n.Kind.Free {
		return nil, err
	}
	if n.Flow == nil {
		return &Transport{Kind: n.Kind, Network: n.on(m, p)}, nil
	}
	platform, err := build.Platform(m)
	if err != nil {
		return nil, err
	}
	nodes, hosts := platform, build.Hosts(m, p)
	threads := threadsOf(m, p, hosts)
	if used, _ := p.Devices(); used > 0 {
		platform, hosts = withDevices(platform, p, hosts, &m.Network)
		threads = append(threads, slices.Repeat([]int{1}, used)...)
	}
	return &Transport{Kind: n.Kind, Flow: n.Flow, Platform: platform, nodes: nodes, Place: hosts, threads: threads}, nil
}

// configure completes the configuration of a simulation in which rank r computes at
// rates[r].
func (c *Transport) configure(s *sim.Config) error {
	if c.Network != nil {
		s.Network = c.Network
		return nil
	}
	m := c.Machine(s.Rates)
	f, err := flow.New(c.change.on(m, c.Parameters))
	if err != nil {
		return fault.Errorf("%v", err)
	}
	if c.Record {
		f.Record()
	}
	s.Rates, s.Fabric, s.Protocol, c.Last = nil, f, c.Protocol, f
	return nil
}

// Machine returns what messages flow on, if ranks compute at the given rates: hosts with the cores and the speed that
// the ranks see, links, and the host of each rank.
func (c *Transport) Machine(rates []units.FlopsPerSecond) flow.Machine {
	m := FlowMachine(c.Platform, c.Place[:len(rates)])
	// All processes of a node sustain the same speed.
	for r, h := range m.Place {
		m.Hosts[h].Speed = rates[r]
		// A process occupies as many cores as it has threads.
		m.Hosts[h].Cores = c.Platform.Hosts[h].Cores / c.threads[h]
	}
	if m.Ways = build.Ways(c.nodes, c.Routing, c.Seed); m.Ways != nil {
		if devices, ok := c.Platform.Router.(*deviceRouter); ok {
			m.Ways = devices.ways(m.Ways)
		}
	}
	return m
}

// threadsOf returns the threads of each process of a node, for all nodes of a machine; 0 where there are no processes.
// hosts has the nodes of the ranks.
func threadsOf(m *topology.Machine, p *topology.Placement, hosts []int32) []int {
	threads := make([]int, build.CountNodes(m))
	for _, b := range p.Blocks {
		for r := range b.Nodes * b.Processes {
			threads[hosts[p.Rank(b.FirstSlot+r)]] = b.Threads
		}
	}
	return threads
}

// FlowMachine returns a platform in the form of the flow model.
func FlowMachine(p *topology.Platform, place []int32) flow.Machine {
	link := func(l topology.Link) flow.Link {
		return flow.Link{Bandwidth: l.Bandwidth, Latency: l.Latency, FatPipe: l.FatPipe}
	}
	host := func(h topology.Host) flow.Host { return flow.Host{Cores: h.Cores, Speed: h.Speed, Memory: h.Memory} }
	return flow.Machine{Router: p, Place: place, Links: each.Of(p.Links, link), Hosts: each.Of(p.Hosts, host)}
}
