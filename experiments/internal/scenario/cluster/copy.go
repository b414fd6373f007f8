package cluster

import (
	"cmp"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// copying is a network on which a message of a process to itself is a copy in memory, because no connection inside its
// node is given.
type copying struct {
	network.Model
	own []network.Model // by block
	run []int32         // block of each rank; nil if there is only one
}

// Message returns the cost of a message; between two ranks it is that of the network.
func (c *copying) Message(from, to int32, size units.Bytes) network.Cost {
	switch {
	case from != to:
		return c.Model.Message(from, to, size)
	case c.run == nil:
		return c.own[0].Message(from, to, size)
	}
	return c.own[c.run[from]].Message(from, to, size)
}

// Validate validates the network, if it can be.
func (c *copying) Validate() error { return validated(c.Model) }

func validated(m network.Model) error {
	if v, ok := m.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}

// withCopies returns a network on which a message of a process to itself costs what network flow would give it alone:
// that of the connection inside its node, or else a copy in memory.
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

// copyBandwidth returns the bandwidth of a copy that has its memory to itself, which it reads and writes, or of a
// message inside a host in SimGrid where the memory is not known.
func copyBandwidth(r topology.Block) units.BytesPerSecond {
	if b := cmp.Or(r.Memory().Bandwidth, r.Type.MemoryBandwidth); b > 0 {
		return b / 2
	}
	return build.Loopback
}
