// Package build makes platforms of the standard cluster networks: star, bus,
// backbone, nested subclusters (tree), fat tree, torus and mesh, dragonfly, and
// any graph of switches and cables.
//
// A [Cluster] says what is wanted in plain values; [Cluster.Validate] reports
// everything that is wrong with nodes, network, and topology as a whole, and
// [Cluster.Platform] makes hosts, links and a router. Routes are computed when asked for: but for the graph there are
// no tables, so that the memory is proportional to the links. [Measure] says
// how wide and how long such a network is.
//
// A cable is two links, one for each way, or one link if the network is
// half-duplex. One latency fits all topologies: [Network].Latency is that
// between hosts next to each other. Where hosts meet at a switch, a cable takes
// half of it, as there are two cables between them; on a torus the one cable
// between neighbours takes all of it, and so does a bus.
//
// What it does not do: adaptive or multi-path routing, flow control, the time
// that switches take. What sharing costs is up to a network model.
//
// Layer: imports topology and model/units. Units: by type. Determinism: links
// are numbered in the order of the description, network first; routes are pure
// functions of it.
package build
