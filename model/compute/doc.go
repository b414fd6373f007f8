// Package compute prices computations in closed form: how long one process of a node
// takes, given the work of a computation and the data that it moves to and from memory.
//
// What it is not. It does not know when computations happen: a process always has
// the same share of its node's memory bandwidth, whether or not the others compute
// at that time. Package model/sharing/flow shares the bandwidth exactly.
//
// Layer: imports model/units only. Units: seconds, bytes, flop, by type.
// Determinism: prices are pure functions.
package compute
