// Package sweep runs studies of many simulations: a plan file declares a scenario,
// factors and their levels, and every combination of levels is a point.
//
// [Read] reads a plan and checks it as far as that is possible without running
// anything. [Plan.Create] makes a results directory of it, which alone counts from then on: [Open] makes a [Study] of a
// directory alone, without the plan file or any file that the scenario names, so that it can be carried out anywhere.
// [Study.Shard] computes one share of the points and [Study.Run] all that are missing; a row is a function of the
// directory's plan and the point, so it does not matter who computes it, when or how often.
//
// A search simulates some points of a design and chooses each by the rows before it (package search). Then a row is a
// function of the plan and of its place in the order of choice, and the directory has one shard, with the rows in that
// order.
//
// A point that cannot be simulated, or that exceeds the limits of the plan, is a row with its error. An error of the
// computer, such as a full disk, makes no row: it ends the work, and the next call continues.
//
// What it is not: it does not judge rows. Package findings says and draws what they mean.
package sweep
