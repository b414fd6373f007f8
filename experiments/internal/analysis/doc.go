// Package analysis answers questions about the table of a study: the factors that
// were varied and the responses.
//
// Which question each function answers:
//
//	which configurations are best, and which are
//	as good within the noise of repetitions          Rank
//	which configuration is best at each size, and does
//	one step lead from each to the next              Best
//	does always taking the best next step find them  Ascend
//	what is a response over two factors              NewGrid
//	in which direction does it rise                  Grid.Gradient
//	where is it constant                             Grid.Contours, NiceLevels
//	which factors and pairs of factors matter        Effects
//	how sensitive is it to each factor, and
//	which factors have no effect                     Sensitivity
//
// Means at levels, or in ranges of a sampled factor, are always those of the data. A
// linear model is used only to separate the shares of factors where a table does not
// have every combination.
//
// Rows in which a response failed are left out, never treated as zero;
// if all failed the error is an [*AllFailedError]. Rows with equal levels are
// repetitions, whose mean counts.
//
// What it is not: it runs nothing, and it knows neither files nor simulators. It
// does not hide doubtful answers: a warning is part of the answer and belongs in the
// report.
//
// Errors: a table comes from files, so a bad table gives an error and never a panic.
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
// Layer: imports gonum only.
package analysis
