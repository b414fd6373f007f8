package system

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
)

// ForPrograms returns the selected part of a machine made ready for programs
// that say themselves what they compute and how much memory traffic that needs.
func ForPrograms(m *topology.Machine, part topology.Selection, n networks.Network) (*System, error) {
	return New(&scenario.Scenario{
		Machine: m, Selection: part, Network: n,
		// Any traffic: the shares of memory are made ready.
		Workload: workload.Workload{Sustained: 1, BytesPerFlop: 1},
	})
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

// site returns what processes know of the machine. The nodes of a platform are all
// its hosts; others are those that take part.
func (s *System) site() sim.Site {
	if s.Transport.Network == nil {
		return siteOf(s.Transport.Platform)
	}
	var x sim.Site
	x.Place, _ = s.Placement.Locations()
	for r, node := range x.Place {
		if int(node) == len(x.Nodes) {
			_, name := s.Placement.Node(r)
			x.Nodes = append(x.Nodes, name)
		}
	}
	return x
}

// siteOf returns the names of hosts and links.
func siteOf(p *topology.Platform) sim.Site {
	var x sim.Site
	for _, h := range p.Hosts {
		x.Nodes = append(x.Nodes, h.Name)
	}
	for _, l := range p.Links {
		x.Links = append(x.Links, l.Name)
	}
	return x
}
