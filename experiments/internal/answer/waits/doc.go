// Package waits divides the time for which the ranks of a run wait into wait states, and says which
// ranks caused them.
//
// What it is. A [Recording] observes a run and its program. [Recording.States] makes [States] of it:
// each instant of a rank's wait is in exactly one [Class], so that the classes add up to the wait of the
// rank, and what is due to another rank's being late is charged to ranks as delay costs, which add up
// to all of that wait.
//
// What it is not. It runs nothing, and draws nothing.
//
// Layer. Under experiments/internal/answer; imports sim, model, workloads. Units: seconds.
//
// Memory. About 70 bytes for each span, message and receipt, 96 for each operation that is not computation
// after computation, and about as much again while States works.
//
// Determinism. The same run gives the same states. It must be on one core: what is observed of several
// comes in another order, and sums are rounded otherwise.
package waits
