// Package build makes platforms of the standard cluster networks: star, bus,
// backbone, nested subclusters (tree), fat tree, torus and mesh, dragonfly, and
// any graph of switches and cables.
//
// A [Cluster] describes a network in plain values; [Cluster.Problems] reports everything that is wrong with nodes,
// network and topology as a whole, and [Cluster.Platform] makes hosts, links and a router. Routes are computed on
// demand: only the graph has tables, so memory is proportional to the links. [Measure] returns the bisection bandwidth
// and the diameter of such a network.
//
// A cable is two links, one for each way, or one link if the network is half-duplex. One latency serves all topologies:
// [Network].Latency is that between adjacent hosts. Where hosts meet at a switch, two cables are between them, and each
// takes half of it; on a torus the one cable between neighbours takes all of it, and so does a bus.
//
// What it does not do: adaptive or multi-path routing, flow control, the time
// that switches take. What sharing costs is up to a network model.
//
// Layer: imports topology and model/units. Units: by type. Determinism: links
// are numbered in the order of the description, network first; routes are pure
// functions of it.
package build
