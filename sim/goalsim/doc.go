// Package goalsim executes GOAL schedules (package workloads/goal) under the
// LogGOPS model, with the rules of LogGOPSim down to the order of events at
// equal times, so that the finish time of every host is the same integer.
//
// The model is [LogGOPS]: latency L, overhead o, gap g, gap per byte G, overhead per
// byte O, and the message size S above which a send ends only when its receive has
// matched it. docs/formats/goal.md states the rules and where this package deviates
// from LogGOPSim.
//
// What it is not: there is no network between hosts, so messages of different
// hosts never slow each other down; there is no noise; operations are taken
// from a schedule that is complete before the run. Package sim runs programs
// that make their operations on demand.
//
// # Order
//
// Events are handled by time and, at equal times, by the number of their creation. An
// event that finds its core or network interface busy waits until that is free and
// keeps its number. On hosts with several cores or interfaces an operation may be
// released at a time that has already passed, because a dependency orders operations
// but carries no time; its event is then handled next.
//
// # Layer, units, determinism
//
// Imports workloads/goal, and from sim only an observer's types. Times are whole nanoseconds and sizes whole
// bytes, as in the schedules. Run uses one core; the result is a pure function of the schedule and the parameters.
//
// [LogGOPS]: T. Hoefler, T. Schneider, A. Lumsdaine. LogGOPSim: simulating
// large-scale applications in the LogGOPS model. Proceedings of the 19th ACM
// International Symposium on High Performance Distributed Computing (HPDC),
// 597-604, 2010.
package goalsim
