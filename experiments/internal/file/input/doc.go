// Package input describes the input of isoscale: kinds of file and how they are
// recognised, overrides, errors in the input, and the provenance of results.
//
// What it is not. It reads no machine, scenario or study: package scenario does.
//
// Layer. Under experiments; imports fault, yamldoc and model/units. Everything else under
// experiments that deals with files imports it.
//
// Errors. An [*Error] is an error in the input; [HasPosition] reports whether it
// begins with the place in a file.
package input
