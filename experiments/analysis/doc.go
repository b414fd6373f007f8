// Package analysis answers questions about the table of a study: factors that were
// varied, responses that came out.
//
// Which question each function answers:
//
//	which configurations are best, and which are
//	as good within the noise of repetitions          Rank
//	which configuration is best at each size, and does
//	one step lead from each to the next              Best
//	does always taking the best next step find them  Ascend
//	how does a response look over two factors        NewGrid
//	which way does it rise there                     Grid.Gradient
//	where is it equal                                Grid.Contours, NiceLevels
//	which factors and pairs of factors matter        Effects
//	how strongly does it react to each factor, and
//	which did nothing at all                         Sensitivity
//
// Means at levels, or in ranges of a factor of which there are samples only, are
// always those of the data. A linear model tells shares apart where a table has not
// every combination, and no more.
//
// Rows in which a response failed are left out, never taken for zero;
// if all failed the error is an [*AllFailedError]. Rows with equal levels are
// repetitions, whose mean counts.
//
// What it is not: it runs nothing, and it knows neither files nor simulators. It
// does not decide: a warning is part of the answer and belongs in the report.
//
// Errors: a table comes from files, so a wrong one gives an error and never a panic.
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
