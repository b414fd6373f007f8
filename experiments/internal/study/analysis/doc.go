// Package analysis answers questions about the table of a study: which configurations are
// best, and how a response lies over the factors. Which factors matter is answered by
// package effects.
//
// A [Table] has factors with their levels, responses with their units, and a row for each
// run. [Table.Gather] averages a response over repetitions, which are rows of equal levels.
// Rows in which it failed are left out, never treated as zero; that all failed is an error.
// The answers are methods of its [Cells]:
//
//	which configurations are best, and which are
//	as good within the noise of repetitions          Rank
//	which configuration is best at each size, and does
//	one step lead from each to the next              Growth, UpTo
//	does always taking the best next step find them  Ascend
//	the same for what a step costs                   Spend, Updates
//	what is a response over two factors              Grid
//	in which direction does it rise                  Grid.Gradient
//	where is it constant                             Grid.Contours
//
// What it is not: it runs nothing, and it knows neither files nor simulators. The types of
// answers that studies print are those of their JSON.
//
// Units: those of the table's own columns.
//
// Determinism: [Cells] come in the order of their levels, and sums do not depend on the
// order of rows; nor do answers.
//
// Complexity: n rows and k factors take O(n k log n).
package analysis
