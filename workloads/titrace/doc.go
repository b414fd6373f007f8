// Package titrace reads time-independent traces, the format that SimGrid's SMPI records
// and replays: for each rank the actions of a parallel program, how much it computes
// and how much it sends to whom, but not when. A trace becomes a [workloads.Program],
// action by action while the program runs. docs/formats/time-independent-traces.md has
// the grammar and what each action means.
//
// [Open] takes one merged file of all ranks, a list of files, or a folder; [Read] a
// merged trace from anywhere. No trace is held in memory: files of one rank are read in
// place, and merged or compressed ones are first sorted by rank, into a temporary file
// if they are large (merged.go, spool.go). The usual kinds of lines are read faster
// than others (plain.go). A rank keeps half a kilobyte, its buffer (4 to 64 KB), its
// open requests and, if its collective operations have one count for each rank, those
// counts. [Write] makes a trace of any program.
//
// Collective operations are carried out message by message, by the algorithms
// of SMPI ([Algorithms]). The work of a reduction follows as a computation.
//
// What it is not: it knows nothing of time. Package sim decides what an operation costs
// and how tests are answered, and waits for requests that are open at the end of a
// trace.
//
// Layer: imports workloads, workloads/collective, workloads/internal/lines, workloads/internal/smpi
// and model/units only. Units: bytes, flop, seconds, by type; counts are elements of a data type.
// Determinism: the operations of a rank are a pure function of the trace if all
// its ranks begin with the same kind of init. See [Program] for the others.
package titrace
