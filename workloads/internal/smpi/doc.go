// Package smpi turns collective operations into the operations of one rank, message by
// message, as SimGrid's SMPI carries them out when it replays a time-independent trace:
// the same messages of the same sizes, and the same order of posting and waiting,
// because that order determines times.
//
// SMPI has several algorithms for each collective operation, named in its configuration
// as smpi/allreduce:rdb. A [Selector] holds the choice for each operation and starts
// with SMPI's defaults. It turns a [Call], which is one line of a trace as seen by one
// rank, into a [Sequence], of which [Sequence.Next] pulls one operation after the
// other. A sequence stores no operations: each one is computed from its number, in
// constant time or in time logarithmic in the number of ranks. Only one algorithm keeps
// its place instead.
//
// Where SMPI exchanges the same messages in the same order, the algorithms of package
// collective are used. The others differ in the order of posting, in how data are cut
// into pieces, in messages left out, or in everything.
//
// What it deliberately does not do: the caller adds the work of a reduction, which
// SMPI's replay executes on each rank after the communication; the rules of single
// messages (eager, rendezvous, overheads) are the engine's; only MPI_COMM_WORLD is
// known; algorithms that depend on which ranks share a node are missing, and refused by
// name.
//
// A new algorithm is one function that writes down the operations of a rank in
// order (see [seek] for how it is read from the middle) and one line in the
// catalogue.
//
// Layer: imports workloads, workloads/collective and model/units only. Units:
// bytes, by type; counts are elements of a datatype. Determinism: a sequence is
// a pure function of the choice and the call.
package smpi
