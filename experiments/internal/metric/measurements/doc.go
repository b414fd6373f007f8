// Package measurements reads measured times (docs/formats/measurements.md).
//
// What it is. [Read] reads a table of times (CSV), or says what is wrong with it and where; [Table.Runs] groups the
// repetitions of a point and checks that they agree.
//
// What it is not. It does not interpret times: package measured computes metrics from them.
//
// Layer. Under experiments; imports input and yamldoc.
package measurements
