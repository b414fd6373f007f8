package cluster

import (
	"cmp"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// copying is a network on which a message of a process to itself is a copy in memory,
// because nothing is said about connections inside its node.
type copying struct {
	network.Model
	own []network.Model // by run of ranks
	run []int32         // of each rank; nil if there is one
}

// Message returns the cost of a message, which between two ranks is that of the network.
func (c *copying) Message(from, to int32, size units.Bytes) network.Cost {
	switch {
	case from != to:
		return c.Model.Message(from, to, size)
	case c.run == nil:
		return c.own[0].Message(from, to, size)
	}
	return c.own[c.run[from]].Message(from, to, size)
}

// Validate is that of the network, if it has one.
func (c *copying) Validate() error { return validated(c.Model) }

func validated(m network.Model) error {
	if v, ok := m.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}

// withCopies returns a network on which a message of a process to itself costs what the
// network flow gives it alone: what is said of connections inside its node, or else a copy
// in memory.
func (n Network) withCopies(base network.Model, p *topology.Placement, onNode []network.Model) network.Model {
	said := func(r topology.Block) bool { return n.onNode != nil || r.OnNode() != nil }
	if n.connected == nil || !slices.ContainsFunc(p.Blocks, func(r topology.Block) bool { return !said(r) }) {
		return base
	}
	c := &copying{Model: base, own: slices.Clone(onNode)}
	for i, r := range p.Blocks {
		if !said(r) {
			c.own[i] = n.connected(topology.Connection{Bandwidth: copyBandwidth(r)})
		}
	}
	if len(c.own) > 1 {
		_, c.run = p.Locations()
	}
	return c
}

// copyBandwidth is what a copy gets that is alone on its memory, which it reads and writes,
// or what SimGrid gives a message inside a host where the memory is not known.
func copyBandwidth(r topology.Block) units.BytesPerSecond {
	if b := cmp.Or(r.Memory().Bandwidth, r.Type.MemoryBandwidth); b > 0 {
		return b / 2
	}
	return build.DefaultNetwork().Loopback
}
