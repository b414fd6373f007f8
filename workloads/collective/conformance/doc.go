// Package conformance checks that an algorithm, of package collective or one's own,
// carries out its collective operation.
//
//	err := conformance.CheckAll(ring{}, 33, func(cs conformance.Case) conformance.Traffic {
//		... // what the algorithm promises for this case
//	})
//
// A check moves data symbolically. The ranks run in a small interpreter without time,
// in which a block is not a number of bytes but the record of whose contributions are
// in it and how often. So a block that is lost, misplaced or combined twice is noticed
// even if it is empty. One table (case.go) says what each operation starts with and
// must end with; a new algorithm of package collective needs no code here, only its row
// and its traffic formula (suites_test.go, traffic_test.go).
//
// Besides the data, a check demands that steps are a pure function, that no step
// follows the last, that messages match in blocks and size, that each is received and
// each request waited for once and by its name, that blocks received to be combined are
// computed on, and that the numbers of messages and bytes are as promised. All this
// must hold both when sends are buffered (eager) and when a send waits for its receive
// (rendezvous), without deadlock. The two halves of a Sendrecv run concurrently.
//
// The order in which ranks run does not matter: receives name their source, so the
// ranks form a deterministic process network (Kahn 1974), in which every order gives
// the same data and the same deadlocks. Time is not measured: whether an algorithm is
// fast is the business of package sim.
//
// Layer: imports collective, workloads and model/units. Units: bytes.
// Determinism: cases are listed, never drawn.
package conformance
