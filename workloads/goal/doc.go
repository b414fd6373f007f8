// Package goal reads, holds and writes GOAL schedules: for each rank of a parallel
// program, a list of computations, sends and receives, and their dependencies.
//
// The text is the one that LogGOPSim's txt2bin accepts; docs/formats/goal.md
// has the grammar. Read streams it, plain or compressed by gzip, into a
// Schedule; Write writes it in canonical form; a Builder makes a schedule
// without text.
//
// A Schedule is made for tens of millions of operations: flat slices without
// pointers, 32 bytes for each operation, 4 for each dependency and 4 for each
// rank (Shape.Memory). The garbage collector has nothing to follow in it.
//
// What it is not: it knows nothing of time. What an operation costs is the
// business of package sim/goalsim. LogGOPSim's binary schedules are not read.
//
// Layer: imports workloads/internal/lines only. Units: sizes of messages in bytes,
// sizes of computations in nanoseconds, both whole numbers. Determinism: the
// schedule is a pure function of the text, the text of the schedule.
package goal
