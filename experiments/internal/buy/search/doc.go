// Package search finds the machine to buy: among the machines within the limits of a plan, the one that does most of a
// mix of jobs, or the cheapest that does it all. It also finds what is nearly as good, the most cost-effective
// upgrades, and how robust the choice is.
//
// [Solve] lists the machines that a plan allows, leaves out those that cannot matter, simulates the workloads on the
// others, ranks them by the formulas of package model and returns a [model.Result].
//
// Determinism: the answer is a function of the file, whatever the number of cores and of processes. Simulations are
// stored by what they depend on, so that a change of prices needs no new ones.
package search
