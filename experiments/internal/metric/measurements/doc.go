// Package measurements reads measured times (docs/formats/measurements.md).
//
// What it is. [Read] reads a table of times (CSV) and says what is wrong with it, with
// its place; [Table.Runs] puts the repetitions of a point together and checks that they
// agree.
//
// What it is not. What the times mean: package measured computes metrics of them.
//
// Layer. Under experiments; imports input and yamldoc.
package measurements
