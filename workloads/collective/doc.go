// Package collective holds collective operations as programs: each algorithm
// says, for one rank, which messages that rank exchanges and which blocks of
// data they carry. It knows nothing of how long that takes.
//
// Algorithms speak of blocks, not of bytes: a broadcast has one block, a gather
// one block per rank ([BlockCount]). The caller prices a range of blocks
// ([Blocks]), so the v-variants with unequal blocks need no algorithms of their
// own, and the conformance kit can follow the blocks to check that every rank
// ends with the right data.
//
// An algorithm is stateless: its k-th step is a pure function of the call, the
// rank and k, so a rank in the middle of a collective needs one integer.
// Instead of an algorithm, a caller that has only a measured cost may use that
// ([Cost]). Either is a [Choice], and [Next] turns a call of it into the
// operations of a workload.
//
// A new algorithm is one file with its step function and source, one line in
// lookup.go, and one in the table of the conformance test.
//
// Layer: imports workloads (its parent) and model/units only. Units: bytes,
// flop, seconds, by type. Determinism: everything here is a pure function.
package collective
