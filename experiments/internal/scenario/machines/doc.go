// Package machines reads machines: from the catalogue, from files and from the files that
// describe one themselves.
//
// What it is. [Read] is for files that name a machine or describe it, [Open] and [Parse]
// for a machine on its own. [Platform] is a machine down to its links: its topology,
// whose kinds are in topologyreader.go, built by package build. Platforms of SimGrid
// are read here too, because they stand where a machine may.
//
// What it is not. It knows nothing of what runs on a machine, and of networks only how
// nodes are wired, not what a message costs: scenarios choose that.
//
// Layer. Under experiments; imports document, build, platformxml, and below them
// topology.
package machines
