// Package study runs a declared study and says what follows from it: it takes factors, levels and repetitions, and
// produces a directory of results, tables, effects and findings.
//
// Packages, and what each imports of the others:
//
//	analysis
//	store
//	batch: store
//	design
//	effects: analysis
//	search: analysis, design
//	sweep: analysis, design, search, store
//	findings: analysis, design, effects, search, store, sweep
//	analysis/analysistest: analysis
//	sweep/sweeptest
package study
