package isoscale

import (
	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Network is a network model with its parameters: [Hockney], [LogGOPS], [Flow] or what
// [Custom] returns. A [Cluster] makes the first three with its own figures; what is changed
// then counts as it is, also where it is 0. Nil stands for the cluster's Hockney.
type Network interface {
	on(m *experiments.Machine) experiments.Network
}

// Hockney is the model latency + size/bandwidth, with send and receive overhead;
// messages of one rank leave one after the other. See [Cluster.Hockney].
type Hockney struct {
	network.Hockney
	// How processes of one node, and nodes of different groups, are connected; nil: as
	// the cluster says.
	OnNode, BetweenGroups *topology.Connection
}

// LogGOPS is the model in which cores and interfaces are busy with every message
// at both ends. See [Cluster.LogGOPS].
type LogGOPS struct {
	network.LogGOPS
	// How processes of one node, and nodes of different groups, are connected; nil: as
	// the cluster says.
	OnNode, BetweenGroups *topology.Connection
}

// Flow is the model in which messages share the links of the cluster's topology,
// and computations the memory of their node, by max-min fairness. See [Cluster.Flow].
type Flow struct {
	flow.Parameters         // such as flow.SMPI()
	SendOverhead    Seconds // of the sending core for each message, at least 0
	RecvOverhead    Seconds // of the receiving core for each message, at least 0
	// EagerLimit is the largest size that is sent without waiting for the receiver: at 0
	// all messages wait that are not empty, at [network.NoLimit] none does.
	EagerLimit Bytes
}

// Hockney returns the model with the figures of the cluster. No message waits for its
// receiver: EagerLimit is [network.NoLimit]. Of a SimGrid platform, which has links but no
// figures between processes, all are 0.
func (c *Cluster) Hockney() Hockney { return Hockney{Hockney: c.machine.Hockney()} }

// LogGOPS returns the model with the figures of the cluster: its latency, its send overhead,
// and its bandwidth as gap per byte. The other parameters are 0, and no message waits for
// its receiver: Synchronous is [network.NoLimit].
func (c *Cluster) LogGOPS() LogGOPS { return LogGOPS{LogGOPS: c.machine.LogGOPS()} }

// Flow returns the model in which links are as they are and flows share them equally, with
// the overheads of the cluster. No message waits for its receiver.
func (c *Cluster) Flow() Flow {
	n := c.machine.Connections()
	return Flow{Parameters: flow.Plain(), SendOverhead: n.SendOverhead, RecvOverhead: n.RecvOverhead, EagerLimit: network.NoLimit}
}

// Custom is a model of one's own.
func Custom(n sim.Network) Network { return custom{n} }

type custom struct{ network sim.Network }

func (n Hockney) on(m *experiments.Machine) experiments.Network {
	return m.OnHockney(n.Hockney, n.OnNode, n.BetweenGroups)
}

func (n LogGOPS) on(m *experiments.Machine) experiments.Network {
	return m.OnLogGOPS(n.LogGOPS, n.OnNode, n.BetweenGroups)
}

func (n Flow) on(m *experiments.Machine) experiments.Network {
	return m.OnFlow(n.Parameters, n.SendOverhead, n.RecvOverhead, n.EagerLimit)
}

func (n custom) on(m *experiments.Machine) experiments.Network { return m.OnOwn(n.network) }
