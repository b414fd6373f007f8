// Package study runs a declared study and says what follows from it: factors, levels and
// repetitions come in, a directory of results, tables, effects and findings go out.
//
// Packages, and what each imports of the others:
//
//	studytable
//	analysis: studytable
//	store
//	batch: store
//	design
//	effects: studytable
//	search: design, studytable
//	sweep: design, search, store, studytable
//	findings: analysis, design, effects, search, store, studytable, sweep
//	studytable/studytabletest: studytable
//	sweep/sweeptest
package study
