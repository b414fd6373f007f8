// Package paper reproduces the published tables and figures of five papers on the
// scalability of heterogeneous and hierarchical systems: every cell, beside the
// result of the formulas of the paper or of the simulator.
//
// The data are the tables as printed. They are the reference of every comparison, and formulas are applied to the
// printed inputs of their table. Simulations do not use them as input, except for fits, which are listed with their
// parameters.
//
// [Sources] lists the papers, [Reproduce] computes them and [Result.Report] makes the report. The files of each paper
// are named after it: the printed numbers in data, the words about it in words, in the form of its JSON, and the code
// that computes our values.
//
// Layer: on top of experiments, whose studies it runs, and of experiments/report; experiments does not import it.
// Units: those of the printed tables, named in the columns. Determinism: only the program determines the results.
package paper
