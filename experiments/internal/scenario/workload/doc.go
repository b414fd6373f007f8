// Package workload reads what a scenario runs: an algorithm, or an application of the
// catalogue or of a file, with its parameters.
//
// What it is. [Kinds] are the workloads that have a name, [Parameters] what a file may set of each, [Type] and
// [UnsizedType] how files state one. [Read] makes a [Workload], which builds the algorithm for a problem size and knows
// how fast its computations are on the processes of a placement.
//
// What it is not. The algorithms themselves are in package algorithm of workloads. It does not check parameters against
// the actual processes; scenarios do.
//
// Layer. Under experiments; imports document, hpldat, application, and
// below them topology and workloads.
package workload
