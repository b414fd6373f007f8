package build

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

var _ topology.Router = (*router)(nil)

// router is the routes of a topology between hosts and those of hosts to
// themselves.
type router struct {
	wiring
	names    []Node          // for errors
	links    []topology.Link // of the platform
	network  int             // how many of the links belong to the network
	memory   []int32         // link of each host, or NoLink
	pipe     int32           // link of host 0, host i has pipe+i; or NoLink
	loopback int32           // of hosts with neither, or NoLink if there are none
}

// Route is that of topology.Router. It allocates only to make buf longer (and
// the graph, once for each place that routes start from). It panics if there is
// no host of that number.
func (r *router) Route(buf []int32, from, to int32) ([]int32, error) {
	if n := len(r.memory); uint(from) >= uint(n) || uint(to) >= uint(n) {
		panic("build: route of a host that the platform does not have")
	}
	if from == to {
		return r.own(buf, from), nil
	}
	long, ok := r.route(buf, from, to)
	if !ok {
		return buf, &topology.NoRouteError{From: r.names[from].Name, To: r.names[to].Name}
	}
	return long, nil
}

func (r *router) own(buf []int32, host int32) []int32 {
	memory := r.memory[host]
	if r.pipe != topology.NoLink {
		buf = append(buf, r.pipe+host)
	}
	switch {
	case memory != topology.NoLink:
		return append(buf, memory, memory)
	case r.pipe == topology.NoLink:
		return append(buf, r.loopback)
	}
	return buf
}

// addOwnRoutes makes the links of hosts to themselves; see Cluster.Platform.
func (r *router) addOwnRoutes(w *wires, hosts []topology.Host) {
	r.memory, r.pipe, r.loopback = make([]int32, len(hosts)), topology.NoLink, topology.NoLink
	onNode := w.network.OnNode
	inMemory := onNode.Latency / 2
	if onNode.Bandwidth > 0 {
		inMemory = 0
		r.pipe = int32(len(w.links))
		for i := range w.nodes {
			w.link(topology.Link{Bandwidth: onNode.Bandwidth, Latency: onNode.Latency, FatPipe: true}, ".self", w.nodes[i].Name)
		}
	}
	for i := range w.nodes {
		r.memory[i] = topology.NoLink
		switch b := w.nodes[i].MemoryBandwidth; {
		case b > 0:
			r.memory[i] = w.link(topology.Link{Bandwidth: b, Latency: inMemory}, ".memory", w.nodes[i].Name)
		case onNode.Bandwidth == 0 && r.loopback == topology.NoLink:
			r.loopback = w.link(topology.Link{Bandwidth: w.network.Loopback, Latency: onNode.Latency, FatPipe: true}, "", "loopback")
		}
		hosts[i].Memory = r.memory[i]
	}
}

// Metrics is what a network can do as a whole.
type Metrics struct {
	Hosts int
	Links int // of the network, without those of hosts to themselves; a full-duplex cable is two
	// Diameter is the largest number of links on a route between two hosts. If
	// it is not exact, no route is longer.
	Diameter      int
	DiameterExact bool
	// Bisection is the bisection bandwidth in one direction: the smallest
	// capacity, over all ways to split the hosts into two halves (for an odd
	// number, one host more in one of them), of what the links can carry
	// from one half to the other at the same time, by whatever routes. If it is
	// not exact, it is that of one such split, so the true one is not above it.
	// With half-duplex links the other direction has to be idle. A single host
	// has 0.
	Bisection      units.BytesPerSecond
	BisectionExact bool
}

// Measure returns the metrics of a platform that this package made; ok is false
// for others.
func Measure(p *topology.Platform) (m Metrics, ok bool) {
	r, ok := p.Router.(*router)
	if !ok {
		return Metrics{}, false
	}
	m = Metrics{Hosts: len(r.memory), Links: r.network, DiameterExact: true, BisectionExact: true}
	if m.Hosts > 1 {
		m.Diameter, m.DiameterExact = r.diameter()
		m.Bisection, m.BisectionExact = r.bisection(r.links)
	}
	return m, true
}
