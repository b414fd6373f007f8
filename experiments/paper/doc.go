// Package paper reproduces the published tables and figures of five papers on the
// scalability of heterogeneous and hierarchical systems: every cell, beside what
// the formulas of the paper, or the simulator, say.
//
// Data holds the tables as printed. They are compared with, and a formula is
// applied to the printed primary values of its table; they are never an input of
// a simulation except where a fit says so, with its parameters.
//
// [Sources] lists the papers, [Reproduce] makes them and [Result.Report]
// writes the page. Each paper has its own files, named after it.
//
// Layer: on top of experiments, whose studies it runs, and of experiments/report;
// experiments does not import it. Units: those of the printed tables, named in the
// columns. Determinism: a paper is a function of the program.
package paper
