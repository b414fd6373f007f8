// Package hpldat reads HPL.dat, the input file of the benchmark HPL [Petitet2018], as
// values of the parameters of the workload hpl.
//
// The file has 31 lines, each with values followed by any text. A line with a number of values precedes each line of
// values.
//
// What it is not: it does not judge values that the workload judges.
//
// Layer. Under experiments; imports yamldoc and input of experiments/internal/file.
package hpldat
