// Package sim runs a parallel program on a machine in simulated time: it is the
// discrete-event engine of isoscale.
//
// [Run] takes a program (a number of ranks, each a stream of operations), the
// speed of every rank and a network that prices messages, and returns when
// every rank finished and where its time went. Messages have the semantics of
// MPI: matching by source and tag with wildcards, messages of one pair never
// overtake each other, blocking and non-blocking calls, eager and rendezvous
// protocols. A program that cannot end is reported as a [DeadlockError] that
// names every blocked rank.
//
// A [Process] is Go code on the same clock, beside the ranks: it injects failures,
// schedules work, makes background load.
//
// With a [Network], messages of one rank leave one after the other, different
// senders do not disturb each other, and each rank has a core for itself. A [Fabric]
// carries messages that share links and computations that share cores and memory:
// package model/sharing/flow.
//
// # Time
//
// Time is a float64 number of seconds from 0 on; no NaN and no infinity ever enters the
// clock. Every rank has its own clock and runs ahead of the others as far as that is
// safe; see engine.go for the rule and its proof. The outcome is that of strict time
// order, bit for bit, and does not depend on wall time, map order or the number of
// cores.
//
// At equal times, messages arrive first (by sender, then in the order in which that
// sender sent them), then the rank acts. Where the network has no latency, on a fabric,
// and with events, an action of one rank may concern others at the same instant. Then
// ranks act in the order of their numbers, each until it has to wait; a rank that
// another one sets free at that instant takes its place among those still to act. A
// message that arrives at the instant at which it is sent comes after those that have
// already arrived. Processes have their turns after all ranks.
//
// # Layer
//
// Imports model, workloads and its own sim/kernel; knows no names of machines
// or algorithms and reads no files.
//
// Packages, and what each imports of the others:
//
//	internal/matching
//	internal/radix
//	kernel: internal/radix
//	meter
//	goalsim: ., internal/matching, internal/radix, meter
//	observe: .
package sim
