// Package application holds applications that are described in files instead of Go:
// parameters and the statements of one process, with the expressions in them.
//
// What it is. [Read] takes the root of a file and reports every mistake with its place; the keys
// of the file and of each statement are declared where they are read. An [Application] is
// what the file says, with its expressions compiled.
// [Application.Kind] makes it a workload like those of package algorithm. Its program
// is a list of instructions that all ranks share and, for each rank, the place in it:
// a few numbers of 32 bits, so that a million ranks fit into memory.
//
// What it is not. It opens no files, so that applications can be read from memory. What
// expressions may say, the grid of processes and distributions are package expression.
//
// Expressions that are the same for all processes are computed once, those that only
// depend on the rank once for each rank if a loop needs them, the others where they are
// needed, without allocation.
//
// Layer. Under experiments; imports expression, formula, schema, yamldoc, model/units, workloads and its
// packages algorithm, collective and parameter. Units: flop, bytes, seconds. Determinism:
// everything is a pure function of parameters, marked speeds and seed.
package application
