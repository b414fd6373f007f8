// Package cluster makes a part of a machine ready for programs: processes on nodes, the speed
// and the memory that each computes with, and what carries their messages.
//
// What it is. A [Network] is a network model with its parameters, a [Transport] one between the
// processes of a placement: a network that prices messages one by one, or links on which they
// flow. [New] puts both together in a [System], which runs programs.
//
// What it is not. It reads no files: package networks does. Workloads, and what a simulation is
// measured by, are those of package system.
//
// Layer. Under experiments; imports fault, build, and below them sim, topology and model, so that
// a program that only simulates links no reader of files.
package cluster
