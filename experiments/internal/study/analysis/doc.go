// Package analysis answers questions about the table of a study, a [studytable.Table]:
// which configurations are best, and how a response lies over the factors. Which
// factors matter is answered by package effects.
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
//
// What it is not: it runs nothing, and it knows neither files nor simulators. It
// does not hide doubtful answers: a warning is part of the answer and belongs in the
// report. Errors are those of package studytable.
//
// Units: those of the table's own columns.
//
// Determinism: answers are functions of the table; the order of its rows does not
// matter.
//
// Complexity: n rows and k factors take O(n k log n).
//
// Layer: imports studytable, model/scalability, model/units and gonum.
package analysis
