// Package experiments turns files into simulations and simulations into
// answers. It is the only package that knows all names: which machine, which
// network model, which workload, which collective algorithm.
//
// A [Scenario] is one simulation; [Run] carries it out. An [IsoStudy] is a
// ladder of systems and a target efficiency; [Iso] finds, for each system, the
// problem size that holds the target, and the scalability psi between them.
// Both are read from YAML with every problem reported at its place in the file;
// values published or measured elsewhere may be stated for comparison and never
// enter a simulation.
//
// Layer: imports model, topology, workloads, sim and its own subpackages; knows
// nothing of flags or terminals. Determinism: the same files and settings give
// the same answer, but for the wall time in its provenance.
package experiments
