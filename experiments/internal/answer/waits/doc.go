// Package waits divides the time that the ranks of a run wait into wait states, and says which ranks
// caused them.
//
// What it is. A [Recording] observes a run and its program. [Recording.States] derives [States] from it.
// Each instant of a rank's wait is in exactly one [Class], so the classes add up to the wait of the
// rank. The waits that are due to a late rank are charged to ranks as delay costs, which add up to
// these waits.
//
// What it is not. It runs nothing, and draws nothing.
//
// Layer. Under experiments/internal/answer; imports sim, model, workloads. Units: seconds.
//
// Memory. About 70 bytes for each span, message and receipt, 96 for each operation (consecutive ones without
// waits count as one), and about as much again while States works.
//
// Determinism. The same run gives the same states. It must be on one core: on several, observations come
// in varying order, and sums are rounded differently.
package waits
