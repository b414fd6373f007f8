// Package kernel is the simulated clock, with two sources of events on it.
//
// The first are processes: Go functions that sleep and wait in simulated time. They are
// pleasant to write and cost a goroutine each and a switch or two per wait, so they are
// for rare events: dynamic schedulers, failures, code of users. They run on
// github.com/fschuetz04/simgo, and this package is the only one that imports it.
//
// The second is one hot model: the operations of all ranks, transfers, computations. It
// is passive (interface Model) and keeps its events as plain values in a Calendar,
// without a goroutine, closure or allocation for each event. With a model and no
// process, Run is a loop over Next and Advance.
//
// What it is not: it knows no ranks, messages or machines, collects no
// statistics, is not parallel (one kernel uses one core; independent kernels
// may run at the same time), and has no notion of wall-clock time. A Kernel, its
// events and its processes may be used before Run by one goroutine, and during
// Run only by the model and the processes themselves.
//
// # Order
//
// Time never goes backwards. At equal times:
//
//  1. The model goes first. It has handled everything up to and including t
//     before a process has its turn at t. If the process posts work to the
//     model that is due at t, the model handles it before the next turn.
//  2. Then the processes, in the order in which it was decided that they go on
//     at t: when Sleep or Go was called, or the event triggered. Those woken
//     by one event go on in the order in which they began to wait.
//  3. Calendar entries leave in the order in which they were pushed.
//
// The model is advanced exactly to its Next or, if that is earlier, to the time
// of the next turn of a process; so Now is right inside Advance. A model that
// triggers no event may be advanced to the next turn in one call: see
// [Kernel.RunAhead].
//
// # Safety
//
// Used directly, simgo v0.7.0 has traps. This package keeps out of them, with a
// regression test for each of these promises:
//
//  1. A paused process is never ended by the garbage collector. simgo aborts an
//     event, and the process that waits for it, when nothing refers to it any
//     more; the kernel refers to every event that a process is paused on.
//  2. No NaN, no infinity and no negative delay enters the clock. A process
//     that tries fails; Run returns a ProcessError with its name and the time.
//     Calendar.Push panics; a model whose Next is not a number, or not later
//     than the last Advance, makes Run return an error.
//  3. When nothing is left to happen and processes still wait, Run returns a
//     BlockedError that lists each with what it waits for and since when.
//  4. Run ends what is left from its own goroutine: it aborts every event that
//     a process is paused on and then drains simgo's queue. It never uses
//     simgo's Shutdown.
//  5. No goroutine outlives Run, however it ends; none exists before it. A panic
//     in a process comes back as a ProcessError and does not end the program.
//  6. simgo's clock is moved only forwards, and only to times before which
//     nothing is due.
//
// # Layer, units, determinism
//
// Imports model/units, sim/internal/radix and simgo. Times are units.Seconds of
// simulated time, from zero. The same calls give the same order, on any number of
// cores: no map iteration, random source or wall clock is used.
package kernel
