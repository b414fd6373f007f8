// Package effects answers which factors of a study matter, from the table of its runs.
//
// Which question each function answers:
//
//	which factors and pairs of factors matter        Of
//	how sensitive is a response to each factor, and
//	which factors have no effect                     Sensitivity
//	what has a factor with all its interactions,
//	in a study of samples                            TotalIndices
//
// Means at levels, or in ranges of a sampled factor, are always those of the data. A
// linear model is used only to separate the shares of factors where a table does not
// have every combination.
//
// It does not hide doubtful answers: a warning is part of the answer and belongs in the
// report. Errors are those of package studytable.
//
// Units: those of the table's own columns; shares are ratios from 0 to 1.
//
// Determinism: answers are functions of the table; the order of its rows does not
// matter. The last bits may differ between types of processor, as gonum's kernels do.
//
// Complexity: n rows and k factors take O(n k log n), with pairs of factors
// O(n k^2), or O(n k^4) for tables that are no full factorial; 100 000 rows of
// 8 factors take about a second. Interactions are computed for at most 12 factors.
//
// Layer: imports studytable and gonum.
package effects
