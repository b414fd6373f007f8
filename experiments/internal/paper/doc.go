// Package paper reproduces the published tables and figures of five papers on the
// scalability of heterogeneous and hierarchical systems: every cell, beside the
// result of the formulas of the paper or of the simulator.
//
// The data are the tables as printed. They are the reference of every comparison,
// and formulas are applied to the printed inputs of their table. They are not an
// input of simulations, except for fits, which are listed with their parameters.
//
// [Sources] lists the papers, [Reproduce] computes them and [Result.Report] makes
// the report. Each paper has its own files, named after it: the printed numbers in data,
// all that is said of it in words, in the form of its JSON, and the code that computes
// our values between the two.
//
// Layer: on top of experiments, whose studies it runs, and of experiments/report;
// experiments does not import it. Units: those of the printed tables, named in the
// columns. Determinism: the results are determined by the program alone.
package paper
