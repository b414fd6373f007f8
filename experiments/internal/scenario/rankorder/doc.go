// Package rankorder decides which rank runs in which slot of a placement: in turn over nodes or groups, or so that
// ranks that send each other much are close.
//
// What it is. An order is the slot of each rank, as in [topology.Selection].
//
// What it is not. It runs nothing: it is given a run, and records who sends how much to whom.
//
// Layer. Under experiments; imports build, document, fault, yamldoc, sim, sim/observe and topology. Determinism: an
// order depends only on the arguments, with ties as the functions say.
package rankorder
