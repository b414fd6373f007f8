package isoscale

import (
	"github.com/isoscale/isoscale/experiments"
	"github.com/isoscale/isoscale/sim"
)

// Clusters, which package machinefile below experiments also reads from files, and network models.
type (
	// Cluster is a machine: nodes, and the network between them. It does not change
	// and may be used by several simulations at once.
	Cluster = experiments.Cluster
	// Network is a network model with its parameters: [Hockney], [LogGOPS], [Flow] or what
	// [Custom] returns. A [Cluster] makes the first three with its own figures; changed
	// figures are used as they are, even if 0. Nil stands for the cluster's Hockney.
	Network = experiments.Network
	// Hockney is the model latency + size/bandwidth, with send and receive overhead;
	// messages of one rank leave one after the other.
	Hockney = experiments.Hockney
	// LogGOPS is the model in which cores and interfaces are busy with every message
	// at both ends.
	LogGOPS = experiments.LogGOPS
	// Flow is the model in which messages share the links of the cluster's topology,
	// and computations the memory of their node, by max-min fairness.
	Flow = experiments.Flow
)

// Custom is a model of one's own.
func Custom(n sim.Network) Network { return experiments.Custom(n) }
