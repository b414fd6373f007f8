// Package collective holds collective operations as programs: each algorithm
// says, for one rank, which messages that rank exchanges and which blocks of
// data they carry. It knows nothing of how long that takes.
//
// Algorithms deal with blocks, not bytes: a broadcast has one block, a gather one block
// per rank ([BlockCount]). The caller prices a set of blocks ([Blocks], [BlockSet]), so
// the v-variants with unequal blocks need no algorithms of their own, and the
// conformance tests can follow the blocks to check that every rank ends with the right
// data. An algorithm that passes one block on in pieces says how many pieces there are
// ([Divider]).
//
// An algorithm is stateless: its k-th step is a pure function of the call, the rank and
// k, so a rank in the middle of a collective needs one integer. Instead of an
// algorithm, a caller may use [Rules], which choose one for each call by the number of
// processes and the size, as MPI libraries do, or a measured cost ([Cost]), if nothing
// else is known. Each of these is a [Choice], and [Next] turns a call into the
// operations of a workload.
//
// A call may be among a [Group] of ranks instead of all. Algorithms know nothing of
// groups: they number ranks within the call, and Next translates.
//
// A new algorithm is its step function with its source, one line in
// lookup.go, and one in the table of the conformance tests. Operators of
// reductions are taken to be associative and commutative. What happens in a
// rank's own memory, packing or rotating blocks, costs nothing.
//
// Layer: imports workloads (its parent) and model/units only. Units: bytes,
// flop, seconds, by type. Determinism: everything here is a pure function.
package collective
