// Package smpi gives the collective operations as the operations of one rank,
// message by message, in the way in which SimGrid's SMPI carries them out when
// it replays a time-independent trace: the same messages of the same sizes, and
// the same order of posting and waiting, because that order decides on times.
//
// SMPI has several algorithms for each collective operation, named in its
// configuration as smpi/allreduce:rdb. A [Selector] holds the choice for each
// operation and starts with SMPI's defaults. It turns a [Call], which is one
// line of a trace as seen by one rank, into a [Sequence], of which
// [Sequence.Next] pulls one operation after the other. A sequence stores no
// operations: each one is computed from its number, in constant time or in a
// time that grows with the logarithm of the number of ranks. One algorithm keeps
// its place instead.
//
// The algorithms of package collective are used where SMPI's exchange the same
// messages in the same order. The others differ in what is posted before what,
// in how data are cut into pieces, in messages left out, or in everything.
//
// What it deliberately does not do: the work of a reduction, which SMPI's replay
// executes on each rank after the communication, is for the caller to add; the
// rules of single messages (eager, rendezvous, overheads) are the engine's; only
// MPI_COMM_WORLD is known; algorithms that depend on which ranks share a node
// are missing, and refused by name.
//
// A new algorithm is one function that writes down the operations of a rank in
// order (see [seek] for how it is read from the middle) and one line in the
// catalogue.
//
// Layer: imports workloads, workloads/collective and model/units only. Units:
// bytes, by type; counts are elements of a datatype. Determinism: a sequence is
// a pure function of the choice and the call.
package smpi
