// Package expression has what expressions of applications refer to, and their values on
// processes.
//
// What it is. [Names] are numbers, the grid of processes, distributions and names under let.
// Whoever reads a file declares them, opens a [Scope] at each place and compiles expressions
// in it, so that every mistake is found there. [Names.On] gives [Values] on some processes,
// and [Frame.Eval] the value of an expression for one process at one place.
//
// What it is not. Package formula has the grammar, the plain functions and the evaluator;
// [Values.Extern] computes what only applications have. docs/formats/expressions.md lists
// names and functions.
//
// What a value depends on is known from compiling ([Expression.Constant],
// [Expression.Steady]). Evaluation allocates nothing.
//
// Layer. Under experiments; imports formula, model/units and workloads/algorithm. Units:
// all values are float64 in base units. Determinism: values are a pure function of the
// numbers given, marked speeds and seed. Draws are a function of the seed, the rank, the loop
// indices and the place in the file.
package expression
