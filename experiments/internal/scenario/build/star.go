package build

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Star is a crossbar: a cable from each host to a switch that is no limit. Host
// to host takes the latency of the network. It is a [Tree] of one level.
type Star struct{}

func (Star) Kind() string { return "star" }

func (Star) check(c *checker, nodes []Node) {}

func (Star) wire(w *wires) wiring { return Tree{Nodes: len(w.nodes)}.wire(w) }

// Backbone is a star in which every message also passes one link that all
// share, in both directions: host to host takes the latency of the network and
// that of the backbone.
type Backbone struct {
	Latency   units.Seconds        // at least 0
	Bandwidth units.BytesPerSecond // above 0
}

func (Backbone) Kind() string { return "backbone" }

func (b Backbone) check(c *checker, nodes []Node) {
	c.connection("topology", topology.Connection(b))
}

func (b Backbone) wire(w *wires) wiring {
	c := topology.Connection(b)
	return Tree{Nodes: len(w.nodes), Backbone: &c}.wire(w)
}
