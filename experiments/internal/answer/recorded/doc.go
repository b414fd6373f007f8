// Package recorded repeats what ranks did when a trace was recorded: computations of
// recorded lengths, messages, collective calls. A reader of a format yields [Step]s, and
// [Program] turns them into operations, so that the engine can run them on another machine.
// [Measured] has what the trace says about the recorded run.
//
// The time that a rank spent in MPI calls is left out, because the simulation is to find it.
// Collective calls are carried out by the default algorithms of package collective.
//
// Layer: imports sim, model and workloads.
package recorded
