// Package application holds applications that are described in files instead of Go:
// parameters, a grid of processes, expressions, and the statements of one process.
//
// What it is. An [Application] is what a file says, with its expressions compiled.
// [Application.Kind] makes it a workload like those of package algorithm. Its program
// is a list of instructions that all ranks share and, for each rank, the place in it:
// a few numbers of 32 bits, so that a million ranks fit into memory.
//
// What it is not. It reads no files. Who does opens a [Scope] and compiles the
// expressions in it, so that every mistake is found at its place.
//
// # Expressions
//
// The language is that of package formula, without texts. Names are the parameters,
// the names defined under let, and
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
// An expression is compiled once. What it depends on is known then: values that are
// the same for all are computed once, those that only depend on the rank once for each
// rank if a loop needs them, the others where they are needed, without allocation.
// Nothing in an expression repeats, and its length is bounded, so it takes little time.
//
// Layer. Under experiments; imports formula, model/units, workloads and its packages
// algorithm, collective and parameter. Units: flop, bytes, seconds; in expressions all
// values are float64 in these units. Determinism: everything is a pure function of
// parameters, marked speeds and seed. Draws are a function of the seed, the rank, the
// loop indices and the place in the file.
package application
