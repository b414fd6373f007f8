package networks

import (
	"cmp"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Networks whose parameters come from code, where [Read] has those of a file.

// Levels are the connections that processes of one node, and nodes of different groups,
// have; nil where they are the machine's.
type Levels struct {
	OnNode, BetweenGroups *topology.Connection
}

// NewHockney returns a network of that model on a machine.
func NewHockney(h network.Hockney, l Levels, m topology.Network) Network {
	return priced(&hockneyNetwork, h, hockneyConnection, l, m)
}

// NewLogGOPS returns a network of that model on a machine.
func NewLogGOPS(p network.LogGOPS, l Levels, m topology.Network) Network {
	return priced(&loggopsNetwork, p, loggopsConnection, l, m)
}

// LogGOPSOf returns the model with the figures of a machine.
func LogGOPSOf(m topology.Network) network.LogGOPS {
	return network.LogGOPS{Latency: m.Latency, Overhead: m.SendOverhead, GapPerByte: perByte(m.Bandwidth), Synchronous: network.NoLimit}
}

// HockneyOf returns the model with the figures of a machine.
func HockneyOf(m topology.Network) network.Hockney {
	return network.Hockney{Latency: m.Latency, Bandwidth: m.Bandwidth, SendOverhead: m.SendOverhead, RecvOverhead: m.RecvOverhead, EagerLimit: network.NoLimit}
}

func priced[M network.Model](kind *Kind, base M, c *connection[M], l Levels, m topology.Network) Network {
	n := Network{Model: kind.Name, Base: base, onNodeGiven: l.OnNode != nil}
	n.connected = func(x topology.Connection) network.Model { return c.of(base, x) }
	if t, ok := m.Topology.(build.Levels); ok {
		n.tree = newTree(t, base, c)
	}
	if x := cmp.Or(l.OnNode, m.OnNode); x != nil {
		n.onNode = c.of(base, *x)
	}
	if x := cmp.Or(l.BetweenGroups, m.BetweenGroups); x != nil {
		n.betweenGroups = c.of(base, *x)
	}
	return n
}

// NewFlow returns a network of that model: processes spend send and recv on each message,
// and the sender of one of more than limit waits for its receiver.
func NewFlow(p flow.Parameters, send, recv units.Seconds, limit units.Bytes) Network {
	below := units.Bytes(math.Nextafter(float64(limit), math.Inf(1)))
	return Network{Model: flowName, Flow: &Flow{p, network.Protocol{
		EagerBelow: below, DetachedBelow: below, EveryMessage: true,
		Send: overhead(send), Isend: overhead(send), Recv: overhead(recv),
	}}}
}
