// Package algorithm holds the algorithms that isoscale simulates, one file each: what
// they compute, how they split the work among processes of different speed, and which
// messages they exchange.
//
// An algorithm is a plain struct of parameters. Its Work is the W of the scalability
// metrics, in flop, as in its source; its Program is what the engine runs. Choices that
// the sources leave open are parameters, not hidden decisions; package experiments
// gives them defaults.
//
// What many algorithms have in common is stated once: a [Problem] has the parameters of
// all that split one problem, a [Series] those of all that repeat a round. Every
// Program is a list of phases (machine.go): the start, then what a rank does once, in
// each round, and once more.
//
// Layer: imports workloads, workloads/collective and model/units. Units: flop,
// bytes, seconds, by type. Determinism: everything is a pure function of the
// parameters.
package algorithm
