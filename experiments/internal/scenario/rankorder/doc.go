// Package rankorder says which rank runs in which slot of a placement: in turn over nodes or
// groups, or so that ranks that send each other much are near each other.
//
// What it is. An order is the slot of each rank, as [topology.Selection] has it.
//
// What it is not. It runs nothing: it is given what runs, and notes who sends how much to whom.
//
// Layer. Under experiments; imports build, document, fault, yamldoc, sim, sim/observe and topology. Determinism: an order depends on
// the arguments alone, with ties as the functions say.
package rankorder
