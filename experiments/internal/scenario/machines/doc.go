// Package machines reads machines: from the catalogue, from machine files and from files that describe a machine
// inline.
//
// What it is. [Read] is for files that name or describe a machine, [Open] and [Parse] are for a machine on its own.
// [Platform] is a machine down to its links: its topology, whose kinds are in topologyreader.go, built by package
// build. Platforms of SimGrid are read here, too, because they may stand in for a machine.
//
// What it is not. It does not know what runs on a machine, and about networks only how nodes are wired, not what a
// message costs: that is up to scenarios.
//
// Layer. Under experiments; imports document, build, platformxml, and below them
// topology.
package machines
