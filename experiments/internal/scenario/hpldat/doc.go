// Package hpldat reads HPL.dat, the input file of the benchmark HPL [Petitet2018], as
// values of the parameters of the workload hpl.
//
// The file has 31 lines, each with values and then any text. Lines of a number of values stand
// before lines of values.
//
// What it is not: it judges no value that the workload judges.
//
// Layer. Under experiments; imports yamldoc and input of experiments/internal/file.
package hpldat
