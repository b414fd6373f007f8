// Package cluster prepares a part of a machine for programs: processes on nodes, the speed and memory with which each
// computes, and what carries their messages.
//
// What it is. A [Network] is a network model with its parameters. A [Transport] is one between the processes of a
// placement: a network that prices messages one by one, or links on which they flow. [New] combines processes and
// transport in a [System], which runs programs.
//
// What it is not. It reads no files; package networks does. Workloads, and the outcomes of simulations, are in package
// system.
//
// Layer. Under experiments; imports fault, build, and below them sim, topology and model, so that a program that only
// simulates does not link readers of files.
package cluster
