package cluster

import (
	"cmp"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// The network models, from the simplest to the richest.
var (
	Ideal   = Kind{Name: "ideal", Title: "messages cost nothing: the upper bound", Free: true}
	Hockney = Kind{
		Name: "hockney", Title: "latency + size/bandwidth, with send and receive overhead; messages of one rank leave one after the other",
		SendsInTurn: true,
	}
	LogGOPS = Kind{
		Name: "loggops", Title: "LogGP with overhead per byte and synchronous messages: cores and interfaces are busy with every message, at both ends",
		OfGOAL: true,
	}
	SharedLinks = Kind{
		Name: "flow", Title: "messages share the links of the machine's topology, computations the memory of their node: max-min fairness",
		SharesLinks: true, SharesMemory: true,
	}
	own = Kind{Name: "custom"} // of a library user
)

// Connections of the models that price messages one by one.
var (
	HockneyPricing = &Pricing[network.Hockney]{
		Of: func(h network.Hockney, c topology.Connection) network.Hockney {
			h.Latency, h.Bandwidth = c.Latency, c.Bandwidth
			return h
		},
		Behind: func(h network.Hockney, latency units.Seconds, bandwidth units.BytesPerSecond) network.Hockney {
			h.Latency, h.Bandwidth = h.Latency+latency, min(h.Bandwidth, bandwidth)
			return h
		},
		Changed: changedHockney, Parameters: hockneyParameters, Bill: hockneyBill,
	}
	LogGOPSPricing = &Pricing[network.LogGOPS]{
		Of: func(l network.LogGOPS, c topology.Connection) network.LogGOPS {
			l.Latency, l.GapPerByte = c.Latency, perByte(c.Bandwidth)
			return l
		},
		Behind: func(l network.LogGOPS, latency units.Seconds, bandwidth units.BytesPerSecond) network.LogGOPS {
			l.Latency, l.GapPerByte = l.Latency+latency, max(l.GapPerByte, perByte(bandwidth))
			return l
		},
		Changed: changedLogGOPS, Parameters: loggopsParameters, Bill: loggopsBill,
	}
)

func perByte(b units.BytesPerSecond) units.Seconds {
	if b == 0 { // the machine could not be read
		return 0
	}
	return units.Seconds(1 / float64(b))
}

// HockneyOf returns the model with the parameters of a machine.
func HockneyOf(m topology.Network) network.Hockney {
	return network.Hockney{Latency: m.Latency, Bandwidth: m.Bandwidth,
		SendOverhead: m.SendOverhead, RecvOverhead: m.RecvOverhead, EagerLimit: network.NoLimit}
}

// LogGOPSOf returns the model with the parameters of a machine.
func LogGOPSOf(m topology.Network) network.LogGOPS {
	return network.LogGOPS{Latency: m.Latency, Overhead: m.SendOverhead,
		GapPerByte: perByte(m.Bandwidth), Synchronous: network.NoLimit}
}

// PriceOn is [Price] on a machine, whose own connections apply where none is given.
func PriceOn[M network.Model](kind *Kind, base M, p *Pricing[M], onNode, betweenGroups *topology.Connection,
	m topology.Network,
) Network {
	model := func(c *topology.Connection) *M {
		if c == nil {
			return nil
		}
		return new(p.Of(base, *c))
	}
	return Price(kind, base, p, m.Topology,
		model(cmp.Or(onNode, m.OnNode)), model(cmp.Or(betweenGroups, m.BetweenGroups)), onNode != nil)
}

// FlowEagerLimit is the default for the largest message that is sent without waiting for its receiver where messages
// share links. SMPI ([SimGrid2014]) and the MPI libraries have limits of this size. Without a limit, what a process
// sends early would share its cable with what is needed first.
const FlowEagerLimit units.Bytes = 64 << 10

// Flow is the network model whose messages share links.
type Flow struct {
	Parameters flow.Parameters
	Protocol   network.Protocol
	Routing    build.Routing // "" is minimal
	change     *Change       // of the links; nil for none
}

// Detours reports whether messages take ways other than the routes of the platform.
func (f *Flow) Detours() bool { return f != nil && f.Routing != "" && f.Routing != build.Minimal }

// Draws reports whether the ways of messages depend on the seed.
func (f *Flow) Draws() bool { return f != nil && f.Routing == build.Valiant }

// NewFlow returns a network with links that messages share: processes spend send and recv on each message, and the
// sender of a message larger than limit waits for its receiver.
func NewFlow(p flow.Parameters, send, recv units.Seconds, limit units.Bytes) Network {
	below := units.Bytes(math.Nextafter(float64(limit), math.Inf(1)))
	overhead := func(t units.Seconds) network.Overheads { return network.Overheads{{Fixed: t}} }
	return Network{Kind: &SharedLinks, Flow: &Flow{Parameters: p, Protocol: network.Protocol{
		EagerBelow: below, DetachedBelow: below, EveryMessage: true,
		Send: overhead(send), Isend: overhead(send), Recv: overhead(recv),
	}}}
}

// Of returns the network of a library user.
func Of(n sim.Network) Network { return Network{Kind: &own, Own: n} }
