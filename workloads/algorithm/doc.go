// Package algorithm holds the algorithms that isoscale simulates, one file
// each: what they compute, how they split it among processes of different
// speed, and which messages they exchange.
//
// An algorithm is a plain struct of parameters. Its Work is the W of the
// scalability metrics, in flop, as its source prints it; its Program is what
// the engine runs. Choices that the sources leave open are parameters, not
// hidden decisions; package experiments gives them defaults.
//
// Layer: imports workloads, workloads/collective and model/units. Units: flop,
// bytes, seconds, by type. Determinism: everything is a pure function of the
// parameters.
package algorithm
