// Package expression compiles and evaluates the expressions of applications, whose values
// may depend on the process.
//
// What it is. [Names] are what expressions may refer to: numbers, the grid of processes,
// distributions, names under let. Who reads a file declares them, opens a [Scope] at each
// place and compiles the expressions in it, so that every mistake is found there.
// [Names.On] gives [Values] on some processes, and [Frame.Eval] the value of an
// expression for one process at one place.
//
// What it is not. The grammar and the plain functions are those of package formula, which
// evaluates texts whose names have one value each. Here the same trees are compiled for a
// machine with a small stack, because a run evaluates them for each process and round.
//
// # Language
//
// That of package formula, without texts. Names are the parameters, the names defined
// under let, and
//
//	p, rank, speed          number of processes, number and marked speed of this one
//	x, y, ...               an axis of the grid: the number of processes along it
//	coord(x)                place of the process along an axis, from 0
//	at(dx, dy), around(...) the process at a distance on the grid, -1 if outside of
//	                        it; around joins the ends of each axis
//	share(n, x)             its part of n along an axis, or among all processes (all)
//	share(n, x, speed)      likewise, in proportion to marked speed
//	share(d), owner(d, i), after(d, i)
//	                        of a distribution d: the items of the process, who has
//	                        item i, and how many of its items come after item i
//	of(name, r)             the value of a name under let on process r
//	random(), normal(), exponential()
//	                        a draw: uniform in [0, 1), normal with mean 0 and deviation
//	                        1, exponential with mean 1
//
// and, where they have a meaning, the indices of loops, from and to (processes that
// the block of a collective operation comes from and goes to), and task.
//
// An expression is compiled once. What it depends on is known then ([Expression.Constant],
// [Expression.Steady]). Nothing in an expression repeats, and its length is bounded, so it
// takes little time; it allocates nothing.
//
// Layer. Under experiments; imports formula, model/units and workloads/algorithm. Units:
// all values are float64, in flop, bytes and seconds. Determinism: values are a pure
// function of the numbers given, marked speeds and seed. Draws are a function of the seed,
// the rank, the loop indices and the place in the file.
package expression
