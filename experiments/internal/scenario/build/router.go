package build

import (
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

var _ topology.Router = (*router)(nil)

// router combines the routes of a topology between hosts with the routes of hosts to themselves.
type router struct {
	wiring
	names    []Node          // for errors
	links    []topology.Link // of the platform
	network  int             // how many of the links belong to the network
	memory   []int32         // link of each host, or NoLink
	pipe     []int32         // link of each host, or NoLink
	card     []int32         // link of each host that has several network cards, or NoLink; nil if none has
	loopback int32           // of hosts with neither of these, or NoLink if there are none
	behind   []int32         // the node of each host that follows the nodes, such as a separate card
}

// Route implements topology.Router. It allocates only to extend buf (and for the graph, once for each place where
// routes start). It panics if a host with that number does not exist.
func (r *router) Route(buf []int32, from, to int32) ([]int32, error) {
	if n := len(r.memory) + len(r.behind); uint(from) >= uint(n) || uint(to) >= uint(n) {
		panic("build: route of a host that the platform does not have")
	}
	if from == to {
		return r.own(buf, from), nil
	}
	long, ok := r.route(buf, from, to)
	if !ok {
		return buf, &topology.NoRouteError{From: r.name(from), To: r.name(to)}
	}
	if r.card != nil {
		long = r.throughCards(long, from, to)
	}
	return long, nil
}

// name returns the name of the node that a host is, or belongs to.
func (r *router) name(host int32) string {
	if n := len(r.memory); int(host) >= n {
		host = r.behind[int(host)-n]
	}
	return r.names[host].Name
}

// throughCards appends the cards that a message uses at both ends. A pipe that it met twice would pass only half of its
// bandwidth.
func (r *router) throughCards(buf []int32, from, to int32) []int32 {
	first, second := r.card[from], r.card[to]
	if first != topology.NoLink {
		buf = append(buf, first)
	}
	if second != topology.NoLink && second != first {
		buf = append(buf, second)
	}
	return buf
}

func (r *router) own(buf []int32, host int32) []int32 {
	memory, pipe := r.memory[host], r.pipe[host]
	if pipe != topology.NoLink {
		buf = append(buf, pipe)
	}
	switch {
	case memory != topology.NoLink:
		return append(buf, memory, memory)
	case pipe == topology.NoLink:
		return append(buf, r.loopback)
	}
	return buf
}

// addOwnRoutes makes the links of hosts to themselves; see Cluster.Platform.
func (r *router) addOwnRoutes(w *wires, hosts []topology.Host) {
	r.memory, r.pipe, r.loopback = make([]int32, len(hosts)), make([]int32, len(hosts)), topology.NoLink
	for i := range w.nodes {
		r.pipe[i] = topology.NoLink
		if onNode := w.onNode(i); onNode.Bandwidth > 0 {
			pipe := topology.Link{Bandwidth: onNode.Bandwidth, Latency: onNode.Latency, FatPipe: true}
			r.pipe[i] = w.link(pipe, ".self", w.nodes[i].Name)
		}
	}
	for i := range w.nodes {
		r.memory[i] = topology.NoLink
		inMemory := w.network.OnNode.Latency / 2
		if r.pipe[i] != topology.NoLink {
			inMemory = 0
		}
		switch b := w.nodes[i].MemoryBandwidth; {
		case b > 0:
			r.memory[i] = w.link(topology.Link{Bandwidth: b, Latency: inMemory}, ".memory", w.nodes[i].Name)
		case r.pipe[i] == topology.NoLink && r.loopback == topology.NoLink:
			loopback := topology.Link{Bandwidth: Loopback, Latency: w.network.OnNode.Latency, FatPipe: true}
			r.loopback = w.link(loopback, "", "loopback")
		}
		hosts[i].Memory = r.memory[i]
	}
}

// onNode returns how the processes of a host reach each other.
func (w *wires) onNode(host int) topology.Connection {
	if c := w.nodes[host].OnNode; c != nil {
		return *c
	}
	return w.network.OnNode
}

// addCards makes the links of cards that share a cable, one link for each bandwidth.
func (r *router) addCards(w *wires) {
	if r.behind != nil {
		return
	}
	links := map[units.BytesPerSecond]int32{}
	for i := range w.nodes {
		bandwidth, cards, _ := w.card(i)
		if cards == 1 {
			continue
		}
		if r.card == nil {
			r.card = slices.Repeat([]int32{topology.NoLink}, len(w.nodes))
		}
		link, made := links[bandwidth]
		if !made {
			link = w.link(topology.Link{Bandwidth: bandwidth, FatPipe: true}, "", "card", len(links))
			links[bandwidth] = link
		}
		r.card[i] = link
	}
}

// Metrics is what a network can do as a whole.
type Metrics struct {
	Hosts int
	Links int // of the network, without hosts' links to themselves; a full-duplex cable counts as two
	// Diameter is the largest number of links on a route between two hosts. If
	// it is not exact, no route is longer.
	Diameter      int
	DiameterExact bool
	// Bisection is the bisection bandwidth in one direction: over all ways to split the hosts into two halves (for an
	// odd number, with one host more in one of them), the smallest capacity that the links can carry from one half to
	// the other at the same time, by whatever routes. If it is not exact, it is that of one such split, so the true one
	// is not above it. With half-duplex links the other direction must be idle. For a single host it is 0.
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
