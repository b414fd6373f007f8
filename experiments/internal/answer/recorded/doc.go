// Package recorded runs again what ranks did when a trace was recorded: computations of
// recorded lengths, messages, collective calls. A reader of a format yields [Step]s, and
// [Program] makes operations of them, so that the engine can put them on another machine.
// [Measured] has what the trace says of itself.
//
// Times in which a rank was in a call of MPI are left out: they are what the simulation is to
// find. Collective calls are carried out by the default algorithms of package collective.
//
// Layer: imports sim, model and workloads.
package recorded
