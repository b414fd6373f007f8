// Package experiments holds the packages that turn files into simulations and
// simulations into answers. It has no code of its own.
//
// Reading: input, yamldoc, formula, scenario. One ready simulation: system.
// Answers, each with its report: run, iso, replay, measured, sweep, purchase,
// paper. Names: catalogue. Below them: design and analysis of studies, store of
// results, batch systems, report.
//
// The tests of this folder are those of contracts that concern several of them:
// the JSON of results, properties of all workloads, and fuzzing from the text of a
// file to the report.
package experiments
