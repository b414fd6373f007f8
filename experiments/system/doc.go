// Package system turns a scenario into a simulation that is ready to run, and is
// the only place that does.
//
// What it is. [New] places the processes of a scenario on its machine and
// connects them; [Simulate] runs its algorithm at one problem size; [Solver] looks
// for the size that holds a speed-efficiency; [Outcomes] are what a simulation is
// measured by. Everything that simulates (run, iso, sweep, plan) stands on these,
// so that the same question has one answer.
//
// Layer. Under experiments; imports input and scenario, and sim.
//
// Determinism. The same scenario and seed give the same result on any number of
// cores.
package system
