// Package paper reproduces the published tables and figures of five papers on the
// scalability of heterogeneous and hierarchical systems: every cell, beside what
// the formulas of the paper, or the simulator, say.
//
// Data holds the tables as printed. They are compared with, and a formula is
// applied to the printed primary values of its table; they are never an input of
// a simulation except where a fit says so, with its parameters.
//
// Layer: part of experiments; imports model, topology, workloads and sim. Units:
// those of the printed tables, named in the columns.
package paper
