// Package experiments turns files into simulations and simulations into answers.
// Package isoscale in the root of the module builds on it: a [Cluster], network models
// on it, and a [System] that runs programs. It links no reader of files.
//
// The program's own packages are below internal. Reading: input, yamldoc, formula,
// scenario. One ready simulation: system. Answers, each with its report: run, iso,
// replay, measured, sweep, purchase, paper. Names: catalogue. Below them: design
// and analysis of studies, store of results, batch systems. The command line is
// package command, and reports are written with package report.
//
// The tests of this folder check contracts of several of them: the JSON of results,
// properties of all workloads, and fuzzing from the text of a file to the report.
//
// Packages, and what each imports of the others:
//
//	.
//	machinefile: .
package experiments
